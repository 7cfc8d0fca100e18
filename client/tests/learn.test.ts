/** The rules behind texts, searching, the card browser, and the coach. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { compare } from "../src/learn/cards/compare";
import { entriesOf, hasKeyword } from "../src/learn/cards/catalogue";
import { ALL, fromQuery, shown, toQuery } from "../src/learn/cards/filters";
import { nextBeat, type Situation } from "../src/learn/coach/beats";
import { counsel, worthAt } from "../src/learn/coach/counsel";
import { REMARKS, remarkOn } from "../src/learn/coach/remarks";
import { roomFor } from "../src/learn/coach/room";
import { nextClick } from "../src/learn/coach/spots";
import { blocks, plain } from "../src/learn/rules/markup";
import { notesOf } from "../src/learn/rules/notes";
import { idsBehind } from "../src/learn/rules/rulebook.svelte";
import { folded, has, marked, wordsOf } from "../src/learn/rules/search";
import { cardPath, slug } from "../src/learn/slug";
import { parse } from "../src/lib/router.svelte";
import type { Base, CardInfo, Cards, Decision, Meta, Option, View } from "../src/protocol";
import { waysOf } from "../src/table/choices";

describe("texts of the rules", () => {
    const called = (target: string) => target.toUpperCase();

    it("have paragraphs, lists, stress and links", () => {
        expect(blocks("A **b** *c*.\n\n- one [[x.y]]\n- two [[card:Z|zed]]", called)).toEqual([
            {
                kind: "paragraph",
                runs: [
                    { kind: "words", text: "A " },
                    { kind: "strong", text: "b" },
                    { kind: "words", text: " " },
                    { kind: "stressed", text: "c" },
                    { kind: "words", text: "." },
                ],
            },
            {
                kind: "list",
                items: [
                    [
                        { kind: "words", text: "one " },
                        { kind: "rule", text: "X.Y", to: "x.y" },
                    ],
                    [
                        { kind: "words", text: "two " },
                        { kind: "card", text: "zed", to: "Z" },
                    ],
                ],
            },
        ]);
        expect(plain("A **b** [[card:Z]] [[x|y]]")).toBe("A b Z y");
    });

    it("are found without accents, and what was found is marked", () => {
        expect(folded("Égalité, Œuvre d’art")).toBe("egalite, oeuvre d'art");
        expect(has(folded("Vainqueur, Deuxième"), wordsOf("deuxieme VAIN"))).toBe(true);
        expect(has(folded("Vainqueur"), wordsOf("vainqueur perdant"))).toBe(false);
        expect(marked("Une égalité", ["egal"])).toEqual([
            { text: "Une ", hit: false },
            { text: "égal", hit: true },
            { text: "ité", hit: false },
        ]);
    });

    it("have notes by edition, the same ones together", () => {
        const notes = { SB: "a", CD: "b", BIJ: "b" };
        expect(notesOf(notes, null)).toEqual([
            { keys: ["SB"], text: "a" },
            { keys: ["CD", "BIJ"], text: "b" },
        ]);
        expect(notesOf(notes, "CD")).toEqual([{ keys: ["CD"], text: "b" }]);
        expect(notesOf(notes, "CS")).toEqual([]);
    });

    it("stand behind messages: by the text, by a pattern, or something", () => {
        const book = {
            texts: { "What?": ["a"] },
            patterns: [
                { words: "[Dd]estroy", rules: ["b"] },
                { words: "which", rules: ["c"] },
            ],
            otherwise: ["d"],
        };
        expect(idsBehind(book, "What?")).toEqual(["a"]);
        expect(idsBehind(book, "Destroy which?")).toEqual(["b"]);
        expect(idsBehind(book, "And which?")).toEqual(["c"]);
        expect(idsBehind(book, "Hm")).toEqual(["d"]);
    });
});

const card = (name: string, more: Partial<CardInfo> = {}): CardInfo => ({
    name,
    type: "minion",
    text: "",
    copies: 1,
    power: 2,
    on: "",
    breakpoint: 0,
    vp: [],
    optional: false,
    special: false,
    icon: "",
    ...more,
});
const cards = (printing: string, ...found: CardInfo[]): Cards => ({
    printing,
    decks: [{ faction: "Kaiju", cards: found, bases: [], titans: [] }],
});
const meta = {
    factions: [{ name: "Kaiju", set_name: "Big in Japan", blurb: "" }],
} as unknown as Meta;

describe("the card browser", () => {
    const entries = entriesOf(
        meta,
        cards("printed", card("Rex", { text: "Talent: roar." }), card("Old", { power: 7 })),
        cards("current", card("Rex", { text: "Talent: whisper." }), card("New", { type: "action" })),
    );
    const word = (text: string) => (text === "Rex" ? "Roi" : text);
    const names = (query: string) => shown(entries, fromQuery(query), word).map(({ name }) => name);

    it("has both printings of a card, and knows where they differ", () => {
        expect(entries.map(({ name, differs }) => [name, differs])).toEqual([
            ["Rex", true],
            ["Old", true],
            ["New", true],
        ]);
        expect(names("")).toEqual(["Rex", "Old"]);
        expect(names("?printing=current")).toEqual(["Rex", "New"]);
    });

    it("filters by words in both languages, type, power and keyword", () => {
        expect(names("?q=roi")).toEqual(["Rex"]);
        expect(names("?q=REX")).toEqual(["Rex"]);
        expect(names("?q=whisper")).toEqual([]);
        expect(names("?q=whisper&printing=current")).toEqual(["Rex"]);
        expect(names("?power=6")).toEqual(["Old"]);
        expect(names("?keyword=talent")).toEqual(["Rex"]);
        expect(names("?type=action&printing=current")).toEqual(["New"]);
        expect(names("?faction=Nobody")).toEqual([]);
        expect(names("?sort=power")).toEqual(["Old", "Rex"]);
    });

    it("keeps its filters in the address, and only what is not usual", () => {
        const filters = { ...ALL, q: " big one ", faction: "Kaiju", differs: true };
        expect(toQuery(ALL)).toBe("");
        expect(toQuery(filters)).toBe("?q=big+one&faction=Kaiju&differs=1");
        expect(fromQuery(toQuery(filters))).toEqual({ ...filters, q: "big one" });
        expect(fromQuery("?type=wizard&power=x&sort=up&keyword=<b>")).toEqual(ALL);
    });

    it("tells keywords by the English text", () => {
        expect(hasKeyword(card("A", { text: "Special: before a base scores." }), "special")).toBe(true);
        expect(hasKeyword(card("A", { text: "You may play an extra action." }), "extra")).toBe(true);
        expect(hasKeyword(card("A", { on: "minion" }), "on-base")).toBe(false);
    });

    it("marks what differs between two texts", () => {
        const [one, two] = compare("Draw two cards at the end.", "Draw three cards at the end.");
        expect(one).toEqual([
            { text: "Draw ", only: false },
            { text: "two ", only: true },
            { text: "cards at the end.", only: false },
        ]);
        expect(two.filter(({ only }) => only)).toEqual([{ text: "three ", only: true }]);
    });

    it("has addresses without dots and marks", () => {
        expect(slug("Clyde 2.0")).toBe("clyde-2-0");
        expect(cardPath("“... Really?”")).toBe("/cards/really");
        expect(parse("/cards/clyde-2-0")).toEqual({ page: "cards", card: "clyde-2-0" });
        expect(parse("/rules")).toEqual({ page: "rules" });
        expect(parse("/learn")).toEqual({ page: "learn" });
    });
});

const base = (serial: number, more: Partial<Base> = {}): Base => ({
    serial,
    id: 100 + serial,
    name: `Base ${String(serial)}`,
    breakpoint: 20,
    total: 0,
    totals: [0, 0],
    places: [],
    counters: 0,
    cards: [],
    breakpoint_parts: [],
    side_power: [],
    vp: [4, 2, 1],
    ...more,
});
const option = (index: number, english: string, more: Partial<Option> = {}): Option => ({
    index,
    label: { text: english, args: {}, english },
    ...more,
});
const view = (more: Partial<View> = {}): View =>
    ({
        turn: 1,
        bases: [base(1), base(2, { total: 18, totals: [10, 8] })],
        players: [
            { index: 0, vp: 8, hand: [], aside: [], factions: ["A", "B"] },
            { index: 1, vp: 8, hand: [], aside: [], factions: ["C", "D"] },
        ],
        ...more,
    }) as unknown as View;

describe("the coach", () => {
    const minion = { id: 7, name: "Rex", type: "minion", printed_power: 3 };
    const decision: Decision = {
        player: 0,
        kind: "move",
        options: [
            option(0, "Play Rex on Base 1", { verb: "play", card: minion, base: 1 }),
            option(1, "Play Rex on Base 2", { verb: "play", card: minion, base: 2 }),
            option(2, "End the Play Cards phase", { verb: "done" }),
        ],
    };
    const ways = waysOf(decision, view());
    const advised = (plan: Record<string, string[]>) =>
        counsel(plan, view(), decision, ways, 0)?.way.option.index;

    it("says what the lesson says, if that is on offer", () => {
        expect(advised({ 1: ["Play Mob on Base 1", "Play Rex on Base 1"] })).toBe(0);
        expect(counsel({ 1: ["Play Rex on Base 1"] }, view(), decision, ways, 0)?.planned).toBe(true);
    });

    it("looks for the best place off the path", () => {
        expect(advised({ 3: ["Play Rex on Base 1"] })).toBe(1);
        expect(worthAt(base(1, { total: 18, totals: [5, 13] }), 3, 0)).toBeLessThan(0);
    });

    it("shows where to click first, and then", () => {
        const way = ways[0];
        if (!way) throw new Error("there is a way");
        expect(nextClick(way, null)[0]).toBe('[data-spot="card:7"]');
        expect(nextClick(way, "card:7")[0]).toBe('[data-spot="base:1"]');
        const end = ways[2];
        if (!end) throw new Error("there is an end");
        expect(nextClick(end, null)).toEqual(['[data-option="2"]']);
    });

    it("tells every beat once, when its time has come", () => {
        const now: Situation = { view: view(), me: 0, menu: true };
        const told = new Set<string>();
        const next = (at: Situation) => nextBeat(at, (id) => told.has(id))?.id;
        for (const id of ["welcome", "bases", "hand"]) {
            expect(next(now)).toBe(id);
            told.add(id);
        }
        expect(next(now)).toBeUndefined();
        expect(next({ ...now, menu: false })).toBeUndefined();
        const later = view({ turn: 3 });
        expect(next({ ...now, view: later })).toBe("draw");
    });

    it("has words for what the lesson advises, and for nothing else", () => {
        const lesson = readFileSync("../smashup/rules/lesson.yaml", "utf8");
        const moves = REMARKS.filter((label) => label.startsWith("Play ") || label.startsWith("Use "));
        expect(moves.length).toBeGreaterThan(10);
        expect(moves.filter((label) => !lesson.includes(`- ${label}\n`))).toEqual([]);
        expect(remarkOn("End the Play Cards phase", 1)?.rule).toBe("turn.phases");
        expect(remarkOn("End the Play Cards phase", 9)).toBeNull();
    });

    it("keeps off what it is about", () => {
        const target = { left: 400, top: 700, width: 100, height: 150 };
        const size = { width: 300, height: 160 };
        const spot = roomFor(size, { width: 1000, height: 900 }, target, [
            { box: { left: 0, top: 600, width: 1000, height: 90 }, weight: 4 },
        ]);
        const apart =
            spot.left + size.width <= target.left ||
            spot.left >= target.left + target.width ||
            spot.top + size.height <= target.top;
        expect(apart).toBe(true);
        expect(spot.top + size.height <= 600 || spot.top >= 690).toBe(true);
    });
});
