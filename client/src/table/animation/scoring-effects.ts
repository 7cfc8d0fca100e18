/** A base that breaks: a burst, its pieces fly apart, and the victory points go to whom they belong. */

import type { Standing } from "../../protocol";
import { cloneForAnimation } from "./card-flights";

/** Cuts a base into pieces around a point a little off its middle, in per cent. */
const RIM = [
    [0, 0], [30, 0], [62, 0], [100, 0], [100, 38], [100, 72], [100, 100], [66, 100], [34, 100], [0, 100], [0, 66], [0, 30],
] as const; // prettier-ignore
const HEART = [47, 54] as const;

export function shatterBase(node: HTMLElement, rect: DOMRect, second: number): void {
    RIM.forEach((corner, index) => {
        const next = RIM[(index + 1) % RIM.length] ?? corner;
        const piece = cloneForAnimation(node, rect.width);
        const points = [HEART, corner, next].map(([x, y]) => `${String(x)}% ${String(y)}%`).join(",");
        piece.style.clipPath = `polygon(${points})`;
        const dx = ((corner[0] + next[0]) / 2 - HEART[0]) * 3.4;
        const dy = ((corner[1] + next[1]) / 2 - HEART[1]) * 2.6;
        const start = `translate(${String(rect.x)}px, ${String(rect.y)}px)`;
        const end = `translate(${String(rect.x + dx)}px, ${String(rect.y + dy + 120)}px) rotate(${String(dx / 3)}deg)`;
        const frames = [
            { transform: start, opacity: 1 },
            { transform: end, opacity: 0 },
        ];
        remove(
            piece,
            piece.animate(frames, {
                duration: second * 0.9,
                easing: "cubic-bezier(.2,.6,.5,1)",
                fill: "both",
            }),
        );
    });
    burst(rect, second);
}

/** A comic burst behind the pieces. */
function burst(rect: DOMRect, second: number): void {
    const star = layer("table-burst");
    const size = rect.width * 1.5;
    Object.assign(star.style, {
        left: `${String(rect.x + rect.width / 2 - size / 2)}px`,
        top: `${String(rect.y + rect.height / 2 - size / 2)}px`,
        width: `${String(size)}px`,
        height: `${String(size)}px`,
    });
    const frames = [
        { transform: "scale(.2) rotate(-20deg)", opacity: 1 },
        { transform: "scale(1) rotate(6deg)", opacity: 1, offset: 0.4 },
        { transform: "scale(1.15) rotate(10deg)", opacity: 0 },
    ];
    remove(star, star.animate(frames, { duration: second * 0.9, fill: "both" }));
}

/** A base that is about to score trembles. */
export function shakeBase(node: HTMLElement, second: number): void {
    const at = (x: number, turn: number) => ({
        transform: `translateX(${String(x)}px) rotate(${String(turn)}deg)`,
    });
    node.animate([at(0, 0), at(-6, -1.5), at(7, 1.5), at(-6, -1), at(5, 1), at(0, 0)], {
        duration: second * 0.6,
        iterations: 2,
    });
}

/** Victory points fly from a base to the players. */
export function flyPoints(places: Standing[], from: DOMRect, second: number): void {
    places.forEach(({ player, vp }, index) => {
        const to = document.querySelector(`[data-vp="${String(player)}"]`)?.getBoundingClientRect();
        if (!to || vp === 0) return;
        const coin = layer("table-coin");
        coin.textContent = `+${String(vp)}`;
        coin.style.setProperty("--seat", `var(--seat-${String(player)})`);
        const at = (x: number, y: number, scale: number) =>
            `translate(${String(x)}px, ${String(y)}px) translate(-50%, -50%) scale(${String(scale)})`;
        const x = from.x + from.width * (0.3 + 0.2 * index);
        const y = from.y + from.height / 2;
        const frames = [
            { transform: at(x, y, 0.2), opacity: 0 },
            { transform: at(x, y - 30, 1.5), opacity: 1, offset: 0.3 },
            { transform: at(x, y - 30, 1.3), opacity: 1, offset: 0.5 },
            { transform: at(to.x + to.width / 2, to.y + to.height / 2, 0.8), opacity: 1 },
        ];
        const timing = {
            duration: second * 1.4,
            delay: index * second * 0.12,
            easing: "ease-in-out",
            fill: "both",
        } as const;
        remove(coin, coin.animate(frames, timing));
    });
}

/** A few words that rise from a card: "+2". */
export function floatText(text: string, rect: DOMRect, second: number, bad: boolean): void {
    const words = layer("table-rise");
    if (bad) words.classList.add("bad");
    words.textContent = text;
    const at = (y: number) =>
        `translate(${String(rect.x + rect.width / 2)}px, ${String(rect.y + y)}px) translate(-50%, -50%)`;
    const frames = [
        { transform: at(rect.height * 0.5), opacity: 0 },
        { transform: at(rect.height * 0.3), opacity: 1, offset: 0.25 },
        { transform: at(-10), opacity: 0 },
    ];
    remove(words, words.animate(frames, { duration: second * 1.1, fill: "both" }));
}

/** Paper of the winner's color from above. */
export function dropConfetti(seats: number[], second: number): void {
    for (let index = 0; index < 70; index += 1) {
        const scrap = layer("table-scrap");
        const seat = seats[index % Math.max(1, seats.length)] ?? 0;
        scrap.style.background = index % 4 === 0 ? "var(--spot-sun)" : `var(--seat-${String(seat)})`;
        scrap.style.left = `${String(Math.random() * 100)}vw`;
        const drift = `${String(Math.random() * 30 - 15)}vw`;
        const frames = [
            { transform: "translate(0, -10vh) rotate(0)" },
            { transform: `translate(${drift}, 110vh) rotate(${String(400 + Math.random() * 900)}deg)` },
        ];
        const timing = {
            duration: second * (2.2 + Math.random() * 2),
            delay: Math.random() * second,
            fill: "both",
        } as const;
        remove(scrap, scrap.animate(frames, timing));
    }
}

function layer(name: string): HTMLElement {
    const element = document.createElement("div");
    element.className = name;
    element.setAttribute("aria-hidden", "true");
    document.body.append(element);
    return element;
}

function remove(element: HTMLElement, animation: Animation): void {
    void animation.finished.finally(() => {
        element.remove();
    });
}
