/** The pictures: every card of the plan has one that can be drawn, and so has a card nobody has planned. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import basePlan from "../art/bases.json";
import cardPlan from "../art/cards.json";
import common from "../art/common.json";
import { ALL_FACTIONS, loadFactionData } from "../src/cards/art/faction-data.svelte";
import {
    emblemUrl,
    factionsWithArt,
    factionOf,
    paletteOf,
    pictureOf,
    namesWithArt,
    landscapeOf,
    sheetName,
    styleOf,
    symbolUrl,
} from "../src/cards/art/art-index";
import { splitClauses } from "../src/cards/faces/ability-clauses";
import { contrastRatio, mixColors } from "../src/cards/art/color";
import { fitNameSize, fitTextSize, countLines, titleWidth } from "../src/cards/faces/fit-text";
import { iconUrl, iconNames } from "../src/cards/art/icons";
import { effectMarks } from "../src/cards/faces/effect-marks";
import { factionStyle } from "../src/cards/art/palette-style";
import { patternImage } from "../src/cards/art/patterns";
import { positionZoom } from "../src/cards/zoom/zoom-position";
import { layOutLandscape } from "../src/cards/art/landscape";
import { attachesTo } from "../src/cards/faces/type-line";
import { createParticles } from "../src/cards/art/weather-effects";
import { settings } from "../src/lib/settings.svelte";

const drawn = join(import.meta.dirname, "../public");
const sheets = new Map<string, string>();

/** Whether the symbol at an address has been drawn. */
function isDrawn(address: string): boolean {
    const [file = "", id = ""] = address.split("#");
    const path = join(drawn, file.split("?")[0] ?? "");
    if (!sheets.has(path)) sheets.set(path, existsSync(path) ? readFileSync(path, "utf8") : "");
    return sheets.get(path)?.includes(`<symbol id="${id}" `) ?? false;
}

await loadFactionData([ALL_FACTIONS]);

describe("the art plan", () => {
    const { cards, bases } = namesWithArt();

    it("has all cards, titans and bases", () => {
        const inPlan = Object.values(cardPlan).reduce((sum, faction) => sum + Object.keys(faction).length, 0);
        expect(cards.length).toBe(inPlan);
        expect(cards.length).toBeGreaterThan(290);
        expect(bases.length).toBeGreaterThan(40);
        expect(factionsWithArt().sort()).toEqual(Object.keys(basePlan).sort());
    });

    it.each(cards)("has drawn %s", (name) => {
        const picture = pictureOf(name, "action");
        expect(picture.faction).not.toBeNull();
        expect(isDrawn(symbolUrl(picture.sheet, picture.icon))).toBe(true);
        if (picture.behind !== null) expect(isDrawn(symbolUrl(picture.sheet, picture.behind))).toBe(true);
        if (picture.mark !== null) {
            expect(isDrawn(symbolUrl("common", picture.mark))).toBe(true);
        }
    });

    it.each(bases)("has drawn the base %s", (name) => {
        const scene = landscapeOf(name);
        expect(factionOf(name, "base")).toBe(scene.faction);
        expect(isDrawn(symbolUrl(scene.sheet, scene.far))).toBe(true);
        expect(isDrawn(symbolUrl(scene.sheet, scene.near))).toBe(true);
        const shown = layOutLandscape(name, scene);
        expect(contrastRatio(shown.far, scene.sky[1])).toBeGreaterThan(1.5);
        expect(contrastRatio(shown.near, shown.ground)).toBeGreaterThan(1.25);
    });

    it.each(factionsWithArt())("can be read in the colors of %s", (name) => {
        const { ground, paper, ink, accent } = paletteOf(name);
        const dimmed = mixColors(paper, "#14101f", 0.9);
        expect(contrastRatio("#ffffff", ground)).toBeGreaterThanOrEqual(4.5);
        expect(contrastRatio(ink, dimmed)).toBeGreaterThanOrEqual(7);
        expect(contrastRatio(ink, paper)).toBeGreaterThanOrEqual(7);
        expect(contrastRatio(ground, paper)).toBeGreaterThanOrEqual(4.5);
        expect(contrastRatio(mixColors(ground, ink, 0.75), dimmed)).toBeGreaterThanOrEqual(4.5);
        expect(contrastRatio(ink, accent)).toBeGreaterThanOrEqual(4.5);
        expect(isDrawn(emblemUrl(name))).toBe(true);
    });

    it("explains its marks", () => {
        settings.change({ lang: "en" });
        const explained = effectMarks().map(({ mark, meaning }) => [mark, meaning]);
        expect(Object.fromEntries(explained)).toEqual(common.marks);
    });

    it("has drawn the backs and the signs for buttons", () => {
        for (const back of Object.values(common.backs)) {
            expect(isDrawn(symbolUrl("backs", back.icon))).toBe(true);
            expect(isDrawn(symbolUrl("backs", back.behind))).toBe(true);
        }
        for (const name of iconNames) expect([name, isDrawn(iconUrl(name))]).toEqual([name, true]);
        expect(new Set(iconNames).size).toBe(iconNames.length);
    });
});

