/** The background patterns, as small tiles that repeat. They are images for CSS, in one color. */

interface Tile {
    width: number;
    height: number;
    /** The tile's width in hundredths of a card's width. */
    span: number;
    body: string;
}

const line = (d: string, width = 2): string =>
    `<path d='${d}' fill='none' stroke='C' stroke-width='${String(width)}' stroke-linecap='round' stroke-linejoin='round'/>`;
const fill = (d: string): string => `<path d='${d}' fill='C'/>`;

/** Sixteen beams from the middle of a square that covers the whole picture. */
function beams(): string {
    let d = "";
    for (let beam = 0; beam < 16; beam++) {
        const [from, to] = [beam, beam + 0.5].map((at) => (at * Math.PI) / 8);
        if (from === undefined || to === undefined) continue;
        const point = (at: number) =>
            `${(100 + 150 * Math.cos(at)).toFixed(1)} ${(100 + 150 * Math.sin(at)).toFixed(1)}`;
        d += `M100 100L${point(from)}L${point(to)}z`;
    }
    return fill(d);
}

const TILES: Record<string, Tile> = {
    dots: {
        width: 20,
        height: 20,
        span: 9,
        body: "<g fill='C'><circle cx='5' cy='5' r='3.2'/><circle cx='15' cy='15' r='3.2'/></g>",
    },
    stripes: { width: 20, height: 20, span: 9, body: fill("M0 20L20 0h-10L0 10zM20 20V10L10 20z") },
    rays: { width: 200, height: 200, span: 0, body: beams() },
    grid: {
        width: 24,
        height: 24,
        span: 11,
        body: line("M12 0v24M0 12h24", 1.5) + fill("M9 12l3-3 3 3-3 3z"),
    },
    waves: {
        width: 40,
        height: 20,
        span: 18,
        body: line("M0 5q10-8 20 0t20 0M0 15q10-8 20 0t20 0", 2.6),
    },
    scales: {
        width: 28,
        height: 28,
        span: 14,
        body: line("M0 0a14 14 0 0028 0M-14 14a14 14 0 0028 0M14 14a14 14 0 0028 0M0 28a14 14 0 0128 0", 2),
    },
    stars: {
        width: 40,
        height: 40,
        span: 19,
        body: fill(
            "M10 3l1.6 5.4L17 10l-5.4 1.6L10 17l-1.6-5.4L3 10l5.4-1.6zM30 22l1.2 4.8L36 28l-4.8 1.2L30 34l-1.2-4.8L24 28l4.8-1.2zM31 7l2 2-2 2-2-2zM10 29l2 2-2 2-2-2z",
        ),
    },
    leaves: {
        width: 36,
        height: 36,
        span: 17,
        body: fill(
            "M4 14C4 6 10 3 16 3c0 7-4 11-12 11zM20 32c0-8 6-11 12-11 0 7-4 11-12 11zM24 6c5 0 8 3 9 8-5 0-9-2-9-8zM5 22c5 0 8 3 9 8-5 0-9-2-9-8z",
        ),
    },
    bricks: { width: 40, height: 24, span: 18, body: line("M0 1h40M0 13h40M10 1v12M30 13v12", 2) },
    circuits: {
        width: 48,
        height: 48,
        span: 22,
        body:
            line("M0 12h8l6 6h18l6-6h10M24 48V38l-8-6v-4M24 0v5M48 36H36l-5-5M0 36h5", 2) +
            "<g fill='C'><circle cx='16' cy='26' r='3.4'/><circle cx='24' cy='6' r='3.4'/><circle cx='30' cy='30' r='3.4'/><circle cx='6' cy='36' r='3.4'/></g>",
    },
};

const made = new Map<string, string>();

/** A pattern in a color, as a value of `background`. */
/** The names of all patterns. */
export const PATTERNS = Object.keys(TILES);

export function patternImage(kind: string, color: string): string {
    const key = `${kind} ${color}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const tile = TILES[kind] ?? TILES.dots;
    if (tile === undefined) return "none";
    const size = `viewBox='0 0 ${String(tile.width)} ${String(tile.height)}'`;
    const svg = `<svg xmlns='http://www.w3.org/2000/svg' ${size} preserveAspectRatio='xMidYMid slice'>${tile.body}</svg>`;
    const image = `url("data:image/svg+xml,${encodeURIComponent(svg.replaceAll("'C'", `'${color}'`))}")`;
    made.set(key, image);
    return image;
}

/** How wide a pattern's tile is, for `background-size`; beams cover all there is. */
export function patternSpan(kind: string): string {
    const tile = TILES[kind];
    if (tile === undefined || tile.span === 0) return "cover";
    return `calc(var(--unit, 1cqw) * ${String(tile.span)})`;
}
