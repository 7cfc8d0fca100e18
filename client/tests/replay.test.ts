/** Recordings: the first one ever is still read, seen through anybody's eyes, and run through like a film. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { settings } from "../src/lib/settings.svelte";
import { parse } from "../src/lib/router.svelte";
import type { Face, TableInfo } from "../src/protocol";
import {
    probabilityLayers,
    chartMaximum,
    pointLines,
    listScoredBases,
    turnTicks,
    stepPosition,
} from "../src/replay/chart-lines";
import { changesAt, linesAt, viewAt } from "../src/replay/perspective";
import { ReplayPlayer } from "../src/replay/replay-player.svelte";
import { Recording, UnknownFormat, type Recorded } from "../src/replay/format";
import { bestCard, decisiveTurn } from "../src/replay/highlights";
import { handleReplayKey } from "../src/replay/replay-keyboard";
import { replayAddress, parsePosition } from "../src/replay/replay-address";
import { TableContext } from "../src/table/state/table-context.svelte";

/** Written once by `scripts/sample_recording.py`, and never again: version 1 is read for good. */
const GOLDEN = "../tests/server/recording-1.json.gz";
const recorded = JSON.parse(gunzipSync(readFileSync(GOLDEN)).toString()) as Recorded;
const recording = new Recording(recorded);
const last = recording.last;
const table = { id: "t1", state: "over", seats: [], winners: [0] } as unknown as TableInfo;

const isHidden = ({ hidden }: Face) => hidden === true;

describe("the first recording", () => {
    it("is read, from the beginning to the end", () => {
        expect(recording.whole).toBe(true);
        expect(recording.players).toBe(2);
        const first = recording.view(0, 0);
        expect(first.players.map(({ factions }) => factions)).toEqual([
            ["Kaiju", "Time Travelers"],
            ["Shapeshifters", "Super Spies"],
        ]);
        expect(first.players[0]?.hand.map(({ name }) => typeof name)).toEqual(Array(5).fill("string"));
        const turns = Array.from({ length: last + 1 }, (_, step) => recording.view(step, -1).turn);
        expect(turns).toEqual([...turns].sort((a, b) => a - b));
        expect(turns.at(-1)).toBe(13);
        for (let step = 0; step <= last; step += 1) expect(recording.turnOf(step)).toBe(turns[step]);
        expect(recording.choices(0)).toEqual([]);
        expect(recording.choices(1)[0]?.chosen.english).toMatch(/\w/);
    });

    it("keeps what does not change", () => {
        const bases = (step: number) => recording.view(step, -1).bases;
        const same = Array.from({ length: last }, (_, step) => bases(step) === bases(step + 1));
        expect(same).toContain(true);
    });

    it("has a log without gaps, the same for everybody but for hidden cards", () => {
        for (const perspective of [0, 1, "out", "all"] as const) {
            const lines = Array.from({ length: last + 1 }, (_, step) =>
                linesAt(recording, step, perspective),
            ).flat();
            expect(lines.map(({ number }) => number)).toEqual(lines.map((_, at) => at));
        }
    });

    it("is refused where it is of another kind", () => {
        expect(() => new Recording({ ...recorded, version: 2 })).toThrow(UnknownFormat);
        expect(() => new Recording({ ...recorded, format: "smashup-save" })).toThrow(UnknownFormat);
        expect(() => recording.view(last + 1, 0)).toThrow(RangeError);
    });

    it("knows where a game could go on", () => {
        const menus = recorded.steps.flatMap(({ menu }, step) => (menu === "" ? [] : step));
        expect(recording.menuBefore(last)).toBe(menus.at(-1));
        expect(recording.menuBefore(menus[0] ?? 0)).toBe(menus[0]);
    });
});

describe("the eyes of", () => {
    it("a seat see its own hand only", () => {
        const [mine, theirs] = viewAt(recording, 3, 0).players;
        expect(mine?.hand.some(isHidden)).toBe(false);
        expect(theirs?.hand.every(isHidden)).toBe(true);
    });

    it("a spectator see no hand", () => {
        expect(viewAt(recording, 0, "out").players.every(({ hand }) => hand.every(isHidden))).toBe(true);
    });

    it("whoever wants to see it all see all hands, and who drew what", () => {
        for (let step = 0; step <= last; step += 1) {
            const { players, limbo } = viewAt(recording, step, "all");
            for (const player of players) {
                expect(player.hand.some(isHidden)).toBe(false);
                expect(player.hand).toHaveLength(player.hand_size);
            }
            expect(limbo.some(isHidden)).toBe(false);
            for (const change of changesAt(recording, step, "all")) {
                if (change.kind === "drawn") expect(change.cards?.some(isHidden)).toBe(false);
            }
        }
        const drawn = linesAt(recording, 0, "all").filter(({ message }) => message.text.includes("draws"));
        expect(drawn).toHaveLength(2);
        for (const { message } of drawn) expect(message.english).not.toMatch(/\d cards|a card/);
    });
});

