/** What the coach would choose: what the lesson says, or, off its path, what a few plain rules say. */

import type { BaseView, DecisionView, LessonAdvice, OptionView, View } from "../../protocol";
import { baseSpot, isWithoutCard, type Choice } from "../../table/state/choices";

export interface CoachAdvice {
    choice: Choice;
    /** The id of what the lesson says here; null off its path. */
    planned: string | null;
}

export function adviseChoice(
    plan: Record<string, LessonAdvice[]>,
    view: View,
    decision: DecisionView,
    choices: Choice[],
    me: number,
): CoachAdvice | null {
    for (const advice of plan[String(view.turn)] ?? []) {
        const choice = choices.find(({ option }) => matchesAdvice(advice, view, decision, option));
        if (choice) return { choice, planned: advice.id };
    }
    const choice = decision.kind === "move" ? fromMenu(view, choices, me) : fromQuestion(choices);
    return choice ? { choice, planned: null } : null;
}

/** Whether an option is advised: the same way as `smashup/rules/lesson.py`. */
function matchesAdvice(
    advice: LessonAdvice,
    view: View,
    decision: DecisionView,
    option: OptionView,
): boolean {
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

/** A minion where it does most; else a Special while a base scores, or the end of the phase. */
function fromMenu(view: View, choices: Choice[], me: number): Choice | null {
    let best: Choice | null = null;
    let most = -Infinity;
    for (const choice of choices) {
        const worth = estimateValue(view, choice, me);
        if (worth > most) [best, most] = [choice, worth];
    }
    const special = choices.some(({ option }) => option.verb === "pass")
        ? choices.find((choice) => !isWithoutCard(choice))
        : undefined;
    return best ?? special ?? choices.find(isWithoutCard) ?? choices[0] ?? null;
}

function estimateValue(view: View, { option, to }: Choice, me: number): number {
    const power = option.card?.type === "minion" ? option.card.printed_power : undefined;
    const base = view.bases.find((candidate) => baseSpot(candidate.serial) === to);
    return option.verb === "play" && power !== undefined && base ? valueAt(base, power, me) : -Infinity;
}

/** How good it is to have so much more power at a base. */
export function valueAt(base: BaseView, power: number, me: number): number {
    const mine = (base.totals[me] ?? 0) + power;
    const theirs = Math.max(0, ...base.totals.filter((_, player) => player !== me));
    const near = Math.min(1, (base.total + power) / Math.max(1, base.breakpoint));
    const ahead = mine > theirs;
    if (near === 1) return ahead ? 100 + (base.vp?.[0] ?? 0) : -100;
    return 10 * near + (ahead ? 5 : 0);
}

/** The first thing there is, rather than nothing. */
function fromQuestion(choices: Choice[]): Choice | null {
    return choices.find((choice) => !isWithoutCard(choice)) ?? choices[0] ?? null;
}
