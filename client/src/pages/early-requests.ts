/** What a page asks the server for first: requested while its scripts are still on their way. */

import { factionsOf, loadFactionData } from "../cards/art/faction-data.svelte";
import { api } from "../lib/api";
import type { Route } from "../lib/router.svelte";
import { mySeats } from "../lib/seats";

export function sendEarlyRequests(route: Route): void {
    if (route.page === "table" || route.page === "replay") {
        api.early
            .table(route.id)
            .then(({ table }) => loadFactionData(factionsOf(table.seats)))
            .catch(() => {
                // The page asks for the data again, and shows what went wrong.
            });
    }
    if (route.page === "replay") api.early.replay(route.id, mySeats(route.id)[0]?.secret ?? null);
    if (route.page === "puzzles") api.early.puzzles();
}
