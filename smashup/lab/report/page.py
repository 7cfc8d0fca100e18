"""A report as one HTML page that needs nothing else: styles, scripts and drawings are inside."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Final

from smashup.engine.model.catalogue import CURRENT, PRINTED
from smashup.engine.model.editions import EDITIONS
from smashup.lab.findings import Findings
from smashup.lab.report.sections import Section, sections
from smashup.locale import ENGLISH, Translator

CARDS: Final = {PRINTED: "printed cards", CURRENT: "current cards"}


def page(findings: Findings, translator: Translator = ENGLISH) -> str:
    """The whole page, in this language."""
    findings = findings.named(translator.translate)
    parts = list(sections(findings, translator))
    title = _title(findings, translator)
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{translator.lang}">',
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(translator.translate('Smash Up: {title}', title=title))}</title>",
            f"<style>{_asset('page.css')}{_asset('drawing.css')}</style>",
            f'<header class="top"><h1>{escape(title)}</h1>',
            f'<p class="lead">{_lead(findings, translator)}</p>',
            f"{_links(parts, translator)}{_tiles(findings, translator)}</header>",
            "<main>",
            *(_render(part, findings, translator) for part in parts),
            "</main>",
            f"<footer>{escape(_footer(findings, translator), quote=False)}</footer>",
            '<div id="tip" aria-hidden="true"></div>',
            f"<script>{_asset('page.js')}</script>",
            "</html>",
            "",
        ]
    )


def picture(drawing: str) -> str:
    """A drawing as a file of its own, for pages that cannot style it."""
    colours = _asset("page.css").partition("* {")[0]
    own = ".back { fill: var(--sheet); }"
    head, _, body = drawing.partition(">")
    width = head.partition('viewBox="0 0 ')[2].partition(" ")[0]
    back = '<rect width="100%" height="100%" rx="10" class="back"/>'
    style = f"<style>{colours}{_asset('drawing.css')}{own}</style>"
    return f'{head} width="{width}">{style}{back}{body}\n'


def _asset(name: str) -> str:
    return files("smashup.lab.report").joinpath(name).read_text(encoding="utf-8")


def _title(findings: Findings, translator: Translator) -> str:
    if findings.kind == "matrix":
        return translator.translate("Which factions win")
    return translator.translate("Which bots win")


def _lead(findings: Findings, translator: Translator) -> str:
    """What was played. The sentences have no marks of HTML, so only what fills them is escaped."""
    what = (
        translator.translate(
            "every pair of {count} factions against a field of random opponents",
            count=len(findings.factions),
        )
        if findings.kind == "matrix"
        else translator.translate("a round robin, every deal from every seat")
    )
    played = translator.translate(
        "{games} games of {players} players, played by {bots}: {what}.",
        games=translator.number(findings.games, ","),
        players=findings.players,
        bots=", ".join(f"<b>{escape(bot)}</b>" for bot in findings.bots),
        what=what,
    )
    rules = translator.translate(
        "Rules of {edition}, {cards}. Intervals are those of 95%.",
        edition=escape(translator.translate(EDITIONS[findings.edition].title)),
        cards=translator.translate(CARDS[findings.printing]),
    )
    return f"{played} {rules}"


def _links(parts: list[Section], translator: Translator) -> str:
    links = "".join(f'<a href="#{part.name}">{escape(part.title)}</a>' for part in parts)
    theme = f'<button type="button" id="theme">{translator.translate("light or dark")}</button>'
    return f"<nav>{links}{theme}</nav>"


def _tiles(findings: Findings, translator: Translator) -> str:
    tr, number = translator.translate, translator.number
    facts = [
        (number(findings.games, ","), tr("games")),
        (number(findings.turns.value, ".1f"), tr("turns in a game")),
        (number(findings.bases.value, ".1f"), tr("bases score in a game")),
        (number(findings.seats[0].value, ".1%"), tr("won by whoever goes first")),
        (number(findings.decisions, ".0f"), tr("decisions in a game")),
        (_time(findings.seconds, translator), tr("of thinking in a game")),
    ]
    tiles = "".join(f'<div class="tile"><b>{fact}</b><span>{of}</span></div>' for fact, of in facts)
    return f'<div class="tiles">{tiles}</div>'


def _time(seconds: float, translator: Translator) -> str:
    if seconds >= 1:
        return translator.translate("{number} s", number=translator.number(seconds, ".1f"))
    return translator.translate("{number} ms", number=translator.number(1000 * seconds, ".1f"))


def _render(part: Section, findings: Findings, translator: Translator) -> str:
    """A section; beneath it what it means, and how to get it again."""
    body = f'<div class="wide">{part.body}</div>' if part.wide else part.body
    seed = translator.translate("seed {seed}", seed=findings.seed)
    games = translator.translate(
        "{games} of {wanted} games",
        games=translator.number(findings.games, ","),
        wanted=translator.number(findings.games_wanted, ","),
    )
    again = f"<code>{escape(findings.command)}</code> · {seed} · {games}"
    return (
        f'<section id="{part.name}"><h2>{escape(part.title)}</h2>'
        f"<figure>{part.first}{body}{part.extra}"
        f"<figcaption>{escape(part.about)}<br>{again}</figcaption></figure></section>"
    )


def _footer(findings: Findings, translator: Translator) -> str:
    return translator.translate(
        "Played with smashup {version}, rules {fingerprint}. The command under each figure plays"
        " the same games again. An unofficial fan project: Smash Up is designed by Paul Peterson"
        " and a trademark of Alderac Entertainment Group.",
        version=findings.version,
        fingerprint=findings.fingerprint,
    )
