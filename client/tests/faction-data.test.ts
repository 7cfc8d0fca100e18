/** Data of factions that is loaded only where they are shown. */

import { afterEach, describe, expect, it } from "vitest";

import { landscapeOf, pictureOf } from "../src/cards/art/art-index";
import {
    factionsOf,
    hasAllFactionData,
    loadFactionData,
    reloadFactionTexts,
} from "../src/cards/art/faction-data.svelte";
import { gameText, loadLanguage } from "../src/lib/i18n.svelte";
import { settings } from "../src/lib/settings.svelte";

const BABOOM = "Talent: play an extra action on this minion.";

afterEach(() => {
    settings.change({ lang: "en" });
});

describe("the data of a faction", () => {
    it("is not there until it is loaded", async () => {
        settings.change({ lang: "en" });
        expect(pictureOf("Baboom", "minion").faction).toBeNull();
        expect(hasAllFactionData(["Cyborg Apes"])).toBe(false);
        await loadFactionData(["Cyborg Apes"]);
        expect(hasAllFactionData(["Cyborg Apes"])).toBe(true);
        expect(hasAllFactionData(["Cyborg Apes", "Kaiju"])).toBe(false);
        expect(pictureOf("Baboom", "minion").faction).toBe("Cyborg Apes");
        expect(pictureOf("Gorgodzolla", "minion").faction).toBeNull();
    });

    it("brings its texts along when the language changes", async () => {
        settings.change({ lang: "fr" });
        await loadLanguage("fr");
        expect(gameText(BABOOM)).toBe(BABOOM);
        expect(hasAllFactionData(["Cyborg Apes"])).toBe(false);
        await reloadFactionTexts();
        expect(gameText(BABOOM)).toMatch(/^Talent\s: jouez/);
        expect(hasAllFactionData(["Cyborg Apes"])).toBe(true);
    });

    it("does not exist for custom factions", () => {
        expect(hasAllFactionData(["Gnomes"])).toBe(true);
    });

    it("includes the Madness deck and all bases in every game", async () => {
        const needed = factionsOf([{ factions: ["Ignobles"] }, { factions: [] }]);
        expect(needed).toEqual(["Ignobles", "Madness", "bases"]);
        settings.change({ lang: "fr" });
        await loadFactionData(needed);
        expect(landscapeOf("Tokyo").faction).toBe("Kaiju");
        expect(gameText("The winner takes an extra turn after the current turn.")).toMatch(/^Le Vainqueur/);
        expect(pictureOf("Gorgodzolla", "minion").faction).toBeNull();
    });
});
