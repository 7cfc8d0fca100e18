/** The choice that is being made: what was taken up, what is pointed at, what is picked so far. */

import { settings } from "../../lib/settings.svelte";
import type { DecisionView, View } from "../../protocol";
import {
    startSpots,
    choicesBetween,
    endsTurn,
    isAbility,
    isWithoutCard,
    wastesPlays,
    NO_SPOTS,
    spotOfCard,
    visibleSpots,
    subjectSpots,
    targetSpots,
    choicesOf,
} from "./choices";
import type { Spot, Choice } from "./choices";

export interface OpenDecision {
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
    ambiguous: Choice[];
    /** The way that ends the turn though something is left to play, until it is confirmed. */
    unconfirmed: Choice | null;
}

const nothing = (number: number): Begun => ({
    number,
    from: null,
    picks: [],
    ambiguous: [],
    unconfirmed: null,
});

export class Chooser {
    /** What is pointed at or dragged over, for the preview. */
    pointed = $state<Spot | null>(null);

    readonly #ask: () => OpenDecision | null;
    readonly #answer: (options: number[], done: boolean) => void;
    #begun = $state.raw<Begun>(nothing(-1));
    /** A decision for which several picks were sent together. If it comes back, they go one by one. */
    #together = $state(-1);

    constructor(ask: () => OpenDecision | null, answer: (options: number[], done: boolean) => void) {
        this.#ask = ask;
        this.#answer = answer;
    }

