"""Static data for clients: factions, editions, printings, bots, cards and translations."""

from __future__ import annotations

from typing import Final

from smashup.bots.levels import BUILT_IN_NAMES, LEVELS
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
        "The rulebook of 2014: a strict mulligan, every base in the deck, and the game can end as"
        " soon as bases have scored.",
        {},
    ),
    "CD": Message(
        "The rulebook of 2016: the first to define the order of everything that a card triggers.",
        {},
    ),
    "BIJ": Message("The rulebook of 2017: adds titans, and actions that have power.", {}),
    "II": Message(
        "The rulebook of 2019: an extra card can be played at once, while another resolves.", {}
    ),
    "CS": Message(
        "The newest rulebook, and the best choice if you are not sure: like the one before, with a"
        " kinder mulligan.",
        {},
    ),
}
PRINTING_NOTES: Final = {
    PRINTED: Message("The cards as they were first printed.", {}),
    CURRENT: Message("The cards as sold today; some texts differ.", {}),
}
PLACES: Final = {STANDARD: "", ON_BASE: "base", ON_MINION: "minion"}


def meta(cards: Catalogue, min_window_seconds: float) -> Meta:
    """Return the options for new tables."""
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
            if name not in BUILT_IN_NAMES
        ],
        beat=min_window_seconds,
    )


def cards_of(cards: Catalogue, factions: list[str], printing: str) -> Cards:
    """Return the cards of some factions in a printing."""
    decks = []
    for faction in factions:
        deck = cards.deck(faction, printing)
        decks.append(
            Deck(
                faction=faction,
                cards=[_card_info(definition) for definition in deck.cards],
                bases=[_card_info(definition) for definition in deck.bases],
                titans=[_card_info(definition) for definition in deck.titans],
            )
        )
    return Cards(printing=printing, decks=decks)


def phrases(lang: str) -> Phrases:
    """Return the translations for clients."""
    return Phrases(lang=lang, phrases=load_translations(lang))


def _card_info(definition: CardDefinition) -> CardInfo:
    return CardInfo(
        name=definition.name,
        type=TYPE_NAMES[definition.type],
        text=definition.text,
        keywords=[word for word in KEYWORDS if word in definition.keywords.split()],
        copies=definition.copies,
        power=definition.power,
        on=PLACES[definition.played_on],
        breakpoint=definition.breakpoint,
        vp=list(definition.vp),
        optional=definition.optional,
        special=bool(definition.hooks >> H_CAN_PLAY_AS_SPECIAL & 1),
        icon=definition.icon,
    )


def _plain(m: Message) -> Sentence:
    return message(m)
