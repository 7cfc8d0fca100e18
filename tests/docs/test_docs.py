"""The documentation is correct: examples run, links work, tables are complete."""

from __future__ import annotations

import contextlib
import dataclasses
import doctest
import inspect
import io
import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scripts import card_rulings
from scripts.site.pages import GENERATORS, coverage, page_exists, read_page, rulings
from smashup.cards import catalogue
from smashup.engine.card_api import Base, Card, Player
from smashup.engine.events.base import GameEvent
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.editions import EDITIONS, Edition
from smashup.engine.model.hooks import METHODS
from smashup.engine.views.types import View
from smashup.scenarios import cli, expectations
from smashup.scenarios.document import parse
from smashup.scenarios.options import describe_options
from smashup.scenarios.runner import run
from smashup.scenarios.schema.effects import CardChoice, FixtureEffect
from smashup.scenarios.schema.expectations import ExpectationsModel, PendingDecision
from smashup.scenarios.schema.fixtures import MODELS, TriggerCondition
from smashup.scenarios.schema.scenario import RunModel, ScenarioModel, ScriptedEvent
from smashup.scenarios.schema.table import (
    AttachedActionDetails,
    BaseDetails,
    CardInPlayDetails,
    SetupModel,
)
from smashup.scenarios.table import table_builder
from smashup.scenarios.yaml_reader import read_yaml
from tests.docs.code_blocks import PAGES, ROOT, Block, blocks

SCENARIOS = ROOT / "docs/scenarios.md"
EDITIONS_PAGE = ROOT / "docs/editions.md"
CARDS_PAGE = ROOT / "docs/cards.md"


def named(found: list[Block]) -> list[Any]:
    return [pytest.param(block, id=block.label) for block in found]


def parametrize_blocks(*infos: str) -> list[Any]:
    return named([block for page in PAGES for block in blocks(page, *infos)])


