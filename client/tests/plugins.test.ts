/** Factions that the art plan does not know get colors, an emblem and pictures. */

import { describe, expect, it } from "vitest";

import { ALL_FACTIONS, loadFactionData } from "../src/cards/art/faction-data.svelte";
import { registerCards, registerFactions, pictureOf, styleOf } from "../src/cards/art/art-index";
import { contrastRatio } from "../src/cards/art/color";
import { colorsFromName, effectMarkOf, buildPalette } from "../src/cards/art/plugin-art";
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

await loadFactionData([ALL_FACTIONS]);

describe("a plug-in faction", () => {
    it("has the colors and icons it sets", () => {
        registerFactions([faction("Gnomes", { colors: ["#2f6b4f", "#ffd23f"], icon: "bad-gnome" })]);
        registerCards([
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
        registerFactions([faction("Clouds"), faction("Stones", { icon: "no-such-icon" })]);
        expect(styleOf("Clouds").palette).not.toEqual(styleOf("Stones").palette);
        expect(styleOf("Stones").emblem).not.toBe("no-such-icon");
        registerCards([
            {
                faction: "Clouds",
                cards: [card("Storm", "action", { text: "Destroy a minion.", power: 0 })],
                bases: [],
                titans: [],
            },
        ]);
        expect(pictureOf("Storm", "action").icon).toBe("death-skull");
        expect(effectMarkOf("Draw two cards.")).toBe("card-draw");
    });

    it("does not change factions of the plan", () => {
        const before = styleOf("Kaiju");
        registerFactions([faction("Kaiju", { colors: ["#000000", "#ffffff"] })]);
        expect(styleOf("Kaiju")).toEqual(before);
    });

    it("can be read whatever its colors", () => {
        const pairs = [
            ["#ffffff", "#ffffff"],
            ["#000000", "#000000"],
            ["#ffff00", "#00ff00"],
            colorsFromName("X"),
        ];
        for (const [main = "", accent = ""] of pairs) {
            const { ground, paper, ink, accent: light } = buildPalette(main, accent);
            expect(contrastRatio(ink, paper)).toBeGreaterThanOrEqual(7);
            expect(contrastRatio("#ffffff", ground)).toBeGreaterThanOrEqual(4.5);
            expect(contrastRatio(light, ground)).toBeGreaterThanOrEqual(2.9);
        }
    });
});
