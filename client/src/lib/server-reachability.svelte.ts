/** Whether the server can be reached: the device says so, or a request has found out. */

/** How often a server that was out of reach is tried again, in milliseconds. */
const RETRY_INTERVAL_MS = 3000;

class Network {
    down = $state(typeof navigator !== "undefined" && !navigator.onLine);
    #timer: ReturnType<typeof setInterval> | undefined;

    constructor() {
        addEventListener("offline", () => {
            this.noteFailure();
        });
        addEventListener("online", () => {
            void this.#try();
        });
        if (this.down) this.noteFailure();
        // A client that the worker had kept starts without the server: see whether it is there.
        else if ("serviceWorker" in navigator && navigator.serviceWorker.controller) void this.#try();
    }

    /** A request got no answer at all. */
    noteFailure(): void {
        this.down = true;
        this.#timer ??= setInterval(() => {
            if (document.visibilityState === "visible") void this.#try();
        }, RETRY_INTERVAL_MS);
    }

    /** A response came, perhaps from the cache: check again whether the server can be reached. */
    noteResponse(): void {
        if (this.down) void this.#try();
    }

    async #try(): Promise<void> {
        try {
            await fetch("/api/meta", { method: "GET", cache: "no-store" });
            this.down = false;
            clearInterval(this.#timer);
            this.#timer = undefined;
        } catch {
            this.noteFailure();
        }
    }
}

export const serverReachability = new Network();
