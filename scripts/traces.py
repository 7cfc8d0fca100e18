"""Record the decisions of many random games, or compare them with a recording.

A change to the engine that should not change the rules must leave every decision as it was.
Decisions are compared by who decides, which card asks and what the options are (card, base,
player), never by the order of the options or by English text.

    python -m scripts.traces record build/traces.json.gz --games 2000
    python -m scripts.traces compare build/traces.json.gz
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.decisions import CARDS, MOVES, SITES, TRIGGERS, Decision
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.setup import Setup

Trace = list[str]
SIGNATURE_BYTES = 4


def describe_option(game: Game, decision: Decision, option: Any) -> tuple[Any, ...]:
    """Describe an option by what it refers to."""
    kinds = game.table.state.definition

    def card(c: int) -> str:
        return f"{c}:{kinds[c].name}" if c >= 0 else ""

    if decision.kind == CARDS:
        return ("card", card(option))
    if decision.kind == SITES:
        return ("base", option)
    if decision.kind == MOVES:
        move = option
        return ("move", move.verb, card(move.card), move.place, move.on_card)
    if decision.kind == TRIGGERS:
        ability = option.ability
        return ("trigger", card(ability.card), ability.definition.name, option.hook)
    return ("other", str(option))


def digest(value: object) -> str:
    """Return a short fingerprint."""
    return hashlib.blake2b(repr(value).encode(), digest_size=SIGNATURE_BYTES).hexdigest()


def make_setup(number: int) -> Setup:
    """Return the setup of a game by its number, which determines players, edition and options."""
    editions = list(EDITIONS)
    return Setup(
        players=2 + number % 3,
        seed=number,
        edition=editions[number // 3 % len(editions)],
        printing=PRINTINGS[number % len(PRINTINGS)],
        draft=number % 7 == 0,
        optional_titans=number % 4 < 2,
        madness=number % 5 == 0,
        duplicates=number % 11 == 0,
        ask_everyone=number % 13 == 0,
    )


def record_trace(number: int) -> Trace:
    """Play a game; return a fingerprint of each decision and one of the result."""
    game = Game(make_setup(number), catalogue())
    game.table.logging = False
    trace: Trace = []

    def answer(decision: Decision) -> int:
        described = [repr(describe_option(game, decision, option)) for option in decision.options]
        source = game.table.state.definition[decision.source].name if decision.source >= 0 else ""
        asked = (decision.player, decision.kind, source, sorted(described))
        trace.append(digest(asked))
        step = len(trace)
        order = sorted(range(len(described)), key=lambda i: digest((number, step, described[i])))
        return order[0]

    game.play_out(answer)
    trace.append(digest((game.table.state.vp, game.winners, game.table.state.turn)))
    return trace


def record(path: Path, games: int) -> None:
    """Write the traces of a number of games."""
    with ProcessPoolExecutor() as pool:
        traces = list(pool.map(record_trace, range(games), chunksize=20))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(["".join(trace) for trace in traces]).encode()))
    print(f"{games} games, {sum(map(len, traces))} decisions: {digest(traces)}")


def find_first_difference(number: int, expected: str) -> str:
    """Describe where a game first differs from its recording; empty if nowhere."""
    trace = record_trace(number)
    width = 2 * SIGNATURE_BYTES
    known = [expected[i : i + width] for i in range(0, len(expected), width)]
    for step, (was, now) in enumerate(zip(known, trace, strict=False)):
        if was != now:
            return (
                f"game {number} ({make_setup(number)}) differs at decision {step} of {len(known)}"
            )
    return "" if len(known) == len(trace) else f"game {number} has a different length"


def compare(path: Path, games: int) -> int:
    """Compare with a recording; return the exit status."""
    expected: list[str] = json.loads(gzip.decompress(path.read_bytes()))[:games]
    with ProcessPoolExecutor() as pool:
        found = pool.map(find_first_difference, range(len(expected)), expected, chunksize=20)
        differences = [line for line in found if line]
    for line in differences[:20]:
        print(line)
    print(f"{len(expected)} games compared, {len(differences)} differ")
    return 1 if differences else 0


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("command", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=2000)
    options = parser.parse_args(arguments)
    if options.command == "record":
        record(options.file, options.games)
        return 0
    return compare(options.file, options.games)


if __name__ == "__main__":
    sys.exit(main())
