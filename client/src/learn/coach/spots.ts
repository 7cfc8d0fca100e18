/** Where on the page the next click of an option is. */

import type { Spot, Way } from "../../table/choices";

const at = (spot: Spot): string => `[data-spot="${spot}"]`;

/** Places to look for it, the first that is there and can be seen is meant. */
export function nextClick(way: Way, from: Spot | null): string[] {
    const button = `[data-option="${String(way.option.index)}"]`;
    if (way.from === null) return way.to === null ? [button] : [button, at(way.to)];
    if (from !== way.from) return [at(way.from), button];
    // What was taken up goes to the table, or is used where it is: by a button in the prompt.
    if (way.to === null || way.to === "table" || way.to === way.from) {
        return [button, "[data-prompt] [data-choice].main"];
    }
    return [at(way.to), button];
}

/** The first of these that is on the page. */
export function find(selectors: string[]): HTMLElement | null {
    for (const selector of selectors) {
        const found = document.querySelector<HTMLElement>(selector);
        if (found !== null && found.getClientRects().length > 0) return found;
    }
    return null;
}
