/** Loads each page on demand, with its texts. */

import { loadPageTexts } from "../lib/i18n.svelte";
import type { Route } from "../lib/router.svelte";
import { sendEarlyRequests } from "./early-requests";

/** A page that shows more texts than replays do. */
async function withTexts<T>(page: Promise<T>): Promise<T> {
    const texts = loadPageTexts().catch(() => {
        // English remains; the next page tries again.
    });
    return (await Promise.all([page, texts]))[0];
}

export const pageLoaders = {
    home: () => withTexts(import("./Home.svelte")),
    new: () => withTexts(import("./NewGame.svelte")),
    tables: () => withTexts(import("./Lobby.svelte")),
    table: () => withTexts(import("./TablePage.svelte")),
    replay: () => import("./Replay.svelte"),
    factions: () => withTexts(import("./Factions.svelte")),
    learn: () => withTexts(import("./Learn.svelte")),
    rules: () => withTexts(import("./Rules.svelte")),
    cards: () => withTexts(import("./Cards.svelte")),
    puzzles: () => withTexts(import("./Puzzles.svelte")),
    puzzle: () => withTexts(import("./PuzzlePage.svelte")),
    about: () => withTexts(import("./About.svelte")),
};

/** Start loading a page and what it shows, so that it is there when the client is mounted. */
export async function preloadPage(route: Route): Promise<void> {
    sendEarlyRequests(route);
    if (route.page in pageLoaders) await pageLoaders[route.page as keyof typeof pageLoaders]();
}
