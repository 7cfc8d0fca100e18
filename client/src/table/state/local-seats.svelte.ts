/** The seats this browser holds at a table, and which of them looks at the screen now. */

import { TableConnection, type OpenSocket } from "../../net/connection.svelte";
import type { SeatTaken } from "../../protocol";
import { Notices } from "../log/notices.svelte";
import { Playback } from "../animation/playback.svelte";

/** A seat (or a spectator's chair), its line to the server, and what it is shown. */
export interface LocalSeat {
    seat: number | null;
    secret: string | null;
    connection: TableConnection;
    playback: Playback;
    notices: Notices;
}

export class LocalSeats {
    readonly all: LocalSeat[];
    /** Whose hand may be seen; null while the screen goes from hand to hand. */
    #open = $state<number | null>(null);

    constructor(tableId: string, seats: SeatTaken[], openSocket?: OpenSocket) {
        const chairs: { seat: number | null; secret: string | null }[] =
            seats.length > 0 ? seats : [{ seat: null, secret: null }];
        this.all = chairs.map(({ seat, secret }) => {
            const connection = new TableConnection(tableId, secret, openSocket);
            const playback = new Playback(connection);
            const notices = new Notices();
            playback.onStep = (before, frame) => {
                // A recording has no notices.
                notices.note(before, frame, openSocket === undefined ? connection.seat : null);
            };
            return { seat, secret, connection, playback, notices };
        });
        if (!this.isShared) this.#open = 0;
    }

    /** Whether several people play on this screen. */
    get isShared(): boolean {
        return this.all.length > 1;
    }

    /** Which place has to decide, if any does. */
    #asked = $derived.by(() => {
        const found = this.all.findIndex(
            ({ seat, connection }) =>
                seat !== null &&
                connection.view?.decision?.player === seat &&
                connection.view.decision.options !== undefined,
        );
        return found < 0 ? null : found;
    });

    #last = $state(0);

    /** The seat that is shown. Behind the curtain, the last one: nothing of it is visible then. */
    current = $derived.by((): LocalSeat => {
        const place = this.all[this.#open ?? this.#last] ?? this.all[0];
        if (!place) throw new Error("There is no seat.");
        return place;
    });

    /** To whom the screen has to go before anything more is shown. */
    curtain = $derived.by((): LocalSeat | null => {
        if (!this.isShared || this.#asked === null || this.#asked === this.#open) return null;
        const seen = this.#open === null ? null : this.all[this.#open];
        if (seen && seen.playback.pendingSteps > 0) return null; // Let them see how their turn ended.
        return this.all[this.#asked] ?? null;
    });

    /** Whether hands are hidden: no player has taken the screen yet, or another one should. */
    isCovered = $derived.by(() => this.#open === null || this.curtain !== null);

    /** The player who decides takes the screen. */
    open(): void {
        if (this.#asked === null) return;
        this.#open = this.#asked;
        this.#last = this.#asked;
    }

    close(): void {
        for (const { connection, playback } of this.all) {
            playback.close();
            connection.close();
        }
    }
}
