/** Where in a recording somebody is, in the address: so that a link shows just that. */

import type { Eyes } from "./eyes";

export interface Place {
    step: number;
    eyes: Eyes | null;
}

/** What an address asks for. Whatever makes no sense there is as if it were not there. */
export function placeOf(search: string, players = 4): Place {
    const asked = new URLSearchParams(search);
    const step = Number(asked.get("step") ?? "");
    const eyes = asked.get("eyes") ?? "";
    const seat = /^\d$/.test(eyes) ? Number(eyes) : players;
    return {
        step: Number.isSafeInteger(step) && step > 0 ? step : 0,
        eyes: eyes === "all" || eyes === "out" ? eyes : seat < players ? seat : null,
    };
}

export function addressOf(id: string, step: number, eyes: Eyes): string {
    return `/replay/${encodeURIComponent(id)}?step=${String(step)}&eyes=${String(eyes)}`;
}
