/** Time in words, what can be heard, what the worker keeps, and settings that are remembered. */

import { describe, expect, it, vi } from "vitest";

import { formatClock, isRunningOut, nextTick, describeTime } from "../src/lib/countdown";
import type { Frame } from "../src/net/connection.svelte";
import type { EventView } from "../src/protocol";
import { appUpdate } from "../src/shell/app-update.svelte";
import { soundForStep } from "../src/table/animation/step-sounds";
import { cachingRule } from "../src/worker/caching";

describe("time that is left", () => {
    it.each([
        [42, "0:42"],
        [59.2, "1:00"],
        [725, "12:05"],
        [19_200, "5 h 20 min"],
        [191_000, "2 d 5 h"],
        [-3, "0:00"],
    ])("%d seconds", (seconds, text) => {
        expect(formatClock(seconds)).toBe(text);
    });

    it("is told to ears in the unit that matters", () => {
        expect(describeTime(604_800)).toBe("7 days");
        expect(describeTime(7300)).toBe("2 hours");
        expect(describeTime(119)).toBe("119 seconds");
    });

    it("is short when a fifth is left, and looked at when it changes", () => {
        expect(isRunningOut(24, 120)).toBe(true);
        expect(isRunningOut(25, 120)).toBe(false);
        expect(nextTick(41.25)).toBe(270);
        expect(nextTick(41)).toBe(1020);
        expect(nextTick(41.0001)).toBeGreaterThan(10);
        expect(nextTick(90_000)).toBeGreaterThan(5000);
    });
});

describe("what can be heard", () => {
    const step = (changes: EventView[], rewound: number | null = null): Frame =>
        ({ type: "update", changes, rewound }) as unknown as Frame;

    it("is the loudest thing of a step", () => {
        expect(soundForStep(step([{ kind: "played" }]), 0)).toBe("card");
        expect(soundForStep(step([{ kind: "played" }, { kind: "destroyed" }]), 0)).toBe("destroyed");
        expect(soundForStep(step([{ kind: "destroyed" }, { kind: "scored" }]), 0)).toBe("scored");
        expect(soundForStep(step([{ kind: "drawn" }]), 0)).toBeNull();
    });

    it("is a call for one's own turn only", () => {
        expect(soundForStep(step([{ kind: "turn", player: 0 }]), 0)).toBe("turn");
        expect(soundForStep(step([{ kind: "turn", player: 1 }]), 0)).toBeNull();
        expect(soundForStep(step([{ kind: "turn", player: 0 }]), null)).toBeNull();
    });

    it("tells winners from losers", () => {
        const places = [{ player: 1, place: 1, vp: 15 }];
        expect(soundForStep(step([{ kind: "over", places }]), 1)).toBe("win");
        expect(soundForStep(step([{ kind: "over", places }]), 0)).toBe("lose");
    });

    it("goes back with the game", () => {
        expect(soundForStep(step([{ kind: "played" }], 7), 0)).toBe("undo");
    });
});

describe("the worker", () => {
    const home = "https://smash.example";
    const rule = (path: string, mode = "no-cors", method = "GET") =>
        cachingRule(new URL(path, home), home, mode, method);

    it("keeps what is named by its contents", () => {
        expect(rule("/assets/index-D6bYZ1XZ.js")).toBe("kept");
        expect(rule("/art/kaiju.svg?v=57d96d20e9")).toBe("kept");
        expect(rule("/art/grain.png")).toBe("server");
        expect(rule("/manifest.webmanifest")).toBe("server");
    });

    it("asks for pages first", () => {
        expect(rule("/", "navigate")).toBe("page");
        expect(rule("/table/abc", "navigate")).toBe("page");
    });

    it("never touches what the server says, or what belongs to others", () => {
        expect(rule("/api/meta", "cors")).toBe("server");
        expect(rule("/api/openapi.json", "navigate")).toBe("server");
        expect(rule("/api", "cors")).toBe("server");
        expect(rule("/assets/x.js", "cors", "POST")).toBe("server");
        expect(rule("https://other.example/assets/x.js")).toBe("server");
    });
});

describe("a newer client", () => {
    const page = (program: string) => `<script type="module" src="${program}"></script>`;

    async function seen(answer: () => Promise<Response>): Promise<boolean> {
        document.head.innerHTML = page("/assets/index-old.js");
        vi.stubGlobal("fetch", answer);
        appUpdate.ready = false;
        await appUpdate.look();
        vi.unstubAllGlobals();
        return appUpdate.ready;
    }

    it("is told by a page that is made of other files", async () => {
        expect(await seen(() => Promise.resolve(new Response(page("/assets/index-new.js"))))).toBe(true);
        expect(await seen(() => Promise.resolve(new Response(page("/assets/index-old.js"))))).toBe(false);
    });

    it("is not told by trouble on the way", async () => {
        expect(await seen(() => Promise.reject(new TypeError("offline")))).toBe(false);
        expect(await seen(() => Promise.resolve(new Response("Bad gateway", { status: 502 })))).toBe(false);
        expect(await seen(() => Promise.resolve(new Response("Hotel Wi-Fi")))).toBe(false);
    });
});

describe("settings", () => {
    const KEY = "smashup.settings";

    async function settingsAfter(kept: unknown) {
        localStorage.setItem(KEY, JSON.stringify(kept));
        vi.resetModules();
        return (await import("../src/lib/settings.svelte")).settings;
    }

    it("are remembered, each of them", async () => {
        const settings = await settingsAfter({});
        settings.change({
            muted: true,
            volume: 0.25,
            notify: true,
            chances: false,
            recap: "away",
            clock: "bar",
        });
        const again = await settingsAfter(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
        expect(again).toMatchObject({ muted: true, volume: 0.25, notify: true, chances: false });
        expect(again).toMatchObject({ recap: "away", clock: "bar" });
    });

    it("are as at first where something strange was kept", async () => {
        const settings = await settingsAfter({ muted: "yes", volume: 7, recap: "sometimes", clock: 3 });
        expect(settings).toMatchObject({ muted: false, volume: 1, recap: "always", clock: "figures" });
    });
});
