/** Which two factions the poster shows. */

import { difficultyOf } from "../picker/difficulty";

export type Pair = [first: string, second: string];

/** Two different random factions, neither of them shown now, and no hard ones for a first game. */
export function drawPair(factions: string[], now: string[], newcomer: boolean): Pair | null {
    const kind = factions.filter((name) => !newcomer || difficultyOf(name)?.rating === "easy");
    const pool = kind.filter((name) => !now.includes(name));
    const enough = pool.length >= 2 ? pool : factions;
    const [first, second] = shuffle(enough);
    return first === undefined || second === undefined ? null : [first, second];
}

function shuffle<T>(things: T[]): T[] {
    const rest = [...things];
    const mixed: T[] = [];
    while (rest.length > 0) mixed.push(...rest.splice(Math.floor(Math.random() * rest.length), 1));
    return mixed;
}
