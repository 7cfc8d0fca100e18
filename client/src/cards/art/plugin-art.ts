/**
 * The looks of factions that the art plan does not know: those that an operator has added to the server.
 *
 * A faction may set two colors and an icon, a card an icon. The rest follows from names and texts.
 */

import { SvelteMap } from "svelte/reactivity";

import type { CardInfo, Deck, FactionInfo } from "../../protocol";
import type { Palette, CardPicture, FactionStyle } from "./art-index";
import { contrastRatio, luminance, mixColors } from "./color";
import { seededRandom } from "./seeded-random";
import { PATTERNS } from "./patterns";

export const pluginStyles = new SvelteMap<string, FactionStyle>();
export const pluginPictures = new SvelteMap<string, CardPicture>();
/** The factions of bases. */
export const pluginBases = new SvelteMap<string, string>();

/** What the text of a card does, and the mark that shows it. The first that fits counts. */
const MARKS: [RegExp, string][] = [
    [/destroy/i, "death-skull"],
    [/extra (minion|action|card)/i, "card-play"],
    [/draw/i, "card-draw"],
    [/\bmove/i, "move"],
    [/return/i, "return-arrow"],
    [/discard/i, "card-discard"],
    [/search|reveal|look at/i, "magnifying-glass"],
    [/shuffle/i, "cycle"],
    [/cannot|not affected/i, "checked-shield"],
    [/cancel/i, "halt"],
    [/counter|\+\d/i, "upgrade"],
    [/control/i, "card-exchange"],
];

/** Emblems for factions that set none. */
const EMBLEMS = [
    "imperial-crown",
    "laurels-trophy",
    "law-star",
    "mighty-force",
    "crossed-swords",
    "sun",
    "moon",
];

export function effectMarkOf(text: string): string | null {
    return MARKS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Four colors that go together, with text that can be read, from a main color and an accent. */
export function buildPalette(main: string, accent: string): Palette {
    let ground = main;
    while (contrastRatio(ground, "#ffffff") < 5 && luminance(ground) > 0)
        ground = mixColors(ground, "#000000", 0.85);
    let ink = mixColors(ground, "#000000", 0.5);
    const paper = mixColors(ground, "#ffffff", 0.08);
    while (contrastRatio(ink, paper) < 7 && luminance(ink) > 0) ink = mixColors(ink, "#000000", 0.8);
    let light = accent;
    while (contrastRatio(light, ground) < 3 && luminance(light) < 0.95)
        light = mixColors(light, "#ffffff", 0.85);
    return { ground, paper, ink, accent: light };
}

/** Colors from a name: the same each time, and far apart for different names. */
export function colorsFromName(name: string): [string, string] {
    const hue = Math.floor(seededRandom(name)() * 360);
    return [fromHue(hue, 0.55, 0.3), fromHue((hue + 150) % 360, 0.9, 0.65)];
}

function fromHue(hue: number, saturation: number, lightness: number): string {
    const reach = saturation * Math.min(lightness, 1 - lightness);
    const channel = (shift: number) => {
        const at = (shift + hue / 30) % 12;
        const value = lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1));
        return Math.round(255 * value)
            .toString(16)
            .padStart(2, "0");
    };
    return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** Remember the looks of factions that have none yet. `hasIcon` says which icons there are. */
export function addPluginFactions(factions: FactionInfo[], hasIcon: (name: string) => boolean): void {
    for (const { name, colors, icon } of factions) {
        if (pluginStyles.has(name)) continue;
        const roll = seededRandom(name);
        const [main = "", accent = ""] = colors.length === 2 ? colors : colorsFromName(name);
        const emblem = EMBLEMS[Math.floor(roll() * EMBLEMS.length)] ?? "law-star";
        pluginStyles.set(name, {
            palette: buildPalette(main, accent),
            emblem: hasIcon(icon) ? icon : emblem,
            pattern: PATTERNS[Math.floor(roll() * PATTERNS.length)] ?? "dots",
        });
    }
}

/** Remember the pictures of cards that have none yet. */
export function addPluginCards(
    deck: Deck,
    emblem: string,
    sheetOf: (icon: string) => string | null,
    pictured: (name: string) => boolean,
): void {
    for (const { name } of deck.bases) pluginBases.set(name, deck.faction);
    for (const card of [...deck.cards, ...deck.titans]) {
        if (pictured(card.name) || pluginPictures.has(card.name)) continue;
        pluginPictures.set(card.name, pictureFor(card, deck.faction, emblem, sheetOf));
    }
}

function pictureFor(
    card: CardInfo,
    faction: string,
    emblem: string,
    sheetOf: (icon: string) => string | null,
): CardPicture {
    const mark = effectMarkOf(card.text);
    // Minions bear the emblem of their faction, each in its own way; actions show what they do.
    const fallback = card.type === "action" ? (mark ?? emblem) : emblem;
    const icon = sheetOf(card.icon) === null ? fallback : card.icon;
    const roll = seededRandom(card.name);
    const isOwn = icon === card.icon;
    return {
        faction,
        sheet: sheetOf(icon) ?? "common",
        icon,
        behind: null,
        mark,
        tint: card.type === "action" ? "accent" : "ground",
        turn: isOwn ? 0 : Math.round(roll() * 30 - 15),
        flip: !isOwn && roll() < 0.5,
        titan: card.type === "titan",
    };
}
