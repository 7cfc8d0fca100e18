import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

import {
    bundleFactions,
    bundleMessages,
    compressFiles,
    drawArt,
    listOfflineFiles,
    listPreloads,
    OUT_DIR,
    preloadFonts,
    WORKER,
} from "./build-plugins.ts";

/** The name of a shared chunk lists all pages that use it; the first part is enough. */
function shortName(name: string): string {
    return name.split("~")[0] ?? name;
}

// The built client is packaged with the server. `npm run dev` serves the sources and passes on what is for `make serve`.
export default defineConfig({
    plugins: [
        drawArt(),
        bundleMessages(),
        bundleFactions(),
        svelte(),
        svelteTesting(),
        listOfflineFiles(),
        listPreloads(),
        preloadFonts(),
        compressFiles(),
    ],
    build: {
        outDir: OUT_DIR,
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        license: { fileName: "licenses.md" },
        rolldownOptions: {
            input: { index: "index.html", worker: "src/worker/worker.ts" },
            checks: { bundlerTimings: false },
            // Browsers look for a newer worker under its old name.
            output: {
                codeSplitting: {
                    groups: [
                        {
                            name: "core",
                            tags: ["$initial"],
                            test: (id) => !id.includes("/worker/"),
                            priority: 2,
                        },
                        {
                            name: "shared",
                            test: (id) => !id.includes("/worker/"),
                            minShareCount: 2,
                            entriesAware: true,
                            entriesAwareMergeThreshold: 2_500,
                            priority: 1,
                        },
                    ],
                },
                chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
                assetFileNames: ({ names }) =>
                    `assets/${shortName(names[0]?.replace(/\.\w+$/, "") ?? "file")}-[hash][extname]`,
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
