"""Rewrite links to files of the project as links to pages of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from scripts.site.page_paths import page_path
from scripts.site.pages import page_exists, read_page

MARKDOWN = re.compile(r"(?P<open>\]\()(?P<target>[^)\s]+)(?P<close>\))")
HTML = re.compile(r'(?P<open>\b(?:href|src)=")(?P<target>[^"]+)(?P<close>")')
FILE_NAME = re.compile(r"\[(?P<words>[\w./-]+\.md)(?P<link>\]\((?P<target>[^)\s#]+))")
CODE = re.compile(r"(`+)(?:(?!\1|\n\n).)+\1", re.DOTALL)
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//|#")


class BrokenLink(Exception):
    """A link to a file that does not exist."""


def resolve_target(target: str, page: str, root: Path) -> str:
    """Return the file or folder of the project that a link on a page points to."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    if path.startswith("..") or not page_exists(path, root):
        raise BrokenLink(f"{page}: the link target {target} does not exist.")
    return path


def rewrite_links(prose: str, page: str, root: Path, found: Callable[[str], None]) -> str:
    """Rewrite the links in the text of a page; call ``found`` with every file that is linked."""
    here = posixpath.dirname(page_path(page))

    def rewrite(link: re.Match[str]) -> str:
        target, hash_sign, anchor = link["target"].partition("#")
        if EXTERNAL.match(link["target"]):
            return link[0]
        path = resolve_target(target, page, root)
        found(path)
        there = posixpath.relpath(page_path(path), here or ".")
        return f"{link['open']}{there}{hash_sign}{anchor}{link['close']}"

    def add_title(link: re.Match[str]) -> str:
        return f"[{page_title(resolve_target(link['target'], page, root), root)}{link['link']}"

    held: list[str] = []

    def hold(code: re.Match[str]) -> str:
        held.append(code[0])
        return f"\0{len(held) - 1}\0"

    # Code contains no links, but the text of a link may be code.
    text = FILE_NAME.sub(add_title, CODE.sub(hold, prose))
    text = HTML.sub(rewrite, MARKDOWN.sub(rewrite, text))
    return re.sub(r"\0(\d+)\0", lambda mark: held[int(mark[1])], text)


def page_title(path: str, root: Path) -> str:
    """Return the heading of a page, which links show instead of the file name."""
    heading = re.search(r"^# (.+)$", read_page(path, root), re.MULTILINE)
    return heading[1] if heading else posixpath.basename(path)
