/** The lobby over HTTP, typed. Whatever goes wrong is a `Failure` that says why, in a sentence. */

import type {
    AnalysisProgress,
    BranchForm,
    Cards,
    DailyPuzzle,
    Deck,
    JoinForm,
    Lesson,
    Lobby,
    Meta,
    Problem,
    PuzzleForm,
    PuzzleHint,
    Puzzles,
    PuzzleSolution,
    PuzzleStatus,
    ReplaceForm,
    Reported,
    ReportForm,
    Rulebook,
    Ruling,
    Rulings,
    Seated,
    SeatSettings,
    Sentence,
    TableResponse,
    TableForm,
    TableInfo,
    TutorialForm,
    TutorialPlan,
} from "../protocol";
import { ALL_FACTIONS, loadFactionData } from "../cards/art/faction-data.svelte";
import { hasOwnArt, registerCards, registerFactions } from "../cards/art/art-index";
import type { Recorded } from "../replay/format";
import { serverReachability } from "./server-reachability.svelte";
import { lazyText } from "./i18n.svelte";

/** Why something was not done: show `say(failure.reason)`. */
export class ApiError extends Error {
    constructor(
        readonly reason: Sentence,
        /** The status of HTTP, or 0 where no answer came at all. */
        readonly status: number,
    ) {
        super(reason.english);
        this.name = "Failure";
    }

    /** There is no such table, or no such page. */
    get isMissing(): boolean {
        return this.status === 404;
    }

    /** No answer came: the connection, not the request, is at fault. */
    get offline(): boolean {
        return this.status === 0;
    }
}

/** The sentence to show for anything that was thrown. */
export function errorMessage(error: unknown): Sentence {
    if (error instanceof ApiError) return error.reason;
    return lazyText("Something went wrong. Reload the page and try again.");
}

type Method = "GET" | "POST" | "PATCH";

/** Requests that were sent before their page could ask, by path. */
const early = new Map<string, Promise<unknown>>();

/** Send a request whose response the next request for the same path receives. */
function sendEarly<T>(path: string, secret?: string): Promise<T> {
    const sent = fetchJson<T>("GET", path, undefined, secret);
    early.set(path, sent);
    sent.catch(() => undefined); // Whoever asks for it hears of the error.
    return sent;
}

async function request<T>(method: Method, path: string, body?: unknown, secret?: string): Promise<T> {
    const sent = method === "GET" ? early.get(path) : undefined;
    if (sent === undefined) return fetchJson<T>(method, path, body, secret);
    early.delete(path);
    return (await sent) as T;
}

async function fetchJson<T>(method: Method, path: string, body?: unknown, secret?: string): Promise<T> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (secret !== undefined) headers.Authorization = `Bearer ${secret}`;
    const asked: RequestInit = { method, headers };
    if (body !== undefined) asked.body = JSON.stringify(body);

    let response: Response;
    try {
        response = await fetch(`/api${path}`, asked);
        serverReachability.noteResponse();
    } catch {
        serverReachability.noteFailure();
        throw new ApiError(lazyText("Cannot reach the server. Check your connection and try again."), 0);
    }
    if (!response.ok) throw await failureOf(response);
    try {
        return (await response.json()) as T;
    } catch {
        throw invalidResponse(response.status);
    }
}

/** The server's own sentence, or one of ours where something between us answered instead. */
async function failureOf(response: Response): Promise<ApiError> {
    try {
        const problem = (await response.json()) as Partial<Problem>;
        if (problem.reason) return new ApiError(problem.reason, response.status);
    } catch {
        // Not from our server: a proxy's page, for instance.
    }
    return invalidResponse(response.status);
}

function invalidResponse(status: number): ApiError {
    return new ApiError(lazyText("The server sent an invalid response. Try again soon."), status);
}

function tablePath(id: string, rest = ""): string {
    return `/tables/${encodeURIComponent(id)}${rest}`;
}

async function table(asked: Promise<TableResponse>): Promise<TableInfo> {
    return (await asked).table;
}

/** Something that does not change while the page is open is asked for once; a failure is not kept. */
function memoize<T>(fetchIt: () => Promise<T>): () => Promise<T> {
    let kept: Promise<T> | null = null;
    return () => {
        kept ??= fetchIt().catch((error: unknown) => {
            kept = null;
            throw error;
        });
        return kept;
    };
}

const meta = memoize(async () => {
    const found = await request<Meta>("GET", "/meta");
    // Custom factions may use any icon, so all have to be known.
    if (!found.factions.every(({ name }) => hasOwnArt(name))) await loadFactionData([ALL_FACTIONS]);
    registerFactions(found.factions);
    return found;
});

/** The cards of a printing, with what they need to be shown. */
async function fetchCards(printing: "printed" | "current"): Promise<Cards> {
    const [found] = await Promise.all([
        request<Cards>("GET", `/cards?printing=${printing}`),
        loadFactionData([ALL_FACTIONS]),
    ]);
    if (!found.decks.every(({ faction }) => hasOwnArt(faction))) await meta();
    registerCards(found.decks);
    return found;
}

