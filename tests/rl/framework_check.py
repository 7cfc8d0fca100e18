"""Training with MaskablePPO and Tianshou, for `make rl-check`: needs torch, unlike `make test`."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import smashup.rl  # noqa: F401 -- registers SmashUp-v0

pytestmark = pytest.mark.filterwarnings("default")


def make_env(**options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make("SmashUp-v0", opponents="random", reward="points", **options)


@pytest.mark.parametrize("observation", ["flat", "masked"])
def test_stable_baselines_accepts_the_environment(observation: str) -> None:
    check_env(make_env(observation=observation).unwrapped)


@pytest.mark.parametrize(
    ("observation", "policy"), [("flat", "MlpPolicy"), ("masked", "MultiInputPolicy")]
)
def test_maskable_ppo_trains_and_never_acts_illegally(observation: str, policy: str) -> None:
    env = make_vec_env(lambda: make_env(observation=observation), n_envs=2, seed=1)
    model = MaskablePPO(policy, env, n_steps=128, batch_size=64, n_epochs=2, seed=1)
    before = [weights.clone() for weights in model.policy.parameters()]
    model.learn(512)
    after = list(model.policy.parameters())
    assert any(not torch.equal(a, b) for a, b in zip(before, after, strict=True))
    single = make_env(observation=observation)
    seen, info = single.reset(seed=3)
    over = False
    while not over:
        action, _ = model.predict(seen, action_masks=get_action_masks(single))
        seen, _, terminated, truncated, info = single.step(int(action))
        over = terminated or truncated
    assert "illegal_action" not in info
    assert info["winners"]
    evaluate_policy(model, env, n_eval_episodes=2)


def test_tianshou_trains_and_never_acts_illegally() -> None:
    envs = DummyVectorEnv([lambda: make_env(observation="masked") for _ in range(2)])
    space = make_env().observation_space
    assert space.shape is not None
    slots = make_env().action_space
    assert isinstance(slots, gymnasium.spaces.Discrete)
    policy: Any = DiscreteQLearningPolicy(
        model=Net(state_shape=space.shape, action_shape=int(slots.n), hidden_sizes=[64]),
        action_space=slots,
        eps_training=0.2,
    )
    algorithm: Any = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=50)
    collector: Any = Collector(algorithm, envs, VectorReplayBuffer(4000, 2), exploration_noise=True)
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=400,
            batch_size=32,
            collection_step_num_env_steps=40,
            update_step_num_gradient_steps_per_sample=0.1,
            test_step_num_episodes=1,
            verbose=False,
            show_progress=False,
        )
    )
    assert result.update_step > 0
    buffer: Any = collector.buffer
    taken = np.take_along_axis(buffer.obs.mask[: len(buffer)], buffer.act[: len(buffer), None], 1)
    assert taken[buffer.obs.mask[: len(buffer)].any(axis=1)].all()
