"""A report as one self-contained HTML page with inline styles, scripts and figures."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Final

from smashup.engine.model.catalogue import CURRENT, PRINTED
from smashup.engine.model.editions import EDITIONS
from smashup.lab.findings import Findings
from smashup.lab.report.sections import Section, build_sections
from smashup.locale import ENGLISH, Translator

PRINTING_LABELS: Final = {PRINTED: "printed cards", CURRENT: "current cards"}


def render_page(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Render the whole page in a language."""
    findings = findings.translate_names(translator.translate)
    parts = list(build_sections(findings, translator))
    title = _page_title(findings, translator)
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{translator.lang}">',
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(translator.translate('Smash Up: {title}', title=title))}</title>",
            f"<style>{_read_asset('page.css')}{_read_asset('drawing.css')}</style>",
            f'<header class="top"><h1>{escape(title)}</h1>',
            f'<p class="lead">{_render_lead(findings, translator)}</p>',
            f"{_render_links(parts, translator)}{_render_tiles(findings, translator)}</header>",
            "<main>",
            *(_render_section(part, findings, translator) for part in parts),
            "</main>",
            f"<footer>{escape(_render_footer(findings, translator), quote=False)}</footer>",
            '<div id="tip" aria-hidden="true"></div>',
            f"<script>{_read_asset('page.js')}</script>",
            "</html>",
            "",
        ]
    )


def make_standalone_svg(drawing: str) -> str:
    """Return a figure as an SVG file with its own styles."""
    colors = _read_asset("page.css").partition("* {")[0]
    background = ".back { fill: var(--sheet); }"
    head, _, body = drawing.partition(">")
    width = head.partition('viewBox="0 0 ')[2].partition(" ")[0]
    back = '<rect width="100%" height="100%" rx="10" class="back"/>'
    style = f"<style>{colors}{_read_asset('drawing.css')}{background}</style>"
    return f'{head} width="{width}">{style}{back}{body}\n'


def _read_asset(name: str) -> str:
    return files("smashup.lab.report").joinpath(name).read_text(encoding="utf-8")


def _page_title(findings: Findings, translator: Translator) -> str:
    if findings.kind == "matrix":
        return translator.translate("Which factions win")
    return translator.translate("Which bots win")


def _render_lead(findings: Findings, translator: Translator) -> str:
    """Describe the games. The sentences contain no HTML, so only their arguments are escaped."""
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
        cards=translator.translate(PRINTING_LABELS[findings.printing]),
    )
    return f"{played} {rules}"


def _render_links(parts: list[Section], translator: Translator) -> str:
    links = "".join(f'<a href="#{part.anchor}">{escape(part.title)}</a>' for part in parts)
    theme = f'<button type="button" id="theme">{translator.translate("light or dark")}</button>'
    return f"<nav>{links}{theme}</nav>"


def _render_tiles(findings: Findings, translator: Translator) -> str:
    tr, number = translator.translate, translator.number
    facts = [
        (number(findings.games, ","), tr("games")),
        (number(findings.turns.value, ".1f"), tr("turns in a game")),
        (number(findings.bases.value, ".1f"), tr("bases score in a game")),
        (number(findings.seats[0].value, ".1%"), tr("won by whoever goes first")),
        (number(findings.decisions, ".0f"), tr("decisions in a game")),
        (_format_time(findings.seconds, translator), tr("of thinking in a game")),
    ]
    tiles = "".join(f'<div class="tile"><b>{fact}</b><span>{of}</span></div>' for fact, of in facts)
    return f'<div class="tiles">{tiles}</div>'


def _format_time(seconds: float, translator: Translator) -> str:
    if seconds >= 1:
        return translator.translate("{number} s", number=translator.number(seconds, ".1f"))
    return translator.translate("{number} ms", number=translator.number(1000 * seconds, ".1f"))


def _render_section(part: Section, findings: Findings, translator: Translator) -> str:
    """Render a section with its caption and the command that reproduces it."""
    body = f'<div class="wide">{part.body}</div>' if part.wide else part.body
    seed = translator.translate("seed {seed}", seed=findings.seed)
    games = translator.translate(
        "{games} of {wanted} games",
        games=translator.number(findings.games, ","),
        wanted=translator.number(findings.games_wanted, ","),
    )
    again = f"<code>{escape(findings.command)}</code> · {seed} · {games}"
    return (
        f'<section id="{part.anchor}"><h2>{escape(part.title)}</h2>'
        f"<figure>{part.before}{body}{part.after}"
        f"<figcaption>{escape(part.caption)}<br>{again}</figcaption></figure></section>"
    )


def _render_footer(findings: Findings, translator: Translator) -> str:
    return translator.translate(
        "Played with smashup {version}, rules {fingerprint}. The command under each figure plays"
        " the same games again. An unofficial fan project: Smash Up is designed by Paul Peterson"
        " and a trademark of Alderac Entertainment Group.",
        version=findings.version,
        fingerprint=findings.fingerprint,
    )
