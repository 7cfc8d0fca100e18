"""The network in PyTorch, its training, and its export to the arrays that play needs.

The shape is that of `smashup.bots.network.model`. Card vectors are the sum of a part from the
properties of the card and a part from a learned embedding; during training some embeddings are
dropped at random, so that the properties alone make sense for cards that nobody trained with.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import cos, pi
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scripts.train.positions import card_names
from smashup.bots.evaluation import FEATURES, WEIGHTS
from smashup.bots.network.features import NUM_BASE_FEATURES, NUM_SEAT_FEATURES
from smashup.bots.network.vocabulary import NUM_PROPERTIES, ZONES, card_properties
from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTINGS

EMBEDDING = 16
WIDTH = 128
HIDDEN = 32
BASE_UNITS = 24
MAX_PLAYERS = 4
EMBEDDING_DROPOUT = 0.1
EVALUATION_BATCH = 4096
WEIGHT_DECAY = 2e-2
WARM_UP_STEPS = 100
POINTS_SCALE = 4.0
"""VP of lead that multiply a seat's part of the targets by e."""
VALIDATION_SHARE = 0.05
"""Share of the games, not of the positions, that are held out."""


def property_table() -> np.ndarray[Any, Any]:
    """Return the properties of every name in the vocabulary; row 0 is for nothing."""
    cards = catalogue()
    found = {d.name: d for printing in PRINTINGS for d in cards.definitions(printing)}
    rows = [[0.0] * NUM_PROPERTIES, *(card_properties(found[name]) for name in card_names())]
    return np.array(rows, np.float32)


class TrainedNetwork(nn.Module):
    """The network with its parameters as they are trained."""

    def __init__(self, seat_scale: Tensor, base_scale: Tensor, width: int = WIDTH) -> None:
        super().__init__()
        self.width = width
        properties = torch.from_numpy(property_table())
        self.register_buffer("properties", properties)
        self.register_buffer("seat_scale", seat_scale)
        self.register_buffer("base_scale", base_scale)
        count = len(properties)
        self.embedding = nn.Parameter(torch.randn(count, EMBEDDING) * 0.05)
        self.embedding_weights = nn.Parameter(torch.randn(ZONES, EMBEDDING, 2 * width) * 0.05)
        self.property_weights = nn.Parameter(torch.randn(ZONES, NUM_PROPERTIES, 2 * width) * 0.01)
        self.base_embedding_weights = nn.Parameter(torch.randn(EMBEDDING, BASE_UNITS) * 0.05)
        self.base_property_weights = nn.Parameter(torch.randn(NUM_PROPERTIES, BASE_UNITS) * 0.01)
        self.base_weights = nn.Parameter(torch.randn(NUM_BASE_FEATURES, BASE_UNITS) * 0.2)
        self.base_bias = nn.Parameter(torch.zeros(BASE_UNITS))
        self.base_output = nn.Parameter(torch.randn(BASE_UNITS, 2 * width) * 0.1)
        self.seat_weights = nn.Parameter(torch.randn(NUM_SEAT_FEATURES, 2 * width) * 0.15)
        self.player_bias = nn.Parameter(torch.zeros(MAX_PLAYERS + 1, width))
        self.hidden_weights = nn.Parameter(torch.randn(width, HIDDEN) * (2 / width) ** 0.5)
        self.hidden_bias = nn.Parameter(torch.zeros(HIDDEN))
        self.output_weights = nn.Parameter(torch.zeros(HIDDEN))
        self.linear_weights = nn.Parameter(torch.tensor(WEIGHTS))

    def vectors(self) -> tuple[Tensor, Tensor]:
        """Return the card vectors by row and the base vectors by name."""
        embedding = self.embedding
        if self.training:
            kept = torch.rand(len(embedding), 1, device=embedding.device) >= EMBEDDING_DROPOUT
            embedding = embedding * kept
        cards = torch.einsum("ce,zew->czw", embedding, self.embedding_weights) + torch.einsum(
            "cp,zpw->czw", self.properties, self.property_weights
        )
        bases = (
            embedding @ self.base_embedding_weights
            + self.properties @ self.base_property_weights
            + self.base_bias
        )
        no_card = torch.ones(len(cards), 1, 1, device=cards.device)
        no_card[0] = 0
        return (cards * no_card).reshape(-1, 2 * self.width), bases

    def forward(
        self, seats: Tensor, sites: Tensor, bases: Tensor, tokens: Tensor, offsets: Tensor
    ) -> Tensor:
        """Return the scores of all seats of a batch of positions."""
        count, players, _ = seats.shape
        cards, base_vectors = self.vectors()
        is_base = (bases >= 0)[:, None, :, None]
        at_bases = (sites / self.base_scale) @ self.base_weights
        at_bases = at_bases + base_vectors[bases.clamp(min=0)][:, None]
        at_bases = (torch.relu(at_bases) * is_base).sum(dim=2)
        inputs = functional.embedding_bag(tokens, cards, offsets, mode="sum")
        inputs = inputs.reshape(count, players, -1)
        inputs = inputs + (seats / self.seat_scale) @ self.seat_weights
        inputs = inputs + at_bases @ self.base_output
        own, other = inputs[..., : self.width], inputs[..., self.width :]
        first = own + other.sum(dim=1, keepdim=True) - other + self.player_bias[players]
        hidden = torch.relu(torch.relu(first) @ self.hidden_weights + self.hidden_bias)
        linear = seats[..., : len(FEATURES)] @ self.linear_weights
        return hidden @ self.output_weights + linear

    @torch.no_grad()
    def export(self) -> dict[str, Any]:
        """Return the arrays that `smashup.bots.network.model.Network` reads."""
        arrays = {
            "properties": self.properties,
            "embedding": self.embedding,
            "property_weights": self.property_weights,
            "embedding_weights": self.embedding_weights,
            "base_property_weights": self.base_property_weights,
            "base_embedding_weights": self.base_embedding_weights,
            "base_bias": self.base_bias,
            "base_weights": self.base_weights / self.base_scale[:, None],
            "base_output": self.base_output,
            "seat_weights": self.seat_weights / self.seat_scale[:, None],
            "player_bias": self.player_bias,
            "hidden_weights": self.hidden_weights,
            "hidden_bias": self.hidden_bias,
            "output_weights": self.output_weights,
            "linear_weights": self.linear_weights,
        }
        result: dict[str, Any] = {
            name: value.cpu().numpy().astype(np.float32) for name, value in arrays.items()
        }
        result["names"] = np.array(card_names())
        return result


