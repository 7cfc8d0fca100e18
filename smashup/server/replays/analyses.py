"""Analyses of finished games, made in the background and stored as they grow.

A worker reviews a game part by part in the processes of the bots (`smashup.analysis`) and stores
what it has after each part. Any worker can report progress from the database. If the worker that
does the work stops, the next request continues from what is stored.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

from smashup.analysis.better_lines import LINE_ITERATIONS
from smashup.analysis.report import GameReport, build_report, find_turning_points
from smashup.analysis.reviews import DEFAULT_ITERATIONS, Review
from smashup.server.bots.bot_pool import AnalysisPart
from smashup.server.errors import Refused
from smashup.server.operations import logs
from smashup.server.replays.recording import FinishedGame
from smashup.server.replays.replays import Replays

PART_SIZE: Final = 4
"""Decisions reviewed at a time."""
STALLED_SECONDS: Final = 60.0
"""After this time without progress, another worker may continue an analysis."""
MAX_RUNNING: Final = 50
"""Analyses that a worker runs at the same time."""
FORMAT_VERSION: Final = 2


class StoredAnalysis(TypedDict):
    """An analysis as it is stored."""

    version: int
    done: int
    """Answers of the game that were reviewed, in their order."""
    total: int
    reviews: list[Review]
    report: GameReport | None
    """Set when the analysis is complete."""
    is_paused: NotRequired[bool]
    """Whether the worker that did it has stopped, so that any other may continue at once."""


@dataclass(frozen=True)
class _Running:
    """An analysis that this worker is making."""

    analysis: StoredAnalysis
    task: asyncio.Task[None]


class Analyses:
    """The analyses of the games of all tables."""

    def __init__(self, replays: Replays) -> None:
        self._replays = replays
        self._running: dict[str, _Running] = {}
        self._failed: set[str] = set()
        """Tables whose analysis failed since the last request."""

    async def close(self) -> None:
        """Stop the analyses; what they have so far is stored, and the next request continues."""
        running = dict(self._running)
        for one in running.values():
            one.task.cancel()
        await asyncio.gather(*(one.task for one in running.values()), return_exceptions=True)
        for table_id, one in running.items():
            if one.analysis["report"] is None:
                await self._pause(table_id, one.analysis)

    async def load(self, table_id: str, secret: str | None) -> StoredAnalysis | None:
        """Return the analysis of a finished game and its progress; None if it was not requested."""
        await self._replays.check_visible(table_id, secret)
        stored = await self._load(table_id)
        return None if stored is None else stored[0]

    async def start(self, table_id: str, secret: str | None, address: str) -> StoredAnalysis:
        """Start the analysis of a finished game, unless it is complete or under way."""
        # Browsers ask again and again while they wait: the game is loaded only if it is needed.
        await self._replays.check_visible(table_id, secret)
        if table_id in self._failed:
            self._failed.discard(table_id)
            raise Refused("The analysis of this game failed. Try again later.")
        if (running := self._running.get(table_id)) is not None:
            return running.analysis
        stored = await self._load(table_id)
        if stored is not None:
            analysis, age = stored
            is_active = age < STALLED_SECONDS and not analysis.get("is_paused", False)
            if analysis["report"] is not None or is_active:
                return analysis
        finished = await self._replays.load_finished(table_id, secret)
        # Another request may have been faster. From here on nothing is awaited.
        if (running := self._running.get(table_id)) is not None:
            return running.analysis
        if len(self._running) >= MAX_RUNNING:
            raise Refused("Too many games are being analyzed. Try again in a few minutes.")
        if stored is None:
            analysis = StoredAnalysis(
                version=FORMAT_VERSION,
                done=0,
                total=len(finished.answers),
                reviews=[],
                report=None,
            )
        analysis.pop("is_paused", None)
        task = asyncio.create_task(self._run(table_id, finished, analysis, address))
        self._running[table_id] = _Running(analysis, task)
        task.add_done_callback(lambda _: self._running.pop(table_id, None))
        return analysis

    async def _run(
        self, table_id: str, finished: FinishedGame, analysis: StoredAnalysis, address: str
    ) -> None:
        try:
            await self._save(table_id, analysis)
            await self._review(table_id, finished, analysis, address)
        except Exception as error:
            logs.fail("analysis_failed", table_id, error)
            self._failed.add(table_id)
            await self._pause(table_id, analysis)

    async def _pause(self, table_id: str, analysis: StoredAnalysis) -> None:
        """Let any worker continue an analysis."""
        analysis["is_paused"] = True
        try:
            await self._save(table_id, analysis)
        except Exception as error:
            logs.fail("analysis_failed", table_id, error)

    async def _review(
        self, table_id: str, finished: FinishedGame, analysis: StoredAnalysis, address: str
    ) -> None:
        pool = self._replays.registry.bot_pool
        while analysis["done"] < analysis["total"]:
            end = min(analysis["done"] + PART_SIZE, analysis["total"])
            part = AnalysisPart(
                finished, DEFAULT_ITERATIONS, numbers=list(range(analysis["done"], end))
            )
            reviews = await pool.review(part, address)
            analysis["reviews"] += [review for review in reviews if review is not None]
            analysis["done"] = end
            await self._save(table_id, analysis)
        points = []
        for review in find_turning_points(analysis["reviews"]):
            part = AnalysisPart(finished, LINE_ITERATIONS, reviews=[review])
            points += await pool.play_better_line(part, address)
        analysis["report"] = build_report(
            analysis["reviews"], len(finished.seats), DEFAULT_ITERATIONS, points
        )
        analysis["reviews"] = []  # the report has them
        await self._save(table_id, analysis)

    async def _load(self, table_id: str) -> tuple[StoredAnalysis, float] | None:
        found = await self._replays.registry.store.load_analysis(table_id)
        if found is None:
            return None
        facts, age = found
        try:
            analysis: StoredAnalysis = json.loads(gzip.decompress(facts))
            is_current = analysis["version"] == FORMAT_VERSION
        except (OSError, EOFError, ValueError, TypeError, KeyError) as error:
            logs.fail("analysis_damaged", table_id, error)
            return None  # it is made again
        return (analysis, age) if is_current else None

    async def _save(self, table_id: str, analysis: StoredAnalysis) -> None:
        text = json.dumps(analysis, ensure_ascii=False, separators=(",", ":"))
        facts = await asyncio.to_thread(gzip.compress, text.encode())
        await self._replays.registry.store.save_analysis(table_id, facts)
