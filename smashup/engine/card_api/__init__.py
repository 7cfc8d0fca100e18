"""What card texts are written with: `Card`, `Base` and `Player`.

They are thin handles on the table. Who does something is never said: it is the card whose ability
is running. ``me`` in a card's method is a `Card`; ``me.controller`` is "you".
"""

from smashup.engine.card_api.base import Base
from smashup.engine.card_api.card import Card
from smashup.engine.card_api.player import Player

__all__ = ["Base", "Card", "Player"]
