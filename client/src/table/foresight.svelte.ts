/** How the bases would stand after what is being pointed at: asked of the server, guessed until it answers. */

import type { BaseView, Preview } from "../protocol";
import { baseSpot, between, type Way } from "./choices";
import type { Chooser } from "./chooser.svelte";
import { guess, type Stand } from "./gauge";

/** Milliseconds that something is pointed at before the server is asked. */
const MOMENT = 90;

export class Foresight {
    readonly #chooser: Chooser;
    readonly #ask: (option: number) => Promise<Preview | null>;
    #known = $state.raw<Preview | null>(null);

    constructor(chooser: Chooser, ask: (option: number) => Promise<Preview | null>) {
        this.#chooser = chooser;
        this.#ask = ask;
    }

    /** The one option that a click on what is pointed at would choose. */
    way = $derived.by((): Way | null => {
        const { from, pointed, ways, severalAtOnce } = this.#chooser;
        if (pointed === null || severalAtOnce) return null;
        const found = between(ways, from, pointed);
        return found.length === 1 ? (found[0] ?? null) : null;
    });

    /** To be called from an effect: asks about what is pointed at. */
    watch(): (() => void) | undefined {
        const { way } = this;
        this.#known = null;
        if (way === null || way.option.verb === "done" || way.option.verb === "pass") return;
        let over = false;
        const timer = setTimeout(() => {
            void this.#ask(way.option.index).then((preview) => {
                if (!over) this.#known = preview;
            });
        }, MOMENT);
        return () => {
            over = true;
            clearTimeout(timer);
        };
    }

    /** How a base would stand; null if nothing would change there, or nobody can know. */
    at(base: BaseView): Stand | null {
        const { way } = this;
        if (way === null) return null;
        if (this.#known !== null) {
            const after = this.#known.bases?.find(({ serial }) => serial === base.serial);
            return after && changes(base, after) ? after : null;
        }
        const { card } = way.option;
        const player = this.#chooser.asked?.view.you ?? null;
        if (way.to !== baseSpot(base.serial) || card?.type !== "minion" || player === null) return null;
        return way.option.verb === "play" ? guess(base, player, card.printed_power ?? 0) : null;
    }
}

function changes(base: BaseView, after: Stand): boolean {
    return (
        base.breakpoint !== after.breakpoint ||
        base.totals.some((total, player) => total !== after.totals[player]) ||
        JSON.stringify(base.places) !== JSON.stringify(after.places)
    );
}
