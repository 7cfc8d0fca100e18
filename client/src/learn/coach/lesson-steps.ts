/**
 * What the coach says, in order. A step is shown once, as soon as its condition holds; nothing depends on how many
 * clicks there were. What is said about a piece of advice is found by its id.
 */

import { t, gameText } from "../../lib/i18n.svelte";
import type { View } from "../../protocol";

export interface Situation {
    view: View;
    me: number;
    /** Whether the learner is asked for a move in their own Play Cards phase. */
    menu: boolean;
}

export interface LessonStep {
    id: string;
    title: string;
    text: string;
    /** Where to look: selectors, the first that is on the page. */
    spots: string[];
    /** The rule behind it. */
    rule: string;
}

interface TimedLessonStep extends Omit<LessonStep, "title" | "text"> {
    when: (now: Situation) => boolean;
    title: (now: Situation) => string;
    text: (now: Situation) => string;
}

const FIRST_BASE = "The Golden Lily";

function ownVp({ view, me }: Situation): number {
    return view.players[me]?.vp ?? 0;
}

function bestOpponentVp({ view, me }: Situation): number {
    return Math.max(0, ...view.players.filter(({ index }) => index !== me).map(({ vp }) => vp));
}

/** The base at which the learner has most power. */
function strongestBase({ view, me }: Situation) {
    return [...view.bases].sort((a, b) => (b.totals[me] ?? 0) - (a.totals[me] ?? 0))[0];
}

const hasMinion = ({ view, me }: Situation): boolean =>
    view.bases.some(({ cards }) =>
        cards.some(({ controller, type }) => controller === me && type === "minion"),
    );

const tells: TimedLessonStep[] = [
    {
        id: "welcome",
        when: ({ menu }) => menu,
        title: () => t("Welcome to the table!"),
        text: ({ view, me }) =>
            t(
                "You lead the {mine}, shuffled into one deck. Pip leads the {theirs}. Whoever has 15 victory points (VP) wins. To keep this short, you both start with 8.",
                {
                    mine: pair(view, me),
                    theirs: pair(view, 1 - me),
                },
            ),
        spots: [".track"],
        rule: "game.aim",
    },
    {
        id: "bases",
        when: ({ menu }) => menu,
        title: () => t("What you fight for"),
        text: ({ view }) =>
            t(
                "These are the bases. The number on {base}, {breakpoint}, is its breakpoint: once all power there adds up to it, the base scores. The three small numbers are the VP for first, second and third place.",
                firstBase(view),
            ),
        spots: [".board"],
        rule: "base.card",
    },
    {
        id: "hand",
        when: ({ menu }) => menu,
        title: () => t("Your hand"),
        text: () =>
            t(
                "Cards with a number in the corner are minions, and the number is their power. The others are actions. Each turn you may play one minion and one action. They cost nothing.",
            ),
        spots: [".hand"],
        rule: "turn.play",
    },
    {
        id: "gauge",
        when: (now) => now.menu && hasMinion(now),
        title: (now) =>
            t("{total} of {breakpoint}", {
                total: strongestBase(now)?.total ?? 0,
                breakpoint: strongestBase(now)?.breakpoint ?? 0,
            }),
        text: () =>
            t(
                "Your minion's power counts for you here. The gauge shows how much everybody has and how far it is to the breakpoint; below it stands who would get how many VP if the base scored now.",
            ),
        spots: [".column:has(.own .tray) .middle", ".board"],
        rule: "scoring.ready",
    },
    {
        id: "draw",
        when: ({ menu, view }) => menu && view.turn > 1,
        title: () => t("New cards"),
        text: ({ view, me }) =>
            view.bases.some(({ name, totals }) => name === FIRST_BASE && (totals[me] ?? 0) > 0)
                ? t(
                      "At the end of your turn you drew two cards. You even got a third, thanks to the base {base}. It pays to read what bases do.",
                      { base: gameText(FIRST_BASE) },
                  )
                : t("At the end of your turn you drew two cards, as you do every turn."),
        spots: [".hand"],
        rule: "turn.draw",
    },
    {
        id: "log",
        when: ({ menu, view }) => menu && view.turn > 1,
        title: () => t("Meanwhile, Pip"),
        text: () =>
            t(
                "Pip has played, too. Everything that happens is written in the log: click a name to see the card, and § to read the rule behind a line.",
            ),
        spots: [".log", ".paper .toggle"],
        rule: "turn.phases",
    },
    {
        id: "scored",
        when: (now) => now.menu && ownVp(now) > 8,
        title: (now) =>
            t("{mine} VP for you, {theirs} for Pip", { mine: ownVp(now), theirs: bestOpponentVp(now) }),
        text: () =>
            t(
                "You had the most power at the base, so you took the first number of VP. Whoever is second gets something as well. Then all cards there were discarded, and a new base took its place.",
            ),
        spots: [".track"],
        rule: "scoring.places",
    },
    {
        id: "special",
        when: (now) => now.menu && ownVp(now) > 8,
        title: () => t("Did you notice?"),
        text: () =>
            t(
                "Just before the base scored, Beta 6 gained 1 power. That is its Special. Specials happen at such moments, even on other players' turns: some on the table, some from your hand.",
            ),
        spots: [".log", ".paper .toggle"],
        rule: "ability.special",
    },
    {
        id: "free",
        when: (now) => now.menu && now.view.turn >= 5 && ownVp(now) > 8,
        title: () => t("Now it is your game"),
        text: () =>
            t(
                "You know how a turn goes. I keep giving advice, and what I would do has a ring around it. But play whatever you like: I will keep up.",
            ),
        spots: ["[data-prompt]"],
        rule: "turn.phases",
    },
    {
        id: "race",
        when: (now) => now.menu && now.view.turn >= 7 && Math.max(ownVp(now), bestOpponentVp(now)) >= 10,
        title: (now) => t("{mine} to {theirs}", { mine: ownVp(now), theirs: bestOpponentVp(now) }),
        text: () =>
            t(
                "If a player has 15 VP at the end of a turn, the player with the most wins. One more big base, and that is you.",
            ),
        spots: [".track"],
        rule: "winning.check",
    },
];

function pair(view: View, player: number): string {
    const [one = "", two = ""] = view.players[player]?.factions ?? [];
    return t("{one} and {two}", { one: gameText(one), two: gameText(two) });
}

function firstBase(view: View): { base: string; breakpoint: number } {
    const base = view.bases.find(({ name }) => name === FIRST_BASE) ?? view.bases[0];
    return { base: gameText(base?.name ?? ""), breakpoint: base?.breakpoint ?? 0 };
}

/** The next explanation to show, if any. */
export function nextLessonStep(now: Situation, wasTold: (id: string) => boolean): LessonStep | null {
    const found = tells.find((beat) => !wasTold(beat.id) && beat.when(now));
    if (!found) return null;
    return { ...found, title: found.title(now), text: found.text(now) };
}

/** How many beats and pieces of advice with words of their own there are. */
export const LESSON_STEP_IDS = tells.length;
