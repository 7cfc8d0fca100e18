/** Where the lines of the chart run: one place for each turn, from left to right, in hundredths of its width and height. */

import type { Recording, Turn } from "./format";

/** Where a step lies, in hundredths of the width: turns are as wide as each other, however long they took. */
export function stepPosition(step: number, turns: Turn[], last: number): number {
    const spaces = turns.length - 1;
    if (step >= last) return 100;
    const at = turns.findLastIndex((turn, index) => index > 0 && turn.step <= step);
    if (at < 0) return 0;
    const start = turns[at]?.step ?? 0;
    const end = turns[at + 1]?.step ?? last;
    return (100 * (at - 1 + Math.min(1, (step - start) / (end - start)))) / spaces;
}

/** A line for each seat: points go up in one go, when they are got. */
export function pointLines(turns: Turn[], most: number): string[] {
    const spaces = Math.max(1, turns.length - 1);
    const seats = turns[0]?.vp.map((_, seat) => seat) ?? [];
    const y = (vp: number) => round(100 - (100 * vp) / most);
    return seats.map((seat) =>
        turns
            .map(({ vp }, at) => {
                const height = y(vp[seat] ?? 0);
                return at === 0 ? `M0 ${height}` : `H${round((100 * at) / spaces)}V${height}`;
            })
            .join(""),
    );
}

/** The chances as layers that fill the height: seat 0 lies at the bottom. */
export function probabilityLayers(turns: Turn[]): string[] {
    const spaces = Math.max(1, turns.length - 1);
    const seats = turns[0]?.chances.map((_, seat) => seat) ?? [];
    const below = (turn: Turn, seat: number) =>
        turn.chances.slice(0, seat).reduce((sum, chance) => sum + chance, 0);
    return seats.map((seat) => {
        const top = turns.map((turn, at) => point(at, spaces, below(turn, seat + 1)));
        const bottom = turns.map((turn, at) => point(at, spaces, below(turn, seat))).reverse();
        return `M${[...top, ...bottom].join("L")}Z`;
    });
}

/** The highest points that the chart has to show, rounded up to something with marks. */
export function chartMaximum(turns: Turn[]): number {
    const most = Math.max(15, ...turns.flatMap(({ vp }) => vp));
    return Math.ceil(most / 5) * 5;
}

/** Turns whose numbers are written below the chart: at most about six. */
export function turnTicks(turns: Turn[]): number[] {
    const every = [1, 2, 5, 10, 20, 50].find((size) => turns.length / size <= 6) ?? 100;
    return turns.flatMap(({ turn }, at) => (turn > 0 && turn % every === 0 ? at : []));
}

/** A base that scored. */
export interface ScoredBase {
    step: number;
    base: string;
    /** Who was first there. */
    winner: number | null;
}

export function listScoredBases(recording: Recording): ScoredBase[] {
    return Array.from({ length: recording.last + 1 }, (_, step) =>
        recording.changes(step, -1).flatMap((change): ScoredBase[] => {
            if (change.kind !== "scored") return [];
            // The base may be gone from the table when the step is over.
            const bases = [step - 1, step].flatMap((at) => (at < 0 ? [] : recording.view(at, -1).bases));
            const base = bases.find(({ serial }) => serial === change.base)?.name ?? "";
            return [{ step, base, winner: change.places?.find(({ place }) => place === 1)?.player ?? null }];
        }),
    ).flat();
}

const round = (number: number) => String(Math.round(number * 100) / 100);
const point = (at: number, spaces: number, share: number) =>
    `${round((100 * at) / spaces)} ${round(100 - 100 * share)}`;
