/** What the prompt says at the start of each decision. */

import { describe, expect, it } from "vitest";

import type { DecisionView, OptionView, Plays, View } from "../src/protocol";
import { promptHeadline } from "../src/table/prompt/prompt-text";

const plays = (...kinds: Plays["kind"][]): Plays[] =>
    kinds.map((kind) => ({ kind, count: 1, normal: true, notes: [] }) as unknown as Plays);
const option = (more: object): OptionView => ({ index: 0, ...more }) as unknown as OptionView;
const minion = option({ verb: "play", card: { type: "minion" }, base: 1 });
const fusion = option({ verb: "play", card: { type: "minion" } });
const action = option({ verb: "play", card: { type: "action" } });
const talent = option({ verb: "talent" });
const done = option({ verb: "done" });

function headline(left: Plays[], ...options: OptionView[]): string | null {
    const decision = { purpose: "play_menu", options } as unknown as DecisionView;
    return promptHeadline(decision, { plays: left } as unknown as View);
}

describe("the headline of the turn", () => {
    it("names what can be played", () => {
        expect(headline(plays("minion", "action"), minion, action, done)).toBe(
            "Your turn: play a minion and an action",
        );
        expect(headline(plays("minion"), minion, done)).toBe("Your turn: play a minion");
        expect(headline(plays("action"), fusion, done)).toBe("Your turn: play an action");
    });

    it("names nothing that the hand does not allow", () => {
        expect(headline(plays("minion", "action"), action, done)).toBe("Your turn: play an action");
        expect(headline(plays("minion"), done)).toBe("Your turn: nothing you can play");
        expect(headline(plays("minion"), talent, done)).toBe("Your turn: use an ability or end the turn");
        expect(headline([], done)).toBe("Your turn: nothing left to play");
    });
});

describe("a card that makes a player discard", () => {
    it("says how many cards", () => {
        const discard = (min: number, max: number): string | null =>
            promptHeadline(
                { purpose: "discard", source: { name: "Spirit" }, min, max } as unknown as DecisionView,
                {} as View,
            );
        expect(discard(3, 3)).toBe("Discard 3 cards");
        expect(discard(0, 3)).toBeNull();
        expect(discard(1, 1)).toBeNull();
    });
});
