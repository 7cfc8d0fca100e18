"""Addresses: database URLs without secrets, and client addresses for limits."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network
from urllib.parse import urlsplit


def group_address(address: str) -> str:
    """Return the key under which limits count a client: for IPv6, its whole /64 network."""
    try:
        known = IPv6Address(address)
    except ValueError:
        return address
    return str(known.ipv4_mapped or IPv6Network((int(known) >> 64 << 64, 64)))


def redact_url(url: str) -> str:
    """Return a URL without user name and password."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
    except ValueError:
        return f"{url.partition(':')[0]}://"
