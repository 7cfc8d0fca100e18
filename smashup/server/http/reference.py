"""What a client needs to know beforehand: factions, rulebooks, printings, bots, cards, words."""

from __future__ import annotations

from typing import Final

from smashup.bots.levels import LEVELS
from smashup.bots.plugins import registered_names
from smashup.engine.model.catalogue import CURRENT, PRINTED, Catalogue
from smashup.engine.model.constants import ON_BASE, ON_MINION, STANDARD, TYPE_NAMES
from smashup.engine.model.definitions import KEYWORDS, CardDefinition
from smashup.engine.model.editions import DEFAULT_EDITION, EDITIONS
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import Message
from smashup.engine.views.types import Sentence
from smashup.engine.views.view import message
from smashup.locale import LANGUAGES, load_translations
from smashup.server.http.schemas import (
    CardInfo,
    Cards,
    Choice,
    Deck,
    EditionInfo,
    FactionInfo,
    Meta,
    Phrases,
)
from smashup.version import __version__

H_CAN_PLAY_AS_SPECIAL: Final = Hook.CAN_PLAY_AS_SPECIAL.value

EDITION_NOTES: Final = {
    "SB": Message(
        "The booklet of 2014: a strict mulligan, every base in the deck, and the winner is looked"
        " for as soon as bases have scored.",
        {},
    ),
    "CD": Message(
        "The booklet of 2016: the first to say in which order everything a card sets off happens.",
        {},
    ),
    "BIJ": Message("The booklet of 2017: brings titans, and actions that have power.", {}),
    "II": Message(
        "The booklet of 2019: an extra card may be played at once, in the middle of another.", {}
    ),
    "CS": Message(
        "The newest booklet, and the one to take if you are not sure: as the one before, with a"
        " kinder mulligan.",
        {},
    ),
}
PRINTING_NOTES: Final = {
    PRINTED: Message("The cards as they were first printed.", {}),
    CURRENT: Message("The cards as they are in the boxes sold now: some say something else.", {}),
}
PLACES: Final = {STANDARD: "", ON_BASE: "base", ON_MINION: "minion"}


def meta(cards: Catalogue, beat: float) -> Meta:
    """What tables can be made of."""
    return Meta(
        version=__version__,
        languages=list(LANGUAGES),
        factions=[
            FactionInfo(
                name=f.name,
                set_name=f.set_name,
                blurb=f.blurb,
                colors=list(f.colors or ()),
                icon=f.icon,
            )
            for f in cards.factions
        ],
        editions=[
            EditionInfo(key=e.key, title=e.title, year=e.year, about=_plain(EDITION_NOTES[e.key]))
            for e in EDITIONS.values()
        ],
        default_edition=DEFAULT_EDITION.key,
        printings=[Choice(name=name, about=_plain(m)) for name, m in PRINTING_NOTES.items()],
        levels=[
            Choice(name=level.name, about=_plain(Message(level.description, {})))
            for level in LEVELS
        ]
        + [
            Choice(name=name, about=_plain(Message("A bot that this server has added.", {})))
            for name in registered_names()
        ],
        beat=beat,
    )


def cards_of(cards: Catalogue, factions: list[str], printing: str) -> Cards:
    """The cards of these factions in a printing."""
    decks = []
    for faction in factions:
        deck = cards.deck(faction, printing)
        decks.append(
            Deck(
                faction=faction,
                cards=[_card(kind) for kind in deck.cards],
                bases=[_card(kind) for kind in deck.bases],
                titans=[_card(kind) for kind in deck.titans],
            )
        )
    return Cards(printing=printing, decks=decks)


def words(lang: str) -> Phrases:
    """A language, for a client that translates by itself."""
    return Phrases(lang=lang, phrases=load_translations(lang))


def _card(kind: CardDefinition) -> CardInfo:
    return CardInfo(
        name=kind.name,
        type=TYPE_NAMES[kind.type],
        text=kind.text,
        keywords=[word for word in KEYWORDS if word in kind.keywords.split()],
        copies=kind.copies,
        power=kind.power,
        on=PLACES[kind.played_on],
        breakpoint=kind.breakpoint,
        vp=list(kind.vp),
        optional=kind.optional,
        special=bool(kind.hooks >> H_CAN_PLAY_AS_SPECIAL & 1),
        icon=kind.icon,
    )


def _plain(m: Message) -> Sentence:
    return message(m)
