/** Addresses of cards: `/cards/clyde-2-0`. Names have dots and quotation marks, addresses better not. */

import { folded } from "./rules/search";

export function slug(name: string): string {
    return folded(name)
        .replace(/'/g, "")
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
}

export function cardPath(name: string): string {
    return `/cards/${slug(name)}`;
}
