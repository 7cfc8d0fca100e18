declare module "virtual:messages/*" {
    const words: Record<string, string>;
    export default words;
}

declare module "virtual:factions" {
    import type { FactionArt } from "../cards/art/art-index";
    interface FactionData {
        art: FactionArt;
        texts: Record<string, string>;
    }
    /** Functions that import the data of a faction by language and name; "all" and "bases" are those of all factions. */
    export const factionData: Record<"en" | "fr", Record<string, () => Promise<{ default: FactionData }>>>;
}
