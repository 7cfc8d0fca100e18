"""The HTTP API of the rules reference and the tutorial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from smashup import rules
from smashup.rules.index import load_index
from smashup.rules.lesson import load_advice
from smashup.server.http.lobby import PROBLEMS, RegistryDependency, cached_response
from smashup.server.http.schemas import (
    Lesson,
    Rule,
    Rulebook,
    RuleChapter,
    Ruling,
    Rulings,
    TutorialForm,
    TutorialPlan,
)
from smashup.server.live.protocol import Language
from smashup.server.tables.seats import tutorial

router = APIRouter(prefix="/api", responses=PROBLEMS)


@router.get("/rules/{lang}", response_model=Rulebook)
async def rulebook(lang: Language, registry: RegistryDependency, request: Request) -> Response:
    """The rules in a language, and which of them apply to decisions and log lines."""
    return cached_response(registry, request, lambda: _rulebook(lang), lang)


@router.get("/rulings", response_model=Rulings)
async def rulings(
    registry: RegistryDependency,
    request: Request,
    card: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """All rulings by card, or those of one card."""
    if card is None:
        return cached_response(registry, request, lambda: _rulings(rules.load_rulings()))
    cases = rules.load_rulings().get(card)
    if cases is None:  # one cached response for all of them, as clients can send any name
        return cached_response(registry, request, lambda: _rulings({}), "none")
    return cached_response(registry, request, lambda: _rulings({card: cases}), f"card/{card}")


@router.get("/tutorial", response_model=TutorialPlan)
async def plan(registry: RegistryDependency, request: Request) -> Response:
    """The plan of the tutorial game."""
    return cached_response(registry, request, lambda: TutorialPlan(advice=load_advice()))


@router.post("/tutorial", status_code=201)
async def begin(form: TutorialForm, registry: RegistryDependency) -> Lesson:
    """Create a table for the tutorial. The response contains the secret of the seat."""
    return await tutorial.create_tutorial_table(form, registry)


def _rulebook(lang: str) -> Rulebook:
    index = load_index()
    return Rulebook(
        lang=lang,
        chapters=[
            RuleChapter(
                id=chapter.id, title=chapter.title, rules=[_rule(s) for s in chapter.sections]
            )
            for chapter in rules.load_chapters(lang)
        ],
        purposes={purpose: list(named) for purpose, named in index.purposes.items()},
        cards={
            card: {purpose: list(named) for purpose, named in by_purpose.items()}
            for card, by_purpose in index.cards.items()
        },
        events={event: list(named) for event, named in index.events.items()},
        otherwise=list(index.otherwise),
    )


def _rulings(by_card: Mapping[str, Sequence[tuple[str, str]]]) -> Rulings:
    return Rulings(
        cards={
            name: [Ruling(id=case, title=title) for case, title in cases]
            for name, cases in by_card.items()
        }
    )


def _rule(section: rules.RulesSection) -> Rule:
    return Rule(
        id=section.id,
        title=section.title,
        text=section.text,
        example=section.example,
        editions=section.editions,
        terms=list(section.terms),
        see=list(section.see),
    )
