/** The words of all rules from A to Z, each with the rules that explain it. */

import type { RuleChapter } from "../../protocol";
import { foldText } from "../../lib/text-search";

export function buildGlossary(chapters: RuleChapter[], lang: string): [term: string, ids: string[]][] {
    const found = new Map<string, string[]>();
    for (const { id, terms } of chapters.flatMap(({ rules }) => rules)) {
        for (const term of terms) found.set(term, [...(found.get(term) ?? []), id]);
    }
    return [...found].sort(([a], [b]) => foldText(a).localeCompare(foldText(b), lang));
}
