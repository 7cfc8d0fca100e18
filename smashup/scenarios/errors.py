"""What can be wrong with a scenario: how it is written, or what it finds."""

from __future__ import annotations

from smashup.engine.errors import SmashUpError


class ScenarioError(SmashUpError):
    """The scenario itself cannot be understood."""


class Failure(SmashUpError):
    """The table did something else than the scenario says."""
