/** Which page is shown, from the address. Links are plain `<a href>`; clicks on them stay in the client. */

export type Route =
    | { page: "home" }
    | { page: "new"; kind: "bots" | "friends" | "here" }
    | { page: "tables" }
    | { page: "table"; id: string }
    | { page: "replay"; id: string }
    | { page: "factions"; faction: string | null }
    | { page: "learn" }
    | { page: "rules" }
    | { page: "cards"; card: string | null }
    | { page: "puzzles" }
    | { page: "puzzle"; id: string }
    | { page: "about" }
    | { page: "lost" };

function decodePart(part: string): string {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** What the server answers with the client: keep in step with `smashup/server/http/app.py`. */
export function parse(path: string): Route {
    const [first = "", second, ...rest] = path.split("/").filter(Boolean).map(decodePart);
    if (rest.length > 0) return { page: "lost" };
    if (first === "" && second === undefined) return { page: "home" };
    if (first === "new" && (second === "bots" || second === "friends" || second === "here")) {
        return { page: "new", kind: second };
    }
    if (first === "tables" && second === undefined) return { page: "tables" };
    if (first === "table" && second !== undefined) return { page: "table", id: second };
    if (first === "replay" && second !== undefined) return { page: "replay", id: second };
    if (first === "factions") return { page: "factions", faction: second ?? null };
    if (first === "learn" && second === undefined) return { page: "learn" };
    if (first === "rules" && second === undefined) return { page: "rules" };
    if (first === "cards") return { page: "cards", card: second ?? null };
    if (first === "puzzles" && second === undefined) return { page: "puzzles" };
    if (first === "puzzles" && second !== undefined) return { page: "puzzle", id: second };
    if (first === "about" && second === undefined) return { page: "about" };
    return { page: "lost" };
}

class Router {
    route = $state<Route>(parse(location.pathname));
    /** What follows the question mark. */
    query = $state(location.search);

    constructor() {
        addEventListener("popstate", () => {
            this.#arrive();
        });
        addEventListener("click", (event) => this.#follow(event));
    }

    /** Show another page of the client. */
    go(path: string, replace = false): void {
        if (replace) history.replaceState(null, "", path);
        else history.pushState(null, "", path);
        this.#arrive();
        scrollTo(0, 0);
    }

    /** Keep what a page shows in its address, without going anywhere. */
    note(query: string): void {
        history.replaceState(null, "", `${location.pathname}${query}${location.hash}`);
        this.query = query;
    }

    #arrive(): void {
        this.route = parse(location.pathname);
        this.query = location.search;
    }

    #follow(event: MouseEvent): void {
        if (event.defaultPrevented || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        const link = (event.target as Element | null)?.closest("a");
        if (!link || link.target || link.hasAttribute("download")) return;
        if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
        if (link.hash && link.pathname === location.pathname) return;
        event.preventDefault();
        this.go(link.pathname + link.search + link.hash);
    }
}

export const router = new Router();
