"""Smash Up as an OpenSpiel game: ``pyspiel.load_game("python_smash_up")`` after importing this.

Initial chance nodes pick a seed, eight bits at a time, which determines all shuffles. No player
sees the seed, so this is equivalent to chance nodes at every shuffle. A search must not use the
seed either: `resample_from_infostate` returns a state with all hidden cards and later shuffles
resampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyspiel
from numpy.typing import NDArray

from smashup.engine.model.catalogue import PRINTED
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.rl.encoding import Encoder
from smashup.rl.history import GameHistory
from smashup.rl.match import ACTION_LIMIT
from smashup.rl.pages import MAX_OPTIONS
from smashup.rl.rewards import game_rewards
from smashup.rl.settings import make_settings
from smashup.rl.text_view import render_text
from smashup.rl.vocabulary import vocabulary

NAME: Final = "python_smash_up"
SEED_PARTS: Final = 4
"""Chance nodes at the start of a game."""
SEED_OUTCOMES: Final = 256
"""Equally likely outcomes of each: 2**32 deals in total."""

PARTS: Final = ("observation", "cards", "options")
"""Parts of the observation tensor, in order."""

GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Python Smash Up",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "players": 2,
        "factions": "",
        "edition": DEFAULT_EDITION.key,
        "printing": PRINTED,
        "draft": False,
        "max_options": MAX_OPTIONS,
        "max_game_length": ACTION_LIMIT,
    },
)


class SmashUpGame(pyspiel.Game):
    """The OpenSpiel game with its parameters.

    ``factions`` has the form ``Kaiju+Mounties/Luchadors+Ignobles``; empty for random factions.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**GAME_TYPE.parameter_specification, **(params or {})}
        named = given["factions"]
        self.settings = make_settings(
            players=given["players"],
            factions=[pair.split("+") for pair in named.split("/")] if named else (),
            edition=given["edition"],
            printing=given["printing"],
            draft=given["draft"],
            max_options=given["max_options"],
            max_actions=given["max_game_length"],
        )
        players = self.settings.players
        super().__init__(
            GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.settings.max_options,
                max_chance_outcomes=SEED_OUTCOMES,
                num_players=players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.settings.max_actions,
            ),
            dict(params or {}),
        )

    def new_initial_state(self) -> SmashUpState:
        return SmashUpState(self)

    def max_chance_nodes_in_history(self) -> int:
        return SEED_PARTS

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> SmashUpObserver:
        if params:
            raise ValueError(f"{NAME} has no observation parameters.")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not wanted.public_info:
            raise ValueError(f"{NAME} tells what one seat knows: its own cards and the public.")
        encoder = Encoder(self.settings.players, self.settings.max_options, vocabulary())
        return SmashUpObserver(encoder, wanted.perfect_recall)


class SmashUpState(pyspiel.State):
    """A state; it has no table until the seed is complete."""

    def __init__(self, game: SmashUpGame) -> None:
        super().__init__(game)
        self.seed_parts: list[int] = []
        self.game_history: GameHistory | None = None
        self.settings = game.settings
        self._replayed_player: int | None = None
        """The player of the action being copied while `resample_from_infostate` rebuilds a history.
        """

    def current_player(self) -> int:
        if self._replayed_player is not None:
            return self._replayed_player
        if self.game_history is None:
            return int(pyspiel.PlayerId.CHANCE)
        decision = self.game_history.decision
        return decision.player if decision is not None else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return (
            self._replayed_player is None
            and self.game_history is not None
            and self.game_history.decision is None
        )

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, 1.0 / SEED_OUTCOMES) for i in range(SEED_OUTCOMES)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.game_history is not None
        return self.game_history.page.actions(self.settings.max_options)

    def _apply_action(self, action: int) -> None:
        if self._replayed_player is not None:
            return
        if self.game_history is not None:
            self.game_history.act(action)
            return
        self.seed_parts.append(action)
        if len(self.seed_parts) == SEED_PARTS:
            self.game_history = GameHistory(
                self.settings, int.from_bytes(bytes(self.seed_parts), "big")
            )

    def _action_to_string(self, player: int, action: int) -> str:
        if self.game_history is None or player == pyspiel.PlayerId.CHANCE:
            return f"Seed part {action}"
        decision = self.game_history.decision
        assert decision is not None
        option = self.game_history.page.option(action, self.settings.max_options)
        if option is None:
            return "More options"
        return f"{option}: {decision.label(option)}"  # two options may read alike

    def returns(self) -> list[float]:
        return game_rewards(
            self.settings.players,
            self.game_history.winners if self.game_history is not None else [],
        )

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> SmashUpState:
        """Return a state that the player cannot distinguish from this one, with hidden cards
        resampled.

        Its history has the same actions but a random seed that did not produce the deal.
        """
        assert self.game_history is not None
        state = SmashUpState(self.get_game())
        state.seed_parts = [int(probability_sampler() * SEED_OUTCOMES) for _ in range(SEED_PARTS)]
        for number, taken in enumerate(self.full_history()):
            state._replayed_player = int(taken.player)
            state.apply_action(state.seed_parts[number] if number < SEED_PARTS else taken.action)
        state._replayed_player = None
        state.game_history = self.game_history.resample(
            player_id, int(probability_sampler() * (1 << 53))
        )
        return state

    def __str__(self) -> str:
        history = self.game_history
        if history is None:
            return f"Seed: {self.seed_parts}"
        return f"Seed: {self.seed_parts}\n{render_text(history.game, history.decision)}"


class SmashUpObserver:
    """A seat's knowledge as text and as the arrays of the PettingZoo environment."""

    def __init__(self, encoder: Encoder, perfect_recall: bool) -> None:
        self.encoder = encoder
        self.perfect_recall = perfect_recall
        self._seen = encoder.empty()
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if not perfect_recall:
            parts = [self._seen[name] for name in PARTS]
            self.tensor = np.zeros(sum(part.size for part in parts), np.float32)
            at = 0
            for name, part in zip(PARTS, parts, strict=True):
                self.dict[name] = self.tensor[at : at + part.size].reshape(part.shape)
                at += part.size

    def set_from(self, state: SmashUpState, player: int) -> None:
        if self.tensor is None:
            return
        history = state.game_history
        if history is None:
            self.tensor.fill(0.0)
            return
        self.encoder.write(
            self._seen, history.game, player, history.decision, history.page, history.factions
        )
        for name, part in self.dict.items():
            part[...] = self._seen[name]

    def string_from(self, state: SmashUpState, player: int) -> str:
        if state.game_history is None:
            return ""
        return (
            state.game_history.information_state(player)
            if self.perfect_recall
            else state.game_history.observation_text(player)
        )


pyspiel.register_game(GAME_TYPE, SmashUpGame)
