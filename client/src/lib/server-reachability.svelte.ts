/** Whether the server can be reached: the device says so, or a request has found out. */

/** How often a server that was out of reach is tried again, in milliseconds. */
const EVERY = 3000;

class Network {
    down = $state(typeof navigator !== "undefined" && !navigator.onLine);
    #timer: ReturnType<typeof setInterval> | undefined;

    constructor() {
        addEventListener("offline", () => {
            this.lost();
        });
        addEventListener("online", () => {
            void this.#try();
        });
        if (this.down) this.lost();
        // A client that the worker had kept starts without the server: see whether it is there.
        else if ("serviceWorker" in navigator && navigator.serviceWorker.controller) void this.#try();
    }

    /** A request got no answer at all. */
    lost(): void {
        this.down = true;
        this.#timer ??= setInterval(() => {
            if (document.visibilityState === "visible") void this.#try();
        }, EVERY);
    }

    /** An answer came, perhaps one that the browser had kept: who was out of reach is asked anew. */
    heard(): void {
        if (this.down) void this.#try();
    }

    async #try(): Promise<void> {
        try {
            await fetch("/api/meta", { method: "GET", cache: "no-store" });
            this.down = false;
            clearInterval(this.#timer);
            this.#timer = undefined;
        } catch {
            this.lost();
        }
    }
}

export const serverReachability = new Network();