@dataclass
class Data:
    """Positions of one number of players, as tensors."""

    seats: Tensor
    sites: Tensor
    bases: Tensor
    tokens: Tensor
    starts: Tensor
    """Where the tokens of each position begin, and their end."""
    token_counts: Tensor
    targets: Tensor
    results: Tensor
    """Each seat's share of the victory, for validation."""
    weights: Tensor

    def batch(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Return the inputs of `TrainedNetwork` for some positions."""
        counts = self.token_counts[rows].reshape(-1).long()
        ends = torch.cumsum(counts, 0)
        offsets = ends - counts
        totals = self.token_counts[rows].sum(dim=1).long()
        first = torch.cumsum(totals, 0) - totals
        shift = torch.repeat_interleave(self.starts[rows] - first, totals)
        places = torch.arange(int(totals.sum()), device=shift.device) + shift
        return (
            self.seats[rows],
            self.sites[rows].float(),
            self.bases[rows].long(),
            self.tokens[places].long(),
            offsets,
        )


@dataclass(frozen=True)
class TargetMix:
    """How much of the targets comes from the outcome of the game."""

    result: float = 0.0
    """Share of the result, instead of the estimates that were recorded."""
    points: float = 0.0
    """Share of the VP: a narrow defeat then counts more than a clear one, and a second place more
    than a last one."""

    def of(self, arrays: dict[str, Any]) -> np.ndarray[Any, Any]:
        """Return the targets for training."""
        points = np.exp(arrays["points"] / POINTS_SCALE)
        points /= points.sum(axis=1, keepdims=True)
        estimates = 1 - self.result - self.points
        mixed: np.ndarray[Any, Any] = (
            estimates * arrays["targets"] + self.result * arrays["results"] + self.points * points
        )
        return mixed.astype(np.float32)


def split(arrays: dict[str, Any], device: str, mix: TargetMix) -> tuple[Data, Tensor, Tensor]:
    """Return the data with the rows for training and for validation, split by game."""
    counts = torch.from_numpy(arrays["token_counts"].astype(np.int64)).to(device)
    totals = counts.sum(dim=1)
    bases = arrays["bases"].astype(np.int64)
    data = Data(
        seats=torch.from_numpy(arrays["seats"]).to(device),
        sites=torch.from_numpy(arrays["sites"]).to(device),
        bases=torch.from_numpy(np.where(bases < 0, -1, bases // ZONES)).to(device),
        tokens=torch.from_numpy(arrays["tokens"]).to(device),
        starts=torch.cumsum(totals, 0) - totals,
        token_counts=counts,
        targets=torch.from_numpy(mix.of(arrays)).to(device),
        results=torch.from_numpy(arrays["results"]).to(device),
        weights=torch.from_numpy(arrays["weights"]).to(device),
    )
    held_out = arrays["games"].astype(np.int64) * 2654435761 % 1000 < VALIDATION_SHARE * 1000
    rows = torch.arange(len(held_out), device=device)
    mask = torch.from_numpy(held_out).to(device)
    return data, rows[~mask], rows[mask]


def train(
    examples: dict[int, dict[str, Any]],
    epochs: int,
    device: str,
    width: int = WIDTH,
    batch: int = 1024,
    rate: float = 1e-3,
    mix: TargetMix | None = None,
) -> tuple[TrainedNetwork, list[dict[str, Any]]]:
    """Train on positions by number of players; return the network and its losses by epoch."""
    torch.manual_seed(1)
    parts = [
        split(arrays, device, mix or TargetMix())
        for _, arrays in sorted(examples.items())
        if len(arrays["games"])
    ]
    seats = torch.cat([data.seats.reshape(-1, NUM_SEAT_FEATURES) for data, _, _ in parts])
    sites = torch.cat([data.sites.reshape(-1, NUM_BASE_FEATURES) for data, _, _ in parts]).float()
    real = sites[sites[:, 4] != 0]
    model = TrainedNetwork(
        seats.std(dim=0).clamp(min=0.1), real.std(dim=0).clamp(min=0.1), width
    ).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=WEIGHT_DECAY)
    steps = sum(-(-len(rows) // batch) for _, rows, _ in parts) * epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1.0, (step + 1) / WARM_UP_STEPS) * (1 + cos(pi * step / steps)) / 2,
    )
    history = []
    for epoch in range(epochs):
        began = time.perf_counter()
        model.train()
        batches = [
            (data, rows[shuffled])
            for data, rows, _ in parts
            for shuffled in torch.randperm(len(rows), device=device).split(batch)
        ]
        total = weight = 0.0
        for number in torch.randperm(len(batches)).tolist():
            data, rows = batches[number]
            loss, count = _loss(model, data, rows)
            optimizer.zero_grad()
            (loss / count).backward()
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
            weight += float(count)
        entry = {
            "epoch": epoch + 1,
            "training_loss": round(total / weight, 4),
            **validate(model, parts),
            "seconds": round(time.perf_counter() - began, 1),
        }
        history.append(entry)
        print(entry, flush=True)
    return model, history


def _loss(model: TrainedNetwork, data: Data, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Return the summed cross entropy of positions and their summed weight."""
    scores = model(*data.batch(rows))
    losses = -(data.targets[rows] * functional.log_softmax(scores, dim=1)).sum(dim=1)
    weights = data.weights[rows]
    return (losses * weights).sum(), weights.sum()


@torch.no_grad()
def validate(model: TrainedNetwork, parts: list[tuple[Data, Tensor, Tensor]]) -> dict[str, Any]:
    """Return log loss and accuracy on held-out games, by number of players and weight (which tells
    games of bots from quick ones), beside the log loss of the linear evaluation.
    """
    model.eval()
    linear_weights = torch.tensor(WEIGHTS, device=model.linear_weights.device)
    result: dict[str, Any] = {}
    groups = [
        (data, held_out[data.weights[held_out] == weight], weight)
        for data, _, held_out in parts
        for weight in data.weights[held_out].unique().tolist()
    ]
    for data, rows, weight in groups:
        sums = {"network": 0.0, "linear": 0.0, "hits": 0.0}
        for part in rows.split(EVALUATION_BATCH):
            targets = data.results[part]
            inputs = data.batch(part)
            scores = model(*inputs)
            linear = inputs[0][..., : len(FEATURES)] @ linear_weights
            for name, values in (("network", scores), ("linear", linear)):
                losses = -(targets * functional.log_softmax(values, dim=1)).sum(dim=1)
                sums[name] += float(losses.sum())
            sums["hits"] += float((scores.argmax(dim=1) == targets.argmax(dim=1)).sum())
        players = data.seats.shape[1]
        result[f"{players} players, weight {weight:g}"] = {
            "positions": len(rows),
            "loss": round(sums["network"] / len(rows), 4),
            "linear_loss": round(sums["linear"] / len(rows), 4),
            "accuracy": round(sums["hits"] / len(rows), 4),
        }
    return result
