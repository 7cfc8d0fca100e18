"""Two complete bots of your own, in one file.

    smashup duel examples/heavy_hitter.py:HeavyHitter random --games 20
    smashup play --bot-file examples/heavy_hitter.py --seats human,heavy

docs/your-bot.md walks through it.
"""

from __future__ import annotations

from smashup.bots.bot import Advice, Bot, Estimate, ProgressCallback
from smashup.bots.greedy import evaluate_options
from smashup.bots.information_set import InformationSet


class HeavyHitter(Bot):
    name = "heavy"

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        powers = [option.get("card", {}).get("printed_power", 0) for option in info.options]
        return Advice(powers.index(max(powers)))


class Planner(Bot):
    name = "planner"

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        values = evaluate_options(info, self.rng, samples=2)
        estimates = [Estimate(number, value) for number, value in enumerate(values)]
        return Advice(values.index(max(values)), estimates)
