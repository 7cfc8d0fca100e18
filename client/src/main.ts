import "@fontsource/lilita-one/400.css";
import "@fontsource-variable/nunito-sans/wght.css";
import "./tokens.css";
import "./base.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { settings } from "./lib/settings.svelte";
import { sounds } from "./lib/sound";
import { loadWords } from "./lib/words.svelte";
import { renewal } from "./shell/renewal.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("The page has no place for the client.");

settings.apply();
sounds.listen();
if (import.meta.env.PROD) renewal.begin();
// Nothing is shown in English first to those who read French. Without their words English remains.
await loadWords(settings.lang).catch(() => undefined);
export default mount(App, { target });
