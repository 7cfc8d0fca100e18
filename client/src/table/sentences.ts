/**
 * Sentences of the server, bit by bit: which bits name a card, a base, a player or a faction.
 *
 * The same rules as `smashup/locale` on the server, so that a log already on the screen can change its
 * language in place, its names can be links, and players are called by their names.
 */

import { elide, writeNumber } from "../lib/french";
import { follow } from "../lib/marks";
import type { Sentence } from "../protocol";

export interface Piece {
    text: string;
    /** What a name is a name of; empty for the words between. */
    sort: "" | "card" | "base" | "player" | "faction";
    id: number;
    /** The English name, which is what a card is looked up by. */
    name: string;
}

export interface Tongue {
    lang: string;
    translate: (english: string) => string;
    /** What the players are called. */
    names: string[];
}

interface Name {
    sort: Piece["sort"];
    id: number;
    text: string;
}

const GAP = /\{(\w+)\}/;

export function pieces(sentence: Sentence, tongue: Tongue): Piece[] {
    const found: Piece[] = [];
    tongue
        .translate(sentence.text)
        .split(GAP)
        .forEach((part, position) => {
            if (position % 2 === 0) addWords(found, part);
            else for (const piece of valueOf(sentence.args[part], tongue)) addPiece(found, piece, tongue);
        });
    return found;
}

/** A sentence as plain text, with the players' names. */
export function spoken(sentence: Sentence, tongue: Tongue): string {
    return pieces(sentence, tongue)
        .map((piece) => piece.text)
        .join("");
}

/** The ids of everything of a sort that a sentence names. */
export function namedIn(sentence: Sentence, sort: Piece["sort"]): number[] {
    const plain: Tongue = { lang: "en", translate: (text) => text, names: [] };
    return pieces(sentence, plain)
        .filter((piece) => piece.sort === sort && piece.id >= 0)
        .map((piece) => piece.id);
}

function words(text: string): Piece {
    return { text, sort: "", id: -1, name: "" };
}

function addWords(found: Piece[], part: string): void {
    const text = follow(found.at(-1)?.text ?? "", part);
    if (text !== "") found.push(words(text));
}

function addPiece(found: Piece[], piece: Piece, tongue: Tongue): void {
    const hidden = piece.sort === "card" && piece.id < 0;
    const before = found.at(-1);
    let { text } = piece;
    if (before === undefined && hidden) text = text.charAt(0).toUpperCase() + text.slice(1);
    if (tongue.lang === "fr" && before?.sort === "") before.text = elide(before.text, text);
    found.push({ ...piece, text });
}

function valueOf(value: unknown, tongue: Tongue): Piece[] {
    if (Array.isArray(value)) return listOf(value as unknown[], tongue);
    if (isSentence(value)) return pieces(value, tongue);
    if (isName(value)) {
        const called = value.sort === "player" ? tongue.names[value.id] : undefined;
        const text = called ?? tongue.translate(value.text);
        return [{ sort: value.sort, id: value.id, name: value.text, text }];
    }
    if (typeof value === "number") return [words(tongue.lang === "fr" ? writeNumber(value) : String(value))];
    return [words(typeof value === "string" ? value : "")];
}

function listOf(values: unknown[], tongue: Tongue): Piece[] {
    if (values.length === 0) return [words(tongue.translate("nothing"))];
    return values.flatMap((value, position) => {
        if (position === 0) return valueOf(value, tongue);
        const last = position === values.length - 1;
        return [words(last ? tongue.translate(" and ") : ", "), ...valueOf(value, tongue)];
    });
}

function isSentence(value: unknown): value is Sentence {
    return typeof value === "object" && value !== null && "args" in value;
}

function isName(value: unknown): value is Name {
    return typeof value === "object" && value !== null && "sort" in value;
}
