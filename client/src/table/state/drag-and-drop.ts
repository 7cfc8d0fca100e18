/** Dragging a card onto where it is to go: mouse, pen and finger alike. */

import type { Spot } from "./choices";
import type { TableContext } from "./table-context.svelte";

interface Dragged {
    spot: Spot;
    ctx: TableContext;
}

const DRAG_THRESHOLD_PX = 8;

/** What can be dropped on at a point of the screen: a card, a base, a player, or the table. */
function findTargetAt(x: number, y: number, targets: ReadonlySet<Spot>): Spot | null {
    let element = document.elementFromPoint(x, y);
    while (element) {
        for (const name of ["data-spot", "data-drop"]) {
            const spot = element.getAttribute(name) as Spot | null;
            if (spot !== null && targets.has(spot)) return spot;
        }
        element = element.parentElement;
    }
    return null;
}

export function draggable(node: HTMLElement, given: Dragged) {
    let current = given;
    let start: { x: number; y: number; id: number } | null = null;
    let ghost: HTMLElement | null = null;

    function down(event: PointerEvent): void {
        const { chooser } = current.ctx;
        if (event.button !== 0 || !chooser.choices.some((choice) => choice.from === current.spot)) return;
        start = { x: event.clientX, y: event.clientY, id: event.pointerId };
        addEventListener("pointermove", move);
        addEventListener("pointerup", up);
        addEventListener("pointercancel", stop);
        addEventListener("keydown", escape, true);
    }

    function move(event: PointerEvent): void {
        if (start?.id !== event.pointerId) return;
        const { chooser } = current.ctx;
        if (!ghost) {
            if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < DRAG_THRESHOLD_PX) return;
            chooser.take(current.spot);
            ghost = lift(node);
        }
        ghost.style.translate = `${String(event.clientX)}px ${String(event.clientY)}px`;
        chooser.pointed = findTargetAt(event.clientX, event.clientY, chooser.targets);
        ghost.classList.toggle("ready", chooser.pointed !== null);
    }

    function up(event: PointerEvent): void {
        const dragged = ghost !== null;
        const { chooser } = current.ctx;
        const target = dragged ? findTargetAt(event.clientX, event.clientY, chooser.targets) : null;
        stop();
        if (!dragged) return;
        addEventListener("click", suppress, { capture: true, once: true });
        setTimeout(() => {
            removeEventListener("click", suppress, { capture: true });
        });
        if (target === null) chooser.cancel();
        else chooser.click(target);
    }

    function escape(event: KeyboardEvent): void {
        if (event.key !== "Escape" || !ghost) return;
        stop();
        current.ctx.chooser.cancel();
    }

    function stop(): void {
        start = null;
        ghost?.remove();
        ghost = null;
        node.classList.remove("lifted");
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", up);
        removeEventListener("pointercancel", stop);
        removeEventListener("keydown", escape, true);
    }

    node.addEventListener("pointerdown", down);
    node.addEventListener("dragstart", prevent);
    return {
        update(next: Dragged) {
            current = next;
        },
        destroy() {
            stop();
            node.removeEventListener("pointerdown", down);
            node.removeEventListener("dragstart", prevent);
        },
    };
}

/** A copy of the card that follows the pointer. */
function lift(node: HTMLElement): HTMLElement {
    const copy = node.cloneNode(true) as HTMLElement;
    const { width } = node.getBoundingClientRect();
    copy.className = "table-drag-ghost";
    copy.setAttribute("aria-hidden", "true");
    copy.inert = true;
    copy.style.width = `${String(width)}px`;
    document.body.append(copy);
    node.classList.add("lifted");
    return copy;
}

function suppress(event: Event): void {
    event.stopPropagation();
    event.preventDefault();
}

function prevent(event: Event): void {
    event.preventDefault();
}
