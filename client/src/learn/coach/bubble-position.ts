/** Where the coach's bubble goes: near what it is about, over as little as possible that matters. */

export interface Box {
    left: number;
    top: number;
    width: number;
    height: number;
}

export interface Size {
    width: number;
    height: number;
}

/** Something that is better not covered, and how much so. */
export interface Obstacle {
    box: Box;
    weight: number;
}

const EDGE = 8;
const GRID_STEPS = 20;

export function positionBubble(
    size: Size,
    window: Size,
    target: Box | null,
    obstacles: Obstacle[],
): { left: number; top: number } {
    let best = { left: EDGE, top: EDGE };
    let least = Infinity;
    for (const left of places(window.width - size.width)) {
        for (const top of places(window.height - size.height)) {
            const box = { left, top, ...size };
            const covered = obstacles.reduce(
                (sum, { box: other, weight }) => sum + weight * share(box, other),
                0,
            );
            const hides = target === null ? 0 : 50 * share(box, target);
            const cost = covered + hides + 0.5 * relativeDistance(box, target, window);
            if (cost < least) [best, least] = [{ left, top }, cost];
        }
    }
    return best;
}

function places(length: number): number[] {
    const room = Math.max(0, length - 2 * EDGE);
    return Array.from({ length: GRID_STEPS + 1 }, (_, step) => Math.round(EDGE + (room * step) / GRID_STEPS));
}

/** How much of the smaller of two boxes lies in the other. */
function share(one: Box, two: Box): number {
    const wide = Math.min(one.left + one.width, two.left + two.width) - Math.max(one.left, two.left);
    const high = Math.min(one.top + one.height, two.top + two.height) - Math.max(one.top, two.top);
    const least = Math.min(one.width * one.height, two.width * two.height);
    return wide > 0 && high > 0 && least > 0 ? (wide * high) / least : 0;
}

/** How far it is from the target, as a part of the window; from its middle without one. */
function relativeDistance(box: Box, target: Box | null, window: Size): number {
    const goal = target ?? { left: 0, top: 0, ...window };
    const across = box.left + box.width / 2 - (goal.left + goal.width / 2);
    const down = box.top + box.height / 2 - (goal.top + goal.height / 2);
    return Math.hypot(across / window.width, down / window.height);
}

const OBSTACLE_WEIGHTS: [selector: string, weight: number][] = [
    ["[data-prompt]", 4],
    [".hand li", 1.5],
    [".column .face, .column .tray", 2],
    [".column .gauge", 1.5],
    [".track", 1],
    [".side .players", 0.6],
    [".log", 0.3],
];

/** What is on the table now that should stay in sight. */
export function findObstacles(): Obstacle[] {
    return OBSTACLE_WEIGHTS.flatMap(([selector, weight]) =>
        [...document.querySelectorAll(selector)].map((found) => ({
            box: found.getBoundingClientRect(),
            weight,
        })),
    );
}
