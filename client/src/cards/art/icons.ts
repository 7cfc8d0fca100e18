/** The signs for buttons and labels: those drawn here, and some of the collection under the name of what they stand for. */

import common from "../../../art/common.json";
import glyphs from "../../../art/glyphs.json";
import { symbolUrl } from "./art-index";

export type IconName = keyof typeof common.icons | keyof typeof glyphs;

export const iconNames = [...Object.keys(glyphs), ...Object.keys(common.icons)] as IconName[];

/** Where a sign lies. */
export function iconUrl(name: IconName): string {
    if (name in glyphs) return symbolUrl("common", `ui-${name}`);
    return symbolUrl("common", (common.icons as Record<string, string>)[name] ?? "help");
}
