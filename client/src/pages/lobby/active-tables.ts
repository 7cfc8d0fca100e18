/** Which tables of the lobby are worth a visit. */

import type { TableInfo } from "../../protocol";

/** How long a table is shown although nobody is there, in seconds: people reload, and trains have tunnels. */
const PATIENCE = 20 * 60;

/** Those where somebody is come first; those that everybody has left for a while are not shown. */
export function activeTables(tables: TableInfo[], now = Date.now() / 1000): TableInfo[] {
    const shown = tables.filter((table) => peopled(table) || now - table.created < PATIENCE);
    return shown.toSorted((a, b) => Number(peopled(b)) - Number(peopled(a)));
}

/** Bots never leave. */
function peopled(table: TableInfo): boolean {
    const people = table.seats.filter((seat) => seat.kind === "person");
    return people.some((seat) => seat.here) || (people.length === 0 && table.state === "playing");
}
