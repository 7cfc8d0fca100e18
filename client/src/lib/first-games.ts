/** Hints for the first games on this device. */

import { readStored, writeStored } from "./storage";

const GAMES_KEY = "smashup.games";
const HINTS_KEY = "smashup.told";
/** How many games count as the first ones. */
const EARLY_GAMES = 3;

/** Hints that are given until they are dismissed. */
export type Hint = "symbols" | "touch";

/** Whether a table is one of the first at which this device plays; opening it counts. */
export function isEarlyGame(table: string): boolean {
    const games = readStored<string[]>(GAMES_KEY) ?? [];
    if (games.includes(table)) return true;
    if (games.length >= EARLY_GAMES) return false;
    writeStored(GAMES_KEY, [...games, table]);
    return true;
}

export function wasHintShown(hint: Hint): boolean {
    return (readStored<Hint[]>(HINTS_KEY) ?? []).includes(hint);
}

export function markHintShown(hint: Hint): void {
    if (!wasHintShown(hint)) writeStored(HINTS_KEY, [...(readStored<Hint[]>(HINTS_KEY) ?? []), hint]);
}
