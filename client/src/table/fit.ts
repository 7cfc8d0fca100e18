/** Makes the cards at the bases, and the bases, as large as there is room for. */

/** How large the cards and the bases are, the largest first. */
const SIZES = [
    [1, 1],
    [0.92, 0.9],
    [0.84, 0.8],
    [0.78, 0.72],
    [0.7, 0.68],
    [0.62, 0.64],
] as const;

/** The largest size at which the field needs no scrolling; the smallest if there is none. */
export function fit(board: HTMLElement, field: HTMLElement): void {
    for (const [cards, bases] of SIZES) {
        field.style.setProperty("--fit", String(cards));
        field.style.setProperty("--fit-base", String(bases));
        if (board.scrollHeight <= board.clientHeight + 1) return;
    }
}
