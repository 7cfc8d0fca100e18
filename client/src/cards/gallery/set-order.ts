/** The order in which sets are listed: as they were published, and sets of faction files last. */

const SET_ORDER = [
    "Core Set",
    "Awesome Level 9000",
    "The Obligatory Cthulhu Set",
    "Science Fiction Double Feature",
    "Cease and Desist",
    "Big in Japan",
    "International Incident",
    "Culture Shock",
];

/** The sets of some factions, each once. */
export function listSets(factions: readonly { set_name: string }[]): string[] {
    const rank = (set: string): number => {
        const at = SET_ORDER.indexOf(set);
        return at < 0 ? SET_ORDER.length : at;
    };
    const sets = [...new Set(factions.map(({ set_name }) => set_name))];
    return sets.toSorted((one, other) => rank(one) - rank(other));
}
