/**
 * Recordings of finished games, as the server keeps them (`smashup/server/replays/recording.py`).
 *
 * A recording is plain data that was written once and never changes, so this reads version 1 for good: its types are
 * written here and not taken from what the server says today.
 */

import type { EventView, LogLineView, Purpose, Sentence, View } from "../protocol";
import { guessEvent, type RecordedLine } from "./legacy-log";

/** The standings after each turn; the first entry is the beginning. */
export interface Turn {
    turn: number;
    player: number | null;
    /** The first step of the turn. */
    step: number;
    vp: number[];
    /** Each seat's chance to win, as a spectator could judge it. */
    chances: number[];
}

/** Who was asked what, and what they chose. */
export interface RecordedChoice {
    player: number;
    /** Missing in recordings of early servers. */
    purpose?: Purpose;
    question: Sentence;
    chosen: Sentence;
}

/** Numbers are places in the pool; lists have one for the spectators, then one for each seat. */
interface WrittenStep {
    answers: number;
    turn: number;
    menu: string;
    views: number[];
    lines: number[];
    changes: number[];
    choices: number;
}

type Written = null | boolean | number | string | number[];

export interface Recorded {
    format: string;
    version: number;
    rules: string;
    players: number;
    seats: { kind: string; level: string }[];
    winners: number[];
    /** Whether it begins at the beginning of the game. */
    whole: boolean;
    turns: Turn[];
    steps: WrittenStep[];
    shapes: string[][];
    pool: Written[];
}

/** A recording of a kind that this client does not know: it was made by a newer server. */
export class UnknownFormat extends Error {}

const FORMAT = "smashup-replay";
const LIST = -1;
/** The place of the spectators among the viewers; seat 0 comes after it. */
export const SPECTATOR = -1;

export class Recording {
    readonly players: number;
    readonly seats: Recorded["seats"];
    readonly winners: number[];
    readonly whole: boolean;
    readonly turns: Turn[];
    readonly #steps: WrittenStep[];
    readonly #shapes: string[][];
    readonly #pool: Written[];
    /** Values that were read before: what stays the same from step to step is the same object. */
    readonly #made: unknown[] = [];

    constructor(recorded: Recorded) {
        if (recorded.format !== FORMAT || recorded.version !== 1) throw new UnknownFormat();
        this.players = recorded.players;
        this.seats = recorded.seats;
        this.winners = recorded.winners;
        this.whole = recorded.whole;
        this.turns = recorded.turns;
        this.#steps = recorded.steps;
        this.#shapes = recorded.shapes;
        this.#pool = recorded.pool;
    }

    /** The number of the last step. */
    get last(): number {
        return this.#steps.length - 1;
    }

    view(step: number, viewer: number): View {
        return this.#value(this.#step(step).views[viewer + 1]) as View;
    }

    lines(step: number, viewer: number): LogLineView[] {
        const lines = this.#value(this.#step(step).lines[viewer + 1]) as RecordedLine[];
        return lines.map((line) => ({ ...line, event: line.event ?? guessEvent(line.message.text) }));
    }

    changes(step: number, viewer: number): EventView[] {
        return this.#value(this.#step(step).changes[viewer + 1]) as EventView[];
    }

    /** What was chosen to come to a step. */
    choices(step: number): RecordedChoice[] {
        return this.#value(this.#step(step).choices) as RecordedChoice[];
    }

    turnOf(step: number): number {
        return this.#step(step).turn;
    }

    /** The last play menu up to a step, where a game could go on; null before the first. */
    menuBefore(step: number): number | null {
        for (let at = step; at >= 0; at -= 1) if (this.#step(at).menu !== "") return at;
        return null;
    }

    /** The last step that shows the game before an answer with this number. */
    stepBefore(answer: number): number {
        const later = this.#steps.findIndex((step) => step.answers > answer);
        return later < 0 ? this.last : Math.max(0, later - 1);
    }

    #step(step: number): WrittenStep {
        const found = this.#steps[step];
        if (!found) throw new RangeError(`There is no step ${String(step)}.`);
        return found;
    }

    #value(place: number | undefined): unknown {
        if (place === undefined) throw new RangeError("The recording is damaged.");
        const written = this.#pool[place];
        if (!Array.isArray(written)) return written;
        if (place in this.#made) return this.#made[place];
        const [kind = LIST, ...parts] = written;
        const keys = this.#shapes[kind];
        const made = keys
            ? Object.fromEntries(keys.map((key, at) => [key, this.#value(parts[at])]))
            : parts.map((part) => this.#value(part));
        this.#made[place] = made;
        return made;
    }
}