def table_rows(page: Path, heading: str) -> list[list[str]]:
    """Return the cells of the tables under a heading, without header rows."""
    text = page.read_text(encoding="utf-8")
    start = re.search(rf"^#+ {re.escape(heading)}$", text, re.MULTILINE)
    assert start is not None, f"{page.name} has no heading «{heading}»"
    rest = text[start.end() :]
    end = re.search(r"^#+ ", rest, re.MULTILINE)
    rows = []
    for line in rest[: end.start() if end else None].splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows and rows[-1] != []:
            rows.append([])  # a table ends
    tables: list[list[list[str]]] = [[]]
    for row in rows:
        if row:
            tables[-1].append(row)
        else:
            tables.append([])
    return [row for table in tables for row in table[2:]]


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def spans(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def first_words(rows: list[list[str]]) -> set[str]:
    """Return the names in the first cells, such as “draw” from `draw(count)`."""
    return {word[0] for row in rows for s in spans(row[0]) if (word := re.match(r"\w+", s))}


# --- scenarios ------------------------------------------------------------------------------


@pytest.mark.parametrize("block", parametrize_blocks("yaml scenario"))
def test_scenarios_in_the_docs_pass(block: Block) -> None:
    """Includes scenarios about a faction that the page itself defines."""
    made_up = python_of(block.page).get("FACTION")
    factions = [*catalogue().factions, *([made_up] if made_up else [])]
    for scenario in parse(block.text, block.label):
        run(scenario, Catalogue(factions, madness=catalogue().madness_class))


def failures() -> list[Any]:
    """Return scenarios meant to fail, each with the text below it."""
    found = []
    for page in PAGES:
        every = blocks(page)
        for block, shown in itertools.pairwise(every):
            if block.info == "yaml fails":
                assert shown.info == "text"
                found.append(pytest.param(block, shown.text, id=block.label))
    return found


@pytest.mark.parametrize(("block", "shown"), failures())
def test_failures_read_as_shown(
    block: Block, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("case.yaml").write_text(block.text, encoding="utf-8")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert cli.run_files(["case.yaml"]) == 1
    assert said.getvalue() == shown


@pytest.mark.parametrize("block", parametrize_blocks("yaml"))
def test_fragments_are_yaml(block: Block) -> None:
    assert read_yaml(block.text, block.label) is not None


def test_scenarios_are_marked() -> None:
    """A block that looks like a complete scenario is marked and runs."""
    for page in PAGES:
        for block in blocks(page, "yaml"):
            assert not re.match(r"(- )?(id|title):", block.text), f"{block.label} is not marked"


def known_words() -> dict[str, set[str]]:
    """Return all words of the scenario language, by category."""
    return {
        "keys": {*ScenarioModel.keys(), *RunModel.keys()},
        "setup keys": set(SetupModel.keys()),
        "card details": {
            *CardInPlayDetails.keys(),
            *AttachedActionDetails.keys(),
            *BaseDetails.keys(),
        },
        "steps": {"can", "cannot", "happens", "expect", "later", "pass", "end", "talent"},
        "happenings": set(ScriptedEvent.keys()),
        "expectations": set(ExpectationsModel.keys()),
        "parts of a question": set(PendingDecision.keys()),
        "fixture keys": {key for model in MODELS.values() for key in model.keys()},  # noqa: SIM118
        "effects": set(FixtureEffect.keys()),
        "selector keys": set(CardChoice.keys()),
        "when keys": set(TriggerCondition.keys()),
        "editions": set(EDITIONS),
    }


def test_everything_that_may_be_expected_is_checked() -> None:
    assert set(ExpectationsModel.keys()) == set(expectations.CHECKS)


@pytest.mark.parametrize("sort", known_words())
def test_every_word_is_explained(sort: str) -> None:
    code = "\n".join([*spans(prose(SCENARIOS)), *(b.text for b in blocks(SCENARIOS))])
    missing = [w for w in known_words()[sort] if not re.search(rf"(?<!\w){w}(?!\w)", code)]
    assert not missing, f"docs/scenarios.md says nothing of these {sort}: {sorted(missing)}"


def effect_examples() -> list[str]:
    return [span for row in table_rows(SCENARIOS, "Effects") for span in spans(row[0])]


def test_every_effect_has_an_example() -> None:
    shown = {span.partition(":")[0] for span in effect_examples()}
    assert shown == set(FixtureEffect.keys())


@pytest.mark.parametrize("example", effect_examples())
def test_effects_work(example: str) -> None:
    """Each effect of the table works as a talent on a table with all kinds of cards."""
    text = f"""
    title: {example!r}
    fixtures:
      Tester: {{type: minion, power: 2, talent: [{{{example}}}]}}
      Flag: {{type: action, on: base}}
    bases:
      - B1: {{P1: [Tester, V1, Flag], P2: [V2: {{counters: 1}}, V3]}}
      - B2: {{P1: [V4], P2: [V5]}}
    hands: {{P1: [V1, V2, A1, A2], P2: [V3, A1]}}
    discards: {{P1: [V3, A3], P2: [V6]}}
    madness: 3
    """
    (scenario,) = parse(text)
    game = table_builder.build_table(scenario, catalogue())
    decision = game.decision
    assert decision is not None
    game.choose(describe_options(game, decision).index("talent Tester"))
    while not game.at_menu:
        game.choose(0)


# --- Python ---------------------------------------------------------------------------------


def python_of(page: Path) -> dict[str, Any]:
    """Return what the Python blocks of a page define, without interactive ones."""
    names: dict[str, Any] = {"__name__": page.stem}
    for block in blocks(page, "python"):
        if ">>>" not in block.text:
            exec(compile(block.text, block.label, "exec"), names)
    return names


@pytest.mark.parametrize("page", [pytest.param(p, id=p.name) for p in PAGES if blocks(p, "python")])
def test_python_examples(page: Path) -> None:
    names = python_of(page)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    output = io.StringIO()
    for block in blocks(page, "python"):
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(
                block.text, names, block.label, str(page), block.line
            )
            runner.run(test, out=output.write, clear_globs=False)
            names.update(test.globs)
    assert not runner.summarize(verbose=False).failed, output.getvalue()


@pytest.mark.parametrize("block", parametrize_blocks("python fragment"))
def test_python_fragments_are_valid(block: Block) -> None:
    """A fragment omits something («...») and is not run, but it is valid Python."""
    assert "..." in block.text
    compile(block.text, block.label, "exec")


def test_every_hook_is_in_the_table() -> None:
    shown = first_words(table_rows(CARDS_PAGE, "Hooks"))
    methods = {name for name in METHODS if callable(getattr(CardDefinition, name))}
    assert methods <= shown, sorted(methods - shown)
    assert all(hasattr(CardDefinition, name) for name in shown)


def test_every_attribute_is_in_the_table() -> None:
    shown = {span for row in table_rows(CARDS_PAGE, "Attributes") for span in spans(row[0])}
    filled_in = {"faction", "set_name", "type", "types", "fused_card", "has_current_text"}
    of_the_engine = {"hooks", "aside_hooks", "is_simple", "is_madness", "groups"}
    known = set(CardDefinition.__annotations__)
    assert shown <= known, sorted(shown - known)
    missing = known - shown - filled_in - of_the_engine
    assert not missing, f"docs/cards.md says nothing of {sorted(missing)}"


HANDLES = (("Card", Card), ("Base", Base), ("Player", Player))


def test_verbs_in_the_tables_exist() -> None:
    for heading, handle in HANDLES:
        parts = [part for part in handle.__mro__ if part is not object]
        names = {name for part in parts for name in vars(part)}
        public = {name for name in names if not name.startswith("_")} - {"table", "id"}
        shown = first_words(table_rows(CARDS_PAGE, heading))
        assert shown <= public, f"{heading} has no {sorted(shown - public)}"
        missing = public - shown - {"serial", "index"}
        assert not missing, f"docs/cards.md says nothing of {heading}'s {sorted(missing)}"


def parameters(method: Any) -> list[str]:
    """Those after the first, a list of arguments with its star."""
    found = list(inspect.signature(method).parameters.values())[1:]
    return ["*" * (p.kind is p.VAR_POSITIONAL) + p.name for p in found]


def test_parameters_in_the_tables_are_right() -> None:
    for heading, owner in (("Hooks", CardDefinition), *HANDLES):
        for row in table_rows(CARDS_PAGE, heading):
            for span in spans(row[0]):
                name, bracket, rest = span.partition("(")
                member = inspect.getattr_static(owner, name)
                if bracket:
                    listed = [word for word in rest.rstrip(")").split(", ") if word]
                    assert listed == parameters(member), f"{heading}: {span}"
                elif heading != "Hooks":
                    assert not callable(member), f"{heading}: `{name}` takes arguments"


# --- editions -------------------------------------------------------------------------------


def test_editions_page_agrees_with_the_code() -> None:
    rows = {spans(row[0])[0]: row[1:] for row in table_rows(EDITIONS_PAGE, "The table")}
    fields = {f.name for f in dataclasses.fields(Edition)} - {"key", "title"}
    assert set(rows) == fields
    for field in fields:
        for cell, edition in zip(rows[field], EDITIONS.values(), strict=True):
            value = getattr(edition, field)
            expected = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            assert cell == expected, f"{field} in {edition.key}"


def test_rule_modules_are_listed_in_their_order() -> None:
    """The table in the docs shows the layers that import-linter enforces."""
    shown = [row[0] for row in table_rows(ROOT / "docs/architecture.md", "The parts")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (layers,) = [c["layers"] for c in contracts if c.get("containers") == ["smashup.engine.rules"]]
    modules = [module for layer in layers for module in layer.split(" | ")]
    assert [re.findall(r"\[(\w+)\]", cell)[0] for cell in shown] == modules[::-1]


# --- generated pages ------------------------------------------------------------------------


def test_every_hook_is_in_the_index_of_mechanisms() -> None:
    page = read_page("docs/mechanisms.md", ROOT)
    missing = [name for name in METHODS if f"| `{name}` |" not in page]
    assert not missing, missing


def test_every_rule_function_in_the_index_is_described() -> None:
    """A public function of the rules without a docstring leaves an empty cell."""
    page = read_page("docs/mechanisms.md", ROOT)
    rules = page.partition("## `smashup/engine/rules`")[2].partition("\n## ")[0]
    empty = re.findall(r"^\| (`\w+`) \|  \|$", rules, re.MULTILINE)
    assert not empty, f"Functions without a docstring: {empty}"


def test_every_purpose_and_event_is_explained() -> None:
    page = read_page("docs/identifiers.md", ROOT)
    for purpose in Purpose:
        assert re.search(rf"^\| `{purpose.value}` \| \w", page, re.MULTILINE), purpose
    for event in _event_classes(GameEvent):
        if event.id:
            assert re.search(rf"^\| `{event.id}` \| [\w+]", page, re.MULTILINE), event.id


def _event_classes(base: type[GameEvent]) -> list[type[GameEvent]]:
    return [sub for child in base.__subclasses__() for sub in (child, *_event_classes(child))]


def test_the_fields_of_views_are_listed() -> None:
    page = read_page("docs/identifiers.md", ROOT)
    for name in View.__annotations__:
        assert f"| `{name}` |" in page, name


# --- pages ----------------------------------------------------------------------------------


def slug(heading: str) -> str:
    """The anchor of a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().casefold())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("page", [pytest.param(p, id=p.name) for p in PAGES])
def test_links_work(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        assert goal.is_relative_to(ROOT), f"{page.name}: {target} leaves the project"
        name = goal.relative_to(ROOT).as_posix()
        assert page_exists(name, ROOT), f"{page.name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", read_page(name, ROOT), re.MULTILINE)
            assert anchor in map(slug, headings), f"{page.name}: {target}"


@pytest.mark.parametrize("page", GENERATORS)
def test_generated_pages_are_not_committed(page: str) -> None:
    assert not (ROOT / page).exists(), f"{page} is generated with the site: delete the file"


def test_rulings_by_card_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert card_rulings.main(["--check"]) == 0, capsys.readouterr().err


FACTION_TOTALS = {
    "Science Fiction Double Feature": [4, 80, 8, 2],
    "Cease and Desist": [4, 80, 8, 2],
    "Big in Japan": [4, 80, 8, 4],
    "International Incident": [4, 80, 8, 0],
    "Culture Shock": [5, 100, 11, 0],
    "Core Set": [8, 160, 16, 5],
    "Awesome Level 9000": [4, 80, 8, 3],
    "The Obligatory Cthulhu Set": [4, 80, 8, 2],
}
"""The factions, cards, bases and titans of each set, with the titans of the event kits."""


def test_everything_is_covered() -> None:
    """The sets are complete: every faction, card, base and titan, and a scenario for each card."""
    assert {faction.set_name for faction in catalogue().factions} == set(FACTION_TOTALS)
    for set_name, box in FACTION_TOTALS.items():
        found = coverage.totals(set_name)
        assert [found[name] for name in ("factions", "copies", "bases", "titans")] == box, set_name
    whole = coverage.totals()
    assert whole["named"] == whole["kinds"]
    assert "**0**" not in "".join("".join(coverage._cards(f)) for f in catalogue().factions)


def test_every_printed_clarification_is_settled() -> None:
    assert len(rulings.rulings_by_clarification()) == 56
    open_ones = [key for key, cases in rulings.rulings_by_clarification().items() if not cases]
    assert not open_ones, open_ones


@pytest.mark.parametrize("booklet", rulings.CLARIFICATIONS)
def test_clarifications_are_about_cards(booklet: str) -> None:
    """The clarifications are about cards of the booklet's own set."""
    title = EDITIONS[booklet].title
    of_the_set = {
        kind.name
        for faction in catalogue().factions
        if faction.set_name == title
        for kind, _ in coverage.both_printings(faction)
    }
    for entry in rulings.CLARIFICATIONS[booklet]:
        assert set(entry.split("; ")) <= of_the_set, entry


def test_check_says_what_is_out_of_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert card_rulings.main(["--check"], root=tmp_path) == 1
    assert "make docs" in capsys.readouterr().err
    assert card_rulings.main([], root=tmp_path) == 0
    assert card_rulings.main(["--check"], root=tmp_path) == 0
