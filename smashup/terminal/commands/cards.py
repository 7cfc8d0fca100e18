"""`smashup cards`: shows sets, factions and cards in both printings."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from smashup.engine.model.catalogue import CURRENT, PRINTED, Catalogue, Faction
from smashup.engine.model.constants import BASE, MINION, ON_BASE, ON_MINION, TITAN
from smashup.engine.model.definitions import CardDefinition
from smashup.terminal.card_index import CardIndex, CardPrintings, SearchResult
from smashup.terminal.cli.invocation import format_command
from smashup.terminal.translation import tr


def print_card_page(catalogue: Catalogue, name: str, printing: str, console: Console) -> str:
    """Print what a name matches (everything for an empty name); return an error if nothing."""
    index = CardIndex(catalogue)
    if not name.strip():
        console.print(render_overview(index))
        return ""
    found = index.find(name)
    if not found.count:
        return describe_no_match(name, found.suggestions)
    console.print(render_page(index, name, found, printing))
    return ""


def describe_no_match(name: str, suggestions: list[str]) -> str:
    """Explain that nothing has this name, with suggestions."""
    sentence = tr("Nothing here is called “{name}”.", name=name.strip()[:60])
    if suggestions:
        return sentence + " " + tr("Did you mean {names}?", names=tr(" or ").join(suggestions))
    return (
        sentence
        + " "
        + tr("`{command}` lists the sets and factions.", command=format_command("cards"))
    )


def render_page(index: CardIndex, name: str, found: SearchResult, printing: str) -> RenderableType:
    """Render the only match, or a list of several matches."""
    if found.count > 1:
        return render_matches(found, name)
    if found.sets:
        return _set_page(index, found.sets[0])
    if found.factions:
        return render_faction(index, found.factions[0], printing or PRINTED)
    return render_card(found.cards[0], printing)


# --- lists ----------------------------------------------------------------------------------


def render_overview(index: CardIndex) -> RenderableType:
    """All sets and factions with the number of their cards."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(tr("Faction"))
    for title in (tr("Cards"), tr("Minions"), tr("Actions"), tr("Bases"), tr("Titans")):
        table.add_column(title, justify="right")
    for number, set_name in enumerate(index.sets):
        if number:
            table.add_row()
        table.add_row(Text(tr(set_name), style="bold"))
        for faction in index.catalogue.factions:
            if faction.set_name == set_name:
                table.add_row("  " + tr(faction.name), *_count_cards(index, faction))
    command = format_command("cards")
    hint = Text(tr("{command} NAME shows a set, a faction or a card.", command=command))
    hint.stylize("dim")
    return Group(table, Text(), hint)


def _count_cards(index: CardIndex, faction: Faction) -> list[str]:
    deck = index.catalogue.deck(faction.name, PRINTED)
    minions = sum(k.copies for k in deck.cards if k.type == MINION)
    cards = sum(k.copies for k in deck.cards)
    bases = sum(k.copies for k in deck.bases)
    titans = str(len(deck.titans)) if deck.titans else ""
    return [str(cards), str(minions), str(cards - minions), str(bases), titans]


def _set_page(index: CardIndex, set_name: str) -> RenderableType:
    table = Table.grid(padding=(0, 3, 0, 0))
    for faction in index.catalogue.factions:
        if faction.set_name == set_name:
            table.add_row(Text(_both_names(faction.name, faction.name_fr)), tr(faction.blurb))
    return Group(Text(tr(set_name), style="bold"), table)


def render_matches(found: SearchResult, name: str) -> RenderableType:
    """List everything that matches a name."""
    table = Table.grid(padding=(0, 3, 0, 0))
    for set_name in found.sets:
        table.add_row(Text(tr(set_name), style="bold"), tr("set"), "")
    for faction in found.factions:
        where = tr(faction.set_name)
        table.add_row(Text(tr(faction.name), style="bold"), tr("faction"), where)
    for card in found.cards:
        where = tr(card.faction)
        table.add_row(
            Text(tr(card.definition.name), style="bold"), _card_type(card.definition), where
        )
    return Group(Text(tr("“{name}” may be:", name=name.strip())), table)


# --- a faction ------------------------------------------------------------------------------


