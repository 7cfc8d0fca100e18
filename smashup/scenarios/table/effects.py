"""The effects that abilities of fixtures can have, described in YAML.

An ability is a list of effects, or ``{when: ..., do: [...]}``. An effect is one word and what it
applies to; a selector such as ``{what: minion, of: others, here: true}`` chooses cards.
"""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.card_api import Card, Player
from smashup.engine.model.constants import (
    ACTION,
    ANYONE,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DESTROYED,
    DISCARD,
    END_OF_TURN,
    HAND,
    MADNESS_DECK,
    MINION,
    ON_BASE,
    OTHERS,
    RETURNED,
    SCORED,
    WHILE_IN_PLAY,
    YOURS,
)
from smashup.engine.model.events import Event
from smashup.engine.rules import scoring
from smashup.scenarios.table.director import ScenarioDirector

WHOSE: Final = {"yours": YOURS, "others": OTHERS, "any": ANYONE}
HOW: Final = {"destroyed": DESTROYED, "returned": RETURNED, "scored": SCORED}


class Ability:
    """One ability of a fixture: when it applies and what it does."""

    def __init__(self, key: str, spec: Any) -> None:
        self.key = key
        self.when: dict[str, Any] = {}
        effects = spec
        if isinstance(spec, dict) and "do" in spec:
            self.when = spec.get("when") or {}
            effects = spec["do"]
        self.effects: list[Any] = [effects] if isinstance(effects, dict) else effects


def matches(ability: Ability, me: Card, ev: Event) -> bool:
    """Whether an event is one the ability reacts to."""
    when = ability.when
    you = _you(me, ev)
    by = when.get("by", "you" if ability.key in ("start_of_turn", "end_of_turn") else "any")
    if by != "any" and not me.is_base and (ev.player is you) != (by == "you"):
        return False
    if "turn" in when and not _is_turn(me, you, when["turn"]):
        return False
    card: Card | None = getattr(ev, "card", None)
    what = when.get("what", "any")
    if what != "any" and (card is None or not _is(card, what)):
        return False
    if when.get("here") and ev.base is not me.base and ev.origin is not me.base:
        return False
    if "me" in when and (card is me) != bool(when["me"]):
        return False
    if "how" in when and ev.how != HOW.get(when["how"], -1):
        return False
    if when.get("first") and ev.amount != 1:
        return False
    if when.get("on_base") and (card is None or card.played_on != ON_BASE):
        return False
    if "affects" in when and not any(c in ev.affected for c in select(me, when["affects"], ev)):
        return False
    if when.get("once") and me.used_this_turn(you):
        return False
    if "won_by" in when and (you in ev.winners) != (when["won_by"] == "you"):
        return False
    if when.get("not_owned"):
        cards = ev.cards or ([card] if card is not None else [])
        return any(c.owner is not ev.player for c in cards)
    return True


def _is_turn(me: Card, you: Player, turn: str) -> bool:
    return (
        (turn == "yours" and you is me.all_players()[0])
        or (turn == "on" and you.is_on_turn)
        or (turn == "during" and you.is_during_turn)
    )


def _is(card: Card, what: str) -> bool:
    return (
        what in ("card", "any")
        or (what == "minion" and card.is_minion)
        or (what == "action" and card.is_action)
        or (what == "titan" and card.is_titan)
        or (what == "base" and card.is_base)
    )


def select(me: Card, spec: Any, ev: Event | None) -> list[Card]:
    """Return the cards a selector matches."""
    if spec == "me":
        return [me]
    if spec == "host":
        return [me.host] if me.host is not None else []
    if spec == "it":
        return [ev.card] if ev is not None else []
    what = spec.get("what", "minion")
    of = WHOSE[spec.get("of", "any")]
    you = _you(me, ev)
    affected = ev.affected if ev is not None else []
    found = []
    for card in [*me.cards_in_play(), *(b.card for b in me.bases() if what in ("base", "card"))]:
        if not _is(card, what) or (spec.get("but_me") and card is me):
            continue
        if of != ANYONE and (card.controller is you) != (of == YOURS):
            continue
        if spec.get("owned") and card.owner is not you:
            continue
        if spec.get("affected") and card not in affected:
            continue
        if spec.get("here") and card.base is not me.base:
            continue
        if spec.get("scoring") and card.base is not me.scoring_base:
            continue
        if "max" in spec and card.power > spec["max"]:
            continue
        if "min" in spec and card.power < spec["min"]:
            continue
        if "printed_max" in spec and card.printed_power > spec["printed_max"]:
            continue
        if "named" in spec and not card.is_named(spec["named"]):
            continue
        found.append(card)
    return found


