/** The markup of the reference (`smashup/rules`): paragraphs, lists, stress, and links to rules and cards. */

export type Run =
    | { kind: "words" | "strong" | "stressed"; text: string }
    | { kind: "rule" | "card"; text: string; to: string };

export type Block = { kind: "paragraph"; runs: Run[] } | { kind: "list"; items: Run[][] };

const PART = /\[\[([^\]|]+)(?:\|([^\]]+))?\]\]|\*\*([^*]+)\*\*|\*([^*]+)\*/g;

/** The runs of a line. What a link is called, if the text does not say, the caller knows. */
export function runs(line: string, called: (target: string) => string): Run[] {
    const found: Run[] = [];
    let end = 0;
    for (const match of line.matchAll(PART)) {
        if (match.index > end) found.push({ kind: "words", text: line.slice(end, match.index) });
        end = match.index + match[0].length;
        const [, target, words, strong, stressed] = match;
        if (target !== undefined) found.push(link(target, words ?? called(target)));
        else if (strong !== undefined) found.push({ kind: "strong", text: strong });
        else found.push({ kind: "stressed", text: stressed ?? "" });
    }
    if (end < line.length) found.push({ kind: "words", text: line.slice(end) });
    return found;
}

function link(target: string, text: string): Run {
    if (target.startsWith("card:")) return { kind: "card", text, to: target.slice("card:".length) };
    return { kind: "rule", text, to: target };
}

/** A text as blocks. */
export function blocks(text: string, called: (target: string) => string): Block[] {
    const found: Block[] = [];
    for (const line of text.split("\n")) {
        const last = found.at(-1);
        if (line.startsWith("- ")) {
            const item = runs(line.slice(2), called);
            if (last?.kind === "list") last.items.push(item);
            else found.push({ kind: "list", items: [item] });
        } else if (line !== "") found.push({ kind: "paragraph", runs: runs(line, called) });
    }
    return found;
}

/** A text without its markup, to search in. */
export function plain(text: string): string {
    return text.replace(
        PART,
        (_whole, target?: string, words?: string, strong?: string, stressed?: string) =>
            target === undefined ? (strong ?? stressed ?? "") : (words ?? target.replace(/^card:/, "")),
    );
}
