import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

// The built client is packaged with the server. `npm run dev` serves the sources and passes on what is for `make serve`.
export default defineConfig({
    plugins: [svelte(), svelteTesting()],
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
