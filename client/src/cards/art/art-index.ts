/**
 * Which picture, palette and landscape belongs to which card. The styles of all factions are here; their pictures and
 * landscapes are loaded where they are needed (`faction-data.svelte.ts`). Unknown cards get a plain picture.
 */

import common from "../../../art/common.json";
import factionPlan from "../../../art/factions.json";
import { SvelteMap } from "svelte/reactivity";

import type { Deck, FactionInfo } from "../../protocol";
import { seededRandom } from "./seeded-random";
import { addPluginCards, addPluginFactions, pluginBases, pluginPictures, pluginStyles } from "./plugin-art";

declare const __ART_VERSION__: string;

export interface Palette {
    ground: string;
    paper: string;
    ink: string;
    accent: string;
}

/** The style of a faction: its colors, its emblem and what its backgrounds are strewn with. */
export interface FactionStyle {
    palette: Palette;
    emblem: string;
    pattern: string;
}

/** A card's picture: a large icon before a faint one, and a mark for what the card does. */
export interface CardPicture {
    faction: string | null;
    sheet: string;
    icon: string;
    behind: string | null;
    mark: string | null;
    tint: "ground" | "accent" | "ink";
    turn: number;
    flip: boolean;
    titan: boolean;
}

export interface LandscapeArt {
    faction: string | null;
    sheet: string;
    sky: [string, string];
    ground: string;
    far: string;
    near: string;
    weather: string | null;
    time: string;
}

export type BackKind = "card" | "base" | "titan" | "madness";

interface PlannedCard {
    icon: string;
    behind?: string;
    mark?: string;
    tint: string;
    turn?: number;
    flip?: boolean;
    titan?: boolean;
}

interface PlannedBase {
    sky: string[];
    ground: string;
    far: string;
    near: string;
    weather?: string;
    time: string;
}

/** The pictures and landscapes of some factions, by faction and name. */
export interface FactionArt {
    cards: Record<string, Record<string, PlannedCard>>;
    bases: Record<string, Record<string, PlannedBase>>;
}

export const MADNESS = "Madness";
const DEFAULT_STYLE: FactionStyle = {
    palette: common.backs.card.palette,
    emblem: common.icons.stranger,
    pattern: "dots",
};
const DEFAULT_ICONS: Record<string, string> = {
    minion: common.icons.minion,
    action: common.icons.action,
    titan: common.icons.titan,
};

/** How the sheet of a faction is called. */
export function sheetName(name: string): string {
    return name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
}

const styles = new Map<string, FactionStyle>(Object.entries(factionPlan));
const pictures = new SvelteMap<string, CardPicture>();
const scenes = new SvelteMap<string, LandscapeArt>();

/** Add the pictures and landscapes of factions, as they stand in `art/cards.json` and `art/bases.json`. */
export function addFactionArt({ cards, bases }: FactionArt): void {
    for (const [faction, planned] of Object.entries(cards)) {
        for (const [name, card] of Object.entries(planned)) {
            pictures.set(name, {
                faction,
                sheet: card.titan === true ? `${sheetName(faction)}-bases` : sheetName(faction),
                icon: card.icon,
                behind: card.behind ?? null,
                mark: card.mark ?? null,
                tint: card.tint as CardPicture["tint"],
                turn: card.turn ?? 0,
                flip: card.flip ?? false,
                titan: card.titan ?? false,
            });
        }
    }
    for (const [faction, planned] of Object.entries(bases)) {
        for (const [name, base] of Object.entries(planned)) {
            const [top = "#6cc6e8", horizon = "#f4f0c0"] = base.sky;
            const { ground, far, near, time, weather = null } = base;
            const sheet = `${sheetName(faction)}-bases`;
            scenes.set(name, { faction, sheet, sky: [top, horizon], ground, far, near, weather, time });
        }
    }
}

/** In which sheet an icon lies; null if in none. */
function sheetOf(icon: string): string | null {
    if (commonIcons.has(icon)) return "common";
    if (emblems.has(icon)) return "emblems";
    for (const picture of pictures.values()) {
        if (picture.icon === icon || picture.behind === icon) return picture.sheet;
    }
    for (const scene of scenes.values()) if (scene.far === icon || scene.near === icon) return scene.sheet;
    return null;
}

