/**
 * Short sounds, made on the spot: no files, nothing to wait for.
 *
 * Browsers let a page be heard only after somebody has touched it. Until then nothing is played, and
 * nothing is played late.
 */

import { settings } from "./settings.svelte";

export type Sound = "card" | "destroyed" | "scored" | "turn" | "chat" | "undo" | "win" | "lose";

/** A note: from when, how long, from which pitch to which, how loud, of which colour. */
interface Note {
    at: number;
    length: number;
    from: number;
    to?: number;
    level: number;
    shape: OscillatorType;
}

/** A rush of noise through a filter that closes. */
interface Rush {
    at: number;
    length: number;
    from: number;
    to: number;
    level: number;
    filter: BiquadFilterType;
}

interface Score {
    notes: Note[];
    rushes?: Rush[];
}

/** Notes like those of a marimba: a soft tone, and its octave for a moment. */
function marimba(...pitches: number[]): Note[] {
    return pitches.flatMap((from, place): Note[] => [
        { at: place * 0.11, length: 0.45, from, level: 0.3, shape: "sine" },
        { at: place * 0.11, length: 0.12, from: from * 4, level: 0.05, shape: "sine" },
    ]);
}

const SCORES: Record<Sound, Score> = {
    card: {
        notes: [{ at: 0.02, length: 0.09, from: 190, to: 95, level: 0.34, shape: "sine" }],
        rushes: [{ at: 0, length: 0.07, from: 3200, to: 900, level: 0.16, filter: "bandpass" }],
    },
    destroyed: {
        notes: [{ at: 0, length: 0.28, from: 240, to: 55, level: 0.22, shape: "triangle" }],
        rushes: [{ at: 0, length: 0.3, from: 1600, to: 140, level: 0.3, filter: "lowpass" }],
    },
    scored: {
        notes: [
            { at: 0, length: 0.5, from: 120, to: 38, level: 0.5, shape: "sine" },
            ...marimba(523.25, 659.25, 783.99).map((note) => ({ ...note, at: note.at + 0.3 })),
        ],
        rushes: [{ at: 0, length: 0.5, from: 3600, to: 160, level: 0.36, filter: "lowpass" }],
    },
    turn: { notes: marimba(587.33, 880) },
    chat: { notes: [{ at: 0, length: 0.11, from: 480, to: 760, level: 0.22, shape: "sine" }] },
    undo: {
        notes: [{ at: 0, length: 0.16, from: 620, to: 300, level: 0.16, shape: "triangle" }],
        rushes: [{ at: 0, length: 0.12, from: 700, to: 2600, level: 0.08, filter: "bandpass" }],
    },
    win: { notes: marimba(523.25, 659.25, 783.99, 1046.5, 1318.5) },
    lose: { notes: marimba(440, 349.23, 261.63) },
};

/** Seconds in which the same sound is not heard again. */
const APART = 0.07;

class Player {
    #context: AudioContext | null = null;
    #noise: AudioBuffer | null = null;
    readonly #last = new Map<Sound, number>();

    /** Wait for the first touch. */
    listen(): void {
        const wake = (): void => {
            if (typeof AudioContext !== "function") return;
            this.#context ??= new AudioContext();
            void this.#context.resume();
        };
        addEventListener("pointerdown", wake, { capture: true });
        addEventListener("keydown", wake, { capture: true });
    }

    play(sound: Sound): void {
        const context = this.#context;
        if (settings.muted || settings.volume === 0 || context?.state !== "running") return;
        const now = context.currentTime;
        if (now - (this.#last.get(sound) ?? -1) < APART) return;
        this.#last.set(sound, now);
        const out = context.createGain();
        out.gain.value = settings.volume ** 2;
        out.connect(context.destination);
        const { notes, rushes = [] } = SCORES[sound];
        for (const note of notes) this.#note(context, out, note);
        for (const rush of rushes) this.#rush(context, out, rush);
    }

    #note(context: AudioContext, out: AudioNode, { at, length, from, to, level, shape }: Note): void {
        const begin = context.currentTime + at;
        const tone = context.createOscillator();
        tone.type = shape;
        tone.frequency.setValueAtTime(from, begin);
        if (to !== undefined) tone.frequency.exponentialRampToValueAtTime(to, begin + length);
        tone.connect(this.#swell(context, out, begin, length, level));
        tone.start(begin);
        tone.stop(begin + length);
    }

    #rush(context: AudioContext, out: AudioNode, { at, length, from, to, level, filter }: Rush): void {
        const begin = context.currentTime + at;
        const noise = context.createBufferSource();
        noise.buffer = this.#noise ??= hiss(context);
        const sieve = context.createBiquadFilter();
        sieve.type = filter;
        sieve.frequency.setValueAtTime(from, begin);
        sieve.frequency.exponentialRampToValueAtTime(to, begin + length);
        noise.connect(sieve).connect(this.#swell(context, out, begin, length, level));
        noise.start(begin);
        noise.stop(begin + length);
    }

    /** Loud at once, and then fading: without clicks at either end. */
    #swell(context: AudioContext, out: AudioNode, begin: number, length: number, level: number): AudioNode {
        const gain = context.createGain();
        gain.gain.setValueAtTime(0.0001, begin);
        gain.gain.exponentialRampToValueAtTime(level, begin + 0.008);
        gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
        gain.connect(out);
        return gain;
    }
}

/** Half a second of noise. */
function hiss(context: AudioContext): AudioBuffer {
    const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
    return buffer;
}

export const sounds = new Player();
