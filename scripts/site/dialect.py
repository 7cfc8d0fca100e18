"""From the Markdown of code hosts to that of the site.

Both are Markdown, but the site's reads some things more narrowly: it wants one word behind the
fence of a block, lists apart from the paragraph before them, and four spaces for a list in a list.
The pages are not bent to that: they are turned here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

FENCE = re.compile(r"^(?P<indent>\s*)(?P<mark>```+)(?P<info>[^`\n]*)$")
ITEM = re.compile(r"^(?P<indent> *)(?P<bullet>[-*]|\d+\.)(?P<gap> +)(?=\S)")


def parts(text: str) -> Iterator[tuple[bool, list[str]]]:
    """The page as runs of lines, each with whether it is a block of code, fences included."""
    run: list[str] = []
    mark = ""
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence and not mark:
            if run:
                yield False, run
            run, mark = [line], fence["mark"]
        elif fence and fence["mark"].startswith(mark) and not fence["info"].strip():
            yield True, [*run, line]
            run, mark = [], ""
        else:
            run.append(line)
    if run:
        yield bool(mark), run


def coloured(block: list[str]) -> list[str]:
    """A block of code under the name by which it is coloured: «yaml scenario» is YAML, and what
    is typed at a prompt is a Python session."""
    fence = FENCE.match(block[0])
    assert fence is not None
    language, _, _ = fence["info"].strip().partition(" ")
    if language == "python" and any(line.lstrip().startswith(">>>") for line in block):
        language = "pycon"
    return [f"{fence['indent']}{fence['mark']}{language}", *block[1:]]


def spaced(lines: list[str]) -> list[str]:
    """Prose with its lists as the site reads them."""
    turned: list[str] = []
    depths: list[int] = []  # where the text of each open item begins
    for line in lines:
        item = ITEM.match(line)
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            turned.append("")
            continue
        if item is None:
            if depths and indent == 0 and turned and turned[-1] == "":
                depths = []
            if depths and indent >= 2:
                open_items = sum(depth <= indent for depth in depths)
                line = " " * (4 * open_items + max(0, indent - max([0, *(
                    depth for depth in depths if depth <= indent)]))) + line.lstrip()
            turned.append(line)
            continue
        depths = [depth for depth in depths if depth <= indent]
        if not depths and turned and turned[-1] and not ITEM.match(turned[-1]) and not _in_list(turned):
            turned.append("")
        turned.append(f"{' ' * (4 * len(depths))}{item['bullet']} {line[item.end():]}")
        depths.append(item.end())
    return turned


def _in_list(turned: list[str]) -> bool:
    """Whether the paragraph that ends here belongs to an item of a list."""
    for line in reversed(turned):
        if not line:
            return False
        if ITEM.match(line):
            return True
    return False


def site_markdown(text: str, prose: Callable[[str], str]) -> str:
    """A whole page turned, and every run of prose handed to somebody who has more to turn."""
    lines: list[str] = []
    for is_code, run in parts(text):
        lines += coloured(run) if is_code else prose("\n".join(spaced(run))).split("\n")
    return "\n".join(lines) + "\n"
