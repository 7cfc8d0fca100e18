/** Undo, rematch, hint and chat requests. A refusal is shown, and nothing has changed. */

import { toasts } from "../../lib/toasts.svelte";
import { ApiError } from "../../lib/api";
import { lazyText } from "../../lib/i18n.svelte";
import type { Chat, Sentence } from "../../protocol";
import type { TableContext } from "./table-context.svelte";

async function reportRefusal(answer: Promise<Sentence | null>): Promise<boolean> {
    const reason = await answer;
    if (reason !== null) toasts.fail(new ApiError(reason, 0));
    return reason === null;
}

/** Take back one's last choice; where other people play, they are asked. */
export async function requestUndo(ctx: TableContext): Promise<void> {
    const { latest, connection } = ctx;
    if (latest?.can_undo !== true || latest.undo !== null) return;
    await reportRefusal(connection.undo());
}

/** What one says to a wish to take something back; who wished it withdraws it with a no. */
export async function answerUndoRequest(ctx: TableContext, yes: boolean): Promise<void> {
    const wish = ctx.latest?.undo;
    if (wish) await reportRefusal(ctx.connection.agree(wish.number, yes));
}

export async function requestHint(ctx: TableContext): Promise<void> {
    if (ctx.latest?.hints !== true) return;
    if (await ctx.hints.ask()) return;
    toasts.fail(new ApiError(lazyText("No hint is available right now."), 0));
}

/** Say something; whether it was heard. */
export function sendChat(ctx: TableContext, what: Pick<Chat, "text" | "phrase">): Promise<boolean> {
    return reportRefusal(ctx.connection.sendChat(what));
}
