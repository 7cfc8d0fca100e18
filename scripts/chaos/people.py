"""People at tables: cut off, they come back; now and then they reload, talk, think again."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from scripts.chaos.notes import Book, Given, Notes, Told, faces, fingerprint, plain
from smashup.server.live.protocol import PROTOCOL
from smashup.server.live.view_patch import complete_update

CUT_OFF: Final = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError)
NOT_NOW: Final = ("This table is reloading", "Too many messages")
TO_BE_EXPECTED: Final = (
    "Your time is up", "The game is over", "A bot plays this seat", "request is no longer open",
    "can be undone", "cannot be undone", "Undo is not possible", "are being asked already",
    "You talk too fast", "no advice right now", "This is your own wish", "do not go together",
    "More has to be picked",
)  # fmt: skip
PHRASES: Final = ("hello", "good_luck", "well_played", "thanks", "oops", "good_game")
SILENCE: Final = 15.0
"""Seconds without an answer after which somebody hangs up and calls again."""
REMEMBERED: Final = 40
"""Updates that are held against what comes when they are sent again."""


class Reload(Exception):
    """Somebody reloads the page."""


@dataclass
class Waiting:
    """A message that was sent, and not answered yet."""

    said: dict[str, Any]
    since: float
    again: bool = False
    """Whether it was sent more than once, or the line broke meanwhile."""


class Person:
    """The owner of a seat, or with no secret somebody who watches."""

    def __init__(
        self, book: Book, notes: Notes, address: str, seat: int, pace: float, dice: random.Random
    ) -> None:
        self.book = book
        self.notes = notes
        self.address = address
        self.seat = seat
        self.secret = notes.secrets.get(seat)
        self.pace = pace
        self.dice = dice
        self.told = Told(seat)
        notes.told.append(self.told)
        self.lang = dice.choice((None, None, None, "fr", "en"))
        self.stream = ""
        self.version = 0
        self.newest = 0
        """The last version that was ever told of this stream."""
        self.known: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED)
        self.scene: dict[str, Any] = {}
        self.scenes: dict[int, dict[str, Any]] = {}
        """The last ones of this stream, by version: updates only tell what has changed."""
        self.waiting: Waiting | None = None
        self.next_act = 0.0
        self._least = 0
        """The number that an acknowledgement has promised."""

    async def stay(self) -> None:
        """Be there until the game is over, whatever happens to the line."""
        while not (self._is_over() and self.waiting is None):
            try:
                uri = f"ws://{self.address}/api/tables/{self.notes.id}/socket"
                async with connect(uri, open_timeout=15, close_timeout=2, max_queue=None) as line:
                    await self._sit(line)
                    return
            except Reload:
                self.book.counts["reloads"] += 1
            except CUT_OFF as cut:
                self._cut_off(cut)
                await asyncio.sleep(0.1 + self.dice.random() / 2)

    def _cut_off(self, cut: BaseException) -> None:
        self.book.counts["cut off"] += 1
        code = cut.rcvd.code if isinstance(cut, ConnectionClosed) and cut.rcvd else None
        if code is not None:
            self.book.counts[f"closed with {code}"] += 1
        if code == 1008:
            self.book.fault("somebody who kept to the rules was sent away", self.notes)

    # --- a connection -------------------------------------------------------------------------

    async def _sit(self, line: ClientConnection) -> None:
        await self._hello(line)
        if self.waiting is not None:
            self.waiting.again = True
            self.waiting.since = time.monotonic()
            if self.waiting.said["type"] in ("answer", "undo"):
                await line.send(json.dumps(self.waiting.said))
            else:
                self.waiting = None  # said once is enough
        self.next_act = max(self.next_act, time.monotonic() + self._moment())
        while not (self._is_over() and self.waiting is None):
            now = time.monotonic()
            if self.waiting is None and now >= self.next_act and not self.book.quiet:
                await self._act(line)
            until = self.next_act if self.waiting is None else self.waiting.since + SILENCE
            if self.waiting is not None and now >= until:
                self._silence()
                raise Reload
            try:
                text = await asyncio.wait_for(line.recv(), max(0.02, min(until - now, 1.0)))
            except TimeoutError:
                continue
            self._hear(json.loads(text))
        self.notes.is_over = True

    def _is_over(self) -> bool:
        return bool(self.scene) and bool(self.scene["table"]["state"] == "over")

    def _silence(self) -> None:
        self.book.counts["silences"] += 1
        if not self.book.rough:
            self.book.fault("a message was never answered", self.notes)

    def _moment(self) -> float:
        return self.dice.expovariate(1 / self.pace) if self.pace else 0.0

    async def _hello(self, line: ClientConnection) -> None:
        """Say hello, with what is known, with less than that, or like on a page just loaded."""
        said: dict[str, Any] = {
            "type": "hello", "id": self.book.next_id(), "protocol": PROTOCOL
        }  # fmt: skip
        if self.secret is not None:
            said["secret"] = self.secret
        if self.lang is not None:
            said["lang"] = self.lang
        knows = self.dice.random()
        if self.stream and knows < 0.75:
            if knows < 0.25:
                self.version = self.dice.choice(list(self.scenes))
            said |= {"stream": self.stream, "version": self.version}
        elif self.stream and knows < 0.8:
            said |= {"stream": "0" * 16, "version": self.dice.randrange(1000)}
        self._fresh = "version" not in said
        await line.send(json.dumps(said))
        while True:
            answer = json.loads(await asyncio.wait_for(line.recv(), SILENCE))
            if answer["type"] == "ack" and answer["id"] == said["id"]:
                break
            if answer["type"] == "refused":
                self.book.fault(f"no way in: {answer['reason']['english']}", self.notes)
                raise EOFError
        while self._fresh or not self.scene:
            answer = json.loads(await asyncio.wait_for(line.recv(), SILENCE))
            self._hear(answer)
            self._fresh = self._fresh and answer["type"] != "snapshot"

    # --- hearing ------------------------------------------------------------------------------

    def _hear(self, said: dict[str, Any]) -> None:
        if self.lang is not None:
            said = plain(said)
        kind = said["type"]
        if kind in ("snapshot", "update"):
            self._see(self._complete(said))
        elif self.waiting is not None and said["id"] == self.waiting.said["id"]:
            self._answered(said)
        if kind != "ack":
            self.told.cards.update(faces({**said, "table": None}))

    def _complete(self, said: dict[str, Any]) -> dict[str, Any]:
        """Return an update with what it leaves out, as the version before it had that."""
        if said["type"] == "snapshot":
            self.scenes = {}
        elif said["version"] == self.version + 1:
            try:
                said = complete_update(self.scenes[self.version], said)
            except (ValueError, LookupError) as error:
                self.book.fault(f"an update does not fit: {error}", self.notes)
                raise Reload from error
        else:
            self.book.fault(f"after version {self.version} came {said['version']}", self.notes)
            raise Reload
        self.scenes[said["version"]] = said
        while len(self.scenes) > REMEMBERED:
            del self.scenes[min(self.scenes)]
        return said

    def _see(self, said: dict[str, Any]) -> None:
        version, view, fault = said["version"], said["view"], self.book.fault
        mark = fingerprint(view)
        if said["type"] == "snapshot":
            if said["stream"] != self.stream:
                self.stream, self.newest = said["stream"], 0
                self.known.clear()
            elif version < self.newest:
                fault("a snapshot is older than what was told before", self.notes)
        self.version = version
        if version <= self.newest:
            before = dict(self.known).get(version)
            if before is not None and before != mark:
                fault("the same update came twice, and differs", self.notes)
            if version < self.newest:
                return  # known already, and more
        else:
            self.newest = version
            self.known.append((version, mark))
            if view is not None:
                self.told.views.append(mark)
                self.told.changes.update(fingerprint(c) for c in said.get("changes", ()))
        self._note(said)

    def _note(self, said: dict[str, Any]) -> None:
        told = self.told
        self.book.heard = time.monotonic()
        if said["type"] == "snapshot":
            told.log, told.chat = {}, []
        if said["rewound"] is not None:
            told.log = {n: line for n, line in told.log.items() if n < said["rewound"]}
        told.log |= {line["number"]: line["message"]["english"] for line in said["lines"]}
        known = {number for number, _ in told.chat}
        told.chat += [(s["number"], s["text"]) for s in said["chat"] if s["number"] not in known]
        told.view, told.number = said["view"], said["number"]
        self.scene = said

    def _answered(self, said: dict[str, Any]) -> None:
        assert self.waiting is not None
        waiting, self.waiting = self.waiting, None
        sent = waiting.said
        kind = sent["type"]
        took = time.monotonic() - waiting.since
        if said["type"] == "refused":
            self._refused(sent, said)
        elif kind == "answer":
            self.notes.given.append(Given(self.seat, sent["id"], tuple(sent["options"])))
            self.notes.progress = time.monotonic()
            self.book.counts["answers"] += 1
            if not (self.book.rough or waiting.again):
                self.book.waits.append(took)
            self._least = said["number"]
        elif kind == "chat":
            self.book.counts["said"] += 1
            if sent.get("text"):
                self.notes.said.append((self.seat, sent["text"]))
        else:
            self.book.counts[{"undo": "undo asked", "preview": "previews"}.get(kind, kind)] += 1

    def _refused(self, sent: dict[str, Any], said: dict[str, Any]) -> None:
        why = said["reason"]["english"]
        self.book.counts[f"refused {sent['type']}"] += 1
        if said["decision"] is not None:
            self.told.decisions.add(fingerprint(said["decision"]))
        if any(words in why for words in NOT_NOW):
            if sent["type"] == "answer":
                self.waiting = Waiting(sent, time.monotonic() - SILENCE + 0.3, again=True)
            return
        if sent["type"] == "answer":
            self.notes.refused.append((self.seat, sent["id"]))
        if not (said["stale"] or any(words in why for words in TO_BE_EXPECTED)):
            self.book.fault(f"{sent['type']} refused: {why}", self.notes)

    # --- doing --------------------------------------------------------------------------------

    async def _act(self, line: ClientConnection) -> None:
        dice = self.dice
        self.next_act = time.monotonic() + self._moment()
        if self.book.rough:
            if dice.random() < 0.01:
                if dice.random() < 0.5:
                    line.transport.abort()
                raise Reload
            if self.notes.clock and dice.random() < 0.002:
                self.next_act = time.monotonic() + self.notes.clock * dice.uniform(0.9, 1.3)
                self.book.counts["fell asleep"] += 1
                return
        if self.secret is None:
            return
        said = self._choice()
        if said is None:
            return
        said["id"] = self.book.next_id()
        self.waiting = Waiting(said, time.monotonic())
        text = json.dumps(said)
        await line.send(text)
        if said["type"] == "answer" and dice.random() < 0.05:
            self.waiting.again = True
            await line.send(text)  # a click too many

    def _choice(self) -> dict[str, Any] | None:
        """What somebody says next, if anything."""
        dice, scene = self.dice, self.scene
        decision = (scene["view"] or {}).get("decision") or {}
        options = decision.get("options", []) if scene["table"]["state"] == "playing" else []
        number = scene["number"]
        if number < self._least:
            return None  # what was answered last is not shown yet
        luck = dice.random()
        if luck < 0.02:
            words = {"text": f"word-{self.book.next_id()}"}
            return {"type": "chat", **(words if luck < 0.01 else {"phrase": dice.choice(PHRASES)})}
        wish = scene["undo"]
        if wish is not None and wish["seat"] != self.seat and dice.random() < 0.7:
            return {"type": "agree", "wish": wish["number"], "yes": dice.random() < 0.8}
        if wish is not None and dice.random() < 0.5:
            return None  # see what the others say
        if scene["can_undo"] and luck < 0.08:
            return {"type": "undo", "number": number}
        if not options:
            return None
        if scene["hints"] and luck < 0.085:
            return {"type": "hint", "number": number}
        if luck < 0.11:
            return {"type": "preview", "number": number, "option": dice.randrange(len(options))}
        return {"type": "answer", "number": number, **self._picks(decision, options)}

    def _picks(self, decision: dict[str, Any], options: list[dict[str, Any]]) -> dict[str, Any]:
        """One option; or, where several are one choice, now and then all of them at once."""
        dice = self.dice
        things = [i for i, option in enumerate(options) if "card" in option or "base" in option]
        most = min(decision.get("max", 1), len(things))
        if most > 1 and dice.random() < 0.6:
            picks = dice.sample(things, dice.randint(max(1, decision.get("min", 1)), most))
            return {"options": picks, "done": len(picks) < decision["max"]}
        return {"options": [dice.randrange(len(options))]}


async def request(
    http: httpx.AsyncClient, method: str, path: str, secret: str = "", **body: Any
) -> httpx.Response | None:
    """Ask the lobby for something; None if nobody knows what became of it."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    try:
        return await http.request(method, path, headers=headers, json=body or None)
    except httpx.HTTPError:
        return None
