/** What people do at a table besides playing. What is refused is told, and nothing has changed. */

import { api } from "../lib/api";
import { router } from "../lib/router.svelte";
import { keepSeats, mySeats } from "../lib/seats";
import { start } from "../lib/start";
import { toasts } from "../lib/toasts.svelte";
import { t } from "../lib/words.svelte";
import type { SeatSettings, Spoken, TableForm } from "../protocol";
import type { Scene } from "./scene.svelte";

async function trying(what: () => Promise<unknown>): Promise<boolean> {
    try {
        await what();
        return true;
    } catch (error) {
        toasts.fail(error);
        return false;
    }
}

export async function change(scene: Scene, what: SeatSettings): Promise<void> {
    const { secret } = scene;
    if (secret !== null) await trying(() => api.change(scene.id, secret, what));
}

export async function resign(scene: Scene): Promise<void> {
    const { secret } = scene;
    if (secret !== null) await trying(() => api.resign(scene.id, secret));
}

/** Stand up: all seats of this browser do. */
export async function leave(scene: Scene): Promise<void> {
    router.go("/");
    await trying(async () => {
        for (const { secret } of scene.room.places) if (secret !== null) await api.leave(scene.id, secret);
    });
}

export async function comeBack(scene: Scene): Promise<void> {
    const { secret } = scene;
    if (secret !== null) await trying(() => api.comeBack(scene.id, secret));
}

/** Agree to a bot on the seat of somebody who is gone. */
export async function replace(scene: Scene, seat: number): Promise<void> {
    const { secret } = scene;
    if (secret !== null) await trying(() => api.replace(scene.id, secret, seat, {}));
}

/** Agree to play again with all seats of this browser; the secrets open the seats of the next table too. */
export async function rematch(scene: Scene): Promise<void> {
    await trying(async () => {
        let next = "";
        for (const { secret } of scene.room.places) {
            if (secret !== null) next = (await api.rematch(scene.id, secret)).id;
        }
        if (next === "") return;
        keepSeats(next, mySeats(scene.id));
        router.go(`/table/${next}`);
    });
}

/** Start another game with these settings. */
export async function playNext(form: TableForm): Promise<void> {
    await trying(() => start(form));
}

/** Tell who runs the server of something that was said. */
export async function reportLine(scene: Scene, line: Spoken): Promise<void> {
    const form = { kind: "chat" as const, said: line.number };
    if (await trying(() => api.report(scene.id, scene.secret, form)))
        toasts.tell(t("Reported. The server's operator will take a look."));
}
