import { afterEach, describe, expect, it } from "vitest";

import { findAnchor } from "../src/table/animation/card-flights";

function place(element: Element, rect: DOMRect): void {
    element.getBoundingClientRect = () => rect;
}

describe("the way of a card to a hand", () => {
    afterEach(() => {
        document.body.innerHTML = "";
    });

    it("ends in the middle of the hand, as large as the cards there", () => {
        document.body.innerHTML = `<section data-anchor="hand:0"><ul class="cards"><li></li></ul></section>`;
        const cards = document.querySelector(".cards");
        const card = document.querySelector("li");
        if (cards === null || card === null) throw new Error("The hand is missing.");
        place(cards, new DOMRect(10, 600, 1000, 180));
        place(card, new DOMRect(10, 600, 130, 180));
        const anchor = findAnchor({ zone: "hand", player: 0 }, new Map());
        expect(anchor?.width).toBe(130);
        expect(anchor?.x).toBe(10 + (1000 - 130) / 2);
    });

    it("does not lead to the hand from which a card is played", () => {
        document.body.innerHTML = `<section data-anchor="hand:0"><ul class="cards"></ul></section>`;
        expect(findAnchor({ zone: "limbo", player: 0 }, new Map())).toBeNull();
    });

    it("is no wider than a card where the hand is empty", () => {
        document.body.innerHTML = `<section data-anchor="hand:0"><ul class="cards"></ul></section>`;
        const cards = document.querySelector(".cards");
        if (cards === null) throw new Error("The hand is missing.");
        place(cards, new DOMRect(0, 600, 1000, 180));
        expect(findAnchor({ zone: "hand", player: 0 }, new Map())?.width).toBeLessThan(200);
    });
});
