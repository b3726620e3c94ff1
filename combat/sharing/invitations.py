"""A link as it is shared: the addresses that others can open, and their QR codes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from ipaddress import ip_address

import segno
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from combat.models import ShareLink
from cosmos_site.base.outside import OUTSIDE, find_own_addresses, is_local

from .codes import find_code, spell
from .links import find_lasting_link, find_token
from .viewer_context import ViewerContext


@dataclass(frozen=True)
class Place:
    """An address that opens a link: whole and as a QR code; `site` is the part before a typed code."""

    address: str
    qr: SafeString
    site: str
    is_private: bool  # only machines in the same network reach it


@dataclass(frozen=True)
class Invitation:
    """A link and where it leads, the likeliest place first. Without places it cannot be shown.

    `only_here`: only this machine can open them. `code` is empty unless one works, `until` when it ends.
    """

    link: ShareLink
    places: tuple[Place, ...]
    only_here: bool
    code: str = ""
    until: datetime | None = None


def invite(request: HttpRequest, link: ShareLink) -> Invitation:
    """What the owner of a link is shown of it."""
    token = find_token(link)
    places, only_here = find_places(request, reverse("join", args=[token])) if token else ((), False)
    code = find_code(link) if token else None
    return Invitation(
        link, places, only_here, code=spell(code) if code else "", until=code.expires if code else None
    )


def invite_watchers(request: HttpRequest, context: ViewerContext) -> Place | None:
    """Where the players' link is opened, for spectators of a fight to come; None unless the GM wants that."""
    if context.encounter.phase != "prep" or not context.system.option(context.known_state, "screen_code"):
        return None
    link = find_lasting_link(context.encounter, ShareLink.PLAY)
    places, _ = find_places(request, reverse("join", args=[find_token(link)])) if link else ((), False)
    return places[0] if places else None


def find_places(request: HttpRequest, path: str) -> tuple[tuple[Place, ...], bool]:
    """Where others open an address of this site, the likeliest place first; whether only this machine can."""
    sites = find_sites(request)
    here = request.build_absolute_uri("/").rstrip("/")
    return tuple(_make_place(site, path) for site in sites or [here]), not sites


def _make_place(site: str, path: str) -> Place:
    address = site + path
    host, _ = split_domain_port(site.partition("://")[2])
    shown = site.removeprefix("http://") + settings.COSMOS_PATH
    return Place(address, draw_code(address), shown, is_private(host))


def is_private(host: str) -> bool:
    """Whether a host is an address that only its own network reaches."""
    try:
        return ip_address(host.strip("[]")).is_private
    except ValueError:
        return is_local(host) or host.endswith(".local")


def find_sites(request: HttpRequest) -> list[str]:
    """The addresses where others find this site: those open to the internet, then those in the network.

    In the network it is the reader's own, unless that is this very machine: then they are the machine's
    network addresses that the site answers to.
    """
    host, port = split_domain_port(request.get_host())
    here = request.build_absolute_uri("/").rstrip("/")
    if not is_local(host):
        return list(dict.fromkeys([*OUTSIDE.addresses, here]))
    own = [address for address in find_own_addresses() if validate_host(address, settings.ALLOWED_HOSTS)]
    near = [f"{request.scheme}://{address}{f':{port}' if port else ''}" for address in own]
    return [*OUTSIDE.addresses, *near]


@lru_cache(maxsize=64)  # an open page asks again every two seconds
def draw_code(address: str) -> SafeString:
    """A QR code as inline SVG without style attributes."""
    code = segno.make(address, error="m").svg_inline(
        svgclass="qr",
        lineclass=None,
        omitsize=True,
        light=None,  # the page's own background; a light path would also get a frame into the quiet zone
        dark="black",
        title="QR code of the link",
    )
    return mark_safe(code)  # noqa: S308 - segno made it from our own address
