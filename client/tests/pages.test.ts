/** New tables, the pair on the poster, difficulty, credits. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { factionNames } from "../src/cards/art";
import { settings } from "../src/lib/settings.svelte";
import { authorsIn } from "../src/pages/about/credits";
import { drawPair } from "../src/pages/home/pairs";
import { Plan, planFor } from "../src/pages/new/plan.svelte";
import { difficultyOf } from "../src/pages/picker/difficulty";
import { lively } from "../src/pages/tables/lively";
import { since } from "../src/pages/tables/since";
import type { TableInfo } from "../src/protocol";

describe("a new table", () => {
    it("is a duel with a bot unless asked otherwise", () => {
        settings.change({ name: "Robin", lang: "en" });
        const form = new Plan("bots").form();
        expect(form.seats).toEqual([
            { kind: "me", level: "normal", name: "Robin" },
            { kind: "bot", level: "normal", name: "Sprocket" },
        ]);
        expect(form).toMatchObject({ mode: "random", listed: false, spectators: true, lang: "en" });
        expect(form).not.toHaveProperty("edition");
    });

    it("waits for friends, and has room for four on one screen", () => {
        const friends = new Plan("friends");
        friends.count = 3;
        expect(friends.form().seats.map((seat) => seat.kind)).toEqual(["me", "open", "open"]);
        expect(friends.complete).toBe(false);
        const here = new Plan("here");
        here.count = 4;
        expect(here.form().seats.map((seat) => seat.kind)).toEqual(["me", "me", "me", "me"]);
        expect(here.complete).toBe(true);
    });

    it("sends the factions of those who choose here", () => {
        const plan = new Plan("friends");
        const [mine, theirs] = plan.all;
        if (mine === undefined || theirs === undefined) throw new Error("a plan has seats");
        plan.choose(mine.number, ["Kaiju", "Mounties"]);
        expect(plan.mode).toBe("choose");
        expect(plan.form().seats[0]?.factions).toEqual(["Kaiju", "Mounties"]);
        expect(plan.form().seats[1]).not.toHaveProperty("factions");
        expect(plan.takenBeside(theirs, () => "Robin").Kaiju).toBe("Robin");
        plan.mode = "random";
        expect(plan.form().seats[0]).not.toHaveProperty("factions");
    });

    it("is remembered while the page is open", () => {
        planFor("bots").count = 4;
        expect(planFor("bots").count).toBe(4);
        expect(planFor("here").count).toBe(2);
    });
});

describe("the poster", () => {
    it("shows two different factions, and others the next time", () => {
        for (let time = 0; time < 50; time++) {
            const [first, second] = drawPair(factionNames(), ["Kaiju", "Mounties"], false) ?? [];
            expect(first).not.toBe(second);
            expect([first, second]).not.toContain("Kaiju");
        }
    });

    it("is easy on newcomers", () => {
        for (let time = 0; time < 50; time++) {
            for (const name of drawPair(factionNames(), [], true) ?? []) {
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
    expect(factionNames().filter((name) => difficultyOf(name) === null)).toEqual([]);
    expect(difficultyOf("A faction of my own")).toBeNull();
});

it("the authors of the icons are all named", () => {
    const text = readFileSync("art/CREDITS.md", "utf8");
    const authors = authorsIn(text);
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
        expect(lively(tables, now).map(({ id }) => id)).toEqual(["here", "new"]);
    });
});

it("time is told in words", () => {
    settings.change({ lang: "en" });
    expect(since(1000, 1030)).toBe("just now");
    expect(since(1000, 1000 + 5 * 60)).toBe("5 minutes ago");
    expect(since(1000, 1000 + 3 * 3600)).toBe("3 hours ago");
    expect(since(0, 86_400)).toBe("yesterday");
});
