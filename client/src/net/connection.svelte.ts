/**
 * The line to a table: what a seat (or a spectator) sees, always as new as the network allows.
 *
 * Updates tell what has changed, and are numbered. One that does not follow the last means that something was lost,
 * and the line is taken up again from the last version known; one whose checksum does not match means that the view
 * is not the server's, and a snapshot is asked for. Answers are kept until the server has acknowledged them and
 * sent again after every interruption: it counts the same id once.
 */

import {
    PROTOCOL,
    type Answer,
    type Chat,
    type DecisionView,
    type FromClient,
    type FromServer,
    type Hint,
    type LogLineView,
    type Preview,
    type Refusal,
    type Sentence,
    type Snapshot,
    type ChatMessage,
    type TableInfo,
    type Update,
    type View,
    type SeatPreferences,
} from "../protocol";
import { lazyText } from "../lib/i18n.svelte";
import { completeUpdate, type Frame } from "./frames";
import { AnswerOutbox, PendingRequests } from "./pending-messages";
import { Heartbeat, reconnectDelay } from "./heartbeat";

export type { Frame } from "./frames";

export type Status = "connecting" | "open" | "waiting" | "refused" | "closed";

type Listener = (frame: Frame) => void;

/** What a line needs of a socket. A recording speaks through one of its own. */
export type TableSocket = Pick<
    WebSocket,
    "readyState" | "send" | "close" | "onopen" | "onmessage" | "onclose"
>;
export type OpenSocket = (address: string) => TableSocket;

export class TableConnection {
    /** "waiting": the line is down and will be tried again; "refused": the server does not want us here. */
    status = $state<Status>("connecting");
    table = $state.raw<TableInfo | null>(null);
    view = $state.raw<View | null>(null);
    lines = $state.raw<LogLineView[]>([]);
    seat = $state<number | null>(null);
    /** Which of the seat's decisions is next. */
    number = $state<number | null>(null);
    wishes = $state.raw<SeatPreferences | null>(null);
    /** The latest frame: clocks, win probabilities and undo requests are those it has. */
    latest = $state.raw<Frame | null>(null);
    chat = $state.raw<ChatMessage[]>([]);
    /** Seconds that the server's clock is ahead of this one. */
    ahead = $state(0);
    /** Whether the server speaks another version of the messages, so that the page has to be reloaded. */
    isOutdated = $state(false);
    /** Why the last answer, or the hello, was not obeyed. */
    problem = $state.raw<Sentence | null>(null);
    /** Answers that are under way. */
    sending = $state(0);

    readonly #tableId: string;
    readonly #secret: string | null;
    readonly #outbox = new AnswerOutbox();
    readonly #questions = new PendingRequests();
    readonly #heartbeat = new Heartbeat({ ping: () => this.#ping(), lost: () => this.#restart() });
    #listeners: Listener[] = [];
    readonly #openSocket: OpenSocket;
    #socket: TableSocket | null = null;
    #stream: string | null = null;
    #version = 0;
    #failures = 0;
    #retry: ReturnType<typeof setTimeout> | undefined;
    #hello = "";
    #resync = "";

