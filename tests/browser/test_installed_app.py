"""The client as an app: it can be installed, and starts offline."""

from __future__ import annotations

import struct
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.live_server import LiveServer
from tests.browser.tcp_proxy import TcpProxy


def test_it_can_be_installed(open_browser: OpenBrowser, server: LiveServer) -> None:
    visitor = open_browser()
    page = visitor.open("/about")
    link = page.locator("link[rel=manifest]").get_attribute("href")
    answer = httpx.get(f"{server.address}{link}")
    manifest: dict[str, Any] = answer.json()
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "/"
    sizes = {}
    for icon in manifest["icons"]:
        picture = httpx.get(server.address + icon["src"])
        assert picture.headers["Content-Type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            wide, high = struct.unpack(">II", picture.content[16:24])
            assert icon["sizes"] == f"{wide}x{high}"
            sizes[icon["purpose"], wide] = True
    assert {("any", 192), ("any", 512), ("maskable", 192), ("maskable", 512)} <= set(sizes)


@pytest.mark.browser_full
def test_it_starts_without_a_network_and_keeps_nothing_the_server_said(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    proxy = TcpProxy(server)
    visitor = open_browser(at=proxy.server, worker=True, lang="fr")
    page = visitor.open("/tables")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.reload()
    page.wait_for_load_state("networkidle")

    visitor.expect_errors("ERR_CONNECTION", "Failed to load resource", "ERR_FAILED")
    proxy.disconnect()
    page.goto(visitor.server.address + "/about")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(visitor.server.address + "/new/bots")
    expect(page.get_by_text("Vous êtes hors ligne")).to_be_visible()
    kept: list[str] = page.evaluate(
        """async () => {
            const names = await caches.keys();
            const kept = names.map(async (name) => (await caches.open(name)).keys());
            const all = await Promise.all(kept);
            return all.flat().map(({ url }) => new URL(url).pathname);
        }"""
    )
    assert "/" in kept
    assert [path for path in kept if path.startswith("/api")] == []
    asked = "fetch('/api/meta', { cache: 'no-store' }).then(() => 'answered', () => 'nothing')"
    assert page.evaluate(asked) == "nothing"

    proxy.reconnect()
    expect(page.get_by_text("Vous êtes hors ligne")).to_have_count(0)
    expect(page.get_by_text("Difficile", exact=True).first).to_be_visible()
