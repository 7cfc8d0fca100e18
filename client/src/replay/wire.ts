/**
 * A line to a table that is no server's but a recording's: it speaks the same messages.
 *
 * So a game that is over is shown by the very parts that show one that is played: a step forward is an update, whose
 * cards fly; a jump is a snapshot.
 */

import type { Wire } from "../net/connection.svelte";
import type { EventView, FromClient, FromServer, LogLineView, Snapshot, TableInfo, View } from "../protocol";

/** What there is to see at a step. */
export interface Sight {
    table: TableInfo;
    view: View;
    seat: number | null;
    /** The whole log up to now. */
    lines: LogLineView[];
}

const OPEN = 1;
const CLOSED = 3;

export class RecordedWire implements Wire {
    readyState: Wire["readyState"] = 0;
    onopen: Wire["onopen"] = null;
    onmessage: Wire["onmessage"] = null;
    onclose: Wire["onclose"] = null;
    #version = 0;
    readonly #first: () => Sight;

    constructor(first: () => Sight) {
        this.#first = first;
        queueMicrotask(() => {
            if (this.readyState === CLOSED) return;
            this.readyState = OPEN;
            this.onopen?.call(this as unknown as WebSocket, new Event("open"));
        });
    }

    send(text: string): void {
        const said = JSON.parse(text) as FromClient;
        this.#say({ type: "ack", id: said.id, number: null });
        if (said.type === "hello") this.jump(this.#first());
    }

    close(): void {
        this.readyState = CLOSED;
    }

    /** Everything as it is somewhere else. */
    jump(sight: Sight): void {
        this.#version += 1;
        this.#say({
            ...sceneOf(sight),
            type: "snapshot",
            stream: "recording",
            seat: sight.seat,
            version: this.#version,
            lines: sight.lines,
        });
    }

    /** What happens next. */
    go(sight: Sight, news: LogLineView[], changes: EventView[]): void {
        this.#version += 1;
        this.#say({
            ...sceneOf(sight),
            type: "update",
            version: this.#version,
            lines: news,
            changes,
        });
    }

    #say(message: FromServer): void {
        const event = new MessageEvent("message", { data: JSON.stringify(message) });
        this.onmessage?.call(this as unknown as WebSocket, event);
    }
}

/** What a snapshot and an update have in common: nobody decides, nobody talks, no clock runs. */
function sceneOf({ table, view }: Sight): Omit<Snapshot, "type" | "stream" | "seat" | "version" | "lines"> {
    return {
        table,
        view,
        number: null,
        wishes: null,
        clock: null,
        undo: null,
        can_undo: false,
        hints: false,
        chances: null,
        rewound: null,
        chat: [],
        now: Date.now() / 1000,
    };
}
