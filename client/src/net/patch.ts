/**
 * Applies the changes of an update to the view before it.
 *
 * The rules are those of `smashup/server/live/view_patch.py`: cards are named by id where the old view, or the
 * `faces` of the patch, show them; bases and cards in play by their number alone where nothing has changed.
 */

import type { Face, View, ViewPatch } from "../protocol";

type Data = Record<string, unknown>;
type CardById = Map<unknown, Data>;

/** What every card shows, wherever it is. */
const FACE_FIELDS: (keyof Face)[] = [
    "hidden",
    "id",
    "name",
    "type",
    "text",
    "owner",
    "printed_power",
    "printed_breakpoint",
    "vp",
    "tokens",
];
const FACE_LISTS = new Set(["hand", "discard", "aside", "limbo", "base_discard"]);
const KNOWN_LISTS = new Set(["deck_known", "base_deck_known"]);
const IN_PLAY_LISTS = new Set(["cards", "actions"]);

/** The view after a patch; an error if the patch was made for another view. */
export function applyPatch(old: View, patch: ViewPatch): View {
    return new PatchReader(old, patch).read() as unknown as View;
}

class PatchReader {
    readonly #old: Data;
    readonly #patch: Data;
    readonly #known: CardById;
    readonly #faces: CardById;

    constructor(old: View, patch: ViewPatch) {
        this.#old = old as unknown as Data;
        this.#patch = patch as unknown as Data;
        this.#known = knownCards(old);
        this.#faces = new Map((patch.faces ?? []).map((face) => [face.id, face as Data]));
    }

    read(): Data {
        const view = { ...this.#old };
        for (const [field, value] of Object.entries(this.#patch)) {
            if (field === "players") view[field] = this.#players(value as Data[]);
            else if (field === "bases") view[field] = this.#bases(value as unknown[]);
            else if (field === "decision") view[field] = this.#decision(value as Data | null);
            else if (field !== "faces") view[field] = this.#field(field, value);
        }
        return view;
    }

    #players(patches: Data[]): Data[] {
        const changed = new Map(patches.map((patch) => [patch["index"], patch]));
        return (this.#old["players"] as Data[]).map((player) => {
            const patch = changed.get(player["index"]);
            return patch === undefined ? player : this.#merge(player, patch);
        });
    }

    #bases(patches: unknown[]): Data[] {
        const known: CardById = new Map((this.#old["bases"] as Data[]).map((base) => [base["serial"], base]));
        return patches.map((patch) => this.#place(patch, "serial", known));
    }

    /** A base or a card in play. */
    #place(patch: unknown, key: string, known: CardById): Data {
        if (typeof patch === "number") return findCard(known, patch);
        const fields = patch as Data;
        return this.#merge(known.get(fields[key]) ?? {}, fields);
    }

    #merge(old: Data, patch: Data): Data {
        const { removed, ...changed } = patch;
        const merged = { ...old };
        for (const [field, value] of Object.entries(changed)) merged[field] = this.#field(field, value);
        if (!Array.isArray(removed)) return merged;
        return Object.fromEntries(Object.entries(merged).filter(([field]) => !removed.includes(field)));
    }

    #field(field: string, value: unknown): unknown {
        if (FACE_LISTS.has(field)) return (value as unknown[]).map((card) => this.#card(card));
        if (KNOWN_LISTS.has(field)) return (value as Data[]).map((seen) => this.#withCard(seen, "card"));
        if (IN_PLAY_LISTS.has(field)) {
            return (value as unknown[]).map((card) => this.#place(card, "id", this.#known));
        }
        return value;
    }

    #decision(patch: Data | null): Data | null {
        if (patch === null) return null;
        const decision = this.#withCard(patch, "source");
        const options = decision["options"] as Data[] | undefined;
        if (options === undefined) return decision;
        return { ...decision, options: options.map((option) => this.#withCard(option, "card")) };
    }

    #withCard(data: Data, field: string): Data {
        return field in data ? { ...data, [field]: this.#card(data[field]) } : data;
    }

    #card(id: unknown): Data {
        if (id === null) return { hidden: true };
        return this.#faces.get(id) ?? faceOf(findCard(this.#known, id));
    }
}

function findCard(known: CardById, id: unknown): Data {
    const card = known.get(id);
    if (card === undefined) throw new Error(`The last view has no number ${String(id)}.`);
    return card;
}

/** The cards that a view shows, by id; of those in play, everything that it shows. */
function knownCards(view: View): CardById {
    const known: CardById = new Map();
    const add = (card: { id?: number } | undefined): void => {
        if (card?.id !== undefined) known.set(card.id, card as Data);
    };
    const addInPlay = (card: { id?: number; actions?: { id?: number }[] }): void => {
        add(card);
        card.actions?.forEach(addInPlay);
    };
    if (view.decision?.options !== undefined) {
        add(view.decision.source);
        for (const option of view.decision.options) add(option.card);
    }
    [...view.limbo, ...view.base_discard].forEach(add);
    for (const seen of view.base_deck_known) add(seen.card);
    for (const player of view.players) {
        [...player.hand, ...player.discard, ...player.aside].forEach(add);
        for (const seen of player.deck_known) add(seen.card);
    }
    for (const base of view.bases) {
        add(base);
        base.cards.forEach(addInPlay);
    }
    return known;
}

function faceOf(card: Data): Data {
    return Object.fromEntries(
        FACE_FIELDS.filter((field) => field in card).map((field) => [field, card[field]]),
    );
}

/** By this a client notices that its view is not the server's. */
export function viewChecksum(view: View): number {
    const parts = Object.entries(view).flatMap(([field, value]): unknown[] => {
        if (field === "players") return view.players.flatMap((player) => Object.values(player) as unknown[]);
        return field === "bases" ? view.bases : [value];
    });
    return crc32(parts.map((part) => crc32(canonical(part))).join(","));
}

/** A value as JSON with sorted keys, however the fields of an object came together. */
function canonical(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const data = value as Data;
    const fields = Object.keys(data).sort();
    return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(data[field])}`).join(",")}}`;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
    let value = start;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
});
const UTF8 = new TextEncoder();

function crc32(text: string): number {
    let value = 0xffffffff;
    for (const byte of UTF8.encode(text)) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0);
    return (value ^ 0xffffffff) >>> 0;
}
