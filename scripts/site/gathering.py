"""All pages of the site, gathered from the project: nothing is written by hand for the site alone.

Pages are found, not listed: whatever lies in docs/ is on the site, with the files it links to. The
navigation of mkdocs.yml says where; a page it does not know stands at its end, and one that it
names but that does not exist (yet) is left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.site.dialect import site_markdown
from scripts.site.links import relinked
from scripts.site.places import REFERENCE, ROOT_PAGES, module_page, modules, place
from scripts.site.reference import module_pages, reference_index
from scripts.site.sources import files_in, folder_page, license_page, source_page

ROOT = Path(__file__).resolve().parents[2]
LOOK = ("docs/look",)
"""What makes the site look as it does: style, letters, sign."""
FRONT = {"docs/index.md": "---\nhide: [navigation, toc, path]\n---\n\n"}
"""What the generator must know of a page, and readers elsewhere need not see."""
WITHOUT_README = {name: to for name, to in ROOT_PAGES.items() if name != "README.md"}


class Gathering:
    """The files of the site, by their place under its folder of pages."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.files: dict[str, bytes] = {}
        self._wanted: list[str] = []
        self._known: set[str] = set()
        self._pages()
        self._reference()
        self._look()
        while self._wanted:
            self._add(self._wanted.pop())

    def _want(self, path: str) -> None:
        if path not in self._known:
            self._known.add(path)
            self._wanted.append(path)

    def _put(self, at: str, text: str) -> None:
        self.files[at] = text.encode()

    def _pages(self) -> None:
        found = [*self.root.glob("docs/*.md"), *(self.root / name for name in WITHOUT_README)]
        for file in sorted(file for file in found if file.exists()):
            self._want(file.relative_to(self.root).as_posix())

    def _reference(self) -> None:
        pages = module_pages(self.root)
        for at, text in pages.items():
            self._put(at, text)
        if pages:
            self._put("reference/index.md", reference_index(self.root))

    def _look(self) -> None:
        for folder in LOOK:
            for file in sorted((self.root / folder).rglob("*")):
                if file.is_file():
                    at = file.relative_to(self.root / "docs").as_posix()
                    self.files[at] = file.read_bytes()

    def _add(self, path: str) -> None:
        """A page, a source, a picture or a folder, and later all that it leads to."""
        at = place(path)
        if path == "README.md" or path in modules():
            return  # the landing page and the reference stand for them
        if (self.root / path).is_dir():
            files = files_in(path, self.root)
            self._put(at, self._turned(folder_page(path, files, self.root), path))
        elif path == "LICENSE":
            self._put(at, license_page(self.root))
        elif path.endswith(".md"):
            self._put(at, self._turned((self.root / path).read_text(encoding="utf-8"), path))
        elif at.startswith("source/"):
            self._put(at, source_page(path, self.root))
        else:
            self.files[at] = (self.root / path).read_bytes()

    def _turned(self, text: str, path: str) -> str:
        text = FRONT.get(path, "") + text
        return site_markdown(text, lambda prose: relinked(prose, path, self.root, self._want))

    def write(self, folder: Path) -> None:
        """Only what has changed is written, so that a site that is being served does not blink."""
        for at, content in self.files.items():
            file = folder / at
            if not file.exists() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        for file in [file for file in folder.rglob("*") if file.is_file()]:
            if file.relative_to(folder).as_posix() not in self.files:
                file.unlink()


Nav = list[Any]


def nav_of(wanted: Nav, files: dict[str, bytes]) -> Nav:
    """The navigation with what there is: pages that do not exist are left out, with their sections
    where nothing is left; pages that nobody has placed follow under a title of their own."""
    left = {at for at in files if at.endswith(".md") and not at.startswith("source/")}

    def kept(entry: Any) -> Any:
        if isinstance(entry, str):
            there = entry in left
            left.discard(entry)
            return entry if there else None
        if isinstance(entry, list):
            return [found for part in entry if (found := kept(part)) is not None] or None
        ((title, inside),) = entry.items()
        found = kept(reference_nav() if inside == "REFERENCE" else inside)
        return {title: found} if found else None

    nav: Nav = kept(wanted) or []
    return [*nav, {"More": sorted(left)}] if left else nav


def reference_nav() -> Nav:
    nav: Nav = ["reference/index.md"]
    for package, (title, names) in REFERENCE.items():
        nav.append({title: [{name: module_page(package, name)} for name in names]})
    return nav
