/** The user's settings, stored in the browser. */

import { readStored, writeStored } from "./storage";

export type Theme = "auto" | "light" | "dark";
export type Motion = "off" | "fast" | "normal" | "slow";
export type TextSize = "normal" | "large" | "largest";
export type Lang = "en" | "fr";
/** When the panel "since your last turn" comes: every turn, after looking away, or never. */
export type RecapWish = "always" | "away" | "never";
/** How a clock looks: figures, a bar that empties, or nothing until time is short. */
export type ClockLook = "figures" | "bar" | "late";

export type BotLevel = "easy" | "normal" | "hard" | "expert";

const KEY = "smashup.settings";

const DEFAULTS = {
    name: "",
    lang: "en" as Lang,
    theme: "auto" as Theme,
    textSize: "normal" as TextSize,
    motion: "normal" as Motion,
    warnEndTurn: true,
    muted: false,
    /** Of sounds, from 0 to 1. */
    volume: 0.6,
    /** Whether the device may say that it is one's turn, while the page is out of sight. */
    notify: false,
    /** Whether the chances of all players are shown, where there are any to show. */
    chances: true,
    recap: "always" as RecapWish,
    clock: "figures" as ClockLook,
    /** How strong the bot of "Play now" is. */
    botLevel: "normal" as BotLevel,
};

const TEXT_SCALES: Record<TextSize, number> = { normal: 1, large: 1.15, largest: 1.3 };

type StoredSettings = typeof DEFAULTS;

/** What may be chosen, where it is not just yes or no. */
const ALLOWED_VALUES: Partial<Record<keyof StoredSettings, string[]>> = {
    lang: ["en", "fr"],
    theme: ["auto", "light", "dark"],
    textSize: ["normal", "large", "largest"],
    motion: ["off", "fast", "normal", "slow"],
    recap: ["always", "away", "never"],
    clock: ["figures", "bar", "late"],
    botLevel: ["easy", "normal", "hard", "expert"],
};

function preferredLanguage(): Lang {
    return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

/** Some places where this runs have no media to ask, tests among them. */
function defaultMotion(): Motion {
    if (typeof matchMedia !== "function") return "normal";
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? "off" : "normal";
}

/** What was kept, without anything that another version or another program left there. */
function readSettings(): StoredSettings {
    const found: Record<string, unknown> = {
        ...DEFAULTS,
        lang: preferredLanguage(),
        motion: defaultMotion(),
    };
    const kept = readStored<Record<string, unknown>>(KEY) ?? {};
    for (const name of Object.keys(DEFAULTS) as (keyof StoredSettings)[]) {
        const value = kept[name];
        const fits = ALLOWED_VALUES[name]?.includes(String(value)) ?? true;
        if (typeof value === typeof DEFAULTS[name] && fits) found[name] = value;
    }
    const { volume } = found as StoredSettings;
    return { ...(found as StoredSettings), volume: Math.min(1, Math.max(0, volume)) };
}

class Settings {
    name = $state(DEFAULTS.name);
    lang = $state(DEFAULTS.lang);
    theme = $state(DEFAULTS.theme);
    textSize = $state(DEFAULTS.textSize);
    motion = $state(DEFAULTS.motion);
    warnEndTurn = $state(DEFAULTS.warnEndTurn);
    muted = $state(DEFAULTS.muted);
    volume = $state(DEFAULTS.volume);
    notify = $state(DEFAULTS.notify);
    chances = $state(DEFAULTS.chances);
    recap = $state(DEFAULTS.recap);
    clock = $state(DEFAULTS.clock);
    botLevel = $state(DEFAULTS.botLevel);

    constructor() {
        Object.assign(this, readSettings());
    }

    /** How long something that takes a second at normal speed lasts, in milliseconds. */
    get second(): number {
        return { off: 0, fast: 500, normal: 1000, slow: 2000 }[this.motion];
    }

    change(what: Partial<StoredSettings>): void {
        Object.assign(this, what);
        this.save();
        this.apply();
    }

    save(): void {
        const names = Object.keys(DEFAULTS) as (keyof StoredSettings)[];
        writeStored(KEY, Object.fromEntries(names.map((name) => [name, this[name]])));
    }

    /** Set the attributes of the page that styles depend on. */
    apply(): void {
        const root = document.documentElement;
        root.lang = this.lang;
        root.dataset.theme = this.theme;
        root.dataset.motion = this.motion;
        root.style.setProperty("--text-scale", String(TEXT_SCALES[this.textSize]));
        root.style.setProperty("--second", `${String(this.second)}ms`);
    }
}

export const settings = new Settings();
