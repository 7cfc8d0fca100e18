/** New tables, the pair on the poster, difficulty, credits. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { factionsWithArt } from "../src/cards/art/art-index";
import { listSets } from "../src/cards/gallery/set-order";
import { settings } from "../src/lib/settings.svelte";
import { parseCredits } from "../src/pages/about/credits";
import { drawPair } from "../src/pages/home/random-pair";
import { NewTableForm, formFor } from "../src/pages/new/table-form.svelte";
import { difficultyOf } from "../src/pages/picker/difficulty";
import { activeTables } from "../src/pages/lobby/active-tables";
import { timeAgo } from "../src/pages/lobby/time-ago";
import type { TableInfo } from "../src/protocol";

describe("a new table", () => {
    it("is a duel with a bot unless asked otherwise", () => {
        settings.change({ name: "Robin", lang: "en" });
        const toRequest = new NewTableForm("bots").toRequest();
        expect(toRequest.seats).toEqual([
            { kind: "me", level: "normal", name: "Robin" },
            { kind: "bot", level: "normal", name: "Sprocket" },
        ]);
        expect(toRequest).toMatchObject({ mode: "random", listed: false, spectators: true, lang: "en" });
        expect(toRequest).not.toHaveProperty("edition");
    });

    it("waits for friends, and has room for four on one screen", () => {
        const friends = new NewTableForm("friends");
        friends.count = 3;
        expect(friends.toRequest().seats.map((seat) => seat.kind)).toEqual(["me", "open", "open"]);
        expect(friends.complete).toBe(false);
        const here = new NewTableForm("here");
        here.count = 4;
        expect(here.toRequest().seats.map((seat) => seat.kind)).toEqual(["me", "me", "me", "me"]);
        expect(here.complete).toBe(true);
    });

    it("sends the factions of those who choose here", () => {
        const form = new NewTableForm("friends");
        const [mine, theirs] = form.all;
        if (mine === undefined || theirs === undefined) throw new Error("a plan has seats");
        form.choose(mine.number, ["Kaiju", "Mounties"]);
        expect(form.mode).toBe("choose");
        expect(form.toRequest().seats[0]?.factions).toEqual(["Kaiju", "Mounties"]);
        expect(form.toRequest().seats[1]).not.toHaveProperty("factions");
        expect(form.takenBeside(theirs, () => "Robin").Kaiju).toBe("Robin");
        form.mode = "random";
        expect(form.toRequest().seats[0]).not.toHaveProperty("factions");
    });

    it("is remembered while the page is open", () => {
        formFor("bots").count = 4;
        expect(formFor("bots").count).toBe(4);
        expect(formFor("here").count).toBe(2);
    });
});

describe("the poster", () => {
    it("shows two different factions, and others the next time", () => {
        for (let time = 0; time < 50; time++) {
            const [first, second] = drawPair(factionsWithArt(), ["Kaiju", "Mounties"], false) ?? [];
            expect(first).not.toBe(second);
            expect([first, second]).not.toContain("Kaiju");
        }
    });

    it("is easy on newcomers", () => {
        for (let time = 0; time < 50; time++) {
            for (const name of drawPair(factionsWithArt(), [], true) ?? []) {
                expect(difficultyOf(name)?.rating).toBe("easy");
            }
        }
    });

    it("makes do with few factions", () => {
        expect(drawPair(["Mine", "Yours"], ["Mine", "Yours"], true)?.toSorted()).toEqual(["Mine", "Yours"]);
        expect(drawPair(["Mine"], [], false)).toBeNull();
    });
});

it("every faction has its difficulty", () => {
    expect(factionsWithArt().filter((name) => difficultyOf(name) === null)).toEqual([]);
    expect(difficultyOf("A faction of my own")).toBeNull();
});

it("the authors of the icons are all named", () => {
    const text = readFileSync("art/CREDITS.md", "utf8");
    const authors = parseCredits(text);
    const [, icons = "", people = ""] = /Used here: (\d+) icons by (\d+) authors/.exec(text) ?? [];
    expect(authors).toHaveLength(Number(people));
    expect(authors.flatMap((author) => author.icons)).toHaveLength(Number(icons));
    expect(authors.find((author) => author.name === "Lorc")?.address).toContain("lorcblog");
    expect(authors.filter((author) => author.free).map((author) => author.name)).toEqual(["Zeromancer"]);
});

describe("the lobby", () => {
    function table(id: string, here: boolean, created: number): TableInfo {
        return {
            id,
            created,
            state: "open",
            seats: [{ kind: "person", here }, { kind: "open" }],
        } as TableInfo;
    }

    it("shows tables where somebody is first, and forgets those that were left", () => {
        const now = 10_000;
        const tables = [table("left", false, 1000), table("new", false, 9900), table("here", true, 1000)];
        expect(activeTables(tables, now).map(({ id }) => id)).toEqual(["here", "new"]);
    });
});

it("time is told in words", () => {
    settings.change({ lang: "en" });
    expect(timeAgo(1000, 1030)).toBe("just now");
    expect(timeAgo(1000, 1000 + 5 * 60)).toBe("5 minutes ago");
    expect(timeAgo(1000, 1000 + 3 * 3600)).toBe("3 hours ago");
    expect(timeAgo(0, 86_400)).toBe("yesterday");
});

describe("the sets of factions", () => {
    it("are listed as they were published, with those of faction files last", () => {
        const sets = ["Cease and Desist", "My Factions", "Core Set", "Cease and Desist"];
        expect(listSets(sets.map((set_name) => ({ set_name })))).toEqual([
            "Core Set",
            "Cease and Desist",
            "My Factions",
        ]);
    });
});
