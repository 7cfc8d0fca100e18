/** What is written under the picture of a card. */

import { t } from "../../lib/i18n.svelte";

/** "Minion", "Action on a base": what kind of card this is, and where it is played. */
export function typeLine(type: string, on: string | undefined): string {
    if (type === "minion") return t("Minion");
    if (type === "titan") return t("Titan");
    if (type === "base") return t("Base");
    if (type === "madness") return t("Madness");
    if (on === "base") return t("Action on a base");
    if (on === "minion") return t("Action on a minion");
    return t("Action");
}

const ON = /^Play on (?:a|an|one of your|your|another)[^.]*?\b(base|minion)\b/;

/** Where an action stays; without data its text tells. */
export function attachesTo(on: string | undefined, text: string | undefined): string {
    if (on !== undefined && on !== "") return on;
    return ON.exec(text ?? "")?.[1] ?? "";
}
