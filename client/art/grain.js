/** A tile of paper grain: grey specks, light and dark, mostly clear. Written as a PNG of few shades. */

import { png } from "./png.js";

const SIDE = 64;
/** Palette entries: how dark (0) or light (255) a speck is, and how much of it is seen. */
const SHADES = [
    [0, 0],
    [0, 5],
    [255, 7],
    [0, 8],
    [255, 12],
    [0, 13],
    [255, 18],
    [0, 18],
];

/** Numbers that look random and are the same each time. */
function dice(seed) {
    let state = seed;
    return () => {
        state = (state * 1664525 + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** The grain as the bytes of a PNG: four bits a pixel. */
export function grain() {
    const roll = dice(7);
    const rows = [];
    for (let y = 0; y < SIDE; y++) {
        const row = Buffer.alloc(1 + SIDE / 2);
        for (let x = 0; x < SIDE; x += 2) {
            const [left, right] = [roll(), roll()].map((at) => Math.floor(at ** 2.2 * SHADES.length));
            row[1 + x / 2] = (left << 4) | right;
        }
        rows.push(row);
    }
    return png(SIDE, {
        depth: 4,
        color: 3,
        rows,
        palette: {
            PLTE: Buffer.from(SHADES.flatMap(([grey]) => [grey, grey, grey])),
            tRNS: Buffer.from(SHADES.map(([, seen]) => seen)),
        },
    });
}
