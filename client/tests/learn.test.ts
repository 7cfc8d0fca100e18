/** The rules behind texts, searching, the card browser, and the coach. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { diffWords } from "../src/learn/cards/word-diff";
import { listEntries, hasKeyword } from "../src/learn/cards/catalogue";
import { NO_FILTERS, parseFilters, filterEntries, formatFilters } from "../src/learn/cards/filters";
import { nextLessonStep, type Situation } from "../src/learn/coach/lesson-steps";
import { adviseChoice, valueAt } from "../src/learn/coach/advice";
import { ADVICE_IDS, adviceText } from "../src/learn/coach/advice-texts";
import { positionBubble } from "../src/learn/coach/bubble-position";
import { nextClickSelectors } from "../src/learn/coach/next-click";
import { parseBlocks, stripMarkup } from "../src/learn/rules/markup";
import { mergeNotes } from "../src/learn/rules/edition-notes";
import { idsBehindDecision } from "../src/learn/rules/rulebook.svelte";
import { foldText, containsAll, markMatches, splitWords } from "../src/lib/text-search";
import { cardPath, cardSlug } from "../src/learn/slug";
import { parse } from "../src/lib/router.svelte";
import type {
    LessonAdvice,
    BaseView,
    CardInfo,
    Cards,
    DecisionView,
    Meta,
    OptionView,
    View,
} from "../src/protocol";
import { choicesOf } from "../src/table/state/choices";

describe("texts of the rules", () => {
    const called = (target: string) => target.toUpperCase();

    it("have paragraphs, lists, stress and links", () => {
        expect(parseBlocks("A **b** *c*.\n\n- one [[x.y]]\n- two [[card:Z|zed]]", called)).toEqual([
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
        expect(stripMarkup("A **b** [[card:Z]] [[x|y]]")).toBe("A b Z y");
    });

    it("are found without accents, and what was found is marked", () => {
        expect(foldText("Égalité, Œuvre d’art")).toBe("egalite, oeuvre d'art");
        expect(containsAll(foldText("Vainqueur, Deuxième"), splitWords("deuxieme VAIN"))).toBe(true);
        expect(containsAll(foldText("Vainqueur"), splitWords("vainqueur perdant"))).toBe(false);
        expect(markMatches("Une égalité", ["egal"])).toEqual([
            { text: "Une ", hit: false },
            { text: "égal", hit: true },
            { text: "ité", hit: false },
        ]);
    });

    it("have notes by edition, the same ones together", () => {
        const notes = { SB: "a", CD: "b", BIJ: "b" };
        expect(mergeNotes(notes, null)).toEqual([
            { keys: ["SB"], text: "a" },
            { keys: ["CD", "BIJ"], text: "b" },
        ]);
        expect(mergeNotes(notes, "CD")).toEqual([{ keys: ["CD"], text: "b" }]);
        expect(mergeNotes(notes, "CS")).toEqual([]);
    });

    it("are behind decisions: by card and purpose, or by purpose", () => {
        const cardIndex = {
            purposes: { target: ["a"], may: ["b"] },
            cards: { Rex: { target: ["c", "a"] } },
        };
        expect(idsBehindDecision(cardIndex, { purpose: "target" })).toEqual(["a"]);
        expect(idsBehindDecision(cardIndex, { purpose: "target", source: { name: "Rex" } })).toEqual([
            "c",
            "a",
        ]);
        expect(idsBehindDecision(cardIndex, { purpose: "may", source: { name: "Rex" } })).toEqual(["b"]);
        expect(idsBehindDecision(cardIndex, { purpose: "target", source: { hidden: true } })).toEqual(["a"]);
    });
});

const card = (name: string, more: Partial<CardInfo> = {}): CardInfo => ({
    name,
    type: "minion",
    text: "",
    keywords: [],
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
    const entries = listEntries(
        meta,
        cards(
            "printed",
            card("Rex", { text: "Talent: roar.", keywords: ["talent"] }),
            card("Old", { power: 7 }),
        ),
        cards(
            "current",
            card("Rex", { text: "Talent: whisper.", keywords: ["talent"] }),
            card("New", { type: "action" }),
        ),
    );
    const word = (text: string) => (text === "Rex" ? "Roi" : text);
    const names = (query: string) =>
        filterEntries(entries, parseFilters(query), word).map(({ name }) => name);

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
        const filters = { ...NO_FILTERS, q: " big one ", faction: "Kaiju", differs: true };
        expect(formatFilters(NO_FILTERS)).toBe("");
        expect(formatFilters(filters)).toBe("?q=big+one&faction=Kaiju&differs=1");
        expect(parseFilters(formatFilters(filters))).toEqual({ ...filters, q: "big one" });
        expect(parseFilters("?type=wizard&power=x&sort=up&keyword=<b>")).toEqual(NO_FILTERS);
    });

    it("tells keywords by the English text", () => {
        expect(hasKeyword(card("A", { keywords: ["special"] }), "special")).toBe(true);
        expect(hasKeyword(card("A", { keywords: ["counters", "extra"] }), "extra")).toBe(true);
        expect(hasKeyword(card("A", { on: "minion" }), "on-base")).toBe(false);
    });

    it("marks what differs between two texts", () => {
        const [one, two] = diffWords("Draw two cards at the end.", "Draw three cards at the end.");
        expect(one).toEqual([
            { text: "Draw ", only: false },
            { text: "two ", only: true },
            { text: "cards at the end.", only: false },
        ]);
        expect(two.filter(({ only }) => only)).toEqual([{ text: "three ", only: true }]);
    });

    it("has addresses without dots and marks", () => {
        expect(cardSlug("Clyde 2.0")).toBe("clyde-2-0");
        expect(cardPath("“... Really?”")).toBe("/cards/really");
        expect(parse("/cards/clyde-2-0")).toEqual({ page: "cards", card: "clyde-2-0" });
        expect(parse("/rules")).toEqual({ page: "rules" });
        expect(parse("/learn")).toEqual({ page: "learn" });
    });
});

const base = (serial: number, more: Partial<BaseView> = {}): BaseView => ({
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
const option = (index: number, english: string, more: Partial<OptionView> = {}): OptionView => ({
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
    const decision: DecisionView = {
        player: 0,
        kind: "move",
        options: [
            option(0, "Play Rex on BaseView 1", { verb: "play", card: minion, base: 1 }),
            option(1, "Play Rex on BaseView 2", { verb: "play", card: minion, base: 2 }),
            option(2, "End turn", { verb: "done" }),
        ],
    };
    const choices = choicesOf(decision, view());
    const advised = (plan: Record<string, LessonAdvice[]>) => {
        const found = adviseChoice(plan, view(), decision, choices, 0);
        return [found?.choice.option.index, found?.planned];
    };
    const rexOnOne = { id: "rex", verb: "play", card: "Rex", base: "Base 1" };

    it("says what the lesson says, if that is on offer", () => {
        expect(advised({ 1: [{ ...rexOnOne, id: "mob", card: "Mob" }, rexOnOne] })).toEqual([0, "rex"]);
        expect(advised({ 1: [{ id: "end", verb: "done" }] })).toEqual([2, "end"]);
        expect(advised({ 1: [{ ...rexOnOne, extra: true }] })[1]).toBeNull();
        expect(advised({ 1: [{ ...rexOnOne, by: "Rex" }] })[1]).toBeNull();
    });

    it("tells hosts by their base, and yes from no", () => {
        const seen = view({
            bases: [1, 2].map((serial) =>
                base(serial, { cards: [{ ...minion, id: 20 + serial, controller: 0 }] }),
            ),
        });
        const play = { verb: "play", card: { id: 9, name: "Hat" } };
        const hats: DecisionView = {
            player: 0,
            kind: "move",
            options: [option(0, "x", { ...play, host: 21 }), option(1, "x", { ...play, host: 22 })],
        };
        const plan = { id: "hat", verb: "play", card: "Hat", host: "Rex", base: "Base 2" };
        expect(adviseChoice({ 1: [plan] }, seen, hats, choicesOf(hats, seen), 0)?.choice.option.index).toBe(
            1,
        );
        const asked: DecisionView = {
            player: 0,
            purpose: "may",
            source: { name: "Rex" },
            options: [option(0, "x", { mode: 0 }), option(1, "x", { mode: 1 })],
        };
        const no = { id: "no", by: "Rex", mode: 1 };
        expect(adviseChoice({ 1: [no] }, seen, asked, choicesOf(asked, seen), 0)?.choice.option.index).toBe(
            1,
        );
    });

    it("looks for the best place off the path", () => {
        expect(advised({ 3: [rexOnOne] })).toEqual([1, null]);
        expect(valueAt(base(1, { total: 18, totals: [5, 13] }), 3, 0)).toBeLessThan(0);
    });

    it("plays a Special rather than nothing while a base scores", () => {
        const play = { verb: "play", card: { id: 9, name: "Hat" } };
        const options = [option(0, "x", { verb: "pass" }), option(1, "x", play)];
        const pause: DecisionView = { player: 0, kind: "move", options };
        expect(adviseChoice({}, view(), pause, choicesOf(pause, view()), 0)?.choice.option.index).toBe(1);
    });

    it("shows where to click first, and then", () => {
        const way = choices[0];
        if (!way) throw new Error("there is a way");
        expect(nextClickSelectors(way, null)[0]).toBe('[data-spot="card:7"]');
        expect(nextClickSelectors(way, "card:7")[0]).toBe('[data-spot="base:1"]');
        const end = choices[2];
        if (!end) throw new Error("there is an end");
        expect(nextClickSelectors(end, null)).toEqual(['[data-option="2"]']);
    });

    it("tells every beat once, when its time has come", () => {
        const now: Situation = { view: view(), me: 0, menu: true };
        const told = new Set<string>();
        const next = (at: Situation) => nextLessonStep(at, (id) => told.has(id))?.id;
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
        const ids = [...lesson.matchAll(/\{id: (\w+)/g)].map(([, id]) => id ?? "");
        expect(ids.length).toBeGreaterThan(15);
        expect(ADVICE_IDS.filter((id) => !ids.includes(id))).toEqual([]);
        expect(ids.filter((id) => !ADVICE_IDS.includes(id) && id !== "end")).toEqual([]);
        expect(adviceText("first_end")?.rule).toBe("turn.phases");
        expect(adviceText("end")).toBeNull();
    });

    it("keeps off what it is about", () => {
        const target = { left: 400, top: 700, width: 100, height: 150 };
        const size = { width: 300, height: 160 };
        const spot = positionBubble(size, { width: 1000, height: 900 }, target, [
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
