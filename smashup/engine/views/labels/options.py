"""Labels of options: cards, bases, players, triggers and moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smashup.engine.model.constants import (
    AT_BASE,
    NONE,
    ON_CARD,
)
from smashup.engine.model.decisions import (
    CARDS,
    DONE,
    FACTIONS,
    LATER,
    MOVES,
    PASS,
    PLAYERS,
    SITES,
    TRIGGERS,
    USE_TALENT,
    WORDS,
    Decision,
    Move,
)
from smashup.engine.model.events import UNCOVER
from smashup.engine.model.messages import (
    HIDDEN,
    Message,
    Name,
    base_name,
    card_name,
    faction_name,
    player_name,
)
from smashup.engine.views.labels.drafts import LabelDraft, tell_apart
from smashup.engine.views.labels.subjects import Subject, Trait

if TYPE_CHECKING:
    from smashup.engine.model.events import ActiveAbility, Event, Trigger
    from smashup.engine.model.table import Table


def label_options(t: Table, decision: Decision) -> list[Message]:
    """Return the labels of all options; options with different outcomes have different labels."""
    options = decision.options
    labels = [_shortest_label(t, decision, option) for option in options]
    by_label: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        by_label.setdefault(str(label), []).append(i)
    if len(by_label) < len(labels):
        for group in by_label.values():
            if len(group) > 1:
                drafts = [_draft(t, decision, options[i]) for i in group]
                tell_apart(drafts)
                for i, draft in zip(group, drafts, strict=True):
                    labels[i] = draft.message()
    return labels


def describe_asker(t: Table, c: int, viewer: int) -> Message | None:
    """Describe the card that asks, if a card of the same name in play could ask as well."""
    s = t.state
    if s.zone[c] not in (AT_BASE, ON_CARD):
        return None
    name = s.definition[c].name
    namesakes = [
        x
        for x, kind in enumerate(s.definition)
        if kind.name == name and s.zone[x] in (AT_BASE, ON_CARD)
    ]
    if len(namesakes) < 2:
        return None
    drafts = [_card_draft(t, x, viewer) for x in namesakes]
    for draft in drafts:
        draft.is_asker = True
    tell_apart(drafts)
    return drafts[namesakes.index(c)].message()


def is_special(t: Table, move: Move) -> bool:
    """Whether a move uses a Special of a card in play: no talents are used in a scoring window."""
    return move.verb == USE_TALENT and t.window is not None


def _shortest_label(t: Table, decision: Decision, option: Any) -> Message:
    """Return the label of an option without added details."""
    if decision.kind == MOVES:
        move: Move = option
        label, cards = _move_label(t, move)
        names = {gap: card_name(t, c) for gap, c in cards.items()}
        return Message(label.text, {**label.args, **names})
    if decision.kind == CARDS and option != NONE:
        return Subject(t, option, decision.player, is_located=True).describe()
    return _draft(t, decision, option).message()


def _draft(t: Table, decision: Decision, option: Any) -> LabelDraft:
    """Return the draft of an option without added details."""
    kind = decision.kind
    if kind == WORDS:
        return LabelDraft(Message(option, {}))
    if kind == MOVES:
        return _move_draft(t, option, decision.player)
    if kind == TRIGGERS:
        return _trigger_draft(t, option, decision.player)
    if option == NONE:
        return LabelDraft(Message("None", {}))
    if kind == CARDS:
        return _card_draft(t, option, decision.player)
    if kind == SITES:
        return LabelDraft(Message("{base}", {"base": base_name(t, option)}), option)
    if kind == PLAYERS:
        return LabelDraft(Message("{player}", {"player": player_name(option)}), option)
    assert kind == FACTIONS
    return LabelDraft(Message("{faction}", {"faction": faction_name(t, option)}), option)


def _card_draft(t: Table, c: int, viewer: int) -> LabelDraft:
    draft = LabelDraft(Message("", {}))
    draft.is_card = True
    draft.subjects["card"] = Subject(t, c, viewer, is_located=True)
    if t.state.zone[c] == ON_CARD:
        draft.subjects["host"] = Subject(t, t.state.place[c], viewer)
    return draft


def _ability_trait(t: Table, ability: ActiveAbility) -> Trait:
    """Return which of a card's abilities it is: its own, a granted or a copied one."""
    if ability.granted_by != NONE:
        granter = player_name(t.state.controller[ability.granted_by])
        args = {"card": card_name(t, ability.granted_by), "details": granter}
        words = Message("from {card}", {"card": Message("{card} ({details})", args)})
    elif ability.definition.name != t.state.definition[ability.card].name:
        words = Message("copied from {card}", {"card": Name("card", NONE, ability.definition.name)})
    else:
        return Trait("ability", None)
    return Trait("ability", words)


