/** What players are told during their first games on this device, and no longer. */

import { read, write } from "./storage";

const GAMES = "smashup.games";
const TOLD = "smashup.told";
/** How many games count as the first ones. */
const FIRST = 3;

/** Hints that are given until they are dismissed. */
export type Hint = "symbols" | "touch";

/** Whether a table is one of the first at which this device plays; opening it counts. */
export function isEarlyGame(table: string): boolean {
    const games = read<string[]>(GAMES) ?? [];
    if (games.includes(table)) return true;
    if (games.length >= FIRST) return false;
    write(GAMES, [...games, table]);
    return true;
}

export function wasTold(hint: Hint): boolean {
    return (read<Hint[]>(TOLD) ?? []).includes(hint);
}

export function markTold(hint: Hint): void {
    if (!wasTold(hint)) write(TOLD, [...(read<Hint[]>(TOLD) ?? []), hint]);
}
