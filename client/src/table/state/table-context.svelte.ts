/** Everything the parts of a table share: what is seen, who sits where, what can be chosen. */

import { getContext, setContext } from "svelte";

import { settings } from "../../lib/settings.svelte";
import { t, gameText } from "../../lib/i18n.svelte";
import type { OpenSocket } from "../../net/connection.svelte";
import { botName } from "../../pages/seat-names";
import type { Face, SeatInfo, SeatTaken, Sentence } from "../../protocol";
import { HintState } from "./hint.svelte";
import { CardIndex } from "./card-index.svelte";
import { endsTurn, type Choice } from "./choices";
import { Chooser, type OpenDecision } from "./chooser.svelte";
import { PlayPreview } from "./play-preview.svelte";
import { LocalSeats } from "./local-seats.svelte";
import { messageParts, messageText, type MessagePart, type Translator } from "../cards/message-parts";
import { ChatState } from "../chat/chat-state.svelte";

export class TableContext {
    readonly id: string;
    /** Whether a game that is over is seen again, over the shoulder of any seat. */
    readonly recorded: boolean;
    readonly localSeats: LocalSeats;
    readonly cardIndex = new CardIndex();
    readonly chooser: Chooser;
    readonly playPreview: PlayPreview;
    readonly hints: HintState;
    readonly chatState: ChatState;
    /** A card to look at closely, with whatever hides it away. */
    zoomedCard = $state.raw<Face | null>(null);
    /** Whether the list of keyboard shortcuts is open. */
    shortcuts = $state(false);
    /** Whether the explanation of the symbols is open. */
    legend = $state(false);

    /** Without a `dial` the table is the server's; a recording brings its own, and no player in it is "you". */
    constructor(id: string, seats: SeatTaken[], openSocket?: OpenSocket) {
        this.id = id;
        this.recorded = openSocket !== undefined;
        this.localSeats = new LocalSeats(id, seats, openSocket);
        this.chooser = new Chooser(
            () => this.#openDecision(),
            (options, done) => {
                this.connection.answer(options, done);
            },
        );
        this.playPreview = new PlayPreview(this.chooser, (option) => this.connection.preview(option));
        this.hints = new HintState(this.chooser, () => this.connection.hint());
        this.chatState = new ChatState(
            id,
            () => this.connection.chat,
            () => this.me,
        );
        for (const { connection } of this.localSeats.all) {
            connection.listen((frame) => {
                if (frame.rewound === null) return;
                this.chooser.forget();
                this.hints.forget();
            });
        }
    }

    get connection() {
        return this.localSeats.current.connection;
    }

    get playback() {
        return this.localSeats.current.playback;
    }

    get secret(): string | null {
        return this.localSeats.current.secret;
    }

    view = $derived.by(() => this.playback.view);
    table = $derived.by(() => this.connection.table);
    me = $derived.by(() => this.connection.seat);
    /** The player who is called "you": the one at the screen; none in a replay. */
    you = $derived.by(() => (this.recorded ? null : this.me));
    names = $derived.by(() => (this.table?.seats ?? []).map(nameOf));
    translator = $derived.by((): Translator => ({
        lang: settings.lang,
        translate: gameText,
        names: this.names,
    }));
    /** The latest frame of the server: clocks, win probabilities, undo requests. */
    latest = $derived.by(() => this.connection.latest);
    /** Whether what is shown is what is so. */
    isUpToDate = $derived.by(() => this.playback.pendingSteps === 0);

    messageText(sentence: Sentence): string {
        return messageText(sentence, this.translator);
    }

    /** What an option is called; the one that ends the turn always by the same name. */
    labelOf(choice: Choice): string {
        return endsTurn(choice) ? t("End turn") : this.messageText(choice.option.label);
    }

    messageParts(sentence: Sentence): MessagePart[] {
        return messageParts(sentence, this.translator);
    }

    nameOf(player: number): string {
        return this.names[player] ?? t("Player {number}", { number: player + 1 });
    }

    /** "You", or a name. */
    displayName(player: number): string {
        return player === this.you ? t("You") : this.nameOf(player);
    }

    seatOf(player: number): SeatInfo | null {
        return this.table?.seats[player] ?? null;
    }

    close(): void {
        this.localSeats.close();
    }

    #openDecision(): OpenDecision | null {
        const { connection, localSeats } = this;
        const { view, number, seat, sending } = connection;
        const decision = view?.decision;
        if (!view || !decision?.options || number === null || decision.player !== seat) return null;
        if (!this.isUpToDate || localSeats.isCovered || sending > 0) return null;
        return { view, decision, number };
    }
}

function nameOf(seat: SeatInfo): string {
    if (seat.name !== "") return seat.name;
    if (seat.kind === "bot") return botName(seat.number);
    return t("Player {number}", { number: seat.number + 1 });
}

const CONTEXT_KEY = Symbol("table");

export function setTableContext(ctx: TableContext): TableContext {
    return setContext(CONTEXT_KEY, ctx);
}

export function getTableContext(): TableContext {
    return getContext<TableContext>(CONTEXT_KEY);
}
