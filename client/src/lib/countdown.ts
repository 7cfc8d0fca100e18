/** Time that is left, in words: a minute is counted in seconds, a week in days. */

import { plural, t } from "./i18n.svelte";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const two = (count: number): string => String(count).padStart(2, "0");

/** Seconds as they stand on a clock: "0:42", "12:05", "5 h 20 min", "2 d 5 h". */
export function formatClock(seconds: number): string {
    const left = Math.max(0, Math.ceil(seconds));
    const days = Math.floor(left / DAY);
    const hours = Math.floor((left % DAY) / HOUR);
    const minutes = Math.floor((left % HOUR) / MINUTE);
    if (days > 0) return t("{days} d {hours} h", { days, hours });
    if (hours > 0) return t("{hours} h {minutes} min", { hours, minutes });
    return `${String(minutes)}:${two(left % MINUTE)}`;
}

/** The same for ears. */
export function describeTime(seconds: number): string {
    const left = Math.max(0, Math.ceil(seconds));
    if (left >= 2 * DAY) return t("{count} days", { count: Math.floor(left / DAY) });
    if (left >= 2 * HOUR) return t("{count} hours", { count: Math.floor(left / HOUR) });
    if (left >= 2 * MINUTE) return t("{count} minutes", { count: Math.floor(left / MINUTE) });
    return plural(left, "{count} second", "{count} seconds");
}

/** Time is short when a fifth of it is left. */
export function isRunningOut(left: number, limit: number): boolean {
    return left <= limit / 5;
}

/** How long until the text has changed, in milliseconds, and a moment more; days need no ticking. */
export function nextTick(left: number): number {
    return left > HOUR ? 15_000 : (left % 1 || 1) * 1000 + 20;
}

/** The limits that a turn can have, in words. */
export function limitLabel(seconds: number): string {
    switch (seconds) {
        case 60:
            return t("1 minute");
        case 120:
            return t("2 minutes");
        case 300:
            return t("5 minutes");
        case 900:
            return t("15 minutes");
        case 86_400:
            return t("1 day");
        case 259_200:
            return t("3 days");
        case 604_800:
            return t("1 week");
        default:
            return t("No limit");
    }
}
