/**
 * How large the cards at the bases, and the bases, can be so that all can be seen at once.
 *
 * Computed and not tried out: laying out a crowded table six times for every change would take a browser longer than
 * everything else that happens here. The measures are those of `BaseColumn.svelte` and `PlayedCard.svelte`, in rem.
 */

import type { BaseView, InPlay } from "../../protocol";

export interface Sizes {
    /** Of the cards, as part of what they would be with room enough. */
    cards: number;
    bases: number;
    /** How much of a card the next one covers, where even the smallest cards do not fit side by side. */
    overlap?: number;
}

/** The room for the bases, in rem. */
export interface BoardSpace {
    width: number;
    height: number;
    /** One base at a time, on a narrow screen. */
    narrow: boolean;
    /** A phone held sideways. */
    short?: boolean;
    /** A tablet held upright. */
    upright?: boolean;
}

/** From the largest to the smallest, for cards and bases each. */
const FACTORS = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58];
const SIZES: Sizes[] = FACTORS.map((factor) => ({ cards: factor, bases: factor }));
const SMALLEST_SIZES: Sizes = { cards: 0.58, bases: 0.58, overlap: 0.45 };

/** Left free when bases grow beyond their share, because heights are estimates. */
const GROWTH_MARGIN = 1.5;

const MAX_COLUMN = 24;
const MIN_FACE = 10.5;
/** A base on a narrow screen, beside its gauge. */
const NARROW_FACE = 12.5;
const MAX_CARD = 7;
const CARD_RATIO = 1.25;
const GAP = 0.375;
const ROW_GAP = 0.5;
const TRAY_PADDING = 1;
/** The same between cards that overlap. */
const DENSE_TRAY_PADDING = 0.75;
const DENSE_GAP = 0.125;
/** Around the columns and in them. */
const COLUMN_PADDING = { width: 1, height: 2.3, top: 0.5625 };

interface Box {
    width: number;
    height: number;
}

/** The largest cards with which everything fits, then the largest bases; `mine` is the player at the bottom. */
export function computeSizes(bases: BaseView[], mine: number, space: BoardSpace): Sizes {
    const fits = (sizes: Sizes): boolean => heightWith(sizes, bases, mine, space) <= space.height;
    const found = SIZES.find(fits);
    if (found === undefined) return SMALLEST_SIZES;
    const { cards } = found;
    const spare = { ...space, height: space.height - GROWTH_MARGIN };
    return (
        FACTORS.map((factor) => ({ cards, bases: factor })).find(
            (sizes) => sizes.bases <= cards || heightWith(sizes, bases, mine, spare) <= spare.height,
        ) ?? SMALLEST_SIZES
    );
}

/** How many bases stand side by side: on a tablet held upright they form two rows. */
export function countColumns(count: number, space: BoardSpace): number {
    return space.upright === true && count > 3 ? Math.ceil(count / 2) : count;
}

/** How wide a card is at a size. */
export function computeCardWidth(count: number, sizes: Sizes, space: BoardSpace): number {
    if (space.short === true) return 2.875;
    if (space.narrow) return 4.5 * sizes.cards;
    const columns = countColumns(count, space);
    // A tablet held upright has height to spare: fewer and larger cards side by side.
    const across = columns > 4 || space.upright === true ? 2 : 3;
    const column = Math.min(MAX_COLUMN, space.width / columns - 0.5);
    return Math.min(MAX_CARD, Math.max(3.5, (column - 3.25) / across)) * sizes.cards;
}

/** A layout of the bases, kept while it fits so that they stay where they are. */
export interface Layout {
    sizes: Sizes;
    /** The height above each base, by its serial; a base that is not listed takes the first. */
    above: Map<number, number>;
    space: BoardSpace;
}

/** How much larger the bases or cards must get for a new layout at the start of a turn. */
const MIN_GROWTH = 0.1;

/** The layout for a new turn: what shrank for a crowded base grows again, unless it would hardly be seen. */
export function layoutForTurn(
    bases: BaseView[],
    mine: number,
    space: BoardSpace,
    before: Layout | null,
): Layout {
    const fresh = layoutFor(bases, mine, space, null);
    if (before === null) return fresh;
    const grows =
        fresh.sizes.bases >= before.sizes.bases + MIN_GROWTH ||
        fresh.sizes.cards >= before.sizes.cards + MIN_GROWTH;
    return grows ? fresh : layoutFor(bases, mine, space, before);
}

