/** How long a step of the game is looked at before the next is shown, so that a bot's turn can be followed. */

import type { Motion } from "../../lib/settings.svelte";
import type { LogLineView } from "../../protocol";
import { eventId } from "../log/log-events";

/** Seconds that it takes to see what happened, by the event of a line. */
const LENGTHS: Record<string, number> = {
    base_scoring: 1.5,
    place_awarded: 1.7,
    card_played: 0.95,
    talent_used: 0.8,
    cards_drawn: 0.35,
};
const OTHERS = 0.6;
const MORE = 0.12;
const LONGEST = 2.6;

/** Seconds at normal speed for what these lines tell. */
export function secondsToShow(lines: LogLineView[]): number {
    if (lines.length === 0) return 0;
    const each = lines.map((line) => LENGTHS[eventId(line)] ?? OTHERS);
    return Math.min(LONGEST, Math.max(...each) + MORE * (lines.length - 1));
}

/** Milliseconds for which a person's own decision may be held back while what led to it is shown. */
export const MAX_DELAY_MS: Record<Motion, number> = { off: 0, fast: 600, normal: 1_000, slow: 6_000 };

/** What a second is worth for steps that wait, if they have to be over in so many milliseconds. */
export function millisecondsPerSecond(seconds: number, second: number, left: number): number {
    return seconds * second <= left ? second : Math.max(0, left) / seconds;
}
