"""The way to Redis: addresses without secrets, and sentences about one that leads nowhere."""

from __future__ import annotations

from typing import Final

from smashup.engine.errors import SetupError
from smashup.server.crowd.envelopes import Part, sealed
from smashup.server.http.addresses import shown

try:
    from redis.asyncio import Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff
    from redis.exceptions import RedisError
except ImportError as missing:
    raise SetupError(
        "Several workers need more than is installed here: pip install 'smashup[crowd]'."
    ) from missing

TROUBLE: Final = (RedisError, OSError, TimeoutError)
NOBODY: Final = ""
"""The sender of what is said to everybody."""
QUICKLY: Final = 3.0
"""Seconds in which Redis has to answer."""


async def bury(redis: Redis, space: str, worker: str) -> None:
    """Let everybody know that a worker is gone."""
    await redis.delete(f"{space}:worker:{worker}")
    await redis.publish(f"{space}:all", sealed(NOBODY, 0, [Part("gone", worker, b"")]))


def reached(url: str) -> Redis:
    """A way to Redis. Nothing is tried twice: it would be said twice."""
    try:
        return Redis.from_url(
            url,
            socket_timeout=QUICKLY,
            socket_connect_timeout=QUICKLY,
            retry=Retry(NoBackoff(), 0),
        )
    except ValueError as error:
        # What it says may repeat a password.
        raise SetupError(
            "This is no address of a Redis: one looks like redis://:password@host:6379/0."
        ) from error


async def check(url: str) -> None:
    """See that Redis can be used; a `SetupError` says why it cannot."""
    redis = reached(url)
    try:
        await redis.ping()
    except TROUBLE as error:
        raise unusable(url, error) from error
    finally:
        await redis.aclose()


def unusable(url: str, error: Exception) -> SetupError:
    """Why Redis cannot be used."""
    return SetupError(
        "Redis at {path} cannot be used: {reason}.", path=shown(url), reason=why(error)
    )


def why(error: Exception) -> str:
    """The first line of what Redis, or the way there, says."""
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
