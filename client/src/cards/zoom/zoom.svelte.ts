/**
 * A card looked at closely: on hovering for a moment, on reaching it with the keyboard, on pressing long. There is one
 * layer for all of them, `TipLayer.svelte`; anything on the page can ask for it by `use:tip`.
 */

import { untrack } from "svelte";
import type { Action } from "svelte/action";

/** Where a power comes from. */
export interface ZoomPart {
    label: string;
    amount: number;
}

export interface ZoomContent {
    name: string;
    type: string;
    text?: string;
    power?: number;
    printedPower?: number;
    on?: string;
    owner?: number | null;
    /** Of a base. */
    breakpoint?: number;
    printedBreakpoint?: number;
    vp?: number[];
    /** How it stands: counters on it, names of what is attached to it, what its power consists of, and remarks. */
    counters?: number;
    attached?: string[];
    parts?: ZoomPart[];
    notes?: string[];
}

export const LAYER_ID = "card-tip";
export const HOVER_MS = 250;
export const LONG_PRESS_MS = 450;
const SWITCH_MS = 150;

interface Shown {
    content: ZoomContent;
    anchor: HTMLElement;
    touched: boolean;
}

class Tips {
    shown = $state.raw<Shown | null>(null);
    #timer: ReturnType<typeof setTimeout> | undefined;
    #hidden = -Infinity;

    /** Show after a while, unless `hide` comes first. */
    showAfter(wait: number, anchor: HTMLElement, content: ZoomContent, touched = false): void {
        clearTimeout(this.#timer);
        // From one card to its neighbor the view moves on at once.
        const looking = !touched && (this.shown !== null || performance.now() - this.#hidden < SWITCH_MS);
        this.#timer = setTimeout(
            () => {
                this.show(anchor, content, touched);
            },
            looking ? 0 : wait,
        );
    }

    show(anchor: HTMLElement, content: ZoomContent, touched = false): void {
        clearTimeout(this.#timer);
        if (this.shown !== null && this.shown.anchor !== anchor) removeDescription(this.shown.anchor);
        this.shown = { content, anchor, touched };
        describe(anchor);
    }

    /** What is shown for this element, or is about to be, goes away. Without an element everything does. */
    hide(anchor?: HTMLElement): void {
        clearTimeout(this.#timer);
        if (this.shown === null || (anchor !== undefined && this.shown.anchor !== anchor)) return;
        removeDescription(this.shown.anchor);
        this.shown = null;
        this.#hidden = performance.now();
    }

    /** The card has changed while it is looked at. */
    refresh(anchor: HTMLElement, content: ZoomContent): void {
        if (this.shown?.anchor === anchor) this.shown = { ...this.shown, content };
    }
}

function descriptionIds(anchor: HTMLElement): string[] {
    return (anchor.getAttribute("aria-describedby") ?? "")
        .split(/\s+/)
        .filter((id) => id !== "" && id !== LAYER_ID);
}

function describe(anchor: HTMLElement): void {
    anchor.setAttribute("aria-describedby", [...descriptionIds(anchor), LAYER_ID].join(" "));
}

function removeDescription(anchor: HTMLElement): void {
    const others = descriptionIds(anchor);
    if (others.length > 0) anchor.setAttribute("aria-describedby", others.join(" "));
    else anchor.removeAttribute("aria-describedby");
}

export const zoom = new Tips();

let pointerAt = "";
let movement: PointerEvent | null = null;

/** To be called for every `pointermove`, before others hear of it: browsers also send one after the page has changed. */
export function trackPointer(event: PointerEvent): void {
    const at = `${String(event.screenX)} ${String(event.screenY)}`;
    movement = at === pointerAt ? null : event;
    pointerAt = at;
}

/** `use:tip={{ name, type, text }}`: this element stands for a card. `null` is no card. */
export const zoomable: Action<HTMLElement, ZoomContent | null | undefined> = (node, given) => {
    let now = given ?? null;
    let pressed = false;
    let hovered = false;

    // Not on `pointerenter`: that also comes when the page changes below a pointer that rests.
    const move = (event: PointerEvent) => {
        const dragging = event.buttons !== 0;
        if (hovered || event.pointerType === "touch" || dragging || now === null) return;
        if (movement !== event) return;
        hovered = true;
        zoom.showAfter(HOVER_MS, node, now);
    };
    const leave = (event: PointerEvent) => {
        hovered = false;
        if (event.pointerType !== "touch") zoom.hide(node);
    };
    const down = (event: PointerEvent) => {
        pressed = false;
        if (event.pointerType !== "touch") zoom.hide(node);
        else if (now !== null) zoom.showAfter(LONG_PRESS_MS, node, now, true);
    };
    const up = (event: PointerEvent) => {
        if (event.pointerType !== "touch") return;
        pressed = event.type === "pointerup" && zoom.shown?.anchor === node && zoom.shown.touched;
        if (!pressed) zoom.hide(node);
    };
    // A long press was for looking, so it is no click; nor does it open the browser's own menu.
    const click = (event: MouseEvent) => {
        if (!pressed) return;
        pressed = false;
        event.preventDefault();
        event.stopPropagation();
    };
    const menu = (event: Event) => {
        if (zoom.shown?.touched) event.preventDefault();
    };
    const focus = (event: FocusEvent) => {
        const keyboard = event.target instanceof Element && event.target.matches(":focus-visible");
        if (keyboard && now !== null) zoom.showAfter(HOVER_MS, node, now);
    };
    // Later, because an element that is taken off the page loses the focus while the page is being changed.
    const blur = () => queueMicrotask(() => zoom.hide(node));

    node.style.setProperty("-webkit-touch-callout", "none");
    const heard: [string, (event: never) => void, boolean][] = [
        ["pointermove", move, false],
        ["pointerleave", leave, false],
        ["pointerdown", down, false],
        ["pointerup", up, false],
        ["pointercancel", up, false],
        ["click", click, true],
        ["contextmenu", menu, false],
        ["focusin", focus, false],
        ["focusout", blur, false],
    ];
    for (const [name, listener, capture] of heard)
        node.addEventListener(name, listener as EventListener, capture);

    return {
        update(next) {
            const content = (now = next ?? null);
            // What is shown is written here; to read it as well must not bring this about again.
            untrack(() => {
                if (content === null) zoom.hide(node);
                else zoom.refresh(node, content);
            });
        },
        destroy() {
            zoom.hide(node);
            for (const [name, listener, capture] of heard) {
                node.removeEventListener(name, listener as EventListener, capture);
            }
        },
    };
};
