/** What this browser remembers of puzzles: those that were solved, and the streak of daily ones. */

import { readStored, writeStored } from "../lib/storage";

export interface PuzzleProgress {
    /** Ids of solved puzzles. */
    solved: string[];
    /** The last day whose puzzle was solved on that day, such as 2026-11-18; empty if there is none. */
    lastDay: string;
    /** How many days in a row, up to the last one. */
    streak: number;
    bestStreak: number;
    /** Puzzles whose solution was shown, with the last day on which it was. */
    revealed: Record<string, string>;
}

const KEY = "smashup.puzzles";
const DAY = 24 * 60 * 60 * 1000;
const NOTHING: PuzzleProgress = { solved: [], lastDay: "", streak: 0, bestStreak: 0, revealed: {} };

export function loadProgress(): PuzzleProgress {
    const kept = readStored<Partial<PuzzleProgress>>(KEY);
    const { solved, lastDay, streak, bestStreak, revealed } = { ...NOTHING, ...kept };
    return {
        solved: Array.isArray(solved) ? solved.filter((id) => typeof id === "string") : [],
        lastDay: typeof lastDay === "string" ? lastDay : "",
        streak: Number.isInteger(streak) ? streak : 0,
        bestStreak: Number.isInteger(bestStreak) ? bestStreak : 0,
        revealed: isRecord(revealed) ? { ...revealed } : {},
    };
}

/** Note that a puzzle was solved; `day` is the date if it is the puzzle of the day. */
export function withSolved(before: PuzzleProgress, id: string, day: string | null): PuzzleProgress {
    const solved = before.solved.includes(id) ? before.solved : [...before.solved, id];
    // A window that was left open may still have the puzzle of an earlier day.
    if (day === null || day <= before.lastDay) return { ...before, solved };
    const streak = isNextDay(before.lastDay, day) ? before.streak + 1 : 1;
    return { ...before, solved, lastDay: day, streak, bestStreak: Math.max(streak, before.bestStreak) };
}

export function saveSolved(id: string, day: string | null): PuzzleProgress {
    const progress = withSolved(loadProgress(), id, day);
    writeStored(KEY, progress);
    return progress;
}

/** Note that the solution of a puzzle was shown: on this day, solving it no longer counts. */
export function saveRevealed(id: string, today: string): void {
    const progress = loadProgress();
    writeStored(KEY, { ...progress, revealed: { ...progress.revealed, [id]: today } });
}

export function wasRevealedOn(progress: PuzzleProgress, id: string, today: string): boolean {
    return progress.revealed[id] === today;
}

/** The streak as it is today: it ends if neither today's nor yesterday's puzzle was solved. */
export function currentStreak(progress: PuzzleProgress, today: string): number {
    const isAlive = progress.lastDay === today || isNextDay(progress.lastDay, today);
    return isAlive ? progress.streak : 0;
}

function isRecord(value: unknown): value is Record<string, string> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNextDay(before: string, day: string): boolean {
    return Date.parse(day) - Date.parse(before) === DAY;
}
