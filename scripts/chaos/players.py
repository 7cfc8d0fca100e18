"""Simulated players and spectators. They reconnect after each disconnect, reload, chat and undo."""

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

from scripts.chaos.records import (
    AcknowledgedAnswer,
    ObservedTable,
    ReceivedState,
    Records,
    find_cards,
    fingerprint,
    without_translations,
)
from smashup.server.errors import RefusalCode
from smashup.server.live.close_codes import POLICY_VIOLATION
from smashup.server.live.protocol import PROTOCOL
from smashup.server.live.view_patch import complete_update

DISCONNECT_ERRORS: Final = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError)
RETRY_CODES: Final = frozenset((RefusalCode.TABLE_RELOADING, RefusalCode.RATE_LIMITED))
"""Temporary refusals, after which a player sends the answer again."""
EXPECTED_CODES: Final = frozenset(
    (
        RefusalCode.BOT_PLAYS_SEAT,
        RefusalCode.GAME_OVER,
        RefusalCode.INCOMPATIBLE_PICKS,
        RefusalCode.INCOMPLETE_PICKS,
        RefusalCode.NO_ADVICE,
        RefusalCode.OUT_OF_TIME,
        RefusalCode.STALE,
        RefusalCode.UNDO_NOT_POSSIBLE,
        RefusalCode.UNDO_REQUEST_CLOSED,
    )
)
"""Refusals that a player cannot avoid, because the table may change at any time."""
PHRASES: Final = ("hello", "good_luck", "well_played", "thanks", "oops", "good_game")
REPLY_TIMEOUT_SECONDS: Final = 15.0
"""A player reconnects if a reply takes longer."""
HINT_TIMEOUT_SECONDS: Final = 60.0
"""The same for hints: bots compute them in processes with a low priority, within 30 seconds."""
RETRY_SECONDS: Final = 0.3
MAX_KEPT_UPDATES: Final = 40
"""Updates that a player keeps, to compare them when the server sends them again."""


class Reload(Exception):
    """The player reloads the page."""


@dataclass
class PendingMessage:
    """A message without a reply."""

    content: dict[str, Any]
    sent_at: float
    is_resent: bool = False
    """Whether it was sent more than once, or the player reconnected since."""
    is_retry: bool = False
    """Whether it was refused temporarily, and is to be sent again soon."""

    @property
    def deadline(self) -> float:
        """When the reply is overdue, or the message is sent again."""
        if self.is_retry:
            return self.sent_at + RETRY_SECONDS
        is_hint = self.content["type"] == "hint"
        return self.sent_at + (HINT_TIMEOUT_SECONDS if is_hint else REPLY_TIMEOUT_SECONDS)


