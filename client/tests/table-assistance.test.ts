/** What helps at the table: the recap, deck lists, hints and the talk. */

import { beforeEach, describe, expect, it, vi } from "vitest";

import type { CardInfo, Hint, LogLineView, OptionView, ChatMessage, View } from "../src/protocol";
import { HintState } from "../src/table/state/hint.svelte";
import type { Choice } from "../src/table/state/choices";
import type { Chooser } from "../src/table/state/chooser.svelte";
import { listCopies } from "../src/table/players/deck-contents";
import { phraseText, PHRASES, chatText } from "../src/table/chat/phrases";
import { buildRecap } from "../src/table/log/recap";
import { ChatState } from "../src/table/chat/chat-state.svelte";
import frames from "./table-frames.json";

const player = (id: number) => ({ sort: "player", id, text: `P${String(id + 1)}` });
const card = (id: number, text: string) => ({ sort: "card", id, text });
const base = (id: number, text: string) => ({ sort: "base", id, text });

let lineNumber = 0;
function line(event: string, text: string, args: Record<string, unknown>): LogLineView {
    lineNumber += 1;
    return { number: lineNumber, event, message: { text, args, english: text } };
}

const turn = (number: number, whose: number): LogLineView =>
    line("turn_started", "Turn {turn}: {player}.", { turn: number, player: player(whose) });
const plays = (whose: number, name: string): LogLineView =>
    line("card_played.at_base", "{player} plays {card} at {base}.", {
        player: player(whose),
        card: card(9, name),
        base: base(2, "The Dohyo"),
    });
const wins = (whose: number, amount: number): LogLineView =>
    line("place_awarded.first", "{player} wins {base} with {total} power: {amount} VP.", {
        player: player(whose),
        base: base(2, "The Dohyo"),
        total: 20,
        amount,
    });

describe("since one's last turn", () => {
    const game = [
        turn(1, 0),
        plays(0, "Mine"),
        turn(2, 1),
        plays(1, "Theirs"),
        line("card_leaves_play.destroyed", "{cause} destroys {card}.", {
            cause: { text: "{card}", args: { card: card(9, "Theirs") }, english: "Theirs" },
            card: card(4, "Mine"),
        }),
        turn(3, 2),
        plays(2, "Third"),
        plays(0, "My Special"),
        line("base_scoring", "{base} scores: {total} power, breakpoint {breakpoint}.", {
            base: base(2, "The Dohyo"),
        }),
        wins(2, 3),
        wins(0, 2),
        line("victory_points_gained", "{player} gains {amount} VP.", { player: player(2), amount: 1 }),
        turn(4, 0),
        plays(0, "Mine Again"),
    ];

    it("tells turn by turn what was played, what went and what scored", () => {
        const told = buildRecap(game, 0);
        expect(told?.turns.map((one) => [one.turn, one.player])).toEqual([
            [2, 1],
            [3, 2],
        ]);
        const [first, second] = told?.turns ?? [];
        expect(first?.events.map(({ kind, card }) => [kind, card?.name])).toEqual([
            ["played", "Theirs"],
            ["destroyed", "Mine"],
        ]);
        expect(second?.events.map(({ kind, player, base }) => [kind, player, base?.name])).toEqual([
            ["played", 2, "The Dohyo"],
            ["played", 0, "The Dohyo"],
            ["scored", 2, "The Dohyo"],
        ]);
    });

    it("adds up who gained what", () => {
        expect(buildRecap(game, 0)?.points).toEqual([
            { player: 2, amount: 4 },
            { player: 0, amount: 2 },
        ]);
    });

    it("goes by the ids of events, whatever the lines say", () => {
        const gapsOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).join(" ");
        const blank = game.map((one) => ({
            ...one,
            message: { ...one.message, text: gapsOf(one.message.text), english: "" },
        }));
        expect(buildRecap(blank, 0)).toEqual(buildRecap(game, 0));
    });

    it("begins where one's own turn ended, for every seat", () => {
        expect(buildRecap(game, 2)?.turns.map((one) => one.turn)).toEqual([4]);
        expect(buildRecap(game.slice(0, 6), 0)?.turns.map((one) => one.turn)).toEqual([2]);
    });

    it("is nothing before anybody else has played", () => {
        expect(buildRecap([], 0)).toBeNull();
        expect(buildRecap(game.slice(0, 2), 0)).toBeNull();
        expect(buildRecap([turn(1, 1), turn(2, 0)], 0)).toBeNull();
    });
});

describe("a deck list", () => {
    const view = frames.menu.view as unknown as View;
    const [me] = view.players;
    if (!me) throw new Error("somebody plays");
    const info = (name: string, copies: number): CardInfo =>
        ({ name, copies, type: "minion", power: 2 }) as unknown as CardInfo;
    const seen = new Map<string, number>();
    for (const { name } of me.hand) if (name) seen.set(name, (seen.get(name) ?? 0) + 1);
    const [held = ""] = seen.keys();

    it("knows one's own hand, and what is left of each card", () => {
        const deck = [info(held, 4), info("Nowhere To Be Seen", 2)];
        const [faction = ""] = me.factions;
        const [first, second] = listCopies({ ...me, factions: [faction] }, view, () => deck);
        expect(first).toMatchObject({ inHand: seen.get(held) });
        const { inPlay = 0, inHand = 0, discarded = 0, unseen = 0 } = first ?? {};
        expect(inPlay + inHand + discarded + unseen).toBe(4);
        expect(second).toMatchObject({ inPlay: 0, inHand: 0, discarded: 0, unseen: 2 });
    });

    it("counts only the player's own cards, wherever they lie", () => {
        const theirs = { id: 900, name: "Wanderer", type: "minion", owner: 1, controller: 0 };
        const bases = view.bases.map((one, at) => (at === 0 ? { ...one, cards: [theirs] } : one));
        const now: View = { ...view, bases };
        const other = view.players[1];
        if (!other) throw new Error("two play");
        const of = (whose: typeof me) =>
            listCopies({ ...whose, factions: ["x"] }, now, () => [info("Wanderer", 1)])[0];
        expect(of(other)).toMatchObject({ inPlay: 1, unseen: 0 });
        expect(of(me)).toMatchObject({ inPlay: 0, unseen: 1 });
    });

    it("leaves what lies face down unseen", () => {
        const now: View = { ...view, limbo: [{ hidden: true }] };
        const [one] = listCopies({ ...me, factions: ["x"] }, now, () => [info("Secret", 1)]);
        expect(one?.unseen).toBe(1);
    });
});

