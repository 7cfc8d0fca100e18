/** The gauge of a base in numbers: who fills how much of the breakpoint, and who would get what. */

import type { BaseView, BasePreview, Standing } from "../../protocol";

/** How a base stands, or would. */
export type BaseTotals = Pick<BasePreview, "breakpoint" | "total" | "totals" | "places">;

export interface Segment {
    player: number;
    power: number;
    /** Of the whole gauge, in per cent. */
    start: number;
    width: number;
    /** Not there yet: what a play would add. */
    ghost: boolean;
}

/** The shares of the players, side by side; what would come is a ghost, what would go is left out. */
export function gaugeSegments(now: BaseTotals, after: BaseTotals | null = null): Segment[] {
    const whole = gaugeLength(after ?? now);
    const found: Segment[] = [];
    let start = 0;
    const add = (player: number, power: number, ghost: boolean) => {
        if (power <= 0) return;
        const width = (100 * power) / whole;
        found.push({ player, power, start, width, ghost });
        start += width;
    };
    now.totals.forEach((total, player) => {
        const then = after?.totals[player] ?? total;
        add(player, Math.min(total, then), false);
        add(player, then - Math.max(0, total), true);
    });
    return found;
}

/** Where the breakpoint is on the gauge, in per cent: at its end until the total goes beyond. */
export function breakpointPosition(stand: BaseTotals): number {
    return (100 * Math.max(stand.breakpoint, 0)) / gaugeLength(stand);
}

/** The gauge is as long as the breakpoint, or as the shares together if they are more. */
function gaugeLength(stand: BaseTotals): number {
    const shares = stand.totals.reduce((sum, power) => sum + Math.max(0, power), 0);
    return Math.max(stand.breakpoint, shares, 1);
}

/** Whether the base would score. */
export function isReadyToScore(stand: BaseTotals): boolean {
    return stand.total >= stand.breakpoint;
}

/**
 * How a base would stand with a minion's printed power more: a guess, until the server has said how it
 * really would. Most power comes first; ties share a place, and the next is left out.
 */
export function estimateTotals(base: BaseView, player: number, power: number): BaseTotals {
    const totals = base.totals.map((total, index) => total + (index === player ? power : 0));
    const there = totals
        .map((total, index) => ({ index, total }))
        .filter(({ index, total }) => total > 0 || base.places.some((place) => place.player === index))
        .sort((a, b) => b.total - a.total);
    const worth = base.vp ?? [];
    const places: Standing[] = there
        .map(({ index, total }) => {
            const place = 1 + there.filter((other) => other.total > total).length;
            return { player: index, place, vp: worth[place - 1] ?? 0 };
        })
        .filter(({ place }) => place <= worth.length);
    return { breakpoint: base.breakpoint, total: base.total + power, totals, places };
}

/** Who leads a base: all players in first place. */
export function leadersAt(stand: BaseTotals): number[] {
    return stand.places.filter(({ place }) => place === 1).map(({ player }) => player);
}
