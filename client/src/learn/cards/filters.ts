/** What is shown of all cards, as it stands in the address: `/cards?faction=Kaiju&type=action&q=destroy`. */

import type { CardInfo } from "../../protocol";
import { containsAll, splitWords } from "../../lib/text-search";
import {
    faceOf,
    hasKeyword,
    searchWords,
    type CatalogueEntry,
    type Keyword,
    type Printing,
} from "./catalogue";

export interface Filters {
    q: string;
    faction: string;
    set: string;
    type: string;
    power: string;
    keyword: string;
    printing: Printing;
    /** Only cards whose printings differ. */
    differs: boolean;
    sort: Sort;
}

export type Sort = "faction" | "name" | "power" | "type";

export const NO_FILTERS: Filters = {
    q: "",
    faction: "",
    set: "",
    type: "",
    power: "",
    keyword: "",
    printing: "printed",
    differs: false,
    sort: "faction",
};

export const SORTS: Sort[] = ["faction", "name", "power", "type"];
export const KEYWORDS: Keyword[] = [
    "talent",
    "special",
    "ongoing",
    "on-minion",
    "on-base",
    "counters",
    "extra",
];
const TYPES = ["minion", "action", "titan", "base"];
/** Stronger minions than this are counted together. */
export const MAX_POWER_FILTER = 6;

export function parseFilters(query: string): Filters {
    const asked = new URLSearchParams(query);
    const text = (name: string) => asked.get(name) ?? "";
    const one = <T extends string>(name: string, known: readonly T[], otherwise: T): T =>
        known.find((value) => value === asked.get(name)) ?? otherwise;
    return {
        q: text("q"),
        faction: text("faction"),
        set: text("set"),
        type: one("type", ["", ...TYPES], ""),
        power: /^[0-6]$/.test(text("power")) ? text("power") : "",
        keyword: one("keyword", ["", ...KEYWORDS], ""),
        printing: one("printing", ["printed", "current"], "printed"),
        differs: asked.get("differs") === "1",
        sort: one("sort", SORTS, "faction"),
    };
}

export function formatFilters(filters: Filters): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) {
        if (value === NO_FILTERS[name as keyof Filters]) continue;
        query.set(name, value === true ? "1" : String(value).trim());
    }
    return query.size > 0 ? `?${query.toString()}` : "";
}

/** The cards that pass, in the order asked for. */
export function filterEntries(
    entries: CatalogueEntry[],
    filters: Filters,
    word: (english: string) => string,
): CatalogueEntry[] {
    const words = splitWords(filters.q);
    const found = entries.filter((entry) => {
        if (entry[filters.printing] === null) return false;
        const face = faceOf(entry, filters.printing);
        return (
            passes(entry, face, filters) &&
            (words.length === 0 || containsAll(searchWords(entry, face, word), words))
        );
    });
    return inOrder(found, filters, word);
}

function passes(
    entry: CatalogueEntry,
    face: CardInfo,
    { faction, set, type, power, keyword, differs }: Filters,
): boolean {
    if (faction !== "" && entry.faction !== faction) return false;
    if (set !== "" && entry.set !== set) return false;
    if (type !== "" && face.type !== type) return false;
    if (power !== "" && (face.type !== "minion" || Math.min(face.power, MAX_POWER_FILTER) !== Number(power)))
        return false;
    if (keyword !== "" && !hasKeyword(face, keyword as Keyword)) return false;
    return !differs || entry.differs;
}

function inOrder(
    entries: CatalogueEntry[],
    { sort, printing }: Filters,
    word: (english: string) => string,
): CatalogueEntry[] {
    if (sort === "faction") return entries;
    const byName = (a: CatalogueEntry, b: CatalogueEntry) => word(a.name).localeCompare(word(b.name));
    const strength = (entry: CatalogueEntry) => {
        const { type, power, breakpoint } = faceOf(entry, printing);
        return type === "base" ? breakpoint - 100 : power;
    };
    return [...entries].sort((a, b) => {
        if (sort === "power") return strength(b) - strength(a) || byName(a, b);
        if (sort === "type") return TYPES.indexOf(a.type) - TYPES.indexOf(b.type) || byName(a, b);
        return byName(a, b);
    });
}
