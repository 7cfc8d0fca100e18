"""French texts are free of recurring faults, in the catalog, the rules, the client and a game."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from scripts.french_style import find_faults, find_title_faults
from scripts.messages import english_names
from smashup import rules
from smashup.locale import get_translator
from tests.random_games import new_game, random_setup, walk

CLIENT_WORDS = Path(__file__).parents[2] / "client" / "src" / "locales" / "fr"
NBSP = "\u00a0"
UNELIDED = re.compile(r"(?<![\w-])(?:de|que|le|la|ne|se|jusque|lorsque) $", re.IGNORECASE)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("C'est tout.", "apostrophe"),
        ("Jouer la carte ?", "no-break space"),
        ("Problème : la carte", "no-break space"),
        ("« Jumper »", "no-break space"),
        ("Bien joué\u202f!", "U+00A0"),
        ("Réflexion …", "before …"),
        ("Elle a -2 Force.", "minus sign"),
        (f"Jouer quelle Créature{NBSP}?", "question word comes first"),
        (f"La déplacer vers quelle Base{NBSP}?", "question word comes first"),
        (f"L’enterrer sur quelle Base{NBSP}?", "question word comes first"),
        (f"Regarder la main de qui{NBSP}?", "question word comes first"),
        (f"Quel Base détruire{NBSP}?", "gender"),
        ("La partie est finie. Qui a le plus de PV gagne.", "Celui qui"),
        ("Vos autres Créatures ici ont +1 Force.", "présentes ici"),
        ("Attachez à une Créature.", "formula"),
        (f"Spécial{NBSP}: jouez avant la Conquête d’une Base.", "needs an object"),
        ("Si une autre Créature doit être détruite, renvoyez-la.", "devait"),
        ("Défaussez autant de cartes que vous voulez.", "n’importe quel nombre"),
        ("Chacun peut jouer un Spécial.", "effet Spécial"),
        ("Les Spéciaux viennent ensuite.", "effet Spécial"),
        ("Jouez-la en supplément.", "another word"),
        ("Plusieurs travailleurs se parlent.", "another word"),
        ("Son maître peut la regarder.", "another word"),
        ("Elle rejoint les Bases hors du jeu.", "défausse Base"),
        ("Dans la phase Jouer des Cartes.", "Jouer des cartes"),
        ("On détruit {card}.", "« On »"),
        ("{count} jeton(s) sur {card}.", "parentheses"),
        ("La main de le {name}.", "« du »"),
        ("Choisissez deux factions.", "capital"),
        ("Jouez une créature.", "capital"),
        ("Regardez le deck.", "“deck” is English"),
        ("Jouez this Créature.", "“this” is English"),
    ],
)
def test_each_fault_is_found(text: str, complaint: str) -> None:
    assert [found for found in find_faults(text) if complaint in found]


@pytest.mark.parametrize(
    "text",
    [
        f"Quelle Créature jouer{NBSP}?",
        f"Où la placer{NBSP}? La dernière sera piochée en premier.",
        f"Jouer la carte{NBSP}?",
        f"Qui bat qui{NBSP}?",
        "Le joueur qui a le plus de PV gagne.",
        f"Attachez{NBSP}: Créature. Permanent{NBSP}: elle a −2 Force.",
        "Si vous avez au moins deux Créatures ici, piochez une carte.",
        f"Adresse comme redis://:password@host:6379/0 ou «{NBSP}P2 deck{NBSP}», avec --deck.",
        "d’{player}",
    ],
)
def test_good_french_has_no_faults(text: str) -> None:
    assert list(find_faults(text)) == []


def test_english_names_are_allowed() -> None:
    assert list(find_faults("Jouez The Golden Lily.")) == ["“The” is English."]
    assert list(find_faults("Jouez The Golden Lily.", english_names())) == []


def test_the_words_of_the_client_have_no_faults() -> None:
    files = sorted(CLIENT_WORDS.glob("*.json"))
    assert len(files) >= 8
    faults = [
        (file.name, french, fault)
        for file in files
        for french in json.loads(file.read_text(encoding="utf-8")).values()
        for fault in find_faults(french, english_names())
    ]
    assert faults == []


def test_titles_have_a_capital_only_where_french_does() -> None:
    assert list(find_title_faults("Le Début du Tour"))
    assert not list(find_title_faults("La Conquête des Bases"))
    for rule in rules.load_sections("fr").values():
        assert list(find_title_faults(rule.title)) == [], rule.id


@pytest.mark.parametrize("seed", range(4))
def test_a_game_reads_well_with_names_that_begin_with_a_vowel(seed: int) -> None:
    """Words before a name are elided, and a hidden card has one article."""
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    names = ["Ana", "Élise", "Isis", "Yves"]
    french = get_translator("fr")
    for decision in walk(game, rng):
        sentences = [decision.question(), *map(decision.label, range(len(decision.options)))]
        for sentence in sentences:
            _assert_reads_well(french.pieces(sentence, names))
    for entry in game.table.log:
        for viewer in range(-1, game.table.num_players):
            _assert_reads_well(french.pieces(entry.for_player(viewer), names))


def _assert_reads_well(pieces: list[tuple[str, object]]) -> None:
    sentence = "".join(text for text, _ in pieces)
    for (before, _), (words, origin) in pairwise(pieces):
        if origin is not None and re.match(r"(?!One\b)[aeiouàâéèêîô]", words, re.IGNORECASE):
            assert not UNELIDED.search(before), sentence
    assert "carte une carte" not in sentence.casefold()
    assert not re.search(r"\b[Dd]e les?\b|\bà les?\b(?! \w+r\b)", sentence), sentence
