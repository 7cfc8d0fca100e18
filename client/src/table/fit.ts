/**
 * How large the cards at the bases, and the bases, can be so that all can be seen at once.
 *
 * Reckoned and not tried out: to lay out a crowded table six times for every change takes a browser longer than all
 * else that happens here. The measures are those of `BaseColumn.svelte` and `PlayedCard.svelte`, in rem.
 */

import type { Base, InPlay } from "../protocol";

export interface Sizes {
    /** Of the cards, as part of what they would be with room enough. */
    cards: number;
    bases: number;
}

/** The room for the bases, in rem. */
export interface Room {
    width: number;
    height: number;
    /** One base at a time, on a narrow screen. */
    narrow: boolean;
    /** A phone held sideways. */
    short?: boolean;
}

const SIZES: Sizes[] = [
    { cards: 1, bases: 1 },
    { cards: 0.94, bases: 0.94 },
    { cards: 0.88, bases: 0.86 },
    { cards: 0.82, bases: 0.8 },
    { cards: 0.76, bases: 0.74 },
    { cards: 0.7, bases: 0.68 },
    { cards: 0.64, bases: 0.64 },
];
const SMALLEST: Sizes = { cards: 0.58, bases: 0.6 };

const NARROWEST = 10.5;
const WIDEST = 19;
const TALL = 1.25;
const GAP = 0.375;
const ROW_GAP = 0.5;
const TRAY = 1;
/** Around the columns and in them. */
const AROUND = { width: 0.875, height: 2.3 };
const LEAST = { others: 2, own: 6, ownNarrow: 4 };

interface Box {
    width: number;
    height: number;
}

/** The largest sizes with which everything fits, `mine` being the player at the bottom. */
export function sizesFor(bases: Base[], mine: number, room: Room): Sizes {
    return SIZES.find((sizes) => heightWith(sizes, bases, mine, room) <= room.height) ?? SMALLEST;
}

/** How wide a card is at a size. */
export function cardWidth(count: number, sizes: Sizes, room: Room): number {
    if (room.short === true) return 2.875;
    if (room.narrow) return 4.5 * sizes.cards;
    const across = count > 4 ? 2 : 3;
    const column = Math.min(WIDEST, room.width / count - 0.5);
    return Math.min(6.25, Math.max(3.5, (column - 3.25) / across)) * sizes.cards;
}

function heightWith(sizes: Sizes, bases: Base[], mine: number, room: Room): number {
    const chip = cardWidth(bases.length, sizes, room);
    const share = (room.width - 1 - GAP * (bases.length - 1)) / bases.length;
    const column = room.narrow ? room.width * 0.78 : Math.min(WIDEST, Math.max(NARROWEST, share));
    const inner = column - AROUND.width;
    const parts = bases.map((base) => {
        const sides = [false, true].map((own) => sideHeight(base, mine, own, chip, inner));
        const least = room.narrow ? LEAST.ownNarrow : LEAST.own;
        return {
            others: Math.max(LEAST.others, sides[0] ?? 0),
            middle: middleHeight(base, sizes, inner, room.narrow),
            own: Math.max(least, sides[1] ?? 0),
        };
    });
    const most = (part: "others" | "middle" | "own") => Math.max(0, ...parts.map((one) => one[part]));
    const together = room.narrow
        ? Math.max(0, ...parts.map(({ others, middle, own }) => others + middle + own))
        : most("others") + most("middle") + most("own");
    return together + AROUND.height;
}

/** The base with its gauge and the standing. */
function middleHeight(base: Base, sizes: Sizes, inner: number, narrow: boolean): number {
    if (narrow) return 10.5 * 0.7 + 0.875;
    const face = Math.max(Math.min(inner, 10.5), inner * sizes.bases);
    const places = rows(
        base.places.map(() => ({ width: 3.75, height: 1.375 })),
        inner,
        0.25,
        0.25,
    );
    return face * 0.7 + 1.25 + Math.max(1.375, places.height) + 1.5;
}

function sideHeight(base: Base, mine: number, own: boolean, chip: number, inner: number): number {
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
    const attached = Math.ceil((card.actions ?? []).length / 2) * (chip * 0.5 * TALL + 0.1875);
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
