/** Actions at a table besides playing. A refusal is shown, and nothing has changed. */

import { api } from "../../lib/api";
import { router } from "../../lib/router.svelte";
import { saveSeats, mySeats } from "../../lib/seats";
import { createTable } from "../../lib/create-table";
import { toasts } from "../../lib/toasts.svelte";
import { t } from "../../lib/i18n.svelte";
import type { SeatSettings, ChatMessage, TableForm } from "../../protocol";
import type { TableContext } from "./table-context.svelte";

async function reportErrors(what: () => Promise<unknown>): Promise<boolean> {
    try {
        await what();
        return true;
    } catch (error) {
        toasts.fail(error);
        return false;
    }
}

export async function changeSettings(ctx: TableContext, what: SeatSettings): Promise<void> {
    const { secret } = ctx;
    if (secret !== null) await reportErrors(() => api.change(ctx.id, secret, what));
}

export async function resign(ctx: TableContext): Promise<void> {
    const { secret } = ctx;
    if (secret !== null) await reportErrors(() => api.resign(ctx.id, secret));
}

/** Stand up: all seats of this browser do. */
export async function leaveTable(ctx: TableContext): Promise<void> {
    router.go("/");
    await reportErrors(async () => {
        for (const { secret } of ctx.localSeats.all) if (secret !== null) await api.leave(ctx.id, secret);
    });
}

export async function returnToSeat(ctx: TableContext): Promise<void> {
    const { secret } = ctx;
    if (secret !== null) await reportErrors(() => api.comeBack(ctx.id, secret));
}

/** Agree to a bot on the seat of a player who has left. */
export async function agreeToBot(ctx: TableContext, seat: number): Promise<void> {
    const { secret } = ctx;
    if (secret !== null) await reportErrors(() => api.replace(ctx.id, secret, seat, {}));
}

/** Agree to play again with all seats of this browser; the secrets open the seats of the next table too. */
export async function agreeToRematch(ctx: TableContext): Promise<void> {
    await reportErrors(async () => {
        let next = "";
        for (const { secret } of ctx.localSeats.all) {
            if (secret !== null) next = (await api.rematch(ctx.id, secret)).id;
        }
        if (next === "") return;
        saveSeats(next, mySeats(ctx.id));
        router.go(`/table/${next}`);
    });
}

/** Start another game with these settings. */
export async function startNextGame(form: TableForm): Promise<void> {
    await reportErrors(() => createTable(form));
}

/** Tell who runs the server of something that was said. */
export async function reportChatLine(ctx: TableContext, line: ChatMessage): Promise<void> {
    const form = { kind: "chat" as const, said: line.number };
    if (await reportErrors(() => api.report(ctx.id, ctx.secret, form)))
        toasts.show(t("Reported. The server's operator will take a look."));
}
