/** Makes the cards at the bases as large as there is room for. */

const SIZES = [1, 0.92, 0.84, 0.76, 0.68, 0.6];

/** The largest size at which the field needs no scrolling; the smallest if there is none. */
export function fit(board: HTMLElement, field: HTMLElement): void {
    for (const size of SIZES) {
        field.style.setProperty("--fit", String(size));
        if (board.scrollHeight <= board.clientHeight + 1) return;
    }
}
