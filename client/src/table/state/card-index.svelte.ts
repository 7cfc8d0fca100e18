/** What the cards say: those seen on this table by their number, all others by their name. */

import { SvelteMap } from "svelte/reactivity";

import { hasOwnArt } from "../../cards/art/art-index";
import { api } from "../../lib/api";
import type { CardInfo, Face, View } from "../../protocol";

export class CardIndex {
    readonly #seen = new SvelteMap<number, Face>();
    readonly #printed = new SvelteMap<string, CardInfo>();
    readonly #specials = new SvelteMap<string, string[]>();
    readonly #decks = new SvelteMap<string, CardInfo[]>();
    #printing: View["printing"] | null = null;
    #requested = false;

    /** Remember every card in a view, so that the log can show it when it is gone. */
    read(view: View): void {
        for (const face of facesIn(view)) {
            if (face.id !== undefined && face.name !== undefined && !this.#seen.has(face.id)) {
                this.#seen.set(face.id, face);
            }
        }
        this.#printing = view.printing;
        // Cards of plug-in factions get their looks with their texts.
        if (!view.players.every(({ factions }) => factions.every(hasOwnArt))) this.#request();
    }

    /** A card that was seen on this table, by its number and name. */
    findSeen(id: number, name: string): Face | null {
        const face = this.#seen.get(id);
        return face?.name === name ? face : null;
    }

    /** A card by its number on this table and its name; null while nothing is known of it. */
    find(id: number, name: string): Face | null {
        return this.findSeen(id, name) ?? this.findByName(name);
    }

    findByName(name: string): Face | null {
        const info = this.#printed.get(name);
        if (!info) {
            this.#request();
            return null;
        }
        const { type, text, power, breakpoint, vp } = info;
        const face: Face = { name, type, text };
        if (type === "minion" || power > 0) face.printed_power = power;
        return type === "base" ? { ...face, printed_breakpoint: breakpoint, vp } : face;
    }

    /** The cards of these factions that can be played or used in a window for Specials. */
    specialsOf(factions: string[]): string[] {
        this.#request();
        return factions.flatMap((faction) => this.#specials.get(faction) ?? []);
    }

    /** The cards that a faction shuffles into a deck; none while they are not known. */
    deckOf(faction: string): CardInfo[] {
        this.#request();
        return this.#decks.get(faction) ?? [];
    }

    /** Fetch all cards the first time one is asked for that was not seen on this table. */
    #request(): void {
        if (this.#requested || this.#printing === null) return;
        this.#requested = true;
        void this.#fetch(this.#printing === "current" ? "current" : "printed");
    }

    async #fetch(printing: "printed" | "current"): Promise<void> {
        try {
            const { decks } = await api.cards(printing);
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
            this.#requested = false; // The log does without pictures until the next lookup.
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