    asked = $derived.by(() => this.#ask());
    choices = $derived.by(() => (this.asked ? choicesOf(this.asked.decision, this.asked.view) : []));
    #now = $derived.by(() => {
        const number = this.asked?.number ?? -1;
        return this.#begun.number === number ? this.#begun : nothing(number);
    });
    /** What was taken up. */
    from = $derived.by(() => this.#now.from);
    picks = $derived.by(() => this.#now.picks);
    ambiguous = $derived.by(() => this.#now.ambiguous);
    unconfirmed = $derived.by(() => this.#now.unconfirmed);
    /** How many have to be picked, and may be, of this choice. */
    minPicks = $derived.by(() => this.asked?.decision.min ?? 1);
    maxPicks = $derived.by(() => this.asked?.decision.max ?? 1);
    /** Several may be picked before they are sent together. */
    isMultiPick = $derived.by(() => this.maxPicks > 1 && this.#together !== this.asked?.number);
    targets = $derived.by(() => (this.from === null ? NO_SPOTS : targetSpots(this.choices, this.from)));
    starts = $derived.by(() => startSpots(this.choices));
    #shown = $derived.by(() => (this.asked ? visibleSpots(this.asked.view) : NO_SPOTS));
    /** Options that are nowhere on the board: shown as pictures or words in the panel. A card that can go to
     * several places is there once. */
    offBoard = $derived.by(() =>
        this.choices.filter((choice, at) => {
            const start = choice.from ?? choice.to;
            // During setup the draft, which takes the place of the board, offers the factions.
            if (choice.option.faction !== undefined) return this.asked?.view.phase !== "setup";
            if (isWithoutCard(choice) || (start !== null && this.#shown.has(start))) return false;
            return (
                !this.needsPlace(choice) || this.choices.findIndex(({ from }) => from === choice.from) === at
            );
        }),
    );
    /** Moves without a card that the prompt lists. */
    plain = $derived.by(() => this.choices.filter((choice) => isWithoutCard(choice) && !endsTurn(choice)));
    /** The option that ends the turn, where there is one. */
    endTurn = $derived.by(() => this.choices.find(endsTurn) ?? null);
    /** Abilities of the card that was taken up: it may have one of its own and one that another card lends it. */
    abilities = $derived.by(() =>
        this.choices.filter((choice) => choice.from === this.from && isAbility(choice.option)),
    );
    /** The option that plays the card that is picked up without a place. */
    immediate = $derived.by(
        () => this.choices.find((choice) => choice.from === this.from && choice.to === "table") ?? null,
    );
    /** The options that the prompt lists, in its order: the number keys choose them. */
    numbered = $derived.by((): Choice[] => {
        if (this.ambiguous.length > 0) return this.ambiguous;
        if (this.from === null) return [...this.plain, ...this.offBoard];
        if (this.abilities.length > 0) return this.abilities;
        return this.immediate === null ? [] : [this.immediate];
    });

    /** The card or base in play that asks, to be marked on the table. */
    sourceSpot = $derived.by((): Spot | null => {
        const id = this.asked?.decision.source?.id;
        return this.asked === null || id === undefined ? null : spotOfCard(id, this.asked.view);
    });
    /** The cards that the question is about, to be marked on the table. */
    subjects = $derived.by(() =>
        this.asked ? subjectSpots(this.asked.decision, this.asked.view) : NO_SPOTS,
    );

    /** The base that the question is about, or where its subject or the card that asks is; else null. */
    baseInQuestion = $derived.by((): number | null => {
        if (this.asked === null) return null;
        const { decision, view } = this.asked;
        const ids = [...(decision.subjects ?? []), decision.source?.id];
        const found = view.bases.find(
            ({ serial, id, cards }) =>
                serial === decision.reason?.base ||
                (id !== undefined && ids.includes(id)) ||
                cards.some((card) =>
                    [card, ...(card.actions ?? [])].some(
                        (one) => one.id !== undefined && ids.includes(one.id),
                    ),
                ),
        );
        return found?.serial ?? null;
    });

    /** Whether a click here means something now. */
    isSelectable(spot: Spot): boolean {
        if (this.ambiguous.length > 0) return false;
        return this.from === null ? this.starts.has(spot) : this.targets.has(spot) || spot === this.from;
    }

    /** Whether something taken up can go here. */
    isTarget(spot: Spot): boolean {
        return this.from !== null && this.targets.has(spot);
    }

    /** Which pick this is, the first being 1; 0 if it is none. */
    pickNumber(spot: Spot): number {
        return (
            1 +
            this.picks.findIndex((pick) =>
                this.choices.some((choice) => choice.option.index === pick && choice.to === spot),
            )
        );
    }

    click(spot: Spot): void {
        if (this.from !== null) {
            if (this.targets.has(spot)) this.#resolve(choicesBetween(this.choices, this.from, spot));
            else if (spot === this.from && this.immediate && this.targets.size === 1) this.click("table");
            else if (spot !== this.from && this.starts.has(spot)) this.take(spot);
            else this.cancel();
            return;
        }
        if (this.choices.some((choice) => choice.from === spot)) this.take(spot);
        else this.#resolve(choicesBetween(this.choices, null, spot));
    }

    /** Take a card up, to see where it can go. */
    take(spot: Spot): void {
        this.#change({ from: spot, ambiguous: [] });
    }

    /** Put down what was taken up. */
    cancel(): void {
        this.pointed = null;
        this.#change({ from: null, ambiguous: [], unconfirmed: null });
    }

    /** Whether the card of an option can go to several places on the board. */
    needsPlace({ from }: Choice): boolean {
        if (from === null) return false;
        const places = [...targetSpots(this.choices, from)];
        return places.length > 1 && places.every((spot) => this.#shown.has(spot));
    }

    /** Choose an option of the prompt, or take its card up to choose a place. */
    chooseListed(choice: Choice): void {
        if (choice.from !== null && this.from === null && this.needsPlace(choice)) this.take(choice.from);
        else this.choose(choice);
    }

    /** Choose an option, or pick it if several go together. */
    choose(choice: Choice): void {
        if (this.isMultiPick && !isWithoutCard(choice)) this.#pick(choice);
        else if (this.unconfirmed !== choice && settings.warnEndTurn && wastesPlays(choice, this.choices)) {
            this.#change({ from: null, unconfirmed: choice });
        } else this.#send([choice.option.index]);
    }

    /** Send what was picked. */
    confirm(): void {
        if (!this.canConfirm) return;
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
    get canConfirm(): boolean {
        return this.picks.length >= Math.max(1, this.minPicks);
    }

    #resolve(choices: Choice[]): void {
        const [only] = choices;
        if (choices.length > 1) this.#change({ ambiguous: choices });
        else if (only) this.choose(only);
    }

    #pick(choice: Choice): void {
        const { index } = choice.option;
        const kept = this.picks.filter((pick) => pick !== index);
        if (kept.length < this.picks.length) this.#change({ picks: kept });
        else if (kept.length < this.maxPicks) this.#change({ picks: [...kept, index] });
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
