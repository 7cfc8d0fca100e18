"""The documentation site is correct: built strictly, every link works, it loads nothing
from other servers, and pages have the same content as on a code host."""

from __future__ import annotations

import doctest
import importlib
import json
import re
import shutil
from collections import Counter
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt

from scripts.site import build as site_build
from scripts.site.build import BUILD_DIR, BuildFailed
from scripts.site.links import BrokenLink, rewrite_links
from scripts.site.markdown import convert_markdown
from scripts.site.page_paths import modules, page_path
from scripts.site.page_set import PageSet, complete_nav
from tests.docs.code_blocks import PAGES, ROOT


@pytest.fixture(scope="module")
def site() -> Path:
    """Build the site, unless `make site` has built it."""
    site_build.build()
    return BUILD_DIR / "html"


# --- what is built --------------------------------------------------------------------------


TAG = re.compile(r"<(?!span)([a-z]\w*)((?:\s[^<>]*)?)>|(</article>)")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


class Page:
    """The links, anchors and elements of a built page. (The colored spans of sources are left
    out: a parser of all HTML takes ten times as long.)"""

    def __init__(self, file: Path) -> None:
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.elements: Counter[str] = Counter()
        """Those of the article, without what stands around it."""
        in_article = False
        for tag, attributes, closed in TAG.findall(file.read_text(encoding="utf-8")):
            self._note(
                tag, {name: unescape(value) for name, value in ATTRIBUTE.findall(attributes)}
            )
            in_article = not closed and (in_article or tag == "article")
            self.elements[tag] += in_article

    def _note(self, tag: str, found: dict[str, str]) -> None:
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif "src" in found:
            self.fetched.append(found["src"])
        elif tag == "link" and found.get("rel") not in ("canonical", "prev", "next"):
            self.fetched.append(found["href"])


@cache
def page(file: Path) -> Page:
    return Page(file)


def pages(site: Path) -> list[Path]:
    return sorted(file for file in site.rglob("*.html") if file.name != "404.html")


def has_anchor(file: Path, anchor: str) -> bool:
    return not anchor or anchor in page(file).anchors


def test_every_link_on_the_site_works(site: Path) -> None:
    lost = []
    for file in pages(site):
        for link in page(file).links + page(file).fetched:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            goal = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            goal = goal / "index.html" if goal.is_dir() else goal
            if not goal.exists():
                lost.append(f"{file.relative_to(site)}: {link}")
            elif goal.suffix == ".html" and not has_anchor(goal, unquote(parts.fragment)):
                lost.append(f"{file.relative_to(site)}: {link} (anchor)")
    assert not lost, "\n".join(lost[:20])


def test_nothing_is_loaded_from_other_servers(site: Path) -> None:
    for file in pages(site):
        foreign = [address for address in page(file).fetched if urlsplit(address).netloc]
        assert not foreign, f"{file.relative_to(site)}: {foreign}"
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"(?:url\(|@import)\s*[\"']?https?:", text), style.name


def test_every_page_of_the_project_is_on_the_site(site: Path) -> None:
    for source in PAGES:
        at = page_path(source.relative_to(ROOT).as_posix())
        assert (site / at).with_suffix(".html").exists(), source.name


def test_every_module_of_the_reference_is_there(site: Path) -> None:
    for file, at in modules().items():
        assert (ROOT / file).exists(), f"{file} is gone: scripts/site/page_paths.py still names it"
        shown = page((site / at).with_suffix(".html"))
        assert any(anchor.startswith("smashup.") for anchor in shown.anchors), f"{at} is empty"


@pytest.mark.parametrize(
    "source", [pytest.param(p, id=p.name) for p in PAGES if p != ROOT / "README.md"]
)
def test_pages_read_as_on_a_code_host(source: Path, site: Path) -> None:
    """The same headings, lists, tables, blocks and pictures."""
    text = source.read_text(encoding="utf-8")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inside = [child for token in tokens for child in [token, *(token.children or [])]]
    there = Counter(token.tag for token in inside if token.nesting != -1)
    built = page(
        (site / page_path(source.relative_to(ROOT).as_posix())).with_suffix(".html")
    ).elements
    for tag in ("h1", "h2", "h3", "table", "tr", "ul", "ol", "li", "blockquote"):
        assert built[tag] == there[tag], f"{source.name} has another number of <{tag}> on the site"
    blocks = sum(token.type in ("fence", "code_block") for token in inside)
    assert built["pre"] == blocks
    assert built["img"] == sum(token.type == "image" for token in inside)


@pytest.mark.parametrize(
    "file", [file for file in modules() if ">>>" in (ROOT / file).read_text("utf-8")]
)
def test_examples_of_the_reference_run(file: str) -> None:
    module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert tried.attempted
    assert not tried.failed


def test_the_search_knows_the_pages(site: Path) -> None:
    index = json.loads((site / "search.json").read_text(encoding="utf-8"))
    places = {item["location"].partition("#")[0] for item in index["items"]}
    assert {"your-faction.html", "reference/engine/game.html"} <= places
    assert not [at for at in places if at.startswith("source/")], "sources are not searched"


