/** Who scored what at a base, and why: places by power, and VP that cards gave meanwhile. */

import type { EventView, NamedCard, View } from "../../protocol";

export interface ScorePlace {
    player: number;
    place: number;
    power: number;
    vp: number;
}

/** VP from a card, beside the places. */
export interface ScoreBonus {
    player: number;
    amount: number;
    cause: NamedCard | null;
}

export interface BaseScore {
    serial: number;
    /** The name of the base. */
    name: string;
    turn: number;
    places: ScorePlace[];
    bonuses: ScoreBonus[];
}

/** The bases that scored in one step of the game; VP given meanwhile go with the last of them. */
export function findScores(changes: EventView[], before: View, known: BaseScore[]): BaseScore[] {
    const scores = [...known];
    for (const change of changes) {
        if (change.kind === "scored" && change.base !== undefined) {
            scores.push(scoreOf(change, before));
        } else if (change.kind === "vp" && change.player !== undefined) {
            const last = scores.at(-1);
            if (last === undefined || before.scoring !== last.serial) continue;
            const { player, amount = 0, cause = null } = change;
            scores[scores.length - 1] = { ...last, bonuses: [...last.bonuses, { player, amount, cause }] };
        }
    }
    return scores;
}

function scoreOf(change: EventView, before: View): BaseScore {
    const base = before.bases.find(({ serial }) => serial === change.base);
    const places = (change.places ?? []).map(({ player, place, vp, power = 0 }) => ({
        player,
        place,
        vp,
        power,
    }));
    return { serial: change.base ?? -1, name: base?.name ?? "", turn: before.turn, places, bonuses: [] };
}
