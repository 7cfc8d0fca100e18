"""The codes with which the server closes WebSockets."""

from __future__ import annotations

from typing import Final

NORMAL: Final = 1000
GOING_AWAY: Final = 1001
POLICY_VIOLATION: Final = 1008
"""The client does not follow the protocol: no hello, no such seat, too many bad messages."""
TOO_LONG: Final = 1009
INTERNAL_ERROR: Final = 1011
SERVICE_RESTART: Final = 1012
"""The client should connect again: this worker cannot show the current state."""