def render_faction(index: CardIndex, faction: Faction, printing: str) -> RenderableType:
    """A faction's cards, bases and titans in one printing."""
    deck = index.catalogue.deck(faction.name, printing)
    heading = Text(_both_names(faction.name, faction.name_fr), style="bold")
    heading.append(f"  {tr(faction.set_name)}", style="dim not bold")
    parts: list[RenderableType] = [heading]
    if faction.blurb:
        parts.append(Text(tr(faction.blurb), style="italic"))
    for title, definitions in (
        (tr("Minions"), [k for k in deck.cards if k.type == MINION]),
        (tr("Actions"), [k for k in deck.cards if k.type != MINION]),
        (tr("Titans"), deck.titans),
        (tr("Bases"), deck.bases),
    ):
        if definitions:
            parts += [Text(), Text(title, style="bold"), _definition_table(definitions)]
    changed = [c for c in index.cards if c.faction == faction.name and c.printings_differ]
    if changed:
        other = PRINTED if printing == CURRENT else CURRENT
        parts.append(Text())
        parts.append(
            Text(
                tr(
                    "Shown as {printing}; different in the other printing (--printing {other}):"
                    " {names}.",
                    printing=describe_printing(printing),
                    other=other,
                    names=", ".join(tr(card.definition.name) for card in changed),
                ),
                style="dim",
            )
        )
    return Group(*parts)


def _definition_table(definitions: list[CardDefinition]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(max_width=26)
    table.add_column(ratio=1)
    for definition in definitions:
        copies = f"{definition.copies}×" if definition.copies > 1 else ""
        name = Text(tr(definition.name), style="bold")
        figures = _format_figures(definition)
        if figures:
            name.append(f" {figures}", style="not bold")
        table.add_row(copies, name, Text(tr(definition.text)))
    return table


def _format_figures(definition: CardDefinition) -> str:
    """Power of a minion, breakpoint and VP of a base."""
    if definition.type == BASE:
        return f"{definition.breakpoint} ({', '.join(map(str, definition.vp))})"
    if definition.type == MINION or definition.power:
        return str(definition.power)
    return ""


# --- a card ---------------------------------------------------------------------------------


def render_card(card: CardPrintings, printing: str = "") -> RenderableType:
    """A card in the requested printing, or in both if they differ."""
    if printing or not card.printings_differ:
        definition = card.in_printing(printing or PRINTED)
        if definition is None:
            other = CURRENT if printing == PRINTED else PRINTED
            return Group(Text(tr("Only in the other printing:"), style="dim"), _panel(card, other))
        return _panel(
            card, printing or PRINTED, with_label=bool(printing) and card.printings_differ
        )
    panels = [
        _panel(card, p, with_label=True)
        for p in (PRINTED, CURRENT)
        if card.in_printing(p) is not None
    ]
    if len(panels) == 1:
        return panels[0]
    return Columns(panels, equal=True)


def _panel(card: CardPrintings, printing: str, with_label: bool = False) -> Panel:
    definition = card.in_printing(printing)
    assert definition is not None
    facts = Text(", ".join(describe_card(definition)), style="dim")
    inside: list[RenderableType] = [facts, Text(tr(definition.text))]
    where = tr(card.faction)
    if definition.set_name != card.faction:
        where += ", " + tr(definition.set_name)
    inside.append(Text(where, style="dim"))
    title = Text(_both_names(definition.name, definition.name_fr), style="bold")
    subtitle = Text(describe_printing(printing)) if with_label else None
    return Panel(Group(*inside), title=title, subtitle=subtitle, width=56)


def describe_card(definition: CardDefinition) -> list[str]:
    """The type, figures and copies of a card."""
    facts = [_card_type(definition)]
    if definition.type == BASE:
        facts.append(tr("breakpoint {breakpoint}", breakpoint=definition.breakpoint))
        facts.append(tr("{vp} VP", vp=" · ".join(map(str, definition.vp))))
    elif definition.type == MINION or definition.power:
        facts.append(tr("power {power}", power=definition.power))
    if definition.copies > 1:
        facts.append(tr("{copies} copies", copies=definition.copies))
    return facts


def _card_type(definition: CardDefinition) -> str:
    """Name the type of a card."""
    if definition.type == MINION:
        return tr("minion")
    if definition.type == TITAN:
        return tr("optional titan") if definition.optional else tr("titan")
    if definition.type == BASE:
        return tr("base")
    if definition.played_on == ON_MINION:
        return tr("action on a minion")
    if definition.played_on == ON_BASE:
        return tr("action on a base")
    return tr("action")


def describe_printing(printing: str) -> str:
    """Name a printing for readers."""
    return tr("reprinted") if printing == CURRENT else tr("printed in the box")


def _both_names(name: str, name_fr: str) -> str:
    """A name in the current language, then in the other one."""
    if not name_fr or name_fr == name:
        return name
    return f"{name_fr} ({name})" if tr(name) == name_fr else f"{name} ({name_fr})"
