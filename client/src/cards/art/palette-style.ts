/** The colors of a faction as values that the styles of the components use. */

import { paletteOf, styleOf, type Palette } from "./art-index";
import { patternImage, patternSpan } from "./patterns";

/** For a `style` attribute: `--f-ground`, `--f-paper`, `--f-ink`, `--f-accent`, and the pattern in two colors. */
export function factionStyle(faction: string | null): string {
    const style = styleOf(faction);
    return paletteStyle(style.palette, style.pattern);
}

export function paletteStyle({ ground, paper, ink, accent }: Palette, pattern: string): string {
    return [
        `--f-ground:${ground}`,
        `--f-paper:${paper}`,
        `--f-ink:${ink}`,
        `--f-accent:${accent}`,
        `--f-pattern:${patternImage(pattern, ground)}`,
        `--f-pattern-light:${patternImage(pattern, accent)}`,
        `--f-span:${patternSpan(pattern)}`,
    ].join(";");
}

/** Only the colors, for small things without a pattern. */
export function factionColors(faction: string | null): string {
    const { ground, paper, ink, accent } = paletteOf(faction);
    return `--f-ground:${ground};--f-paper:${paper};--f-ink:${ink};--f-accent:${accent}`;
}
