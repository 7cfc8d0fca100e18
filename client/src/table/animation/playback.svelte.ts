/**
 * What is shown of a game: a little behind what is known, so that every step can be seen.
 *
 * Steps wait in a queue and are shown one by one. A decision of one's own is never held back for long, and
 * a player in a hurry skips to the end.
 */

import { tick } from "svelte";

import { settings } from "../../lib/settings.svelte";
import { mergeNumbered, type Frame, type TableConnection } from "../../net/connection.svelte";
import type { LogLineView, View } from "../../protocol";
import { secondsToShow, millisecondsPerSecond, MAX_DELAY_MS } from "./step-timing";

/** Something that shows how one view becomes the next: it looks before, and moves things after. */
export interface Animator {
    before: (old: View | null, next: Frame) => void;
    after: (old: View | null, next: Frame, second: number) => void;
}

export class Playback {
    view = $state.raw<View | null>(null);
    lines = $state.raw<LogLineView[]>([]);
    /** Steps that are known and not shown yet. */
    pendingSteps = $state(0);
    /** Whether steps are shown right now, the last one included until it has been seen. */
    running = $state(false);
    stage: Animator | null = null;
    /** How many times as fast as the settings have it. */
    speed = 1;
    /** Hears of every step when it is shown, for what can be heard of it. */
    heard: ((frame: Frame) => void) | null = null;
    /** Sees every step when it is shown, with the view before it. */
    onStep: ((before: View | null, frame: Frame) => void) | null = null;

    readonly #stop: () => void;
    #queue: Frame[] = [];
    #freeAt = 0;
    /** When everything has to be shown, because a player has to decide then. */
    #deadline = Infinity;
    #hurried = false;
    #wake: (() => void) | null = null;

    constructor(connection: TableConnection) {
        this.view = connection.view;
        this.lines = connection.lines;
        this.#stop = connection.listen((frame) => {
            this.#take(frame);
        });
    }

    close(): void {
        this.#stop();
        this.#queue = [];
        this.#wake?.();
    }

    /** Show everything that waits at once. */
    hurry(): void {
        if (this.#queue.length === 0) return;
        this.#hurried = true;
        this.#wake?.();
    }

    /** What is shown has been seen: the next step may come at once. */
    ready(): void {
        this.#freeAt = 0;
    }

    #take(frame: Frame): void {
        if (frame.type === "snapshot" || frame.rewound !== null || this.#isUnwatched()) {
            // No animation: the page is hidden, or the step before is not shown.
            const waiting = this.#queue.splice(0);
            for (const step of [...waiting, frame]) this.#show(step);
            return;
        }
        this.#queue.push(frame);
        this.pendingSteps = this.#queue.length;
        if (!this.running) void this.#run();
    }

    #isUnwatched(): boolean {
        return settings.motion === "off" || document.visibilityState === "hidden";
    }

    async #run(): Promise<void> {
        this.running = true;
        while (this.#queue.length > 0) {
            await this.#pause(this.#freeAt - performance.now());
            const frame = this.#queue.shift();
            if (frame === undefined) break;
            const second = this.#hurried ? 0 : this.#pace(frame);
            const old = this.view;
            if (second > 0) this.stage?.before(old, frame);
            this.#show(frame);
            this.#freeAt = performance.now() + secondsToShow(frame.lines) * second;
            await tick();
            if (second > 0) this.stage?.after(old, frame, second);
            // The end of a game is announced once its last step has been seen.
            if (this.#queue.length === 0 && frame.view?.over === true) {
                await this.#pause(this.#freeAt - performance.now());
            }
        }
        this.#hurried = false;
        this.#deadline = Infinity;
        this.running = false;
    }

    /** Milliseconds that a second lasts now: less if a player has to decide at the end of the queue. */
    #pace(next: Frame): number {
        const steps = [next, ...this.#queue];
        const seconds = steps.reduce((sum, step) => sum + secondsToShow(step.lines), 0);
        const last = steps.at(-1)?.view;
        const awaited = last?.decision?.options !== undefined || last?.over === true;
        const now = performance.now();
        if (!awaited) this.#deadline = Infinity;
        else if (this.#deadline === Infinity) this.#deadline = now + MAX_DELAY_MS[settings.motion];
        return millisecondsPerSecond(seconds, settings.second / this.speed, this.#deadline - now);
    }

    #show(frame: Frame): void {
        this.onStep?.(this.view, frame);
        this.view = frame.view;
        const { lines, rewound } = frame;
        this.lines = frame.type === "snapshot" ? lines : mergeNumbered(this.lines, lines, rewound);
        this.pendingSteps = this.#queue.length;
        this.heard?.(frame);
    }

    #pause(milliseconds: number): Promise<void> {
        if (milliseconds <= 0 || this.#hurried) return Promise.resolve();
        return new Promise((resolve) => {
            const done = () => {
                clearTimeout(timer);
                this.#wake = null;
                resolve();
            };
            const timer = setTimeout(done, milliseconds);
            this.#wake = done;
        });
    }
}
