declare module "virtual:messages/*" {
    const words: Record<string, string>;
    export default words;
}

declare module "virtual:factions" {
    import type { FactionArt } from "../cards/art/art-index";
    /** Functions that import the data of a faction by its name, or of all factions as "all". */
    export const art: Record<string, () => Promise<{ default: FactionArt }>>;
    export const texts: Record<string, Record<string, () => Promise<{ default: Record<string, string> }>>>;
}
