/** Everything the parts of a table share: what is seen, who sits where, what can be chosen. */

import { getContext, setContext } from "svelte";

import { settings } from "../lib/settings.svelte";
import { t, word } from "../lib/words.svelte";
import type { Dial } from "../net/connection.svelte";
import { botName } from "../pages/seat-names";
import type { Face, SeatInfo, SeatTaken, Sentence } from "../protocol";
import { Advice } from "./advice.svelte";
import { Book } from "./book.svelte";
import { endsTurn, type Way } from "./choices";
import { Chooser, type Asked } from "./chooser.svelte";
import { Foresight } from "./foresight.svelte";
import { Room } from "./room.svelte";
import { pieces, spoken, type Piece, type Tongue } from "./sentences";
import { Talk } from "./talk.svelte";

export class Scene {
    readonly id: string;
    /** Whether a game that is over is seen again, over the shoulder of any seat. */
    readonly recorded: boolean;
    readonly room: Room;
    readonly book = new Book();
    readonly chooser: Chooser;
    readonly foresight: Foresight;
    readonly advice: Advice;
    readonly talk: Talk;
    /** A card to look at closely, with whatever hides it away. */
    closeUp = $state.raw<Face | null>(null);
    /** Whether the list of keyboard shortcuts is open. */
    shortcuts = $state(false);
    /** Whether the explanation of the symbols is open. */
    legend = $state(false);

    /** Without a `dial` the table is the server's; a recording brings its own, and nobody in it is "you". */
    constructor(id: string, seats: SeatTaken[], dial?: Dial) {
        this.id = id;
        this.recorded = dial !== undefined;
        this.room = new Room(id, seats, dial);
        this.chooser = new Chooser(
            () => this.#asked(),
            (options, done) => {
                this.connection.answer(options, done);
            },
        );
        this.foresight = new Foresight(this.chooser, (option) => this.connection.preview(option));
        this.advice = new Advice(this.chooser, () => this.connection.hint());
        this.talk = new Talk(
            id,
            () => this.connection.chat,
            () => this.me,
        );
        for (const { connection } of this.room.places) {
            connection.listen((frame) => {
                if (frame.rewound === null) return;
                this.chooser.forget();
                this.advice.forget();
            });
        }
    }

    get connection() {
        return this.room.place.connection;
    }

    get playback() {
        return this.room.place.playback;
    }

    get secret(): string | null {
        return this.room.place.secret;
    }

    view = $derived.by(() => this.playback.view);
    table = $derived.by(() => this.connection.table);
    me = $derived.by(() => this.connection.seat);
    /** Who is called "you": whoever looks, unless they only look over a shoulder. */
    you = $derived.by(() => (this.recorded ? null : this.me));
    names = $derived.by(() => (this.table?.seats ?? []).map(nameOf));
    tongue = $derived.by((): Tongue => ({ lang: settings.lang, translate: word, names: this.names }));
    /** Clocks, chances, wishes to take something back: as the server told last. */
    latest = $derived.by(() => this.connection.latest);
    /** Whether what is shown is what is so. */
    upToDate = $derived.by(() => this.playback.behind === 0);

    say(sentence: Sentence): string {
        return spoken(sentence, this.tongue);
    }

    /** What an option is called; the one that ends the turn always by the same name. */
    labelOf(way: Way): string {
        return endsTurn(way) ? t("End turn") : this.say(way.option.label);
    }

    pieces(sentence: Sentence): Piece[] {
        return pieces(sentence, this.tongue);
    }

    nameOf(player: number): string {
        return this.names[player] ?? t("Player {number}", { number: player + 1 });
    }

    /** "You", or a name. */
    callOf(player: number): string {
        return player === this.you ? t("You") : this.nameOf(player);
    }

    seatOf(player: number): SeatInfo | null {
        return this.table?.seats[player] ?? null;
    }

    close(): void {
        this.room.close();
    }

    #asked(): Asked | null {
        const { connection, room } = this;
        const { view, number, seat, sending } = connection;
        const decision = view?.decision;
        if (!view || !decision?.options || number === null || decision.player !== seat) return null;
        if (!this.upToDate || room.covered || sending > 0) return null;
        return { view, decision, number };
    }
}

function nameOf(seat: SeatInfo): string {
    if (seat.name !== "") return seat.name;
    if (seat.kind === "bot") return botName(seat.number);
    return t("Player {number}", { number: seat.number + 1 });
}

const KEY = Symbol("scene");

export function shareScene(scene: Scene): Scene {
    return setContext(KEY, scene);
}

export function theScene(): Scene {
    return getContext<Scene>(KEY);
}