def pick(me: Card, spec: Any, ev: Event | None) -> list[Card]:
    """Return the cards an effect applies to: all matching ones, or those that "you" choose."""
    cards = select(me, spec, ev)
    if not isinstance(spec, dict):
        return cards
    you = _you(me, ev)
    if spec.get("one_base"):
        base = you.choose_base("Choose a base.", me.bases())
        cards = [c for c in cards if c.base is base]
    if spec.get("all"):
        return cards
    if spec.get("some"):
        return you.choose_some("Choose any number of cards.", cards)
    card = you.target("Choose a card.", cards, optional=bool(spec.get("may")))
    return [card] if card is not None else []


def run(ability: Ability, me: Card, ev: Event | None) -> None:
    if isinstance(me.table.table_script, ScenarioDirector):
        me.table.table_script.count_ability()
    if ability.when.get("once"):
        if me.used_this_turn(_you(me, ev)):
            return
        me.mark_used(_you(me, ev))
    _do_all(ability.effects, me, ev)


def _do_all(effects: list[Any], me: Card, ev: Event | None) -> None:
    for effect in effects:
        for word, spec in effect.items():
            _do(word, spec, me, ev)


def _do(word: str, spec: Any, me: Card, ev: Event | None) -> None:
    you = _you(me, ev)
    if word == "draw":
        you.draw(spec)
    elif word == "discard":
        you.discard_from_hand(spec)
    elif word == "they_discard":
        if ev is not None:
            ev.player.discard_from_hand(spec)
    elif word == "vp":
        you.gain_vp(spec)
    elif word == "extra_turn":
        you.take_extra_turn()
    elif word in ("extra_minion", "extra_action"):
        for _ in range(spec if isinstance(spec, int) else 1):
            if word == "extra_minion":
                you.extra_minion(**_limits(spec, me))
            else:
                you.extra_action(**_limits(spec, me))
    elif word == "reduce_breakpoint":
        me.base.reduce_breakpoint(spec)
    elif word == "play_off_top":
        types = MINION if spec.get("what", "minion") == "minion" else ACTION
        you.play_off_top(types, me.base if spec.get("here") else None, spec.get("count", 1))
    elif word == "reveal":
        you.put_back(you.reveal_from_deck(spec))
    elif word == "swap_off_top":
        _swap_off_top(me, spec, ev)
    elif word == "take_from_discard":
        piles = [
            c
            for c in you.discard_pile
            if _is(c, spec.get("what", "card")) and spec.get("named", c.name) == c.name
        ]
        you.put(you.choose("Which card do you take?", piles, bool(spec.get("may"))), to=HAND)
    elif word == "play_me":
        if me.is_titan:
            _play_titan(you, me, ev)
        else:
            you.play(me, at=me.base)
    elif word == "play_titan":
        _play_titan(you, me.titan(spec), None)
    elif word == "draw_madness":
        you.draw(spec, deck=MADNESS_DECK)
    elif word == "play_base":
        scoring.replace_destroyed_base(me.table, len(me.table.state.sites))
    elif word == "choose_one":
        names = list(spec)
        _do_all(spec[names[you.choose_mode(*names)]], me, ev)
    elif word == "may":
        if you.may("Use the ability?"):
            _do_all(spec, me, ev)
    elif word == "if_found":
        found = len(select(me, spec["cards"], ev))
        if found == spec.get("count", max(found, 1)):
            _do_all(spec["do"], me, ev)
    else:
        _do_to_cards(word, spec, me, ev)


