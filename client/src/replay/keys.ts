/** A recording by keyboard: arrows go a step, with Shift a turn, Home and End all the way, the space bar runs it. */

import type { Film } from "./film.svelte";

export function steer(event: KeyboardEvent, film: Film): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const focused = document.activeElement;
    // What has keys of its own keeps them.
    if (focused?.matches("input, select, textarea, [role=slider]")) return;
    if (event.key === " " && focused?.matches("button, a, [role=region]")) return;
    const way = wayOf(event, film);
    if (way === null) return;
    event.preventDefault();
    way();
}

function wayOf({ key, shiftKey }: KeyboardEvent, film: Film): (() => void) | null {
    if (key === " ")
        return () => {
            film.toggle();
        };
    const ways: Record<string, () => void> = {
        ArrowRight: () => {
            if (shiftKey) film.goTurn(1);
            else film.go(film.step + 1);
        },
        ArrowLeft: () => {
            if (shiftKey) film.goTurn(-1);
            else film.go(film.step - 1);
        },
        Home: () => {
            film.go(0);
        },
        End: () => {
            film.go(film.last);
        },
    };
    const way = ways[key];
    if (!way) return null;
    return () => {
        film.pause();
        way();
    };
}
