/** The log of the game that a table continues: the server's log begins where cards were dealt again. */

import { readStored, writeStored } from "../../lib/storage";
import type { LogLineView } from "../../protocol";

const KEY = "smashup.earlier-log";
/** Only the latest lines are kept, and only for the table that was started last. */
const MAX_LINES = 300;

interface EarlierLog {
    table: string;
    lines: LogLineView[];
}

export function saveEarlierLines(table: string, lines: LogLineView[]): void {
    writeStored(KEY, { table, lines: lines.slice(-MAX_LINES) } satisfies EarlierLog);
}

export function loadEarlierLines(table: string): LogLineView[] {
    const kept = readStored<EarlierLog>(KEY);
    return kept?.table === table ? kept.lines : [];
}
