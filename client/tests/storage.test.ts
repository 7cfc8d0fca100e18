/** The browser's memory where it is forbidden: the page itself remembers. */

import { afterEach, expect, it, vi } from "vitest";

import { mySeats, saveSeats } from "../src/lib/seats";
import { readStored, removeStored, writeStored } from "../src/lib/storage";

afterEach(() => {
    vi.restoreAllMocks();
    localStorage.clear();
});

function forbid(...names: ("getItem" | "setItem" | "removeItem")[]): void {
    for (const name of names) {
        vi.spyOn(Storage.prototype, name).mockImplementation(() => {
            throw new DOMException("denied", "SecurityError");
        });
    }
}

it("remembers while the page is open where nothing can be stored", () => {
    forbid("getItem", "setItem", "removeItem");
    expect(readStored("a")).toBeNull();
    writeStored("a", { n: 1 });
    expect(readStored("a")).toEqual({ n: 1 });
    removeStored("a");
    expect(readStored("a")).toBeNull();
});

it("keeps the seat of a table that was just opened, as that of a puzzle", () => {
    forbid("getItem", "setItem", "removeItem");
    saveSeats("table", [{ seat: 0, secret: "s" }]);
    expect(mySeats("table")).toEqual([{ seat: 0, secret: "s" }]);
});

it("prefers what could be stored later", () => {
    forbid("setItem");
    writeStored("b", 1);
    vi.restoreAllMocks();
    expect(readStored("b")).toBe(1);
    writeStored("b", 2);
    expect(localStorage.getItem("b")).toBe("2");
    localStorage.setItem("b", "3");
    expect(readStored("b")).toBe(3);
});
