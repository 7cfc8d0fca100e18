/** The worker that keeps the client on this device, and whether a newer client is to be had. */

/** At most this often a page that becomes visible checks for an update, in milliseconds. */
const CHECK_INTERVAL_MS = 30 * 60_000;

class Renewal {
    /** A newer client is there: reloading shows it. */
    ready = $state(false);
    #looked = Date.now();

    /** Install the worker once the page has nothing better to do. */
    begin(): void {
        addEventListener("vite:preloadError", () => {
            // A part of this build may be gone from the server, because there is a newer build.
            void this.look();
        });
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "visible" && Date.now() - this.#looked > CHECK_INTERVAL_MS)
                void this.look();
        });
        if (!("serviceWorker" in navigator)) return;
        const controlled = navigator.serviceWorker.controller !== null;
        navigator.serviceWorker.addEventListener("controllerchange", () => {
            if (controlled) void this.look();
        });
        const install = (): void => {
            navigator.serviceWorker.register("/worker.js").catch(() => {
                // Private windows have none. Everything works without it, only not offline.
            });
        };
        const idle = (): void => {
            setTimeout(install, 1500);
        };
        if (document.readyState === "complete") idle();
        else addEventListener("load", idle, { once: true });
    }

    /** Is the page that the server has now made of other files than this one? */
    async look(): Promise<void> {
        this.#looked = Date.now();
        const program = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
        if (program === null) return;
        try {
            const page = await fetch("/", { cache: "no-cache" });
            const text = page.ok ? await page.text() : "";
            if (text.includes("<script") && !text.includes(new URL(program.src).pathname)) this.ready = true;
        } catch {
            // Offline: the next time will do.
        }
    }
}

export const appUpdate = new Renewal();
