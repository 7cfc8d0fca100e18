"""A plugin of pytest for ``make compile ARGS=--test``: the rules tested are the compiled ones."""

from __future__ import annotations

from smashup.engine import game

assert game.__file__ is not None
assert not game.__file__.endswith(".py"), f"{game.__file__} is not compiled"