/** A room that is higher by this much deserves a new layout. */
const MIN_EXTRA_HEIGHT = 2;

/** The layout for the bases as they are now: the one before as long as everything fits into it. */
export function layoutFor(bases: BaseView[], mine: number, space: BoardSpace, before: Layout | null): Layout {
    // With more or fewer bases all of them move anyway.
    const isSame = before !== null && before.above.size === bases.length && isSameSpace(before.space, space);
    if (isSame) {
        if (heightIn(before, bases, mine, space) <= space.height) return before;
        // Smaller cards rather than bases that move, and bases that move rather than smaller ones.
        const sizes = smallerCards(before);
        const inPlace = sizes.map((found) => ({ ...before, sizes: found }));
        const fitting = inPlace.find((layout) => heightIn(layout, bases, mine, space) <= space.height);
        if (fitting !== undefined) return fitting;
        const moved = sizes.find((found) => heightWith(found, bases, mine, space) <= space.height);
        if (moved !== undefined) return layoutWith(moved, bases, mine, space);
    }
    return layoutWith(computeSizes(bases, mine, space), bases, mine, space);
}

function layoutWith(sizes: Sizes, bases: BaseView[], mine: number, space: BoardSpace): Layout {
    return { sizes, above: aboveBases(partsOf(sizes, bases, mine, space), bases, space), space };
}

/** Whether a layout was made for such a room; a lower one may do. */
export function isSameSpace(before: BoardSpace, space: BoardSpace): boolean {
    return (
        before.width === space.width &&
        before.narrow === space.narrow &&
        before.short === space.short &&
        before.upright === space.upright &&
        space.height < before.height + MIN_EXTRA_HEIGHT
    );
}

/** The sizes with the bases as large as they are, from the largest cards to the smallest. */
function smallerCards({ sizes: { cards, bases, overlap } }: Layout): Sizes[] {
    const candidates = overlap === undefined ? [...SIZES, SMALLEST_SIZES] : [SMALLEST_SIZES];
    return candidates.filter((sizes) => sizes.cards <= cards).map((sizes) => ({ ...sizes, bases }));
}

interface Parts {
    others: number;
    middle: number;
    own: number;
}

function measuresFor(count: number, sizes: Sizes, space: BoardSpace): Measures {
    const columns = countColumns(count, space);
    const share = (space.width - 1 - GAP * (columns - 1)) / columns;
    const column = space.narrow ? space.width * 0.78 : Math.min(MAX_COLUMN, share);
    return {
        chip: computeCardWidth(count, sizes, space),
        inner: column - COLUMN_PADDING.width,
        overlap: sizes.overlap ?? 0,
    };
}

/** Which sides of a base need their cards to overlap: where all fit side by side, none is covered. */
export function findOverlaps(
    base: BaseView,
    mine: number,
    { count, sizes, space }: { count: number; sizes: Sizes; space: BoardSpace },
): { others: boolean; own: boolean } {
    const measures = measuresFor(count, sizes, space);
    return {
        others: needsOverlap(base, mine, false, measures),
        own: needsOverlap(base, mine, true, measures),
    };
}

function needsOverlap(base: BaseView, mine: number, own: boolean, measures: Measures): boolean {
    if (measures.overlap === 0) return false;
    const plain = sideHeight(base, mine, own, { ...measures, overlap: 0 });
    return plain > sideHeight(base, mine, own, measures);
}

function partsOf(sizes: Sizes, bases: BaseView[], mine: number, space: BoardSpace): Parts[] {
    const measures = measuresFor(bases.length, sizes, space);
    const { chip, inner } = measures;
    // Room for the first card of either side is kept from the start: bases do not move when it comes.
    const least = chip * CARD_RATIO + TRAY_PADDING;
    return bases.map((base) => ({
        others: Math.max(least, sideHeight(base, mine, false, measures)),
        middle: middleHeight(base, sizes, inner, space.narrow),
        own: Math.max(least, sideHeight(base, mine, true, measures)),
    }));
}

const maxOf = (parts: Parts[], part: keyof Parts): number => Math.max(0, ...parts.map((one) => one[part]));

