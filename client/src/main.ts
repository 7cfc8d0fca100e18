import "@fontsource/lilita-one/400.css";
import "@fontsource-variable/nunito-sans/wght.css";
import "./tokens.css";
import "./base.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { router } from "./lib/router.svelte";
import { settings } from "./lib/settings.svelte";
import { sounds } from "./lib/sound";
import { loadLanguage } from "./lib/i18n.svelte";
import { preloadPage } from "./pages/page-loaders";
import { appUpdate } from "./shell/app-update.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("The page has no place for the client.");

settings.apply();
sounds.listen();
if (import.meta.env.PROD) appUpdate.begin();

/**
 * Mount the client once its page and its words are there, so that the first paint shows the page itself in the
 * reader's language. Not a top-level await: pages import modules of this chunk and would wait for it in turn.
 */
async function start(target: HTMLElement): Promise<void> {
    await Promise.allSettled([loadLanguage(settings.lang), preloadPage(router.route)]);
    mount(App, { target });
}

void start(target);
