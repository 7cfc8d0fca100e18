"""Tables in any situation, made by editing the server's messages on their way to the browser.

For situations that a real game reaches only after many turns. The page cannot tell the difference;
what it sends goes to the real table.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocketRoute

from smashup.server.live.view_patch import complete_update
from tests.browser.visitor import Visitor

Message = dict[str, Any]
Edit = Callable[[Message], None]


class EditedTable:
    """A visitor's socket, on which ``edit`` changes each message that shows the table."""

    def __init__(self, visitor: Visitor, edit: Edit = lambda shown: None) -> None:
        self._edit = edit
        self._page: WebSocketRoute | None = None
        self._told: Message = {}
        """The last state from the server, including the fields that updates omit."""
        self._last: Message | None = None
        """The same state as the page received it."""
        self._is_shown = False
        visitor.context.route_web_socket(re.compile("/socket$"), self._connect)

    @property
    def view(self) -> Message:
        """The view that the page shows."""
        assert self._last is not None
        view: Message = self._last["view"]
        return view

    def show(self, edit: Edit, **news: Any) -> None:
        """Send another update, in which ``edit`` has changed the last view.

        From then on, the page receives no updates of the real table.
        """
        assert self._last is not None
        assert self._page is not None
        shown = copy.deepcopy(self._last)
        shown.update(type="update", version=shown["version"] + 1, lines=[], chat=[], changes=[])
        shown.update(news)
        edit(shown)
        self._last = shown
        self._is_shown = True
        self._page.send(json.dumps(shown))

    def _connect(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        self._page = page

        def pass_on(text: str | bytes) -> None:
            message: Message = json.loads(text)
            if message["type"] in ("snapshot", "update"):
                if message["type"] == "update":
                    message = complete_update(self._told, message)
                    message.pop("checksum", None)  # it is that of the real table
                self._told = copy.deepcopy(message)
                if self._is_shown:
                    return
                if message["view"] is not None:
                    self._edit(message)
                    self._last = message
            page.send(json.dumps(message))

        server.on_message(pass_on)


def name_of(sort: str, id: int, text: str) -> Message:
    """Make the name of a card, a base or a player in a message."""
    return {"sort": sort, "id": id, "text": text}


def sentence(text: str, **args: Any) -> Message:
    """Make a message of the server, without the English text that the table does not need."""
    return {"text": text, "args": args, "english": text}


def minion(id: int, name: str, controller: int, power: int = 2, **more: Any) -> Message:
    """Make a minion in play."""
    return {
        "id": id, "name": name, "type": "minion", "text": "", "owner": controller,
        "printed_power": power, "controller": controller, "power": power, "power_parts": [], **more,
    }  # fmt: skip


def action(id: int, name: str, controller: int, **more: Any) -> Message:
    """Make an action in play, in a hand or among the options."""
    return {
        "id": id, "name": name, "type": "action", "text": "", "owner": controller,
        "controller": controller, **more,
    }  # fmt: skip