/** Bases of a row keep the same height above them; on a narrow screen each base stands for itself. */
function totalHeight(parts: Parts[], space: BoardSpace): number {
    if (space.narrow) {
        return (
            Math.max(0, ...parts.map(({ others, middle, own }) => others + middle + own)) +
            COLUMN_PADDING.height
        );
    }
    const columns = countColumns(parts.length, space);
    let height = 0;
    for (let first = 0; first < parts.length; first += columns) {
        const row = parts.slice(first, first + columns);
        height += maxOf(row, "others") + maxOf(row, "middle") + maxOf(row, "own") + COLUMN_PADDING.height;
    }
    return height;
}

function heightWith(sizes: Sizes, bases: BaseView[], mine: number, space: BoardSpace): number {
    return totalHeight(partsOf(sizes, bases, mine, space), space);
}

/** The height of everything in a layout that was made before. */
function heightIn({ sizes, above }: Layout, bases: BaseView[], mine: number, space: BoardSpace): number {
    const parts = partsOf(sizes, bases, mine, space).map((part, at) => ({
        ...part,
        others: Math.max(part.others, (above.get(bases[at]?.serial ?? -1) ?? 0) - COLUMN_PADDING.top),
    }));
    return totalHeight(parts, space);
}

/** Half of the height that is left goes above the bases: cards that come later find room on both sides. */
function aboveBases(parts: Parts[], bases: BaseView[], space: BoardSpace): Map<number, number> {
    const columns = space.narrow ? 1 : countColumns(bases.length, space);
    const rows = space.narrow ? 1 : Math.ceil(bases.length / columns);
    return new Map(
        bases.map(({ serial }, at) => {
            const first = at - (at % columns);
            const row = parts.slice(first, first + columns);
            const spare =
                Math.max(0, space.height - totalHeight(space.narrow ? row : parts, space)) / (2 * rows);
            return [serial, COLUMN_PADDING.top + maxOf(row, "others") + spare];
        }),
    );
}

/** The base with its gauge and the standing. */
function middleHeight(base: BaseView, sizes: Sizes, inner: number, narrow: boolean): number {
    if (narrow) return Math.min(NARROW_FACE, inner * 0.66) * 0.7 + 0.875;
    const face = Math.max(Math.min(inner, MIN_FACE), inner * sizes.bases);
    const places = wrapBoxes(
        base.places.map(() => ({ width: 3.75, height: 1.375 })),
        inner,
        0.25,
        0.25,
    );
    return face * 0.7 + 1.25 + Math.max(1.375, places.height) + 1.5;
}

interface Measures {
    chip: number;
    inner: number;
    overlap: number;
}

function sideHeight(base: BaseView, mine: number, own: boolean, measures: Measures): number {
    const { chip, inner, overlap } = measures;
    const covered = chip * overlap;
    const tray = overlap > 0 ? DENSE_TRAY_PADDING : TRAY_PADDING;
    const gap = overlap > 0 ? DENSE_GAP : GAP;
    const players = [...new Set(base.cards.map(({ controller }) => controller))];
    const trays = players
        .filter((player) => (player === mine) === own)
        .map((player) => {
            const cards = base.cards.filter(({ controller }) => controller === player);
            const field = wrapBoxes(
                cards.map((card) => {
                    const { width, height } = boxOf(card, chip);
                    return { width: width - covered, height };
                }),
                inner - tray - covered,
                gap,
                ROW_GAP,
            );
            return { width: field.width + tray + covered, height: field.height + TRAY_PADDING };
        });
    return wrapBoxes(trays, inner, GAP, ROW_GAP).height;
}

function boxOf(card: InPlay, chip: number): Box {
    const factor = card.type === "titan" ? 1.3 : card.type === "action" ? 0.86 : 1;
    const attached = (card.actions ?? []).length > 0 ? chip * 0.5 * CARD_RATIO + 0.1875 : 0;
    return { width: chip * factor, height: chip * factor * CARD_RATIO + attached };
}

/** Boxes side by side, going on in the next row where there is no more room. */
function wrapBoxes(boxes: Box[], width: number, gap: number, rowGap: number): Box {
    const whole = { width: 0, height: 0 };
    let row: Box = { width: 0, height: 0 };
    const close = () => {
        whole.width = Math.max(whole.width, row.width);
        whole.height += (whole.height > 0 && row.height > 0 ? rowGap : 0) + row.height;
        row = { width: 0, height: 0 };
    };
    for (const box of boxes) {
        if (row.width > 0 && row.width + gap + box.width > width) close();
        row.width += (row.width > 0 ? gap : 0) + box.width;
        row.height = Math.max(row.height, box.height);
    }
    close();
    return whole;
}
