/**
 * The worker behind an installed client: it starts quickly, and without a network it says so in its own words.
 *
 * Only files of the client are kept, under the name of their build. Pages are asked for first, so that a
 * new build is there with the next visit; responses about tables and cards are never cached.
 */

import { cachingRule } from "./caching";

/** The little of a worker's surroundings that is used here: types of the page know nothing of it. */
interface Worker {
    location: Location;
    registration: ServiceWorkerRegistration;
    clients: {
        claim: () => Promise<void>;
        matchAll: (how: { type: "window" }) => Promise<Window[]>;
        openWindow: (path: string) => Promise<unknown>;
    };
    skipWaiting: () => Promise<void>;
    addEventListener: <K extends keyof Heard>(kind: K, listener: (event: Heard[K]) => void) => void;
}

interface Window {
    url: string;
    focus: () => Promise<unknown>;
}

interface Lasting extends Event {
    waitUntil: (work: Promise<unknown>) => void;
}

interface Heard {
    install: Lasting;
    activate: Lasting;
    fetch: Event & { request: Request; respondWith: (answer: Promise<Response>) => void };
    notificationclick: Lasting & { notification: Notification & { data?: { path?: string } } };
}

/** Written by the build: its name, and the files without which nothing starts. */
declare const __SHELL__: { build: string; files: string[] };

const worker = self as unknown as Worker;
const { build, files } = __SHELL__;
const PAGE = "/";
/** Milliseconds after which a slow network is taken for none: the client is quicker. */
const NETWORK_TIMEOUT_MS = 4000;

worker.addEventListener("install", (event) => {
    const fetched = caches.open(build).then((kept) => kept.addAll([PAGE, ...files]));
    event.waitUntil(fetched.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
    const forgotten = caches
        .keys()
        .then((names) =>
            Promise.all(names.filter((name) => name !== build).map((name) => caches.delete(name))),
        );
    event.waitUntil(forgotten.then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const rule = cachingRule(new URL(request.url), worker.location.origin, request.mode, request.method);
    if (rule === "page") event.respondWith(respondWithPage(request));
    else if (rule === "kept") event.respondWith(respondFromCache(request));
});

/** The page as the server has it; the kept one if that takes too long, or something is wrong there. */
async function respondWithPage(request: Request): Promise<Response> {
    const copy = caches.match(PAGE, { cacheName: build });
    const asked = fetch(request).then((answer) => (answer.status >= 500 ? null : answer));
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), NETWORK_TIMEOUT_MS));
    const answer = await Promise.race([asked, late]).catch(() => null);
    return answer ?? (await copy) ?? asked.then((slow) => slow ?? Response.error());
}

async function respondFromCache(request: Request): Promise<Response> {
    const cache = await caches.open(build);
    const copy = await cache.match(request);
    if (copy) return copy;
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
}

/** A click on a notification opens the window that shows the table, or a new one. */
worker.addEventListener("notificationclick", (event) => {
    const path = event.notification.data?.path ?? PAGE;
    event.notification.close();
    const shown = worker.clients.matchAll({ type: "window" }).then((windows) => {
        const open = windows.find(({ url }) => new URL(url).pathname === path);
        return open ? open.focus() : worker.clients.openWindow(path);
    });
    event.waitUntil(shown);
});
