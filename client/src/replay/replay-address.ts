/** The position in a recording as part of the address, so that links lead there. */

import type { Perspective } from "./perspective";

export interface ReplayPosition {
    step: number;
    perspective: Perspective | null;
}

/** What an address asks for. Whatever makes no sense there is as if it were not there. */
export function parsePosition(search: string, players = 4): ReplayPosition {
    const asked = new URLSearchParams(search);
    const step = Number(asked.get("step") ?? "");
    const perspective = asked.get("eyes") ?? "";
    const seat = /^\d$/.test(perspective) ? Number(perspective) : players;
    return {
        step: Number.isSafeInteger(step) && step > 0 ? step : 0,
        perspective:
            perspective === "all" || perspective === "out" ? perspective : seat < players ? seat : null,
    };
}

export function replayAddress(id: string, step: number, perspective: Perspective): string {
    return `/replay/${encodeURIComponent(id)}?step=${String(step)}&eyes=${String(perspective)}`;
}
