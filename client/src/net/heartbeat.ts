/** How long to wait: before reconnecting, and before a silent connection counts as lost. */

const FIRST_DELAY_MS = 300;
const MAX_DELAY_MS = 8_000;

/** Milliseconds before the next attempt, by the number of failed ones: doubling, with some randomness. */
export function reconnectDelay(failures: number, chance = Math.random()): number {
    const pause = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
    return pause * (0.75 + chance * 0.25);
}

const PING_INTERVAL_MS = 20_000;
const REPLY_TIMEOUT_MS = 8_000;

/** Pings the server at intervals, and reports when no reply comes. */
export class Heartbeat {
    readonly #callbacks: { ping: () => void; lost: () => void };
    #next: ReturnType<typeof setTimeout> | undefined;
    #limit: ReturnType<typeof setTimeout> | undefined;

    constructor(callbacks: { ping: () => void; lost: () => void }) {
        this.#callbacks = callbacks;
    }

    start(): void {
        this.stop();
        this.#limit = setTimeout(this.#callbacks.lost, REPLY_TIMEOUT_MS);
    }

    stop(): void {
        clearTimeout(this.#next);
        clearTimeout(this.#limit);
    }

    /** A message came: the connection is alive. */
    noteMessage(): void {
        this.stop();
        this.#next = setTimeout(() => this.check(), PING_INTERVAL_MS);
    }

    /** Ask now. */
    check(): void {
        this.stop();
        this.#callbacks.ping();
        this.#limit = setTimeout(this.#callbacks.lost, REPLY_TIMEOUT_MS);
    }
}
