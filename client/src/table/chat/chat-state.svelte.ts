/** What people say at the table: who is not to be heard, what was read, and what was just said. */

import { SvelteSet } from "svelte/reactivity";

import { sounds } from "../../lib/sound";
import { readStored, writeStored } from "../../lib/storage";
import type { ChatMessage } from "../../protocol";
import { chatText } from "./phrases";

interface Table {
    id: string;
    muted: number[];
    /** The number of the last line that was read. */
    read: number;
}

const KEY = "smashup.talk";
const MAX_TABLES = 60;

/** Milliseconds for which what was said floats beside who said it. */
const BUBBLE_MS = 6000;

function readStoredTables(): Table[] {
    const found = readStored<unknown>(KEY);
    if (!Array.isArray(found)) return [];
    return (found as Partial<Table>[]).flatMap(({ id, muted, read: last }) =>
        typeof id === "string" && Array.isArray(muted) && typeof last === "number"
            ? [{ id, muted, read: last }]
            : [],
    );
}

export class ChatState {
    readonly #id: string;
    readonly #lines: () => ChatMessage[];
    readonly #seat: () => number | null;
    readonly #muted = new SvelteSet<number>();
    #read = $state(-1);
    /** The last line when the table was opened: older ones are not news. */
    #heard = -1;
    #started = false;
    /** What was just said, by seat. */
    #fresh = $state.raw<ChatMessage[]>([]);

    constructor(id: string, lines: () => ChatMessage[], seat: () => number | null) {
        this.#id = id;
        this.#lines = lines;
        this.#seat = seat;
        const known = readStoredTables().find((table) => table.id === id);
        for (const one of known?.muted ?? []) this.#muted.add(one);
        this.#read = known?.read ?? -1;
    }

    /** What is to be seen: nothing that was deleted, nothing of who is muted. */
    lines = $derived.by(() =>
        this.#lines().filter((line) => chatText(line) !== "" && !this.#muted.has(line.seat)),
    );

    unread = $derived.by(
        () => this.lines.filter(({ number, seat }) => number > this.#read && seat !== this.#seat()).length,
    );

    isMuted(seat: number): boolean {
        return this.#muted.has(seat);
    }

    mute(seat: number, muted: boolean): void {
        if (muted) this.#muted.add(seat);
        else this.#muted.delete(seat);
        this.#fresh = this.#fresh.filter((line) => line.seat !== seat);
        this.#keep();
    }

    /** Everything up to now has been read. */
    readAll(): void {
        const last = this.#lines().at(-1)?.number ?? -1;
        if (last <= this.#read) return;
        this.#read = last;
        this.#keep();
    }

    /** The latest chat line, shown beside the player's name. */
    bubbleOf(seat: number): ChatMessage | null {
        return this.#fresh.findLast((line) => line.seat === seat) ?? null;
    }

    /** The last thing that was just said, for screen readers. */
    get news(): ChatMessage | null {
        return this.#fresh.at(-1) ?? null;
    }

    /** Call when lines may have come: new ones play a sound and show as bubbles for a while. */
    update(): void {
        const all = this.#lines();
        const news = this.#started ? all.filter(({ number }) => number > this.#heard) : [];
        this.#started = true;
        this.#heard = Math.max(this.#heard, all.at(-1)?.number ?? -1);
        const said = news.filter((line) => !this.#muted.has(line.seat) && chatText(line) !== "");
        if (said.length === 0) return;
        if (said.some(({ seat }) => seat !== this.#seat())) sounds.play("chat");
        this.#fresh = [...this.#fresh, ...said];
        setTimeout(() => {
            this.#fresh = this.#fresh.filter((line) => !said.includes(line));
        }, BUBBLE_MS);
    }

    #keep(): void {
        const others = readStoredTables().filter(({ id }) => id !== this.#id);
        const mine: Table = { id: this.#id, muted: [...this.#muted], read: this.#read };
        writeStored(KEY, [mine, ...others].slice(0, MAX_TABLES));
    }
}
