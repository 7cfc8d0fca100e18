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

// The built client is packaged with the server. `npm run dev` serves the sources and passes on what is for `make serve`.
export default defineConfig({
    plugins: [pictures(), svelte(), svelteTesting()],
    build: {
        outDir: "../smashup/server/client",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
    },
    server: {
        proxy: { "/api": { target: `http://127.0.0.1:${process.env.API_PORT ?? "8000"}`, ws: true } },
    },
    test: {
        environment: "jsdom",
        include: ["tests/**/*.test.ts"],
    },
});
