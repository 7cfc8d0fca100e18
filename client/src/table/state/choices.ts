/**
 * The options of a decision as things to click: first what is played, then where.
 *
 * The server lists options one by one ("play this card at that base"). Here each becomes a way from a spot
 * to a spot, so that choices can be made on the cards, bases and players themselves.
 */

import type { DecisionView, Face, OptionView, View } from "../../protocol";

/** Something that can be clicked: "card:12", "base:3" (its serial), "player:0", "faction:Ninjas", or the table. */
export type Spot = `${"card" | "base" | "player" | "faction"}:${string}` | "table";

/** An option as a way: what is taken up first (if anything), and where it goes (if anywhere). */
export interface Choice {
    option: OptionView;
    from: Spot | null;
    to: Spot | null;
}

export const NO_SPOTS: ReadonlySet<Spot> = new Set();

export const cardSpot = (id: number): Spot => `card:${String(id)}`;
export const baseSpot = (serial: number): Spot => `base:${String(serial)}`;
export const playerSpot = (player: number): Spot => `player:${String(player)}`;
export const factionSpot = (faction: string): Spot => `faction:${faction}`;

/** Every option of a decision as a way. */
export function choicesOf(decision: DecisionView, view: View): Choice[] {
    return (decision.options ?? []).map((option) => choiceOf(option, view));
}

function choiceOf(option: OptionView, view: View): Choice {
    const card = option.card?.id === undefined ? null : spotOfCard(option.card.id, view);
    if (option.verb === "play") {
        if (option.host !== undefined) return { option, from: card, to: cardSpot(option.host) };
        if (option.base !== undefined) return { option, from: card, to: baseSpot(option.base) };
        return { option, from: card, to: "table" };
    }
    if (isAbility(option)) return { option, from: card, to: card };
    if (option.base !== undefined) return { option, from: null, to: baseSpot(option.base) };
    if (option.faction !== undefined) return { option, from: null, to: factionSpot(option.faction) };
    if (option.player !== undefined) return { option, from: null, to: playerSpot(option.player) };
    return { option, from: null, to: card };
}

/** Whether an option uses an ability of a card in play: its talent, or its Special in a scoring window. */
export function isAbility(option: OptionView): boolean {
    return option.verb === "talent" || option.verb === "special";
}

/** Where a card is clicked: a base card in play is its base. */
export function spotOfCard(id: number, view: View): Spot {
    const base = view.bases.find((candidate) => candidate.id === id);
    return base ? baseSpot(base.serial) : cardSpot(id);
}

/** Where the cards are that a question is about, except the one that asks it. */
export function subjectSpots({ subjects, source }: DecisionView, view: View): Set<Spot> {
    const ids = (subjects ?? []).filter((id) => id !== source?.id);
    return new Set(ids.map((id) => spotOfCard(id, view)));
}

/** What can be clicked on the board or in the hand of this seat, whatever the decision. */
export function visibleSpots(view: View): Set<Spot> {
    const shown = new Set<Spot>(["table"]);
    const add = (cards: Face[]) => {
        for (const card of cards) if (card.id !== undefined) shown.add(cardSpot(card.id));
    };
    for (const base of view.bases) {
        shown.add(baseSpot(base.serial));
        add(base.cards);
        for (const card of base.cards) add(card.actions ?? []);
    }
    for (const player of view.players) {
        shown.add(playerSpot(player.index));
        if (player.index === view.you) add(player.hand);
        add(player.aside);
    }
    return shown;
}

/** A move of the menu that needs no card: end the phase, pass, keep for later. */
export function isWithoutCard(choice: Choice): boolean {
    return choice.from === null && choice.to === null;
}

/** The option that ends the turn: it has a button of its own. */
export function endsTurn({ option }: Choice): boolean {
    return option.verb === "done";
}

/** The first clicks there are: cards to take up, or things to pick at once. */
export function startSpots(choices: Choice[]): Set<Spot> {
    return new Set(choices.map((choice) => choice.from ?? choice.to).filter((spot) => spot !== null));
}

/** Where something that was taken up can go. */
export function targetSpots(choices: Choice[], from: Spot): Set<Spot> {
    const found = choices.filter((choice) => choice.from === from).map((choice) => choice.to);
    return new Set(found.filter((spot) => spot !== null));
}

/** The options that a pair of clicks stands for; more than one if the plays they use up differ. */
export function choicesBetween(choices: Choice[], from: Spot | null, to: Spot): Choice[] {
    return choices.filter((choice) => choice.from === from && choice.to === to);
}

/** Options that end the play phase while something could still be played or used. */
export function wastesPlays(choice: Choice, choices: Choice[]): boolean {
    return endsTurn(choice) && choices.some((other) => other.option.verb === "play");
}
