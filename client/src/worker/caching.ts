/** What the worker does with a request. It keeps the client, and nothing that the server says. */

/**
 * `page`: ask the server, and show the kept client if it does not answer.
 * `kept`: its name says what is in it, so a copy is as good as the original.
 * `server`: none of the worker's business.
 */
export type CachingRule = "page" | "kept" | "server";

export function cachingRule(address: URL, home: string, mode: string, method = "GET"): CachingRule {
    const { pathname, search } = address;
    if (address.origin !== home || method !== "GET") return "server";
    if (pathname === "/api" || pathname.startsWith("/api/")) return "server";
    if (mode === "navigate") return "page";
    if (pathname.startsWith("/assets/")) return "kept";
    return pathname.startsWith("/art/") && search.startsWith("?v=") ? "kept" : "server";
}
