"""French spelling that depends on neighboring words and numbers: elision, plurals, number marks.

The browser client does the same in ``client/src/lib/french.ts``.
"""

from __future__ import annotations

import re
from typing import Final

_ELIDED_WORD: Final = re.compile(
    r"(?<![\w’-])((?:[djmnst]|(?:jus|lors|puis|quoi)?qu)e|l[ea]) $", re.IGNORECASE
)
"""A word at the end of a text that loses its last vowel before another vowel: « de », « que »."""
_VOWEL_SOUND: Final = re.compile(
    r"(?!(?:one|once|onz\w+|oui)\b)(?:[aeiouàâäéèêëîïôöùûüœæ]|y[^aeiouy\W])", re.IGNORECASE
)
"""Words before which it does so; names with an h keep « de », as the h may be aspirated."""
_NUMBER_MARKS: Final = str.maketrans({",": "\u00a0", ".": ",", "%": "\u00a0%", "-": "−"})
"""Replaces the marks of an English number: “-1,234.5%” becomes « −1 234,5 % »."""


def elide(before: str, words: str) -> str:
    """Return the text before these words, with its last word elided: « la main d’ » before Ana."""
    if _VOWEL_SOUND.match(words) is None or _ELIDED_WORD.search(before) is None:
        return before
    return before[:-2] + "’"


def is_singular(count: float) -> bool:
    """Return whether a count takes the singular, as 0, 1 and 1,5 do in French."""
    return abs(count) < 2


def write_number(text: str) -> str:
    """Replace the English marks of a formatted number."""
    return text.translate(_NUMBER_MARKS)
