/** What goes on beside the table while it is open: sounds, calls for who looks elsewhere, and what is said. */

import { sight } from "../lib/sight.svelte";
import { sounds } from "../lib/sound";
import { t } from "../lib/words.svelte";
import { call } from "./alerts";
import { soundOf } from "./ears";
import type { Scene } from "./scene.svelte";

/** To be called while the table is being made: its effects end with it. */
export function attend(scene: Scene): void {
    for (const place of scene.room.places) {
        place.playback.heard = (frame) => {
            if (place !== scene.room.place || document.visibilityState === "hidden") return;
            const sound = soundOf(frame, scene.me);
            if (sound !== null) sounds.play(sound);
        };
    }

    $effect(() => {
        void scene.connection.chat;
        // What was said before the table was opened comes with its first view: it is no news.
        if (scene.connection.view !== null) scene.talk.hear();
    });

    const calling = $derived(sight.hidden && isWaitedFor(scene));
    const title = $derived(scene.connection.view?.current === scene.me ? t("Your turn") : t("Your choice"));
    $effect(() => {
        if (calling) return call(title, t("The other players are waiting for you."), scene.id);
    });

    $effect(() => {
        agreeAtOneScreen(scene);
    });
}

/** Whether a seat of this browser has to decide. */
function isWaitedFor(scene: Scene): boolean {
    return scene.room.places.some(({ seat, connection }) => {
        const decision = connection.view?.decision;
        return seat !== null && decision?.player === seat && decision.options !== undefined;
    });
}

/** Who sits at the same screen has no need to ask by machine: the others agree at once. */
function agreeAtOneScreen({ room }: Scene): void {
    if (!room.shared) return;
    for (const { seat, connection } of room.places) {
        const wish = connection.latest?.undo;
        if (!wish || seat === null || seat === wish.seat || wish.agreed.includes(seat)) continue;
        if (room.places.some((place) => place.seat === wish.seat)) void connection.agree(wish.number, true);
    }
}
