"""Links that lead to files of the project, turned into links that lead to pages of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from scripts.site.places import place

MARKDOWN = re.compile(r"(?P<open>\]\()(?P<target>[^)\s]+)(?P<close>\))")
HTML = re.compile(r'(?P<open>\b(?:href|src)=")(?P<target>[^"]+)(?P<close>")')
FILE_NAME = re.compile(r"\[(?P<words>[\w./-]+\.md)(?P<link>\]\((?P<target>[^)\s#]+))")
CODE = re.compile(r"(`+)(?:(?!\1|\n\n).)+\1", re.DOTALL)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#")


class LostLink(Exception):
    """A link that leads nowhere. The message is for whoever wrote it."""


def goal(target: str, page: str, root: Path) -> str:
    """The file or folder of the project that a link on a page leads to."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    if path.startswith("..") or not (root / path).exists():
        raise LostLink(f"{page}: «{target}» leads nowhere.")
    return path


def relinked(prose: str, page: str, root: Path, found: Callable[[str], None]) -> str:
    """The prose of a page (a path in the project) with its links as the site needs them. Everything
    in the project that it leads to is told to `found`."""
    here = posixpath.dirname(place(page))

    def turned(link: re.Match[str]) -> str:
        target, hash_sign, anchor = link["target"].partition("#")
        if ELSEWHERE.match(link["target"]):
            return link[0]
        path = goal(target, page, root)
        found(path)
        there = posixpath.relpath(place(path), here or ".")
        return f"{link['open']}{there}{hash_sign}{anchor}{link['close']}"

    def titled(link: re.Match[str]) -> str:
        return f"[{title(root / goal(link['target'], page, root))}{link['link']}"

    held: list[str] = []

    def hold(code: re.Match[str]) -> str:
        held.append(code[0])
        return f"\0{len(held) - 1}\0"

    # What stands in code is no link, but a link may have code for its words.
    text = FILE_NAME.sub(titled, CODE.sub(hold, prose))
    text = HTML.sub(turned, MARKDOWN.sub(turned, text))
    return re.sub(r"\0(\d+)\0", lambda mark: held[int(mark[1])], text)


def title(page: Path) -> str:
    """What a page calls itself: on the site a link says that, not the name of a file."""
    heading = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return heading[1] if heading else page.stem
