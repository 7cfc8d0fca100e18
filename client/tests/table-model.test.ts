import { describe, expect, it } from "vitest";

import type { BaseView, EventView, LogLineView, Sentence, View } from "../src/protocol";
import { findAnchor, listFlights, type CardPositions } from "../src/table/animation/card-flights";
import {
    isReadyToScore,
    estimateTotals,
    leadersAt,
    breakpointPosition,
    gaugeSegments,
} from "../src/table/board/breakpoint";
import { secondsToShow, millisecondsPerSecond } from "../src/table/animation/step-timing";
import { idsInMessage, messageParts, messageText, type Translator } from "../src/table/cards/message-parts";
import frames from "./table-frames.json";

const view = frames.menu.view as unknown as View;
const lines = frames.scored.lines as unknown as LogLineView[];

function baseOf(serial: number): BaseView {
    const base = view.bases.find((candidate) => candidate.serial === serial);
    if (!base) throw new Error("no such base");
    return base;
}

describe("the gauge of a base", () => {
    const base = baseOf(3);

    it("is filled by each player's share of the breakpoint", () => {
        const [own, other] = gaugeSegments(base);
        expect(own).toMatchObject({ player: 0, power: 6, start: 0, ghost: false });
        expect(own?.width).toBeCloseTo((100 * 6) / 22);
        expect(other?.start).toBeCloseTo(own?.width ?? 0);
        expect(breakpointPosition(base)).toBe(100);
        expect(isReadyToScore(base)).toBe(false);
        expect(leadersAt(base)).toEqual([1]);
    });

    it("shows what a play would add as a ghost, and who would then get what", () => {
        const after = estimateTotals(base, 0, 4);
        expect(gaugeSegments(base, after).filter(({ ghost }) => ghost)).toMatchObject([
            { player: 0, power: 4 },
        ]);
        expect(after.total).toBe(18);
        expect(after.places).toEqual([
            { player: 0, place: 1, vp: 4 },
            { player: 1, place: 2, vp: 2 },
        ]);
    });

    it("shares a place in a tie and leaves the next one out", () => {
        expect(estimateTotals(base, 0, 2).places).toEqual([
            { player: 0, place: 1, vp: 4 },
            { player: 1, place: 1, vp: 4 },
        ]);
    });

    it("puts the mark where the breakpoint is once the total goes beyond it", () => {
        const after = estimateTotals(base, 0, 30);
        expect(isReadyToScore(after)).toBe(true);
        expect(breakpointPosition(after)).toBeCloseTo((100 * 22) / 44);
    });

    it("leaves out what would go", () => {
        const after = { ...base, totals: [6, 3], total: 9 };
        expect(gaugeSegments(base, after).map(({ power }) => power)).toEqual([6, 3]);
    });
});

describe("sentences of the server", () => {
    const english: Translator = { lang: "en", translate: (text) => text, names: ["Ana", "Bob"] };
    const french: Translator = {
        lang: "fr",
        translate: (text) =>
            ({ "{card} goes into the hand of {player}.": "{card} va dans la main de {player}." })[text] ??
            text,
        names: ["Ana", "Bob"],
    };
    const name = (sort: string, id: number, text: string) => ({ sort, id, text });
    const sentence = (text: string, args: Record<string, unknown>): Sentence => ({ text, args, english: "" });

    it("name players by their names, and cards so that they can be looked up", () => {
        const winner = lines[1]?.message;
        if (!winner) throw new Error("a base scored");
        expect(messageText(winner, english)).toBe("Bob is winner at Island Chain with 11 power: 3 VP.");
        const discarded = lines[3]?.message;
        if (!discarded) throw new Error("cards were discarded");
        expect(messageParts(discarded, english)[0]).toMatchObject({ sort: "card", name: "Foolish Magician" });
        expect(idsInMessage(winner, "player")).toEqual([1]);
    });

    it("elide in French", () => {
        const into = sentence("{card} goes into the hand of {player}.", {
            card: name("card", 3, "Spy"),
            player: name("player", 0, "P1"),
        });
        expect(messageText(into, french)).toBe("Spy va dans la main d’Ana.");
    });

    it("join lists and begin with a capital, hidden cards too", () => {
        const cards = [name("card", 1, "Spy"), name("card", 2, "Mole"), name("card", 3, "Mimic")];
        expect(messageText(sentence("{cards}.", { cards }), english)).toBe("Spy, Mole and Mimic.");
        expect(messageText(sentence("{card} is drawn.", { card: name("card", -1, "a card") }), english)).toBe(
            "A card is drawn.",
        );
    });

    it("end with one mark, whatever a name ends in", () => {
        const ended = (text: string, card: string) =>
            messageText(sentence(text, { card: name("card", 4, card) }), english);
        expect(ended("{card}.", "G.E.L.F.")).toBe("G.E.L.F.");
        expect(ended("Play {card}.", "Great White North, Eh?")).toBe("Play Great White North, Eh?");
        expect(ended("Play {card}?", "Eh?")).toBe("Play Eh?");
        expect(ended("Play {card}.", "“... Really?”")).toBe("Play “... Really?”");
        expect(ended("Play {card}?", "Form Megabot!")).toBe("Play Form Megabot!?");
    });
});

describe("the pace of what is shown", () => {
    it("gives the scoring of a base more time than a draw", () => {
        const drawn: LogLineView = {
            number: 1,
            event: "cards_drawn",
            message: { text: "{player} draws {cards}.", args: {}, english: "" },
        };
        expect(secondsToShow(lines)).toBeGreaterThan(secondsToShow([drawn]));
        expect(secondsToShow([])).toBe(0);
    });

    it("hurries if somebody waits for the end", () => {
        expect(millisecondsPerSecond(20, 1000, Infinity)).toBe(1000);
        expect(millisecondsPerSecond(1, 1000, 2500)).toBe(1000);
        expect(20 * millisecondsPerSecond(20, 1000, 2500)).toBe(2500);
        expect(millisecondsPerSecond(20, 1000, -50)).toBe(0);
    });
});

describe("cards on their way", () => {
    const node = document.createElement("div");
    const seen = (entries: [string, DOMRect][]): CardPositions =>
        new Map(entries.map(([id, rect]) => [id, { rect, node }]));
    const rect = (x: number, y: number) =>
        ({ x, y, width: 60, height: 80 }) as DOMRect; /* jsdom has no DOMRect */

    it("go from where they were to where they are", () => {
        const trips = listFlights(seen([["1", rect(0, 0)]]), seen([["1", rect(300, 0)]]), []);
        expect(trips).toHaveLength(1);
        expect(listFlights(seen([["1", rect(0, 0)]]), seen([["1", rect(2, 0)]]), [])).toEqual([]);
    });

    it("leave for the pile that the server names", () => {
        document.body.innerHTML = `<span data-anchor="discard:1"></span>`;
        const change: EventView = {
            kind: "destroyed",
            cards: [{ id: 1, name: "Spy", type: "minion" }],
            to: { zone: "discard", player: 1 },
        };
        const [trip] = listFlights(seen([["1", rect(0, 0)]]), seen([]), [change]);
        expect(trip).toMatchObject({ leaves: true, destroyed: true });
        expect(findAnchor({ zone: "deck", player: 3 }, new Map())).toBeNull();
    });
});
