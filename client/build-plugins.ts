/** What the build does beside bundling: art, translations, the list of files to keep offline, compression. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import type { Plugin } from "vite";

import { draw } from "./art/draw.js";
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
            const files = built.filter((name) => needed.test(name)).map((name) => `/${name}`);
            files.push(`/art/common.svg?v=${draw()}`);
            const build = createHash("sha256").update(built.sort().join("\n")).digest("hex").slice(0, 12);
            worker.code = worker.code.replaceAll("__SHELL__", JSON.stringify({ build, files }));
        },
    };
}

/** Fetch the fonts beside the scripts, so that text does not change its shape after it was shown. */
export function preloadFonts(): Plugin {
    return {
        name: "preload-fonts",
        apply: "build",
        transformIndexHtml: {
            order: "post",
            handler: (_, { bundle }) =>
                Object.keys(bundle ?? {})
                    .filter((name) => /-latin-(400|wght)-normal-.*\.woff2$/.test(name))
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
 * Provide `virtual:messages/fr`: all French words by the keys of the English texts. The client's own sentences come from
 * `src/locales/fr/`, what the server can show in a browser from its gettext catalog.
 */
export function bundleMessages(): Plugin {
    const prefix = "virtual:messages/";
    return {
        name: "bundle-messages",
        resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
        load(id) {
            if (!id.startsWith(`\0${prefix}`)) return undefined;
            const lang = id.slice(prefix.length + 1);
            const catalog = join(import.meta.dirname, `../smashup/locale/${lang}/LC_MESSAGES/smashup.po`);
            const own = join(import.meta.dirname, `src/locales/${lang}`);
            const files = readdirSync(own).map((name) => join(own, name));
            for (const file of [catalog, ...files]) this.addWatchFile(file);
            const words = readCatalog(readFileSync(catalog, "utf8"));
            for (const file of files) {
                Object.assign(words, JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
            }
            return `export default ${JSON.stringify(withShortKeys(words))}`;
        },
    };
}

function withShortKeys(words: Record<string, string>): Record<string, string> {
    const entries = Object.entries(words).map(([english, translated]) => [textKey(english), translated]);
    const keyed = Object.fromEntries(entries) as Record<string, string>;
    if (Object.keys(keyed).length < entries.length) throw new Error("Two English texts have the same key.");
    return keyed;
}

/**
 * English texts and their translations: those that the server can send, and those described by a comment, such as names,
 * card texts and the words of lists.
 */
function readCatalog(text: string): Record<string, string> {
    const words: Record<string, string> = {};
    for (const entry of text.split("\n\n")) {
        const found = /^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)/m.exec(entry);
        const [english, translated] = (found ?? []).slice(1).map(unquote);
        if (!english || !translated) continue;
        const sources = [...entry.matchAll(/^#: (.*)$/gm)].flatMap(([, list]) => list?.split(" ") ?? []);
        const isShown = sources.some((source) => /^smashup\/(bots|cards|engine|server)\//.test(source));
        const isName = /^#\. (?!argparse$)/m.test(entry);
        if (isShown || isName) words[english] = translated;
    }
    return words;
}

function unquote(lines: string): string {
    return [...lines.matchAll(/^"(.*)"$/gm)].map(([line]) => JSON.parse(line) as string).join("");
}
