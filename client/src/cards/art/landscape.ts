/** How a landscape is put together on a field of 320 by 224: colors, light, and where things stand. */

import type { LandscapeArt } from "./art-index";
import { contrastRatio, luminance, mixColors } from "./color";
import { seededRandom } from "./seeded-random";

export const WIDTH = 320;
export const HEIGHT = 224;
export const HORIZON = 138;

/** Heavenly bodies need no second one beside them. */
const SKY_ICONS = ["moon", "ringed-planet", "jupiter", "planet-core", "earth-asia-oceania", "solar-system"];

export interface LandscapeLayout {
    /** Colors of what stands far away, of what stands near, of the ground, and of the hills between. */
    far: string;
    near: string;
    ground: string;
    hills: string;
    /** The edge of light on what stands near. */
    rim: string;
    farAt: { x: number; y: number; size: number };
    nearAt: { x: number; y: number; size: number };
    /** Sun or moon; none where the far thing is one itself. */
    light: { x: number; y: number; radius: number; color: string; moon: boolean } | null;
    hillsPath: string;
    groundPath: string;
    clouds: string;
    cloudColor: string;
}

/** A silhouette's color: of the ground, in the haze of the horizon, but never lost in the sky behind it. */
function silhouetteColor(ground: string, [top, horizon]: [string, string]): string {
    const behind = [horizon, mixColors(top, horizon, 0.45), mixColors(top, horizon, 0.2)];
    const seen = (color: string) => Math.min(...behind.map((sky) => contrastRatio(color, sky)));
    const candidates = [
        ...[0.6, 0.7, 0.8, 0.9, 1].map((share) => mixColors(ground, horizon, share)),
        ...[0.8, 0.6, 0.4, 0.2].map((share) => mixColors(ground, "#000000", share)),
        ...[0.7, 0.5, 0.35].map((share) => mixColors(horizon, "#ffffff", share)),
    ];
    const clear = candidates.find((color) => seen(color) >= 1.75);
    return clear ?? candidates.reduce((best, color) => (seen(color) > seen(best) ? color : best));
}

function foregroundColor(ground: string): string {
    const dark = mixColors(ground, "#000000", 0.55);
    return contrastRatio(dark, ground) >= 1.3 ? dark : mixColors(ground, "#000000", 0.3);
}

function hillPath(roll: () => number, height: number, rise: number): string {
    const at = (share: number) => (height + (share - 0.5) * rise).toFixed(1);
    return (
        `M0 ${at(roll())}C60 ${at(roll() - 0.6)} 90 ${at(roll() + 0.3)} 160 ${at(roll())}` +
        `S270 ${at(roll() - 0.6)} 320 ${at(roll())}V224H0z`
    );
}

/** Flat clouds as one path: a few lumps on a line. */
function cloudPath(roll: () => number): string {
    let path = "";
    for (let index = 0; index < 4; index++) {
        const x = 10 + index * 82 + roll() * 40;
        const y = 44 + roll() * 46;
        const s = 0.7 + roll() * 0.7;
        const to = (value: number) => (value * s).toFixed(1);
        path +=
            `M${x.toFixed(1)} ${y.toFixed(1)}h${to(50)}a${to(8)} ${to(8)} 0 00${to(-3)} ${to(-15)}` +
            `a${to(13)} ${to(13)} 0 00${to(-24)} ${to(-5)}a${to(10)} ${to(10)} 0 00${to(-18)} ${to(7)}a${to(7)} ${to(7)} 0 00${to(-5)} ${to(13)}z`;
    }
    return path;
}

export function layOutLandscape(name: string, scene: LandscapeArt): LandscapeLayout {
    const roll = seededRandom(name);
    const [top, horizon] = scene.sky;
    const leftward = roll() < 0.5;
    const dim = luminance(scene.ground) < 0.02;
    const ground = dim ? mixColors(scene.ground, horizon, 0.82) : scene.ground;
    const farX = leftward ? 168 + roll() * 18 : 34 + roll() * 18;
    const nearX = leftward ? 40 + roll() * 22 : 196 + roll() * 22;
    const night = scene.time === "night";
    const dusk = scene.time === "dusk";
    return {
        far: silhouetteColor(scene.ground, scene.sky),
        near: foregroundColor(ground),
        ground,
        hills: mixColors(scene.ground, horizon, 0.34),
        rim: mixColors(horizon, "#ffffff", 0.65),
        farAt: { x: farX, y: HORIZON - 106, size: 118 },
        nearAt: { x: nearX, y: 86, size: 82 },
        light: SKY_ICONS.includes(scene.far)
            ? null
            : {
                  x: leftward ? 78 : 242,
                  y: dusk ? 112 : night ? 58 : 56,
                  radius: dusk ? 34 : night ? 15 : 19,
                  color: night
                      ? mixColors("#ffffff", horizon, 0.78)
                      : dusk
                        ? mixColors("#fff1c9", horizon, 0.6)
                        : "#fffbe4",
                  moon: night,
              },
        hillsPath: hillPath(roll, HORIZON - 8, 26),
        groundPath: hillPath(roll, HORIZON + 12, 18),
        clouds: cloudPath(roll),
        cloudColor: mixColors("#ffffff", luminance(top) < 0.12 ? top : horizon, dusk || night ? 0.42 : 0.85),
    };
}
