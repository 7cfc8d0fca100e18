"""What teaches over HTTP: the reference of the rules, and a table for a first game."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from smashup import rules
from smashup.rules.index import load_index
from smashup.rules.lesson import load_advice
from smashup.server.http.lobby import PROBLEMS, AtRegistry, prepared
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
from smashup.server.tables import tutorial

router = APIRouter(prefix="/api", responses=PROBLEMS)


@router.get("/rules/{lang}", response_model=Rulebook)
async def rulebook(lang: Language, registry: AtRegistry, request: Request) -> Response:
    """The rules in a language, and which of them are behind decisions and lines of the log."""
    return prepared(registry, request, lambda: _rulebook(lang), lang)


@router.get("/rulings", response_model=Rulings)
async def rulings(registry: AtRegistry, request: Request) -> Response:
    """Cases that are settled, by card."""
    return prepared(registry, request, _rulings)


@router.get("/tutorial", response_model=TutorialPlan)
async def plan(registry: AtRegistry, request: Request) -> Response:
    """How the first game is meant to go."""
    return prepared(registry, request, lambda: TutorialPlan(advice=load_advice()))


@router.post("/tutorial", status_code=201)
async def begin(form: TutorialForm, registry: AtRegistry) -> Lesson:
    """A table for a first game. The secret of the seat is told this once."""
    return await tutorial.begin(form, registry)


def _rulebook(lang: str) -> Rulebook:
    found = load_index()
    return Rulebook(
        lang=lang,
        chapters=[
            RuleChapter(
                id=chapter.id, title=chapter.title, rules=[_rule(s) for s in chapter.sections]
            )
            for chapter in rules.load_chapters(lang)
        ],
        purposes={purpose: list(named) for purpose, named in found.purposes.items()},
        cards={
            card: {purpose: list(named) for purpose, named in by_purpose.items()}
            for card, by_purpose in found.cards.items()
        },
        events={event: list(named) for event, named in found.events.items()},
        otherwise=list(found.otherwise),
    )


def _rulings() -> Rulings:
    return Rulings(
        cards={
            name: [Ruling(id=case, title=title) for case, title in cases]
            for name, cases in rules.load_rulings().items()
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
