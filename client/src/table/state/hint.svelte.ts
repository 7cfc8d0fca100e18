/** What a strong bot would choose: asked for, and shown on the options themselves. */

import type { Hint } from "../../protocol";
import type { Spot, Choice } from "./choices";
import type { Chooser } from "./chooser.svelte";

/** What is thought of an option: the chance to win by it, and whether nothing is better. */
export interface OptionRating {
    chance: number;
    best: boolean;
}

export class HintState {
    readonly #chooser: Chooser;
    readonly #ask: () => Promise<Hint | null>;
    #hint = $state.raw<Hint | null>(null);
    /** Which decision is being thought about. */
    #thinking = $state(-1);

    constructor(chooser: Chooser, ask: () => Promise<Hint | null>) {
        this.#chooser = chooser;
        this.#ask = ask;
    }

    /** The advice for the decision that is on the table. */
    hint = $derived.by(() => {
        const number = this.#chooser.asked?.number;
        return this.#hint !== null && this.#hint.number === number ? this.#hint : null;
    });

    thinking = $derived.by(() => this.#thinking >= 0 && this.#thinking === this.#chooser.asked?.number);

    /** The option that the bot would choose. */
    best = $derived.by((): Choice | null => {
        const { hint } = this;
        if (hint === null) return null;
        return this.#chooser.choices.find(({ option }) => option.index === hint.option) ?? null;
    });

    /** Ask; the answer says whether there is any advice. */
    async ask(): Promise<boolean> {
        const number = this.#chooser.asked?.number ?? -1;
        if (number < 0 || this.thinking || this.hint !== null) return true;
        this.#thinking = number;
        const hint = await this.#ask();
        if (this.#thinking === number) this.#thinking = -1;
        if (hint !== null) this.#hint = hint;
        return hint !== null || this.#chooser.asked?.number !== number;
    }

    /** The game went back: what was said of a decision may be about another one now. */
    forget(): void {
        this.#hint = null;
        this.#thinking = -1;
    }

    /** What is thought of an option; null if the bot did not consider it. */
    of(choice: Choice): OptionRating | null {
        const { hint } = this;
        const opinion = hint?.opinions.find(({ option }) => option === choice.option.index);
        if (hint === null || opinion === undefined || opinion.visits === 0) return null;
        return { chance: opinion.chance, best: hint.option === choice.option.index };
    }

    /** What is thought of a spot: of the best that a click there may lead to. */
    at(spot: Spot): OptionRating | null {
        if (this.hint === null) return null;
        const { from, choices } = this.#chooser;
        const leading = choices.filter((choice) =>
            from === null ? (choice.from ?? choice.to) === spot : choice.from === from && choice.to === spot,
        );
        const verdicts = leading.flatMap((choice) => this.of(choice) ?? []);
        const found = verdicts.find(({ best }) => best) ?? null;
        if (found !== null || verdicts.length === 0) return found;
        return { chance: Math.max(...verdicts.map(({ chance }) => chance)), best: false };
    }
}
