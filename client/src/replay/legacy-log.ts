/** Lines of recordings that were made before lines had the ids of their events: they are known by their words. */

import type { LogLineView } from "../protocol";

export type RecordedLine = Omit<LogLineView, "event"> & { event?: string };

/** How the lines begin of which the client must know the event. */
const STARTS: [RegExp, string][] = [
    [/^Turn \{turn\}/, "turn_started"],
    [/^\{base\} scores: /, "base_scoring"],
    [/^\{player\} wins \{base\}/, "place_awarded.first"],
    [/^\{player\} (comes (second|third)|is \{place\}) at/, "place_awarded.second"],
    [/^\{player\} plays/, "card_played"],
    [/^\{player\} uses the talent/, "talent_used"],
    [/^\{player\} draws/, "cards_drawn"],
];

export function guessEvent(text: string): string {
    return STARTS.find(([start]) => start.test(text))?.[1] ?? "";
}
