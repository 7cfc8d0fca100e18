/** The deck of a player, card by card: what of it has been seen, and what is still to come. */

import type { CardInfo, Face, InPlay, PlayerView, View } from "../../protocol";

/** Where copies of a card are, as far as the viewer knows. */
export interface Copies {
    card: CardInfo;
    faction: string;
    inPlay: number;
    discarded: number;
    /** In the hand: one's own, or what is known of another's. */
    inHand: number;
    /** Known to lie in the deck. */
    inDeck: number;
    /** In a hand or a deck, unknown which. */
    unseen: number;
}

/** Every card of a player's two factions. */
export function listCopies(
    player: PlayerView,
    view: View,
    cardsOf: (faction: string) => CardInfo[],
): Copies[] {
    const own = (faces: Face[]): Face[] => faces.filter(({ owner }) => owner === player.index);
    const inPlay = count(own(allInPlay(view)));
    const discarded = count(own(view.players.flatMap(({ discard }) => discard)));
    const inHand = count(own(view.players.flatMap(({ hand }) => hand)));
    const inDeck = count(own(view.players.flatMap((one) => one.deck_known.map(({ card }) => card))));
    return player.factions.flatMap((faction) =>
        cardsOf(faction).map((card) => {
            const at = (found: Map<string, number>): number => found.get(card.name) ?? 0;
            const seen = at(inPlay) + at(discarded) + at(inHand) + at(inDeck);
            return {
                card,
                faction,
                inPlay: at(inPlay),
                discarded: at(discarded),
                inHand: at(inHand),
                inDeck: at(inDeck),
                unseen: Math.max(0, card.copies - seen),
            };
        }),
    );
}

/** Cards at bases, on others, set aside and just being played. What is face down counts as unseen. */
function allInPlay(view: View): Face[] {
    const withActions = (card: InPlay): Face[] => [card, ...(card.actions ?? []).flatMap(withActions)];
    return [
        ...view.bases.flatMap((base) => base.cards.flatMap(withActions)),
        ...view.limbo,
        ...view.players.flatMap(({ aside }) => aside),
    ];
}

function count(faces: Face[]): Map<string, number> {
    const found = new Map<string, number>();
    for (const { name } of faces) if (name !== undefined) found.set(name, (found.get(name) ?? 0) + 1);
    return found;
}
