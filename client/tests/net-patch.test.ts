import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { completeUpdate } from "../src/net/frames";
import { applyPatch, viewChecksum } from "../src/net/patch";
import type { Snapshot, Update, View, ViewPatch } from "../src/protocol";

interface Sequence {
    first: View;
    updates: { patch: ViewPatch; checksum: number }[];
    last: View;
}

/** Written by `scripts/sample_updates.py`: what seats and spectators are sent in some games. */
const sequences = JSON.parse(gunzipSync(readFileSync("tests/updates.json.gz")).toString()) as Sequence[];

describe("patches of a view", () => {
    it.each(sequences)("lead through recorded game $#", ({ first, updates, last }) => {
        expect(updates.length).toBeGreaterThan(50);
        let view = first;
        for (const { patch, checksum } of updates) {
            const before = JSON.stringify(view);
            const next = applyPatch(view, patch);
            expect(viewChecksum(next)).toBe(checksum);
            expect(JSON.stringify(view)).toBe(before);
            view = next;
        }
        expect(view).toEqual(last);
    });

    it("keep what has not changed", () => {
        const { first } = sequences[0] as Sequence;
        const [base, ...others] = first.bases;
        if (base === undefined) throw new Error("no bases");
        const bases = [{ serial: base.serial, total: 99 }, ...others.map(({ serial }) => serial)];
        const next = applyPatch(first, { turn: 7, bases, players: [{ index: 1, vp: 4 }] });
        expect(next.turn).toBe(7);
        expect(next.bases[0]).toEqual({ ...base, total: 99 });
        expect(next.bases[1]).toBe(first.bases[1]);
        expect(next.players[0]).toBe(first.players[0]);
        expect(next.players[1]).toEqual({ ...first.players[1], vp: 4 });
    });

    it("have a checksum that does not depend on the order of fields", () => {
        const { first } = sequences[0] as Sequence;
        const [base, ...others] = first.bases;
        if (base === undefined) throw new Error("no bases");
        const turned = Object.fromEntries(Object.entries(base).reverse()) as unknown as typeof base;
        expect(viewChecksum({ ...first, bases: [turned, ...others] })).toBe(viewChecksum(first));
        expect(viewChecksum({ ...first, turn: first.turn + 1 })).not.toBe(viewChecksum(first));
    });
});

describe("an update", () => {
    const { first, updates } = sequences[0] as Sequence;
    const last = {
        type: "snapshot",
        view: first,
        number: 3,
        can_undo: false,
        clock: null,
    } as unknown as Snapshot;
    const contents: Update = {
        type: "update",
        version: 2,
        lines: [],
        chat: [],
        changes: [],
        rewound: null,
        now: 0,
    };
    const update: Update = { ...contents, ...updates[0] };

    it("keeps what it leaves out", () => {
        const step = completeUpdate(last, { ...update, can_undo: true });
        expect(step).toMatchObject({ type: "update", version: 2, number: 3, can_undo: true, clock: null });
        expect(step?.view).toEqual(applyPatch(first, updates[0]?.patch ?? {}));
        expect(step).not.toHaveProperty("patch");
    });

    it("does not fit to a damaged view, or to another one", () => {
        const damaged = { ...first, turn: first.turn + 5 };
        expect(completeUpdate({ ...last, view: damaged }, update)).toBeNull();
        const bare = { ...first, players: [], bases: [], decision: null };
        expect(completeUpdate({ ...last, view: bare }, { ...contents, patch: { limbo: [5] } })).toBeNull();
        expect(completeUpdate({ ...last, view: null }, update)).toBeNull();
    });

    it("may bring a whole view", () => {
        expect(completeUpdate({ ...last, view: null }, { ...contents, view: first })?.view).toBe(first);
    });
});
