/**
 * How large the cards at the bases, and the bases, can be so that all can be seen at once.
 *
 * Reckoned and not tried out: to lay out a crowded table six times for every change takes a browser longer than all
 * else that happens here. The measures are those of `BaseColumn.svelte` and `PlayedCard.svelte`, in rem.
 */

import type { BaseView, InPlay } from "../../protocol";

export interface Sizes {
    /** Of the cards, as part of what they would be with room enough. */
    cards: number;
    bases: number;
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
const SMALLEST: Sizes = { cards: 0.58, bases: 0.58 };

/** Left free when bases grow beyond their share, because heights are estimates. */
const SPARE = 1.5;

const NARROWEST = 9.5;
const WIDEST = 24;
const SMALLEST_FACE = 10.5;
/** A base on a narrow screen, beside its gauge. */
const NARROW_FACE = 12.5;
const WIDEST_CARD = 7;
const TALL = 1.25;
const GAP = 0.375;
const ROW_GAP = 0.5;
const TRAY = 1;
/** Around the columns and in them. */
const AROUND = { width: 0.875, height: 2.3, top: 0.5625 };

interface Box {
    width: number;
    height: number;
}

/** The largest cards with which everything fits, then the largest bases; `mine` is the player at the bottom. */
export function computeSizes(bases: BaseView[], mine: number, space: BoardSpace): Sizes {
    const fits = (sizes: Sizes): boolean => heightWith(sizes, bases, mine, space) <= space.height;
    const { cards } = SIZES.find(fits) ?? SMALLEST;
    const spare = { ...space, height: space.height - SPARE };
    return (
        FACTORS.map((factor) => ({ cards, bases: factor })).find(
            (sizes) => sizes.bases <= cards || heightWith(sizes, bases, mine, spare) <= spare.height,
        ) ?? SMALLEST
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
    const across = columns > 4 ? 2 : 3;
    const column = Math.min(WIDEST, space.width / columns - 0.5);
    return Math.min(WIDEST_CARD, Math.max(3.5, (column - 3.25) / across)) * sizes.cards;
}

/** A layout of the bases, kept while it fits so that they stay where they are. */
export interface Layout {
    sizes: Sizes;
    /** The height above each base, by its serial; a base that is not listed takes the first. */
    above: Map<number, number>;
    space: BoardSpace;
}

/** How much larger the bases or cards must get for a new layout at the start of a turn. */
const GROWTH = 0.1;

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
        fresh.sizes.bases >= before.sizes.bases + GROWTH || fresh.sizes.cards >= before.sizes.cards + GROWTH;
    return grows ? fresh : layoutFor(bases, mine, space, before);
}

/** A room that is higher by this much deserves a new layout. */
const HIGHER = 2;

/** The layout for the bases as they are now: the one before as long as everything fits into it. */
export function layoutFor(bases: BaseView[], mine: number, space: BoardSpace, before: Layout | null): Layout {
    const isSame = before !== null && isSameSpace(before.space, space);
    if (isSame && heightIn(before, bases, mine, space) <= space.height) return before;
    const sizes =
        (isSame ? smallerCards(before.sizes, bases, mine, space) : null) ?? computeSizes(bases, mine, space);
    return { sizes, above: aboveBases(partsOf(sizes, bases, mine, space), bases, space), space };
}

/** Whether a layout was made for such a room; a lower one may do. */
export function isSameSpace(before: BoardSpace, space: BoardSpace): boolean {
    return (
        before.width === space.width &&
        before.narrow === space.narrow &&
        before.short === space.short &&
        before.upright === space.upright &&
        space.height < before.height + HIGHER
    );
}

/** Sizes with which everything fits though the bases stay as large as they are. */
function smallerCards(before: Sizes, bases: BaseView[], mine: number, space: BoardSpace): Sizes | null {
    return (
        [...SIZES, SMALLEST]
            .filter(({ cards }) => cards <= before.cards)
            .map(({ cards }) => ({ cards, bases: before.bases }))
            .find((sizes) => heightWith(sizes, bases, mine, space) <= space.height) ?? null
    );
}

interface Parts {
    others: number;
    middle: number;
    own: number;
}

function partsOf(sizes: Sizes, bases: BaseView[], mine: number, space: BoardSpace): Parts[] {
    const chip = computeCardWidth(bases.length, sizes, space);
    const columns = countColumns(bases.length, space);
    const share = (space.width - 1 - GAP * (columns - 1)) / columns;
    const column = space.narrow ? space.width * 0.78 : Math.min(WIDEST, Math.max(NARROWEST, share));
    const inner = column - AROUND.width;
    // Room for the first card of either side is kept from the start: bases do not move when it comes.
    const least = chip * TALL + TRAY;
    return bases.map((base) => ({
        others: Math.max(least, sideHeight(base, mine, false, chip, inner)),
        middle: middleHeight(base, sizes, inner, space.narrow),
        own: Math.max(least, sideHeight(base, mine, true, chip, inner)),
    }));
}

const most = (parts: Parts[], part: keyof Parts): number => Math.max(0, ...parts.map((one) => one[part]));

/** Bases of a row keep the same height above them; on a narrow screen each base stands for itself. */
function total(parts: Parts[], space: BoardSpace): number {
    if (space.narrow) {
        return Math.max(0, ...parts.map(({ others, middle, own }) => others + middle + own)) + AROUND.height;
    }
    const columns = countColumns(parts.length, space);
    let height = 0;
    for (let first = 0; first < parts.length; first += columns) {
        const row = parts.slice(first, first + columns);
        height += most(row, "others") + most(row, "middle") + most(row, "own") + AROUND.height;
    }
    return height;
}

function heightWith(sizes: Sizes, bases: BaseView[], mine: number, space: BoardSpace): number {
    return total(partsOf(sizes, bases, mine, space), space);
}

/** The height of everything in a layout that was made before. */
function heightIn({ sizes, above }: Layout, bases: BaseView[], mine: number, space: BoardSpace): number {
    const parts = partsOf(sizes, bases, mine, space).map((part, at) => ({
        ...part,
        others: Math.max(part.others, (above.get(bases[at]?.serial ?? -1) ?? 0) - AROUND.top),
    }));
    return total(parts, space);
}

/** Half of the height that is left goes above the bases: cards that come later find room on both sides. */
function aboveBases(parts: Parts[], bases: BaseView[], space: BoardSpace): Map<number, number> {
    const columns = space.narrow ? 1 : countColumns(bases.length, space);
    const rows = space.narrow ? 1 : Math.ceil(bases.length / columns);
    return new Map(
        bases.map(({ serial }, at) => {
            const first = at - (at % columns);
            const row = parts.slice(first, first + columns);
            const spare = Math.max(0, space.height - total(space.narrow ? row : parts, space)) / (2 * rows);
            return [serial, AROUND.top + most(row, "others") + spare];
        }),
    );
}

/** The base with its gauge and the standing. */
function middleHeight(base: BaseView, sizes: Sizes, inner: number, narrow: boolean): number {
    if (narrow) return NARROW_FACE * 0.7 + 0.875;
    const face = Math.max(Math.min(inner, SMALLEST_FACE), inner * sizes.bases);
    const places = rows(
        base.places.map(() => ({ width: 3.75, height: 1.375 })),
        inner,
        0.25,
        0.25,
    );
    return face * 0.7 + 1.25 + Math.max(1.375, places.height) + 1.5;
}

function sideHeight(base: BaseView, mine: number, own: boolean, chip: number, inner: number): number {
    const players = [...new Set(base.cards.map(({ controller }) => controller))];
    const trays = players
        .filter((player) => (player === mine) === own)
        .map((player) => {
            const cards = base.cards.filter(({ controller }) => controller === player);
            const field = rows(
                cards.map((card) => boxOf(card, chip)),
                inner - TRAY,
                GAP,
                ROW_GAP,
            );
            return { width: field.width + TRAY, height: field.height + TRAY };
        });
    return rows(trays, inner, GAP, ROW_GAP).height;
}

function boxOf(card: InPlay, chip: number): Box {
    const factor = card.type === "titan" ? 1.3 : card.type === "action" ? 0.86 : 1;
    const attached = (card.actions ?? []).length > 0 ? chip * 0.5 * TALL + 0.1875 : 0;
    return { width: chip * factor, height: chip * factor * TALL + attached };
}

/** Boxes side by side, going on in the next row where there is no more room. */
function rows(boxes: Box[], width: number, gap: number, rowGap: number): Box {
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