const commonIcons = new Set<string>([...Object.keys(common.marks), ...Object.values(common.icons)]);
const emblems = new Set<string>([...styles.values()].map(({ emblem }) => emblem));

/** Learn the looks of the factions of a server; those of the plan have theirs. */
export function registerFactions(factions: FactionInfo[]): void {
    addPluginFactions(
        factions.filter(({ name }) => !styles.has(name)),
        (icon) => sheetOf(icon) !== null,
    );
}

/** Learn the pictures of the cards of a server, after the looks of their factions. */
export function registerCards(decks: Deck[]): void {
    for (const deck of decks) {
        if (styles.has(deck.faction)) continue;
        addPluginCards(deck, styleOf(deck.faction).emblem, sheetOf, (name) => pictures.has(name));
    }
}

/** Whether a faction is in the art plan. */
export function hasOwnArt(faction: string): boolean {
    return styles.has(faction);
}

/** Where the emblem of a faction lies. */
export function emblemUrl(faction: string | null): string {
    const { emblem } = styleOf(faction);
    return symbolUrl(sheetOf(emblem) ?? "common", emblem);
}

/** The emblem in the sheet of the faction's deck, where that is loaded anyway. */
export function deckEmblemUrl(faction: string | null): string {
    return faction !== null && styles.has(faction) && faction !== MADNESS
        ? symbolUrl(sheetName(faction), styleOf(faction).emblem)
        : emblemUrl(faction);
}

/** Where a symbol lies, for `<use href>`. The version lets browsers keep the sheets for ever. */
export function symbolUrl(sheet: string, icon: string): string {
    return `/art/${sheet}.svg?v=${__ART_VERSION__}#${icon}`;
}

export function styleOf(faction: string | null): FactionStyle {
    if (faction === null) return DEFAULT_STYLE;
    return styles.get(faction) ?? pluginStyles.get(faction) ?? DEFAULT_STYLE;
}

export function paletteOf(faction: string | null): Palette {
    return styleOf(faction).palette;
}

/** All factions that have a style of their own, Madness excepted. */
export function factionsWithArt(): string[] {
    return [...styles.keys()].filter((name) => name !== MADNESS);
}

/** The faction a card, titan or base is printed for, if the plan knows it. */
export function factionOf(name: string, type = ""): string | null {
    if (type === "base") return scenes.get(name)?.faction ?? null;
    return (pictures.get(name) ?? pluginPictures.get(name))?.faction ?? scenes.get(name)?.faction ?? null;
}

export function pictureOf(name: string, type: string): CardPicture {
    return (
        pictures.get(name) ??
        pluginPictures.get(name) ?? {
            faction: null,
            sheet: "common",
            icon: DEFAULT_ICONS[type] ?? common.icons.bang,
            behind: common.icons.bang,
            mark: null,
            tint: type === "minion" ? "ground" : "accent",
            turn: 0,
            flip: false,
            titan: type === "titan",
        }
    );
}

export function landscapeOf(name: string): LandscapeArt {
    return (
        scenes.get(name) ?? {
            faction: pluginBases.get(name) ?? null,
            sheet: "backs",
            sky: ["#6f8fb8", "#f0e2c4"],
            ground: "#4f5f47",
            far: common.backs.base.behind,
            near: common.backs.base.icon,
            weather: "clouds",
            time: "day",
        }
    );
}

/** The landscape in which a card of a faction stands: that of one of its bases, always the same for a name. */
export function homeLandscapeOf(faction: string | null, name: string): LandscapeArt {
    const homes = [...scenes.values()].filter((scene) => faction !== null && scene.faction === faction);
    return homes[Math.floor(seededRandom(name)() * homes.length)] ?? landscapeOf("");
}

/** Every card and base that the plan has a picture for. */
export function namesWithArt(): { cards: string[]; bases: string[] } {
    return { cards: [...pictures.keys()], bases: [...scenes.keys()] };
}
