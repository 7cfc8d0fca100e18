/** The puzzle that this page plays, and at which table. */

import { api } from "../lib/api";
import { forgetSeats, saveSeats } from "../lib/seats";
import { settings } from "../lib/settings.svelte";
import { personName } from "../pages/seat-names";
import type { PuzzleInfo } from "../protocol";
import { loadProgress, saveRevealed, wasRevealedOn } from "./progress";

class CurrentPuzzle {
    info = $state.raw<PuzzleInfo | null>(null);
    /** The table; each attempt has its own. */
    table = $state<string | null>(null);
    /** The date if it is the puzzle of the day. */
    day = $state<string | null>(null);
    /** Whether the solution was shown today, so that solving the puzzle no longer counts. */
    wasRevealed = $state(false);
    private today = "";
    /** Changes whenever a puzzle is opened or left: answers to earlier requests are too late. */
    private visit = 0;

    isAt(table: string): boolean {
        return this.table === table;
    }

    /** Open a puzzle by its id; null if there is none. */
    async open(id: string): Promise<PuzzleInfo | null> {
        this.leave();
        const visit = this.visit;
        const [all, daily] = await Promise.all([api.puzzles(), api.dailyPuzzle()]);
        const info = all.find((puzzle) => puzzle.id === id) ?? null;
        if (visit !== this.visit) return info;
        this.info = info;
        this.today = daily.date;
        this.day = daily.puzzle === id ? daily.date : null;
        this.wasRevealed = wasRevealedOn(loadProgress(), id, daily.date);
        if (info !== null) await this.begin();
        return info;
    }

    /** Begin, or begin again, at a new table. */
    async begin(): Promise<void> {
        if (this.info === null) return;
        const visit = this.visit;
        const form = { name: personName(0), lang: settings.lang };
        const { table, seats } = await api.beginPuzzle(this.info.id, form);
        if (visit !== this.visit) return;
        this.leave();
        saveSeats(table.id, seats);
        this.table = table.id;
    }

    /** Remember that the solution was shown. */
    reveal(): void {
        if (this.info === null) return;
        this.wasRevealed = true;
        saveRevealed(this.info.id, this.today);
    }

    /** Leave the table. No player comes back to it, so its seat is forgotten. */
    leave(): void {
        this.visit += 1;
        if (this.table !== null) forgetSeats(this.table);
        this.table = null;
    }
}

export const currentPuzzle = new CurrentPuzzle();
