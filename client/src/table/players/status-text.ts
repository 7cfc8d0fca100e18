/** Short words for states of the game and of its seats. */

import type { IconName } from "../../cards/art/icons";
import { t } from "../../lib/i18n.svelte";
import type { SeatInfo } from "../../protocol";
import type { LossKind } from "../log/losses";

/** What was done to a card, after its name. */
export function describeLoss(kind: LossKind): string {
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

export function phaseLabel(phase: string): string {
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
export function describeSeat(seat: SeatInfo, asked: boolean): string {
    if (seat.resigned) return t("resigned, replaced by a bot");
    if (seat.left) return t("has left the table");
    if (seat.kind === "bot") return asked ? t("is thinking") : levelLabel(seat.level);
    if (!seat.here) return t("is away");
    return asked ? t("is choosing") : "";
}

export function levelLabel(level: string): string {
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
