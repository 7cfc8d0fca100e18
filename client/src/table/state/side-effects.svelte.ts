/** What goes on beside the table while it is open: sounds, calls for who looks elsewhere, and what is said. */

import { untrack } from "svelte";

import { pageVisibility } from "../../lib/page-visibility.svelte";
import { sounds } from "../../lib/sound";
import { t } from "../../lib/i18n.svelte";
import { toasts } from "../../lib/toasts.svelte";
import { alertPlayer } from "./turn-alerts";
import { soundForStep } from "../animation/step-sounds";
import type { TableContext } from "./table-context.svelte";

/** To be called while the table is being made: its effects end with it. */
export function startSideEffects(ctx: TableContext): void {
    for (const place of ctx.localSeats.all) {
        place.playback.heard = (frame) => {
            if (place !== ctx.localSeats.current || document.visibilityState === "hidden") return;
            const sound = soundForStep(frame, ctx.me);
            if (sound !== null) sounds.play(sound);
        };
    }

    $effect(() => {
        void ctx.connection.chat;
        // What was said before the table was opened comes with its first view: it is no news.
        if (ctx.connection.view !== null) ctx.chatState.update();
    });

    const calling = $derived(pageVisibility.hidden && isWaitedFor(ctx));
    const title = $derived(ctx.connection.view?.current === ctx.me ? t("Your turn") : t("Your choice"));
    $effect(() => {
        if (calling) return alertPlayer(title, t("The other players are waiting for you."), ctx.id);
    });

    const notice = $derived(ctx.connection.table?.notice ?? null);
    const noticeText = $derived(notice === null ? null : ctx.messageText(notice));
    $effect(() => {
        if (noticeText !== null)
            untrack(() => {
                toasts.warn(noticeText);
            });
    });

    $effect(() => {
        agreeAtOneScreen(ctx);
    });
}

/** Whether a seat of this browser has to decide. */
function isWaitedFor(ctx: TableContext): boolean {
    return ctx.localSeats.all.some(({ seat, connection }) => {
        const decision = connection.view?.decision;
        return seat !== null && decision?.player === seat && decision.options !== undefined;
    });
}

/** Who sits at the same screen has no need to ask by machine: the others agree at once. */
function agreeAtOneScreen({ localSeats }: TableContext): void {
    if (!localSeats.isShared) return;
    for (const { seat, connection } of localSeats.all) {
        const wish = connection.latest?.undo;
        if (!wish || seat === null || seat === wish.seat || wish.agreed.includes(seat)) continue;
        if (localSeats.all.some((place) => place.seat === wish.seat))
            void connection.agree(wish.number, true);
    }
}
