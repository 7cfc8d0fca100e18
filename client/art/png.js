/** Files of the format PNG, from their parts. */

import { deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

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

/**
 * A square picture. `rows` are its lines, each begun by a byte 0; `depth` and `color` say what a pixel is,
 * and `palette` holds the chunks that pixels of few shades need.
 */
export function png(side, { depth, color, rows, palette = {} }) {
    const head = Buffer.alloc(13);
    head.writeUInt32BE(side, 0);
    head.writeUInt32BE(side, 4);
    head.set([depth, color, 0, 0, 0], 8);
    return Buffer.concat([
        SIGNATURE,
        chunk("IHDR", head),
        ...Object.entries(palette).map(([kind, data]) => chunk(kind, data)),
        chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
        chunk("IEND", Buffer.alloc(0)),
    ]);
}
