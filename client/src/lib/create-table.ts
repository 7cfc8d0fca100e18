/** Found a table and go there. */

import type { TableForm } from "../protocol";
import { api } from "./api";
import { router } from "./router.svelte";
import { saveSeats } from "./seats";

/** The seats are stored before the page changes: the server sends each secret only once. */
export async function createTable(form: TableForm): Promise<void> {
    const { table, seats } = await api.found(form);
    saveSeats(table.id, seats);
    router.go(`/table/${table.id}`);
}
