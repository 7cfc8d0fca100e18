/** What a player should notice: bases that scored, and what others did to the player's cards. */

import type { Frame } from "../../net/connection.svelte";
import type { View } from "../../protocol";
import { findLosses, type Loss } from "./losses";
import { findScores, type BaseScore } from "./base-scores";

export class Notices {
    /** What was done to the player's cards and was not seen yet. */
    losses = $state.raw<Loss[]>([]);
    /** The bases that scored lately. */
    scores = $state.raw<BaseScore[]>([]);

    /** A step of the game is being shown to a seat. */
    note(before: View | null, frame: Frame, me: number | null): void {
        const after = frame.view;
        if (after === null) return;
        if (frame.rewound !== null) this.#keep((turn) => turn < after.turn);
        if (frame.type === "snapshot" || before === null) return;
        const { changes, lines } = frame;
        this.scores = findScores(changes, before, this.scores);
        if (me === null) return;
        // A player who ends a turn has had time to look at what happened before it.
        if (before.current === me && after.current !== me) this.#keep((turn) => turn >= before.turn);
        const known = this.losses.map(({ key }) => key);
        const news = findLosses({ before, after, changes, lines }, me).filter(
            ({ key }) => !known.includes(key),
        );
        if (news.length > 0) this.losses = [...this.losses, ...news];
    }

    /** What happened to a card that is still in play. */
    lossOf(card: number | undefined): Loss | null {
        return this.losses.findLast((loss) => loss.card.id === card) ?? null;
    }

    /** Whether a log line is about something that was not seen yet. */
    isMarked(line: number): boolean {
        return this.losses.some(({ lines }) => lines.includes(line));
    }

    /** The player has noticed all of these. */
    see(seen: Loss[]): void {
        this.losses = this.losses.filter((loss) => !seen.includes(loss));
    }

    dismissScore(score: BaseScore): void {
        this.scores = this.scores.filter((other) => other !== score);
    }

    #keep(isKept: (turn: number) => boolean): void {
        this.losses = this.losses.filter(({ turn }) => isKept(turn));
        this.scores = this.scores.filter(({ turn }) => isKept(turn));
    }
}
