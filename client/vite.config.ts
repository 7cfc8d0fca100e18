import { createHash } from "node:crypto";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { draw } from "./art/draw.js";

/** Draws the pictures before anything asks for them; their version goes into their addresses. */
function pictures(): Plugin {
    return {
        name: "pictures",
        config: () => ({ define: { __ART_VERSION__: JSON.stringify(draw()) } }),
    };
}

/** Tells the worker what it has to keep: the program, its looks and letters, and the signs that all pages share. */
function shell(): Plugin {
    const needed = /\.(js|css)$|-latin-(400|wght)-normal-.*\.woff2$/;
    return {
        name: "shell",
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

const WORKER = "worker.js";

// The built client is packaged with the server. `npm run dev` serves the sources and passes on what is for `make serve`.
export default defineConfig({
    plugins: [pictures(), svelte(), svelteTesting(), shell()],
    build: {
        outDir: "../smashup/server/client",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        rolldownOptions: {
            input: { index: "index.html", worker: "src/worker/worker.ts" },
            // Browsers look for a newer worker under its old name.
            output: {
                entryFileNames: ({ name }) => (name === "worker" ? WORKER : "assets/[name]-[hash].js"),
            },
        },
    },
    server: {
        proxy: { "/api": { target: `http://127.0.0.1:${process.env.API_PORT ?? "8000"}`, ws: true } },
    },
    test: {
        environment: "jsdom",
        include: ["tests/**/*.test.ts"],
    },
});
