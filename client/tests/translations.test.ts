/** Every sentence of the client has a French one, and nothing is translated that nobody says. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

const SOURCES = "src";
const FRENCH = "src/locales/fr";

function filesBelow(folder: string): string[] {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".svelte") || name.endsWith(".ts"))
        .map((name) => join(folder, name));
}

function withoutComments(source: string): string {
    return source
        .replace(/<!--[\s\S]*?-->/g, "")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/(^|\s)\/\/ .*$/gm, "$1");
}

/** What is said with `t`, `lazyText` or `plural`: they are called with literals for this test's sake. */
function spoken(source: string): string[] {
    const text = withoutComments(source);
    const calls = text.matchAll(/\b(?:t|lazyText)\(\s*("(?:[^"\\]|\\.)*")/g);
    const plurals = text.matchAll(/\bplural\(\s*[^,"]+,\s*("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*")/g);
    return [...calls, ...plurals].flatMap(([, ...texts]) => texts.map((one) => JSON.parse(one) as string));
}

/** Calls that this test cannot read. */
function unreadable(source: string): string[] {
    const text = withoutComments(source);
    const calls = text.matchAll(/[^\w.$](?:t|lazyText)\((?!\s*"|english)[^)]*\)/g);
    const plurals = text.matchAll(/[^\w.$]plural\((?!\s*[^,"]+,\s*"[^"]*",\s*")(?!count: number)[^)]*\)/g);
    return [...calls, ...plurals].map((call) => call[0].trim());
}

const said = new Map<string, string>();
for (const file of filesBelow(SOURCES)) {
    for (const text of spoken(readFileSync(file, "utf8"))) said.set(text, file);
}

const translations = readdirSync(FRENCH).map((name) => ({
    name,
    words: JSON.parse(readFileSync(join(FRENCH, name), "utf8")) as Record<string, string>,
}));
const french = new Map(translations.flatMap(({ words }) => Object.entries(words)));

function gaps(text: string): string[] {
    return [...text.matchAll(/\{(\w+)\}/g)].map((gap) => gap[1] ?? "").sort();
}

describe("the words of the client", () => {
    it("are all called with literals", () => {
        const found = filesBelow(SOURCES).flatMap((file) =>
            unreadable(readFileSync(file, "utf8")).map((call) => `${file}: ${call}`),
        );
        expect(found).toEqual([]);
    });

    it("all exist in French", () => {
        const missing = [...said]
            .filter(([text]) => !french.has(text))
            .map(([text, file]) => `${file}: ${text}`);
        expect(missing).toEqual([]);
    });

    it("are not translated for nothing", () => {
        expect([...french.keys()].filter((text) => !said.has(text))).toEqual([]);
    });

    it("keep their gaps", () => {
        const broken = [...french].filter(([text, word]) => gaps(text).join() !== gaps(word).join());
        expect(broken).toEqual([]);
    });

    it("are translated in one way only", () => {
        const different = translations.flatMap(({ name, words }) =>
            Object.entries(words)
                .filter(([text, word]) => french.get(text) !== word)
                .map(([text]) => `${name}: ${text}`),
        );
        expect(different).toEqual([]);
    });

    it("have English quotation marks and dashes in English", () => {
        expect([...said.keys()].filter((text) => /[«»]|[a-z]"[a-z ]|--/.test(text))).toEqual([]);
    });

    it("use the rulebook's capitals and one kind of space in French", () => {
        const careless = [...french.values()].filter((word) =>
            /\u202f|\b(factions?|créatures?|titans?)\b/.test(word.replace(/\{\w+\}/g, "")),
        );
        expect(careless).toEqual([]);
    });

    it("follow French typography", () => {
        const careless = [...french.values()].filter((word) => /[^\u00a0\u202f\d] ?[;?!]| :|'/.test(word));
        expect(careless.filter((word) => !/^\W*$/.test(word))).toEqual([]);
    });
});
