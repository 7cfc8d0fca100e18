/** What a question is about: where its cards are, whose they are, and why it is asked now. */

import { plural, t, gameText } from "../../lib/i18n.svelte";
import type {
    BaseView,
    DecisionView,
    InPlay,
    OptionView,
    Plays,
    Reason,
    Sentence,
    View,
} from "../../protocol";

/** A card in play. */
export interface CardLocation {
    card: InPlay;
    base: BaseView;
}

/** Where a card is, by its number; null if it is not in play. */
export function findInPlay(view: View, id: number): CardLocation | null {
    for (const base of view.bases) {
        for (const card of base.cards) {
            if (card.id === id) return { card, base };
            const action = card.actions?.find((attached) => attached.id === id);
            if (action) return { card: action, base };
        }
    }
    return null;
}

export interface Names {
    /** The player who is called "you". */
    you: number | null;
    nameOf: (player: number) => string;
}

/** "yours" or "Bob's". */
export function possessive(player: number, { you, nameOf }: Names): string {
    return player === you ? t("yours") : t("{name}'s", { name: nameOf(player) });
}

/** Why a question comes up now. */
export function describeReason(reason: Reason, view: View, names: Names): string {
    const card = gameText(reason.card?.name ?? "");
    const base = gameText(view.bases.find(({ serial }) => serial === reason.base)?.name ?? "");
    const player = reason.player ?? -1;
    const isMine = player === names.you;
    const name = player < 0 ? "" : names.nameOf(player);
    switch (reason.kind) {
        case "start_of_turn":
            return isMine ? t("at the start of your turn") : t("at the start of the turn: {name}", { name });
        case "end_of_turn":
            return isMine ? t("at the end of your turn") : t("at the end of the turn: {name}", { name });
        case "before_scoring":
            return base === "" ? "" : t("before {base} scores", { base });
        case "scoring":
            return base === "" ? "" : t("while {base} scores", { base });
        case "after_scoring":
            return base === "" ? "" : t("after {base} scored", { base });
        case "base_played":
        case "base_replaced":
            return base === "" ? "" : t("because {base} came into play", { base });
        case "cards_discarded":
            return t("because cards were discarded");
    }
    if (card === "") return "";
    switch (reason.kind) {
        case "card_played":
            if (isMine) return t("because you played {card}", { card });
            return name === ""
                ? t("because {card} was played", { card })
                : t("because {name} played {card}", { name, card });
        case "card_moved":
            return t("because {card} moved", { card });
        case "card_destroyed":
            return t("because {card} was destroyed", { card });
        case "card_returned":
            return t("because {card} returned to a hand", { card });
        case "card_left":
            return t("because {card} left play", { card });
        case "talent_used":
            return t("because the talent of {card} was used", { card });
        case "control_changed":
            return t("because control of {card} changed", { card });
    }
}

/** The question without the card that asks it, which the prompt names anyway. */
export function questionWithoutAsker(decision: DecisionView): Sentence | undefined {
    const { question, source } = decision;
    const inner = question?.args["question"];
    if (source === undefined || question?.args["asker"] === undefined || inner === undefined) return question;
    return inner as Sentence;
}

/** What the player is asked, where the client can say it better than the server; else null. */
export function promptHeadline(decision: DecisionView, view: View): string | null {
    const options = decision.options ?? [];
    switch (decision.purpose) {
        case "play_menu":
            return menuHeadline(view.plays ?? [], options);
        case "extra_play":
            return extraPlayHeadline(options);
        case "titan_play":
            return t("Play your titan?");
        case "discard":
            if (decision.source !== undefined) return discardHeadline(decision);
            return plural(
                decision.max ?? 1,
                "Hand limit is 10: discard {count} card",
                "Hand limit is 10: discard {count} cards",
            );
        default:
            return null;
    }
}

/** A card makes the player discard a fixed number of cards. */
function discardHeadline({ min = 1, max = 1 }: DecisionView): string | null {
    return min === max && max > 1 ? plural(max, "Discard {count} card", "Discard {count} cards") : null;
}

function menuHeadline(plays: Plays[], options: OptionView[]): string {
    const hasPlay = (kind: Plays["kind"]): boolean => plays.some((play) => play.kind === kind);
    const playable = options.filter(({ verb }) => verb === "play");
    // A fusion card is a minion that goes nowhere when it is played as an action.
    const isAsAction = ({ card, base, host }: OptionView): boolean =>
        card?.type === "action" || (card?.type === "minion" && base === undefined && host === undefined);
    const canPlayMinion = hasPlay("minion") && playable.some(({ card }) => card?.type === "minion");
    const canPlayAction = hasPlay("action") && playable.some(isAsAction);
    if (hasPlay("card") && playable.length > 0) return t("Your turn: play a card");
    if (canPlayMinion && canPlayAction) return t("Your turn: play a minion and an action");
    if (canPlayMinion) return t("Your turn: play a minion");
    if (canPlayAction) return t("Your turn: play an action");
    if (options.some(({ verb }) => verb !== "done")) return t("Your turn: use an ability or end the turn");
    return plays.length > 0 ? t("Your turn: nothing you can play") : t("Your turn: nothing left to play");
}

/** Names the card if there is only one, else its type. */
function extraPlayHeadline(options: OptionView[]): string {
    const cards = options.flatMap(({ card }) => card ?? []);
    const names = new Set(cards.map(({ name }) => name));
    const types = new Set(cards.map(({ type }) => type));
    const [type] = types.size === 1 ? types : [""];
    const [name = ""] = names;
    if (names.size === 1 && name !== "") {
        const card = gameText(name);
        if (type === "minion") return t("Play {card} as an extra minion?", { card });
        if (type === "action") return t("Play {card} as an extra action?", { card });
        return t("Play {card} as an extra card?", { card });
    }
    if (type === "minion") return t("Play an extra minion?");
    if (type === "action") return t("Play an extra action?");
    return t("Play an extra card?");
}
