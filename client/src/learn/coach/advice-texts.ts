/** Why the coach advises what the lesson says, by the id of the advice (`smashup/rules/lesson.yaml`). */

import { t } from "../../lib/i18n.svelte";

export interface AdviceText {
    title: string;
    text: string;
    rule: string;
}

const remarks: Record<string, () => AdviceText> = {
    first_minion: () => ({
        title: t("First a minion"),
        text: t("Pick up Baboom by clicking or dragging it, then put it on The Golden Lily."),
        rule: "play.minion",
    }),
    first_action: () => ({
        title: t("Then an action"),
        text: t(
            "Cyberevolution is played on a minion and gives it 3 more power as long as it is there. Pick it up, then click Baboom.",
        ),
        rule: "play.attached",
    }),
    more_power: () => ({
        title: t("Power upon power"),
        text: t(
            "Juiced Up gives Baboom 2 more power for every action on it. There is one already, and Juiced Up itself counts, too.",
        ),
        rule: "power.sum",
    }),
    talent: () => ({
        title: t("A talent"),
        text: t(
            "Talents can be used once in each of your turns. Baboom's gives you an extra action for Baboom itself. Click Baboom on the table, then use it.",
        ),
        rule: "ability.talent",
    }),
    extra_card: () => ({
        title: t("An extra card"),
        text: t(
            "Extra cards come on top of your one minion and one action. Missing Uplink on Baboom is one more action there, so 2 more power again.",
        ),
        rule: "play.extra",
    }),
    preview: () => ({
        title: t("Look before you play"),
        text: t(
            "Pick up Beta 6 and point at The Golden Lily: the gauge previews the result. Exactly what you need!",
        ),
        rule: "scoring.ready",
    }),
    special_played: () => ({
        title: t("A Special from your hand"),
        text: t(
            "You have won the base. You can play Power Pose right now, and it does not count as your action for the turn. Two free cards.",
        ),
        rule: "scoring.window",
    }),
    next_base: () => ({
        title: t("The next goal: Tokyo"),
        text: t("Tokyo is worth 5 VP, and it takes 25 power to score it. Start with another Baboom."),
        rule: "play.minion",
    }),
    way_out: () => ({
        title: t("A way out"),
        text: t(
            "Flying Monkey lets its minion escape after the base has scored, when everything else there is discarded.",
        ),
        rule: "scoring.after",
    }),
    stay_ahead: () => ({
        title: t("Stay ahead"),
        text: t(
            "Only the order counts when a base scores. With Clyde 2.0 you are well ahead of Pip at Tokyo.",
        ),
        rule: "scoring.places",
    }),
    call_titan: () => ({
        title: t("Call your titan"),
        text: t(
            "Megabot waits beside your deck. Titans are neither minions nor actions; this action calls it to a base where you have two minions or more.",
        ),
        rule: "titan.play",
    }),
    place_titan: () => ({
        title: t("To Tokyo"),
        text: t(
            "Megabot has no power of its own, but you get 1 more at its base for each of your minions there.",
        ),
        rule: "power.other",
    }),
    nearly_there: () => ({
        title: t("Nearly there"),
        text: t(
            "Yellow Trooper keeps you ahead. If Pip joins in, the base breaks on Pip's turn already, and you still take first place.",
        ),
        rule: "scoring.ready",
    }),
    reserve: () => ({
        title: t("Something in reserve"),
        text: t(
            "Monkey on Your Back has a talent that destroys a minion. You do not have to use it: Pip's power helps to break the base.",
        ),
        rule: "ability.talent",
    }),
    escape: () => ({
        title: t("Tokyo has scored!"),
        text: t(
            "Bases can score on any player's turn. Now Flying Monkey saves Baboom: let it move to another base.",
        ),
        rule: "scoring.after",
    }),
    escape_to: () => ({
        title: t("And away"),
        text: t(
            "Baboom goes to Kaiju Island with everything on it. The others go to the discard pile, which is not the same as being destroyed.",
        ),
        rule: "moving.move",
    }),
    keep_action: () => ({
        title: t("And one more gift"),
        text: t("Clyde 2.0 was there, too: your action returns to your hand instead of being discarded."),
        rule: "leaving.instead",
    }),
    first_end: () => ({
        title: t("That is your turn"),
        text: t(
            "One minion, one action. Baboom also has a talent, but that can wait. End your turn: bases are checked, and you draw two cards.",
        ),
        rule: "turn.phases",
    }),
    break_base: () => ({
        title: t("Break the base"),
        text: t(
            "There is enough power at The Golden Lily now. Bases score when you are done playing cards, so end your turn.",
        ),
        rule: "turn.score",
    }),
};

/** What is said about a piece of advice; null where there is nothing special to say. */
export function adviceText(advice: string): AdviceText | null {
    return remarks[advice]?.() ?? null;
}

export const ADVICE_IDS = Object.keys(remarks);
