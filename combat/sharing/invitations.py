"""A link as it is handed out: the addresses that others can open, and their QR codes."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from combat.models import ShareLink
from cosmos_site.base.addresses import find_own_addresses, is_local

from .links import find_token


@dataclass(frozen=True)
class Invitation:
    """A link and where it leads: `places` are whole addresses with their QR codes, the likeliest first.

    Without places it cannot be shown; `only_here` is whether none but this machine can open them.
    """

    link: ShareLink
    places: tuple[tuple[str, SafeString], ...]
    only_here: bool


def invite(request: HttpRequest, link: ShareLink) -> Invitation:
    """What its owner shows of a link."""
    token, sites = find_token(link), find_sites(request)
    here = request.build_absolute_uri("/").rstrip("/")
    addresses = [site + reverse("join", args=[token]) for site in sites or [here]] if token else []
    return Invitation(link, tuple((address, draw_code(address)) for address in addresses), not sites)


def find_sites(request: HttpRequest) -> list[str]:
    """Where others find this site: as its reader does, unless that is this very machine.

    Then it is each of the machine's addresses in its networks that the site answers to.
    """
    host, port = split_domain_port(request.get_host())
    if not is_local(host):
        return [request.build_absolute_uri("/").rstrip("/")]
    own = [address for address in find_own_addresses() if validate_host(address, settings.ALLOWED_HOSTS)]
    return [f"{request.scheme}://{address}{f':{port}' if port else ''}" for address in own]


def draw_code(address: str) -> SafeString:
    """A QR code as inline SVG without style attributes."""
    code = segno.make(address, error="m").svg_inline(
        svgclass="qr",
        lineclass=None,
        omitsize=True,
        light=None,  # the page's own; as a second path it would get a frame into the quiet zone
        dark="black",
        title="QR code of the link",
    )
    return mark_safe(code)  # noqa: S308 - made by segno out of our own address
