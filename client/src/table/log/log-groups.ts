/** Lines of the log that say the same of one card after the other, as one entry: "8 cards are discarded". */

import { plural } from "../../lib/i18n.svelte";
import type { LogLineView } from "../../protocol";

/** Fewer lines than this stand for themselves. */
const MIN_GROUP = 3;

type GroupKind = "discarded" | "destroyed" | "returned" | "counter";

/** By the event of a line. */
const KINDS: Record<string, GroupKind> = {
    "card_leaves_play.discarded": "discarded",
    "card_leaves_play.discarded_from_base": "discarded",
    "card_leaves_play.discarded_with_host": "discarded",
    "card_leaves_play.destroyed": "destroyed",
    "card_leaves_play.returned": "returned",
    counters_added: "counter",
};

export interface LogEntry {
    /** The number of the first line. */
    number: number;
    lines: LogLineView[];
    /** What several lines have in common; null for a single line. */
    kind: GroupKind | null;
}

function kindOf(line: LogLineView | undefined): GroupKind | null {
    const kind = KINDS[line?.event ?? ""] ?? null;
    const isSeveral = kind === "counter" && line?.message.args.count !== 1;
    return isSeveral ? null : kind;
}

export function groupLines(lines: LogLineView[]): LogEntry[] {
    const entries: LogEntry[] = [];
    for (let first = 0; first < lines.length;) {
        const kind = kindOf(lines[first]);
        let end = first + 1;
        while (kind !== null && kindOf(lines[end]) === kind) end += 1;
        const isGroup = end - first >= MIN_GROUP;
        const group = lines.slice(first, isGroup ? end : first + 1);
        entries.push({ number: group[0]?.number ?? 0, lines: group, kind: isGroup ? kind : null });
        first += group.length;
    }
    return entries;
}

/** The entries of a recorded game with their steps; lines of different steps stay apart. */
export function groupLinesByStep(
    story: { line: LogLineView; step: number }[],
): { entry: LogEntry; step: number }[] {
    const steps = new Map<number, LogLineView[]>();
    for (const { line, step } of story) steps.set(step, [...(steps.get(step) ?? []), line]);
    return [...steps].flatMap(([step, lines]) => groupLines(lines).map((entry) => ({ entry, step })));
}

/** A group in one sentence. */
export function summarizeGroup(kind: GroupKind, count: number): string {
    switch (kind) {
        case "discarded":
            return plural(count, "{count} card is discarded", "{count} cards are discarded");
        case "destroyed":
            return plural(count, "{count} card is destroyed", "{count} cards are destroyed");
        case "returned":
            return plural(count, "{count} card returns to its owner", "{count} cards return to their owners");
        case "counter":
            return plural(
                count,
                "{count} card gets a +1 power counter",
                "{count} cards get a +1 power counter",
            );
    }
}
