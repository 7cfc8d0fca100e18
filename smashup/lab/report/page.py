"""A report as one self-contained HTML page with inline styles, scripts and figures."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Final

from smashup.engine.model.catalogue import CURRENT, PRINTED
from smashup.engine.model.editions import EDITIONS
from smashup.lab.findings import Findings
from smashup.lab.report.sections import build_sections
from smashup.lab.report.templating import render_template
from smashup.locale import ENGLISH, Translator

PRINTING_LABELS: Final = {PRINTED: "printed cards", CURRENT: "current cards"}


def render_page(findings: Findings, translator: Translator = ENGLISH) -> str:
    """Render the whole page in a language."""
    findings = findings.translate_names(translator.translate)
    tr, number = translator.translate, translator.number
    title = tr("Which factions win") if findings.kind == "matrix" else tr("Which bots win")
    return render_template(
        "page.html",
        lang=translator.lang,
        page_title=tr("Smash Up: {title}", title=title),
        styles=_read_asset("page.css") + _read_asset("drawing.css"),
        title=title,
        lead=_render_lead(findings, translator),
        theme=tr("light or dark"),
        tiles=_list_tiles(findings, translator),
        sections=list(build_sections(findings, translator)),
        command=findings.command,
        seed=tr("seed {seed}", seed=findings.seed),
        games=tr(
            "{games} of {wanted} games",
            games=number(findings.games, ","),
            wanted=number(findings.games_wanted, ","),
        ),
        footer=_render_footer(findings, translator),
        script=_read_asset("page.js"),
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


def _list_tiles(findings: Findings, translator: Translator) -> list[tuple[str, str]]:
    tr, number = translator.translate, translator.number
    return [
        (number(findings.games, ","), tr("games")),
        (number(findings.turns.value, ".1f"), tr("turns in a game")),
        (number(findings.bases.value, ".1f"), tr("bases score in a game")),
        (number(findings.seats[0].value, ".1%"), tr("won by whoever goes first")),
        (number(findings.decisions, ".0f"), tr("decisions in a game")),
        (_format_time(findings.seconds, translator), tr("of thinking in a game")),
    ]


def _format_time(seconds: float, translator: Translator) -> str:
    if seconds >= 1:
        return translator.translate("{number} s", number=translator.number(seconds, ".1f"))
    return translator.translate("{number} ms", number=translator.number(1000 * seconds, ".1f"))


def _render_footer(findings: Findings, translator: Translator) -> str:
    return translator.translate(
        "Played with smashup {version}, rules {fingerprint}. The command under each figure plays"
        " the same games again. An unofficial fan project: Smash Up is designed by Paul Peterson"
        " and a trademark of Alderac Entertainment Group.",
        version=findings.version,
        fingerprint=findings.fingerprint,
    )
