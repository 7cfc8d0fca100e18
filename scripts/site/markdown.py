"""Convert Markdown as code hosts render it to the Markdown of the site generator.

The generator is stricter: one word after the fence of a code block, a blank line before a list,
four spaces of indentation inside lists, and no task lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

FENCE = re.compile(r"^(?P<indent> *)(?P<mark>```+)(?P<info>[^`]*)$")
BOX = re.compile(r"^( *[-*] )\[([ x])\] ")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +\S")


def split_code_blocks(text: str) -> Iterator[tuple[bool, list[str]]]:
    """Split a page into runs of lines; each says whether it is a code block with its fences."""
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


def normalize_fence(block: list[str]) -> list[str]:
    """Name the highlighter of a code block: ``yaml scenario`` is YAML, prompts are ``pycon``."""
    fence = FENCE.match(block[0])
    assert fence is not None
    language = fence["info"].partition(" ")[0]
    if language == "python" and any(line.startswith(">>>") for line in block):
        language = "pycon"
    return [f"{fence['indent']}{fence['mark']}{language}", *block[1:]]


def normalize_lists(lines: list[str]) -> list[str]:
    """Indent and separate lists as the generator needs them."""
    converted: list[str] = []
    in_list = False
    for line in lines:
        before = converted[-1] if converted else ""
        indent = len(line) - len(line.lstrip())
        if ITEM.match(line):
            if before and not ITEM.match(last_paragraph(converted)[0]):
                converted.append("")
            in_list = in_list or indent == 0
        elif line and indent == 0 and not before:
            in_list = False
        line = BOX.sub(lambda box: f"{box[1]}{'☐' if box[2] == ' ' else '☑'} ", line)
        converted.append(" " * (4 * (indent // 2)) + line.lstrip() if in_list else line)
    return converted


def last_paragraph(lines: list[str]) -> list[str]:
    """Return the lines of the last paragraph."""
    start = len(lines)
    while start and lines[start - 1]:
        start -= 1
    return lines[start:]


def convert_markdown(text: str, prose: Callable[[str], str]) -> str:
    """Convert a page; ``prose`` converts each run of text between code blocks further."""
    lines: list[str] = []
    for is_code, run in split_code_blocks(text):
        lines += (
            normalize_fence(run) if is_code else prose("\n".join(normalize_lists(run))).split("\n")
        )
    return "\n".join(lines) + "\n"
