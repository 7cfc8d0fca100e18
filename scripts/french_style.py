"""Finds recurring faults of French texts by patterns.

`python -m scripts.messages --check` and the tests look for them in the catalog, in the French rules
and in the words of the browser client.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

TERMS: Final = (
    "Action", "Base", "Conquête", "Créature", "Deuxième", "Démence", "Faction", "Force", "Fusion",
    "PV", "Permanent", "Résistance", "Spécial", "Talent", "Titan", "Troisième", "Vainqueur",
)  # fmt: skip
"""Terms of the French rulebook that are capitalized everywhere in a sentence."""

WRONG_TERMS: Final = (
    "capacité", "contrôleur", "en supplément", "ensevelie?", "maître", "marqueur", "travailleur",
)  # fmt: skip
"""Wrong words for an ability, a controller, extra, buried, a counter and a process."""

_QUESTION_WORD: Final = r"(?:quel(?:le)?s?|lequel|laquelle|lesquel(?:le)?s|qui)"
_INFINITIVE: Final = r"(?:(?:La|Le|Les|L’|En|Y|Se|S’|Lui) ?)?[\wÉÀé]*(?:er|ir|re)"

_FAULTS: Final = {
    r"\w'\w": "the French apostrophe is ’.",
    r"[\w»)}%] [:;!?](?!\w)|«(?!\u00a0)|(?<!\u00a0)»": (
        "a no-break space stands before : ; ! ? and inside « »."
    ),
    r"\u202f": "all no-break spaces are U+00A0.",
    r"\w …$": "no space stands before …",
    r"(?<![\w-])-\d+ (?:Force|Résistance)": "the minus sign is −.",
    rf"^{_INFINITIVE} (?:[^?.]* )?{_QUESTION_WORD}\b[^?.]*\?$": (
        "the question word comes first: « Quelle Créature jouer ? »."
    ),
    r"\b[Qq]uels? (?:Créature|Action|Base|carte)s?\b|\b[Qq]uelles? (?:Titan|joueur)s?\b": (
        "the question word has another gender."
    ),
    r"(?:\. |^)Qui (?![^.]*\?)[^.]*\.": "“whoever” is « Le joueur qui » or « Celui qui ».",
    r"(?:[Vv]os|[Ss]es)(?: autres)? Créatures ici\b": (
        "cards that are there are « présentes ici »."
    ),
    r"^Attachez (?:à|sur)\b": "the rulebook's formula is « Attachez : Créature. ».",
    r"\bjouez (?:avant|après) la Conquête": "the verb needs an object: « jouez cette carte ».",
    r"\b[Ss]i [^.]*\bdoi(?:t|vent) être (?:détruite|renvoyée)": "“would be” is « devait être ».",
    r"\bautant (?:de |d’)[^.]* que vous voulez|\bautant que vous voulez": (
        "“any number” is « n’importe quel nombre »."
    ),
    r"\bSpéciaux\b|\b(?:[Uu]n|[Ll]e|de) Spécial\b": (
        "a Special is « un effet Spécial » or « une carte Spécial »."
    ),
    rf"\b(?:{'|'.join(WRONG_TERMS)})s?\b": "the French rulebook has another word.",
    r"\bBases hors (?:du )?jeu\b": "the pile is « la défausse Base ».",
    r"\bJouer des Cartes\b": "the phase is « Jouer des cartes ».",
    r"^On \w+ (?:la Base )?\{": "a log line does not begin with « On ».",
    r"\w\((?:e|s|es)\)": "a form in parentheses stands for two forms.",
    r"\b(?:de|à) les? \{": "« de le » and « à le » are « du » and « au ».",
}
_NEEDS_CAPITAL: Final = re.compile(r"\b(?:créature|faction|titan)s?\b")
_ENGLISH: Final = re.compile(
    r"\b(?:the|of|and|with|your|you|this|that|minions?|decks?|hands?|cards?|players?|turns?|"
    r"powers?|discards?|draws?|plays?|scores?|breakpoint|owners?|counters?)\b",
    re.IGNORECASE,
)
_NOT_PROSE: Final = re.compile(
    r"\{\w+\}|«\u00a0[^»]*\u00a0»|`[^`]*`|\"[^\"]*\"|\[[^]]*\]|"
    r"\S*[:/_@=]\S+|--[\w-]+|smashup [\w-]+"
)
"""Placeholders, quotations, commands, addresses and links."""


def find_faults(text: str, names: re.Pattern[str] | None = None) -> Iterator[str]:
    """Find the recurring faults of a French text; ``names`` are English names it may contain."""
    for pattern, complaint in _FAULTS.items():
        if re.search(pattern, text):
            yield complaint
    prose = _NOT_PROSE.sub(" ", names.sub(" ", text) if names is not None else text)
    if _NEEDS_CAPITAL.search(prose):
        yield "terms of the rulebook have a capital."
    if english := _ENGLISH.search(prose):
        yield f"“{english[0]}” is English."


def find_title_faults(title: str) -> Iterator[str]:
    """Find words with a capital in a title; only its first word and terms have one in French."""
    for word in re.findall(r"[^\W\d_]+", title)[1:]:
        if word[0].isupper() and word not in TERMS and word.removesuffix("s") not in TERMS:
            yield f"“{word}” has a capital in the middle of a title."
