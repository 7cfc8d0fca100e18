/** What filters and orders are called. */

import { t } from "../../lib/words.svelte";
import type { Keyword } from "./catalogue";
import type { Sort } from "./filters";

export function keywordName(keyword: Keyword): string {
    if (keyword === "talent") return t("Talent");
    if (keyword === "special") return t("Special");
    if (keyword === "ongoing") return t("Ongoing");
    if (keyword === "on-minion") return t("Played on a minion");
    if (keyword === "on-base") return t("Played on a base");
    if (keyword === "counters") return t("Counters");
    return t("Extra cards");
}

export function typeName(type: string): string {
    if (type === "minion") return t("Minions");
    if (type === "action") return t("Actions");
    if (type === "titan") return t("Titans");
    return t("Bases");
}

export function sortName(sort: Sort): string {
    if (sort === "faction") return t("By faction");
    if (sort === "name") return t("By name");
    if (sort === "power") return t("By power");
    return t("By type");
}

/** The rule behind a keyword. */
export const RULES: Record<Keyword, string> = {
    talent: "ability.talent",
    special: "ability.special",
    ongoing: "ability.ongoing",
    "on-minion": "play.attached",
    "on-base": "play.attached",
    counters: "power.counters",
    extra: "play.extra",
};
