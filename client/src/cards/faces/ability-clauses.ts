/** The parts of an ability: what it says as it is played, and what follows a keyword. */

export interface Clause {
    keyword: string | null;
    rest: string;
}

const KEYWORDS = ["Ongoing", "Talent", "Special", "Permanent", "Spécial"];
const KEYWORD = new RegExp(`(?:^|(?<=[.!?)”»]\\s))(${KEYWORDS.join("|")})[\\s\\u00a0\\u202f]?:\\s*`, "gu");

/** Cut an ability before each keyword. */
export function splitClauses(text: string): Clause[] {
    const found: Clause[] = [];
    let keyword: string | null = null;
    let from = 0;
    for (const match of text.matchAll(KEYWORD)) {
        const before = text.slice(from, match.index).trim();
        if (before !== "") found.push({ keyword, rest: before });
        keyword = match[0].trim();
        from = match.index + match[0].length;
    }
    const rest = text.slice(from).trim();
    if (rest !== "" || keyword !== null) found.push({ keyword, rest });
    return found;
}
