/** How the figure of a portrait stands: the same for a name each time, and different among the cards of a faction. */

import type { CardPicture } from "./art-index";
import { seededRandom } from "./seeded-random";

/** The printed power from which a minion has a portrait. */
const MIN_PORTRAIT_POWER = 4;

/** Whether a card has a portrait in place of a plain picture. */
export function hasPortrait(type: string, printedPower: number | undefined): boolean {
    return type === "titan" || (type === "minion" && (printedPower ?? 0) >= MIN_PORTRAIT_POWER);
}

export interface Pose {
    /** Of the figure, which is drawn around the origin in a field of 512 by 512. */
    transform: string;
    shadow: { y: number; width: number };
    /** Where the landmark of the landscape stands. */
    farX: number;
    /** How far the rays are turned. */
    rays: number;
}

interface Stance {
    lean: number;
    rise: number;
    scale: number;
}

/** Upright, striding, leaping, looming. */
const STANCES: Stance[] = [
    { lean: 0, rise: 0, scale: 0.86 },
    { lean: -7, rise: 4, scale: 0.86 },
    { lean: 8, rise: -22, scale: 0.82 },
    { lean: 0, rise: 24, scale: 1 },
];
const UPRIGHT: Stance = { lean: 0, rise: 0, scale: 0.86 };
const LOOMING: Stance = { lean: 0, rise: 14, scale: 1 };

export function poseOf(name: string, picture: CardPicture): Pose {
    const roll = seededRandom(name);
    const stance = picture.titan ? LOOMING : (STANCES[Math.floor(roll() * STANCES.length)] ?? UPRIGHT);
    const { lean, rise, scale } = stance;
    const mirror = picture.flip ? -scale : scale;
    return {
        transform: `translate(0 ${String(rise)}) rotate(${String(picture.turn + lean)}) scale(${String(mirror)} ${String(scale)})`,
        shadow: { y: 226, width: rise < 0 ? 130 : 180 },
        farX: roll() < 0.5 ? 6 : 184,
        rays: Math.floor(roll() * 30),
    };
}
