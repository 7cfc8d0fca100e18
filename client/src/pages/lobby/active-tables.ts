/** Which tables of the lobby are worth a visit. */

import type { TableInfo } from "../../protocol";

/** How long a table without connected players is shown, in seconds: people reload or lose the network. */
const MAX_IDLE_SECONDS = 20 * 60;

/** Tables with connected players first; tables that all players left a while ago are not shown. */
export function activeTables(tables: TableInfo[], now = Date.now() / 1000): TableInfo[] {
    const shown = tables.filter((table) => hasPeople(table) || now - table.created < MAX_IDLE_SECONDS);
    return shown.toSorted((a, b) => Number(hasPeople(b)) - Number(hasPeople(a)));
}

/** Bots never leave. */
function hasPeople(table: TableInfo): boolean {
    const people = table.seats.filter((seat) => seat.kind === "person");
    return people.some((seat) => seat.here) || (people.length === 0 && table.state === "playing");
}
