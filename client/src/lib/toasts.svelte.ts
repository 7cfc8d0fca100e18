/** Short messages at the edge of the page: something was done, or could not be. */

import { errorMessage } from "./api";
import { renderMessage } from "./i18n.svelte";

export interface Toast {
    id: number;
    kind: "done" | "problem";
    text: string;
}

/** How long a message stays, in milliseconds. People need longer to read why something failed. */
const DURATION_MS = { done: 4000, problem: 9000 };

/** More than this would hide the page. */
const MAX_TOASTS = 3;

class Toasts {
    shown = $state<Toast[]>([]);
    #next = 1;

    /** Something was done: `toasts.show(t("The link is copied."))`. */
    show(text: string): void {
        this.#show("done", text);
    }

    /** Something that players should know. */
    warn(text: string): void {
        this.#show("problem", text);
    }

    /** Something could not be done: whatever was thrown, in a sentence. */
    fail(error: unknown): void {
        this.#show("problem", renderMessage(errorMessage(error)));
    }

    dismiss(id: number): void {
        this.shown = this.shown.filter((toast) => toast.id !== id);
    }

    #show(kind: Toast["kind"], text: string): void {
        const id = this.#next++;
        const others = this.shown.filter((toast) => toast.text !== text);
        this.shown = [...others, { id, kind, text }].slice(-MAX_TOASTS);
        setTimeout(() => {
            this.dismiss(id);
        }, DURATION_MS[kind]);
    }
}

export const toasts = new Toasts();
