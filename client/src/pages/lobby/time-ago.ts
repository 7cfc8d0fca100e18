/** How long ago something was, in the words of the language. */

import { settings } from "../../lib/settings.svelte";
import { t } from "../../lib/i18n.svelte";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From seconds since 1970, as the server has them. */
export function timeAgo(seconds: number, now = Date.now() / 1000): string {
    const words = new Intl.RelativeTimeFormat(settings.lang, { numeric: "auto" });
    const ago = Math.max(0, now - seconds);
    if (ago < MINUTE) return t("just now");
    if (ago < HOUR) return words.format(-Math.floor(ago / MINUTE), "minute");
    if (ago < DAY) return words.format(-Math.floor(ago / HOUR), "hour");
    return words.format(-Math.floor(ago / DAY), "day");
}
