"""The card browser: sets, factions and cards, in both printings."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from smashup.engine.model.catalogue import CURRENT, PRINTED, Catalogue, Faction
from smashup.engine.model.constants import BASE, MINION, ON_BASE, ON_MINION, TITAN
from smashup.engine.model.definitions import CardDefinition
from smashup.terminal.lookup import Found, Index, Printings
from smashup.terminal.translation import tr


def browse(catalogue: Catalogue, name: str, printing: str, console: Console) -> str:
    """Print what a name stands for (everything for none); a sentence if there is no such thing."""
    index = Index(catalogue)
    if not name.strip():
        console.print(overview(index))
        return ""
    found = index.find(name)
    if not found.count:
        return not_found(name, found.near)
    console.print(page(index, name, found, printing))
    return ""


def not_found(name: str, near: list[str]) -> str:
    """A sentence about a name that nothing has."""
    sentence = tr("Nothing here is called «{name}».", name=name.strip()[:60])
    if near:
        return sentence + " " + tr("Did you mean {names}?", names=tr(" or ").join(near))
    return sentence + " " + tr("`smashup cards` lists the sets and factions.")


def page(index: Index, name: str, found: Found, printing: str) -> RenderableType:
    """What was found for a name, or the list of it if it is more than one thing."""
    if found.count > 1:
        return several(found, name)
    if found.sets:
        return _set_page(index, found.sets[0])
    if found.factions:
        return faction_page(index, found.factions[0], printing or PRINTED)
    return card_page(found.cards[0], printing)


# --- lists ----------------------------------------------------------------------------------


def overview(index: Index) -> RenderableType:
    """All sets and factions with their counts."""
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
                table.add_row("  " + tr(faction.name), *_counts(index, faction))
    hint = Text(tr("smashup cards NAME shows a set, a faction or a card."), style="dim")
    return Group(table, Text(), hint)


def _counts(index: Index, faction: Faction) -> list[str]:
    deck = index.catalogue.deck(faction.name, PRINTED)
    minions = sum(k.copies for k in deck.cards if k.type == MINION)
    cards = sum(k.copies for k in deck.cards)
    bases = sum(k.copies for k in deck.bases)
    titans = str(len(deck.titans)) if deck.titans else ""
    return [str(cards), str(minions), str(cards - minions), str(bases), titans]


def _set_page(index: Index, set_name: str) -> RenderableType:
    table = Table.grid(padding=(0, 3, 0, 0))
    for faction in index.catalogue.factions:
        if faction.set_name == set_name:
            table.add_row(Text(_both_names(faction.name, faction.name_fr)), tr(faction.blurb))
    return Group(Text(tr(set_name), style="bold"), table)


def several(found: Found, name: str) -> RenderableType:
    """Everything a name may stand for."""
    table = Table.grid(padding=(0, 3, 0, 0))
    for set_name in found.sets:
        table.add_row(Text(tr(set_name), style="bold"), tr("set"), "")
    for faction in found.factions:
        where = tr(faction.set_name)
        table.add_row(Text(tr(faction.name), style="bold"), tr("faction"), where)
    for card in found.cards:
        where = tr(card.faction)
        table.add_row(Text(tr(card.kind.name), style="bold"), _sort(card.kind), where)
    return Group(Text(tr("«{name}» may be:", name=name.strip())), table)


# --- a faction ------------------------------------------------------------------------------


def faction_page(index: Index, faction: Faction, printing: str) -> RenderableType:
    """A faction's cards, bases and titans in one printing."""
    deck = index.catalogue.deck(faction.name, printing)
    heading = Text(_both_names(faction.name, faction.name_fr), style="bold")
    heading.append(f"  {tr(faction.set_name)}", style="dim not bold")
    parts: list[RenderableType] = [heading]
    if faction.blurb:
        parts.append(Text(tr(faction.blurb), style="italic"))
    for title, kinds in (
        (tr("Minions"), [k for k in deck.cards if k.type == MINION]),
        (tr("Actions"), [k for k in deck.cards if k.type != MINION]),
        (tr("Titans"), deck.titans),
        (tr("Bases"), deck.bases),
    ):
        if kinds:
            parts += [Text(), Text(title, style="bold"), _kinds(kinds)]
    changed = [c for c in index.cards if c.faction == faction.name and c.differ]
    if changed:
        other = PRINTED if printing == CURRENT else CURRENT
        parts.append(Text())
        parts.append(
            Text(
                tr(
                    "Shown as {printing}; different in the other printing (--printing {other}):"
                    " {names}.",
                    printing=_printing_name(printing),
                    other=other,
                    names=", ".join(tr(card.kind.name) for card in changed),
                ),
                style="dim",
            )
        )
    return Group(*parts)


