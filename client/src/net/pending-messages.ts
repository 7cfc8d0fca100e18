/** What was said and waits for a word of the server. */

import type { Answer, FromServer } from "../protocol";

/** Answers that are not acknowledged yet: they are sent again after every interruption. */
export class AnswerOutbox {
    readonly #waiting = new Map<string, Answer>();

    get size(): number {
        return this.#waiting.size;
    }

    get answers(): Answer[] {
        return [...this.#waiting.values()];
    }

    add(answer: Answer): void {
        this.#waiting.set(answer.id, answer);
    }

    settle(id: string): void {
        this.#waiting.delete(id);
    }
}

/** What was asked or told once: it is not sent again when the line breaks. */
export class PendingRequests {
    readonly #waiting = new Map<string, (answer: FromServer | null) => void>();

    /** What the server says to it; null if the line breaks before. */
    ask(id: string): Promise<FromServer | null> {
        return new Promise((resolve) => {
            this.#waiting.set(id, resolve);
        });
    }

    has(id: string | null): id is string {
        return id !== null && this.#waiting.has(id);
    }

    settle(id: string, answer: FromServer | null): void {
        this.#waiting.get(id)?.(answer);
        this.#waiting.delete(id);
    }

    giveUp(): void {
        for (const id of [...this.#waiting.keys()]) this.settle(id, null);
    }
}
