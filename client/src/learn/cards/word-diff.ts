/** What changed from one printing of a text to the next, word by word. */

export interface DiffPart {
    text: string;
    /** Whether it is in this text only. */
    only: boolean;
}

/** Both texts, cut where they differ: the longest run of common words stays. */
export function diffWords(one: string, two: string): [DiffPart[], DiffPart[]] {
    const a = one.split(/(?<=\s)/);
    const b = two.split(/(?<=\s)/);
    const plain = (word: string | undefined) => word?.trim();
    // How many words the ends of both texts have in common, from each pair of places on.
    const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
    const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
    for (let i = a.length - 1; i >= 0; i--) {
        const row = common[i];
        if (!row) continue;
        for (let j = b.length - 1; j >= 0; j--) {
            row[j] =
                plain(a[i]) === plain(b[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
        }
    }
    const left: DiffPart[] = [];
    const right: DiffPart[] = [];
    const add = (pieces: DiffPart[], text: string, only: boolean) => {
        const last = pieces.at(-1);
        if (last?.only === only) last.text += text;
        else pieces.push({ text, only });
    };
    let i = 0;
    let j = 0;
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && plain(a[i]) === plain(b[j])) {
            add(left, a[i++] ?? "", false);
            add(right, b[j++] ?? "", false);
        } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
            add(left, a[i++] ?? "", true);
        else add(right, b[j++] ?? "", true);
    }
    return [mergeParts(left), mergeParts(right)];
}

const words = (text: string): number => text.trim().split(/\s+/).length;

/** A word or two in common between two changes are chance, and marks around them only disturb. */
function mergeParts(pieces: DiffPart[]): DiffPart[] {
    const found: DiffPart[] = [];
    pieces.forEach((piece, at) => {
        const between = !piece.only && at > 0 && at < pieces.length - 1 && words(piece.text) < 3;
        const last = found.at(-1);
        if (last && last.only === (piece.only || between)) last.text += piece.text;
        else found.push({ text: piece.text, only: piece.only || between });
    });
    return found;
}
