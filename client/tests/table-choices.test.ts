import { beforeEach, describe, expect, it } from "vitest";

import { settings } from "../src/lib/settings.svelte";
import type { View } from "../src/protocol";
import {
    startSpots,
    choicesBetween,
    isWithoutCard,
    visibleSpots,
    targetSpots,
    choicesOf,
} from "../src/table/state/choices";
import { Chooser, type OpenDecision } from "../src/table/state/chooser.svelte";
import frames from "./table-frames.json";

interface Kept {
    number: number;
    view: View;
}

/** Decisions as a server really sent them. */
function kept(name: "menu" | "several" | "player"): OpenDecision {
    const { number, view } = frames[name] as unknown as Kept;
    const { decision } = view;
    if (!decision) throw new Error("nothing was asked");
    return { number, view, decision };
}

describe("options as ways", () => {
    const { view, decision } = kept("menu");
    const choices = choicesOf(decision, view);

    it("begin with the cards that can be played or used", () => {
        expect([...startSpots(choices)]).toEqual(["card:8", "card:32", "card:20"]);
    });

    it("lead a minion to bases, an action to minions, a talent to its card", () => {
        expect([...targetSpots(choices, "card:8")]).toEqual(["base:1", "base:2", "base:3"]);
        expect([...targetSpots(choices, "card:32")]).toEqual(["card:6", "card:24", "card:20"]);
        expect([...targetSpots(choices, "card:20")]).toEqual(["card:20"]);
    });

    it("lead a Special to its card like a talent", () => {
        const talents = (decision.options ?? []).filter(({ verb }) => verb === "talent");
        const options = talents.map((option) => ({ ...option, verb: "special" }));
        const special = choicesOf({ ...decision, options }, view);
        expect(special.map(({ from, to }) => [from, to])).toEqual([["card:20", "card:20"]]);
    });

    it("are one option for a card and a target", () => {
        expect(choicesBetween(choices, "card:32", "card:24").map((choice) => choice.option.index)).toEqual([
            4,
        ]);
    });

    it("keep what needs no card as a button", () => {
        expect(choices.filter(isWithoutCard).map((choice) => choice.option.verb)).toEqual(["done"]);
    });

    it("find the players to choose from", () => {
        const asked = kept("player");
        expect([...startSpots(choicesOf(asked.decision, asked.view))]).toEqual(["player:1", "player:2"]);
    });

    it("know what lies on the table", () => {
        const shown = visibleSpots(view);
        expect(shown.has("card:8")).toBe(true);
        expect(shown.has("base:2")).toBe(true);
        expect(shown.has("card:9999")).toBe(false);
    });
});

describe("a choice that is being made", () => {
    let sent: { options: number[]; done: boolean }[];
    const choosing = (asked: OpenDecision) =>
        new Chooser(
            () => asked,
            (options, done) => sent.push({ options, done }),
        );

    beforeEach(() => {
        sent = [];
        settings.warnEndTurn = true;
    });

    it("is a card and then where it goes", () => {
        const chooser = choosing(kept("menu"));
        expect(chooser.isSelectable("card:8")).toBe(true);
        expect(chooser.isSelectable("base:1")).toBe(false);
        chooser.click("card:8");
        expect(sent).toEqual([]);
        expect(chooser.isTarget("base:2")).toBe(true);
        chooser.click("base:2");
        expect(sent).toEqual([{ options: [1], done: false }]);
        expect(chooser.from).toBeNull();
    });

    it("offers a card that was found in a deck once, and then its places", () => {
        const menu = kept("menu");
        const players = menu.view.players.map((player) => ({
            ...player,
            hand: player.hand.filter(({ id }) => id !== 8),
        }));
        const chooser = choosing({ ...menu, view: { ...menu.view, players } });
        expect(chooser.offBoard.map(({ from }) => from)).toEqual(["card:8"]);
        const [found] = chooser.offBoard;
        if (found) chooser.chooseListed(found);
        expect(sent).toEqual([]);
        expect(chooser.isTarget("base:2")).toBe(true);
        chooser.click("base:2");
        expect(sent).toEqual([{ options: [1], done: false }]);
    });

    it("plays a card from a deck at once if there is one place only", () => {
        const menu = kept("menu");
        const { decision } = menu;
        const options = (decision.options ?? []).filter(({ card, base }) => card?.id === 8 && base === 2);
        const players = menu.view.players.map((player) => ({ ...player, hand: [] }));
        const chooser = choosing({
            ...menu,
            view: { ...menu.view, players },
            decision: { ...decision, options },
        });
        for (const choice of chooser.offBoard) chooser.chooseListed(choice);
        expect(sent).toEqual([{ options: [1], done: false }]);
    });

    it("can be put back, and changed for another card", () => {
        const chooser = choosing(kept("menu"));
        chooser.click("card:8");
        chooser.cancel();
        expect(chooser.from).toBeNull();
        chooser.click("card:8");
        chooser.click("card:32");
        expect(chooser.from).toBe("card:32");
        chooser.click("card:32");
        expect(chooser.from).toBeNull();
        expect(sent).toEqual([]);
    });

    it("warns before a turn ends with something left to play, if that is wanted", () => {
        const chooser = choosing(kept("menu"));
        const end = chooser.endTurn;
        expect(chooser.plain).toEqual([]);
        if (!end) throw new Error("a turn can be ended");
        chooser.choose(end);
        expect(sent).toEqual([]);
        expect(chooser.unconfirmed).toBe(end);
        chooser.choose(end);
        expect(sent).toEqual([{ options: [7], done: false }]);
        settings.warnEndTurn = false;
        chooser.choose(end);
        expect(sent).toHaveLength(2);
    });

    it("of several can be unpicked and goes as one", () => {
        const chooser = choosing(kept("several"));
        for (const spot of ["card:20", "card:26", "card:8", "card:26"] as const) chooser.click(spot);
        expect(chooser.picks).toEqual([0, 2]);
        expect(chooser.pickNumber("card:8")).toBe(2);
        expect(sent).toEqual([]);
        chooser.confirm();
        expect(sent).toEqual([{ options: [0, 2], done: true }]);
    });

    it("of several goes one by one if the server did not take them together", () => {
        const asked = kept("several");
        const chooser = choosing(asked);
        chooser.click("card:20");
        chooser.click("card:26");
        chooser.confirm();
        expect(chooser.isMultiPick).toBe(false);
        chooser.click("card:20");
        expect(sent.at(-1)).toEqual({ options: [0], done: false });
    });
});
