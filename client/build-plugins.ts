/** What the build does beside bundling: art, translations, the list of files to keep offline, compression. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import type { Plugin, Rolldown } from "vite";

import { draw, sheetName } from "./art/draw.js";
import { textKey } from "./src/lib/text-key.ts";

export const OUT_DIR = "../smashup/server/client";
export const WORKER = "worker.js";

/** Draw the art before anything imports it; its version becomes part of its addresses. */
export function drawArt(): Plugin {
    return {
        name: "draw-art",
        config: () => ({ define: { __ART_VERSION__: JSON.stringify(draw()) } }),
    };
}

/** Tell the service worker which files to keep: scripts, styles, fonts, and the icons that all pages share. */
export function listOfflineFiles(): Plugin {
    const needed = /\.(js|css)$|-latin-(400|wght)-normal-.*\.woff2$/;
    return {
        name: "list-offline-files",
        apply: "build",
        enforce: "post",
        generateBundle(_, bundle) {
            const worker = bundle[WORKER];
            if (worker?.type !== "chunk") throw new Error("The worker was not built.");
            const built = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
            const files = built
                .filter((name) => needed.test(name) && !isFactionData(bundle[name]))
                .map((name) => `/${name}`);
            files.push(`/art/common.svg?v=${draw()}`);
            const build = createHash("sha256").update(built.sort().join("\n")).digest("hex").slice(0, 12);
            worker.code = worker.code.replaceAll("__SHELL__", JSON.stringify({ build, files }));
        },
    };
}

/** Data of factions is kept once it was used, like their art. */
function isFactionData(file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): boolean {
    return file?.type === "chunk" && (file.facadeModuleId ?? "").includes("virtual:faction-");
}

const FONTS = /-latin-(400|wght)-normal-.*\.woff2$/;

/** Fetch the fonts beside the scripts, so that text does not change its shape after it was shown. */
export function preloadFonts(): Plugin {
    return {
        name: "preload-fonts",
        apply: "build",
        transformIndexHtml: {
            order: "post",
            handler: (_, { bundle }) =>
                Object.keys(bundle ?? {})
                    .filter((name) => FONTS.test(name))
                    .map((name) => ({
                        tag: "link",
                        attrs: {
                            rel: "preload",
                            as: "font",
                            type: "font/woff2",
                            crossorigin: "",
                            href: `/${name}`,
                        },
                        injectTo: "head-prepend" as const,
                    })),
        },
    };
}

/** The pages by their addresses, where `*` is any one part; in step with `src/lib/router.svelte.ts`. */
const PAGES: Record<string, string> = {
    "/": "Home",
    "/new/*": "NewGame",
    "/tables": "Lobby",
    "/table/*": "TablePage",
    "/replay/*": "Replay",
    "/factions": "Factions",
    "/factions/*": "Factions",
    "/learn": "Learn",
    "/rules": "Rules",
    "/cards": "Cards",
    "/cards/*": "Cards",
    "/puzzles": "Puzzles",
    "/puzzles/*": "PuzzlePage",
    "/about": "About",
};

/**
 * Tell the server which scripts, styles and fonts each page needs (`preloads.json`), so that it can name them in the headers
 * of the page: browsers then load them beside the first script instead of after it has run.
 */
export function listPreloads(): Plugin {
    return {
        name: "list-preloads",
        apply: "build",
        enforce: "post",
        generateBundle(_, bundle) {
            const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
            const entry = chunks.find(({ isEntry, name }) => isEntry && name === "index");
            if (!entry) throw new Error("The client has no first script.");
            const filesOf = (page: string): string[] => {
                const chunk = chunks.find(({ facadeModuleId }) =>
                    facadeModuleId?.endsWith(`/src/pages/${page}.svelte`),
                );
                if (!chunk) throw new Error(`There is no page ${page}.`);
                const needed = new Set<Rolldown.OutputChunk>([entry, chunk]);
                for (const { imports } of needed)
                    for (const file of chunks) if (imports.includes(file.fileName)) needed.add(file);
                const styles = [...needed].flatMap(({ viteMetadata }) => [
                    ...(viteMetadata?.importedCss ?? []),
                ]);
                const [first = "", ...scripts] = [...needed].map(({ fileName }) => fileName);
                // Before the scripts of the page, so that its first paint has its fonts.
                const fonts = Object.keys(bundle).filter((name) => FONTS.test(name));
                return [first, ...new Set(styles), ...fonts, ...scripts];
            };
            const preloads = Object.fromEntries(
                Object.entries(PAGES).map(([path, page]) => [path, filesOf(page).map((name) => `/${name}`)]),
            );
            this.emitFile({ type: "asset", fileName: "preloads.json", source: JSON.stringify(preloads) });
        },
    };
}

