/** A recording by keyboard: arrows go a step, with Shift a turn, Home and End all the way, the space bar runs it. */

import type { ReplayPlayer } from "./replay-player.svelte";

export function handleReplayKey(event: KeyboardEvent, replay: ReplayPlayer): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const focused = document.activeElement;
    // What has keys of its own keeps them.
    if (focused?.matches("input, select, textarea, [role=slider]")) return;
    if (event.key === " " && focused?.matches("button, a, [role=region]")) return;
    const way = actionForKey(event, replay);
    if (way === null) return;
    event.preventDefault();
    way();
}

function actionForKey({ key, shiftKey }: KeyboardEvent, replay: ReplayPlayer): (() => void) | null {
    if (key === " ")
        return () => {
            replay.toggle();
        };
    const ways: Record<string, () => void> = {
        ArrowRight: () => {
            if (shiftKey) replay.goTurn(1);
            else replay.go(replay.step + 1);
        },
        ArrowLeft: () => {
            if (shiftKey) replay.goTurn(-1);
            else replay.go(replay.step - 1);
        },
        Home: () => {
            replay.go(0);
        },
        End: () => {
            replay.go(replay.last);
        },
    };
    const way = ways[key];
    if (!way) return null;
    return () => {
        replay.pause();
        way();
    };
}
