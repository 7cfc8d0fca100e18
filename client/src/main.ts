import "@fontsource/lilita-one/400.css";
import "@fontsource-variable/nunito-sans/standard.css";
import "./tokens.css";
import "./base.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { settings } from "./lib/settings.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("The page has no place for the client.");

settings.apply();
export default mount(App, { target });