/** Compress text files; the server sends these copies to browsers that accept Brotli. */
export function compressFiles(): Plugin {
    return {
        name: "compress-files",
        apply: "build",
        enforce: "post",
        closeBundle() {
            const folder = join(import.meta.dirname, OUT_DIR);
            for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
                if (!/\.(js|css|svg|html|webmanifest)$/.test(name)) continue;
                const file = join(folder, name);
                writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
            }
        },
    };
}

/**
 * Provide all French texts by the keys of the English ones, except the texts on cards. The client's own texts come from
 * `src/locales/fr/`, those that the server can show in a browser from its gettext catalog. `virtual:messages/fr/pages` has
 * the texts that replays, which have most else to load, do not show; `virtual:messages/fr/shared` has all others.
 */
export function bundleMessages(): Plugin {
    return virtualModules("bundle-messages", "virtual:messages/", (path, watch) => {
        const [lang = "", part] = path.split("/");
        const folder = join(import.meta.dirname, `src/locales/${lang}`);
        const files = readdirSync(folder).map((name) => join(folder, name));
        watch([catalogPath(lang), ...files]);
        const { messages } = readCatalog(lang);
        const own: Record<string, string> = {};
        for (const file of files) {
            Object.assign(own, JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
        }
        const isPageText = findPageTexts();
        const isWanted = ([english]: [string, string]): boolean =>
            isPageText(english) && messages[english] === undefined ? part === "pages" : part === "shared";
        return withShortKeys(Object.fromEntries(Object.entries({ ...messages, ...own }).filter(isWanted)));
    });
}

/** Where a replay begins: what these import, at once or later, belongs to it. */
const SHARED_ENTRIES = ["main.ts", "pages/Replay.svelte"];
/** What this imports is loaded together with the texts of the pages. */
const PAGE_LOADERS = "pages/page-loaders.ts";

/** Tells texts that only files of other pages contain. */
function findPageTexts(): (english: string) => boolean {
    const root = join(import.meta.dirname, "src");
    const names = readdirSync(root, { recursive: true, encoding: "utf8" });
    const sources = new Map(
        names
            .filter((name) => /\.(ts|svelte)$/.test(name))
            .map((name) => [name, readFileSync(join(root, name), "utf8")]),
    );
    const shared = new Set(SHARED_ENTRIES);
    for (const name of shared) {
        if (name === PAGE_LOADERS) continue;
        for (const [, path = ""] of (sources.get(name) ?? "").matchAll(
            /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g,
        )) {
            const target = join(name, "..", path);
            const file = [target, `${target}.ts`].find((candidate) => sources.has(candidate));
            if (file !== undefined) shared.add(file);
        }
    }
    const [here, elsewhere] = [true, false].map((isShared) =>
        [...sources]
            .filter(([name]) => shared.has(name) === isShared)
            .map(([, source]) => source)
            .join("\n"),
    );
    return (english) => {
        const literal = JSON.stringify(english);
        return here?.includes(literal) === false && elsewhere?.includes(literal) === true;
    };
}

/**
 * Provide what is only needed where a faction is shown, so that the first load does not grow with the number of factions:
 * `virtual:faction-data/LANG/SHEET` has its pictures, its landscapes and the texts of its cards in a language. SHEET is the name of
 * its file under /art, `all`, or `bases` for the bases of all factions, because a game uses those of whole sets.
 * `virtual:factions` lists functions that import them, by language and faction.
 */
export function bundleFactions(): Plugin[] {
    const loaders = (lang: string) =>
        [...Object.keys(readPlan("factions")), "all", "bases"]
            .map(
                (name) =>
                    `${JSON.stringify(name)}: () => import("virtual:faction-data/${lang}/${sheetName(name)}")`,
            )
            .join(",");
    return [
        virtualModules("bundle-faction-data", "virtual:faction-data/", (path, watch) => {
            const [lang = "", sheet = ""] = path.split("/");
            watch(["cards", "bases"].map((name) => join(import.meta.dirname, `art/${name}.json`)));
            const cards = sheet === "bases" ? {} : factionsOfSheet(readPlan("cards"), sheet);
            const art = { cards, bases: factionsOfSheet(readPlan("bases"), sheet) };
            if (lang === "en") return { art, texts: {} };
            watch([catalogPath(lang)]);
            const catalog = readCatalog(lang);
            const texts = Object.values(
                factionsOfSheet(sheet === "bases" ? catalog.bases : catalog.cards, sheet),
            );
            return { art, texts: withShortKeys(Object.assign({}, ...texts) as Record<string, string>) };
        }),
        {
            name: "list-factions",
            resolveId: (id) => (id === "virtual:factions" ? `\0${id}` : undefined),
            load: (id) =>
                id === "\0virtual:factions"
                    ? `export const factionData = { en: {${loaders("en")}}, fr: {${loaders("fr")}} };`
                    : undefined,
        },
    ];
}

function factionsOfSheet<T>(plan: Record<string, T>, sheet: string): Record<string, T> {
    const isWanted = (faction: string) => ["all", "bases", sheetName(faction)].includes(sheet);
    return Object.fromEntries(Object.entries(plan).filter(([faction]) => isWanted(faction)));
}

/** Modules that export JSON by the rest of their name after a prefix. */
function virtualModules(
    name: string,
    prefix: string,
    make: (rest: string, watch: (files: string[]) => void) => unknown,
): Plugin {
    return {
        name,
        resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
        load(id) {
            if (!id.startsWith(`\0${prefix}`)) return undefined;
            const data = make(id.slice(prefix.length + 1), (files) => {
                for (const file of files) this.addWatchFile(file);
            });
            return `export default ${JSON.stringify(data)}`;
        },
    };
}

function readPlan(name: string): Record<string, unknown> {
    const file = join(import.meta.dirname, `art/${name}.json`);
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}

function catalogPath(lang: string): string {
    return join(import.meta.dirname, `../smashup/locale/${lang}/LC_MESSAGES/smashup.po`);
}

function withShortKeys(words: Record<string, string>): Record<string, string> {
    const entries = Object.entries(words).map(([english, translated]) => [textKey(english), translated]);
    const keyed = Object.fromEntries(entries) as Record<string, string>;
    if (Object.keys(keyed).length < entries.length) throw new Error("Two English texts have the same key.");
    return keyed;
}

/** Sources of texts that the server can send; authors of plug-ins and operators read the others in a terminal. */
const SHOWN_IN_BROWSERS =
    /^smashup\/(bots\/(?!plugins|results_file)|engine\/(?!saves\/)|puzzles|server\/(?!operations\/(?!reports)|storage\/(?!store))|cards\/(?!authoring\/|conformance|plugins))/;

interface Catalog {
    messages: Record<string, string>;
    /** The texts on the cards of each faction that has art; cards of different factions may say the same. */
    cards: Record<string, Record<string, string>>;
    /** The same, only of bases. */
    bases: Record<string, Record<string, string>>;
}

/**
 * English texts and their translations: those that the server can send, and those described by a comment, such as names,
 * the words of lists, and cards (`#. Kaiju: Gorgodzolla`).
 */
function readCatalog(lang: string): Catalog {
    const factions = Object.keys(readPlan("factions"));
    const cards: Catalog["cards"] = Object.fromEntries(factions.map((name) => [name, {}]));
    const bases: Catalog["bases"] = Object.fromEntries(factions.map((name) => [name, {}]));
    const baseNames = new Set(
        Object.values(readPlan("bases")).flatMap((plan) => Object.keys(plan as object)),
    );
    const messages: Record<string, string> = {};
    for (const entry of readFileSync(catalogPath(lang), "utf8").split("\n\n")) {
        const found = /^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)/m.exec(entry);
        const [english, translated] = (found ?? []).slice(1).map(unquote);
        if (!english || !translated) continue;
        const sources = [...entry.matchAll(/^#: (.*)$/gm)].flatMap(([, list]) => list?.split(" ") ?? []);
        const comments = [...entry.matchAll(/^#\. (?!argparse$)(.*)$/gm)].map(([, comment = ""]) => comment);
        const isShown = sources.some((source) => SHOWN_IN_BROWSERS.test(source));
        const owners = comments.map((comment) => {
            const faction = factions.find((name) => comment.startsWith(`${name}: `)) ?? "";
            return { faction, card: comment.slice(faction.length + 2) };
        });
        if (isShown || owners.some(({ faction }) => faction === "")) messages[english] = translated;
        else
            for (const { faction, card } of owners) {
                Object.assign(cards[faction] ?? {}, { [english]: translated });
                if (baseNames.has(card)) Object.assign(bases[faction] ?? {}, { [english]: translated });
            }
    }
    return { messages, cards, bases };
}

function unquote(lines: string): string {
    return [...lines.matchAll(/^"(.*)"$/gm)].map(([line]) => JSON.parse(line) as string).join("");
}
