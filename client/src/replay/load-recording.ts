/** A recording and who played, from the server. */

import { factionsOf, loadFactionData } from "../cards/art/faction-data.svelte";
import { api } from "../lib/api";
import { mySeats } from "../lib/seats";
import type { SeatInfo, TableInfo } from "../protocol";
import { Recording, SPECTATOR } from "./format";

export interface LoadedRecording {
    recording: Recording;
    table: TableInfo;
}

/** Names are asked for apart: they belong to people and are not in a recording. It is shown without them as well. */
export async function loadRecording(id: string): Promise<LoadedRecording> {
    const secret = mySeats(id)[0]?.secret ?? null;
    const askedTable = api.table(id).catch(() => null);
    const recording = new Recording(await api.replay(id, secret));
    const { players } = recording.view(recording.last, SPECTATOR);
    await loadFactionData(factionsOf(players)).catch(() => undefined);
    return { recording, table: tableAsPlayed(id, recording, await askedTable) };
}

/** Shows players who were away or had left at the end as they played. */
function tableAsPlayed(id: string, recording: Recording, table: TableInfo | null): TableInfo {
    const view = recording.view(0, -1);
    const seats = recording.seats.map((seat, number): SeatInfo => {
        const now = table?.seats[number];
        return {
            number,
            kind: seat.kind === "bot" ? "bot" : "person",
            level: seat.level,
            name: now?.name ?? "",
            factions: now?.factions ?? [],
            ready: true,
            here: true,
            left: false,
            resigned: now?.resigned ?? false,
            votes: [],
        };
    });
    const unknown: TableInfo = {
        id,
        state: "over",
        listed: false,
        spectators: true,
        players: recording.players,
        mode: "random",
        edition: view.edition,
        printing: view.printing,
        optional_titans: false,
        madness: false,
        clock: 0,
        undo: false,
        chat: false,
        created: 0,
        seats,
        winners: recording.winners,
        rematch: "",
        replay: true,
        notice: null,
    };
    return { ...unknown, ...table, seats };
}
