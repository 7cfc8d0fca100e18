/** The notes of a rule about editions: those that say the same are one. */

export interface EditionNoteText {
    keys: string[];
    text: string;
}

/** All notes, or only that of one edition. */
export function mergeNotes(editions: Record<string, string>, only: string | null): EditionNoteText[] {
    const found: EditionNoteText[] = [];
    for (const [key, text] of Object.entries(editions)) {
        if (only !== null && key !== only) continue;
        const same = found.find((note) => note.text === text);
        if (same) same.keys.push(key);
        else found.push({ keys: [key], text });
    }
    return found;
}
