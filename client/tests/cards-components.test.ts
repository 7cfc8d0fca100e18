/** The components, as a screen reader and a person with a keyboard meet them. */

import { fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import BaseFace from "../src/cards/faces/BaseFace.svelte";
import Card from "../src/cards/faces/Card.svelte";
import CardZoom from "../src/cards/zoom/CardZoom.svelte";
import CardChip from "../src/cards/faces/CardChip.svelte";
import Emblem from "../src/cards/art/Emblem.svelte";
import Icon from "../src/cards/art/Icon.svelte";
import SeatMark from "../src/cards/faces/SeatMark.svelte";
import ZoomLayer from "../src/cards/zoom/ZoomLayer.svelte";
import { HOVER_MS, LONG_PRESS_MS, zoomable, zoom, type ZoomContent } from "../src/cards/zoom/zoom.svelte";
import { settings } from "../src/lib/settings.svelte";
import { loadLanguage } from "../src/lib/i18n.svelte";

const jumper = { name: "Jumper", type: "minion", text: "Ongoing: come back.", power: 2, printedPower: 2 };

function said(container: Element): string {
    return (container.textContent ?? "").replace(/\s+/g, " ").trim();
}

beforeEach(() => {
    settings.change({ lang: "en" });
});

describe("a card", () => {
    it("says its name, its power, its type and its ability", () => {
        const { container } = render(Card, { ...jumper, size: "l" });
        expect(said(container)).toContain("Power 2");
        expect(said(container)).toContain("Jumper");
        expect(said(container)).toContain("Minion");
        expect(said(container)).toContain("Ongoing: come back.");
    });

    it("shows no ability when it is small", () => {
        const { container } = render(Card, { ...jumper, size: "s" });
        expect(said(container)).not.toContain("come back");
    });

    it("says in words that its power has changed", () => {
        const more = render(Card, { ...jumper, power: 5 });
        expect(said(more.container)).toContain("more than the printed 2");
        expect(more.container.querySelector(".raised")).not.toBeNull();
        const less = render(Card, { ...jumper, power: 1 });
        expect(said(less.container)).toContain("less than the printed 2");
    });

    it("shows nothing but its back when it lies face down", () => {
        const { container } = render(Card, { ...jumper, faceDown: true });
        expect(said(container)).toBe("");
        expect(container.innerHTML).not.toContain("jump");
    });

    it("tells kinds of actions apart", () => {
        const text = "Play on a base. Ongoing: wait.";
        expect(said(render(Card, { name: "Stasis Field", type: "action", text }).container)).toContain(
            "Action on a base",
        );
        const plain = render(Card, { name: "Wormhole", type: "action", text: "Shuffle." }).container;
        expect(plain.querySelector(".attached")).toBeNull();
        expect(
            render(Card, { name: "Time Box", type: "titan" }).container.querySelector(".titan"),
        ).not.toBeNull();
        const madness = render(Card, { name: "Madness", type: "action" }).container;
        expect(madness.querySelector(".madness")).not.toBeNull();
    });

    it("speaks French", async () => {
        await loadLanguage("fr");
        settings.change({ lang: "fr" });
        const { container } = render(Card, { ...jumper, size: "m" });
        expect(said(container)).toContain("Créature");
        expect(said(container)).toContain("Force");
    });
});

describe("a card in play", () => {
    it("says what lies on it", () => {
        const { container } = render(CardChip, { ...jumper, owner: 1, counters: 3, attached: 2 });
        expect(said(container)).toContain("3 counters");
        expect(said(container)).toContain("2 cards attached");
    });

    it("hides what is buried", () => {
        const { container } = render(CardChip, { ...jumper, owner: 1, faceDown: true });
        expect(said(container)).toBe("");
        expect(container.innerHTML).not.toContain("jump");
    });
});

describe("a base", () => {
    it("says its breakpoint and what the places are worth", () => {
        const { container } = render(BaseFace, {
            name: "Tokyo",
            text: "Nothing.",
            breakpoint: 21,
            printedBreakpoint: 25,
            vp: [5, 3, 2],
        });
        expect(said(container)).toContain("Breakpoint 21");
        expect(said(container)).toContain("less than the printed 25");
        expect(said(container)).toContain("Victory points: 5, 3, 2");
    });
});

describe("signs", () => {
    it("are read out only with a label", () => {
        render(Icon, { name: "close", label: "Close" });
        expect(screen.getByRole("img", { name: "Close" })).toBeTruthy();
        expect(
            render(Icon, { name: "close" }).container.querySelector("svg")?.getAttribute("aria-hidden"),
        ).toBe("true");
        render(Emblem, { faction: "Kaiju", label: "Kaiju" });
        expect(screen.getByRole("img", { name: "Kaiju" })).toBeTruthy();
    });

    it("give every seat another shape", () => {
        const shapes = [0, 1, 2, 3].map((seat) =>
            render(SeatMark, { seat }).container.querySelector("path")?.getAttribute("d"),
        );
        expect(new Set(shapes).size).toBe(4);
    });
});

describe("a closer look", () => {
    const shown: ZoomContent = { ...jumper, parts: [] };
    let node: HTMLElement;
    let done: () => void;

    beforeEach(() => {
        vi.useFakeTimers();
        node = document.createElement("button");
        document.body.append(node);
        const action = zoomable(node, shown) as { destroy: () => void };
        done = action.destroy;
    });

    afterEach(() => {
        done();
        node.remove();
        zoom.hide();
        vi.useRealTimers();
    });

    function pointer(type: string, pointerType: string, x = 0): void {
        const event = new Event(type, { bubbles: true });
        Object.assign(event, { pointerType, buttons: 0, screenX: x, screenY: 0 });
        node.dispatchEvent(event);
    }

    it("comes after a moment of hovering and says what it describes", async () => {
        render(ZoomLayer);
        pointer("pointermove", "mouse", 1);
        expect(zoom.shown).toBeNull();
        vi.advanceTimersByTime(HOVER_MS + 1);
        await tick();
        expect(screen.getByRole("tooltip", { hidden: true }).textContent).toContain("Jumper");
        expect(node.getAttribute("aria-describedby")).toBe(screen.getByRole("tooltip", { hidden: true }).id);
        await fireEvent.keyDown(window, { key: "Escape" });
        expect(zoom.shown).toBeNull();
        expect(node.hasAttribute("aria-describedby")).toBe(false);
    });

    it("stays away from a pointer that rests while the page changes below it", () => {
        render(ZoomLayer);
        pointer("pointermove", "mouse", 2);
        pointer("pointerleave", "mouse", 2);
        pointer("pointerenter", "mouse", 2);
        pointer("pointermove", "mouse", 2);
        vi.advanceTimersByTime(1000);
        expect(zoom.shown).toBeNull();
        pointer("pointermove", "mouse", 3);
        vi.advanceTimersByTime(1000);
        expect(zoom.shown?.anchor).toBe(node);
    });

    it("goes with the pointer, and does not come for one that passes by", () => {
        render(ZoomLayer);
        pointer("pointermove", "mouse", 4);
        pointer("pointerleave", "mouse");
        vi.advanceTimersByTime(1000);
        expect(zoom.shown).toBeNull();
    });

    it("comes on a long press, which is no click", () => {
        const clicked = vi.fn();
        node.addEventListener("click", clicked);
        pointer("pointerdown", "touch");
        vi.advanceTimersByTime(LONG_PRESS_MS + 1);
        expect(zoom.shown?.anchor).toBe(node);
        pointer("pointerup", "touch");
        expect(zoom.shown).not.toBeNull();
        node.click();
        expect(clicked).not.toHaveBeenCalled();
        node.click();
        expect(clicked).toHaveBeenCalledOnce();
    });

    it("leaves a short press alone", () => {
        const clicked = vi.fn();
        node.addEventListener("click", clicked);
        pointer("pointerdown", "touch");
        vi.advanceTimersByTime(100);
        pointer("pointerup", "touch");
        node.click();
        vi.advanceTimersByTime(1000);
        expect(clicked).toHaveBeenCalledOnce();
        expect(zoom.shown).toBeNull();
    });

    it("adds up where a power comes from", () => {
        const { container } = render(CardZoom, {
            ...jumper,
            power: 4,
            parts: [
                { label: "Printed", amount: 2 },
                { label: "Counters", amount: 3 },
                { label: "Rain", amount: -1 },
            ],
            counters: 3,
            attached: ["Laser Sword"],
            notes: ["It cannot be moved."],
        });
        expect(said(container)).toContain("Printed 2");
        expect(said(container)).toContain("+3");
        expect(said(container)).toContain("−1");
        expect(said(container)).toContain("Power now 4");
        expect(said(container)).toContain("Attached: Laser Sword");
        expect(said(container)).toContain("It cannot be moved.");
    });
});
