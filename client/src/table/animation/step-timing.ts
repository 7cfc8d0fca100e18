/** How long a step of the game is looked at before the next is shown, so that a bot's turn can be followed. */

import type { Motion } from "../../lib/settings.svelte";
import type { LogLineView } from "../../protocol";
import { eventId } from "../log/log-events";

/** Seconds that it takes to see what happened, by the event of a line. */
const SECONDS_BY_EVENT: Record<string, number> = {
    base_scoring: 1.5,
    place_awarded: 1.7,
    card_played: 0.95,
    talent_used: 0.8,
    cards_drawn: 0.35,
};
const DEFAULT_SECONDS = 0.6;
const SECONDS_PER_LINE = 0.12;
const MAX_SECONDS = 2.6;

/** Seconds at normal speed for what these lines tell. */
export function secondsToShow(lines: LogLineView[]): number {
    if (lines.length === 0) return 0;
    const each = lines.map((line) => SECONDS_BY_EVENT[eventId(line)] ?? DEFAULT_SECONDS);
    return Math.min(MAX_SECONDS, Math.max(...each) + SECONDS_PER_LINE * (lines.length - 1));
}

/** Milliseconds for which a person's own decision may be held back while what led to it is shown. */
export const MAX_DELAY_MS: Record<Motion, number> = { off: 0, fast: 600, normal: 1_000, slow: 6_000 };

/** Milliseconds per second of animation, so that all waiting steps end in the time left. */
export function millisecondsPerSecond(seconds: number, second: number, left: number): number {
    return seconds * second <= left ? second : Math.max(0, left) / seconds;
}
