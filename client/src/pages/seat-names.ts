/** What a seat, and the level of a bot, is called on the screen. */

import { settings } from "../lib/settings.svelte";
import { t } from "../lib/i18n.svelte";
import type { SeatInfo } from "../protocol";

export type Level = "easy" | "normal" | "hard" | "expert";

/** From the weakest to the strongest. */
export const LEVELS: Level[] = ["easy", "normal", "hard", "expert"];

export function levelLabel(level: string): string {
    if (level === "easy") return t("Easy");
    if (level === "normal") return t("Normal");
    if (level === "hard") return t("Hard");
    if (level === "expert") return t("Expert");
    return level;
}

export function seatName(seat: SeatInfo): string {
    if (seat.name !== "") return seat.name;
    return seat.kind === "bot" ? botName(seat.number) : t("Player {number}", { number: seat.number + 1 });
}

/** The default name of a player at this screen. The creator's name is in the settings. */
export function personName(seat: number, said = ""): string {
    const known = said.trim() || (seat === 0 ? settings.name.trim() : "");
    return known || t("Player {number}", { number: seat + 1 });
}

/** Bots have names of their own, so that a log reads like a story. */
const BOTS = ["Rusty", "Sprocket", "Widget", "Bolt"];

export function botName(seat: number): string {
    return BOTS[seat % BOTS.length] ?? "";
}
