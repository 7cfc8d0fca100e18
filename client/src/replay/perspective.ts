/** Through whose eyes a recording is seen: a seat's, a spectator's, or with all hands open. */

import type { EventView, Face, InPlay, LogLineView, View } from "../protocol";
import { idsInMessage } from "../table/cards/message-parts";
import { SPECTATOR, type Recording } from "./format";

/** A seat; "out" for what spectators saw; "all" for everything that anybody saw. */
export type Perspective = number | "out" | "all";

/** The seat at the bottom of the table; with all hands open there is none. */
export function seatOfPerspective(perspective: Perspective): number | null {
    return typeof perspective === "number" ? perspective : null;
}

const viewerOf = (perspective: Perspective): number =>
    typeof perspective === "number" ? perspective : SPECTATOR;

export function viewAt(recording: Recording, step: number, perspective: Perspective): View {
    const view = recording.view(step, viewerOf(perspective));
    if (perspective !== "all") return view;
    const views = seatsOf(recording).map((seat) => recording.view(step, seat));
    return {
        ...view,
        players: view.players.map((player, seat) => ({
            ...player,
            hand: views[seat]?.players[seat]?.hand ?? player.hand,
        })),
        bases: view.bases.map((base, at) => ({
            ...base,
            cards: base.cards.map((card, position) => revealInPlay(card, views, at, position)),
        })),
        limbo: view.limbo.map((card, at) => revealFace(card, views, ({ limbo }) => limbo[at])),
    };
}

export function linesAt(recording: Recording, step: number, perspective: Perspective): LogLineView[] {
    const lines = recording.lines(step, viewerOf(perspective));
    if (perspective !== "all") return lines;
    const versions = seatsOf(recording).map((seat) => recording.lines(step, seat));
    return lines.map((line, at) => {
        // Most lines tell everybody the same: those are the same message of the recording.
        const others = versions.flatMap((told) => told[at] ?? []);
        const different = others.filter(({ message }) => message !== line.message);
        return mostInformative([line, ...different], ({ message }) => idsInMessage(message, "card").length);
    });
}

export function changesAt(recording: Recording, step: number, perspective: Perspective): EventView[] {
    const changes = recording.changes(step, viewerOf(perspective));
    if (perspective !== "all") return changes;
    const versions = seatsOf(recording).map((seat) => recording.changes(step, seat));
    return changes.map((change, at) =>
        mostInformative([change, ...versions.flatMap((told) => told[at] ?? [])], ({ cards }) => {
            return (cards ?? []).filter(({ name }) => name !== undefined).length;
        }),
    );
}

function seatsOf(recording: Recording): number[] {
    return Array.from({ length: recording.players }, (_, seat) => seat);
}

/** A card in play, or buried at a base, as a player who knows it sees it. */
function revealInPlay(card: InPlay, views: View[], base: number, position: number): InPlay {
    return card.hidden === true ? revealFace(card, views, ({ bases }) => bases[base]?.cards[position]) : card;
}

function revealFace<F extends Face>(card: F, views: View[], find: (view: View) => F | undefined): F {
    if (card.hidden !== true) return card;
    return views.map(find).find((face) => face?.hidden !== true) ?? card;
}

/** The one that tells most; the first of those that tell as much. */
function mostInformative<T>(versions: [T, ...T[]], tells: (version: T) => number): T {
    if (versions.length === 1) return versions[0];
    return versions.reduce((best, one) => (tells(one) > tells(best) ? one : best));
}
