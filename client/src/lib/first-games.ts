/** What players are told during their first games on this device, and no longer. */

import { readStored, writeStored } from "./storage";

const GAMES = "smashup.games";
const TOLD = "smashup.told";
/** How many games count as the first ones. */
const FIRST = 3;

/** Hints that are given until they are dismissed. */
export type Hint = "symbols" | "touch";

/** Whether a table is one of the first at which this device plays; opening it counts. */
export function isEarlyGame(table: string): boolean {
    const games = readStored<string[]>(GAMES) ?? [];
    if (games.includes(table)) return true;
    if (games.length >= FIRST) return false;
    writeStored(GAMES, [...games, table]);
    return true;
}

export function wasHintShown(hint: Hint): boolean {
    return (readStored<Hint[]>(TOLD) ?? []).includes(hint);
}

export function markHintShown(hint: Hint): void {
    if (!wasHintShown(hint)) writeStored(TOLD, [...(readStored<Hint[]>(TOLD) ?? []), hint]);
}
