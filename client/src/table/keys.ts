/**
 * The table by keyboard: arrows go through what can be chosen, Escape puts down what was taken up, U takes the last
 * choice back, H asks for a hint.
 */

import { tick } from "svelte";

import { askForHint, takeBack } from "./comfort";
import type { Scene } from "./scene.svelte";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Whether the last thing somebody did was by keyboard: only then is the focus moved for them. */
let byKeyboard = false;

export function notePointer(): void {
    byKeyboard = false;
}

export function steer(event: KeyboardEvent, scene: Scene): void {
    byKeyboard = true;
    const writing = document.activeElement?.matches("input, select, textarea") === true;
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) {
        if (event.key === "z" && !event.shiftKey && !writing) help(event, takeBack(scene));
        return;
    }
    if (event.key === "u" && !writing) help(event, takeBack(scene));
    if (event.key === "h" && !writing) help(event, askForHint(scene));
    const { chooser } = scene;
    if (event.key === "Escape" && chooser.from !== null) {
        const card = document.querySelector<HTMLElement>(`[data-spot="${chooser.from}"]`);
        chooser.cancel();
        card?.focus();
        return;
    }
    const step = STEPS[event.key];
    const focused = document.activeElement;
    if (step === undefined || focused?.matches("input, select, textarea, [role=log]")) return;
    const choices = choicesNow(chooser.from);
    if (choices.length === 0) return;
    const at = choices.findIndex((choice) => choice === focused);
    const start = at < 0 && step < 0 ? 0 : at;
    choices[(start + step + choices.length) % choices.length]?.focus();
    event.preventDefault();
}

function help(event: KeyboardEvent, doing: Promise<void>): void {
    event.preventDefault();
    void doing;
}

/** After a card was taken up by keyboard: on to where it can go. */
export async function towardsTarget(scene: Scene): Promise<void> {
    await tick();
    if (byKeyboard && scene.chooser.from !== null) choicesNow(scene.chooser.from)[0]?.focus();
}

/** A new question: if the keyboard was on something that is gone, it goes on at the question. */
export async function towardsPrompt(): Promise<void> {
    await tick();
    const focused = document.activeElement;
    const lost = focused === null || focused === document.body || focused.id === "main";
    if (byKeyboard && lost) document.querySelector<HTMLElement>("[data-prompt]")?.focus();
}

/** What can be chosen, in the order of the page, without what was taken up already. */
function choicesNow(from: string | null): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>("[data-choice]")].filter(
        (choice) => choice.offsetParent !== null && (from === null || choice.dataset.spot !== from),
    );
}
