"""What is asked and what may be answered: numbered options, grouped so that they read well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from smashup.terminal.board import card_name
from smashup.terminal.hand import Choices, HandRow, hand_rows, hand_table, summary
from smashup.terminal.look import NUMBER_STYLE
from smashup.terminal.sentences import Voice
from smashup.terminal.translation import tr


@dataclass
class Menu:
    """Options as they are shown: number n on the screen is option ``order[n - 1]``."""

    order: list[int] = field(default_factory=list)
    parts: list[RenderableType] = field(default_factory=list)

    def number(self, option: dict[str, Any]) -> int:
        """Give the next number to an option."""
        self.order.append(option["index"])
        return len(self.order)


def question(view: dict[str, Any], voice: Voice) -> RenderableType:
    """What is asked, and the card that asks with its text."""
    decision = view["decision"]
    line = voice.player(decision["player"])
    line.append(tr(": "))
    line.append_text(voice.sentence(decision["question"]))
    line.stylize("bold")
    source = decision.get("source")
    if source is None or source.get("hidden"):
        return line
    text = Text()
    text.append(tr(source["name"]), style="bold")
    text.append(tr(": ") + tr(source["text"]), style="dim")
    return Group(text, line)


def menu(
    view: dict[str, Any], voice: Voice, brief: bool, blurb: Callable[[str], str] | None = None
) -> Menu:
    """The options of the pending decision, ready to be shown.

    ``brief`` cuts card texts to a line each; ``blurb`` tells something about a faction.
    """
    kind = view["decision"]["kind"]
    found = Menu()
    if kind == "move":
        _moves(view, voice, brief, found)
    elif kind == "card":
        _cards(view, voice, found)
    else:
        rows = _rows()
        for option in view["decision"]["options"]:
            about = ""
            label = voice.sentence(option["label"])
            if kind == "base" and "base" in option:
                about = _base_summary(view, option["base"])
            elif kind == "trigger":
                about = tr(option["card"]["text"])
            elif kind == "faction" and blurb is not None:
                label.stylize("bold")
                label.append("  " + blurb(option["faction"]), style="not bold dim")
            _add(rows, found.number(option), label, about)
        found.parts.append(rows)
    return found


# --- the play menu --------------------------------------------------------------------------


def _moves(view: dict[str, Any], voice: Voice, brief: bool, found: Menu) -> None:
    """Moves grouped by card: the hand with numbered places, then what else may be done."""
    options = view["decision"]["options"]
    by_card: dict[int, list[dict[str, Any]]] = {}
    talents: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    for option in options:
        if option["verb"] == "play":
            by_card.setdefault(option["card"]["id"], []).append(option)
        elif option["verb"] in ("talent", "special"):
            talents.append(option)
        else:
            rest.append(option)
    you = view["players"][view["you"]]
    groups = {tr("Your hand"): hand_rows(you["hand"])}
    held = {card_id for row in groups[tr("Your hand")] for card_id in row.ids}
    for card_id, moves in by_card.items():
        if card_id not in held:
            row = HandRow(moves[0]["card"], [card_id])
            groups.setdefault(_origin(card_id, you), []).append(row)
    for title, rows in groups.items():
        for row in rows:
            for card_id in row.ids:
                for option in by_card.get(card_id, ()):
                    row.choices.append((found.number(option), _place(option, view, voice)))
        if "source" in view["decision"]:  # amid a card: only what it offers
            rows = [row for row in rows if row.choices]
        if rows:
            found.parts.append(hand_table(title, rows, brief))
    if talents:
        choices = [(found.number(o), _talent(o, view, voice)) for o in talents]
        found.parts.append(
            Group(Text(tr("Abilities"), style="bold"), Padding(Choices(choices), (0, 0, 0, 2)))
        )
    table = _rows()
    for option in rest:
        _add(table, found.number(option), voice.sentence(option["label"]))
    if rest:
        found.parts.append(table)


def _origin(card_id: int, you: dict[str, Any]) -> str:
    """Where a card that may be played lies, if not in the hand."""
    for zone, title in (("discard", tr("Your discard pile")), ("aside", tr("Set aside"))):
        if any(card["id"] == card_id for card in you[zone]):
            return title
    return tr("On the table")


def _place(option: dict[str, Any], view: dict[str, Any], voice: Voice) -> Text:
    """Where a move puts the card, and by what right if it is not the regular play."""
    label = _bare(option["label"])
    args = label["args"]
    where = Text()
    if "host" in option:
        host = _in_play(view, option["host"])
        where.append("→ ")
        if host is None:
            where.append_text(voice.sentence({"text": "{host}", "args": {"host": args["host"]}}))
        else:
            name = card_name(host)
            name.stylize_before(voice.style(host["controller"]))
            where.append_text(name)
        where.append(tr(" at {base}", base=tr(args["base"]["text"])), style="dim")
    elif "base" in args:
        where.append("→ ")
        where.append(tr(args["base"]["text"]), style="italic")
    else:
        where.append(tr("play it"))
    if "origin" in args:
        origin = voice.sentence({"text": "{origin}", "args": {"origin": args["origin"]}}).plain
        where.append(tr(" (by {card})", card=origin), style="dim")
    elif label["text"].endswith(" (extra)"):
        where.append(tr(" (extra)"), style="dim")
    _add_details(where, option["label"], voice)
    return where


def _talent(option: dict[str, Any], view: dict[str, Any], voice: Voice) -> Text:
    """A card in play whose ability may be used, and where it is."""
    line = Text().append(tr(option["card"]["name"]), style="bold")
    for site in view["bases"]:
        for card in site["cards"]:
            on = [a.get("id") for a in card.get("actions", ())]
            if option["card"]["id"] in (card.get("id"), *on):
                if card.get("id") != option["card"]["id"]:
                    line.append(tr(" on {card}", card=tr(card["name"])), style="dim")
                line.append(tr(" at {base}", base=tr(site["name"])), style="dim")
    _add_details(line, option["label"], voice)
    line.append(tr(": "))
    # A card may do more than its talent; the talent comes last on it.
    line.append(summary(option["card"]).split(tr("Talent: "))[-1], style="dim")
    return line


# --- choosing cards -------------------------------------------------------------------------


def _cards(view: dict[str, Any], voice: Voice, found: Menu) -> None:
    """Cards in play under their base; others with their text."""
    at_bases: dict[int, list[tuple[dict[str, Any], Text]]] = {}
    others: list[dict[str, Any]] = []
    for option in view["decision"]["options"]:
        place = _whereabouts(view, option, voice)
        if place is None:
            others.append(option)
        else:
            at_bases.setdefault(place[0], []).append((option, place[1]))
    for site in view["bases"]:
        if site["serial"] in at_bases:
            found.parts.append(Text(tr("At {base}", base=tr(site["name"])), style="italic"))
            rows = _rows()
            for option, name in at_bases[site["serial"]]:
                _add_details(name, option["label"], voice)
                _add(rows, found.number(option), name)
            found.parts.append(rows)
    rows = _rows()
    for option in others:
        card = option.get("card")
        if card is None or card.get("hidden"):
            _add(rows, found.number(option), voice.sentence(option["label"]))
        else:
            face = _face(card)
            _add_details(face, option["label"], voice)
            _add(rows, found.number(option), face, summary(card))
    if others:
        found.parts.append(rows)


def _whereabouts(
    view: dict[str, Any], option: dict[str, Any], voice: Voice
) -> tuple[int, Text] | None:
    """The serial of the base a card in play is at, and the card as it is there."""
    wanted = option.get("card", {}).get("id", -1)
    for site in view["bases"]:
        for card in site["cards"]:
            if card.get("id") == wanted:
                return site["serial"], _with_actions(card, voice)
            for action in card.get("actions", ()):
                if action.get("id") == wanted:
                    name = Text(tr(action["name"]), style=voice.style(action["controller"]))
                    name.append(f" ({voice.names[action['controller']]})", style="dim")
                    name.append(tr(" on {card}", card=""), style="dim")
                    name.append_text(card_name(card))
                    return site["serial"], name
    return None


def _with_actions(card: dict[str, Any], voice: Voice) -> Text:
    name = card_name(card)
    name.stylize_before(voice.style(card["controller"]))
    name.append(f" ({voice.names[card['controller']]})", style="dim")
    for action in card.get("actions", ()):
        name.append(f" + {tr(action['name'])}", style="dim")
    return name


def _in_play(view: dict[str, Any], card_id: int) -> dict[str, Any] | None:
    for site in view["bases"]:
        for card in site["cards"]:
            if card.get("id") == card_id:
                found: dict[str, Any] = card
                return found
    return None


def _face(card: dict[str, Any]) -> Text:
    name = Text(tr(card["name"]), style="bold")
    if "printed_power" in card:
        name.append(f" {card['printed_power']}")
    return name


def _base_summary(view: dict[str, Any], serial: int) -> str:
    for site in view["bases"]:
        if site["serial"] == serial:
            return tr(
                "{total} of {breakpoint} power", total=site["total"], breakpoint=site["breakpoint"]
            )
    return ""


# --- what tells options apart ---------------------------------------------------------------


def _bare(label: dict[str, Any]) -> dict[str, Any]:
    """A label without what was added to tell it from others."""
    while "label" in label["args"]:
        label = label["args"]["label"]
    return label


def _add_details(line: Text, label: dict[str, Any], voice: Voice) -> None:
    """Write behind an option what its label adds to tell it from others."""
    for detail in _details(label):
        line.append(" · ", style="dim")
        line.append_text(voice.sentence(detail))


def _details(label: dict[str, Any]) -> list[dict[str, Any]]:
    """The details in a label: behind the whole, or behind a card."""
    found: list[dict[str, Any]] = []
    for gap, value in label["args"].items():
        if not isinstance(value, dict) or "args" not in value:
            continue
        if gap in ("second", "detail", "details"):
            found.append(value)
        else:
            found += _details(value)
    return found


# --- rows of options ------------------------------------------------------------------------


def _rows() -> Table:
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(justify="right", width=4, no_wrap=True)
    rows.add_column()
    return rows


def _add(rows: Table, number: int, label: Text, about: str = "") -> None:
    rows.add_row(Text(str(number), style=NUMBER_STYLE), OneLine(label, about) if about else label)


class OneLine:
    """A label and as much about it as fits the line."""

    def __init__(self, label: Text, about: str) -> None:
        self.label = label
        self.about = about

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = self.label.copy()
        line.append("  " + self.about, style="dim")
        line.truncate(options.max_width, overflow="ellipsis")
        yield line
