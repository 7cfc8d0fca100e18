/**
 * The words on the screen, in the language of the settings.
 *
 * One dictionary for each language, by the keys of the English texts: the client's own sentences (`src/locales/fr/`, whole,
 * checked by a test) and the server's (cards, prompts, log), bundled by `build-plugins.ts`.
 */

import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";

import type { Sentence } from "../protocol";
import { elide, writeNumber } from "./french";
import { withoutRepeatedMark } from "./punctuation";
import { settings, type Lang } from "./settings.svelte";
import { textKey } from "./text-key";

type Gaps = Record<string, string | number>;

const dictionaries = new SvelteMap<Lang, Record<string, string>>();
const cardTexts = new SvelteMap<Lang, Record<string, string>>();

/** The texts that replays show, and those of the other pages. */
const parts = {
    shared: () => import("virtual:messages/fr/shared"),
    pages: () => import("virtual:messages/fr/pages"),
};
const loadedParts: (keyof typeof parts)[] = [];
let needsPageTexts = false;

/** Load the texts of a language that are needed here. English needs nothing. */
export async function loadLanguage(lang: Lang): Promise<void> {
    if (lang === "en") return;
    await Promise.all([loadPart("shared"), needsPageTexts ? loadPart("pages") : null]);
}

/** Load the texts of the pages beside replays, now and in any language chosen later. */
export async function loadPageTexts(): Promise<void> {
    needsPageTexts = true;
    // Not tracked: another language must not load the page again.
    await loadLanguage(untrack(() => settings.lang));
}

async function loadPart(part: keyof typeof parts): Promise<void> {
    if (loadedParts.includes(part)) return;
    const { default: texts } = await parts[part]();
    loadedParts.push(part);
    dictionaries.set("fr", { ...dictionaries.get("fr"), ...texts });
}

/** Add translations of card texts; see `cards/art/faction-data.svelte.ts`. */
export function addCardTexts(lang: Lang, texts: Record<string, string>): void {
    cardTexts.set(lang, { ...cardTexts.get(lang), ...texts });
}

function lookUp(english: string): string {
    const key = textKey(english);
    return dictionaries.get(settings.lang)?.[key] ?? cardTexts.get(settings.lang)?.[key] ?? english;
}

function fill(text: string, gaps: Gaps): string {
    return text.split(/\{(\w+)\}/).reduce((said, part, position) => {
        if (position % 2 === 0) return said + withoutRepeatedMark(said, part);
        const value = gaps[part] ?? `{${part}}`;
        if (settings.lang !== "fr") return said + String(value);
        const written = typeof value === "number" ? writeNumber(value) : value;
        return elide(said, written) + written;
    }, "");
}

/** One of the client's own sentences: `t("{name} is thinking", { name })`. The English text is the key. */
export function t(english: string, gaps: Gaps = {}): string {
    return fill(lookUp(english), gaps);
}

/** A sentence with a number in it: `plural(count, "{count} card", "{count} cards")`. Both texts are literals. */
export function plural(count: number, one: string, other: string, gaps: Gaps = {}): string {
    const isOne = new Intl.PluralRules(settings.lang).select(count) === "one";
    return fill(lookUp(isOne ? one : other), { count, ...gaps });
}

/** A sentence of the client's own, to be said later with `say`. Like `t`, it is called with a literal. */
export function lazyText(english: string): Sentence {
    return { text: english, args: {}, english };
}

/** A text of the game's own: the name or the ability of a card, a phase, a faction. */
export function gameText(english: string): string {
    return lookUp(english);
}

/** A sentence of the server, said in this language if the server did so, else put together here. */
export function renderMessage(sentence: Sentence): string {
    if (settings.lang === "en") return sentence.english;
    if (sentence.said !== undefined) return sentence.said;
    const gaps: Gaps = {};
    for (const [name, value] of Object.entries(sentence.args)) {
        if (typeof value === "string") gaps[name] = lookUp(value);
        else if (typeof value === "number") gaps[name] = value;
        else return sentence.english;
    }
    return fill(lookUp(sentence.text), gaps);
}
