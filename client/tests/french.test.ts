/** French spelling around names and numbers, and plurals in both languages. */

import { beforeAll, describe, expect, it } from "vitest";

import { elide, writeNumber } from "../src/lib/french";
import { settings } from "../src/lib/settings.svelte";
import { loadLanguage, loadPageTexts, plural, t, gameText } from "../src/lib/i18n.svelte";
import type { Sentence } from "../src/protocol";
import { messageText, type Translator } from "../src/table/cards/message-parts";

beforeAll(async () => {
    await loadPageTexts();
    await loadLanguage("fr");
});

describe("elision", () => {
    it.each([
        ["la main de ", "Ana", "la main d’"],
        ["la main de ", "Œdipe", "la main d’"],
        ["la main de ", "Yves", "la main d’"],
        ["la main de ", "Yokozuna", "la main de "],
        ["la main de ", "Hansel", "la main de "],
        ["la main de ", "One for All", "la main de "],
        ["la main de ", "Onini the Python", "la main d’"],
        ["la main de ", "1.21 Gigawatts", "la main de "],
        ["jusqu’à ce que ", "Élise", "jusqu’à ce qu’"],
        ["lorsque ", "Ana", "lorsqu’"],
        ["La ", "Action", "L’"],
        ["ronde ", "Ana", "ronde "],
        ["prenez-le ", "Ana", "prenez-le "],
    ])("turns “%s” before %s into “%s”", (before, name, expected) => {
        expect(elide(before, name)).toBe(expected);
    });

    it("is for French only", () => {
        settings.change({ lang: "en" });
        expect(t("Hand of {name}", { name: "Ana" })).toBe("Hand of Ana");
        settings.change({ lang: "fr" });
        expect(t("Hand of {name}", { name: "Ana" })).toBe("Main d’Ana");
        expect(t("Discard pile of {name}", { name: "Ismaël" })).toBe("Défausse d’Ismaël");
    });
});

describe("plurals", () => {
    const cards = (count: number) => plural(count, "{count} minion", "{count} minions");

    it("have one card in English and fewer than two in French", () => {
        settings.change({ lang: "en" });
        expect([0, 1, 2].map(cards)).toEqual(["0 minions", "1 minion", "2 minions"]);
        settings.change({ lang: "fr" });
        expect([0, 1, 2].map(cards)).toEqual(["0 Créature", "1 Créature", "2 Créatures"]);
    });
});

describe("lists", () => {
    it("are joined with the words of each language", () => {
        const cards = ["Spy", "Mole"].map((text, id) => ({ sort: "card", id, text }));
        const drawn: Sentence = {
            text: "{player} draws {cards}.",
            args: { player: "Ana", cards },
            english: "",
        };
        settings.change({ lang: "fr" });
        expect(messageText(drawn, { lang: "fr", translate: gameText, names: [] })).toBe(
            "Ana pioche Spy et Mole.",
        );
        settings.change({ lang: "en" });
        expect(messageText(drawn, { lang: "en", translate: gameText, names: [] })).toBe(
            "Ana draws Spy and Mole.",
        );
    });
});

describe("numbers", () => {
    it("have a minus sign and a comma in French", () => {
        expect([-2, 1.5, 12].map(writeNumber)).toEqual(["−2", "1,5", "12"]);
        const lost: Sentence = { text: "{amount} power", args: { amount: -2 }, english: "" };
        const tongue = (lang: string): Translator => ({ lang, translate: (text) => text, names: [] });
        expect(messageText(lost, tongue("fr"))).toBe("−2 power");
        expect(messageText(lost, tongue("en"))).toBe("-2 power");
    });
});