describe("the chart", () => {
    const { turns } = recording;

    it("has a place for every turn", () => {
        expect(turns.map(({ turn }) => turn)).toEqual(Array.from({ length: 14 }, (_, turn) => turn));
        expect(stepPosition(0, turns, last)).toBe(0);
        expect(stepPosition(last, turns, last)).toBe(100);
        const places = Array.from({ length: last + 1 }, (_, step) => stepPosition(step, turns, last));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        const seventh = turns.find(({ turn }) => turn === 7);
        expect(stepPosition(seventh?.step ?? 0, turns, last)).toBeCloseTo((100 * 6) / 13);
    });

    it("draws a line and a layer for each seat", () => {
        expect(chartMaximum(turns)).toBe(15);
        const lines = pointLines(turns, 15);
        expect(lines).toHaveLength(2);
        expect(lines[0]).toMatch(/^M0 100(H[\d.]+V[\d.]+){13}$/);
        const layers = probabilityLayers(turns);
        expect(layers[0]).toMatch(/^M0 [\d.]+(L[\d.]+ [\d.]+){27}Z$/);
        expect(layers[1]).toContain("L100 0");
        expect(turnTicks(turns).map((at) => turns[at]?.turn)).toEqual([5, 10]);
    });

    it("marks the bases that scored", () => {
        const found = listScoredBases(recording);
        expect(found.length).toBeGreaterThan(0);
        for (const { step, base, winner } of found) {
            expect(base).not.toBe("");
            const before = recording.view(step - 1, -1);
            expect(before.bases.map(({ name }) => name)).toContain(base);
            if (winner !== null) {
                const after = recording.view(step, -1).players[winner]?.vp ?? 0;
                expect(after).toBeGreaterThan(before.players[winner]?.vp ?? 0);
            }
        }
    });
});

describe("an address", () => {
    it("says where one is", () => {
        expect(replayAddress("a/b", 7, 1)).toBe("/replay/a%2Fb?step=7&eyes=1");
        expect(parsePosition("?step=7&eyes=1", 2)).toEqual({ step: 7, perspective: 1 });
        expect(parsePosition("?eyes=out")).toEqual({ step: 0, perspective: "out" });
        expect(parse("/replay/t1")).toEqual({ page: "replay", id: "t1" });
    });

    it.each(["", "?step=-1", "?step=1e99", "?step=x&eyes=9", "?eyes=2", "?eyes=-1"])(
        "may be %j",
        (search) => {
            expect(parsePosition(search, 2)).toEqual({ step: 0, perspective: null });
        },
    );
});