/** The printed cards of one faction, with what they need to be shown. */
async function fetchDeck(faction: string): Promise<Deck | null> {
    const [found] = await Promise.all([
        request<Cards>("GET", `/cards?printing=printed&faction=${encodeURIComponent(faction)}`),
        loadFactionData([faction]),
    ]);
    if (!hasOwnArt(faction)) await meta();
    registerCards(found.decks);
    return found.decks[0] ?? null;
}

const cardsOf = {
    printed: memoize(() => fetchCards("printed")),
    current: memoize(() => fetchCards("current")),
};

export const api = {
    meta,
    cards: (printing: "printed" | "current" = "printed"): Promise<Cards> => cardsOf[printing](),
    deck: fetchDeck,

    /** The cases about a card that were settled. */
    rulings: async (card: string): Promise<Ruling[]> => {
        const { cards } = await request<Rulings>("GET", `/rulings?card=${encodeURIComponent(card)}`);
        return cards[card] ?? [];
    },
    rulebook: (lang: string): Promise<Rulebook> => request("GET", `/rules/${lang}`),
    /** A table on which a first game is taught, and how that game is meant to go. */
    lesson: (form: TutorialForm): Promise<Lesson> => request("POST", "/tutorial", form),
    lessonPlan: memoize(() => request<TutorialPlan>("GET", "/tutorial")),

    /** All puzzles, without their solutions. */
    puzzles: memoize(async () => (await request<Puzzles>("GET", "/puzzles")).puzzles),
    dailyPuzzle: (): Promise<DailyPuzzle> => request("GET", "/puzzles/daily"),
    /** A table with the position of a puzzle. */
    beginPuzzle: (id: string, form: PuzzleForm): Promise<Seated> => request("POST", `/puzzles/${id}`, form),
    puzzleHint: (id: string, number: number): Promise<PuzzleHint> =>
        request("GET", `/puzzles/${id}/hints/${String(number)}`),
    puzzleSolution: (id: string): Promise<PuzzleSolution> => request("GET", `/puzzles/${id}/solution`),
    puzzleStatus: (id: string, secret: string): Promise<PuzzleStatus> =>
        request("GET", tablePath(id, "/puzzle"), undefined, secret),

    /** Listed tables: to join, to watch, or to see again. */
    tables: async (state: "open" | "playing" | "over"): Promise<TableInfo[]> =>
        (await request<Lobby>("GET", `/tables?state=${state}`)).tables,
    table: (id: string): Promise<TableInfo> => table(request("GET", tablePath(id))),
    found: (form: TableForm): Promise<Seated> => request("POST", "/tables", form),
    join: (id: string, form: JoinForm): Promise<Seated> => request("POST", tablePath(id, "/join"), form),

    change: (id: string, secret: string, what: SeatSettings): Promise<TableInfo> =>
        table(request("PATCH", tablePath(id, "/seat"), what, secret)),
    leave: (id: string, secret: string): Promise<TableInfo> =>
        table(request("POST", tablePath(id, "/leave"), undefined, secret)),
    comeBack: (id: string, secret: string): Promise<TableInfo> =>
        table(request("POST", tablePath(id, "/return"), undefined, secret)),
    resign: (id: string, secret: string): Promise<TableInfo> =>
        table(request("POST", tablePath(id, "/resign"), undefined, secret)),
    replace: (id: string, secret: string, seat: number, form: ReplaceForm): Promise<TableInfo> =>
        table(request("POST", tablePath(id, `/seats/${String(seat)}/replace`), form, secret)),
    /** Tell who runs the server of a mistake, or of something that was said. */
    report: (id: string, secret: string | null, form: ReportForm): Promise<Reported> =>
        request("POST", tablePath(id, "/reports"), form, secret ?? undefined),
    /** The recording of a finished game. Tables without spectators show it only to their players. */
    replay: (id: string, secret: string | null): Promise<Recorded> =>
        request("GET", tablePath(id, "/replay"), undefined, secret ?? undefined),
    /** The save file of a finished game. */
    save: (id: string, secret: string | null): Promise<unknown> =>
        request("GET", tablePath(id, "/save"), undefined, secret ?? undefined),
    /** Start the analysis of a finished game; one that is complete or under way is returned. */
    startAnalysis: (id: string, secret: string | null): Promise<AnalysisProgress> =>
        request("POST", tablePath(id, "/analysis"), undefined, secret ?? undefined),
    /** A new table that goes on from a step of a finished game. */
    branch: (id: string, secret: string | null, form: BranchForm): Promise<Seated> =>
        request("POST", tablePath(id, "/branch"), form, secret ?? undefined),
    /** Requests whose responses are kept for the page that is still loading. */
    early: {
        table: (id: string): Promise<TableResponse> => sendEarly(tablePath(id)),
        replay: (id: string, secret: string | null): void =>
            void sendEarly(tablePath(id, "/replay"), secret ?? undefined),
        puzzles: (): void => {
            void sendEarly("/puzzles");
            void sendEarly("/puzzles/daily");
        },
    },
    /** The table of the next game; its seats open with the same secrets. */
    rematch: (id: string, secret: string): Promise<TableInfo> =>
        table(request("POST", tablePath(id, "/rematch"), undefined, secret)),
};