def _kinds(kinds: list[CardDefinition]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(max_width=26)
    table.add_column(ratio=1)
    for kind in kinds:
        copies = f"{kind.copies}×" if kind.copies > 1 else ""
        name = Text(tr(kind.name), style="bold")
        figures = _figures(kind)
        if figures:
            name.append(f" {figures}", style="not bold")
        table.add_row(copies, name, Text(tr(kind.text)))
    return table


def _figures(kind: CardDefinition) -> str:
    """Power of a minion, breakpoint and VP of a base."""
    if kind.type == BASE:
        return f"{kind.breakpoint} ({', '.join(map(str, kind.vp))})"
    if kind.type == MINION or kind.power:
        return str(kind.power)
    return ""


# --- a card ---------------------------------------------------------------------------------


def card_page(card: Printings, printing: str = "") -> RenderableType:
    """One card: in the printing asked for, or in both where they differ."""
    if printing or not card.differ:
        kind = card.of(printing or PRINTED)
        if kind is None:
            other = CURRENT if printing == PRINTED else PRINTED
            return Group(Text(tr("Only in the other printing:"), style="dim"), _panel(card, other))
        return _panel(card, printing or PRINTED, labelled=bool(printing) and card.differ)
    panels = [_panel(card, p, labelled=True) for p in (PRINTED, CURRENT) if card.of(p) is not None]
    if len(panels) == 1:
        return panels[0]
    return Columns(panels, equal=True)


def _panel(card: Printings, printing: str, labelled: bool = False) -> Panel:
    kind = card.of(printing)
    assert kind is not None
    facts = [_sort(kind)]
    if kind.type == BASE:
        facts.append(tr("breakpoint {breakpoint}", breakpoint=kind.breakpoint))
        facts.append(tr("{vp} VP", vp=" · ".join(map(str, kind.vp))))
    elif kind.type == MINION or kind.power:
        facts.append(tr("power {power}", power=kind.power))
    if kind.copies > 1:
        facts.append(tr("{copies} copies", copies=kind.copies))
    inside: list[RenderableType] = [Text(", ".join(facts), style="dim"), Text(tr(kind.text))]
    where = tr(card.faction)
    if kind.set_name != card.faction:
        where += ", " + tr(kind.set_name)
    inside.append(Text(where, style="dim"))
    title = Text(_both_names(kind.name, kind.name_fr), style="bold")
    subtitle = Text(_printing_name(printing)) if labelled else None
    return Panel(Group(*inside), title=title, subtitle=subtitle, width=56)


def _sort(kind: CardDefinition) -> str:
    """What a card is, in words."""
    if kind.type == MINION:
        return tr("minion")
    if kind.type == TITAN:
        return tr("optional titan") if kind.optional else tr("titan")
    if kind.type == BASE:
        return tr("base")
    if kind.played_on == ON_MINION:
        return tr("action on a minion")
    if kind.played_on == ON_BASE:
        return tr("action on a base")
    return tr("action")


def _printing_name(printing: str) -> str:
    return tr("reprinted") if printing == CURRENT else tr("printed in the box")


def _both_names(name: str, name_fr: str) -> str:
    """A name in the language in use, and the other one it has."""
    if not name_fr or name_fr == name:
        return name
    return f"{name_fr} ({name})" if tr(name) == name_fr else f"{name} ({name_fr})"
