/** How long to wait: before trying a lost line again, and before taking a silent one for lost. */

const FIRST = 300;
const LONGEST = 8_000;

/** Milliseconds before the next try, after so many that failed: doubling, with some chance in it. */
export function reconnectDelay(failures: number, chance = Math.random()): number {
    const pause = Math.min(LONGEST, FIRST * 2 ** failures);
    return pause * (0.75 + chance * 0.25);
}

const PING_EVERY = 20_000;
const ANSWER_WITHIN = 8_000;

/** Asks now and then whether the other side is still there, and says when it is not. */
export class Heartbeat {
    readonly #ask: { ping: () => void; lost: () => void };
    #next: ReturnType<typeof setTimeout> | undefined;
    #limit: ReturnType<typeof setTimeout> | undefined;

    constructor(ask: { ping: () => void; lost: () => void }) {
        this.#ask = ask;
    }

    start(): void {
        this.stop();
        this.#limit = setTimeout(this.#ask.lost, ANSWER_WITHIN);
    }

    stop(): void {
        clearTimeout(this.#next);
        clearTimeout(this.#limit);
    }

    /** Something was heard: all is well for a while. */
    heard(): void {
        this.stop();
        this.#next = setTimeout(() => this.check(), PING_EVERY);
    }

    /** Ask now. */
    check(): void {
        this.stop();
        this.#ask.ping();
        this.#limit = setTimeout(this.#ask.lost, ANSWER_WITHIN);
    }
}
