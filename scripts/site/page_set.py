"""All pages of the site, collected from the project.

Every page in docs/ is on the site, with the files it links to. mkdocs.yml has the navigation: pages
that it does not list come last, and listed pages that do not exist are left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.site.links import rewrite_links
from scripts.site.markdown import convert_markdown
from scripts.site.page_paths import REFERENCE, ROOT_PAGES, module_page, modules, page_path
from scripts.site.pages import GENERATORS, read_page
from scripts.site.reference import module_pages, reference_index
from scripts.site.sources import files_in, folder_page, license_page, source_page

ROOT = Path(__file__).resolve().parents[2]
ASSET_FOLDERS = ("docs/look",)
"""Style sheets, fonts and the logo."""
FRONT_MATTER = {"docs/index.md": "---\nhide: [navigation, toc, path]\n---\n\n"}
"""Front matter of pages, which only the generator needs."""
WITHOUT_README = {name: to for name, to in ROOT_PAGES.items() if name != "README.md"}


class PageSet:
    """The files of the site, by their path in its folder of pages."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.files: dict[str, bytes] = {}
        self._requested: list[str] = []
        self._known: set[str] = set()
        self._add_pages()
        self._add_reference()
        self._add_assets()
        while self._requested:
            self._add(self._requested.pop())

    def _request(self, path: str) -> None:
        if path not in self._known:
            self._known.add(path)
            self._requested.append(path)

    def _put(self, at: str, text: str) -> None:
        self.files[at] = text.encode()

    def _add_pages(self) -> None:
        found = [*self.root.glob("docs/*.md"), *(self.root / name for name in WITHOUT_README)]
        for file in sorted(file for file in found if file.exists()):
            self._request(file.relative_to(self.root).as_posix())
        if self.root == ROOT:
            for path in GENERATORS:
                self._request(path)

    def _add_reference(self) -> None:
        pages = module_pages(self.root)
        for at, text in pages.items():
            self._put(at, text)
        if pages:
            self._put("reference/index.md", reference_index(self.root))

    def _add_assets(self) -> None:
        for folder in ASSET_FOLDERS:
            for file in sorted((self.root / folder).rglob("*")):
                if file.is_file():
                    at = file.relative_to(self.root / "docs").as_posix()
                    self.files[at] = file.read_bytes()

    def _add(self, path: str) -> None:
        """Add a page, source, image or folder, and request everything it links to."""
        at = page_path(path)
        if path == "README.md" or path in modules():
            return  # shown by the landing page and the API reference
        if (self.root / path).is_dir():
            files = files_in(path, self.root)
            self._put(at, self._convert(folder_page(path, files, self.root), path))
        elif path == "LICENSE":
            self._put(at, license_page(self.root))
        elif path.endswith(".md"):
            self._put(at, self._convert(read_page(path, self.root), path))
        elif at.startswith("source/"):
            self._put(at, source_page(path, self.root))
        else:
            self.files[at] = (self.root / path).read_bytes()

    def _convert(self, text: str, path: str) -> str:
        text = FRONT_MATTER.get(path, "") + text
        return convert_markdown(
            text, lambda prose: rewrite_links(prose, path, self.root, self._request)
        )

    def write(self, folder: Path) -> None:
        """Write changed files only, so that a preview does not reload without need."""
        for at, content in self.files.items():
            file = folder / at
            if not file.exists() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        for file in [file for file in folder.rglob("*") if file.is_file()]:
            if file.relative_to(folder).as_posix() not in self.files:
                file.unlink()


Nav = list[Any]


def complete_nav(wanted: Nav, files: dict[str, bytes]) -> Nav:
    """Drop missing pages and empty sections from the navigation; append pages it does not list."""
    left = {at for at in files if at.endswith(".md") and not at.startswith("source/")}

    def keep(entry: Any) -> Any:
        if isinstance(entry, str):
            there = entry in left
            left.discard(entry)
            return entry if there else None
        if isinstance(entry, list):
            return [found for part in entry if (found := keep(part)) is not None] or None
        ((title, inside),) = entry.items()
        found = keep(reference_nav() if inside == "REFERENCE" else inside)
        return {title: found} if found else None

    nav: Nav = keep(wanted) or []
    return [*nav, {"More": sorted(left)}] if left else nav


def reference_nav() -> Nav:
    nav: Nav = ["reference/index.md"]
    for package, (title, names) in REFERENCE.items():
        nav.append({title: [{name: module_page(package, name)} for name in names]})
    return nav
