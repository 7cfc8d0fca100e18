"""The files of the browser client: pages by address, what browsers may keep, what is compressed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.house import serving

PAGE = "<!doctype html><title>the client</title>" + " " * 2000
SCRIPT = "let nothing = 0;\n" * 500


@pytest.fixture
def client(tmp_path: Path) -> Path:
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "art").mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "assets" / "index-D6bYZ1XZ.js").write_text(SCRIPT)
    (folder / "assets" / "letters-DxX3B4s6.woff2").write_bytes(bytes(range(256)) * 8)
    (folder / "art" / "kaiju.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "worker.js").write_text(SCRIPT)
    (folder / "manifest.webmanifest").write_text('{"name": "the client"}')
    (tmp_path / "secret.txt").write_text("not for the world")
    (folder / "assets" / "way-out.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.mark.parametrize(
    "path",
    ["/", "/new", "/new/bots", "/tables", "/table/a-B_9", "/factions/Mr. Big", "/about",
     "/index.html", "/apis", "//evil.example/x", "/..%2f..%2fsecret"],
)  # fmt: skip
def test_every_page_is_the_client(tmp_path: Path, client: Path, path: str) -> None:
    async def visit() -> None:
        async with serving(tmp_path, client=client) as house:
            answer = await house.http.get(f"http://{house.address}{path}")
            assert answer.status_code == 200
            assert answer.text == PAGE
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
            assert answer.headers["Cache-Control"] == "no-cache"
            assert (await house.http.head("/tables")).text == ""

    asyncio.run(visit())


@pytest.mark.parametrize(
    "path",
    ["/nothing.js", "/assets/gone-12345678.js", "/api", "/api/", "/api/nothing", "/api/x/y.json",
     "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/way-out.txt",
     "/assets/%00.js", "/" + "a" * 5000 + ".js"],
)  # fmt: skip
def test_what_is_not_there_is_said_in_a_sentence(tmp_path: Path, client: Path, path: str) -> None:
    async def visit() -> None:
        async with serving(tmp_path, client=client) as house:
            answer = await house.http.get(f"http://{house.address}{path}")
            assert answer.status_code == 404
            assert answer.json()["reason"]["english"] == "There is nothing at this address."

    asyncio.run(visit())


def test_what_browsers_may_keep(tmp_path: Path, client: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, client=client) as house:
            script = await house.http.get("/assets/index-D6bYZ1XZ.js")
            assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert script.headers["Content-Type"].startswith("text/javascript")
            letters = await house.http.get("/assets/letters-DxX3B4s6.woff2")
            assert letters.headers["Content-Type"] == "font/woff2"
            assert "immutable" in letters.headers["Cache-Control"]
            art = await house.http.get("/art/kaiju.svg")
            assert art.headers["Cache-Control"] == "public, max-age=300"
            assert art.headers["Content-Type"].startswith("image/svg+xml")
            tag = {"If-None-Match": art.headers["ETag"]}
            again = await house.http.get("/art/kaiju.svg", headers=tag)
            assert (again.status_code, again.content) == (304, b"")
            (client / "art" / "kaiju.svg").write_text("<svg/>")
            anew = await house.http.get("/art/kaiju.svg", headers=tag)
            assert (anew.status_code, anew.text) == (200, "<svg/>")
            assert (await house.http.post("/art/kaiju.svg")).status_code == 405

    asyncio.run(visit())


def test_what_makes_it_an_app_is_asked_for_each_time(tmp_path: Path, client: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, client=client) as house:
            worker = await house.http.get("/worker.js")
            assert worker.headers["Cache-Control"] == "no-cache"
            assert worker.headers["Content-Type"].startswith("text/javascript")
            manifest = await house.http.get("/manifest.webmanifest")
            assert manifest.headers["Cache-Control"] == "no-cache"
            assert manifest.headers["Content-Type"].startswith("application/manifest+json")

    asyncio.run(visit())


def test_texts_are_compressed_and_nothing_else(tmp_path: Path, client: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, client=client) as house:
            for path in ("/", "/assets/index-D6bYZ1XZ.js", "/api/cards"):
                small = await house.http.get(path)
                assert small.headers["Content-Encoding"] == "gzip", path
                assert "Accept-Encoding" in small.headers["Vary"]
                whole = await house.http.get(path, headers={"Accept-Encoding": "identity"})
                assert "Content-Encoding" not in whole.headers
                assert whole.content == small.content
                assert int(small.headers["Content-Length"]) < len(whole.content) / 2
            letters = await house.http.get("/assets/letters-DxX3B4s6.woff2")
            assert "Content-Encoding" not in letters.headers
            assert letters.content == bytes(range(256)) * 8

    asyncio.run(visit())


def test_compressed_copies_are_sent_to_browsers_that_accept_them(
    tmp_path: Path, client: Path
) -> None:
    (client / "assets" / "index-D6bYZ1XZ.js.br").write_bytes(b"compressed")

    async def visit() -> None:
        async with serving(tmp_path, client=client) as house:
            path = "/assets/index-D6bYZ1XZ.js"
            for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("br", "br")):
                headers = {"Accept-Encoding": accepted}
                async with house.http.stream("GET", path, headers=headers) as answer:
                    assert answer.headers["Content-Encoding"] == encoding
                    sent = b"".join([part async for part in answer.aiter_raw()])
                    assert (sent == b"compressed") == (encoding == "br")

    asyncio.run(visit())


def test_assets_are_sent_without_the_headers_of_documents(tmp_path: Path, client: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, client=client) as house:
            for path in ("/assets/index-D6bYZ1XZ.js", "/art/kaiju.svg"):
                answer = await house.http.get(path)
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
                assert "Content-Security-Policy" not in answer.headers
            for path in ("/", "/worker.js"):
                answer = await house.http.get(path)
                assert "Content-Security-Policy" in answer.headers

    asyncio.run(visit())


def test_without_a_client_a_page_says_so(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, client=tmp_path / "nowhere") as house:
            answer = await house.http.get("/tables")
            assert answer.status_code == 200
            assert "make client" in answer.text

    asyncio.run(visit())