describe("what nobody has planned", () => {
    it("gets a picture by its type", () => {
        for (const type of ["minion", "action", "titan", "something"]) {
            const picture = pictureOf("Some Stranger", type);
            expect(picture.faction).toBeNull();
            expect(isDrawn(symbolUrl(picture.sheet, picture.icon))).toBe(true);
        }
        expect(pictureOf("Some Stranger", "minion").icon).not.toBe(pictureOf("Some Stranger", "titan").icon);
    });

    it("gets a landscape, a palette and an emblem", () => {
        const scene = landscapeOf("Nowhere");
        expect(isDrawn(symbolUrl(scene.sheet, scene.near))).toBe(true);
        expect(factionOf("Nowhere", "base")).toBeNull();
        expect(contrastRatio("#ffffff", paletteOf("Aliens of Mine").ground)).toBeGreaterThanOrEqual(4.5);
        expect(isDrawn(symbolUrl("common", styleOf("Aliens of Mine").emblem))).toBe(true);
        expect(factionStyle(null)).toContain("--f-ground:#");
    });
});

describe("names", () => {
    const room = { width: 67.5, lines: 2, biggest: 10.5, smallest: 5.5 };

    it("are large where they are short, and smaller where they have to", () => {
        expect(fitNameSize("Spy", room)).toBe(10.5);
        expect(fitNameSize("Señor Muchoslam vs the Monsters", room)).toBeLessThan(10.5);
    });

    it("all fit into two lines", () => {
        const { cards, bases } = namesWithArt();
        for (const name of [...cards, ...bases]) {
            const size = fitNameSize(name, room);
            expect([name, countLines(name, room.width / size)]).toEqual([
                name,
                expect.toSatisfy((n) => n <= 2),
            ]);
        }
    });

    it("know that a long word cannot be wrapped", () => {
        expect(countLines("Rumpelstiltskin", 3)).toBe(99);
        expect(fitNameSize("Rumpelstiltskinsgrandmotherscousin", room)).toBe(5.5);
        expect(titleWidth("MMM")).toBeGreaterThan(titleWidth("iii") * 2);
    });
});

describe("abilities", () => {
    it("are smaller the longer they are", () => {
        const sizes = [7, 6, 5];
        expect(fitTextSize("Draw a card.", 84, 50, sizes)).toBe(7);
        expect(fitTextSize("Draw a card. ".repeat(30), 84, 50, sizes)).toBe(5);
    });

    it("are cut before keywords", () => {
        expect(splitClauses("Play on a base. Ongoing: it stays. Talent: go.")).toEqual([
            { keyword: null, rest: "Play on a base." },
            { keyword: "Ongoing:", rest: "it stays." },
            { keyword: "Talent:", rest: "go." },
        ]);
        expect(splitClauses("Spécial\u00a0: jouez. Permanent\u00a0: restez.")).toEqual([
            { keyword: "Spécial\u00a0:", rest: "jouez." },
            { keyword: "Permanent\u00a0:", rest: "restez." },
        ]);
        expect(splitClauses("Choose a base: draw.")).toEqual([
            { keyword: null, rest: "Choose a base: draw." },
        ]);
    });

    it("say where an action stays", () => {
        expect(attachesTo("minion", "")).toBe("minion");
        expect(attachesTo(undefined, "Play on a base. Ongoing: wait.")).toBe("base");
        expect(attachesTo("", "Play on a minion of yours.")).toBe("minion");
        expect(attachesTo("", "Destroy a minion.")).toBe("");
    });
});

describe("odds and ends", () => {
    it("names sheets and patterns", () => {
        expect(sheetName("Grimms' Fairy Tales")).toBe("grimms-fairy-tales");
        expect(patternImage("dots", "#123456")).toContain(encodeURIComponent("#123456"));
        expect(patternImage("no such", "#123456")).toBe(patternImage("dots", "#123456"));
    });

    it("strews the same stars each night", () => {
        expect(createParticles("Tokyo", "embers")).toEqual(createParticles("Tokyo", "embers"));
        expect(createParticles("Tokyo", "clouds")).toEqual([]);
    });

    it("keeps a tip within the window", () => {
        const room = { width: 1000, height: 700 };
        const tip = { width: 300, height: 430 };
        const at = (left: number, top: number) => ({ left, top, width: 80, height: 100 });
        expect(positionZoom(at(100, 300), tip, room).left).toBe(192);
        expect(positionZoom(at(900, 300), tip, room).left).toBe(588);
        expect(positionZoom(at(900, 0), tip, room).top).toBe(8);
        const phone = { width: 390, height: 844 };
        const low = positionZoom(at(150, 700), tip, phone);
        expect(low.top + tip.height).toBeLessThanOrEqual(700);
        expect(positionZoom(at(150, 20), tip, phone).top).toBe(132);
    });
});
