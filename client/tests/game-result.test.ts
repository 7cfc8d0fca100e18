/** The result of a game in words, and lines of the log that stand as one entry. */

import { describe, expect, it } from "vitest";

import type { LogLineView } from "../src/protocol";
import { groupLines, summarizeGroup } from "../src/table/log/log-groups";
import { describeResult, isTieBrokenByMadness, placeOf } from "../src/table/result/game-result";

const line = (number: number, event: string): LogLineView => ({
    number,
    event,
    message: { text: event, args: {}, english: event },
});

describe("the result of a game", () => {
    it("names the place and the scores", () => {
        expect(describeResult([15, 12], [0], 0)).toBe("You won, 15 : 12");
        expect(describeResult([15, 12], [0], 1)).toBe("You came second, 12 : 15");
        expect(describeResult([15, 12, 9, 9], [0], 3)).toBe("You came third, 9 : 15");
        expect(describeResult([3, 16, 9, 9], [1], 0)).toBe("You came fourth, 3 : 16");
    });

    it("says so when players share it, or when nobody looks on from a seat", () => {
        expect(describeResult([15, 15], [0, 1], 1)).toBe("You share first place, 15 : 15");
        expect(describeResult([15, 12], [0], null)).toBe("");
    });

    it("counts the winner first when the VP are equal", () => {
        expect(describeResult([15, 15], [0], 1)).toBe("You came second, 15 : 15");
        expect([0, 1, 2, 3].map((player) => placeOf([14, 14, 9, 9], [1], player))).toEqual([2, 1, 3, 3]);
    });

    it("says that Madness cards broke a tie only if they did", () => {
        const counted = [line(1, "madness_counted")];
        expect(isTieBrokenByMadness([14, 14, 9], [1], counted)).toBe(true);
        expect(isTieBrokenByMadness([14, 15, 9], [1], counted)).toBe(false);
        expect(isTieBrokenByMadness([14, 14, 9], [0, 1], counted)).toBe(false);
        expect(isTieBrokenByMadness([0, 0], [1], [])).toBe(false);
    });
});

describe("lines of the log", () => {
    const discard = "card_leaves_play.discarded_from_base";

    it("are one entry if three or more say the same", () => {
        const lines = [line(1, "cards_drawn"), ...[2, 3, 4].map((number) => line(number, discard))];
        const entries = groupLines([
            ...lines,
            line(5, "card_leaves_play.destroyed"),
            line(6, "card_leaves_play.destroyed"),
        ]);
        expect(entries.map(({ kind, lines: of }) => [kind, of.length])).toEqual([
            [null, 1],
            ["discarded", 3],
            [null, 1],
            [null, 1],
        ]);
        expect(summarizeGroup("discarded", 3)).toBe("3 cards are discarded");
    });
});
