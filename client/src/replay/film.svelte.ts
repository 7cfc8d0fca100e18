/** A recording being looked at: at which step, through whose eyes, running or not. */

import { getContext, setContext } from "svelte";

import type { Dial } from "../net/connection.svelte";
import type { LogLineView, TableInfo } from "../protocol";
import { lengthOf } from "../table/pace";
import { changesAt, linesAt, seatOf, viewAt, type Eyes } from "./eyes";
import type { Choice, Recording, Turn } from "./format";
import { RecordedWire, type Sight } from "./wire";

export const SPEEDS = [0.5, 1, 2, 4];

/** However little happens, a step is seen for so long, in seconds. */
const SHORTEST = 0.5;

/** A line of the log and the step that brought it. */
export interface Told {
    line: LogLineView;
    step: number;
}

/** What moves when a step is shown: a table's playback. */
export interface Screen {
    speed: number;
    ready: () => void;
}

export class Film {
    step = $state(0);
    eyes = $state<Eyes>("all");
    playing = $state(false);
    speed = $state(1);
    /** What shows the steps, once it is there. */
    screen: Screen | null = null;

    readonly recording: Recording;
    readonly #table: TableInfo;
    #wire: RecordedWire | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(recording: Recording, table: TableInfo, step: number, eyes: Eyes) {
        this.recording = recording;
        this.#table = table;
        this.step = this.#within(step);
        this.eyes = eyes;
    }

    /** The line over which the parts of a table hear of this film. */
    readonly dial: Dial = () => {
        this.#wire = new RecordedWire(() => this.#sight());
        return this.#wire;
    };

    get last(): number {
        return this.recording.last;
    }

    atEnd = $derived.by(() => this.step >= this.last);

    /** The turn that is on, or was when the game ended. */
    turn = $derived.by((): Turn | null => this.#turnAt(this.step));

    /** What was chosen to come here, as far as whoever looks may know it. */
    choices = $derived.by((): Choice[] => {
        const { eyes } = this;
        const made = this.recording.choices(this.step);
        return eyes === "all" ? made : made.filter(({ player }) => player === eyes);
    });

    /** The whole log, also of what is still to come. */
    story = $derived.by((): Told[] =>
        Array.from({ length: this.last + 1 }, (_, step) =>
            linesAt(this.recording, step, this.eyes).map((line) => ({ line, step })),
        ).flat(),
    );

    /** Go to a step. Cards travel if it is the next one. */
    go(step: number): void {
        const next = this.#within(step);
        const forward = next === this.step + 1;
        this.step = next;
        this.screen?.ready();
        if (forward) {
            const { recording, eyes } = this;
            this.#wire?.go(this.#sight(), linesAt(recording, next, eyes), changesAt(recording, next, eyes));
        } else {
            this.#wire?.jump(this.#sight());
        }
        if (this.playing) this.#wait();
    }

    /** Look through other eyes. */
    look(eyes: Eyes): void {
        this.eyes = eyes;
        this.#wire?.jump(this.#sight());
    }

    /** To the beginning of the next turn, or of this one, or of the one before. */
    goTurn(way: 1 | -1): void {
        const starts = this.recording.turns.slice(1).map((turn) => turn.step);
        const found =
            way > 0
                ? starts.find((start) => start > this.step)
                : starts.findLast((start) => start < this.step);
        this.go(found ?? (way > 0 ? this.last : 0));
    }

    play(): void {
        if (this.atEnd) this.go(0);
        this.playing = true;
        this.#wait();
    }

    pause(): void {
        this.playing = false;
        clearTimeout(this.#timer);
    }

    toggle(): void {
        if (this.playing) this.pause();
        else this.play();
    }

    run(speed: number): void {
        this.speed = speed;
        if (this.screen) this.screen.speed = speed;
        if (this.playing) this.#wait();
    }

    close(): void {
        this.pause();
    }

    /** Look at this step for as long as it takes, then go on. */
    #wait(): void {
        clearTimeout(this.#timer);
        if (this.atEnd) {
            this.playing = false;
            return;
        }
        const seconds = Math.max(SHORTEST, lengthOf(linesAt(this.recording, this.step, this.eyes)));
        this.#timer = setTimeout(
            () => {
                this.go(this.step + 1);
            },
            (seconds * 1000) / this.speed,
        );
    }

    #within(step: number): number {
        return Math.min(Math.max(0, Math.trunc(step) || 0), this.recording.last);
    }

    #turnAt(step: number): Turn | null {
        const number = this.recording.turnOf(step);
        return this.recording.turns.find(({ turn, player }) => turn === number && player !== null) ?? null;
    }

    #sight(): Sight {
        const { recording, step, eyes } = this;
        const lines = this.story.filter((told) => told.step <= step).map(({ line }) => line);
        const table = { ...this.#table, state: this.atEnd ? "over" : "playing" } as TableInfo;
        return { table, view: viewAt(recording, step, eyes), seat: seatOf(eyes), lines };
    }
}

const KEY = Symbol("film");

export function shareFilm(film: Film): Film {
    return setContext(KEY, film);
}

export function theFilm(): Film {
    return getContext<Film>(KEY);
}
