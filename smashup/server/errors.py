"""Why the server refuses a request or message: a sentence, an HTTP status and a stable code."""

from __future__ import annotations

from enum import StrEnum

from smashup.engine.errors import CardFailure, IllegalChoice, SmashUpError


class RefusalCode(StrEnum):
    """Why something was refused, for programs; the sentence is for people."""

    BOT_PLAYS_SEAT = "bot_plays_seat"
    CARD_FAILED = "card_failed"
    CONFLICT = "conflict"
    """Not possible in the current state of the table, for a reason without its own code."""
    DAMAGED = "damaged"
    FORBIDDEN = "forbidden"
    GAME_NOT_STARTED = "game_not_started"
    GAME_OVER = "game_over"
    ILLEGAL_CHOICE = "illegal_choice"
    INCOMPATIBLE_PICKS = "incompatible_picks"
    INCOMPLETE_PICKS = "incomplete_picks"
    INVALID = "invalid"
    MALFORMED = "malformed"
    NO_ADVICE = "no_advice"
    NOT_FOUND = "not_found"
    OUTDATED_CLIENT = "outdated_client"
    OUT_OF_TIME = "out_of_time"
    RATE_LIMITED = "rate_limited"
    STALE = "stale"
    TABLE_RELOADING = "table_reloading"
    UNDO_NOT_POSSIBLE = "undo_not_possible"
    UNDO_REQUEST_CLOSED = "undo_request_closed"


class TransientError(Exception):
    """A temporary failure. The operation may or may not have been completed."""


class DatabaseUnavailable(TransientError):
    """The database cannot be used at the moment."""


class EntryExists(Exception):
    """Another worker has committed an entry with this number: nothing was written."""


class Refused(SmashUpError):
    """The server refuses a request. Nothing has changed."""

    status = 409
    code = RefusalCode.CONFLICT


class NotFound(Refused):
    """There is no such table, seat or card."""

    status = 404
    code = RefusalCode.NOT_FOUND


class Forbidden(Refused):
    """The secret is missing, wrong, or for another seat."""

    status = 403
    code = RefusalCode.FORBIDDEN


class Malformed(Refused):
    """The request or message does not match its schema."""

    status = 422
    code = RefusalCode.MALFORMED


class RateLimited(Refused):
    """Too many messages, or too long ones."""

    status = 429
    code = RefusalCode.RATE_LIMITED


class Outdated(Refused):
    """The client uses another version of the protocol."""

    status = 426
    code = RefusalCode.OUTDATED_CLIENT


class Damaged(Refused):
    """The stored data cannot be read."""

    status = 500
    code = RefusalCode.DAMAGED


class Stale(Refused):
    """The message answers a decision that is no longer open."""

    code = RefusalCode.STALE


class Overtaken(Stale):
    """Another worker was faster. The decision may still be open, so the message is tried again."""


class TableReloading(Refused):
    """The worker is loading the table again. The client should retry soon."""

    code = RefusalCode.TABLE_RELOADING


class GameNotStarted(Refused):
    """The players have not started the game yet."""

    code = RefusalCode.GAME_NOT_STARTED


class GameOver(Refused):
    """The game is over."""

    code = RefusalCode.GAME_OVER


class BotPlaysSeat(Refused):
    """A bot plays for the owner of the seat."""

    code = RefusalCode.BOT_PLAYS_SEAT


class OutOfTime(Refused):
    """The clock of the seat has run out."""

    code = RefusalCode.OUT_OF_TIME


class UndoNotPossible(Refused):
    """The player cannot undo a choice now."""

    code = RefusalCode.UNDO_NOT_POSSIBLE


class UndoRequestClosed(Refused):
    """The undo request was withdrawn or settled."""

    code = RefusalCode.UNDO_REQUEST_CLOSED


class NoAdvice(Refused):
    """The bot returned no advice."""

    code = RefusalCode.NO_ADVICE


class IncompatiblePicks(IllegalChoice):
    """Each pick is legal, but not all of them in one message."""


class IncompletePicks(IllegalChoice):
    """The choice needs more picks."""


def refusal_code(error: SmashUpError) -> RefusalCode:
    """Return the code of an error of the server or the engine."""
    if isinstance(error, Refused):
        return error.code
    if isinstance(error, IncompatiblePicks):
        return RefusalCode.INCOMPATIBLE_PICKS
    if isinstance(error, IncompletePicks):
        return RefusalCode.INCOMPLETE_PICKS
    if isinstance(error, IllegalChoice):
        return RefusalCode.ILLEGAL_CHOICE
    if isinstance(error, CardFailure):
        return RefusalCode.CARD_FAILED
    return RefusalCode.INVALID
