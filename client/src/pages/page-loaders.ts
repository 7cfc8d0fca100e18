/** Loads each page on demand, so that nobody downloads the pages they do not visit. */

export const pageLoaders = {
    home: () => import("./Home.svelte"),
    new: () => import("./NewGame.svelte"),
    tables: () => import("./Lobby.svelte"),
    table: () => import("./TablePage.svelte"),
    replay: () => import("./Replay.svelte"),
    factions: () => import("./Factions.svelte"),
    learn: () => import("./Learn.svelte"),
    rules: () => import("./Rules.svelte"),
    cards: () => import("./Cards.svelte"),
    about: () => import("./About.svelte"),
};

/** Start loading a page, so that it is there when the client is mounted. */
export async function preloadPage(page: string): Promise<void> {
    if (page in pageLoaders) await pageLoaders[page as keyof typeof pageLoaders]();
}
