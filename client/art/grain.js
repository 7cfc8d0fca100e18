/** A tile of paper grain: grey specks, light and dark, mostly clear. Written as a PNG of few shades. */

import { deflateSync } from "node:zlib";

const SIDE = 128;
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

function crc(bytes) {
    let value = 0xffffffff;
    for (const byte of bytes) {
        value ^= byte;
        for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    return (value ^ 0xffffffff) >>> 0;
}

function chunk(kind, data) {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const size = Buffer.alloc(4);
    const check = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    check.writeUInt32BE(crc(body));
    return Buffer.concat([size, body, check]);
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
    const head = Buffer.alloc(13);
    head.writeUInt32BE(SIDE, 0);
    head.writeUInt32BE(SIDE, 4);
    head.set([4, 3, 0, 0, 0], 8);
    return Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk("IHDR", head),
        chunk("PLTE", Buffer.from(SHADES.flatMap(([grey]) => [grey, grey, grey]))),
        chunk("tRNS", Buffer.from(SHADES.map(([, seen]) => seen))),
        chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
        chunk("IEND", Buffer.alloc(0)),
    ]);
}
