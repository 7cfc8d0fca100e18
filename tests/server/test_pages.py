"""The files of the browser client: routes, caching and compression."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.server.live_server import run_server

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
async def test_every_route_returns_the_client(tmp_path: Path, client: Path, path: str) -> None:
    async with run_server(tmp_path, client=client) as server:
        answer = await server.http.get(f"http://{server.address}{path}")
        assert answer.status_code == 200
        assert answer.text == PAGE
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-cache"
        assert (await server.http.head("/tables")).text == ""


@pytest.mark.parametrize(
    "path",
    ["/nothing.js", "/assets/gone-12345678.js", "/api", "/api/", "/api/nothing", "/api/x/y.json",
     "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/way-out.txt",
     "/assets/%00.js", "/" + "a" * 5000 + ".js"],
)  # fmt: skip
async def test_missing_files_are_refused_with_a_sentence(
    tmp_path: Path, client: Path, path: str
) -> None:
    async with run_server(tmp_path, client=client) as server:
        answer = await server.http.get(f"http://{server.address}{path}")
        assert answer.status_code == 404
        assert answer.json()["reason"]["english"] == "There is nothing at this address."


async def test_cache_headers(tmp_path: Path, client: Path) -> None:
    async with run_server(tmp_path, client=client) as server:
        script = await server.http.get("/assets/index-D6bYZ1XZ.js")
        assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert script.headers["Content-Type"].startswith("text/javascript")
        letters = await server.http.get("/assets/letters-DxX3B4s6.woff2")
        assert letters.headers["Content-Type"] == "font/woff2"
        assert "immutable" in letters.headers["Cache-Control"]
        art = await server.http.get("/art/kaiju.svg")
        assert art.headers["Cache-Control"] == "public, max-age=300"
        assert art.headers["Content-Type"].startswith("image/svg+xml")
        tag = {"If-None-Match": art.headers["ETag"]}
        again = await server.http.get("/art/kaiju.svg", headers=tag)
        assert (again.status_code, again.content) == (304, b"")
        (client / "art" / "kaiju.svg").write_text("<svg/>")
        again = await server.http.get("/art/kaiju.svg", headers=tag)
        assert (again.status_code, again.text) == (200, "<svg/>")
        assert (await server.http.post("/art/kaiju.svg")).status_code == 405


async def test_service_worker_and_manifest_are_revalidated(tmp_path: Path, client: Path) -> None:
    async with run_server(tmp_path, client=client) as server:
        worker = await server.http.get("/worker.js")
        assert worker.headers["Cache-Control"] == "no-cache"
        assert worker.headers["Content-Type"].startswith("text/javascript")
        manifest = await server.http.get("/manifest.webmanifest")
        assert manifest.headers["Cache-Control"] == "no-cache"
        assert manifest.headers["Content-Type"].startswith("application/manifest+json")


async def test_a_page_names_the_files_that_it_needs(tmp_path: Path, client: Path) -> None:
    async with run_server(tmp_path, client=client) as server:
        assert "Link" not in (await server.http.get("/tables")).headers
        script, style, font = "/assets/a-1.js", "/assets/b-2.css", "/assets/c-3.woff2"
        preloads = {"/": [script], "/tables": [script, style], "/table/*": [script, font]}
        (client / "preloads.json").write_text(json.dumps(preloads))
        module = f"<{script}>; rel=modulepreload"
        letters = f"<{font}>; rel=preload; as=font; type=font/woff2; crossorigin"
        for path, link in {
            "/": module,
            "/tables": f"{module}, <{style}>; rel=preload; as=style; crossorigin",
            "/table/a-B_9": f"{module}, {letters}",
        }.items():
            page = await server.http.get(path)
            assert page.headers["Link"] == link
            tag = {"If-None-Match": page.headers["ETag"]}
            assert (await server.http.get(path, headers=tag)).headers["Link"] == link
        for path in ("/nowhere", "/table/a/b", "/assets/index-D6bYZ1XZ.js"):
            assert "Link" not in (await server.http.get(path)).headers


async def test_only_texts_are_compressed(tmp_path: Path, client: Path) -> None:
    async with run_server(tmp_path, client=client) as server:
        for path in ("/", "/assets/index-D6bYZ1XZ.js", "/api/cards"):
            small = await server.http.get(path)
            assert small.headers["Content-Encoding"] == "gzip", path
            assert "Accept-Encoding" in small.headers["Vary"]
            whole = await server.http.get(path, headers={"Accept-Encoding": "identity"})
            assert "Content-Encoding" not in whole.headers
            assert whole.content == small.content
            assert int(small.headers["Content-Length"]) < len(whole.content) / 2
        letters = await server.http.get("/assets/letters-DxX3B4s6.woff2")
        assert "Content-Encoding" not in letters.headers
        assert letters.content == bytes(range(256)) * 8


async def test_compressed_copies_are_sent_to_browsers_that_accept_them(
    tmp_path: Path, client: Path
) -> None:
    (client / "assets" / "index-D6bYZ1XZ.js.br").write_bytes(b"compressed")

    async with run_server(tmp_path, client=client) as server:
        path = "/assets/index-D6bYZ1XZ.js"
        for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("br", "br")):
            headers = {"Accept-Encoding": accepted}
            async with server.http.stream("GET", path, headers=headers) as answer:
                assert answer.headers["Content-Encoding"] == encoding
                sent = b"".join([part async for part in answer.aiter_raw()])
                assert (sent == b"compressed") == (encoding == "br")


async def test_assets_have_no_document_headers(tmp_path: Path, client: Path) -> None:
    async with run_server(tmp_path, client=client) as server:
        for path in ("/assets/index-D6bYZ1XZ.js", "/art/kaiju.svg"):
            answer = await server.http.get(path)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert "Content-Security-Policy" not in answer.headers
        for path in ("/", "/worker.js"):
            answer = await server.http.get(path)
            assert "Content-Security-Policy" in answer.headers


async def test_a_page_explains_that_the_client_is_not_built(tmp_path: Path) -> None:
    async with run_server(tmp_path, client=tmp_path / "nowhere") as server:
        answer = await server.http.get("/tables")
        assert answer.status_code == 200
        assert "make client" in answer.text
