"""The question of a decision and its numbered options, grouped by card or base."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from smashup.terminal.screens.board import render_card_name
from smashup.terminal.screens.console import NUMBER_STYLE
from smashup.terminal.screens.hand import (
    ChoiceList,
    Detail,
    HandRow,
    card_summary,
    group_hand,
    render_hand,
)
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import tr


@dataclass
class Menu:
    """Rendered options: number n on the screen is option ``order[n - 1]``."""

    order: list[int] = field(default_factory=list)
    parts: list[RenderableType] = field(default_factory=list)

    def add_option(self, option: dict[str, Any]) -> int:
        """Assign the next number to an option."""
        self.order.append(option["index"])
        return len(self.order)


def render_question(view: dict[str, Any], player_names: PlayerNames) -> RenderableType:
    """Render the question and the text of the card that asks it."""
    decision = view["decision"]
    line = player_names.name(decision["player"])
    line.append(tr(": "))
    line.append_text(player_names.render(decision["question"]))
    line.stylize("bold")
    source = decision.get("source")
    if source is None or source.get("hidden"):
        return line
    text = Text()
    text.append(tr(source["name"]), style="bold")
    text.append(tr(": ") + tr(source["text"]), style="dim")
    return Group(text, line)


def build_menu(
    view: dict[str, Any],
    player_names: PlayerNames,
    detail: Detail,
    faction_blurb: Callable[[str], str] | None = None,
) -> Menu:
    """Render the options of the pending decision.

    The numbers are the same in every detail; ``faction_blurb`` describes a faction.
    """
    kind = view["decision"]["kind"]
    menu = Menu()
    if kind == "move":
        _add_moves(view, player_names, detail, menu)
    elif kind == "card":
        _add_cards(view, player_names, detail, menu)
    else:
        rows = _OptionRows(detail)
        for option in view["decision"]["options"]:
            about = ""
            label = player_names.render(option["label"])
            if kind == "base" and "base" in option:
                about = _base_summary(view, option["base"])
            elif kind == "trigger":
                about = tr(option["card"]["text"])
            elif kind == "faction" and faction_blurb is not None:
                label.stylize("bold")
                about = faction_blurb(option["faction"])
            rows.add(menu.add_option(option), label, about)
        menu.parts.append(rows.render())
    return menu


# --- the play menu --------------------------------------------------------------------------


def _add_moves(view: dict[str, Any], player_names: PlayerNames, detail: Detail, menu: Menu) -> None:
    """Add moves grouped by card: the hand with destinations, abilities, then the rest."""
    options = view["decision"]["options"]
    by_card: dict[int, list[dict[str, Any]]] = {}
    abilities: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    for option in options:
        if option["verb"] == "play":
            by_card.setdefault(option["card"]["id"], []).append(option)
        elif option["verb"] in ("talent", "special"):
            abilities.append(option)
        else:
            rest.append(option)
    you = view["players"][view["you"]]
    groups = {tr("Your hand"): group_hand(you["hand"])}
    held = {card_id for row in groups[tr("Your hand")] for card_id in row.ids}
    for card_id, moves in by_card.items():
        if card_id not in held:
            row = HandRow(moves[0]["card"], [card_id])
            groups.setdefault(_describe_zone(card_id, you), []).append(row)
    for title, rows in groups.items():
        for row in rows:
            for card_id in row.ids:
                for option in by_card.get(card_id, ()):
                    where = _describe_destination(option, view, player_names)
                    row.choices.append((menu.add_option(option), where))
            row.at_bases = _numbers_by_base(row, by_card, view)
        if "source" in view["decision"]:  # while a card resolves, show only what it offers
            rows = [row for row in rows if row.choices]
        if rows:
            menu.parts.append(render_hand(title, rows, detail))
    if abilities:
        heading = Text(tr("Abilities"), style="bold")
        choices = [
            (menu.add_option(o), _describe_ability(o, view, player_names, detail))
            for o in abilities
        ]
        if detail is Detail.DENSE:
            menu.parts.append(ChoiceList(choices, heading.append(tr(": "))))
        else:
            menu.parts.append(Group(heading, Padding(ChoiceList(choices), (0, 0, 0, 2))))
    table = _OptionRows(detail)
    for option in rest:
        table.add(menu.add_option(option), player_names.render(option["label"]))
    if rest:
        menu.parts.append(table.render())


def _numbers_by_base(
    row: HandRow, by_card: dict[int, list[dict[str, Any]]], view: dict[str, Any]
) -> dict[str, int]:
    """The numbers of a card by base; empty if an option says more than the base."""
    options = [option for card_id in row.ids for option in by_card.get(card_id, ())]
    names = {site["serial"]: site["name"] for site in view["bases"]}
    numbers: dict[str, int] = {}
    for option, (number, _) in zip(options, row.choices, strict=True):
        base = names.get(option.get("base"))
        is_plain = not option.get("extra") and not _details(option["label"])
        if base is None or base in numbers or not is_plain or "origin" in option["label"]["args"]:
            return {}
        numbers[base] = number
    return numbers


def _describe_zone(card_id: int, you: dict[str, Any]) -> str:
    """Name the zone of a playable card that is not in the hand."""
    for zone, title in (("discard", tr("Your discard pile")), ("aside", tr("Set aside"))):
        if any(card["id"] == card_id for card in you[zone]):
            return title
    return tr("On the table")


def _describe_destination(
    option: dict[str, Any], view: dict[str, Any], player_names: PlayerNames
) -> Text:
    """Name where a card would be played, and the source of an extra play."""
    label = _strip_details(option["label"])
    args = label["args"]
    where = Text()
    if "host" in option:
        host = _find_in_play(view, option["host"])
        where.append("→ ")
        if host is None:
            where.append_text(
                player_names.render({"text": "{host}", "args": {"host": args["host"]}})
            )
        else:
            name = render_card_name(host)
            name.stylize_before(player_names.style(host["controller"]))
            where.append_text(name)
        where.append(tr(" at {base}", base=tr(args["base"]["text"])), style="dim")
    elif "base" in args:
        where.append("→ ")
        where.append(tr(args["base"]["text"]), style="italic")
    else:
        where.append(tr("play it"))
    if "origin" in args:
        origin = player_names.render({"text": "{origin}", "args": {"origin": args["origin"]}}).plain
        where.append(tr(" (by {card})", card=origin), style="dim")
    elif option.get("extra"):
        where.append(tr(" (extra)"), style="dim")
    _add_details(where, option["label"], player_names)
    return where


def _describe_ability(
    option: dict[str, Any], view: dict[str, Any], player_names: PlayerNames, detail: Detail
) -> Text:
    """Describe a usable ability and where its card is."""
    line = Text().append(tr(option["card"]["name"]), style="bold")
    for site in view["bases"]:
        for card in site["cards"]:
            on = [a.get("id") for a in card.get("actions", ())]
            if option["card"]["id"] in (card.get("id"), *on):
                if card.get("id") != option["card"]["id"]:
                    line.append(tr(" on {card}", card=tr(card["name"])), style="dim")
                line.append(tr(" at {base}", base=tr(site["name"])), style="dim")
    _add_details(line, option["label"], player_names)
    if detail is Detail.DENSE:
        return line
    line.append(tr(": "))
    # The talent comes last in the text of a card.
    line.append(card_summary(option["card"]).split(tr("Talent: "))[-1], style="dim")
    return line


# --- choosing cards -------------------------------------------------------------------------


def _add_cards(view: dict[str, Any], player_names: PlayerNames, detail: Detail, menu: Menu) -> None:
    """Add cards in play below their base, and others with their text."""
    at_bases: dict[int, list[tuple[dict[str, Any], Text]]] = {}
    others: list[dict[str, Any]] = []
    for option in view["decision"]["options"]:
        place = _locate_card(view, option, player_names)
        if place is None:
            others.append(option)
        else:
            at_bases.setdefault(place[0], []).append((option, place[1]))
    for site in view["bases"]:
        if site["serial"] in at_bases:
            title = Text(tr("At {base}", base=tr(site["name"])), style="italic")
            rows = _OptionRows(detail, title)
            for option, name in at_bases[site["serial"]]:
                _add_details(name, option["label"], player_names)
                rows.add(menu.add_option(option), name)
            menu.parts.append(rows.render())
    rows = _OptionRows(detail)
    for option in others:
        card = option.get("card")
        if card is None or card.get("hidden"):
            rows.add(menu.add_option(option), player_names.render(option["label"]))
        else:
            face = _render_card_face(card)
            _add_details(face, option["label"], player_names)
            rows.add(menu.add_option(option), face, card_summary(card))
    if others:
        menu.parts.append(rows.render())


def _locate_card(
    view: dict[str, Any], option: dict[str, Any], player_names: PlayerNames
) -> tuple[int, Text] | None:
    """Find a card in play: the serial of its base, and its label."""
    wanted = option.get("card", {}).get("id", -1)
    for site in view["bases"]:
        for card in site["cards"]:
            if card.get("id") == wanted:
                return site["serial"], _with_actions(card, player_names)
            for action in card.get("actions", ()):
                if action.get("id") == wanted:
                    name = Text(tr(action["name"]), style=player_names.style(action["controller"]))
                    name.append(f" ({player_names.names[action['controller']]})", style="dim")
                    name.append(tr(" on {card}", card=""), style="dim")
                    name.append_text(render_card_name(card))
                    return site["serial"], name
    return None


def _with_actions(card: dict[str, Any], player_names: PlayerNames) -> Text:
    name = render_card_name(card)
    name.stylize_before(player_names.style(card["controller"]))
    name.append(f" ({player_names.names[card['controller']]})", style="dim")
    for action in card.get("actions", ()):
        name.append(f" + {tr(action['name'])}", style="dim")
    return name


def _find_in_play(view: dict[str, Any], card_id: int) -> dict[str, Any] | None:
    for site in view["bases"]:
        for card in site["cards"]:
            if card.get("id") == card_id:
                found: dict[str, Any] = card
                return found
    return None


def _render_card_face(card: dict[str, Any]) -> Text:
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


# --- details of labels ----------------------------------------------------------------------


def _strip_details(label: dict[str, Any]) -> dict[str, Any]:
    """Remove the details that distinguish a label from similar ones."""
    while "label" in label["args"]:
        label = label["args"]["label"]
    return label


def _add_details(line: Text, label: dict[str, Any], player_names: PlayerNames) -> None:
    """Append the details that distinguish a label from similar ones."""
    for detail in _details(label):
        line.append(" · ", style="dim")
        line.append_text(player_names.render(detail))


def _details(label: dict[str, Any]) -> list[dict[str, Any]]:
    """Collect the details in a label and in its arguments."""
    details: list[dict[str, Any]] = []
    for gap, value in label["args"].items():
        if not isinstance(value, dict) or "args" not in value:
            continue
        if gap in ("second", "detail", "details"):
            details.append(value)
        else:
            details += _details(value)
    return details


# --- rows of options ------------------------------------------------------------------------


class _OptionRows:
    """Options below each other with descriptions, or side by side without."""

    def __init__(self, detail: Detail, title: Text | None = None) -> None:
        self.detail = detail
        self.title = title
        self.rows: list[tuple[int, Text, str]] = []

    def add(self, number: int, label: Text, about: str = "") -> None:
        self.rows.append((number, label, about))

    def render(self) -> RenderableType:
        if self.detail is Detail.DENSE:
            heading = self.title.append(tr(": ")) if self.title is not None else None
            return ChoiceList([(number, label) for number, label, _ in self.rows], heading)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(justify="right", width=4, no_wrap=True)
        table.add_column()
        for number, label, about in self.rows:
            table.add_row(
                Text(str(number), style=NUMBER_STYLE),
                TruncatedLine(label, about) if about else label,
            )
        return table if self.title is None else Group(self.title, table)


class TruncatedLine:
    """A label and its description, cut to one line."""

    def __init__(self, label: Text, about: str) -> None:
        self.label = label
        self.about = about

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = self.label.copy()
        line.append("  " + self.about, style="dim")
        line.truncate(options.max_width, overflow="ellipsis")
        yield line
