/** How long a step of the game is looked at before the next is shown, so that a bot's turn can be followed. */

import type { Motion } from "../lib/settings.svelte";
import type { Line } from "../protocol";

/** What a line of the log says happened, by the beginning of its English text, and how long it takes to see. */
const LENGTHS: [RegExp, number][] = [
    [/ scores: /, 1.5],
    [/^\{player\} (wins \{base\}|comes (second|third)|is \{place\})/, 1.7],
    [/^Turn \{turn\}/, 0.6],
    [/^\{player\} plays/, 0.95],
    [/talent of/, 0.8],
    [/reveals|looks at/, 0.6],
    [/draws/, 0.35],
    [/./, 0.6],
];
const MORE = 0.12;
const LONGEST = 2.6;

/** Seconds at normal speed for what these lines tell. */
export function lengthOf(lines: Line[]): number {
    if (lines.length === 0) return 0;
    const each = lines.map((line) => LENGTHS.find(([start]) => start.test(line.message.text))?.[1] ?? 0);
    return Math.min(LONGEST, Math.max(...each) + MORE * (lines.length - 1));
}

/** Milliseconds for which a person's own decision may be held back while what led to it is shown. */
export const PATIENCE: Record<Motion, number> = { off: 0, fast: 600, normal: 1_000, slow: 6_000 };

/** What a second is worth for steps that wait, if they have to be over in so many milliseconds. */
export function paceOf(seconds: number, second: number, left: number): number {
    return seconds * second <= left ? second : Math.max(0, left) / seconds;
}