# --- strictness -----------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a project of one page, with the settings of this project."""
    (tmp_path / "docs").mkdir()
    shutil.copytree(ROOT / "docs/look", tmp_path / "docs/look")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path / "mkdocs.yml")
    (tmp_path / "docs/index.md").write_text("# One\n\n## Two\n\n[down](#two)\n", encoding="utf-8")
    return tmp_path


def test_a_sound_site_is_built_once(small: Path) -> None:
    work = small / "work"
    assert site_build.build(work, small)
    assert (work / "html/index.html").exists()
    assert not site_build.build(work, small)  # nothing has changed
    (small / "docs/later.md").write_text("# A page nobody has placed\n", encoding="utf-8")
    assert site_build.build(work, small)
    assert "A page nobody has placed" in (work / "html/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fault", "words"),
    [("[lost](#three)", "anchor"), ("::: smashup.nothing_here", "nothing_here")],
)
def test_faults_stop_the_build(fault: str, words: str, small: Path) -> None:
    with (small / "docs/index.md").open("a", encoding="utf-8") as page_file:
        page_file.write(f"\n{fault}\n")
    with pytest.raises(BuildFailed, match=words):
        site_build.build(small / "work", small)
    with pytest.raises(BuildFailed, match=words):  # a failed build does not count as up to date
        site_build.build(small / "work", small)


# --- links ----------------------------------------------------------------------------------


def turned(prose: str, source: str = "docs/bots.md") -> tuple[str, list[str]]:
    found: list[str] = []
    return rewrite_links(prose, source, ROOT, found.append), found


@pytest.mark.parametrize(
    ("source", "written", "wanted"),
    [
        ("docs/bots.md", "[x](ladder.md#two-players)", "[x](ladder.md#two-players)"),
        ("docs/bots.md", "[x](../CHANGELOG.md)", "[x](changelog.md)"),
        ("docs/bots.md", "[x](../README.md)", "[x](index.md)"),
        (
            "docs/bots.md",
            "[`S`](../smashup/bots/information_set.py)",
            "[`S`](reference/bots/information_set.md)",
        ),
        ("docs/bots.md", "[x](../scripts/npm)", "[x](source/scripts/npm.md)"),
        ("docs/bots.md", "[x](../smashup/engine/views)", "[x](source/smashup/engine/views.md)"),
        ("docs/bots.md", "![x](table.png)", "![x](table.png)"),
        ("README.md", "![x](docs/table.png)", "![x](table.png)"),
        ("CONTRIBUTING.md", '<a href="docs/bots.md">x</a>', '<a href="bots.md">x</a>'),
        ("docs/bots.md", "[x](https://osv.dev/a.md)", "[x](https://osv.dev/a.md)"),
        ("docs/bots.md", "[x](#mcts)", "[x](#mcts)"),
        ("docs/bots.md", "`[x](gone.md)`", "`[x](gone.md)`"),
        ("docs/bots.md", "[ladder.md](ladder.md)", "[Bot ladder](ladder.md)"),
        ("docs/bots.md", "[NOTICE.md](../NOTICE.md)", "[Notice](notice.md)"),
    ],
)  # fmt: skip
def test_links_are_converted(source: str, written: str, wanted: str) -> None:
    assert turned(written, source)[0] == wanted


def test_what_is_linked_is_gathered() -> None:
    assert turned("[a](../tests/rulings/kaiju.yaml) ![b](table.png)")[1] == [
        "tests/rulings/kaiju.yaml",
        "docs/table.png",
    ]
    files = PageSet().files
    assert b"KJ-01" in files["source/tests/rulings/kaiju.yaml.md"]
    assert files["table.png"] == (ROOT / "docs/table.png").read_bytes()


@pytest.mark.parametrize("link", ["nowhere.md", "../../elsewhere.md", "../docs/nowhere.png"])
def test_broken_links_are_reported(link: str) -> None:
    with pytest.raises(BrokenLink, match=r"docs/bots\.md"):
        turned(f"[x]({link})")


# --- dialect and navigation -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("```yaml scenario\na: 1\n```", "```yaml\na: 1\n```"),
        ("```python\n>>> 1\n1\n```", "```pycon\n>>> 1\n1\n```"),
        ("```python\nx = 1\n```", "```python\nx = 1\n```"),
        ("- a\n  - b\n  c", "- a\n    - b\n    c"),
        ("1. a\n   - b", "1. a\n    - b"),
        ("some\n- a", "some\n\n- a"),
        ("- a\n\n  more\n- b", "- a\n\n    more\n\n- b"),
        ("- [ ] a\n- [x] b", "- ☐ a\n- ☑ b"),
        ("- a\n\nplain\n  kept", "- a\n\nplain\n  kept"),
        ("```text\n- a\n  - b\n```", "```text\n- a\n  - b\n```"),
    ],
)
def test_the_dialect_is_converted(written: str, wanted: str) -> None:
    assert convert_markdown(written, lambda prose: prose) == wanted + "\n"


def test_navigation_has_all_pages() -> None:
    wanted = [
        {"Home": "index.md"},
        {"A": ["a.md", "gone.md"]},
        {"B": "gone.md"},
        {"C": ["gone.md"]},
    ]
    files = {"index.md": b"", "a.md": b"", "new.md": b"", "source/x.md": b"", "a.png": b""}
    assert complete_nav(wanted, files) == [
        {"Home": "index.md"},
        {"A": ["a.md"]},
        {"More": ["new.md"]},
    ]
