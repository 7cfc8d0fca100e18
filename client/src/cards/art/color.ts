/** Colors as numbers: mixing them, and how well one is seen on another. */

function parts(color: string): [number, number, number] {
    const at = (from: number) => parseInt(color.slice(from, from + 2), 16);
    return [at(1), at(3), at(5)];
}

/** So much of one color, the rest of another. */
export function mixColors(one: string, other: string, share: number): string {
    const [a, b] = [parts(one), parts(other)];
    const mixed = a.map((value, index) => Math.round(value * share + (b[index] ?? 0) * (1 - share)));
    return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** The relative luminance of WCAG 2. */
export function luminance(color: string): number {
    const [r, g, b] = parts(color).map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** The contrast ratio of WCAG 2. */
export function contrastRatio(one: string, other: string): number {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
}
