/** Addresses, seats, settings, and what the server answers. */

import { beforeEach, describe, expect, it, vi } from "vitest";

import { api, ApiError, errorMessage } from "../src/lib/api";
import { serverReachability } from "../src/lib/server-reachability.svelte";
import { parse } from "../src/lib/router.svelte";
import { forgetSeats, saveSeats, mySeats, myTables } from "../src/lib/seats";
import { settings } from "../src/lib/settings.svelte";
import { loadLanguage, renderMessage, lazyText, t } from "../src/lib/i18n.svelte";

beforeEach(() => {
    localStorage.clear();
    settings.change({ lang: "en" });
});

describe("sentences of the client", () => {
    it("end with one mark, whatever a name ends in", () => {
        expect(t("Play {card}?", { card: "Eh?" })).toBe("Play Eh?");
        expect(t("Play {card}?", { card: "Spy" })).toBe("Play Spy?");
    });
});

describe("addresses", () => {
    it.each([
        ["/", { page: "home" }],
        ["/new/bots", { page: "new", kind: "bots" }],
        ["/new/friends", { page: "new", kind: "friends" }],
        ["/new/here/", { page: "new", kind: "here" }],
        ["/tables", { page: "tables" }],
        ["/table/a-B_9", { page: "table", id: "a-B_9" }],
        ["/factions", { page: "factions", faction: null }],
        ["/factions/Grimms'%20Fairy%20Tales", { page: "factions", faction: "Grimms' Fairy Tales" }],
        ["/about", { page: "about" }],
    ])("%s is a page", (path, route) => {
        expect(parse(path)).toEqual(route);
    });

    it.each(["/new", "/new/else", "/table", "/tables/1", "/about/us", "/factions/a/b", "/nowhere"])(
        "%s is lost",
        (path) => {
            expect(parse(path)).toEqual({ page: "lost" });
        },
    );

    it("that are written badly do no harm", () => {
        expect(parse("/factions/%E0%A4%A")).toEqual({ page: "factions", faction: "%E0%A4%A" });
    });
});

describe("seats", () => {
    const one = { seat: 1, secret: "first" };
    const two = { seat: 0, secret: "second" };

    it("are kept by table, in their order", () => {
        saveSeats("a", [one]);
        saveSeats("a", [two]);
        expect(mySeats("a")).toEqual([two, one]);
        expect(mySeats("b")).toEqual([]);
    });

    it("are listed with the newest table first", () => {
        saveSeats("a", [one]);
        saveSeats("b", [one]);
        saveSeats("a", [two]);
        expect(myTables()).toEqual(["a", "b"]);
    });

    it("can be forgotten", () => {
        saveSeats("a", [one]);
        forgetSeats("a");
        expect(myTables()).toEqual([]);
    });

    it("do not fill the browser's memory", () => {
        for (let table = 0; table < 100; table++) saveSeats(String(table), [one]);
        expect(myTables()).toHaveLength(60);
        expect(myTables()[0]).toBe("99");
    });

    it.each([
        "null",
        "{}",
        "[1]",
        '[{"table": 3, "seats": []}]',
        '[{"table": "a", "seats": [{}]}]',
        "not JSON",
    ])("survive %s in the memory", (text) => {
        localStorage.setItem("smashup.seats", text);
        expect(mySeats("a")).toEqual([]);
        saveSeats("a", [one]);
        expect(mySeats("a")).toEqual([one]);
    });
});

describe("settings", () => {
    it("are kept and told to the page", () => {
        settings.change({ name: "Robin", theme: "dark", motion: "fast" });
        expect(localStorage.getItem("smashup.settings")).toContain("Robin");
        expect(document.documentElement.dataset.theme).toBe("dark");
        expect(document.documentElement.style.getPropertyValue("--second")).toBe("500ms");
    });

    it("change the language in place", async () => {
        expect(t("Play now")).toBe("Play now");
        settings.change({ lang: "fr" });
        await loadLanguage("fr");
        expect(t("Play now")).toBe("Jouer");
        expect(document.documentElement.lang).toBe("fr");
        expect(t("Hand of {name}", { name: "Ana" })).toBe("Main d’Ana");
        expect(t("Hand of {name}", { name: "Bo" })).toBe("Main de Bo");
    });
});

describe("the server", () => {
    function answers(status: number, body: string): void {
        vi.stubGlobal("fetch", () => Promise.resolve(new Response(body, { status })));
    }

    it("is asked with the secret of the seat", async () => {
        const asked = vi.fn<typeof fetch>();
        asked.mockResolvedValue(new Response(JSON.stringify({ table: { id: "a" } })));
        vi.stubGlobal("fetch", asked);
        await api.change("a/b", "secret", { name: "Robin" });
        const [path, how] = asked.mock.calls[0] ?? [];
        expect(path).toBe("/api/tables/a%2Fb/seat");
        expect(how).toMatchObject({ method: "PATCH", body: '{"name":"Robin"}' });
        expect(how?.headers).toMatchObject({ Authorization: "Bearer secret" });
    });

    it("refuses with its own sentence", async () => {
        answers(409, JSON.stringify({ reason: lazyText("There is no free seat at this table.") }));
        const failure = await api.join("a", {}).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(ApiError);
        expect(renderMessage(errorMessage(failure))).toBe("There is no free seat at this table.");
    });

    it("may be away, or somebody else may answer", async () => {
        vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
        await expect(api.table("a")).rejects.toMatchObject({ offline: true });
        answers(502, "<html>Bad gateway</html>");
        await expect(api.table("a")).rejects.toMatchObject({ status: 502, offline: false });
        answers(200, "<html>Hotel Wi-Fi</html>");
        await expect(api.table("a")).rejects.toBeInstanceOf(ApiError);
        answers(404, JSON.stringify({ reason: lazyText("There is no such table.") }));
        await expect(api.table("a")).rejects.toMatchObject({ isMissing: true });
    });

    it("is asked once by a page whose request was sent early", async () => {
        const asked = vi.fn<typeof fetch>();
        asked.mockImplementation(() => Promise.resolve(new Response(JSON.stringify({ table: { id: "a" } }))));
        vi.stubGlobal("fetch", asked);
        await api.early.table("a");
        await expect(api.table("a")).resolves.toEqual({ id: "a" });
        expect(asked).toHaveBeenCalledTimes(1);
        await api.table("a");
        expect(asked).toHaveBeenCalledTimes(2);

        vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
        api.early.replay("a", null);
        await expect(api.replay("a", null)).rejects.toMatchObject({ offline: true });
    });

    it("is asked once for what does not change, and again after a failure", async () => {
        vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
        await expect(api.meta()).rejects.toBeInstanceOf(ApiError);
        const meta = { version: "1", factions: [] };
        const asked = vi.fn(() => Promise.resolve(new Response(JSON.stringify(meta))));
        vi.stubGlobal("fetch", asked);
        expect(await api.meta()).toEqual(meta);
        // Who was out of reach is asked whether it is really back; nobody asks after that.
        await vi.waitFor(() => expect(serverReachability.down).toBe(false));
        asked.mockClear();
        expect(await api.meta()).toEqual(meta);
        expect(asked).not.toHaveBeenCalled();
    });

    it("is not to blame for mistakes of the page", () => {
        expect(renderMessage(errorMessage(new Error("x is undefined")))).toContain("Reload the page");
    });
});
