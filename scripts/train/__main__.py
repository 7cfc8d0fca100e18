"""``make train``: play games and train the network that evaluates positions.

    python -m scripts.train play quick --games 200000          # random policies
    python -m scripts.train fit quick                          # a first network
    python -m scripts.train play network --games 10000
    python -m scripts.train fit quick network                  # the next one

Positions are kept in build/train; `fit` writes the weights into smashup/bots/network, with the
losses and the games they come from. The same seeds give the same games. PyTorch uses a GPU if there
is one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from scripts.train import positions
from smashup.bots.network.model import WEIGHTS_FILE
from smashup.version import __version__

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "build" / "train"
TARGET = ROOT / "smashup" / "bots" / "network"
SEEDS = {"quick": 1, "linear": 500_000_000, "network": 1_000_000_000}
POSITION_WEIGHTS = {"quick": 1.0, "linear": 3.0, "network": 4.0}
"""Games of better players count more."""


def play(options: argparse.Namespace) -> int:
    """Play games of one kind and store their positions."""
    kind = options.kind
    began = time.monotonic()
    examples = positions.play_games(
        options.games,
        options.seed or SEEDS[kind],
        {"quick": None, "linear": False, "network": True}[kind],
        options.processes,
        options.seconds,
        options.players,
    )
    positions.store(DATA / f"{options.name or kind}.npz", examples, POSITION_WEIGHTS[kind])
    count = sum(len(arrays["games"]) for arrays in examples.values())
    games = sum(len(np.unique(arrays["games"])) for arrays in examples.values())
    print(f"{count:,} positions of {games:,} {kind} games in {time.monotonic() - began:.0f} s.")
    return 0


def fit(options: argparse.Namespace) -> int:
    """Train on stored positions and write the weights."""
    import torch

    from scripts.train import model

    device = "cuda" if torch.cuda.is_available() else "cpu"
    parts = [positions.load(DATA / f"{name}.npz") for name in options.data]
    examples = positions.merge(parts)
    network, history = model.train(
        examples,
        options.epochs,
        device,
        options.width,
        options.batch,
        options.rate,
        model.TargetMix(options.result_share, options.points_share),
    )
    weights = network.export()
    target = Path(options.target)
    np.savez_compressed(
        target / WEIGHTS_FILE,
        **{
            name: array.astype(np.float16) if array.ndim > 1 else array
            for name, array in weights.items()
        },
    )
    record: dict[str, Any] = {
        "version": __version__,
        "command": f"scripts.train fit {' '.join(options.data)} --epochs {options.epochs}"
        f" --width {options.width} --batch {options.batch} --rate {options.rate}"
        f" --result-share {options.result_share} --points-share {options.points_share}",
        "positions": {
            name: sum(len(arrays["games"]) for arrays in part.values())
            for name, part in zip(options.data, parts, strict=True)
        },
        "games": {
            name: sum(len(np.unique(arrays["games"])) for arrays in part.values())
            for name, part in zip(options.data, parts, strict=True)
        },
        "device": device,
        "history": history,
    }
    (target / "training.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play games and store their positions")
    playing.add_argument("kind", choices=tuple(SEEDS))
    playing.add_argument("--games", type=int, default=10_000)
    playing.add_argument("--seed", type=int, default=0, help="of the first game")
    playing.add_argument("--name", default="", help="file in build/train; by default the kind")
    playing.add_argument("--processes", type=int, help="by default one per core")
    playing.add_argument("--seconds", type=float, default=0, help="stop after this time")
    playing.add_argument(
        "--players",
        type=int,
        nargs="+",
        choices=sorted(set(positions.PLAYER_COUNTS)),
        default=positions.PLAYER_COUNTS,
        help="numbers of players, equally often",
    )
    playing.set_defaults(run=play)
    fitting = commands.add_parser("fit", help="train on stored positions")
    fitting.add_argument("data", nargs="+", help="files in build/train")
    fitting.add_argument("--epochs", type=int, default=10)
    fitting.add_argument("--width", type=int, default=128, help="units of the first layer")
    fitting.add_argument("--batch", type=int, default=1024, help="positions per gradient step")
    fitting.add_argument("--rate", type=float, default=1e-3, help="highest learning rate")
    fitting.add_argument(
        "--result-share", type=float, default=0.0, help="share of the result in the targets"
    )
    fitting.add_argument(
        "--points-share", type=float, default=0.0, help="share of the final VP in the targets"
    )
    fitting.add_argument("--target", default=str(TARGET), help="folder of the weights")
    fitting.set_defaults(run=fit)
    options = parser.parse_args()
    if options.run is fit:
        shares = (options.result_share, options.points_share)
        if min(shares) < 0 or sum(shares) > 1:
            parser.error("--result-share and --points-share must be shares: at most 1 together")
    result: int = options.run(options)
    return result


if __name__ == "__main__":
    sys.exit(main())
