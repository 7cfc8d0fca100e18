/** Phrases to send with one click. Each player reads them in their own language. */

import { t } from "../../lib/i18n.svelte";
import type { Chat, ChatMessage } from "../../protocol";

export type Phrase = NonNullable<Chat["phrase"]>;

export const PHRASES: Phrase[] = [
    "hello",
    "good_luck",
    "well_played",
    "nice_card",
    "ouch",
    "oops",
    "thanks",
    "sorry",
    "your_turn",
    "one_moment",
    "good_game",
    "again",
];

export function phraseText(phrase: string): string {
    switch (phrase) {
        case "hello":
            return t("Hello!");
        case "good_luck":
            return t("Good luck!");
        case "well_played":
            return t("Well played!");
        case "nice_card":
            return t("What a card!");
        case "ouch":
            return t("Ouch!");
        case "oops":
            return t("Oops.");
        case "thanks":
            return t("Thank you!");
        case "sorry":
            return t("Sorry!");
        case "your_turn":
            return t("Your turn!");
        case "one_moment":
            return t("One moment, please.");
        case "good_game":
            return t("Good game!");
        case "again":
            return t("Another one?");
        default:
            return "";
    }
}

/** A line of the talk as this reader sees it; empty if its words were deleted. */
export function chatText({ phrase, text }: ChatMessage): string {
    return phrase === "" ? text : phraseText(phrase);
}
