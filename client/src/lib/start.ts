/** Found a table and go there. */

import type { TableForm } from "../protocol";
import { api } from "./api";
import { router } from "./router.svelte";
import { keepSeats } from "./seats";

/** The seats are kept before the page changes: a secret is told once. */
export async function start(form: TableForm): Promise<void> {
    const { table, seats } = await api.found(form);
    keepSeats(table.id, seats);
    router.go(`/table/${table.id}`);
}