class SimulatedPlayer:
    """A player, or a spectator without a secret."""

    def __init__(
        self,
        records: Records,
        table: ObservedTable,
        address: str,
        seat: int,
        mean_think_seconds: float,
        rng: random.Random,
    ) -> None:
        self.records = records
        self.table = table
        self.address = address
        self.seat = seat
        self.secret = table.secrets.get(seat)
        self.mean_think_seconds = mean_think_seconds
        self.rng = rng
        self.received = ReceivedState(seat)
        table.received.append(self.received)
        self.language = rng.choice((None, None, None, "fr", "en"))
        self.stream = ""
        self.version = 0
        self.newest_version = 0
        """The highest version received from this stream."""
        self.view_fingerprints: deque[tuple[int, bytes]] = deque(maxlen=MAX_KEPT_UPDATES)
        """The versions and views of the last updates."""
        self.state: dict[str, Any] = {}
        """The last snapshot or completed update."""
        self.states: dict[int, dict[str, Any]] = {}
        """The last ones of this stream, by version. Updates contain only changed fields."""
        self.pending: PendingMessage | None = None
        self.next_action_at = 0.0
        self._acknowledged_number = 0
        """The decision number in the last acknowledgement."""

    async def run(self) -> None:
        """Play or watch until the game is over; reconnect after each disconnect."""
        url = f"ws://{self.address}/api/tables/{self.table.id}/socket"
        while not self._is_done():
            try:
                async with connect(url, open_timeout=15, close_timeout=2, max_queue=None) as socket:
                    await self._use_connection(socket)
                    return
            except Reload:
                self.records.counts["reloads"] += 1
            except DISCONNECT_ERRORS as error:
                self._record_disconnect(error)
                await asyncio.sleep(0.1 + self.rng.random() / 2)

    def _is_done(self) -> bool:
        return self._is_over() and self.pending is None

    def _is_over(self) -> bool:
        return bool(self.state) and bool(self.state["table"]["state"] == "over")

    def _record_disconnect(self, error: BaseException) -> None:
        self.records.counts["disconnects"] += 1
        if not isinstance(error, ConnectionClosed) or error.rcvd is None:
            return
        self.records.counts[f"closed_with_{error.rcvd.code}"] += 1
        if error.rcvd.code == POLICY_VIOLATION:
            self.records.add_failure(
                "the server disconnected a player who followed the protocol", self.table
            )

    # --- a connection -------------------------------------------------------------------------

    async def _use_connection(self, socket: ClientConnection) -> None:
        await self._send_hello(socket)
        await self._resend_pending(socket)
        self.next_action_at = max(self.next_action_at, time.monotonic() + self._think_seconds())
        while not self._is_done():
            now = time.monotonic()
            if self.pending is None and now >= self.next_action_at and not self.records.is_stopping:
                await self._act(socket)
            deadline = self.next_action_at if self.pending is None else self.pending.deadline
            if self.pending is not None and now >= deadline:
                if not self.pending.is_retry:
                    self._record_timeout(self.pending)
                raise Reload
            try:
                text = await asyncio.wait_for(socket.recv(), max(0.02, min(deadline - now, 1.0)))
            except TimeoutError:
                continue
            self._receive(json.loads(text))
        self.table.is_over = True

    async def _resend_pending(self, socket: ClientConnection) -> None:
        """Send an answer or undo again after reconnecting; drop other messages."""
        if self.pending is None:
            return
        self.pending.is_resent, self.pending.is_retry = True, False
        self.pending.sent_at = time.monotonic()
        if self.pending.content["type"] in ("answer", "undo"):
            await socket.send(json.dumps(self.pending.content))
        else:
            self.pending = None

    def _record_timeout(self, pending: PendingMessage) -> None:
        self.records.counts["reply_timeouts"] += 1
        if not self.records.is_disrupted:
            kind, seconds = pending.content["type"], time.monotonic() - pending.sent_at
            self.records.add_failure(f"no reply to {kind} for {seconds:.0f} seconds", self.table)

    def _think_seconds(self) -> float:
        mean = self.mean_think_seconds
        return self.rng.expovariate(1 / mean) if mean else 0.0

    async def _send_hello(self, socket: ClientConnection) -> None:
        """Send hello: with the last version, an older one, one of another stream, or none."""
        hello: dict[str, Any] = {
            "type": "hello",
            "id": self.records.next_id(),
            "protocol": PROTOCOL,
        }
        if self.secret is not None:
            hello["secret"] = self.secret
        if self.language is not None:
            hello["lang"] = self.language
        roll = self.rng.random()
        if self.stream and roll < 0.75:
            if roll < 0.25:
                self.version = self.rng.choice(list(self.states))
            hello |= {"stream": self.stream, "version": self.version}
        elif self.stream and roll < 0.8:
            hello |= {"stream": "0" * 16, "version": self.rng.randrange(1000)}
        await socket.send(json.dumps(hello))
        while True:
            reply = await self._receive_reply(socket)
            if reply["type"] == "ack" and reply["id"] == hello["id"]:
                break
            if reply["type"] == "refused":
                self.records.add_failure(f"hello refused: {reply['code']}", self.table)
                raise EOFError
        needs_snapshot = "version" not in hello
        while needs_snapshot or not self.state:
            reply = await self._receive_reply(socket)
            self._receive(reply)
            needs_snapshot = needs_snapshot and reply["type"] != "snapshot"

    async def _receive_reply(self, socket: ClientConnection) -> dict[str, Any]:
        text = await asyncio.wait_for(socket.recv(), REPLY_TIMEOUT_SECONDS)
        reply: dict[str, Any] = json.loads(text)
        return reply

    # --- receiving ----------------------------------------------------------------------------

    def _receive(self, message: dict[str, Any]) -> None:
        if self.language is not None:
            message = without_translations(message)
        kind = message["type"]
        if kind in ("snapshot", "update"):
            self._apply_state(self._complete(message))
        elif self.pending is not None and message["id"] == self.pending.content["id"]:
            self._handle_reply(message)
        if kind != "ack":
            self.received.cards.update(find_cards({**message, "table": None}))

    def _complete(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return a snapshot or update with all fields."""
        if message["type"] == "snapshot":
            self.states = {}
        elif message["version"] == self.version + 1:
            try:
                message = complete_update(self.states[self.version], message)
            except (ValueError, LookupError) as error:
                self.records.add_failure(f"an update cannot be applied: {error}", self.table)
                raise Reload from error
        else:
            self.records.add_failure(
                f"version {message['version']} follows version {self.version}", self.table
            )
            raise Reload
        self.states[message["version"]] = message
        while len(self.states) > MAX_KEPT_UPDATES:
            del self.states[min(self.states)]
        return message

    def _apply_state(self, message: dict[str, Any]) -> None:
        version, view, add_failure = message["version"], message["view"], self.records.add_failure
        mark = fingerprint(view)
        if message["type"] == "snapshot":
            if message["stream"] != self.stream:
                self.stream, self.newest_version = message["stream"], 0
                self.view_fingerprints.clear()
            elif version < self.newest_version:
                add_failure("a snapshot is older than an earlier update", self.table)
        self.version = version
        if version <= self.newest_version:
            before = dict(self.view_fingerprints).get(version)
            if before is not None and before != mark:
                add_failure("the server sent different updates with the same version", self.table)
            if version < self.newest_version:
                return  # the player has received newer updates before
        else:
            self.newest_version = version
            self.view_fingerprints.append((version, mark))
            if view is not None:
                self.received.views.append(mark)
                self.received.events.update(map(fingerprint, message.get("changes", ())))
        self._record_state(message)

    def _record_state(self, message: dict[str, Any]) -> None:
        received = self.received
        self.records.last_update = time.monotonic()
        if message["type"] == "snapshot":
            received.log = {}
        first_invalid = message["rewound"]
        if first_invalid is not None:
            received.log = {n: line for n, line in received.log.items() if n < first_invalid}
        received.log |= {line["number"]: line["message"]["english"] for line in message["lines"]}
        received.view, received.number = message["view"], message["number"]
        self.state = message

    def _handle_reply(self, reply: dict[str, Any]) -> None:
        assert self.pending is not None
        pending, self.pending = self.pending, None
        sent = pending.content
        if reply["type"] == "refused":
            self._handle_refusal(sent, reply)
            return
        self.records.counts[f"{sent['type']}_accepted"] += 1
        if sent["type"] == "answer":
            now = time.monotonic()
            answer = AcknowledgedAnswer(self.seat, sent["id"], tuple(sent["options"]))
            self.table.answers.append(answer)
            self.table.last_progress = now
            if not (self.records.is_disrupted or pending.is_resent):
                self.records.latencies.append(now - pending.sent_at)
            self._acknowledged_number = reply["number"]
        elif sent["type"] == "chat" and sent.get("text"):
            self.table.chat.append((self.seat, sent["text"]))

    def _handle_refusal(self, sent: dict[str, Any], refusal: dict[str, Any]) -> None:
        kind, code = sent["type"], refusal["code"]
        self.records.counts[f"{kind}_refused"] += 1
        if code in RETRY_CODES:
            if kind == "answer":
                self.pending = PendingMessage(sent, time.monotonic(), is_resent=True, is_retry=True)
            return
        if kind == "answer":
            self.table.refused.append((self.seat, sent["id"]))
        if code not in EXPECTED_CODES:
            self.records.add_failure(f"{kind} refused: {code}", self.table)

    # --- sending ------------------------------------------------------------------------------

    async def _act(self, socket: ClientConnection) -> None:
        rng = self.rng
        self.next_action_at = time.monotonic() + self._think_seconds()
        if self.records.is_disrupted:
            if rng.random() < 0.01:
                if rng.random() < 0.5:
                    socket.transport.abort()
                raise Reload
            if self.table.clock and rng.random() < 0.002:
                # Let the clock run out.
                self.next_action_at = time.monotonic() + self.table.clock * rng.uniform(0.9, 1.3)
                self.records.counts["long_pauses"] += 1
                return
        if self.secret is None:
            return
        message = self._choose_message()
        if message is None:
            return
        message["id"] = self.records.next_id()
        self.pending = PendingMessage(message, time.monotonic())
        text = json.dumps(message)
        await socket.send(text)
        if message["type"] == "answer" and rng.random() < 0.05:
            self.pending.is_resent = True
            await socket.send(text)  # a double click

    def _choose_message(self) -> dict[str, Any] | None:
        """Return the next message without its id; None to wait."""
        rng, state = self.rng, self.state
        decision = (state["view"] or {}).get("decision") or {}
        options = decision.get("options", []) if state["table"]["state"] == "playing" else []
        number = state["number"]
        if number < self._acknowledged_number:
            return None  # the update after the last answer has not arrived yet
        roll = rng.random()
        if roll < 0.01:
            return {"type": "chat", "text": f"text-{self.records.next_id()}"}
        if roll < 0.02:
            return {"type": "chat", "phrase": rng.choice(PHRASES)}
        request = state["undo"]
        if request is not None and request["seat"] != self.seat and rng.random() < 0.7:
            return {"type": "agree", "wish": request["number"], "yes": rng.random() < 0.8}
        if request is not None and rng.random() < 0.5:
            return None  # wait for the votes of others
        if state["can_undo"] and roll < 0.08:
            return {"type": "undo", "number": number}
        if not options:
            return None
        if state["hints"] and roll < 0.085:
            return {"type": "hint", "number": number}
        if roll < 0.11:
            return {"type": "preview", "number": number, "option": rng.randrange(len(options))}
        return {"type": "answer", "number": number, **self._choose_options(decision, options)}

    def _choose_options(
        self, decision: dict[str, Any], options: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Choose one option; or sometimes several, where the decision allows that."""
        rng = self.rng
        pickable = [i for i, option in enumerate(options) if "card" in option or "base" in option]
        max_picks = min(decision.get("max", 1), len(pickable))
        if max_picks > 1 and rng.random() < 0.6:
            picks = rng.sample(pickable, rng.randint(max(1, decision.get("min", 1)), max_picks))
            return {"options": picks, "done": len(picks) < decision["max"]}
        return {"options": [rng.randrange(len(options))]}


async def send_request(
    http: httpx.AsyncClient, method: str, path: str, secret: str = "", **body: Any
) -> httpx.Response | None:
    """Send a request to the lobby; None if its outcome is unknown."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    try:
        return await http.request(method, path, headers=headers, json=body or None)
    except httpx.HTTPError:
        return None
