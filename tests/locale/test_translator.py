"""Translator: placeholders, lists, hidden cards, French spelling, several languages at once."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from smashup.cards import catalogue
from smashup.engine.events.log_text import WORDINGS
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.decisions import Decision
from smashup.engine.model.messages import LogLine, Message, Name, player_name
from smashup.engine.views.view import message
from smashup.locale import (
    CONTEXT_END,
    Translator,
    detect_language,
    get_translator,
    load_catalog,
    load_translations,
    render,
)
from tests.random_games import new_game, random_setup, walk

NAMES = ["Ana", "Bo"]


@cache
def card_names() -> set[str]:
    """Return the names of cards: some are options, and most have no French name."""
    return {kind.name for printing in PRINTINGS for kind in catalogue().definitions(printing)}


def messages_of(game: Game, decision: Decision) -> Iterator[Message]:
    """Return the question of a decision and the labels of its options."""
    yield decision.question()
    for number in range(len(decision.options)):
        yield decision.label(number)


def assert_translated(said: Message) -> None:
    words = re.sub(r"\{\w*\}", "", said.text)
    if any(c.isalpha() for c in words) and said.text not in card_names():
        assert said.text in load_translations("fr")
    for value in said.args.values():
        if isinstance(value, Message):
            assert_translated(value)


@pytest.mark.parametrize("seed", range(6))
def test_every_message_of_a_game_has_a_french_translation(seed: int) -> None:
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    for decision in walk(game, rng):
        for said in messages_of(game, decision):
            assert_translated(said)
    assert len(game.table.log) > 50
    for entry in game.table.log:
        for player in range(-1, game.table.num_players):
            assert_translated(entry.for_player(player))


def test_one_log_renders_in_two_languages() -> None:
    rng = random.Random(7)
    game = new_game(random_setup(rng, players=2))
    for _ in walk(game, rng, steps=120):
        pass
    lines = [(render(m, "en"), render(m, "fr")) for _, m in game.log_lines(0)]
    assert [english for english, _ in lines] == [
        e[:1].upper() + e[1:] for e in (str(m) for _, m in game.log_lines(0))
    ]
    assert ("Turn 1: P1." in dict(lines)) or ("Turn 1: P2." in dict(lines))
    for english, french in lines:
        assert english != french
        assert get_translator("fr").render(message(Message("{x}", {"x": french}))) == french


def test_plain_data_renders_like_its_message() -> None:
    rng = random.Random(3)
    game = new_game(random_setup(rng))
    for decision in walk(game, rng, steps=60):
        for said in messages_of(game, decision):
            assert render(message(said), "fr", NAMES) == render(said, "fr", NAMES)
    for entry in game.table.log:
        hidden = entry.for_player(-1)
        assert render(message(hidden), "fr") == render(hidden, "fr")


def test_hidden_cards_have_no_name_in_any_language() -> None:
    cards = [Name("card", 1, "Furious George"), Name("card", 2, "Jumper")]
    said = Message("{player} draws {cards}.", {"player": player_name(0), "cards": cards})
    entry = LogLine(0, said, seen_by=1)
    assert render(entry.for_player(0), "fr", NAMES) == "Ana pioche George en Furie et Jumper."
    assert render(entry.for_player(1), "fr", NAMES) == "Ana pioche 2 cartes."
    assert render(entry.for_player(1), "en", NAMES) == "Ana draws 2 cards."
    one = LogLine(1, Message(said.text, {**said.args, "cards": cards[:1]}), seen_by=1)
    assert render(one.for_player(-1), "fr") == "P1 pioche une carte."
    none = Message(
        "{player} looks at {other}'s hand: {cards}.", {**said.args, "other": "Bo", "cards": []}
    )
    assert render(none, "fr") == "P1 regarde la main de Bo\u00a0: rien."
    deck = {"card": cards[1], "player": player_name(1)}
    moved = LogLine(2, Message("{card} goes on top of {player}'s deck.", deck), seen_by=0)
    assert render(moved.for_player(0), "fr", NAMES) == "Une carte va sur la pioche de Bo."


def test_de_is_elided_before_a_vowel() -> None:
    said = Message("{player} looks at {other}'s hand: {cards}.", {
        "player": player_name(1), "other": player_name(0), "cards": [Name("card", 1, "Jumper.")],
    })  # fmt: skip
    assert render(said, "fr", NAMES) == "Bo regarde la main d’Ana\u00a0: Jumper."
    assert render(said, "fr", ["Élise", "Ana"]) == "Ana regarde la main d’Élise\u00a0: Jumper."
    assert render(said, "fr", ["Cid", "Ana"]) == "Ana regarde la main de Cid\u00a0: Jumper."
    assert render(said, "en", NAMES) == "Bo looks at Ana's hand: Jumper."


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("la main de {name}", "Ana", "la main d’Ana"),
        ("la main de {name}", "Œdipe", "la main d’Œdipe"),
        ("la main de {name}", "Yves", "la main d’Yves"),
        ("la main de {name}", "Yokozuna", "la main de Yokozuna"),
        ("la main de {name}", "Hansel", "la main de Hansel"),
        ("la main de {name}", "One for All", "la main de One for All"),
        ("la main de {name}", "Onini the Python", "la main d’Onini the Python"),
        ("la main de {name}", "1.21 Gigawatts", "la main de 1.21 Gigawatts"),
        ("jusqu’à ce que {name} choisisse", "Élise", "jusqu’à ce qu’Élise choisisse"),
        ("lorsque {name} joue", "Ana", "lorsqu’Ana joue"),
        ("le {name}", "Action", "l’Action"),
        ("La {name}", "Action", "L’Action"),
        ("ronde {name}", "Ana", "ronde Ana"),
        ("prenez-le {name}", "Ana", "prenez-le Ana"),
    ],
)
def test_words_before_a_name_lose_their_vowel(text: str, name: str, expected: str) -> None:
    said = Message(text, {"name": name})
    assert render(said, "fr") == expected
    assert render(said, "en") == text.format(name=name)


@pytest.mark.parametrize(
    ("count", "english", "french"),
    [
        (0, "0 chat messages", "0 message"),
        (1, "1 chat message", "1 message"),
        (1.5, "1.5 chat messages", "1,5 message"),
        (2, "2 chat messages", "2 messages"),
        (21, "21 chat messages", "21 messages"),
        (-1, "-1 chat messages", "−1 message"),
    ],
)
def test_plurals_follow_each_language(count: float, english: str, french: str) -> None:
    texts = ("{count} chat message", "{count} chat messages")
    assert get_translator("en").plural(count, *texts) == english
    assert get_translator("fr").plural(count, *texts) == french


def test_negative_numbers_have_a_minus_sign_in_french() -> None:
    said = Message("{card} has {amount} power.", {"card": Name("card", 1, "Spy"), "amount": -2})
    assert render(said, "fr") == "Spy\u00a0: −2 Force."
    assert render(said, "en") == "Spy has -2 power."


def test_numbers_are_formatted_per_language() -> None:
    forms = [
        (1234.56, ",.1f"),
        (0.0725, "+.2f"),
        (-0.0725, "+.2f"),
        (0.687, ".1%"),
        (0.5, ".0%"),
        (21000, ","),
        (7, "g"),
    ]
    assert [get_translator("en").number(*form) for form in forms] == [
        "1,234.6", "+0.07", "-0.07", "68.7%", "50%", "21,000", "7",
    ]  # fmt: skip
    assert [get_translator("fr").number(*form) for form in forms] == [
        "1\u00a0234,6", "+0,07", "−0,07", "68,7\u00a0%", "50\u00a0%", "21\u00a0000", "7",
    ]  # fmt: skip


def test_untranslated_arguments_stay_as_they_are() -> None:
    said = Message("There is no edition “{text}”; there are {known}.", {
        "text": "base", "known": Message("base", {}),
    })  # fmt: skip
    assert "«\u00a0base\u00a0»" in render(said, "fr")
    assert render(said, "fr").endswith("Éditions possibles\u00a0: Base.")


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "fr_CA@euro"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "fr_BE.UTF-8"}, "fr"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:en"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "", "LC_ALL": "", "LANGUAGE": "nl:fr_FR"}, "fr"),
    ],
)
def test_the_environment_selects_the_language(environ: dict[str, str], lang: str) -> None:
    assert detect_language(environ) == lang


def test_equal_english_can_be_translated_by_event() -> None:
    table = {
        "card_played\x04{player} goes on.": "{player} joue.",
        "{player} goes on.": "{player} continue.",
    }
    translator = Translator(table, "fr")
    goes_on = Message("{player} goes on.", {"player": player_name(0)})
    assert translator.render(goes_on, NAMES, "card_played") == "Ana joue."
    assert translator.render(goes_on, NAMES, "base_scored") == "Ana continue."
    assert translator.render(goes_on, NAMES) == "Ana continue."


def test_lines_of_the_log_are_translated_in_the_context_of_their_events() -> None:
    catalog = load_catalog("fr")
    for event, wording in WORDINGS.items():
        for text in filter(None, (wording.text, wording.caused, wording.one)):
            assert f"{event}{CONTEXT_END}{text}" in catalog
    assert not any(CONTEXT_END in text for text in load_translations("fr"))
