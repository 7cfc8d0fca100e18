import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { TableConnection, type Frame } from "../src/net/connection.svelte";
import { reconnectDelay } from "../src/net/heartbeat";
import { viewChecksum } from "../src/net/patch";
import {
    PROTOCOL,
    type FromClient,
    type LogLineView,
    type Snapshot,
    type ChatMessage,
    type TableInfo,
    type Update,
    type View,
} from "../src/protocol";

type Scene = Omit<Snapshot, "type" | "stream" | "seat" | "version" | "lines">;

class FakeSocket {
    static OPEN = 1;
    static all: FakeSocket[] = [];
    readyState = 0;
    sent: FromClient[] = [];
    onopen: (() => void) | null = null;
    onclose: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    constructor(readonly url: string) {
        FakeSocket.all.push(this);
    }
    send(text: string) {
        this.sent.push(JSON.parse(text) as FromClient);
    }
    close() {
        this.readyState = 3;
        this.onclose?.();
    }
    open() {
        this.readyState = 1;
        this.onopen?.();
    }
    say(message: unknown) {
        this.onmessage?.({ data: JSON.stringify(message) });
    }
    welcome() {
        this.open();
        const hello = this.sent.find((m) => m.type === "hello");
        this.say({ type: "ack", id: hello?.id, number: null });
    }
    answers() {
        return this.sent.filter((m) => m.type === "answer");
    }
}

const table = { id: "t1", state: "playing", seats: [] } as unknown as TableInfo;
const line = (number: number): LogLineView => ({
    number,
    event: "x",
    message: { text: "x", args: {}, english: "x" },
});

const view = { decision: { player: 0 } } as unknown as View;
const scene: Scene = {
    table,
    view,
    number: 0,
    wishes: { lang: "en", windows: "ask", cards: [] },
    clock: null,
    undo: null,
    can_undo: false,
    hints: false,
    chances: null,
    rewound: null,
    chat: [],
    now: 0,
};

function snapshot(version: number, lines: LogLineView[] = [], more: Partial<Scene> = {}): Snapshot {
    return { ...scene, type: "snapshot", stream: "s1", seat: 0, version, lines, ...more };
}

function update(version: number, lines: LogLineView[] = [], number = 0, more: Partial<Scene> = {}): Update {
    return { ...scene, type: "update", version, lines, number, changes: [], ...more };
}

function last(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
}

