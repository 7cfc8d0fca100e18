import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { settings } from "../src/lib/settings.svelte";
import type { Frame, TableConnection } from "../src/net/connection.svelte";
import type { Step } from "../src/net/frames";
import type { View } from "../src/protocol";
import { Playback } from "../src/table/animation/playback.svelte";

let tell: (frame: Frame) => void;
const connection = {
    view: null,
    lines: [],
    listen: (listener: (frame: Frame) => void) => {
        tell = listener;
        return () => undefined;
    },
} as unknown as TableConnection;

function play(version: number, options?: never[]): Step {
    const decision = options ? { player: 0, options } : { player: 1 };
    const view = { turn: version, decision, over: false } as unknown as View;
    const text = "{player} plays {card}.";
    const lines = [{ number: version, event: text, message: { text, args: {}, english: "" } }];
    const rest = { table: {}, number: 0, wishes: null, changes: [], rewound: null } as unknown as Step;
    return { ...rest, type: "update", version, view, lines };
}

describe("what is shown of a game", () => {
    beforeEach(() => {
        vi.useFakeTimers();
        settings.motion = "normal";
    });
    afterEach(() => {
        vi.useRealTimers();
    });

    it("is one step after the other", async () => {
        const playback = new Playback(connection);
        [1, 2, 3].forEach((version) => tell(play(version)));
        await vi.advanceTimersByTimeAsync(10);
        expect(playback.view?.turn).toBe(1);
        expect(playback.pendingSteps).toBe(2);
        await vi.advanceTimersByTimeAsync(1000);
        expect(playback.view?.turn).toBe(2);
        await vi.advanceTimersByTimeAsync(1000);
        expect(playback.view?.turn).toBe(3);
        expect(playback.lines.map(({ number }) => number)).toEqual([1, 2, 3]);
    });

    it("does not hold back a decision for long, however much led to it", async () => {
        const playback = new Playback(connection);
        for (let version = 1; version <= 12; version += 1)
            tell(play(version, version === 12 ? [] : undefined));
        await vi.advanceTimersByTimeAsync(3000);
        expect(playback.view?.turn).toBe(12);
        expect(playback.pendingSteps).toBe(0);
    });

    it("is everything at once for who is in a hurry, or wants no motion", async () => {
        const playback = new Playback(connection);
        [1, 2, 3].forEach((version) => tell(play(version)));
        playback.hurry();
        await vi.advanceTimersByTimeAsync(10);
        expect(playback.view?.turn).toBe(3);
        settings.motion = "off";
        [4, 5].forEach((version) => tell(play(version)));
        expect(playback.view?.turn).toBe(5);
    });

    it("goes back at once when a choice was taken back, with every line that still holds", async () => {
        const playback = new Playback(connection);
        [1, 2, 3].forEach((version) => tell(play(version)));
        await vi.advanceTimersByTimeAsync(10);
        expect(playback.view?.turn).toBe(1);
        tell({ ...play(4), rewound: 3 });
        expect(playback.view?.turn).toBe(4);
        expect(playback.pendingSteps).toBe(0);
        expect(playback.lines.map(({ number }) => number)).toEqual([1, 2, 4]);
    });
});
