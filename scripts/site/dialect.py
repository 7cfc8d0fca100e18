"""From the Markdown of code hosts to that of the site.

Both are Markdown, but the site's reads some things more narrowly: it wants one word behind the
fence of a block, a list apart from the paragraph before it, four spaces for what lies in a list,
and knows no boxes to tick. The pages are not bent to that: they are turned here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

FENCE = re.compile(r"^(?P<indent> *)(?P<mark>```+)(?P<info>[^`]*)$")
BOX = re.compile(r"^( *[-*] )\[([ x])\] ")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +\S")


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
        elif fence and fence["mark"] == mark and not fence["info"]:
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
    language = fence["info"].partition(" ")[0]
    if language == "python" and any(line.startswith(">>>") for line in block):
        language = "pycon"
    return [f"{fence['indent']}{fence['mark']}{language}", *block[1:]]


def spaced(lines: list[str]) -> list[str]:
    """Prose with its lists as the site reads them."""
    turned: list[str] = []
    in_list = False
    for line in lines:
        before = turned[-1] if turned else ""
        indent = len(line) - len(line.lstrip())
        if ITEM.match(line):
            if before and not ITEM.match(paragraph(turned)[0]):
                turned.append("")
            in_list = in_list or indent == 0
        elif line and indent == 0 and not before:
            in_list = False
        line = BOX.sub(lambda box: f"{box[1]}{'☐' if box[2] == ' ' else '☑'} ", line)
        turned.append(" " * (4 * (indent // 2)) + line.lstrip() if in_list else line)
    return turned


def paragraph(lines: list[str]) -> list[str]:
    """The paragraph that ends with these lines."""
    start = len(lines)
    while start and lines[start - 1]:
        start -= 1
    return lines[start:]


def site_markdown(text: str, prose: Callable[[str], str]) -> str:
    """A whole page turned; every run of prose is also handed to somebody with more to turn."""
    lines: list[str] = []
    for is_code, run in parts(text):
        lines += coloured(run) if is_code else prose("\n".join(spaced(run))).split("\n")
    return "\n".join(lines) + "\n"
