"""A pytest plugin for ``make compile ARGS=--test``: it makes the tests import the compiled
rules."""

from __future__ import annotations

from smashup.engine import game

assert game.__file__ is not None
assert not game.__file__.endswith(".py"), f"{game.__file__} is not compiled"
