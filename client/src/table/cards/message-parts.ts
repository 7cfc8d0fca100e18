/**
 * Sentences of the server, bit by bit: which bits name a card, a base, a player or a faction.
 *
 * The same rules as `smashup/locale` on the server, so that a log already on the screen can change its
 * language in place, its names can be links, and players are called by their names.
 */

import { elide, writeNumber } from "../../lib/french";
import { withoutRepeatedMark } from "../../lib/punctuation";
import type { Sentence } from "../../protocol";

export interface MessagePart {
    text: string;
    /** What a name is a name of; empty for the words between. */
    sort: "" | "card" | "base" | "player" | "faction";
    id: number;
    /** The English name, which is what a card is looked up by. */
    name: string;
}

export interface Translator {
    lang: string;
    translate: (english: string) => string;
    /** What the players are called. */
    names: string[];
}

interface Name {
    sort: MessagePart["sort"];
    id: number;
    text: string;
}

const GAP = /\{(\w+)\}/;

export function messageParts(sentence: Sentence, translator: Translator): MessagePart[] {
    const found: MessagePart[] = [];
    translator
        .translate(sentence.text)
        .split(GAP)
        .forEach((part, position) => {
            if (position % 2 === 0) addWords(found, part);
            else
                for (const piece of valueOf(sentence.args[part], translator))
                    addPiece(found, piece, translator);
        });
    return found;
}

/** A sentence as plain text, with the players' names. */
export function messageText(sentence: Sentence, translator: Translator): string {
    return messageParts(sentence, translator)
        .map((piece) => piece.text)
        .join("");
}

/** The ids of everything of a sort that a sentence names. */
export function idsInMessage(sentence: Sentence, sort: MessagePart["sort"]): number[] {
    const plain: Translator = { lang: "en", translate: (text) => text, names: [] };
    return messageParts(sentence, plain)
        .filter((piece) => piece.sort === sort && piece.id >= 0)
        .map((piece) => piece.id);
}

function words(text: string): MessagePart {
    return { text, sort: "", id: -1, name: "" };
}

function addWords(found: MessagePart[], part: string): void {
    const text = withoutRepeatedMark(found.at(-1)?.text ?? "", part);
    if (text !== "") found.push(words(text));
}

function addPiece(found: MessagePart[], piece: MessagePart, translator: Translator): void {
    const hidden = piece.sort === "card" && piece.id < 0;
    const before = found.at(-1);
    let { text } = piece;
    if (before === undefined && hidden) text = text.charAt(0).toUpperCase() + text.slice(1);
    if (translator.lang === "fr" && before?.sort === "") before.text = elide(before.text, text);
    found.push({ ...piece, text });
}

function valueOf(value: unknown, translator: Translator): MessagePart[] {
    if (Array.isArray(value)) return listOf(value as unknown[], translator);
    if (isSentence(value)) return messageParts(value, translator);
    if (isName(value)) {
        const called = value.sort === "player" ? translator.names[value.id] : undefined;
        const text = called ?? translator.translate(value.text);
        return [{ sort: value.sort, id: value.id, name: value.text, text }];
    }
    if (typeof value === "number")
        return [words(translator.lang === "fr" ? writeNumber(value) : String(value))];
    return [words(typeof value === "string" ? value : "")];
}

function listOf(values: unknown[], translator: Translator): MessagePart[] {
    if (values.length === 0) return [words(translator.translate("nothing"))];
    return values.flatMap((value, position) => {
        if (position === 0) return valueOf(value, translator);
        const last = position === values.length - 1;
        return [words(last ? translator.translate(" and ") : ", "), ...valueOf(value, translator)];
    });
}

function isSentence(value: unknown): value is Sentence {
    return typeof value === "object" && value !== null && "args" in value;
}

function isName(value: unknown): value is Name {
    return typeof value === "object" && value !== null && "sort" in value;
}
