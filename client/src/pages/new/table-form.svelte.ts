/** The form of a new table. One for each way to play, kept while the page is open. */

import { settings } from "../../lib/settings.svelte";
import type { TableForm } from "../../protocol";
import { botName, personName, type Level } from "../seat-names";

export type PlayMode = "bots" | "friends" | "here";
export type FactionMode = NonNullable<TableForm["mode"]>;
export type EditionKey = NonNullable<TableForm["edition"]>;
export type Printing = NonNullable<TableForm["printing"]>;
export type TurnLimit = NonNullable<TableForm["clock"]>;

export interface SeatForm {
    number: number;
    /** The creator (or another player at the same screen), a friend with the link, or a bot. */
    kind: "me" | "open" | "bot";
    level: Level;
    name: string;
    factions: string[];
}

export const MIN_PLAYERS = 2;
export const MAX_PLAYERS = 4;

const OTHER_SEATS: Record<PlayMode, SeatForm["kind"]> = { bots: "bot", friends: "open", here: "me" };

export class NewTableForm {
    count = $state(MIN_PLAYERS);
    mode = $state<FactionMode>("random");
    edition = $state<EditionKey | null>(null);
    printing = $state<Printing | null>(null);
    optionalTitans = $state(false);
    madness = $state(false);
    listed = $state(false);
    spectators = $state(true);
    /** Seconds for a turn; 0 without a limit. */
    clock = $state<TurnLimit>(0);
    undo = $state(true);
    chat = $state(true);
    all = $state<SeatForm[]>([]);

    constructor(readonly kind: PlayMode) {
        for (let number = 0; number < MAX_PLAYERS; number++) {
            const seatKind = number === 0 ? "me" : OTHER_SEATS[kind];
            this.all.push({ number, kind: seatKind, level: "normal", name: "", factions: [] });
        }
    }

    get seats(): SeatForm[] {
        return this.all.slice(0, this.count);
    }

    /** Whether the game starts at once, because no player has to join. */
    get complete(): boolean {
        return this.seats.every((seat) => seat.kind !== "open");
    }

    change(number: number, what: Partial<SeatForm>): void {
        const seat = this.all[number];
        if (seat !== undefined) Object.assign(seat, what);
    }

    /** A player who picks factions wants them chosen, not random. */
    choose(number: number, factions: string[]): void {
        this.change(number, { factions });
        if (factions.length > 0) this.mode = "choose";
    }

    /** The factions that the other seats have, and whose they are. */
    takenBeside(seat: SeatForm, nameOf: (seat: SeatForm) => string): Record<string, string> {
        const others = this.seats.filter((other) => other.number !== seat.number);
        return Object.fromEntries(
            others.flatMap((other) => other.factions.map((faction) => [faction, nameOf(other)])),
        );
    }

    toRequest(): TableForm {
        return {
            seats: this.seats.map((seat) => ({
                kind: seat.kind,
                level: seat.level,
                name: this.#nameOf(seat),
                ...(this.mode === "choose" && seat.kind !== "open" ? { factions: [...seat.factions] } : {}),
            })),
            mode: this.mode,
            ...(this.edition === null ? {} : { edition: this.edition }),
            ...(this.printing === null ? {} : { printing: this.printing }),
            optional_titans: this.optionalTitans,
            madness: this.madness,
            listed: this.listed,
            spectators: this.spectators,
            clock: this.clock,
            undo: this.undo,
            chat: this.chat,
            lang: settings.lang,
        };
    }

    #nameOf(seat: SeatForm): string {
        if (seat.kind === "open") return "";
        if (seat.kind === "bot") return botName(seat.number);
        return personName(seat.number, seat.name);
    }
}

const plans: Record<PlayMode, NewTableForm> = {
    bots: new NewTableForm("bots"),
    friends: new NewTableForm("friends"),
    here: new NewTableForm("here"),
};

export function formFor(kind: PlayMode): NewTableForm {
    return plans[kind];
}
