/** The event of a log line. The ids are those of `smashup/engine/events/log_text.py`. */

import type { LogLineView } from "../../protocol";

/** The id of a line's event without its variant: `card_played` for `card_played.at_base`. */
export function eventId(line: LogLineView): string {
    return line.event.split(".", 1)[0] ?? "";
}
