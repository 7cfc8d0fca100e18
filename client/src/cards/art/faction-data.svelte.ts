/** The data of factions that is loaded where they are shown: their pictures, and the texts of their cards in French. */

import { SvelteSet } from "svelte/reactivity";
import { factionData } from "virtual:factions";

import { addCardTexts } from "../../lib/i18n.svelte";
import { settings, type Lang } from "../../lib/settings.svelte";
import { addFactionArt, MADNESS } from "./art-index";

export const ALL_FACTIONS = "all";
/** The bases of all factions. */
const ALL_BASES = "bases";

/** What is there, as "fr Kaiju"; English texts need nothing. */
const loaded = new SvelteSet<string>();
const loading: Partial<Record<string, Promise<void>>> = {};

/** Load the data of these factions, or of all, in the language of the settings. Factions without own art have none. */
export async function loadFactionData(factions: Iterable<string>): Promise<void> {
    const lang = settings.lang;
    const names = [...factions].filter((name) => name in factionData.en && !hasFactionData(name, lang));
    await Promise.all(names.map((name) => loadOnce(name, lang)));
}

/** Whether everything that cards of these factions show is there. */
export function hasAllFactionData(factions: Iterable<string>): boolean {
    return [...factions].every((name) => !(name in factionData.en) || hasFactionData(name, settings.lang));
}

/** After a change of language: load the texts of all factions that were shown. */
export async function reloadFactionTexts(): Promise<void> {
    await loadFactionData([...loaded].map((key) => key.slice(key.indexOf(" ") + 1)));
}

function hasFactionData(name: string, lang: Lang): boolean {
    return loaded.has(`${lang} ${ALL_FACTIONS}`) || loaded.has(`${lang} ${name}`);
}

function loadOnce(name: string, lang: Lang): Promise<void> {
    const key = `${lang} ${name}`;
    return (loading[key] ??= load(name, lang).finally(() => {
        // What failed is tried again.
        loading[key] = undefined;
    }));
}

async function load(name: string, lang: Lang): Promise<void> {
    const found = await factionData[lang][name]?.();
    if (found === undefined) return;
    addFactionArt(found.default.art);
    addCardTexts(lang, found.default.texts);
    loaded.add(`${lang} ${name}`);
}

/** The data that a game needs: of the factions of its players, the Madness deck, and the bases of whole sets. */
export function factionsOf(players: { factions: string[] }[]): string[] {
    return [...players.flatMap(({ factions }) => factions), MADNESS, ALL_BASES];
}
