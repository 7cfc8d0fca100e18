/** Messages that wait for the server's reply. */

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

    remove(id: string): void {
        this.#waiting.delete(id);
    }
}

/** Requests that are not sent again after an interruption. */
export class PendingRequests {
    readonly #waiting = new Map<string, (answer: FromServer | null) => void>();

    /** The server's reply; null if the connection breaks before. */
    add(id: string): Promise<FromServer | null> {
        return new Promise((resolve) => {
            this.#waiting.set(id, resolve);
        });
    }

    has(id: string | null): id is string {
        return id !== null && this.#waiting.has(id);
    }

    resolve(id: string, answer: FromServer | null): void {
        this.#waiting.get(id)?.(answer);
        this.#waiting.delete(id);
    }

    cancelAll(): void {
        for (const id of [...this.#waiting.keys()]) this.resolve(id, null);
    }
}
