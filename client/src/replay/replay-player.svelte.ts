/** A recording being looked at: at which step, through whose eyes, running or not. */

import { getContext, setContext } from "svelte";

import type { OpenSocket } from "../net/connection.svelte";
import type { LogLineView, TableInfo } from "../protocol";
import { secondsToShow } from "../table/animation/step-timing";
import { changesAt, linesAt, seatOfPerspective, viewAt, type Perspective } from "./perspective";
import type { RecordedChoice, Recording, Turn } from "./format";
import { ReplaySocket, type ReplayFrame } from "./replay-socket";

export const SPEEDS = [0.5, 1, 2, 4];

/** However little happens, a step is seen for so long, in seconds. */
const MIN_STEP_SECONDS = 0.5;

/** A line of the log and the step that brought it. */
export interface ReplayLine {
    line: LogLineView;
    step: number;
}

/** What moves when a step is shown: a table's playback. */
export interface StepPlayback {
    speed: number;
    ready: () => void;
}

export class ReplayPlayer {
    step = $state(0);
    perspective = $state<Perspective>("all");
    playing = $state(false);
    speed = $state(1);
    /** What shows the steps, once it is there. */
    screen: StepPlayback | null = null;

    readonly recording: Recording;
    readonly #table: TableInfo;
    #socket: ReplaySocket | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(recording: Recording, table: TableInfo, step: number, perspective: Perspective) {
        this.recording = recording;
        this.#table = table;
        this.step = this.#clampStep(step);
        this.perspective = perspective;
    }

    /** The line over which the parts of a table hear of this film. */
    readonly openSocket: OpenSocket = () => {
        this.#socket = new ReplaySocket(() => this.#frame());
        return this.#socket;
    };

    get last(): number {
        return this.recording.last;
    }

    atEnd = $derived.by(() => this.step >= this.last);

    /** The turn that is on, or was when the game ended. */
    turn = $derived.by((): Turn | null => this.#turnAt(this.step));

    /** The choice that led here, as far as the viewer may know it. */
    choices = $derived.by((): RecordedChoice[] => {
        const { perspective } = this;
        const made = this.recording.choices(this.step);
        return perspective === "all" ? made : made.filter(({ player }) => player === perspective);
    });

    /** The whole log, also of what is still to come. */
    story = $derived.by((): ReplayLine[] =>
        Array.from({ length: this.last + 1 }, (_, step) =>
            this.#linesOf(step).map((line) => ({ line, step })),
        ).flat(),
    );

    /** Go to a step. Cards travel if it is the next one. */
    go(step: number): void {
        const next = this.#clampStep(step);
        const forward = next === this.step + 1;
        this.step = next;
        this.screen?.ready();
        if (forward) {
            const { recording, perspective } = this;
            this.#socket?.go(
                this.#frame(),
                linesAt(recording, next, perspective),
                changesAt(recording, next, perspective),
            );
        } else {
            this.#socket?.jump(this.#frame());
        }
        if (this.playing) this.#wait();
    }

    /** Look through other eyes. */
    look(perspective: Perspective): void {
        this.perspective = perspective;
        this.#socket?.jump(this.#frame());
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
        const seconds = Math.max(
            MIN_STEP_SECONDS,
            secondsToShow(linesAt(this.recording, this.step, this.perspective)),
        );
        this.#timer = setTimeout(
            () => {
                this.go(this.step + 1);
            },
            (seconds * 1000) / this.speed,
        );
    }

    #clampStep(step: number): number {
        return Math.min(Math.max(0, Math.trunc(step) || 0), this.recording.last);
    }

    #turnAt(step: number): Turn | null {
        const number = this.recording.turnOf(step);
        return this.recording.turns.find(({ turn, player }) => turn === number && player !== null) ?? null;
    }

    #linesOf(step: number): LogLineView[] {
        return linesAt(this.recording, step, this.perspective);
    }

    #frame(): ReplayFrame {
        const { recording, step, perspective } = this;
        // Not from the story: the table need not wait for what is still to come.
        const lines = Array.from({ length: step + 1 }, (_, at) => this.#linesOf(at)).flat();
        const table = { ...this.#table, state: this.atEnd ? "over" : "playing" } as TableInfo;
        return {
            table,
            view: viewAt(recording, step, perspective),
            seat: seatOfPerspective(perspective),
            lines,
        };
    }
}

const CONTEXT_KEY = Symbol("replay");

export function setReplayPlayer(replay: ReplayPlayer): ReplayPlayer {
    return setContext(CONTEXT_KEY, replay);
}

export function getReplayPlayer(): ReplayPlayer {
    return getContext<ReplayPlayer>(CONTEXT_KEY);
}
