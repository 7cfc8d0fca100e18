/** What the cards say: those seen on this table by their number, all others by their name. */

import { SvelteMap } from "svelte/reactivity";

import { api } from "../lib/api";
import type { CardInfo, Face, View } from "../protocol";

export class Book {
    readonly #seen = new SvelteMap<number, Face>();
    readonly #printed = new SvelteMap<string, CardInfo>();
    readonly #specials = new SvelteMap<string, string[]>();
    readonly #decks = new SvelteMap<string, CardInfo[]>();
    #asked = "";

    /** Remember every card in a view, so that the log can show it when it is gone. */
    read(view: View): void {
        for (const face of facesIn(view)) {
            if (face.id !== undefined && face.name !== undefined && !this.#seen.has(face.id)) {
                this.#seen.set(face.id, face);
            }
        }
        if (this.#asked !== view.printing) void this.#fetch(view.printing);
    }

    /** A card by its number on this table and its name; null if nothing is known of it. */
    find(id: number, name: string): Face | null {
        const seen = this.#seen.get(id);
        if (seen?.name === name) return seen;
        return this.named(name);
    }

    named(name: string): Face | null {
        const info = this.#printed.get(name);
        if (!info) return null;
        const { type, text, power, breakpoint, vp } = info;
        const face: Face = { name, type, text };
        if (type === "minion" || power > 0) face.printed_power = power;
        return type === "base" ? { ...face, printed_breakpoint: breakpoint, vp } : face;
    }

    /** The cards of these factions that can be played or used in a window for Specials. */
    specialsOf(factions: string[]): string[] {
        return factions.flatMap((faction) => this.#specials.get(faction) ?? []);
    }

    /** The cards that a faction shuffles into a deck; none while they are not known. */
    deckOf(faction: string): CardInfo[] {
        return this.#decks.get(faction) ?? [];
    }

    async #fetch(printing: string): Promise<void> {
        this.#asked = printing;
        try {
            const { decks } = await api.cards(printing === "current" ? "current" : "printed");
            for (const deck of decks) {
                this.#decks.set(deck.faction, deck.cards);
                const special = [...deck.cards, ...deck.titans].filter(({ text }) =>
                    text.includes("Special:"),
                );
                this.#specials.set(
                    deck.faction,
                    special.map(({ name }) => name),
                );
                for (const card of [...deck.cards, ...deck.bases, ...deck.titans]) {
                    this.#printed.set(card.name, card);
                }
            }
        } catch {
            this.#asked = ""; // The log does without pictures until the next view.
        }
    }
}

/** Every card that a view shows, wherever it lies. */
export function facesIn(view: View): Face[] {
    const atBases = view.bases.flatMap((base) => [
        base,
        ...base.cards.flatMap((card) => [card, ...(card.actions ?? [])]),
    ]);
    const ofPlayers = view.players.flatMap((player) => [
        ...player.hand,
        ...player.discard,
        ...player.aside,
        ...player.deck_known.map(({ card }) => card),
    ]);
    const offered = (view.decision?.options ?? []).flatMap(({ card }) => card ?? []);
    return [...atBases, ...ofPlayers, ...view.limbo, ...view.base_discard, ...offered];
}
