/** Addresses of cards: `/cards/clyde-2-0`. Names have dots and quotation marks, addresses better not. */

import { foldText } from "../lib/text-search";

export function cardSlug(name: string): string {
    return foldText(name)
        .replace(/'/g, "")
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
}

export function cardPath(name: string): string {
    return `/cards/${cardSlug(name)}`;
}
