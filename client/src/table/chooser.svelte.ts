/** The choice that is being made: what was taken up, what is pointed at, what is picked so far. */

import { settings } from "../lib/settings.svelte";
import type { DecisionView, View } from "../protocol";
import {
    beginnings,
    between,
    endsTurn,
    isAbility,
    isPlain,
    leavesPlays,
    NOWHERE,
    spotOfCard,
    spotsShown,
    subjectsOf,
    targetsOf,
    waysOf,
} from "./choices";
import type { Spot, Way } from "./choices";

export interface Asked {
    view: View;
    decision: DecisionView;
    /** Which of the seat's decisions it is; whatever was begun for another one is forgotten. */
    number: number;
}

interface Begun {
    number: number;
    from: Spot | null;
    picks: number[];
    /** Ways that two clicks did not tell apart. */
    unclear: Way[];
    /** The way that ends the turn though something is left to play, until it is confirmed. */
    warned: Way | null;
}

const nothing = (number: number): Begun => ({
    number,
    from: null,
    picks: [],
    unclear: [],
    warned: null,
});

export class Chooser {
    /** What is pointed at or dragged over, for the preview. */
    pointed = $state<Spot | null>(null);

    readonly #ask: () => Asked | null;
    readonly #answer: (options: number[], done: boolean) => void;
    #begun = $state.raw<Begun>(nothing(-1));
    /** A decision for which several picks were sent together. If it comes back, they go one by one. */
    #together = $state(-1);

    constructor(ask: () => Asked | null, answer: (options: number[], done: boolean) => void) {
        this.#ask = ask;
        this.#answer = answer;
    }

    asked = $derived.by(() => this.#ask());
    ways = $derived.by(() => (this.asked ? waysOf(this.asked.decision, this.asked.view) : []));
    #now = $derived.by(() => {
        const number = this.asked?.number ?? -1;
        return this.#begun.number === number ? this.#begun : nothing(number);
    });
    /** What was taken up. */
    from = $derived.by(() => this.#now.from);
    picks = $derived.by(() => this.#now.picks);
    unclear = $derived.by(() => this.#now.unclear);
    warned = $derived.by(() => this.#now.warned);
    /** How many have to be picked, and may be, of this choice. */
    least = $derived.by(() => this.asked?.decision.min ?? 1);
    most = $derived.by(() => this.asked?.decision.max ?? 1);
    /** Several may be picked before they are sent together. */
    severalAtOnce = $derived.by(() => this.most > 1 && this.#together !== this.asked?.number);
    targets = $derived.by(() => (this.from === null ? NOWHERE : targetsOf(this.ways, this.from)));
    starts = $derived.by(() => beginnings(this.ways));
    #shown = $derived.by(() => (this.asked ? spotsShown(this.asked.view) : NOWHERE));
    /** Options that are nowhere on the board: shown as pictures or words in the panel. */
    elsewhere = $derived.by(() =>
        this.ways.filter((way) => {
            const start = way.from ?? way.to;
            // Factions are chosen in the draft, which takes the place of the board.
            if (way.option.faction !== undefined) return false;
            return !isPlain(way) && (start === null || !this.#shown.has(start));
        }),
    );
    /** Moves without a card that the prompt lists. */
    plain = $derived.by(() => this.ways.filter((way) => isPlain(way) && !endsTurn(way)));
    /** The option that ends the turn, where there is one. */
    ending = $derived.by(() => this.ways.find(endsTurn) ?? null);
    /** Abilities of the card that was taken up: it may have one of its own and one that another card lends it. */
    abilities = $derived.by(() => this.ways.filter((way) => way.from === this.from && isAbility(way.option)));
    /** The options that the prompt lists, in its order: the number keys choose them. */
    numbered = $derived.by((): Way[] => {
        if (this.unclear.length > 0) return this.unclear;
        if (this.from === null) return [...this.plain, ...this.elsewhere];
        if (this.abilities.length > 0) return this.abilities;
        return this.ways.filter((way) => way.from === this.from && way.to === "table").slice(0, 1);
    });

    /** The card or base in play that asks, to be marked on the table. */
    asker = $derived.by((): Spot | null => {
        const id = this.asked?.decision.source?.id;
        return this.asked === null || id === undefined ? null : spotOfCard(id, this.asked.view);
    });
    /** The cards that the question is about, to be marked on the table. */
    subjects = $derived.by(() => (this.asked ? subjectsOf(this.asked.decision, this.asked.view) : NOWHERE));

    /** Whether a click here means something now. */
    glows(spot: Spot): boolean {
        if (this.unclear.length > 0) return false;
        return this.from === null ? this.starts.has(spot) : this.targets.has(spot) || spot === this.from;
    }

    /** Whether something taken up can go here. */
    isTarget(spot: Spot): boolean {
        return this.from !== null && this.targets.has(spot);
    }

    /** Which pick this is, the first being 1; 0 if it is none. */
    pickOf(spot: Spot): number {
        return (
            1 +
            this.picks.findIndex((pick) =>
                this.ways.some((way) => way.option.index === pick && way.to === spot),
            )
        );
    }

    click(spot: Spot): void {
        if (this.from !== null) {
            if (this.targets.has(spot)) this.#settle(between(this.ways, this.from, spot));
            else if (spot === this.from && this.targets.has("table")) this.click("table");
            else if (spot !== this.from && this.starts.has(spot)) this.take(spot);
            else this.cancel();
            return;
        }
        if (this.ways.some((way) => way.from === spot)) this.take(spot);
        else this.#settle(between(this.ways, null, spot));
    }

    /** Take a card up, to see where it can go. */
    take(spot: Spot): void {
        this.#change({ from: spot, unclear: [] });
    }

    /** Put down what was taken up. */
    cancel(): void {
        this.pointed = null;
        this.#change({ from: null, unclear: [], warned: null });
    }

    /** Choose an option, or pick it if several go together. */
    choose(way: Way): void {
        if (this.severalAtOnce && !isPlain(way)) this.#pick(way);
        else if (this.warned !== way && settings.warnEndTurn && leavesPlays(way, this.ways)) {
            this.#change({ from: null, warned: way });
        } else this.#send([way.option.index]);
    }

    /** Send what was picked. */
    confirm(): void {
        if (!this.enough) return;
        this.#together = this.asked?.number ?? -1;
        this.#send(this.picks, true);
    }

    /** The game went back: decisions come again under the same numbers. */
    forget(): void {
        this.pointed = null;
        this.#begun = nothing(-1);
        this.#together = -1;
    }

    /** Whether what is picked can be sent. */
    get enough(): boolean {
        return this.picks.length >= Math.max(1, this.least);
    }

    #settle(ways: Way[]): void {
        const [only] = ways;
        if (ways.length > 1) this.#change({ unclear: ways });
        else if (only) this.choose(only);
    }

    #pick(way: Way): void {
        const { index } = way.option;
        const kept = this.picks.filter((pick) => pick !== index);
        if (kept.length < this.picks.length) this.#change({ picks: kept });
        else if (kept.length < this.most) this.#change({ picks: [...kept, index] });
    }

    #send(options: number[], done = false): void {
        this.pointed = null;
        this.#begun = nothing(-1);
        this.#answer(options, done);
    }

    #change(what: Partial<Begun>): void {
        this.#begun = { ...this.#now, ...what };
    }
}
