/** What the coach would choose: what the lesson says, or, off its path, what a few plain rules say. */

import type { Advice, BaseView, DecisionView, OptionView, View } from "../../protocol";
import { baseSpot, isPlain, type Way } from "../../table/choices";

export interface Counsel {
    way: Way;
    /** The id of what the lesson says here; null off its path. */
    planned: string | null;
}

export function counsel(
    plan: Record<string, Advice[]>,
    view: View,
    decision: DecisionView,
    ways: Way[],
    me: number,
): Counsel | null {
    for (const advice of plan[String(view.turn)] ?? []) {
        const way = ways.find(({ option }) => fits(advice, view, decision, option));
        if (way) return { way, planned: advice.id };
    }
    const way = decision.kind === "move" ? fromMenu(view, ways, me) : fromQuestion(ways);
    return way ? { way, planned: null } : null;
}

/** Whether an option is advised: the same way as `smashup/rules/lesson.py`. */
function fits(advice: Advice, view: View, decision: DecisionView, option: OptionView): boolean {
    const hosted = view.bases.flatMap((base) =>
        base.cards.filter(({ id }) => id !== undefined && id === option.host).map((card) => ({ base, card })),
    )[0];
    const base = hosted?.base ?? view.bases.find(({ serial }) => serial === option.base);
    const described: [string | number | null | undefined, string | number | undefined][] = [
        [advice.verb, option.verb],
        [advice.card, option.card?.name],
        [advice.host, hosted?.card.name],
        [advice.base, base?.name],
        [advice.mode, option.mode],
        [advice.by, decision.source?.name],
    ];
    return (
        (advice.extra ?? false) === (option.extra ?? false) &&
        described.every(([wanted, offered]) => (wanted ?? offered) === offered)
    );
}

/** A minion where it does most; else the end of the phase, or a pass. */
function fromMenu(view: View, ways: Way[], me: number): Way | null {
    let best: Way | null = null;
    let most = -Infinity;
    for (const way of ways) {
        const worth = worthOf(view, way, me);
        if (worth > most) [best, most] = [way, worth];
    }
    return best ?? ways.find(isPlain) ?? ways[0] ?? null;
}

function worthOf(view: View, { option, to }: Way, me: number): number {
    const power = option.card?.type === "minion" ? option.card.printed_power : undefined;
    const base = view.bases.find((candidate) => baseSpot(candidate.serial) === to);
    return option.verb === "play" && power !== undefined && base ? worthAt(base, power, me) : -Infinity;
}

/** How good it is to have so much more power at a base. */
export function worthAt(base: BaseView, power: number, me: number): number {
    const mine = (base.totals[me] ?? 0) + power;
    const theirs = Math.max(0, ...base.totals.filter((_, player) => player !== me));
    const near = Math.min(1, (base.total + power) / Math.max(1, base.breakpoint));
    const ahead = mine > theirs;
    if (near === 1) return ahead ? 100 + (base.vp?.[0] ?? 0) : -100;
    return 10 * near + (ahead ? 5 : 0);
}

/** The first thing there is, rather than nothing. */
function fromQuestion(ways: Way[]): Way | null {
    return ways.find((way) => !isPlain(way)) ?? ways[0] ?? null;
}
