/** Factions that the art plan does not know get colors, an emblem and pictures. */

import { describe, expect, it } from "vitest";

import { learnCards, learnFactions, pictureOf, styleOf } from "../src/cards/art";
import { contrast } from "../src/cards/colour";
import { colorsFor, markOf, paletteFrom } from "../src/cards/plugins";
import type { CardInfo, FactionInfo } from "../src/protocol";

const faction = (name: string, more: Partial<FactionInfo> = {}): FactionInfo => ({
    name,
    set_name: "Elsewhere",
    blurb: "",
    colors: [],
    icon: "",
    ...more,
});
const card = (name: string, type: string, more: Partial<CardInfo> = {}): CardInfo => ({
    name,
    type,
    text: "",
    keywords: [],
    copies: 1,
    power: 3,
    on: "",
    breakpoint: 0,
    vp: [],
    optional: false,
    special: false,
    icon: "",
    ...more,
});

describe("a plug-in faction", () => {
    it("has the colors and icons it sets", () => {
        learnFactions([faction("Gnomes", { colors: ["#2f6b4f", "#ffd23f"], icon: "bad-gnome" })]);
        learnCards([
            {
                faction: "Gnomes",
                cards: [card("Angler", "minion", { icon: "fishing-hook" }), card("Plain Gnome", "minion")],
                bases: [],
                titans: [],
            },
        ]);
        expect(styleOf("Gnomes").palette).toMatchObject({ ground: "#2f6b4f", accent: "#ffd23f" });
        expect(styleOf("Gnomes").emblem).toBe("bad-gnome");
        expect(pictureOf("Angler", "minion").icon).toBe("fishing-hook");
        expect(pictureOf("Plain Gnome", "minion").icon).toBe("bad-gnome");
        expect(pictureOf("Angler", "minion").faction).toBe("Gnomes");
    });

    it("gets colors of its own, and pictures that show what cards do", () => {
        learnFactions([faction("Clouds"), faction("Stones", { icon: "no-such-icon" })]);
        expect(styleOf("Clouds").palette).not.toEqual(styleOf("Stones").palette);
        expect(styleOf("Stones").emblem).not.toBe("no-such-icon");
        learnCards([
            {
                faction: "Clouds",
                cards: [card("Storm", "action", { text: "Destroy a minion.", power: 0 })],
                bases: [],
                titans: [],
            },
        ]);
        expect(pictureOf("Storm", "action").icon).toBe("death-skull");
        expect(markOf("Draw two cards.")).toBe("card-draw");
    });

    it("does not change factions of the plan", () => {
        const before = styleOf("Kaiju");
        learnFactions([faction("Kaiju", { colors: ["#000000", "#ffffff"] })]);
        expect(styleOf("Kaiju")).toEqual(before);
    });

    it("can be read whatever its colors", () => {
        const pairs = [
            ["#ffffff", "#ffffff"],
            ["#000000", "#000000"],
            ["#ffff00", "#00ff00"],
            colorsFor("X"),
        ];
        for (const [main = "", accent = ""] of pairs) {
            const { ground, paper, ink, accent: light } = paletteFrom(main, accent);
            expect(contrast(ink, paper)).toBeGreaterThanOrEqual(7);
            expect(contrast("#ffffff", ground)).toBeGreaterThanOrEqual(4.5);
            expect(contrast(light, ground)).toBeGreaterThanOrEqual(2.9);
        }
    });
});