describe("the line to a table", () => {
    let connection: TableConnection;
    let frames: Frame[];

    beforeEach(() => {
        vi.useFakeTimers();
        FakeSocket.all = [];
        vi.stubGlobal("WebSocket", FakeSocket);
        connection = new TableConnection("t1", "secret");
        frames = [];
        connection.listen((frame) => frames.push(frame));
    });
    afterEach(() => {
        connection.close();
        vi.unstubAllGlobals();
        vi.useRealTimers();
    });

    it("says hello with its secret and takes the snapshot", () => {
        last().welcome();
        expect(last().url).toContain("/api/tables/t1/socket");
        expect(last().sent[0]).toMatchObject({ type: "hello", secret: "secret" });
        last().say(snapshot(5, [line(0), line(1)]));
        expect(connection.status).toBe("open");
        expect(connection.seat).toBe(0);
        expect(connection.lines.map((l) => l.number)).toEqual([0, 1]);
    });

    it("takes updates in order, once each, and lines without duplicates", () => {
        last().welcome();
        last().say(snapshot(5, [line(0)]));
        last().say(update(6, [line(0), line(1)]));
        last().say(update(6, [line(1)]));
        last().say(update(7, [line(2)]));
        expect(connection.lines.map((l) => l.number)).toEqual([0, 1, 2]);
        expect(frames.map((f) => f.version)).toEqual([5, 6, 7]);
    });

    it("takes the line up again from the last version when one is missing", () => {
        last().welcome();
        last().say(snapshot(5));
        last().say(update(7));
        expect(FakeSocket.all).toHaveLength(2);
        expect(frames.map((f) => f.version)).toEqual([5]);
        last().welcome();
        expect(last().sent[0]).toMatchObject({ type: "hello", stream: "s1", version: 5 });
        last().say(update(6));
        last().say(update(7));
        expect(frames.map((f) => f.version)).toEqual([5, 6, 7]);
    });

    it("asks for a snapshot when the view does not match, and goes on from that", () => {
        const bare = { turn: 1, players: [], bases: [], limbo: [], base_discard: [], base_deck_known: [] };
        const at = (turn: number) => ({ ...bare, turn, decision: null }) as unknown as View;
        const next = (version: number, turn: number, checksum: number) => {
            const contents = {
                type: "update",
                version,
                lines: [],
                chat: [],
                changes: [],
                rewound: null,
                now: 0,
            };
            last().say({ ...contents, patch: { turn }, checksum });
        };
        const resyncs = () => last().sent.filter(({ type }) => type === "resync");
        last().welcome();
        last().say(snapshot(5, [], { view: at(1) }));
        next(6, 2, viewChecksum(at(2)));
        expect(resyncs()).toHaveLength(0);
        next(7, 3, 12345);
        next(8, 4, viewChecksum(at(4)));
        expect(resyncs()).toHaveLength(1);
        expect(connection.view?.turn).toBe(2);
        last().say({ type: "ack", id: resyncs()[0]?.id, number: null });
        last().say(snapshot(8, [], { view: at(4) }));
        next(9, 5, viewChecksum(at(5)));
        expect(connection.view?.turn).toBe(5);
        expect(frames.map((f) => f.version)).toEqual([5, 6, 8, 9]);
        expect(connection.problem).toBeNull();
        expect(FakeSocket.all).toHaveLength(1);
    });

    it("calls again for a snapshot if it cannot ask for one", () => {
        const refusal = { type: "refused", reason: { text: "No.", args: {}, english: "No." }, stale: false };
        last().welcome();
        last().say(snapshot(5));
        last().say({ ...update(6), view: undefined, patch: { limbo: [4] } });
        last().say({ ...refusal, id: last().sent.at(-1)?.id, number: null, decision: null, outdated: false });
        expect(connection.status).toBe("waiting");
        vi.advanceTimersByTime(400);
        last().welcome();
        expect(last().sent[0]).not.toHaveProperty("stream");
        last().say(snapshot(6));
        expect(connection.status).toBe("open");
        expect(connection.problem).toBeNull();
    });

    it("knows that the page is outdated", () => {
        last().open();
        expect(last().sent[0]).toMatchObject({ type: "hello", protocol: PROTOCOL });
        const reason = { text: "Reload.", args: {}, english: "Reload." };
        const refusal = {
            type: "refused",
            reason,
            stale: false,
            number: null,
            decision: null,
            outdated: true,
        };
        last().say({ ...refusal, id: last().sent[0]?.id });
        last().close();
        vi.advanceTimersByTime(60_000);
        expect(connection.status).toBe("refused");
        expect(connection.isOutdated).toBe(true);
    });

    it("keeps an answer until it is acknowledged and sends it again under the same id", () => {
        last().welcome();
        last().say(snapshot(5));
        connection.answer([2]);
        const [first] = last().answers();
        expect(first).toMatchObject({ number: 0, options: [2] });
        expect(connection.sending).toBe(1);
        last().close();
        expect(connection.status).toBe("waiting");
        vi.advanceTimersByTime(400);
        last().welcome();
        expect(last().answers()).toEqual([first]);
        last().say({ type: "ack", id: first?.id, number: 1 });
        expect(connection.sending).toBe(0);
        last().close();
        vi.advanceTimersByTime(400);
        last().welcome();
        expect(last().answers()).toEqual([]);
    });

    it("keeps an answer that was given while the line was down", () => {
        last().welcome();
        last().say(snapshot(5));
        last().close();
        connection.answer([1]);
        vi.advanceTimersByTime(400);
        last().welcome();
        expect(last().answers()).toMatchObject([{ options: [1] }]);
    });

    it("shows why an answer was refused, and the decision that is on the table", () => {
        last().welcome();
        last().say(snapshot(5));
        connection.answer([2]);
        const id = last().answers()[0]?.id;
        const reason = { text: "No.", args: {}, english: "No." };
        last().say({ type: "refused", id, reason, stale: true, number: 4, decision: { player: 1 } });
        expect(connection.sending).toBe(0);
        expect(connection.number).toBe(4);
        expect(connection.problem?.english).toBe("No.");
        expect(connection.view?.decision).toEqual({ player: 1 });
    });

    it("does not come back where it is not wanted", () => {
        last().open();
        const reason = { text: "There is no such table.", args: {}, english: "There is no such table." };
        const refusal = { type: "refused", reason, stale: false, number: null, decision: null };
        last().say({ ...refusal, id: last().sent[0]?.id });
        last().close();
        vi.advanceTimersByTime(60_000);
        expect(connection.status).toBe("refused");
        expect(FakeSocket.all).toHaveLength(1);
    });

    it("waits longer and longer, and not at all once the network is back", () => {
        last().close();
        vi.advanceTimersByTime(300);
        last().close();
        vi.advanceTimersByTime(300);
        expect(FakeSocket.all).toHaveLength(2);
        dispatchEvent(new Event("online"));
        expect(FakeSocket.all).toHaveLength(3);
        expect(reconnectDelay(0, 1)).toBe(300);
        expect(reconnectDelay(20, 1)).toBe(8000);
    });

    it("takes a line that does not answer a ping for lost", () => {
        last().welcome();
        last().say(snapshot(5));
        vi.advanceTimersByTime(20_000);
        expect(last().sent.at(-1)?.type).toBe("ping");
        vi.advanceTimersByTime(8_000);
        expect(FakeSocket.all).toHaveLength(2);
    });

    it("drops the lines of what was taken back", () => {
        last().welcome();
        last().say(snapshot(5, [line(0), line(1), line(2)]));
        last().say(update(6, [line(1)], 0, { rewound: 1 }));
        expect(connection.lines.map((l) => l.number)).toEqual([0, 1]);
        last().say(update(7, [], 0, { rewound: 0 }));
        expect(connection.lines).toEqual([]);
    });

    it("collects what is said, each line once", () => {
        const spoken = (number: number): ChatMessage => ({ number, seat: 1, at: 0, text: "Hi", phrase: "" });
        last().welcome();
        last().say(snapshot(5, [], { chat: [spoken(3)] }));
        last().say(update(6, [], 0, { chat: [spoken(3), spoken(4)] }));
        expect(connection.chat.map(({ number }) => number)).toEqual([3, 4]);
        last().say(snapshot(9, [], { chat: [spoken(7)] }));
        expect(connection.chat.map(({ number }) => number)).toEqual([7]);
    });

    it("knows the server's time as well as the quickest message tells it", () => {
        vi.setSystemTime(1_000_000);
        last().welcome();
        last().say(snapshot(5, [], { now: 1004 }));
        last().say(update(6, [], 0, { now: 1003 }));
        expect(connection.ahead).toBe(4);
    });

    it("hears why something that was told is refused, and shows nothing of it as a problem", async () => {
        last().welcome();
        last().say(snapshot(5));
        const undone = connection.undo();
        const sent = last().sent.at(-1);
        expect(sent).toMatchObject({ type: "undo", number: 0 });
        const reason = { text: "No.", args: {}, english: "No." };
        const refusal = { type: "refused", reason, stale: false, number: null, decision: null };
        last().say({ ...refusal, id: sent?.id });
        expect((await undone)?.english).toBe("No.");
        expect(connection.problem).toBeNull();
        const said = connection.sendChat({ phrase: "hello" });
        last().say({ type: "ack", id: last().sent.at(-1)?.id, number: null });
        expect(await said).toBeNull();
        const lost = connection.agree(3, true);
        last().close();
        expect((await lost)?.english).toContain("connection");
    });

    it("hears what a strong bot would choose", async () => {
        last().welcome();
        last().say(snapshot(5));
        const hint = connection.hint();
        const id = last().sent.at(-1)?.id;
        last().say({ type: "hint", id, number: 0, option: 2, opinions: [] });
        expect((await hint)?.option).toBe(2);
    });
});
