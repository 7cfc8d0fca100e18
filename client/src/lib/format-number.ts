/** Numbers as text. */

/** A change with its sign: +2, −1. */
export function formatSigned(amount: number): string {
    return amount < 0 ? `−${String(-amount)}` : `+${String(amount)}`;
}
