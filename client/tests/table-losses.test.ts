/** What others did to a player's cards, and how a base scored, from the changes of one step. */

import { describe, expect, it } from "vitest";

import type { BaseView, EventView, InPlay, View } from "../src/protocol";
import { findLosses, groupLosses } from "../src/table/log/losses";
import { findScores } from "../src/table/log/base-scores";

const ME = 0;
const huffie: InPlay = { id: 7, name: "Huffie", type: "minion", controller: ME };

function viewWith(cards: InPlay[], more: Partial<View> = {}): View {
    const base = { serial: 3, name: "Portal Room", cards } as unknown as BaseView;
    return { turn: 5, current: 1, scoring: null, bases: [base], ...more } as unknown as View;
}

function kinds(change: Partial<EventView>, before = viewWith([huffie]), after = viewWith([])): string[] {
    const whole = { cards: [{ id: 7, name: "Huffie" }], by: 1, ...change } as EventView;
    return findLosses({ before, after, changes: [whole], lines: [] }, ME).map(({ kind }) => kind);
}

describe("what others did to a player's cards", () => {
    it("counts cards in play that others affected", () => {
        expect(kinds({ kind: "destroyed" })).toEqual(["destroyed"]);
        expect(kinds({ kind: "control", player: 1 })).toEqual(["taken"]);
        expect(kinds({ kind: "placed" })).toEqual(["removed"]);
    });

    it("leaves out what the player, the rules or a friendly card did", () => {
        expect(kinds({ kind: "destroyed", by: ME })).toEqual([]);
        expect(
            findLosses({ before: viewWith([huffie]), after: viewWith([]), changes: [], lines: [] }, ME),
        ).toEqual([]);
        expect(kinds({ kind: "counters" })).toEqual([]);
        expect(kinds({ kind: "destroyed" }, viewWith([{ ...huffie, controller: 1 }]))).toEqual([]);
    });

    it("counts cards taken from the hand or discarded from it", () => {
        const origin = { zone: "hand", player: ME } as const;
        const before = viewWith([]);
        expect(kinds({ kind: "discarded", origin, to: { zone: "discard", player: ME } }, before)).toEqual([
            "discarded",
        ]);
        expect(kinds({ kind: "transferred", origin, to: { zone: "hand", player: 1 } }, before)).toEqual([
            "taken",
        ]);
    });

    it("notices abilities that are canceled", () => {
        const after = viewWith([{ ...huffie, cancelled: true }]);
        const step = { before: viewWith([huffie]), after, changes: [], lines: [] };
        expect(findLosses(step, ME).map(({ kind }) => kind)).toEqual(["cancelled"]);
        expect(findLosses({ ...step, before: after }, ME)).toEqual([]);
    });
});

describe("how a base scored", () => {
    it("adds VP that cards give while it scores", () => {
        const places = [{ player: 1, place: 1, vp: 4, power: 12 }];
        const changes: EventView[] = [
            { kind: "scored", base: 3, places },
            { kind: "vp", player: 0, amount: 1, cause: { id: 9, name: "Kaijookey" } },
        ];
        const [score] = findScores(changes, viewWith([], { scoring: 3 }), []);
        expect(score).toMatchObject({ name: "Portal Room", places, bonuses: [{ player: 0, amount: 1 }] });
        const later = findScores(changes.slice(1), viewWith([]), score ? [score] : []);
        expect(later[0]?.bonuses).toHaveLength(1);
    });
});

describe("losses that read the same", () => {
    it("are counted together, others stay apart", () => {
        const change = (id: number, name: string): EventView => {
            return {
                kind: "discarded",
                cards: [{ id, name }],
                by: 1,
                origin: { zone: "hand", player: ME },
                to: { zone: "discard", player: ME },
            } as unknown as EventView;
        };
        const changes = [change(1, "Madness"), change(2, "Huffie"), change(3, "Madness")];
        const losses = findLosses({ before: viewWith([]), after: viewWith([]), changes, lines: [] }, ME);
        expect(groupLosses(losses).map(({ first, count }) => [first.card.name, count])).toEqual([
            ["Madness", 2],
            ["Huffie", 1],
        ]);
    });
});
