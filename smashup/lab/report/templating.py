"""The HTML templates of reports."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def render_template(name: str, **values: Any) -> str:
    """Render a template; values are escaped unless it marks them as safe."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("smashup.lab.report"), autoescape=True, undefined=StrictUndefined
    )
