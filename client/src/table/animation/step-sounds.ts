/** What can be heard of a step of the game. */

import type { Sound } from "../../lib/sound";
import type { Frame } from "../../net/connection.svelte";
import type { EventView } from "../../protocol";

/** The loudest things first: of each step one is heard. */
const SOUNDS_BY_EVENT: [Sound, EventView["kind"][]][] = [
    ["scored", ["scored"]],
    ["destroyed", ["destroyed"]],
    ["card", ["played", "buried", "base_played"]],
];

/** The sound of a step for who sits at `seat`; null if it makes none. */
export function soundForStep(frame: Frame, seat: number | null): Sound | null {
    if (frame.rewound !== null) return "undo";
    if (frame.type === "snapshot") return null;
    const { changes } = frame;
    const over = changes.find(({ kind }) => kind === "over");
    if (over) {
        const won = seat === null || (over.places ?? []).some(({ player }) => player === seat);
        return won ? "win" : "lose";
    }
    if (changes.some(({ kind, player }) => kind === "turn" && player === seat)) return "turn";
    const kinds = new Set(changes.map(({ kind }) => kind));
    return SOUNDS_BY_EVENT.find(([, some]) => some.some((kind) => kinds.has(kind)))?.[0] ?? null;
}
