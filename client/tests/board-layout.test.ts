import { describe, expect, it } from "vitest";

import type { BaseView, InPlay, View } from "../src/protocol";
import {
    computeCardWidth,
    computeSizes,
    findOverlaps,
    layoutFor,
    layoutForTurn,
} from "../src/table/board/board-layout";
import frames from "./table-frames.json";

const view = frames.menu.view as unknown as View;
const wide = { width: 68, height: 34, narrow: false };

/** The same bases with so many more minions of a player at each. */
function crowded(more: number, player: number): BaseView[] {
    const minions = Array.from({ length: more }, (_, index): InPlay => {
        return { id: 1000 + index, name: "Spy", type: "minion", controller: player };
    });
    return view.bases.map((base) => ({ ...base, cards: [...base.cards, ...minions] }));
}

describe("the size of the cards at the bases", () => {
    it("is full where there is room", () => {
        expect(computeSizes(view.bases, 0, { ...wide, height: 60 })).toEqual({ cards: 1, bases: 1 });
    });

    it("shrinks as bases get crowded and rooms low, and never grows", () => {
        const sizes = [0, 3, 6, 12].map((more) => computeSizes(crowded(more, 1), 0, wide).cards);
        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        expect(sizes.at(-1)).toBeLessThan(sizes[0] ?? 0);
        expect(computeSizes(crowded(40, 1), 0, wide).cards).toBeGreaterThan(0.5);
    });

    it("lets cards overlap only where the smallest do not fit", () => {
        expect(computeSizes(crowded(3, 1), 0, { ...wide, height: 50 }).overlap).toBeUndefined();
        expect(computeSizes(crowded(40, 1), 0, wide).overlap).toBeGreaterThan(0);
    });

    it("covers no card of a side where all fit side by side", () => {
        const sizes = computeSizes(crowded(40, 1), 0, wide);
        const [base] = view.bases;
        if (base === undefined) throw new Error("The view has no base.");
        const minion = (id: number, controller: number): InPlay => {
            return { id, name: "Spy", type: "minion", controller };
        };
        const many = Array.from({ length: 20 }, (_, at) => minion(at, 1));
        const cards = [...many, minion(100, 0), minion(101, 0)];
        const about = { count: view.bases.length, sizes, space: wide };
        expect(findOverlaps({ ...base, cards }, 0, about)).toEqual({ others: true, own: false });
    });

    it("leaves cards readable however many bases there are", () => {
        const full = { cards: 1, bases: 1 };
        for (const count of [2, 3, 4, 5, 6, 7]) {
            expect(computeCardWidth(count, full, wide)).toBeGreaterThanOrEqual(3.5);
            expect(computeCardWidth(count, full, wide)).toBeLessThanOrEqual(7);
        }
    });
});

describe("the layout during a turn", () => {
    it("leaves the bases where they are while smaller cards fit", () => {
        const before = layoutFor(view.bases, 0, { ...wide, height: 38 }, null);
        const after = layoutFor(crowded(6, 0), 0, { ...wide, height: 38 }, before);
        expect(after.sizes.cards).toBeLessThan(before.sizes.cards);
        expect(after.sizes.bases).toBe(before.sizes.bases);
        expect(after.above).toEqual(before.above);
    });
});

describe("two rows of bases on a tablet", () => {
    it("keep room for the cards of others row by row", () => {
        const [base] = view.bases;
        if (base === undefined) throw new Error("The view has no base.");
        const minions = Array.from({ length: 30 }, (_, index): InPlay => {
            return { id: 1000 + index, name: "Spy", type: "minion", controller: 1 };
        });
        const bases = [0, 1, 2, 3, 4].map((serial) => ({
            ...base,
            serial,
            cards: serial === 1 ? minions : [],
        }));
        const { above } = layoutForTurn(
            bases,
            0,
            { width: 36, height: 50, narrow: false, upright: true },
            null,
        );
        expect(above.get(0)).toBe(above.get(1));
        expect(above.get(3)).toBe(above.get(4));
        expect(above.get(4)).toBeLessThan((above.get(1) ?? 0) / 2);
    });
});
