/** What the browser remembers of puzzles: solved ones and the streak of days. */

import { beforeEach, describe, expect, it } from "vitest";

import {
    currentStreak,
    loadProgress,
    saveRevealed,
    saveSolved,
    wasRevealedOn,
    withSolved,
    type PuzzleProgress,
} from "../src/puzzles/progress";

const NOTHING: PuzzleProgress = { solved: [], lastDay: "", streak: 0, bestStreak: 0, revealed: {} };

beforeEach(() => {
    localStorage.clear();
});

describe("the progress in puzzles", () => {
    it("grows by a day when the daily puzzle is solved on the next day", () => {
        let progress = withSolved(NOTHING, "a", "2026-11-29");
        expect(progress).toEqual({
            ...NOTHING,
            solved: ["a"],
            lastDay: "2026-11-29",
            streak: 1,
            bestStreak: 1,
        });
        progress = withSolved(progress, "b", "2026-11-30");
        progress = withSolved(progress, "c", "2026-12-01");
        expect(progress.streak).toBe(3);
    });

    it("begins again after a day without", () => {
        const before = { ...NOTHING, solved: ["a"], lastDay: "2026-11-29", streak: 5, bestStreak: 5 };
        expect(withSolved(before, "b", "2026-12-01")).toEqual({
            ...NOTHING,
            solved: ["a", "b"],
            lastDay: "2026-12-01",
            streak: 1,
            bestStreak: 5,
        });
    });

    it("counts a day once, and other puzzles not at all", () => {
        const today = withSolved(NOTHING, "a", "2026-11-29");
        expect(withSolved(today, "a", "2026-11-29")).toEqual(today);
        expect(withSolved(today, "z", null)).toEqual({ ...today, solved: ["a", "z"] });
    });

    it("does not end when a window from an earlier day is finished late", () => {
        const before = { ...NOTHING, solved: ["b"], lastDay: "2026-11-30", streak: 5, bestStreak: 5 };
        expect(withSolved(before, "a", "2026-11-29")).toEqual({ ...before, solved: ["b", "a"] });
    });

    it("remembers for a day that a solution was shown", () => {
        saveRevealed("a", "2026-11-29");
        saveSolved("b", "2026-11-29");
        expect(wasRevealedOn(loadProgress(), "a", "2026-11-29")).toBe(true);
        expect(wasRevealedOn(loadProgress(), "a", "2026-11-30")).toBe(false);
        expect(wasRevealedOn(loadProgress(), "b", "2026-11-29")).toBe(false);
        expect(loadProgress().solved).toEqual(["b"]);
    });

    it("shows a streak until a whole day is missed", () => {
        const progress: PuzzleProgress = { ...NOTHING, lastDay: "2026-11-29", streak: 4 };
        expect(currentStreak(progress, "2026-11-29")).toBe(4);
        expect(currentStreak(progress, "2026-11-30")).toBe(4);
        expect(currentStreak(progress, "2026-12-01")).toBe(0);
        expect(currentStreak(NOTHING, "2026-12-01")).toBe(0);
    });

    it("is stored, and damaged storage is as good as none", () => {
        saveSolved("a", "2026-11-29");
        expect(loadProgress().solved).toEqual(["a"]);
        localStorage.setItem("smashup.puzzles", '{"solved": 7, "streak": "many", "revealed": ["a"]}');
        expect(loadProgress()).toEqual(NOTHING);
    });
});
