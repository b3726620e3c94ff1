"""Where passkeys work: browsers keep them for a name, over https or on the visitor's own machine."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.http import HttpRequest

from cosmos_site.base.addresses import is_local


def find_passkey_obstacle(request: HttpRequest) -> str:
    """Why passkeys do not work at the address of this page, with what works; empty if they do."""
    place = urlsplit(f"//{request.get_host()}")
    name, port = place.hostname or "", f":{place.port}" if place.port else ""
    if not _is_number(name) and (request.is_secure() or is_local(name)):
        return ""
    return f"Passkeys need a name: open http://localhost{port} or your https address."


def _is_number(host: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(host))
    return False
