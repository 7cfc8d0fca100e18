/**
 * The table by keyboard: arrows go through what can be chosen, Escape puts down what was taken up, E ends the turn,
 * 1 to 9 choose, U undoes the last move, H asks for a hint, and ? lists all of these (`Shortcuts.svelte`).
 */

import { tick } from "svelte";

import { requestHint, requestUndo } from "./requests";
import type { TableContext } from "./table-context.svelte";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Whether the last input came from the keyboard: only then does the focus move. */
let byKeyboard = false;

export function notePointerUse(): void {
    byKeyboard = false;
}

export function handleTableKey(event: KeyboardEvent, ctx: TableContext): void {
    byKeyboard = true;
    const writing = document.activeElement?.matches("input, select, textarea") === true;
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) {
        if (event.key === "z" && !event.shiftKey && !writing) help(event, requestUndo(ctx));
        return;
    }
    if (!writing && pressLetter(event, ctx)) return;
    const { chooser } = ctx;
    if (event.key === "Escape" && chooser.from !== null) {
        const card = document.querySelector<HTMLElement>(`[data-spot="${chooser.from}"]`);
        chooser.cancel();
        (card ?? document.querySelector<HTMLElement>("[data-prompt]"))?.focus();
        return;
    }
    const step = STEPS[event.key];
    const focused = document.activeElement;
    if (step === undefined || focused?.matches("input, select, textarea, [role=log]")) return;
    const elements = selectableElements(chooser.from);
    if (elements.length === 0) return;
    const at = elements.findIndex((element) => element === focused);
    const start = at < 0 && step < 0 ? 0 : at;
    elements[(start + step + elements.length) % elements.length]?.focus();
    event.preventDefault();
}

/** The key that chooses an option of the prompt, by its position there; none after the ninth. */
export function numberKey(position: number): string {
    return position >= 0 && position < 9 ? String(position + 1) : "";
}

/** The shortcuts that are a single character. Returns whether the key was one. */
function pressLetter(event: KeyboardEvent, ctx: TableContext): boolean {
    const { chooser } = ctx;
    const key = event.key.toLowerCase();
    if (key === "u") help(event, requestUndo(ctx));
    else if (key === "h") help(event, requestHint(ctx));
    else if (key === "?") ctx.shortcuts = true;
    else if (key === "e") document.querySelector<HTMLElement>("[data-verb=done][data-choice]")?.click();
    else if (/^[1-9]$/.test(key)) pressNumber(Number(key), ctx);
    else if (key === "enter" && chooser.picks.length > 0 && !isOnControl()) chooser.confirm();
    else return false;
    event.preventDefault();
    return true;
}

/** Choose an option of the prompt; where it lists none, a card by its position in the hand, or something on the table. */
function pressNumber(number: number, ctx: TableContext): void {
    const { chooser } = ctx;
    const option = chooser.numbered[number - 1];
    if (option) {
        chooser.chooseListed(option);
        void focusTarget(ctx);
        return;
    }
    if (chooser.numbered.length > 0) return;
    const elements = selectableElements(chooser.from).filter((element) => element.dataset.verb !== "done");
    const hand = [...document.querySelectorAll<HTMLElement>("[data-anchor^=hand] [data-spot]")];
    const isFromHand = chooser.from === null && elements.some((element) => hand.includes(element));
    const element = isFromHand ? hand[number - 1] : elements[number - 1];
    if (element === undefined || !elements.includes(element)) return;
    element.focus();
    element.click();
}

function isOnControl(): boolean {
    return document.activeElement?.matches("a, button, summary, [role=slider]") === true;
}

function help(event: KeyboardEvent, doing: Promise<void>): void {
    event.preventDefault();
    void doing;
}

/** After a card was taken up by keyboard: on to where it can go. */
export async function focusTarget(ctx: TableContext): Promise<void> {
    await tick();
    if (byKeyboard && ctx.chooser.from !== null) selectableElements(ctx.chooser.from)[0]?.focus();
}

/** A new question: if the keyboard was on something that is gone, it goes on at the question. */
export async function focusPrompt(): Promise<void> {
    await tick();
    const focused = document.activeElement;
    const lost = focused === null || focused === document.body || focused.id === "main";
    if (byKeyboard && lost) document.querySelector<HTMLElement>("[data-prompt]")?.focus();
}

/** What can be chosen, in the order of the page, without what was taken up already. */
function selectableElements(from: string | null): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>("[data-choice]")].filter(
        (element) => element.offsetParent !== null && (from === null || element.dataset.spot !== from),
    );
}
