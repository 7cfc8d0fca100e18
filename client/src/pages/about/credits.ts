/** Who drew the icons: read from `art/CREDITS.md`, which has to be right anyway. */

export interface Author {
    name: string;
    address: string | null;
    icons: string[];
    /** Given to the public domain instead of CC BY. */
    free: boolean;
}

export function parseCredits(credits: string): Author[] {
    return credits
        .split(/^## Icons made by /m)
        .slice(1)
        .map((part) => ({
            name: part.slice(0, part.indexOf("\n")).trim(),
            address: /<(https?:[^>]+)>/.exec(part)?.[1] ?? null,
            icons: [...part.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""),
            free: /^CC0\.$/m.test(part),
        }));
}
