/**
 * How large a text may be to fit. Worked out from the widths of the letters, not measured on the page, so that a
 * card is right the moment it is drawn.
 */

/** Widths of the poster face's letters in hundredths of its size. */
const WIDTHS: [number, string][] = [
    [19, " \u00a0\u202f"],
    [24, "."],
    [29, "ijl:;!',’|îï"],
    [38, "tf`()[]{}«»"],
    [43, "rc1ILçÎÏ"],
    [47, 'szJF"“”'],
    [50, "7Teéèêë5hoqôEÉÈÊ"],
    [53, "abgvàâ$-–23Sk"],
    [56, "uynñ*9CZdpxùûü"],
    [60, "/68P=?BR+4ÇY…"],
    [64, "DGKUV0H_NÀÂAÔOQ&XÙ"],
    [77, "wmœ%™"],
    [95, "MW#@æ"],
];
const widths = new Map<string, number>();
for (const [width, letters] of WIDTHS) for (const letter of letters) widths.set(letter, width / 100);

/** The width of a text in the poster face, in its own size. */
export function titleWidth(text: string): number {
    let sum = 0;
    for (const letter of text) sum += widths.get(letter) ?? 0.62;
    return sum;
}

/** How many lines a text needs in this room; more than any card has if a word alone is too long. */
export function countLines(text: string, room: number): number {
    let lines = 1;
    let used = 0;
    for (const part of text.split(/\s+/)) {
        const width = titleWidth(part);
        if (width > room) return 99;
        const together = used === 0 ? width : used + 0.19 + width;
        if (together > room) {
            lines += 1;
            used = width;
        } else {
            used = together;
        }
    }
    return lines;
}

export interface TextBox {
    /** The width there is, in the same unit as the sizes. */
    width: number;
    lines: number;
    biggest: number;
    smallest: number;
}

/** Browsers round the widths of small letters: a line may come out a few percent wider than its measure. */
const MEASURE_MARGIN = 0.955;

/** The largest size at which a name fits; the smallest if none does. */
export function fitNameSize(text: string, { width, lines, biggest, smallest }: TextBox): number {
    for (let size = biggest; size > smallest; size -= 0.25) {
        // One line may be large; two have to leave each other room.
        const needed = countLines(text, (width * MEASURE_MARGIN) / size);
        if (needed <= lines && needed * size <= biggest * 1.9) return size;
    }
    return smallest;
}

/** The size for an ability, the largest of those given with which it stays within so much height. */
export function fitTextSize(text: string, width: number, height: number, sizes: readonly number[]): number {
    const perLetter = 0.485;
    for (const size of sizes) {
        const lines =
            Math.ceil((text.length * perLetter * size) / (width * 0.96)) + (text.length > 60 ? 0.4 : 0);
        if (lines * size * 1.28 <= height) return size;
    }
    return sizes.at(-1) ?? 5;
}
