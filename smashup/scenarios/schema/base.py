"""The base of all schema models: plain types, and messages for invalid values."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    StrictBool,
    ValidationError,
    model_validator,
)

from smashup.engine.errors import SmashUpError
from smashup.engine.model.messages import Message
from smashup.scenarios.errors import ScenarioError, shorten, suggestion
from smashup.scenarios.yaml_reader import line_of

MAX_NUMBER: Final = 1000
MAX_COUNT: Final = 100


class SchemaError(SmashUpError, ValueError):
    """An invalid value found by a validator; the reader adds its location to the message."""

    key = ""
    """The key that is wrong in a mapping."""


class Model(BaseModel):
    """A mapping with known keys."""

    model_config = ConfigDict(
        extra="forbid", strict=True, coerce_numbers_to_str=True, populate_by_name=False
    )

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, data: Any) -> Any:
        """Reject unknown keys, and suggest what was meant."""
        known = cls.keys()
        if not isinstance(data, dict):
            raise SchemaError(
                "keys such as {known} are needed here, not “{value}”.",
                known=", ".join(known),
                value=shorten(data),
            )
        for key in data:
            if not known:
                raise SchemaError("no keys are allowed here, not even “{key}”.", key=key)
            if key not in known:
                error = SchemaError(
                    "“{key}” is not allowed here.{proposal} Known keys: {known}.",
                    key=shorten(key),
                    proposal=suggestion(key, known),
                    known=", ".join(known),
                )
                error.key = key
                raise error
        return data

    @classmethod
    def keys(cls) -> list[str]:
        """Return the known keys as written in files."""
        return sorted(field.alias or name for name, field in cls.model_fields.items())


def as_list(value: Any) -> list[Any]:
    """Return a list unchanged, None as an empty list, anything else as a list of one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def check_player(value: Any) -> Any:
    if not isinstance(value, str) or re.fullmatch(r"P[1-4]", value) is None:
        raise SchemaError("“{value}” is not a player; players are P1 to P4.", value=shorten(value))
    return value


Number = Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Natural = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]
Flag = StrictBool
Text = Annotated[str, Strict(False)]
"""A text; numbers are accepted."""
Player = Annotated[str, BeforeValidator(check_player)]
AsList = BeforeValidator(as_list)
"""One value, or a list of them."""
Names = Annotated[list[Text], AsList]


OPTIONAL: Any = Field(default=None)
"""A key that may be left out."""


def optional_alias(key: str) -> Any:
    """An optional key whose name is a Python keyword."""
    return Field(default=None, alias=key)


# --- error messages -------------------------------------------------------------------------


def validate(model: type[Model], data: Any, where: str = "") -> None:
    """Raise an error for data that does not fit a model; ``where`` is the file."""
    try:
        model.model_validate(data)
    except ValidationError as error:
        raise explain(error, data, where) from error


def explain(error: ValidationError, data: Any, where: str = "") -> ScenarioError:
    """Return the first problem of some data, with its location."""
    first = error.errors()[0]
    path = tuple(p for p in first["loc"] if not (isinstance(p, str) and p[:1] in "<["))
    keys = [part for part in path if isinstance(part, str)]
    problem = ScenarioError(
        "{where}: {problem}" if keys else "{problem}",
        where=_name_part(keys),
        problem=_describe(first),
    )
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, SchemaError) and cause.key:
        path = (*path, cause.key)
    line = line_of(data, path)
    problem.place = f"{where}:{line}" if where and line else where
    return problem


def _name_part(keys: list[str]) -> Message | str:
    """Format the keys that lead to a value, the outermost one first."""
    if len(keys) > 1 and keys[0] == "fixtures":
        return Message("The fixture {name}", {"name": _name_part(keys[1:])})
    if not keys:
        return ""
    first = Message("“{name}”", {"name": keys[0]})
    if len(keys) == 1:
        return first
    return Message("{first}, {rest}", {"first": first, "rest": _name_part(keys[1:])})


def _describe(error: Any) -> Message:
    """Describe what is wrong with a value."""
    kind = error["type"]
    context = error.get("ctx", {})
    value = {"value": shorten(error["input"])}
    if kind == "value_error" and isinstance(context.get("error"), SchemaError):
        message: Message = context["error"].message
        return message
    if kind == "missing":
        return Message("“{key}” is missing.", {"key": str(error["loc"][-1])})
    if kind == "literal_error":
        words = re.findall(r"'([^']*)'|(\d+)", context["expected"])
        words = [word or number for word, number in words]
        if not words:
            return Message("only “true” is allowed here, not “{value}”.", value)
        return Message(
            "“{value}” is not allowed here.{proposal} Use one of {words}.",
            value | {"proposal": suggestion(error["input"], words), "words": ", ".join(words)},
        )
    if kind == "greater_than_equal":
        return Message(
            "a number of at least {least} is needed here, not “{value}”.",
            value | {"least": context["ge"]},
        )
    if kind == "less_than_equal":
        return Message(
            "a number up to {most} is needed here, not “{value}”.", value | {"most": context["le"]}
        )
    return Message(_REQUIREMENTS.get(kind, _REQUIREMENTS[""]), value)


def _requirement(text: str, *kinds: str) -> dict[str, str]:
    return dict.fromkeys(kinds, Message(text, {}).text)


_REQUIREMENTS: Final = {
    **_requirement("“{value}” is not allowed here.", ""),
    **_requirement("a whole number is needed here, not “{value}”.", "int_type", "int_parsing"),
    **_requirement("true or false is needed here, not “{value}”.", "bool_type"),
    **_requirement("words are needed here, not “{value}”.", "string_type"),
    **_requirement("a list is needed here, not “{value}”.", "list_type", "tuple_type"),
    **_requirement("a mapping is needed here, not “{value}”.", "dict_type", "model_type"),
    **_requirement("this list has too many or too few items.", "too_short", "too_long"),
}
