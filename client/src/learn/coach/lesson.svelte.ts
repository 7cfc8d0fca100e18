/** The lesson in progress: its table, the explanations shown so far, and the advice for each turn. */

import { api } from "../../lib/api";
import { router } from "../../lib/router.svelte";
import { saveSeats, mySeats } from "../../lib/seats";
import { settings } from "../../lib/settings.svelte";
import { readStored, writeStored } from "../../lib/storage";
import { personName } from "../../pages/seat-names";
import type { LessonAdvice } from "../../protocol";

interface Kept {
    table: string;
    /** The explanations that were shown. */
    told: string[];
    /** Whether the game was played to its end. */
    finished: boolean;
}

const KEY = "smashup.lesson";

function readStoredLesson(): Kept | null {
    const kept = readStored<Partial<Kept>>(KEY);
    if (typeof kept?.table !== "string" || !Array.isArray(kept.told)) return null;
    return { table: kept.table, told: kept.told, finished: kept.finished === true };
}

class LessonState {
    #kept = $state.raw<Kept | null>(readStoredLesson());
    /** What to choose, by turn. */
    plan = $state.raw<Record<string, LessonAdvice[]>>({});

    /** The table of a lesson that can be continued. */
    get unfinishedTable(): string | null {
        const kept = this.#kept;
        return kept !== null && !kept.finished && mySeats(kept.table).length > 0 ? kept.table : null;
    }

    get finished(): boolean {
        return this.#kept?.finished ?? false;
    }

    isAt(table: string): boolean {
        return this.#kept?.table === table;
    }

    wasShown(id: string): boolean {
        return this.#kept?.told.includes(id) ?? false;
    }

    get shownCount(): number {
        return this.#kept?.told.length ?? 0;
    }

    /** Create a table for the lesson and go there. */
    async begin(): Promise<void> {
        const { table, seats } = await api.lesson({ name: personName(0), lang: settings.lang });
        saveSeats(table.id, seats);
        this.#keep({ table: table.id, told: [], finished: false });
        router.go(`/table/${table.id}`);
    }

    markShown(...ids: string[]): void {
        const kept = this.#kept;
        const news = ids.filter((id) => !this.wasShown(id));
        if (kept !== null && news.length > 0) this.#keep({ ...kept, told: [...kept.told, ...news] });
    }

    finish(): void {
        if (this.#kept !== null && !this.#kept.finished) this.#keep({ ...this.#kept, finished: true });
    }

    /** Without a plan the coach still helps, by a few plain rules. */
    async readPlan(): Promise<void> {
        try {
            this.plan = (await api.lessonPlan()).advice;
        } catch {
            this.plan = {};
        }
    }

    #keep(kept: Kept): void {
        this.#kept = kept;
        writeStored(KEY, kept);
    }
}

export const lesson = new LessonState();
