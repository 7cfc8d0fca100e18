"""The API for writing cards: `Card`, `Base` and `Player`.

They are thin handles on the table. The acting card is implicit: it is the card whose ability
runs. ``me`` in a card's method is a `Card`; ``me.controller`` is "you".
"""

from smashup.engine.card_api.base import Base
from smashup.engine.card_api.card import Card
from smashup.engine.card_api.player import Player

__all__ = ["Base", "Card", "Player"]
