/** What puzzles are called on the screen. */

import { gameText, t } from "../lib/i18n.svelte";
import { settings } from "../lib/settings.svelte";
import type { Difficulty, Sentence } from "../protocol";
import { messageText } from "../table/cards/message-parts";

export const DIFFICULTIES: Difficulty[] = ["easy", "medium", "hard"];

export function difficultyLabel(difficulty: Difficulty): string {
    if (difficulty === "easy") return t("Easy");
    if (difficulty === "medium") return t("Medium");
    return t("Hard");
}

/** The goal of a puzzle, away from its table. */
export function goalText(goal: Sentence): string {
    return messageText(goal, { lang: settings.lang, translate: gameText, names: [] });
}
