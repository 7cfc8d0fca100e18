"""SVG primitives for the figures. Colors are CSS variables that the page defines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Scale:
    """A linear mapping from values to coordinates."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1)
        return self.start + share * (self.end - self.start)

    def clamp(self, value: float) -> float:
        return self(min(max(value, self.low), self.high))

    def ticks(self, count: int = 6) -> list[float]:
        """Return round values along the scale."""
        span = self.high - self.low
        step = next(
            (
                factor * 10.0**power
                for power in range(-4, 7)
                for factor in (1, 2, 2.5, 5)
                if span / (factor * 10.0**power) <= count
            ),
            span or 1,
        )
        first = -(-self.low // step)
        found: list[float] = []
        while (first + len(found)) * step <= self.high + step / 1000:
            found.append(round((first + len(found)) * step, 10))
        return found


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    look = f' class="{kind}"' if kind else ""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{look}{side}>{escape(words)}</text>'


def rect(x: float, y: float, width: float, height: float, kind: str, tip: str = "") -> str:
    inside = f"<title>{escape(tip)}</title>" if tip else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
        f' class="{kind}">{inside}</rect>'
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="{kind}"/>'


def dot(x: float, y: float, size: float, kind: str, tip: str = "") -> str:
    inside = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}" class="{kind}">{inside}</circle>'


def path(points: Iterable[tuple[float, float]]) -> str:
    """Return the path data through these points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def group(parts: Iterable[str], tip: str = "", kind: str = "") -> str:
    inside = f"<title>{escape(tip)}</title>" if tip else ""
    look = f' class="{kind}"' if kind else ""
    return f"<g{look}>{inside}{''.join(parts)}</g>"


def svg(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """Return a complete SVG element."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}"'
        f' xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def color_mix(color: str, share: float) -> str:
    """Return a fill style that mixes a color with the neutral one."""
    return f"fill:color-mix(in oklab,var(--{color}) {100 * min(max(share, 0), 1):.0f}%,var(--mid))"