# --- triggers -------------------------------------------------------------------------------


def _trigger_draft(t: Table, trigger: Trigger, viewer: int) -> LabelDraft:
    """Return the draft for the card whose ability waits; the card may be face down by now."""
    ability = trigger.ability
    c = ability.card
    event = trigger.event
    if trigger.hook == UNCOVER:  # its controller decides and may look at it
        draft = LabelDraft(Message("Uncover {card}", {}))
        draft.subjects["card"] = Subject(t, c, viewer)
        return draft
    draft = LabelDraft(Message("{card}", {"card": Name("card", c, ability.definition.name)}))
    if t.state.zone[c] in (AT_BASE, ON_CARD):
        draft.subjects["card"] = Subject(t, c, viewer)
    elif t.in_play(c):
        draft.label.args["card"] = card_name(t, c)
    elif t.state.controller[c] >= 0:
        controller = player_name(t.state.controller[c])
        words = Message("{player}", {"player": controller})
        draft.traits.append(Trait("controller", words))
    draft.traits.append(_ability_trait(t, ability))
    draft.traits += _event_traits(t, event, viewer)
    about = event.card.id if hasattr(event, "card") else NONE
    base = event.base.serial if event.base is not None else NONE
    player = event.player.index if hasattr(event, "player") else NONE
    draft.value = (ability.definition.name, trigger.hook, about, base, player)
    return draft


def _event_traits(t: Table, event: Event, viewer: int) -> list[Trait]:
    """Return details of the event an ability reacts to."""
    found: list[Trait] = []
    if hasattr(event, "card"):
        c = event.card.id
        subject = Subject(t, c, viewer, is_located=t.state.zone[c] in (AT_BASE, ON_CARD))
        name = HIDDEN if subject.is_hidden() else subject.name()
        found.append(Trait("event card", Message("because of {card}", {"card": name})))
    if event.base is not None:
        base = base_name(t, event.base.serial)
        found.append(Trait("event base", Message("at {base}", {"base": base})))
    if hasattr(event, "player") and event.player.index >= 0:
        player = player_name(event.player.index)
        found.append(Trait("event player", Message("for {player}", {"player": player})))
    return found


# --- moves ----------------------------------------------------------------------------------


def _move_draft(t: Table, move: Move, viewer: int) -> LabelDraft:
    label, cards = _move_label(t, move)
    draft = LabelDraft(label)
    for gap, c in cards.items():
        draft.subjects[gap] = Subject(t, c, viewer)
    if move.verb == USE_TALENT and move.ability is not None:
        draft.traits.append(_ability_trait(t, move.ability))
        draft.value = move.ability.definition.name
    draft.permission = move.permission
    return draft


def _move_label(t: Table, move: Move) -> tuple[Message, dict[str, int]]:
    """Return the label of a move, and the cards for its open placeholders."""
    if move.verb == DONE:
        return Message("End turn", {}), {}
    if move.verb == PASS:
        return Message("Pass", {}), {}
    if move.verb == LATER:
        return Message("Keep it for later this turn", {}), {}
    if move.verb == USE_TALENT:
        text = "Use the Special of {card}" if is_special(t, move) else "Use the talent of {card}"
        return Message(text, {}), {"card": move.card}
    return _play_label(t, move)


def _play_label(t: Table, move: Move) -> tuple[Message, dict[str, int]]:
    """Return the label of a play: card, place, and the permission unless it is the regular one."""
    permission = move.permission
    given = permission is not None and permission.source_card != NONE
    extra = permission is not None and not permission.is_normal
    args: dict[str, Any] = {}
    cards: dict[str, int] = {}
    if move.on_card:
        args["base"] = base_name(t, t.site_serial(move.place))
        cards["host"] = move.place
        text = "Play {card} on {host} at {base}"
        if given:
            text = "Play {card} on {host} at {base} (by {origin})"
        elif extra:
            text = "Play {card} on {host} at {base} (extra)"
    elif move.place != NONE:
        args["base"] = base_name(t, move.place)
        text = "Play {card} on {base}"
        if given:
            text = "Play {card} on {base} (by {origin})"
        elif extra:
            text = "Play {card} on {base} (extra)"
    elif t.state.definition[move.card].fused_action is not None:
        text = "Play {card} as an action"
        if given:
            text = "Play {card} as an action (by {origin})"
        elif extra:
            text = "Play {card} as an action (extra)"
    elif given:
        text = "Play {card} (by {origin})"
    else:
        text = "Play {card} (extra)" if extra else "Play {card}"
    if permission is not None:
        if permission.source_name:
            args["origin"] = Name("card", NONE, permission.source_name)
        elif given:
            cards["origin"] = permission.source_card
    cards["card"] = move.card
    return Message(text, args), cards