    constructor(
        tableId: string,
        secret: string | null,
        openSocket: OpenSocket = (address) => new WebSocket(address),
    ) {
        this.#tableId = tableId;
        this.#secret = secret;
        this.#openSocket = openSocket;
        addEventListener("online", this.#hurry);
        addEventListener("offline", this.#drop);
        document.addEventListener("visibilitychange", this.#hurry);
        this.#connect();
    }

    /** Hear of every frame, in order, as it comes; the returned function ends it. */
    listen(listener: Listener): () => void {
        this.#listeners.push(listener);
        return () => {
            this.#listeners = this.#listeners.filter((other) => other !== listener);
        };
    }

    /** Answer the decision that is on the table. Several picks of one choice go as one; `done`: there are no more. */
    answer(options: number[], done = false): void {
        if (this.number === null || options.length === 0) return;
        const answer: Answer = { type: "answer", id: newId(), number: this.number, options };
        if (done) answer.done = true;
        this.problem = null;
        this.#outbox.add(answer);
        this.sending = this.#outbox.size;
        this.#send(answer);
    }

    /** What an option would bring about; null if that is not known. Nothing is chosen by asking. */
    preview(option: number): Promise<Preview | null> {
        return this.#asking((id, number) => ({ type: "preview", id, number, option }), isPreview);
    }

    /** What a strong bot would choose; null if it is not known. */
    hint(): Promise<Hint | null> {
        return this.#asking((id, number) => ({ type: "hint", id, number }), isHint);
    }

    /** Take the last choice back, or ask the others for it. The answer says why not, if so. */
    undo(): Promise<Sentence | null> {
        return this.#telling((id) => ({ type: "undo", id, number: this.number ?? 0 }));
    }

    /** Accept or refuse an undo request; the player who asked withdraws it. */
    agree(wish: number, yes: boolean): Promise<Sentence | null> {
        return this.#telling((id) => ({ type: "agree", id, wish, yes }));
    }

    /** Say something to the table. */
    sendChat(what: Pick<Chat, "text" | "phrase">): Promise<Sentence | null> {
        return this.#telling((id) => ({ type: "chat", id, ...what }));
    }

    async #asking<T extends FromServer>(
        message: (id: string, number: number) => FromClient,
        wanted: (answer: FromServer) => answer is T,
    ): Promise<T | null> {
        if (this.number === null || this.status !== "open") return null;
        const id = newId();
        const heard = this.#questions.add(id);
        this.#send(message(id, this.number));
        const answer = await heard;
        return answer !== null && wanted(answer) ? answer : null;
    }

    async #telling(message: (id: string) => FromClient): Promise<Sentence | null> {
        if (this.status !== "open") return NO_CONNECTION;
        const id = newId();
        const heard = this.#questions.add(id);
        this.#send(message(id));
        const answer = await heard;
        if (answer === null) return NO_CONNECTION;
        return answer.type === "refused" ? answer.reason : null;
    }

    /** Hang up for good. */
    close(): void {
        removeEventListener("online", this.#hurry);
        removeEventListener("offline", this.#drop);
        document.removeEventListener("visibilitychange", this.#hurry);
        this.status = "closed";
        this.#closeSocket();
        this.#listeners = [];
    }

    // --- the line --------------------------------------------------------------------------

    #connect(): void {
        const socket = this.#openSocket(addressOf(this.#tableId));
        this.#socket = socket;
        this.status = "connecting";
        socket.onopen = () => this.#greet();
        socket.onmessage = (event: MessageEvent<string>) => {
            if (socket === this.#socket) this.#handleMessage(JSON.parse(event.data) as FromServer);
        };
        socket.onclose = () => {
            if (socket === this.#socket) this.#handleDisconnect();
        };
    }

    #greet(): void {
        this.#hello = newId();
        this.#send({
            type: "hello",
            id: this.#hello,
            protocol: PROTOCOL,
            secret: this.#secret,
            ...(this.#stream === null ? {} : { stream: this.#stream, version: this.#version }),
        });
        this.#heartbeat.start();
    }

    #send(message: FromClient): void {
        const open = this.#socket?.readyState === WebSocket.OPEN;
        if (open && (this.status === "open" || message.type === "hello")) {
            this.#socket?.send(JSON.stringify(message));
        }
    }

    #ping(): void {
        this.#send({ type: "ping", id: newId() });
    }

    #handleDisconnect(): void {
        this.#closeSocket();
        if (this.status === "refused" || this.status === "closed") return;
        this.status = "waiting";
        clearTimeout(this.#retry);
        // Without a network there is little hope, but the server may be on this very machine.
        const patience = navigator.onLine ? 0 : 3;
        this.#retry = setTimeout(() => this.#connect(), reconnectDelay(this.#failures + patience));
        this.#failures += 1;
    }

    #closeSocket(): void {
        this.#heartbeat.stop();
        clearTimeout(this.#retry);
        this.#questions.cancelAll();
        const socket = this.#socket;
        this.#socket = null;
        socket?.close();
    }

    /** Something was missed: take the line up again from the last version known, at once. */
    #restart(): void {
        if (this.status === "refused" || this.status === "closed") return;
        this.#closeSocket();
        this.#connect();
    }

