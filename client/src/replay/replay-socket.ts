/**
 * A line to a table that is no server's but a recording's: it speaks the same messages.
 *
 * So a game that is over is shown by the very parts that show one that is played: a step forward is an update, whose
 * cards fly; a jump is a snapshot.
 */

import type { TableSocket } from "../net/connection.svelte";
import type { EventView, FromClient, FromServer, LogLineView, Snapshot, TableInfo, View } from "../protocol";

/** What there is to see at a step. */
export interface ReplayFrame {
    table: TableInfo;
    view: View;
    seat: number | null;
    /** The whole log up to now. */
    lines: LogLineView[];
}

const OPEN = 1;
const CLOSED = 3;

export class ReplaySocket implements TableSocket {
    readyState: TableSocket["readyState"] = 0;
    onopen: TableSocket["onopen"] = null;
    onmessage: TableSocket["onmessage"] = null;
    onclose: TableSocket["onclose"] = null;
    #version = 0;
    readonly #first: () => ReplayFrame;

    constructor(first: () => ReplayFrame) {
        this.#first = first;
        queueMicrotask(() => {
            if (this.readyState === CLOSED) return;
            this.readyState = OPEN;
            this.onopen?.call(this as unknown as WebSocket, new Event("open"));
        });
    }

    send(text: string): void {
        const said = JSON.parse(text) as FromClient;
        this.#messageText({ type: "ack", id: said.id, number: null });
        if (said.type === "hello") this.jump(this.#first());
    }

    close(): void {
        this.readyState = CLOSED;
    }

    /** Everything as it is somewhere else. */
    jump(frame: ReplayFrame): void {
        this.#version += 1;
        this.#messageText({
            ...sceneOf(frame),
            type: "snapshot",
            stream: "recording",
            seat: frame.seat,
            version: this.#version,
            lines: frame.lines,
        });
    }

    /** What happens next. */
    go(frame: ReplayFrame, news: LogLineView[], changes: EventView[]): void {
        this.#version += 1;
        this.#messageText({
            ...sceneOf(frame),
            type: "update",
            version: this.#version,
            lines: news,
            changes,
        });
    }

    #messageText(message: FromServer): void {
        const event = new MessageEvent("message", { data: JSON.stringify(message) });
        this.onmessage?.call(this as unknown as WebSocket, event);
    }
}

/** What a snapshot and an update have in common: no decision, no chat, no clock. */
function sceneOf({
    table,
    view,
}: ReplayFrame): Omit<Snapshot, "type" | "stream" | "seat" | "version" | "lines"> {
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
