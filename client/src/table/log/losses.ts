/** What other players did to a player's cards: destroyed, moved, taken, returned, discarded, cancelled. */

import type { EventView, LogLineView, NamedCard, View } from "../../protocol";
import { findInPlay } from "../prompt/prompt-text";
import { idsInMessage } from "../cards/message-parts";

export type LossKind = "destroyed" | "moved" | "taken" | "returned" | "discarded" | "removed" | "cancelled";

export interface Loss {
    key: string;
    turn: number;
    kind: LossKind;
    card: NamedCard;
    /** Who did it; null where that is not known. */
    by: number | null;
    /** The card that did it. */
    cause: NamedCard | null;
    /** The serial of the base where the card was; null for cards that were not in play. */
    base: number | null;
    /** The lines of the log about it. */
    lines: number[];
}

/** Losses that read the same, such as five Madness cards discarded by one card. */
export interface LossGroup {
    first: Loss;
    count: number;
}

/** Losses in their order, with those that read the same counted together. */
export function groupLosses(losses: Loss[]): LossGroup[] {
    const groups = new Map<string, LossGroup>();
    for (const loss of losses) {
        const key = JSON.stringify([loss.card.name, loss.kind, loss.by, loss.cause?.name]);
        const group = groups.get(key);
        groups.set(key, { first: group?.first ?? loss, count: (group?.count ?? 0) + 1 });
    }
    return [...groups.values()];
}

interface Step {
    before: View;
    after: View;
    changes: EventView[];
    lines: LogLineView[];
}

/** What others did to the cards of a player in one step of the game. */
export function findLosses({ before, after, changes, lines }: Step, me: number): Loss[] {
    const linesOf = (id: number): number[] =>
        lines.filter(({ message }) => idsInMessage(message, "card").includes(id)).map(({ number }) => number);
    const found = changes.flatMap((change) =>
        (change.cards ?? []).flatMap(({ id, name }): Loss[] => {
            if (id === undefined || name === undefined) return [];
            if (change.by === undefined || change.by === me) return [];
            const kind = kindOf(change, id, before, me);
            if (kind === null) return [];
            const { by, cause = null } = change;
            const base = findInPlay(before, id)?.base.serial ?? null;
            const { turn } = before;
            const key = `${String(turn)}:${String(id)}:${kind}`;
            return [{ key, turn, kind, card: { id, name }, by, cause, base, lines: linesOf(id) }];
        }),
    );
    return [...found, ...cancelledIn(before, after, me)];
}

function kindOf(change: EventView, id: number, before: View, me: number): LossKind | null {
    const { kind, origin, to } = change;
    if (findInPlay(before, id)?.card.controller === me) {
        switch (kind) {
            case "destroyed":
            case "moved":
            case "returned":
            case "discarded":
                return kind;
            case "control":
                return change.player === me ? null : "taken";
            case "placed":
            case "buried":
                return "removed";
            default:
                return null;
        }
    }
    if (origin?.player !== me || (origin.zone !== "hand" && origin.zone !== "deck")) return null;
    if (to?.zone === "discard") return "discarded";
    return to?.zone === "hand" && to.player !== me ? "taken" : null;
}

/** Cards whose text has lost its effect. */
function cancelledIn(before: View, after: View, me: number): Loss[] {
    if (after.current === me) return [];
    return after.bases.flatMap((base) =>
        base.cards.flatMap((card): Loss[] => {
            const { id, name } = card;
            if (card.controller !== me || card.cancelled !== true) return [];
            if (id === undefined || name === undefined) return [];
            if (findInPlay(before, id)?.card.cancelled !== undefined) return [];
            const { turn } = before;
            const key = `${String(turn)}:${String(id)}:cancelled`;
            const { serial } = base;
            return [
                {
                    key,
                    turn,
                    kind: "cancelled",
                    card: { id, name },
                    by: null,
                    cause: null,
                    base: serial,
                    lines: [],
                },
            ];
        }),
    );
}