    /** The network is back, or the page is visible again: reconnect at once. */
    #hurry = (): void => {
        if (document.visibilityState === "hidden") return;
        if (this.status === "waiting") this.#restart();
        else if (this.status === "open") this.#heartbeat.check();
    };

    #drop = (): void => {
        if (this.status === "open") this.#handleDisconnect();
    };

    // --- what the server says ----------------------------------------------------------------

    #handleMessage(message: FromServer): void {
        this.#heartbeat.noteMessage();
        if (message.type === "snapshot") this.#takeSnapshot(message);
        else if (message.type === "update") this.#takeUpdate(message);
        else if (this.#questions.has(message.id)) this.#questions.resolve(message.id, message);
        else if (message.type === "refused") this.#handleRefusal(message);
        else if (message.id === this.#hello) this.#welcome();
        else this.#acknowledge(message.id);
    }

    #welcome(): void {
        this.status = "open";
        this.#failures = 0;
        for (const answer of this.#outbox.answers) this.#send(answer);
    }

    #takeSnapshot(snapshot: Snapshot): void {
        this.#stream = snapshot.stream;
        this.seat = snapshot.seat;
        this.lines = snapshot.lines;
        this.chat = [];
        this.ahead = -Infinity;
        this.#take(snapshot);
    }

    #takeUpdate(update: Update): void {
        // Without a stream a snapshot is on its way.
        if (this.#stream === null || this.latest === null || update.version <= this.#version) return;
        if (update.version !== this.#version + 1) {
            this.#restart();
            return;
        }
        const step = completeUpdate(this.latest, update);
        if (step === null) {
            this.#askForSnapshot();
            return;
        }
        this.lines = mergeNumbered(this.lines, step.lines, step.rewound);
        this.#take(step);
    }

    #askForSnapshot(): void {
        this.#stream = null;
        this.#resync = newId();
        this.#send({ type: "resync", id: this.#resync });
    }

    #take(frame: Frame): void {
        this.#version = frame.version;
        this.table = frame.table;
        this.view = frame.view;
        this.number = frame.number;
        this.wishes = frame.wishes;
        this.latest = frame;
        this.chat = mergeNumbered(this.chat, frame.chat);
        // What was longer on its way seems to come from earlier: the quickest message is the truest.
        this.ahead = Math.max(this.ahead, frame.now - Date.now() / 1000);
        for (const listener of this.#listeners) listener(frame);
    }

    #handleRefusal(refusal: Refusal): void {
        if (refusal.id === this.#resync) {
            this.#handleDisconnect(); // the next hello gets a snapshot
            return;
        }
        this.problem = refusal.reason;
        if (refusal.id === this.#hello) {
            this.isOutdated = refusal.outdated;
            this.status = "refused";
            return;
        }
        if (refusal.id !== null) this.#acknowledge(refusal.id);
        if (refusal.number !== null) this.number = refusal.number;
        if (refusal.decision !== null) this.#showDecision(refusal.decision);
    }

    #showDecision(decision: DecisionView): void {
        if (this.view !== null) this.view = { ...this.view, decision };
    }

    #acknowledge(id: string): void {
        this.#outbox.remove(id);
        this.sending = this.#outbox.size;
    }
}

const NO_CONNECTION = lazyText("No connection right now. Try again in a moment.");

const isPreview = (answer: FromServer): answer is Preview => answer.type === "preview";
const isHint = (answer: FromServer): answer is Hint => answer.type === "hint";

/** Numbered things in order, each once. What was taken back, from a number on, is replaced. */
export function mergeNumbered<T extends { number: number }>(
    known: T[],
    news: T[],
    rewound: number | null = null,
): T[] {
    const kept = rewound === null ? known : known.filter(({ number }) => number < rewound);
    const last = kept.at(-1)?.number ?? -1;
    const fresh = news.filter(({ number }) => number > last);
    return fresh.length === 0 && kept.length === known.length ? known : [...kept, ...fresh];
}

function addressOf(tableId: string): string {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return `${scheme}://${location.host}/api/tables/${encodeURIComponent(tableId)}/socket`;
}

function newId(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