describe("a hint", () => {
    const option = (index: number): OptionView => ({ index, label: { text: "", args: {}, english: "" } });
    const choices: Choice[] = [
        { option: option(0), from: "card:1", to: "base:1" },
        { option: option(1), from: "card:1", to: "base:2" },
        { option: option(2), from: "card:2", to: "base:1" },
        { option: option(3), from: null, to: null },
    ];
    const hint: Hint = {
        type: "hint",
        id: "h",
        number: 5,
        option: 1,
        opinions: [
            { option: 0, chance: 0.4, visits: 9 },
            { option: 1, chance: 0.6, visits: 40 },
            { option: 2, chance: 0.5, visits: 12 },
            { option: 3, chance: 0, visits: 0 },
        ],
    };
    let chooser: { asked: { number: number }; from: string | null; choices: Choice[] };
    let advice: HintState;

    beforeEach(() => {
        chooser = { asked: { number: 5 }, from: null, choices };
        advice = new HintState(chooser as unknown as Chooser, () => Promise.resolve(hint));
    });

    it("is shown on what is clicked first, then on where it goes", async () => {
        expect(advice.at("card:1")).toBeNull();
        expect(await advice.ask()).toBe(true);
        expect(advice.at("card:1")).toEqual({ chance: 0.6, best: true });
        expect(advice.at("card:2")).toEqual({ chance: 0.5, best: false });
        const taken = new HintState({ ...chooser, from: "card:1" } as unknown as Chooser, () =>
            Promise.resolve(hint),
        );
        await taken.ask();
        expect(taken.at("base:1")).toEqual({ chance: 0.4, best: false });
        expect(taken.at("base:2")).toEqual({ chance: 0.6, best: true });
    });

    it("says nothing of what was never tried", async () => {
        await advice.ask();
        const [, , , done] = choices;
        expect(done && advice.of(done)).toBeNull();
        expect(advice.best?.option.index).toBe(1);
    });

    it("is gone with its decision, and when the game goes back", async () => {
        await advice.ask();
        const next = new HintState({ ...chooser, asked: { number: 6 } } as unknown as Chooser, () =>
            Promise.resolve(hint),
        );
        await next.ask();
        expect(next.hint).toBeNull();
        advice.forget();
        expect(advice.hint).toBeNull();
    });
});

describe("the talk", () => {
    const said = (number: number, seat: number, text: string, phrase = ""): ChatMessage => ({
        number,
        seat,
        at: 0,
        text,
        phrase,
    });
    const lines = [said(0, 1, "", "hello"), said(1, 0, "Hi Bob"), said(2, 1, "Nice hat"), said(3, 2, "")];
    const talkOf = (known: ChatMessage[]) =>
        new ChatState(
            "t1",
            () => known,
            () => 0,
        );

    beforeEach(() => {
        localStorage.clear();
    });

    it("counts what others said and nobody has read, and remembers it", () => {
        const chatState = talkOf(lines);
        expect(chatState.unread).toBe(2);
        chatState.readAll();
        expect(chatState.unread).toBe(0);
        expect(talkOf(lines).unread).toBe(0);
    });

    it("leaves out who is muted, after a reload too, and words that were deleted", () => {
        const chatState = talkOf(lines);
        expect(chatState.lines.map(({ number }) => number)).toEqual([0, 1, 2]);
        chatState.mute(1, true);
        expect(talkOf(lines).lines.map(({ number }) => number)).toEqual([1]);
        expect(talkOf(lines).isMuted(1)).toBe(true);
        chatState.mute(1, false);
        expect(talkOf(lines).lines).toHaveLength(3);
    });

    it("lets what is new float for a while, but not what was said before", () => {
        vi.useFakeTimers();
        const known = lines.slice(0, 2);
        const chatState = talkOf(known);
        chatState.update();
        expect(chatState.bubbleOf(1)).toBeNull();
        known.push(said(4, 1, "Ha!"));
        chatState.update();
        expect(chatState.bubbleOf(1)?.text).toBe("Ha!");
        vi.advanceTimersByTime(7000);
        expect(chatState.bubbleOf(1)).toBeNull();
        vi.useRealTimers();
    });

    it("has words for every phrase", () => {
        expect(PHRASES).toHaveLength(12);
        expect(new Set(PHRASES.map(phraseText)).size).toBe(12);
        expect(PHRASES.map(phraseText)).not.toContain("");
        expect(chatText(said(0, 1, "", "ouch"))).toBe("Ouch!");
    });

    it("survives whatever lies in the browser's memory", () => {
        for (const text of ["null", "{}", '[{"id": 3}]', "nonsense"]) {
            localStorage.setItem("smashup.talk", text);
            expect(talkOf(lines).unread).toBe(2);
        }
    });
});
