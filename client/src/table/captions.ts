/** Short words for states of the game and of its seats. */

import type { IconName } from "../cards/icons";
import { t } from "../lib/words.svelte";
import type { SeatInfo } from "../protocol";
import type { LossKind } from "./losses";

/** What was done to a card, after its name. */
export function lossText(kind: LossKind): string {
    switch (kind) {
        case "destroyed":
            return t("destroyed");
        case "moved":
            return t("moved");
        case "taken":
            return t("control taken");
        case "returned":
            return t("returned to hand");
        case "discarded":
            return t("discarded");
        case "removed":
            return t("removed from play");
        case "cancelled":
            return t("ability canceled");
    }
}

export function lossIcon(kind: LossKind): IconName {
    const icons: Record<LossKind, IconName> = {
        destroyed: "destroy",
        moved: "move",
        taken: "hand",
        returned: "return",
        discarded: "discard",
        removed: "leave",
        cancelled: "forbid",
    };
    return icons[kind];
}

export function phaseName(phase: string): string {
    switch (phase) {
        case "setup":
            return t("Setting up");
        case "start":
            return t("Start of turn");
        case "play":
            return t("Playing cards");
        case "score":
            return t("Scoring bases");
        case "draw":
            return t("Drawing two cards");
        case "end":
            return t("End of turn");
        case "over":
            return t("Game over");
        default:
            return "";
    }
}

/** What is to be known of a seat beside its cards; nothing if all is as it should be. */
export function seatState(seat: SeatInfo, asked: boolean): string {
    if (seat.resigned) return t("resigned, replaced by a bot");
    if (seat.left) return t("has left the table");
    if (seat.kind === "bot") return asked ? t("is thinking") : levelName(seat.level);
    if (!seat.here) return t("is away");
    return asked ? t("is choosing") : "";
}

export function levelName(level: string): string {
    switch (level) {
        case "easy":
            return t("easy bot");
        case "normal":
            return t("normal bot");
        case "hard":
            return t("hard bot");
        case "expert":
            return t("expert bot");
        default:
            return t("bot");
    }
}
