/** How the bases would stand after what is being pointed at: asked of the server, guessed until it answers. */

import type { BaseView, Preview } from "../../protocol";
import { baseSpot, choicesBetween, type Choice } from "./choices";
import type { Chooser } from "./chooser.svelte";
import { estimateTotals, type BaseTotals } from "../board/breakpoint";

/** Milliseconds that something is pointed at before the server is asked. */
const PREVIEW_DELAY_MS = 90;

export class PlayPreview {
    readonly #chooser: Chooser;
    readonly #ask: (option: number) => Promise<Preview | null>;
    #known = $state.raw<Preview | null>(null);

    constructor(chooser: Chooser, ask: (option: number) => Promise<Preview | null>) {
        this.#chooser = chooser;
        this.#ask = ask;
    }

    /** The one option that a click on what is pointed at would choose. */
    choice = $derived.by((): Choice | null => {
        const { from, pointed, choices, isMultiPick } = this.#chooser;
        if (pointed === null || isMultiPick) return null;
        const found = choicesBetween(choices, from, pointed);
        return found.length === 1 ? (found[0] ?? null) : null;
    });

    /** To be called from an effect: asks about what is pointed at. */
    watch(): (() => void) | undefined {
        const { choice } = this;
        this.#known = null;
        if (choice === null || choice.option.verb === "done" || choice.option.verb === "pass") return;
        let over = false;
        const timer = setTimeout(() => {
            void this.#ask(choice.option.index).then((preview) => {
                if (!over) this.#known = preview;
            });
        }, PREVIEW_DELAY_MS);
        return () => {
            over = true;
            clearTimeout(timer);
        };
    }

    /** The totals of a base after the play; null if nothing would change or it is unknown. */
    at(base: BaseView): BaseTotals | null {
        const { choice } = this;
        if (choice === null) return null;
        if (this.#known !== null) {
            const after = this.#known.bases?.find(({ serial }) => serial === base.serial);
            return after && changes(base, after) ? after : null;
        }
        const { card } = choice.option;
        const player = this.#chooser.asked?.view.you ?? null;
        if (choice.to !== baseSpot(base.serial) || card?.type !== "minion" || player === null) return null;
        return choice.option.verb === "play" ? estimateTotals(base, player, card.printed_power ?? 0) : null;
    }
}

function changes(base: BaseView, after: BaseTotals): boolean {
    return (
        base.breakpoint !== after.breakpoint ||
        base.totals.some((total, player) => total !== after.totals[player]) ||
        JSON.stringify(base.places) !== JSON.stringify(after.places)
    );
}
