/** The highlights of a finished game: the card that earned the most VP, and the turn that decided it. */

import type { BaseView } from "../protocol";
import type { Recording, Turn } from "./format";

export interface BestCard {
    id: number;
    name: string;
    type: string;
    /** Who controlled it when it scored. */
    player: number;
    /** Its power at the bases that scored, added up. */
    power: number;
    /** Its share of the VP that its controller got there. */
    vp: number;
}

export interface DecisiveTurn {
    turn: Turn;
    /** The winner's chance before and after that turn, from 0 to 1. */
    before: number;
    after: number;
}

/**
 * The card with the largest share of all VP won at bases; null if no card earned any.
 *
 * The VP of a player at a base are divided among their cards there by power. Cards count as they lay when the
 * base was last seen on the table before it scored.
 */
export function bestCard(recording: Recording): BestCard | null {
    const found = new Map<string, BestCard>();
    for (let step = 1; step <= recording.last; step += 1) {
        for (const change of recording.changes(step, -1)) {
            if (change.kind !== "scored" || change.base === undefined) continue;
            const base = baseBefore(recording, step, change.base);
            for (const { player, vp } of change.places ?? []) {
                if (base !== null && vp > 0) share(found, base, player, vp);
            }
        }
    }
    return [...found.values()].reduce<BestCard | null>(
        (best, card) => (best === null || card.vp > best.vp ? card : best),
        null,
    );
}

function baseBefore(recording: Recording, step: number, serial: number): BaseView | null {
    const bases = [step - 1, step].flatMap((at) => recording.view(at, -1).bases);
    return bases.find((base) => base.serial === serial) ?? null;
}

function share(found: Map<string, BestCard>, base: BaseView, player: number, vp: number): void {
    const cards = base.cards.filter((card) => card.controller === player && (card.power ?? 0) > 0);
    const total = cards.reduce((sum, { power = 0 }) => sum + power, 0);
    for (const { id, name, type = "", power = 0 } of cards) {
        if (id === undefined || name === undefined) continue;
        const key = `${String(player)} ${String(id)} ${name}`;
        const card = found.get(key) ?? { id, name, type, player, power: 0, vp: 0 };
        card.power += power;
        card.vp += (vp * power) / total;
        found.set(key, card);
    }
}

/** The turn after which the winners' chance had risen the most; null for a game without a winner or turns. */
export function decisiveTurn({ turns, winners }: Recording): DecisiveTurn | null {
    const chance = (turn: Turn | undefined) =>
        winners.reduce((sum, winner) => sum + (turn?.chances[winner] ?? 0), 0);
    let best: DecisiveTurn | null = null;
    for (const [at, turn] of turns.entries()) {
        if (turn.player === null) continue;
        const [before, after] = [chance(turns[at - 1]), chance(turn)];
        if (after - before > (best === null ? 0 : best.after - best.before)) best = { turn, before, after };
    }
    return best;
}
