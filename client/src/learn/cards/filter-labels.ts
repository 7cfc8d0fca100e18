/** What filters and orders are called. */

import { t } from "../../lib/i18n.svelte";
import type { Keyword } from "./catalogue";
import type { Sort } from "./filters";

export function keywordLabel(keyword: Keyword): string {
    if (keyword === "talent") return t("Talent");
    if (keyword === "special") return t("Special");
    if (keyword === "ongoing") return t("Ongoing");
    if (keyword === "on-minion") return t("Played on a minion");
    if (keyword === "on-base") return t("Played on a base");
    if (keyword === "counters") return t("Counters");
    return t("Extra cards");
}

export function typeLabel(type: string): string {
    if (type === "minion") return t("Minions");
    if (type === "action") return t("Actions");
    if (type === "titan") return t("Titans");
    return t("Bases");
}

export function sortLabel(sort: Sort): string {
    if (sort === "faction") return t("By faction");
    if (sort === "name") return t("By name");
    if (sort === "power") return t("By power");
    return t("By type");
}

/** The rule behind a keyword. */
export const KEYWORD_RULES: Record<Keyword, string> = {
    talent: "ability.talent",
    special: "ability.special",
    ongoing: "ability.ongoing",
    "on-minion": "play.attached",
    "on-base": "play.attached",
    counters: "power.counters",
    extra: "play.extra",
};
