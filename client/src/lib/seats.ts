/** The seats this browser holds: their secrets by table, newest table first. */

import type { SeatTaken } from "../protocol";
import { readStored, writeStored } from "./storage";

interface StoredSeats {
    table: string;
    seats: SeatTaken[];
}

const KEY = "smashup.seats";

/** Older tables are forgotten; a secret is a hundred bytes and the browser's memory is small. */
const MAX_TABLES = 60;

function isSeat(seat: unknown): seat is SeatTaken {
    const { seat: number, secret } = (seat ?? {}) as Partial<SeatTaken>;
    return typeof number === "number" && typeof secret === "string";
}

/** What is kept, without anything that another version or another program left there. */
function readStoredSeats(): StoredSeats[] {
    const kept = readStored<unknown>(KEY);
    if (!Array.isArray(kept)) return [];
    const entries = kept as Partial<StoredSeats>[];
    return entries.flatMap((entry) =>
        typeof entry.table === "string" && Array.isArray(entry.seats)
            ? [{ table: entry.table, seats: entry.seats.filter(isSeat) }]
            : [],
    );
}

/** The seats held at a table, in their order; none for a spectator. */
export function mySeats(tableId: string): SeatTaken[] {
    return readStoredSeats().find((entry) => entry.table === tableId)?.seats ?? [];
}

/** Keep seats that were just taken, next to those held at this table already. */
export function saveSeats(tableId: string, seats: SeatTaken[]): void {
    const fresh = new Map(mySeats(tableId).map((seat) => [seat.seat, seat]));
    for (const seat of seats) fresh.set(seat.seat, seat);
    const inOrder = [...fresh.values()].sort((a, b) => a.seat - b.seat);
    const others = readStoredSeats().filter((entry) => entry.table !== tableId);
    writeStored(KEY, [{ table: tableId, seats: inOrder }, ...others].slice(0, MAX_TABLES));
}

/** Forget the seats of a table that is gone, or was left. */
export function forgetSeats(tableId: string): void {
    writeStored(
        KEY,
        readStoredSeats().filter((entry) => entry.table !== tableId),
    );
}

/** The tables at which this browser holds a seat, newest first. */
export function myTables(): string[] {
    return readStoredSeats().map((entry) => entry.table);
}
