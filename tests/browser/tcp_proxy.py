"""A TCP proxy in front of a server, which simulates network failures."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

from tests.browser.live_server import LiveServer


class TcpProxy:
    """Forwards connections to a server from another address."""

    def __init__(self, server: LiveServer) -> None:
        there = urlsplit(server.address)
        assert there.hostname is not None
        assert there.port is not None
        self._there = (there.hostname, there.port)
        self._port = 0
        self._door: socket.socket | None = None
        self._open: list[socket.socket] = []
        self.reconnect()
        self.server = LiveServer(f"http://127.0.0.1:{self._port}")

    def reconnect(self) -> None:
        """Accept connections again, at the same address."""
        door = socket.create_server(("127.0.0.1", self._port))
        self._door, self._port = door, door.getsockname()[1]
        threading.Thread(target=self._take_calls, args=(door,), daemon=True).start()

    def disconnect(self) -> None:
        """Close all connections and accept no more."""
        assert self._door is not None
        _close(self._door)
        for end in self._open:
            _close(end)
        self._open = []

    def _take_calls(self, door: socket.socket) -> None:
        with suppress(OSError):
            while True:
                here, _ = door.accept()
                there = socket.create_connection(self._there)
                self._open += [here, there]
                for ends in ((here, there), (there, here)):
                    threading.Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
    _close(one)
    _close(other)


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
