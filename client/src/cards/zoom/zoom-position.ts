/** Where a tip goes: beside its card if there is room, else over or under it, and always within the window. */

interface Box {
    left: number;
    top: number;
    width: number;
    height: number;
}

interface Size {
    width: number;
    height: number;
}

const GAP = 12;
const EDGE = 8;

function clamp(at: number, length: number, room: number): number {
    return Math.max(EDGE, Math.min(at, room - length - EDGE));
}

/** The upper left corner for something of this size, beside this box, in a window of this size. */
export function positionZoom(box: Box, size: Size, room: Size): { left: number; top: number } {
    const right = box.left + box.width + GAP;
    const left = box.left - GAP - size.width;
    const middle = clamp(box.top + box.height / 2 - size.height / 2, size.height, room.height);
    if (right + size.width + EDGE <= room.width) return { left: right, top: middle };
    if (left >= EDGE) return { left, top: middle };

    const centre = clamp(box.left + box.width / 2 - size.width / 2, size.width, room.width);
    const above = box.top - GAP - size.height;
    if (above >= EDGE) return { left: centre, top: above };
    return { left: centre, top: clamp(box.top + box.height + GAP, size.height, room.height) };
}
