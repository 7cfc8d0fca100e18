/** What a person likes, kept by the browser. */

import { read, write } from "./storage";

export type Theme = "auto" | "light" | "dark";
export type Motion = "off" | "fast" | "normal" | "slow";
export type Lang = "en" | "fr";

interface Kept {
    name: string;
    lang: Lang;
    theme: Theme;
    motion: Motion;
    warnEndTurn: boolean;
}

const KEY = "smashup.settings";

function preferred(): Lang {
    return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

/** Some places where this runs have no media to ask, tests among them. */
function motionAtFirst(): Motion {
    if (typeof matchMedia !== "function") return "normal";
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? "off" : "normal";
}

class Settings {
    name = $state("");
    lang = $state<Lang>("en");
    theme = $state<Theme>("auto");
    motion = $state<Motion>("normal");
    warnEndTurn = $state(true);

    constructor() {
        const kept = read<Partial<Kept>>(KEY) ?? {};
        this.name = typeof kept.name === "string" ? kept.name : "";
        this.lang = kept.lang === "fr" || kept.lang === "en" ? kept.lang : preferred();
        this.theme = kept.theme === "light" || kept.theme === "dark" ? kept.theme : "auto";
        this.motion = ["off", "fast", "normal", "slow"].includes(kept.motion ?? "")
            ? (kept.motion as Motion)
            : motionAtFirst();
        this.warnEndTurn = kept.warnEndTurn !== false;
    }

    /** How long something that takes a second at normal speed lasts, in milliseconds. */
    get second(): number {
        return { off: 0, fast: 500, normal: 1000, slow: 2000 }[this.motion];
    }

    change(what: Partial<Kept>): void {
        Object.assign(this, what);
        this.keep();
        this.apply();
    }

    keep(): void {
        const { name, lang, theme, motion, warnEndTurn } = this;
        write(KEY, { name, lang, theme, motion, warnEndTurn } satisfies Kept);
    }

    /** Tell the page. */
    apply(): void {
        const root = document.documentElement;
        root.lang = this.lang;
        root.dataset.theme = this.theme;
        root.dataset.motion = this.motion;
        root.style.setProperty("--second", `${String(this.second)}ms`);
    }
}

export const settings = new Settings();
