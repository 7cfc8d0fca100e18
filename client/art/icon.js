/**
 * The sign of the site: a burst with an S, as a drawing for tabs and as pictures for home screens.
 *
 * All of it is polygons on a field of 64 by 64, so that a few lines can turn them into pixels.
 */

import { png } from "./png.js";

const SIDE = 64;
const INK = "#1d1729";
const SUN = "#ffcf3f";
const GLARE = "#ffdf80";
const BRAND = "#d1381f";
const PAPER = "#fffaf0";
const CALL = "#7b2ff2";

/** Points from a list of numbers. */
const points = (...numbers) => numbers.flatMap((x, at) => (at % 2 ? [] : [[x, numbers[at + 1]]]));

const BURST = points(
    ...[32, 1, 39, 14, 51, 6, 49, 20, 63, 21, 53, 31, 63, 40, 49, 43, 52, 57, 39, 51, 32, 63],
    ...[25, 51, 12, 57, 15, 43, 1, 40, 11, 31, 1, 21, 15, 20, 13, 6, 25, 14],
);
const LETTER = points(
    22,
    18,
    42,
    18,
    42,
    25,
    29,
    25,
    29,
    30,
    42,
    30,
    42,
    47,
    22,
    47,
    22,
    40,
    35,
    40,
    35,
    36,
    22,
    36,
);

/** A shape, smaller or larger around the middle, and shifted. */
function placed(shape, scale, right = 0, down = 0) {
    const middle = SIDE / 2;
    return shape.map(([x, y]) => [
        middle + (x - middle) * scale + right,
        middle + (y - middle) * scale + down,
    ]);
}

function ellipse(x, y, radius, corners = 40) {
    return Array.from({ length: corners }, (_, at) => {
        const turn = (at / corners) * 2 * Math.PI;
        return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
    });
}

/** A square with round corners. */
function tile(radius) {
    const far = SIDE - radius;
    const corner = (x, y, from) =>
        Array.from({ length: 9 }, (_, at) => {
            const turn = ((from + (at / 8) * 90) * Math.PI) / 180;
            return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
        });
    return [
        ...corner(far, far, 0),
        ...corner(radius, far, 90),
        ...corner(radius, radius, 180),
        ...corner(far, radius, 270),
    ];
}

/** Beams of light from the middle, out to the edge of the field and beyond. */
function beams(count) {
    return Array.from({ length: count }, (_, at) => {
        const [from, to] = [at, at + 0.5].map((place) => (place / count) * 2 * Math.PI);
        const edge = (turn) => [32 + 64 * Math.cos(turn), 32 + 64 * Math.sin(turn)];
        return { color: GLARE, shape: [[32, 32], edge(from), edge(to)] };
    });
}

/** The sign on a poster, from the back to the front. */
function poster(scale) {
    return [
        ...beams(12),
        { color: INK, shape: placed(BURST, scale * 1.06, 1.4, 1.8) },
        { color: BRAND, shape: placed(BURST, scale) },
        { color: INK, shape: placed(LETTER, scale, 1.3, 1.5) },
        { color: PAPER, shape: placed(LETTER, scale) },
    ];
}

/** A picture to be cut out by the device (`whole`), or one with round corners of its own. */
function picture(side, whole) {
    const ground = whole
        ? [
              [0, 0],
              [SIDE, 0],
              [SIDE, SIDE],
              [0, SIDE],
          ]
        : tile(13);
    const inside = whole ? 0.62 : 0.84;
    return drawn(side, ground, [{ color: SUN, shape: ground }, ...poster(inside)]);
}

/** Where a line of the field crosses the edge of a shape, from left to right. */
function crossings(shape, y) {
    const found = [];
    shape.forEach(([x1, y1], at) => {
        const [x2, y2] = shape[(at + 1) % shape.length];
        if (y1 > y !== y2 > y) found.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    });
    return found.sort((a, b) => a - b);
}

const rgb = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/** Pixels, each the mean of sixteen. Nothing is drawn outside the ground. */
function drawn(side, ground, layers) {
    const FINE = 4;
    const wide = side * FINE;
    const rows = [];
    for (let top = 0; top < side; top++) {
        const sums = new Float64Array(side * 4);
        for (let part = 0; part < FINE; part++) {
            const y = ((top * FINE + part + 0.5) / wide) * SIDE;
            const line = new Array(wide).fill(null);
            const fill = (shape, paint) => {
                const edges = crossings(shape, y);
                for (let at = 0; at + 1 < edges.length; at += 2) {
                    const first = Math.max(0, Math.ceil((edges[at] / SIDE) * wide - 0.5));
                    const last = Math.min(wide, Math.ceil((edges[at + 1] / SIDE) * wide - 0.5));
                    for (let x = first; x < last; x++) line[x] = paint;
                }
            };
            for (const { color, shape } of layers) fill(shape, rgb(color));
            const inside = new Uint8Array(wide);
            const edges = crossings(ground, y);
            inside.fill(
                1,
                Math.round(((edges[0] ?? 0) / SIDE) * wide),
                Math.round(((edges.at(-1) ?? 0) / SIDE) * wide),
            );
            line.forEach((paint, x) => {
                if (paint === null || !inside[x]) return;
                const at = Math.floor(x / FINE) * 4;
                paint.forEach((value, channel) => (sums[at + channel] += value));
                sums[at + 3] += 1;
            });
        }
        const row = Buffer.alloc(1 + side * 4);
        for (let x = 0; x < side; x++) {
            const seen = sums[x * 4 + 3];
            if (seen === 0) continue;
            for (let channel = 0; channel < 3; channel++)
                row[1 + x * 4 + channel] = Math.round(sums[x * 4 + channel] / seen);
            row[1 + x * 4 + 3] = Math.round((seen / FINE ** 2) * 255);
        }
        rows.push(row);
    }
    return png(side, { depth: 8, color: 6, rows });
}

/** The sign for a tab: bare, and with a dot when somebody is waited for. */
function tab(calling) {
    const path = (shape) =>
        `M${shape.map((point) => point.map((n) => Number(n.toFixed(1))).join(" ")).join("L")}z`;
    const layers = [
        { color: BRAND, shape: BURST },
        { color: PAPER, shape: LETTER },
        ...(calling
            ? [
                  { color: PAPER, shape: ellipse(48, 16, 16) },
                  { color: CALL, shape: ellipse(48, 16, 12.5) },
              ]
            : []),
    ];
    const paths = layers.map(({ color, shape }) => `<path fill="${color}" d="${path(shape)}"/>`);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">${paths.join("")}</svg>`;
}

/** All files of the sign, by name. */
export function icons() {
    return {
        "icon.svg": tab(false),
        "icon-turn.svg": tab(true),
        "icon-192.png": picture(192, false),
        "icon-512.png": picture(512, false),
        "icon-whole-192.png": picture(192, true),
        "icon-whole-512.png": picture(512, true),
        "icon-apple.png": picture(180, true),
    };
}
