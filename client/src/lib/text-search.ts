/** Finding things by words: without accents and capitals, every word has to occur. */

export function foldText(text: string): string {
    return text
        .normalize("NFD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replace(/[’‘]/g, "'")
        .replace(/œ/g, "oe");
}

/** The words of a question. */
export function splitWords(question: string): string[] {
    return foldText(question)
        .split(/[\s,;]+/)
        .filter((word) => word !== "");
}

/** Whether a text, folded already, has all these words. */
export function containsAll(text: string, words: string[]): boolean {
    return words.every((word) => text.includes(word));
}

export interface SearchPart {
    text: string;
    hit: boolean;
}

/** A text cut where one of the words occurs, to mark what was found. */
export function markMatches(text: string, words: string[]): SearchPart[] {
    const long = words.filter((word) => word.length > 1);
    if (long.length === 0) return [{ text, hit: false }];
    // Letter by letter, because folding may change how long a text is.
    const letters = [...text];
    const flat = letters.map(foldText);
    const hits = new Set<number>();
    for (const word of long) {
        for (let start = 0; start < letters.length; start++) {
            let at = start;
            let built = "";
            while (built.length < word.length && at < letters.length) built += flat[at++] ?? "";
            if (built === word) for (let hit = start; hit < at; hit++) hits.add(hit);
        }
    }
    const found: SearchPart[] = [];
    letters.forEach((letter, at) => {
        const hit = hits.has(at);
        const last = found.at(-1);
        if (last?.hit === hit) last.text += letter;
        else found.push({ text: letter, hit });
    });
    return found;
}
