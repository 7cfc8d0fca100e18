/** Where on the page the next click of an option is. */

import type { Spot, Choice } from "../../table/state/choices";

const at = (spot: Spot): string => `[data-spot="${spot}"]`;

/** Places to look for it, the first that is there and can be seen is meant. */
export function nextClickSelectors(choice: Choice, from: Spot | null): string[] {
    const button = `[data-option="${String(choice.option.index)}"]`;
    if (choice.from === null) return choice.to === null ? [button] : [button, at(choice.to)];
    if (from !== choice.from) return [at(choice.from), button];
    // What was taken up goes to the table, or is used where it is: by a button in the prompt.
    if (choice.to === null || choice.to === "table" || choice.to === choice.from) {
        return [button, "[data-prompt] [data-choice].main"];
    }
    return [at(choice.to), button];
}

/** The first of these that is on the page. */
export function findVisible(selectors: string[]): HTMLElement | null {
    for (const selector of selectors) {
        const found = document.querySelector<HTMLElement>(selector);
        if (found !== null && found.getClientRects().length > 0) return found;
    }
    return null;
}
