/** The markup of the reference (`smashup/rules`): paragraphs, lists, stress, and links to rules and cards. */

export type InlineRun =
    | { kind: "words" | "strong" | "stressed"; text: string }
    | { kind: "rule" | "card"; text: string; to: string };

export type Block = { kind: "paragraph"; runs: InlineRun[] } | { kind: "list"; items: InlineRun[][] };

const PART = /\[\[([^\]|]+)(?:\|([^\]]+))?\]\]|\*\*([^*]+)\*\*|\*([^*]+)\*/g;

/** The runs of a line. What a link is called, if the text does not say, the caller knows. */
export function parseInline(line: string, called: (target: string) => string): InlineRun[] {
    const found: InlineRun[] = [];
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

function link(target: string, text: string): InlineRun {
    if (target.startsWith("card:")) return { kind: "card", text, to: target.slice("card:".length) };
    return { kind: "rule", text, to: target };
}

/** A text as blocks. */
export function parseBlocks(text: string, called: (target: string) => string): Block[] {
    const found: Block[] = [];
    for (const line of text.split("\n")) {
        const last = found.at(-1);
        if (line.startsWith("- ")) {
            const item = parseInline(line.slice(2), called);
            if (last?.kind === "list") last.items.push(item);
            else found.push({ kind: "list", items: [item] });
        } else if (line !== "") found.push({ kind: "paragraph", runs: parseInline(line, called) });
    }
    return found;
}

/** A text without its markup, to search in. */
export function stripMarkup(text: string): string {
    return text.replace(
        PART,
        (_whole, target?: string, words?: string, strong?: string, stressed?: string) =>
            target === undefined ? (strong ?? stressed ?? "") : (words ?? target.replace(/^card:/, "")),
    );
}
