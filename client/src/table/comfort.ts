/** Taking back, agreeing, asking for a hint, speaking: what is refused is told, and nothing has changed. */

import { toasts } from "../lib/toasts.svelte";
import { Failure } from "../lib/api";
import { sentence } from "../lib/words.svelte";
import type { Chat, Sentence } from "../protocol";
import type { Scene } from "./scene.svelte";

async function told(answer: Promise<Sentence | null>): Promise<boolean> {
    const reason = await answer;
    if (reason !== null) toasts.fail(new Failure(reason, 0));
    return reason === null;
}

/** Take back one's last choice; where other people play, they are asked. */
export async function takeBack(scene: Scene): Promise<void> {
    const { latest, connection } = scene;
    if (latest?.can_undo !== true || latest.undo !== null) return;
    await told(connection.undo());
}

/** What one says to a wish to take something back; who wished it withdraws it with a no. */
export async function answerWish(scene: Scene, yes: boolean): Promise<void> {
    const wish = scene.latest?.undo;
    if (wish) await told(scene.connection.agree(wish.number, yes));
}

export async function askForHint(scene: Scene): Promise<void> {
    if (scene.latest?.hints !== true) return;
    if (await scene.advice.ask()) return;
    toasts.fail(new Failure(sentence("No hint is available right now."), 0));
}

/** Say something; whether it was heard. */
export function speak(scene: Scene, what: Pick<Chat, "text" | "phrase">): Promise<boolean> {
    return told(scene.connection.speak(what));
}
