"""Addresses of databases and of Redis, as they may be shown."""

from __future__ import annotations

from urllib.parse import urlsplit


def shown(url: str) -> str:
    """An address without who uses it and their password."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
    except ValueError:
        return f"{url.partition(':')[0]}://"
