/** What became known at once: a snapshot of everything, or an update with all that it leaves out. */

import type { EventView, Snapshot, Update } from "../protocol";
import { applyPatch, viewChecksum } from "./patch";

/** An update, completed: everything as it is now, and what has happened. */
export interface Step extends Omit<Snapshot, "type" | "stream" | "seat"> {
    type: "update";
    changes: EventView[];
}

export type Frame = Snapshot | Step;

/** Complete an update with what the frame before it says; null if it does not fit to that. */
export function completeUpdate(last: Frame, update: Update): Step | null {
    const { patch, checksum, view, ...news } = update;
    try {
        const complete = {
            table: last.table,
            view: view === undefined ? last.view : view,
            number: last.number,
            wishes: last.wishes,
            clock: last.clock,
            undo: last.undo,
            can_undo: last.can_undo,
            hints: last.hints,
            chances: last.chances,
            ...news,
        };
        if (patch !== undefined) {
            if (last.view === null) return null;
            complete.view = applyPatch(last.view, patch);
        }
        const fits =
            checksum === undefined || complete.view === null || viewChecksum(complete.view) === checksum;
        return fits ? complete : null;
    } catch {
        return null; // the patch is about cards that the last view does not have
    }
}
