/** Draw the pictures into public/art where they are not up to date. The answer names their version. */
export function draw(): string;

/** The name of a faction's files. */
export function sheetName(faction: string): string;
