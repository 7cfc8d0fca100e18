/**
 * Short sounds, made on the spot: no files, nothing to wait for.
 *
 * Browsers allow sounds only after an interaction. Until then nothing is played, and
 * nothing is played late.
 */

import { settings } from "./settings.svelte";

export type Sound = "card" | "destroyed" | "scored" | "turn" | "chat" | "undo" | "win" | "lose";

/** A note: from when, how long, from which pitch to which, how loud, of which color. */
interface Note {
    at: number;
    length: number;
    from: number;
    to?: number;
    level: number;
    shape: OscillatorType;
}

/** A burst of noise through a filter that closes. */
interface NoiseBurst {
    at: number;
    length: number;
    from: number;
    to: number;
    level: number;
    filter: BiquadFilterType;
}

interface Score {
    notes: Note[];
    bursts?: NoiseBurst[];
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
        bursts: [{ at: 0, length: 0.07, from: 3200, to: 900, level: 0.16, filter: "bandpass" }],
    },
    destroyed: {
        notes: [{ at: 0, length: 0.28, from: 240, to: 55, level: 0.22, shape: "triangle" }],
        bursts: [{ at: 0, length: 0.3, from: 1600, to: 140, level: 0.3, filter: "lowpass" }],
    },
    scored: {
        notes: [
            { at: 0, length: 0.5, from: 120, to: 38, level: 0.5, shape: "sine" },
            ...marimba(523.25, 659.25, 783.99).map((note) => ({ ...note, at: note.at + 0.3 })),
        ],
        bursts: [{ at: 0, length: 0.5, from: 3600, to: 160, level: 0.36, filter: "lowpass" }],
    },
    turn: { notes: marimba(587.33, 880) },
    chat: { notes: [{ at: 0, length: 0.11, from: 480, to: 760, level: 0.22, shape: "sine" }] },
    undo: {
        notes: [{ at: 0, length: 0.16, from: 620, to: 300, level: 0.16, shape: "triangle" }],
        bursts: [{ at: 0, length: 0.12, from: 700, to: 2600, level: 0.08, filter: "bandpass" }],
    },
    win: { notes: marimba(523.25, 659.25, 783.99, 1046.5, 1318.5) },
    lose: { notes: marimba(440, 349.23, 261.63) },
};

/** Seconds in which the same sound is not heard again. */
const MIN_SPACING_SECONDS = 0.07;

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
        if (now - (this.#last.get(sound) ?? -1) < MIN_SPACING_SECONDS) return;
        this.#last.set(sound, now);
        const out = context.createGain();
        out.gain.value = settings.volume ** 2;
        out.connect(context.destination);
        const { notes, bursts = [] } = SCORES[sound];
        for (const note of notes) this.#playNote(context, out, note);
        for (const burst of bursts) this.#playNoise(context, out, burst);
    }

    #playNote(context: AudioContext, out: AudioNode, { at, length, from, to, level, shape }: Note): void {
        const begin = context.currentTime + at;
        const tone = context.createOscillator();
        tone.type = shape;
        tone.frequency.setValueAtTime(from, begin);
        if (to !== undefined) tone.frequency.exponentialRampToValueAtTime(to, begin + length);
        tone.connect(this.#createEnvelope(context, out, begin, length, level));
        tone.start(begin);
        tone.stop(begin + length);
    }

    #playNoise(
        context: AudioContext,
        out: AudioNode,
        { at, length, from, to, level, filter }: NoiseBurst,
    ): void {
        const begin = context.currentTime + at;
        const noise = context.createBufferSource();
        noise.buffer = this.#noise ??= createNoise(context);
        const bandFilter = context.createBiquadFilter();
        bandFilter.type = filter;
        bandFilter.frequency.setValueAtTime(from, begin);
        bandFilter.frequency.exponentialRampToValueAtTime(to, begin + length);
        noise.connect(bandFilter).connect(this.#createEnvelope(context, out, begin, length, level));
        noise.start(begin);
        noise.stop(begin + length);
    }

    /** Loud at once, and then fading: without clicks at either end. */
    #createEnvelope(
        context: AudioContext,
        out: AudioNode,
        begin: number,
        length: number,
        level: number,
    ): AudioNode {
        const gain = context.createGain();
        gain.gain.setValueAtTime(0.0001, begin);
        gain.gain.exponentialRampToValueAtTime(level, begin + 0.008);
        gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
        gain.connect(out);
        return gain;
    }
}

/** Half a second of noise. */
function createNoise(context: AudioContext): AudioBuffer {
    const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
    return buffer;
}

export const sounds = new Player();
