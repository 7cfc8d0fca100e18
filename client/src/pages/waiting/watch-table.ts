/** See a table change: over its socket for who sits there, by asking again and again for who does not. */

import { api, ApiError } from "../../lib/api";
import { TableConnection } from "../../net/connection.svelte";
import type { TableInfo } from "../../protocol";

/** How often a visitor without a seat polls: there is no socket, as some tables allow no spectators. */
const POLL_INTERVAL_MS = 2000;

type Changed = (table: TableInfo) => void;

/** Follow a table until the returned function is called. */
export function watchTable(id: string, secret: string | null, changed: Changed): () => void {
    return secret === null ? ask(id, changed) : listen(id, secret, changed);
}

function listen(id: string, secret: string, changed: Changed): () => void {
    const connection = new TableConnection(id, secret);
    connection.listen((frame) => {
        changed(frame.table);
    });
    return () => {
        connection.close();
    };
}

function ask(id: string, changed: Changed): () => void {
    let over = false;
    const timer = setInterval(() => {
        if (document.visibilityState === "hidden") return;
        api.table(id)
            .then((table) => {
                if (!over) changed(table);
            })
            .catch((error: unknown) => {
                // Offline is for the header to say, and the next try may do better.
                if (error instanceof ApiError && error.isMissing) clearInterval(timer);
            });
    }, POLL_INTERVAL_MS);
    return () => {
        over = true;
        clearInterval(timer);
    };
}
