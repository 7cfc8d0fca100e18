/** What falls, rises or shines over a landscape: small shapes, the same each time for the same base. */

import { seededRandom } from "./seeded-random";
import { WIDTH } from "./landscape";

export interface Particle {
    x: number;
    y: number;
    size: number;
    seen: number;
}

const COUNTS: Record<string, number> = { stars: 46, snow: 44, rain: 40, embers: 34, bubbles: 22 };

/** Where the specks of a weather are; none for light and clouds. */
export function createParticles(name: string, weather: string): Particle[] {
    const roll = seededRandom(`${name} ${weather}`);
    const low = weather === "stars" ? 118 : 210;
    return Array.from({ length: COUNTS[weather] ?? 0 }, () => {
        const near = roll() ** 2;
        return {
            x: Math.round(roll() * WIDTH),
            y: Math.round(roll() * low),
            size: Math.round((0.6 + near * 1.9) * 10) / 10,
            seen: Math.round((0.4 + roll() * 0.6) * 100) / 100,
        };
    });
}

/** Beams from a light, as one path. */
export function beamPath(x: number, y: number): string {
    let path = "";
    for (let beam = 0; beam < 14; beam++) {
        const [from, to] = [beam, beam + 0.46].map((at) => (at * Math.PI) / 7);
        const point = (at: number) =>
            `${(x + 420 * Math.cos(at)).toFixed(0)} ${(y + 420 * Math.sin(at)).toFixed(0)}`;
        path += `M${String(x)} ${String(y)}L${point(from ?? 0)}L${point(to ?? 0)}z`;
    }
    return path;
}
