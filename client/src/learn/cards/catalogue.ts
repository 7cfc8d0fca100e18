/** Every card there is, with both of its printings side by side. */

import type { CardInfo, Cards, Meta } from "../../protocol";
import { foldText } from "../../lib/text-search";
import { cardSlug } from "../slug";

export type Printing = "printed" | "current";

export interface CatalogueEntry {
    name: string;
    slug: string;
    type: string;
    faction: string;
    set: string;
    printed: CardInfo | null;
    current: CardInfo | null;
    /** Whether the printings say different things, or only one has it. */
    differs: boolean;
}

/** What a card is in a printing; the other one where it has it alone. */
export function faceOf(entry: CatalogueEntry, printing: Printing): CardInfo {
    const face = entry[printing] ?? entry.printed ?? entry.current;
    if (face === null) throw new Error(`${entry.name} is in neither printing`);
    return face;
}

export function listEntries(meta: Meta, printed: Cards, current: Cards): CatalogueEntry[] {
    const found = new Map<string, CatalogueEntry>();
    const add = (cards: Cards, printing: Printing) => {
        for (const deck of cards.decks) {
            const set = meta.factions.find(({ name }) => name === deck.faction)?.set_name ?? "";
            for (const card of [...deck.cards, ...deck.titans, ...deck.bases]) {
                const key = `${deck.faction}/${card.name}`;
                const entry = found.get(key) ?? createEntry(card, deck.faction, set);
                entry[printing] = card;
                found.set(key, entry);
            }
        }
    };
    add(printed, "printed");
    add(current, "current");
    const entries = [...found.values()];
    for (const entry of entries) entry.differs = isDifferent(entry.printed, entry.current);
    return entries;
}

function createEntry({ name, type }: CardInfo, faction: string, set: string): CatalogueEntry {
    return { name, slug: cardSlug(name), type, faction, set, printed: null, current: null, differs: false };
}

function isDifferent(one: CardInfo | null, two: CardInfo | null): boolean {
    if (one === null || two === null) return true;
    const facts = ({ text, power, breakpoint, copies, vp, on, type }: CardInfo) =>
        JSON.stringify([text, power, breakpoint, copies, vp, on, type]);
    return facts(one) !== facts(two);
}

export type Keyword = CardInfo["keywords"][number] | "on-base" | "on-minion";

/** Whether a card has a keyword. */
export function hasKeyword({ keywords, on }: CardInfo, keyword: Keyword): boolean {
    if (keyword === "on-base") return on === "base";
    if (keyword === "on-minion") return on === "minion";
    return keywords.includes(keyword);
}

/** Everything a card can be found by: names and texts in English and in the reader's language. */
export function searchWords(
    { name, faction }: CatalogueEntry,
    face: CardInfo,
    word: (english: string) => string,
): string {
    return foldText([name, word(name), faction, word(faction), face.text, word(face.text)].join(" "));
}
