/** Cards on their way: copies over the page that go from where a card was to where it is. */

import type { EventView, Place } from "../../protocol";

/** Where the cards were before the page changed. */
export type CardPositions = Map<string, { rect: DOMRect; node: HTMLElement }>;

export function recordPositions(root: ParentNode): CardPositions {
    const seen: CardPositions = new Map();
    for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
        const rect = node.getBoundingClientRect();
        const id = node.dataset.card;
        if (id !== undefined && rect.width > 0) seen.set(id, { rect, node });
    }
    return seen;
}

/** Where a place of the game is on the page, for cards that are not shown there themselves. */
export function findAnchor(place: Place | undefined, seen: CardPositions): DOMRect | null {
    if (!place) return null;
    const find = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? null;
    if (place.host !== undefined) return seen.get(String(place.host))?.rect ?? null;
    if (place.base !== undefined) return find(`[data-base="${String(place.base)}"] [data-card]`);
    const { zone, player } = place;
    if (player === undefined) return zone.startsWith("base") ? find(`[data-anchor="bases"]`) : null;
    if (zone === "hand") return middleOfHand(player) ?? find(handCountOf(player));
    if (zone === "deck" || zone === "discard") return find(`[data-anchor="${zone}:${String(player)}"]`);
    // A card that is being played is shown in the spotlight.
    return zone === "limbo" ? null : find(handCountOf(player));
}

/** The middle of a hand that is shown, as large as a card: the hand itself is as wide as the table. */
function middleOfHand(player: number): DOMRect | null {
    const cards = document.querySelector(`section[data-anchor="hand:${String(player)}"] .cards`);
    if (cards === null) return null;
    const { x, y, width, height } = cards.getBoundingClientRect();
    const card =
        cards.querySelector("li")?.getBoundingClientRect().width ?? Math.min(width, EMPTY_HAND_CARD_WIDTH);
    return new DOMRect(x + (width - card) / 2, y, card, height);
}

/** How wide a card is on its way to or from an empty hand. */
const EMPTY_HAND_CARD_WIDTH = 130;

/** The count of cards in a hand, beside the player's name. */
const handCountOf = (player: number) => `aside [data-anchor="hand:${String(player)}"]`;

export interface CardFlight {
    node: HTMLElement;
    from: DOMRect;
    to: DOMRect;
    /** Whether the card is gone at the end of its way. */
    leaves: boolean;
    destroyed: boolean;
}

/** What has to travel: what moved, what came from somewhere, what went somewhere. */
export function listFlights(before: CardPositions, after: CardPositions, changes: EventView[]): CardFlight[] {
    const trips: CardFlight[] = [];
    for (const [id, { rect, node }] of after) {
        const from = before.get(id)?.rect ?? findAnchor(changeOf(id, changes)?.origin, before);
        if (from && isFarApart(from, rect))
            trips.push({ node, from, to: rect, leaves: false, destroyed: false });
    }
    for (const [id, { rect, node }] of before) {
        if (after.has(id)) continue;
        const change = changeOf(id, changes);
        const to = findAnchor(change?.to, after);
        if (to) trips.push({ node, from: rect, to, leaves: true, destroyed: change?.kind === "destroyed" });
    }
    return trips;
}

/** The last thing that happened to a card. */
function changeOf(id: string, changes: EventView[]): EventView | undefined {
    return changes.findLast((change) => change.cards?.some((card) => String(card.id) === id));
}

function isFarApart(a: DOMRect, b: DOMRect): boolean {
    return Math.hypot(a.x - b.x, a.y - b.y) > 6 || Math.abs(a.width - b.width) > 6;
}

/** Let a copy of a card travel; the card itself is not seen until it has arrived. */
export function animateFlight(
    { node, from, to, leaves, destroyed }: CardFlight,
    duration: number,
    delay: number,
): void {
    const box = leaves ? from : to;
    const copy = cloneForAnimation(node, box.width);
    const at = (rect: DOMRect, lift: number, turn: number) => {
        const scale = (Math.max(16, rect.width) / box.width) * lift;
        const x = rect.x + rect.width / 2 - (box.width * scale) / 2;
        const y = rect.y + rect.height / 2 - (box.height * scale) / 2;
        return `translate(${String(x)}px, ${String(y)}px) scale(${String(scale)}) rotate(${String(turn)}deg)`;
    };
    const middle = new DOMRect(
        (from.x + to.x) / 2,
        (from.y + to.y) / 2 - 24,
        (from.width + to.width) / 2,
        (from.height + to.height) / 2,
    );
    const timing = { duration, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "both" } as const;
    if (!leaves) node.animate([{ opacity: 0 }, { opacity: 0 }], { duration: duration + delay });
    const frames = destroyed
        ? [
              { transform: at(from, 1, 0), filter: "none", opacity: 1 },
              { transform: at(from, 1.15, 7), filter: "brightness(2) saturate(0)", opacity: 1, offset: 0.3 },
              { transform: at(to, 0.4, 40), filter: "grayscale(1)", opacity: 0 },
          ]
        : [
              { transform: at(from, 1, 0), opacity: 1 },
              { transform: at(middle, 1.12, 3), opacity: 1 },
              { transform: at(to, 1, 0), opacity: leaves ? 0.2 : 1 },
          ];
    void copy.animate(frames, timing).finished.finally(() => {
        copy.remove();
    });
}

/** A copy over the page, out of reach of the pointer and of screen readers. */
export function cloneForAnimation(node: HTMLElement, width: number): HTMLElement {
    const copy = node.cloneNode(true) as HTMLElement;
    copy.classList.add("table-flight");
    copy.classList.remove("glows", "target", "picked");
    for (const name of ["data-card", "data-spot", "data-choice", "id", "aria-describedby"])
        copy.removeAttribute(name);
    copy.setAttribute("aria-hidden", "true");
    copy.inert = true;
    copy.style.width = `${String(width)}px`;
    document.body.append(copy);
    return copy;
}
