/** What happened since one's last turn, in short: from the log, so that it is known after a reload too. */

import type { LogLineView } from "../../protocol";
import { eventId } from "./log-events";
import { idsInMessage, type MessagePart } from "../cards/message-parts";

export interface RecapEvent {
    /** The number of its line in the log. */
    number: number;
    kind: "played" | "talent" | "buried" | "destroyed" | "returned" | "control" | "scored";
    /** Who did it; whose turn it was, where the log does not say. */
    player: number;
    card: NamedThing | null;
    base: NamedThing | null;
}

export interface NamedThing {
    id: number;
    name: string;
}

/** A turn of another player. */
export interface RecapTurn {
    turn: number;
    player: number;
    events: RecapEvent[];
}

export interface Recap {
    turns: RecapTurn[];
    /** VP that each player won or lost; players without any are left out. */
    points: { player: number; amount: number }[];
}

/** The events of the log that the recap shows, by their ids with or without the variant. */
const KINDS: Record<string, RecapEvent["kind"]> = {
    card_played: "played",
    talent_used: "talent",
    card_buried: "buried",
    control_changed: "control",
    control_made_lasting: "control",
    "card_leaves_play.destroyed": "destroyed",
    "card_leaves_play.returned": "returned",
    base_scoring: "scored",
};
/** Events that name the player who did it; the others name whose turn it was. */
const ACTS: RecapEvent["kind"][] = ["played", "talent", "buried", "control"];

/** Everything since the end of the last turn of a seat; null if nothing is worth telling. */
export function buildRecap(lines: LogLineView[], seat: number): Recap | null {
    const since = sinceLastTurn(lines, seat);
    const turns: RecapTurn[] = [];
    const points = new Map<number, number>();
    for (const line of since) {
        const { args } = line.message;
        const actor = idsInMessage(line.message, "player")[0];
        if (line.event === "turn_started") {
            turns.push({ turn: Number(args.turn), player: actor ?? 0, events: [] });
            continue;
        }
        const won = pointsIn(line);
        if (won !== 0 && actor !== undefined) points.set(actor, (points.get(actor) ?? 0) + won);
        const kind = KINDS[line.event] ?? KINDS[eventId(line)];
        const turn = turns.at(-1);
        if (kind === undefined || turn === undefined) continue;
        turn.events.push({
            number: line.number,
            kind,
            player: (ACTS.includes(kind) ? actor : undefined) ?? turn.player,
            card: toNamedThing(args.card),
            base: toNamedThing(args.base),
        });
    }
    const told = turns.filter(({ events }) => events.length > 0);
    const scores = [...points].map(([player, amount]) => ({ player, amount }));
    return told.length === 0 && scores.length === 0 ? null : { turns: told, points: scores };
}

/** The lines between the end of a seat's last turn and its present one, if that has begun. */
function sinceLastTurn(lines: LogLineView[], seat: number): LogLineView[] {
    const begins = lines.flatMap((line, place) =>
        line.event === "turn_started" ? [{ place, player: idsInMessage(line.message, "player")[0] }] : [],
    );
    const others = begins.findLastIndex(({ player }) => player !== seat);
    if (others < 0) return [];
    const end = begins[others + 1]?.place ?? lines.length;
    const before = begins.slice(0, others).findLastIndex(({ player }) => player === seat);
    const first = begins[before + 1]?.place ?? 0;
    return lines.slice(first, end);
}

/** VP that a log line is about. */
function pointsIn(line: LogLineView): number {
    const { args } = line.message;
    const amount = typeof args.amount === "number" ? args.amount : 0;
    switch (eventId(line)) {
        case "victory_points_lost":
            return -amount;
        case "victory_points_gained":
        case "place_awarded":
            return amount;
        default:
            return 0;
    }
}

function toNamedThing(value: unknown): NamedThing | null {
    if (typeof value !== "object" || value === null) return null;
    const { id, text, sort } = value as { id?: number; text?: string; sort?: MessagePart["sort"] };
    if (id === undefined || text === undefined || sort === undefined) return null;
    return { id: sort === "base" ? -1 : id, name: text };
}
