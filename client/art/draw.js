/**
 * Draws what the cards are made of: a sheet of symbols for each faction, one that all share, and a grain of paper;
 * and the sign of the site in all sizes that browsers and home screens ask for.
 *
 *     node art/draw.js
 *
 * The plan lies beside this file, the shapes come from the game-icons collection. What is up to date is left alone,
 * so that every build, test run and start of the development server may ask.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { grain } from "./grain.js";
import { icons } from "./icon.js";
import { shorten } from "./paths.js";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../public/art");
const OWN = ["draw.js", "paths.js", "png.js", "grain.js", "icon.js"];
const PLAN = ["factions.json", "cards.json", "bases.json", "common.json", "glyphs.json"];

const source = (name) => readFileSync(join(here, name), "utf8");

/** The name of a faction's files; `sheetName` of `src/cards/art/art-index.ts` must agree. */
export function sheetName(name) {
    return name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
}

/** The icons of each sheet: the deck of a faction, its bases and titan, all emblems, the backs of cards, and what any page may show. */
function sheets({ factions, cards, bases, common }) {
    const found = {};
    for (const faction of Object.keys(factions)) {
        const pictures = Object.values(cards[faction] ?? {});
        const titans = pictures.filter((picture) => picture.titan);
        const scenes = Object.values(bases[faction] ?? {});
        const icons = ({ icon, behind }) => [icon, behind];
        // With the emblem: a replay shows those of its factions, and need not load the others.
        found[sheetName(faction)] = [
            factions[faction].emblem,
            ...pictures.filter((picture) => !picture.titan).flatMap(icons),
        ];
        found[`${sheetName(faction)}-bases`] = [
            ...scenes.flatMap((scene) => [scene.far, scene.near]),
            ...titans.flatMap(icons),
        ];
    }
    found.emblems = Object.values(factions).map((faction) => faction.emblem);
    found.backs = Object.values(common.backs).flatMap((back) => [back.icon, back.behind]);
    found.common = [...Object.keys(common.marks), ...Object.values(common.icons)];
    return found;
}

function symbol(id, box, body) {
    return `<symbol id="${id}" viewBox="0 0 ${String(box)} ${String(box)}">${body}</symbol>`;
}

/** A sign for buttons, drawn for this project: what is filled, and lines of one strength. */
function glyph({ fill, line }) {
    const pen =
        'fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"';
    return (fill ? `<path d="${fill}"/>` : "") + (line ? `<path ${pen} d="${line}"/>` : "");
}

function sheet(symbols) {
    return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}

/** Everything that is drawn: name of the file, and what is in it. */
function files(plan) {
    const collection = createRequire(import.meta.url)("@iconify-json/game-icons/icons.json");
    const shape = (name, where) => {
        const icon = collection.icons[name] ?? collection.icons[collection.aliases?.[name]?.parent];
        if (icon === undefined) {
            throw new Error(
                `The art plan wants the icon "${name}" for ${where}, and game-icons has none of that name.`,
            );
        }
        return icon.body
            .replace(/ fill="currentColor"/g, "")
            .replace(/ d="([^"]*)"/g, (_, d) => ` d="${shorten(d)}"`);
    };
    const drawn = { "grain.png": grain(), ...icons() };
    for (const [name, wanted] of Object.entries(sheets(plan))) {
        const icons = [...new Set(wanted.filter(Boolean))].sort();
        const symbols = icons.map((icon) => symbol(icon, 512, shape(icon, name)));
        if (name === "common") {
            for (const [name, parts] of Object.entries(plan.glyphs))
                symbols.push(symbol(`ui-${name}`, 24, glyph(parts)));
        }
        drawn[`${name}.svg`] = sheet(symbols);
    }
    return drawn;
}

/** Draw the pictures into public/art where they are not up to date. The answer names their version. */
export function draw() {
    const texts = Object.fromEntries([...OWN, ...PLAN].map((name) => [name, source(name)]));
    const version = createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 10);
    const stamp = join(target, "version.txt");
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === version) return version;

    const plan = Object.fromEntries(PLAN.map((name) => [name.replace(".json", ""), JSON.parse(texts[name])]));
    const drawn = files(plan);
    mkdirSync(target, { recursive: true });
    for (const [name, content] of [...Object.entries(drawn), ["version.txt", version]]) {
        // Another process may be reading: a file is there whole or not at all.
        const whole = join(target, `.${name}.${String(process.pid)}`);
        writeFileSync(whole, content);
        renameSync(whole, join(target, name));
    }
    for (const name of readdirSync(target)) {
        if (!name.startsWith(".") && name !== "version.txt" && !(name in drawn)) rmSync(join(target, name));
    }
    return version;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(`public/art is version ${draw()}.`);
