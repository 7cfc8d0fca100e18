"""Turns whatever an author's code raises, or endless code, into an error that names its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from smashup.cards.authoring.places import (
    FactionError,
    SourceLocation,
    describe_error,
    faction_error,
)
from smashup.cards.authoring.sources import Source, running_frames
from smashup.cards.authoring.time_limit import TimeLimitExceeded, time_limit
from smashup.engine.errors import CardError


@contextmanager
def author_code(
    source: Source,
    seconds: float,
    too_slow: str,
    explain: Callable[[BaseException], FactionError] | None = None,
) -> Iterator[Callable[[], None]]:
    """Run code that calls an author's file; raise a `FactionError` if that fails or never ends.

    Yields a function that starts the time limit again. ``too_slow`` is the sentence for code that
    exceeds the limit; ``explain`` describes other errors (by default `locate_error` does).
    """
    stopped_at = SourceLocation(source.label)

    def note_place(frame: FrameType | None) -> None:
        nonlocal stopped_at
        stopped_at = source.place_of_frames(running_frames(frame))

    try:
        with time_limit(seconds, note_place) as restart:
            yield restart
    except (FactionError, KeyboardInterrupt):
        raise
    except TimeLimitExceeded:
        raise faction_error(stopped_at, too_slow, limit=seconds) from None
    except BaseException as error:  # an author's code may raise anything
        found = explain(error) if explain is not None else locate_error(error, source)
        raise found or faction_error(
            SourceLocation(source.label), "{reason}", reason=describe_error(error)
        ) from error


def locate_error(error: BaseException, source: Source) -> FactionError | None:
    """Return an error that names the line of a file that an exception comes from, if any."""
    cause: BaseException | None = error
    while cause is not None:
        place = source.place_of_error(cause)
        if place.line:
            if isinstance(cause, SystemExit):
                return faction_error(place, "The code exits the program.")
            shown = error if isinstance(error, CardError) else cause
            return faction_error(place, "{reason}", reason=describe_error(shown))
        cause = cause.__cause__ or cause.__context__
    return None
