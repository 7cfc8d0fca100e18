"""The names of the members of `Card`, `Base` and `Player` in version 0.1.

A plug-in that uses such a name gets an error that names the replacement; docs/migration.md lists
them all.
"""

from __future__ import annotations

from typing import Final, NoReturn

from smashup.engine.card_api.base import Base
from smashup.engine.card_api.card import Card
from smashup.engine.card_api.player import Player
from smashup.engine.errors import CardError

OLD_CARD_MEMBERS: Final = {
    "t": "table",
    "copy_ability_for_turn": "copy_ability(card, until=END_OF_TURN)",
    "decline": "mark_unused()",
    "discard_from_play": "put(me, to=DISCARD)",
    "everybody": "all_players()",
    "gain_power_until_end_of_your_turn": "gain_power(cards, amount, until=END_OF_YOUR_TURN)",
    "gain_power_until_your_next_turn": "gain_power(cards, amount, until=YOUR_NEXT_TURN)",
    "give_control": "controller.give_control(card, to)",
    "goes_to_bottom": "goes_to(DECK_BOTTOM)",
    "goes_to_hand": "goes_to(HAND)",
    "is_aside": "is_in(SET_ASIDE)",
    "is_buried": "is_in(BURIED)",
    "is_in_discard": "is_in(DISCARD)",
    "is_in_hand": "is_in(HAND)",
    "is_on_base": "is_in(AT_BASE)",
    "is_resolving": "is_in(LIMBO)",
    "is_standard_action": "is_action and card.played_on == STANDARD",
    "later": "controller.at_end_of_turn(definition, card)",
    "may_choose_mode": "choose_mode(*modes, optional=True)",
    "others": "other_players()",
    "place_on_bottom": "put(cards, to=DECK_BOTTOM)",
    "place_on_top": "put(cards, to=DECK_TOP)",
    "plays_on_base": "played_on == ON_BASE",
    "plays_on_minion": "played_on == ON_MINION",
    "set_tokens": "tokens = count",
    "shuffle_into_deck": "put(cards, to=DECK_SHUFFLED)",
    "transfer_action": "transfer(action, to)",
    "transfer_or_discard": "transfer(me, to)",
    "unuse": "unmark_used(player)",
    "use": "mark_used(player)",
    "used": "used_this_turn(player)",
}
OLD_BASE_MEMBERS: Final = {
    "t": "table",
    "actions_of": "actions(of=player, on_minions=True)",
    "minions_of": "minions(of=player)",
    "titans": "card.titans_in_play(at=base)",
}
OLD_PLAYER_MEMBERS: Final = {
    "t": "table",
    "actions_discarded": "discarded(ACTION)",
    "arrange": "put_back(cards, in_any_order=True)",
    "bring_next_base": "set_next_base(source, base)",
    "bring_no_base": "set_next_base(source, None)",
    "can_play_titan": "can_play(titan)",
    "choose_distinct": "choose(prompt, cards)",
    "deck": "deck_cards()",
    "deck_minions": "deck_cards(MINION)",
    "draw_madness": "draw(count, deck=MADNESS_DECK)",
    "everybody": "me.all_players()",
    "is_current": "is_on_turn",
    "later": "at_end_of_turn(definition, card)",
    "look": "look_at_deck(count)",
    "look_at_bottom": "look_at_deck(count, bottom=True)",
    "look_at_buried": "look_at(cards)",
    "look_at_hand": "look_at(other.hand)",
    "may_choose_mode": "choose_mode(*modes, optional=True)",
    "minions_discarded": "discarded(MINION)",
    "others": "other_players()",
    "play_found": "play(card)",
    "play_titan": "play(titan, at=bases, must=True)",
    "put_base_on_top": "put(base, to=DECK_TOP)",
    "put_on_bottom": "put(cards, to=DECK_BOTTOM)",
    "put_on_top": "put(cards, to=DECK_TOP)",
    "random_base": "pick_random(bases)",
    "random_of": "pick_random(cards)",
    "return_madness": "put(card, to=MADNESS_DECK)",
    "reveal": "reveal_from_deck(count)",
    "show_cards": "show(cards)",
    "show_hand": "show(player.hand)",
    "shuffle_back": "put_back(cards, to=DECK_SHUFFLED)",
    "shuffle_in": "put(cards, to=DECK_SHUFFLED)",
    "take_to_hand": "put(cards, to=HAND)",
    "titan": "me.titan(name)",
    "top_or_bottom": "put_back(card, to=DECK_TOP_OR_BOTTOM)",
}


def raise_explained(error: AttributeError) -> NoReturn:
    """Raise the error; if a card used a name of version 0.1, raise one with the new name."""
    handle = error.obj
    old = str(error.name)
    new: str | None = None
    if isinstance(handle, Card):
        new = OLD_CARD_MEMBERS.get(old)
    elif isinstance(handle, Base):
        new = OLD_BASE_MEMBERS.get(old)
    elif isinstance(handle, Player):
        new = OLD_PLAYER_MEMBERS.get(old)
    if new is None:
        raise error
    raise CardError(
        "A card uses {old} of a {handle}, which is {new} now.",
        old=old,
        handle=type(handle).__name__,
        new=new,
    ) from error
