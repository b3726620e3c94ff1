"""What every answer gets: the headers that tell browsers what they may keep and do, and what https changes.

And the log of requests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus

import structlog
from allauth.core.internal.httpkit import clean_client_ip
from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django_structlog.middlewares import RequestMiddleware

from combat.backups.handover import is_press, restarter
from cosmos_site.base.errors import refuse_for_restore
from cosmos_site.base.outside import OUTSIDE

# Of a device, pages use only passkeys, the clipboard (to copy links) and the screen (to keep it on).
OURS = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock")
DENIED = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "clipboard-read",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "picture-in-picture",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
PERMISSIONS = ", ".join([*(f"{name}=(self)" for name in OURS), *(f"{name}=()" for name in DENIED)])
TEMPORARY_REDIRECT = 307  # with the same method and body
PRESS = re.compile(r"[a-z0-9-]{16,64}")
ASKED = HTTPStatus.ACCEPTED  # the press that restores a copy, which alone is answered so


class PageHeaders:
    """Middleware: no browser or proxy keeps our answers, unless the answer says otherwise; cookies are ours.

    Nearly every page holds a secret of the fight, of a person, or of a form. Browsers do not keep such pages
    for going back either, so after signing out there is nothing to see. Static files do not pass here; what
    may be kept says so itself, such as a picture whose address is its digest. Cookies are sent to this site,
    not to others of its host.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the headers to any answer."""
        answer = self.get_response(request)
        answer.setdefault("Cache-Control", "no-store")
        if "HX-Reswap" not in answer:  # htmx asks for parts, which are never a page of their own
            answer["Permissions-Policy"] = PERMISSIONS
        for cookie in answer.cookies.values():
            cookie["path"] = settings.COSMOS_PATH or "/"
        return answer


class ClosedForRestore:
    """Middleware: nothing is written from the press that restores a copy until the table is back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse what would be lost with 503, also what was under way at the press: it is not confirmed."""
        if request.method in ("GET", "HEAD"):
            return self.get_response(request)
        if self.is_closed():
            return refuse_for_restore(request)
        answer = self.get_response(request)
        if not is_press(request.method, request.path_info):
            restarter.wait_for_press()
        is_lost = self.is_closed() and answer.status_code != ASKED
        return refuse_for_restore(request) if is_lost else answer

    def is_closed(self) -> bool:
        """Whether a copy is about to be restored; it may begin during a request."""
        return restarter.closed


class OncePerPress:
    """Middleware: what a page sends again, since no answer came, is done once, also if it had arrived.

    Pages name each press. What was refused or failed may be sent again; what was done, or is being done,
    makes the page load again, which shows it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, unless a press of this name by this browser has been heard."""
        name = request.headers.get("X-Press", "")
        if request.method in ("GET", "HEAD") or not PRESS.fullmatch(name):
            return self.get_response(request)
        browser = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        key = sha256(f"{browser} {name}".encode()).hexdigest()
        presses = caches["presses"]
        if not presses.add(key, value=True):
            return HttpResponse(headers={"HX-Refresh": "true"})
        answer = self.get_response(request)
        if answer.status_code >= HTTPStatus.BAD_REQUEST:
            presses.delete(key)
        return answer


class SecureAnswers:
    """Middleware: cookies set by https are never sent by http; an open name is never used by http.

    The same table may be open by http in the network and by https elsewhere: no setting can say it for all.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and mark the cookies."""
        if not request.is_secure():
            place = OUTSIDE.find_by_name(request.META.get("HTTP_HOST", ""))
            return redirect_to(place.address, request) if place else self.get_response(request)
        answer = self.get_response(request)
        answer.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        for cookie in answer.cookies.values():
            cookie["secure"] = True
        return answer


def redirect_to(address: str, request: HttpRequest) -> HttpResponse:
    """The same page by https."""
    answer = HttpResponseRedirect(address + request.get_full_path())
    answer.status_code = TEMPORARY_REDIRECT
    return answer


class RequestLog(RequestMiddleware):
    """Log each request with the address that limits sign-in attempts too: as allauth reads it.

    It is the address of the connection. A proxy's `X-Forwarded-For` has replaced it only where the server
    trusts the proxy: one on this machine under `play`, those of `--forwarded-allow-ips` on a hosted site.
    """

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """Note the address for all lines of this request."""
        structlog.contextvars.bind_contextvars(ip=clean_client_ip(request.META.get("REMOTE_ADDR", "")))