describe("a film", () => {
    let replay: ReplayPlayer;
    let ctx: TableContext;

    beforeEach(async () => {
        vi.useFakeTimers();
        vi.stubGlobal("fetch", () => Promise.reject(new Error("no server")));
        settings.motion = "off";
        replay = new ReplayPlayer(recording, table, 5, 0);
        ctx = new TableContext("t1", [], replay.openSocket);
        replay.screen = ctx.playback;
        await vi.advanceTimersByTimeAsync(0);
    });

    afterEach(() => {
        replay.close();
        ctx.close();
        vi.useRealTimers();
        vi.unstubAllGlobals();
    });

    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

    /** What the table shows is what was recorded. */
    function expectAt(step: number): void {
        expect(replay.step).toBe(step);
        expect(ctx.view).toEqual(plain(viewAt(recording, step, replay.perspective)));
        const lines = Array.from({ length: step + 1 }, (_, at) =>
            linesAt(recording, at, replay.perspective),
        ).flat();
        expect(ctx.playback.lines).toEqual(plain(lines));
    }

    it("is shown by the parts of a table", () => {
        expectAt(5);
        expect(ctx.connection.status).toBe("open");
        expect(ctx.me).toBe(0);
        expect(ctx.you).toBeNull();
        expect(ctx.chooser.asked).toBeNull();
    });

    it("is shown before the steps that follow are read", () => {
        const read = vi.spyOn(recording, "lines");
        replay.look("all");
        expect(Math.max(...read.mock.calls.map(([step]) => step))).toBe(5);
        expect(ctx.playback.lines.length).toBeGreaterThan(0);
        read.mockRestore();
    });

    it("goes on, back, and anywhere", () => {
        replay.go(6);
        expectAt(6);
        replay.go(5);
        expectAt(5);
        replay.go(10_000);
        expectAt(last);
        expect(replay.atEnd).toBe(true);
        expect(ctx.table?.state).toBe("over");
        replay.go(-3);
        expectAt(0);
        replay.go(NaN);
        expectAt(0);
    });

    it("goes from turn to turn", () => {
        const starts = recording.turns.slice(1).map(({ step }) => step);
        replay.go(0);
        for (const start of starts.filter((step) => step > 0)) {
            replay.goTurn(1);
            expectAt(start);
        }
        replay.goTurn(1);
        expectAt(last);
        replay.goTurn(-1);
        expect(replay.step).toBe(starts.findLast((start) => start < last));
    });

    it("changes eyes where it is", () => {
        replay.look(1);
        expectAt(5);
        expect(ctx.me).toBe(1);
        replay.look("all");
        expectAt(5);
        expect(ctx.me).toBeNull();
    });

    it("tells of choices only who made them, or whoever sees it all", () => {
        const step = Array.from({ length: last }, (_, at) => at + 1).find((at) =>
            recording.choices(at).some(({ player }) => player === 1),
        );
        replay.go(step ?? 0);
        replay.look(0);
        expect(replay.choices.every(({ player }) => player === 0)).toBe(true);
        replay.look("out");
        expect(replay.choices).toEqual([]);
        replay.look("all");
        expect(replay.choices).toEqual(recording.choices(step ?? 0));
    });

    it("runs by itself, as fast as one likes, to the end", async () => {
        replay.go(last - 3);
        replay.play();
        await vi.advanceTimersByTimeAsync(200);
        expectAt(last - 3);
        await vi.advanceTimersByTimeAsync(3000);
        expect(replay.step).toBeGreaterThan(last - 3);
        replay.go(last - 3);
        replay.play();
        replay.run(4);
        await vi.advanceTimersByTimeAsync(3000);
        expectAt(last);
        expect(replay.playing).toBe(false);
        replay.toggle();
        expectAt(0);
        replay.pause();
        await vi.advanceTimersByTimeAsync(60_000);
        expectAt(0);
    });

    it("lets cards travel when it goes one step on", async () => {
        settings.motion = "normal";
        const seen: string[] = [];
        ctx.playback.stage = { before: () => seen.push("before"), after: () => seen.push("after") };
        replay.go(6);
        await vi.advanceTimersByTimeAsync(1);
        replay.go(7);
        await vi.advanceTimersByTimeAsync(1);
        expect(seen).toEqual(["before", "after", "before", "after"]);
        expectAt(7);
        replay.go(3);
        await vi.advanceTimersByTimeAsync(1);
        expect(seen).toHaveLength(4);
        expectAt(3);
    });

    it("listens to the keyboard, but not where keys mean something else", () => {
        const press = (key: string, more: KeyboardEventInit = {}) => {
            const event = new KeyboardEvent("keydown", { key, cancelable: true, ...more });
            handleReplayKey(event, replay);
            return event.defaultPrevented;
        };
        expect(press("ArrowRight")).toBe(true);
        expectAt(6);
        press("ArrowLeft");
        expectAt(5);
        press("End");
        expectAt(last);
        press("Home");
        expectAt(0);
        press("ArrowRight", { shiftKey: true });
        expect(recording.turns.map(({ step }) => step)).toContain(replay.step);
        press(" ");
        expect(replay.playing).toBe(true);
        press(" ");
        expect(replay.playing).toBe(false);
        const box = document.body.appendChild(document.createElement("input"));
        box.focus();
        expect(press("ArrowRight")).toBe(false);
        box.remove();
        expect(press("ArrowRight", { ctrlKey: true })).toBe(false);
        expect(press("x")).toBe(false);
    });
});

describe("the highlights", () => {
    it("name the card with the largest share of the VP", () => {
        const best = bestCard(recording);
        expect(best).not.toBeNull();
        expect(best?.vp).toBeGreaterThan(0);
        expect(best?.power).toBeGreaterThan(0);
        // Nobody earns more with a card than all players did together.
        const all = recording.view(last, -1).players.reduce((sum, { vp }) => sum + vp, 0);
        expect(best?.vp).toBeLessThanOrEqual(all);
    });

    it("name the turn in which the winner's chance rose the most", () => {
        const decisive = decisiveTurn(recording);
        const [winner = 0] = recording.winners;
        const rises = recording.turns
            .slice(1)
            .map(({ chances }, at) => (chances[winner] ?? 0) - (recording.turns[at]?.chances[winner] ?? 0));
        expect((decisive?.after ?? 0) - (decisive?.before ?? 0)).toBeCloseTo(Math.max(...rises));
        expect(decisive?.turn).toBe(recording.turns[1 + rises.indexOf(Math.max(...rises))]);
    });

    it("are empty for a game without a winner", () => {
        expect(decisiveTurn(new Recording({ ...recorded, winners: [] }))).toBeNull();
    });
});