def _you(me: Card, ev: Event | None) -> Player:
    """Return "you": the controller, or on a base the player of the event.

    If the rules act, a base means the current player.
    """
    if me.controller.index >= 0 or ev is None:
        return me.controller
    return ev.player if ev.player.index >= 0 else me.all_players()[0]


def _play_titan(you: Player, titan: Card | None, ev: Event | None) -> None:
    """Let "you" play a titan: at the base of the event, or at any base."""
    base = ev.base if ev is not None and ev.base is not None and ev.base.is_in_play else None
    if titan is not None and you.can_play(titan):
        you.play(titan, at=titan.bases() if base is None else [base])


def _limits(spec: Any, me: Card) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    if isinstance(spec, dict):
        if "max" in spec:
            limits["max_power"] = spec["max"]
        if spec.get("here"):
            limits["at"] = me.base
        if spec.get("on_me"):
            limits["on"] = me
        if spec.get("from") == "discard":
            limits["from_zone"] = DISCARD
    return limits


def _do_to_cards(word: str, spec: Any, me: Card, ev: Event | None) -> None:
    if word in ("boost", "counters"):
        for card in pick(me, spec["to"], ev):
            if word == "boost":
                me.gain_power(card, spec["by"])
            else:
                me.place_counters(spec["by"], card)
        return
    if word == "transfer_counters":
        sources = pick(me, spec["from"], ev)
        targets = pick(me, spec["to"], ev)
        if sources and targets:
            me.transfer_counters(sources[0], targets[0], spec.get("count", 1))
        return
    until_end_of_turn = isinstance(spec, dict) and bool(spec.get("until_end_of_turn"))
    cards = pick(me, spec, ev)
    if word == "destroy":
        done = bool(me.destroy(cards))
    elif word == "return":
        done = bool(me.return_to_hand(cards))
    elif word == "shuffle":
        done = bool(me.put(cards, to=DECK_SHUFFLED))
    else:
        done = False
        for card in cards:
            done |= _do_to_card(word, card, me, ev, until_end_of_turn)
    if done and isinstance(spec, dict):
        _do_all(spec.get("then", []), me, ev)


def _do_to_card(word: str, card: Card, me: Card, ev: Event | None, until_end_of_turn: bool) -> bool:
    """Apply an effect to one card; return whether it happened."""
    if word == "move":
        you = _you(me, ev)
        to = you.choose_base("Move it to which base?", me.other_bases(card.base))
        return me.move(card, to, by=you if me.is_base else None)
    if word == "bottom":
        return bool(me.put(card, to=DECK_BOTTOM))
    if word == "top":
        return bool(me.put(card, to=DECK_TOP))
    if word == "control":
        return me.take_control(card, END_OF_TURN if until_end_of_turn else WHILE_IN_PLAY)
    if word == "remove_counters":
        return me.remove_counters(card)
    if word == "pay_power_to_destroy":
        return _pay_power_to_destroy(me, card)
    if word == "destroy_base":
        card.base.destroy()
    elif word == "bury":
        me.controller.bury(card, card.base)
    return True


def _pay_power_to_destroy(me: Card, card: Card) -> bool:
    """ "Discard cards equal to a minion's power to destroy it": the rulebook's example of "to"."""
    you = me.controller
    if len(you.hand) < card.power:
        return False
    you.discard_from_hand(card.power)
    return bool(me.destroy(card))


def _swap_off_top(me: Card, spec: Any, ev: Event | None) -> None:
    """Put a minion (``card``) on the bottom of its owner's deck to play another in its place.

    The other one comes off the top of the deck of its owner, or of "you" (``deck: yours``).
    """
    for card in pick(me, spec["card"], ev):
        player = _you(me, ev) if spec.get("deck") == "yours" else card.owner
        base = card.base
        if me.put(card, to=DECK_BOTTOM):
            player.play_off_top(MINION, base)
