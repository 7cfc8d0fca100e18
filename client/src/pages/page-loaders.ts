/** Loads each page on demand, with its texts. */

import { loadPageTexts } from "../lib/i18n.svelte";

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

/** Start loading a page, so that it is there when the client is mounted. */
export async function preloadPage(page: string): Promise<void> {
    if (page in pageLoaders) await pageLoaders[page as keyof typeof pageLoaders]();
}
