/** What the small marks on cards tell at a glance, in words. */

import { t } from "../../lib/i18n.svelte";

/** All marks in the order of the plan, with their meaning in the language of the settings. */
export function effectMarks(): { mark: string; meaning: string }[] {
    return [
        { mark: "card-draw", meaning: t("draw cards or put them into your hand") },
        { mark: "card-discard", meaning: t("discard cards") },
        { mark: "card-play", meaning: t("play an extra card") },
        { mark: "card-exchange", meaning: t("change owner, control or identity") },
        { mark: "return-arrow", meaning: t("cards in play return to a hand") },
        { mark: "move", meaning: t("move") },
        { mark: "magnifying-glass", meaning: t("look at, reveal or search cards") },
        { mark: "cycle", meaning: t("cards go back into a deck") },
        { mark: "death-skull", meaning: t("destroy") },
        { mark: "checked-shield", meaning: t("protect") },
        { mark: "upgrade", meaning: t("more power") },
        { mark: "plain-arrow", meaning: t("less power or a lower breakpoint") },
        { mark: "halt", meaning: t("forbid or cancel") },
        { mark: "imperial-crown", meaning: t("bring a titan") },
        { mark: "position-marker", meaning: t("bases come or are replaced") },
    ];
}
