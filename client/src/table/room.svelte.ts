/** The seats this browser holds at a table, and which of them looks at the screen now. */

import { TableConnection, type Dial } from "../net/connection.svelte";
import type { SeatTaken } from "../protocol";
import { Happenings } from "./happenings.svelte";
import { Playback } from "./playback.svelte";

/** A seat (or a spectator's chair), its line to the server, and what it is shown. */
export interface Place {
    seat: number | null;
    secret: string | null;
    connection: TableConnection;
    playback: Playback;
    happenings: Happenings;
}

export class Room {
    readonly places: Place[];
    /** Whose hand may be seen; null while the screen goes from hand to hand. */
    #open = $state<number | null>(null);

    constructor(tableId: string, seats: SeatTaken[], dial?: Dial) {
        const chairs: { seat: number | null; secret: string | null }[] =
            seats.length > 0 ? seats : [{ seat: null, secret: null }];
        this.places = chairs.map(({ seat, secret }) => {
            const connection = new TableConnection(tableId, secret, dial);
            const playback = new Playback(connection);
            const happenings = new Happenings();
            playback.witness = (before, frame) => {
                // Nothing happens to whoever watches a recording.
                happenings.note(before, frame, dial === undefined ? connection.seat : null);
            };
            return { seat, secret, connection, playback, happenings };
        });
        if (!this.shared) this.#open = 0;
    }

    /** Whether several people play on this screen. */
    get shared(): boolean {
        return this.places.length > 1;
    }

    /** Which place has to decide, if any does. */
    #asked = $derived.by(() => {
        const found = this.places.findIndex(
            ({ seat, connection }) =>
                seat !== null &&
                connection.view?.decision?.player === seat &&
                connection.view.decision.options !== undefined,
        );
        return found < 0 ? null : found;
    });

    #last = $state(0);

    /** The place that is shown. Behind the curtain, whoever sat there last: nothing of theirs is visible then. */
    place = $derived.by((): Place => {
        const place = this.places[this.#open ?? this.#last] ?? this.places[0];
        if (!place) throw new Error("A room has a place.");
        return place;
    });

    /** To whom the screen has to go before anything more is shown. */
    curtain = $derived.by((): Place | null => {
        if (!this.shared || this.#asked === null || this.#asked === this.#open) return null;
        const seen = this.#open === null ? null : this.places[this.#open];
        if (seen && seen.playback.behind > 0) return null; // Let them see how their turn ended.
        return this.places[this.#asked] ?? null;
    });

    /** Whether hands are hidden: nobody has taken the screen yet, or somebody else should. */
    covered = $derived.by(() => this.#open === null || this.curtain !== null);

    /** Whoever is to play has the screen. */
    open(): void {
        if (this.#asked === null) return;
        this.#open = this.#asked;
        this.#last = this.#asked;
    }

    close(): void {
        for (const { connection, playback } of this.places) {
            playback.close();
            connection.close();
        }
    }
}
