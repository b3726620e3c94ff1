"""The GM's decisions: which addresses outside the network are open."""

from __future__ import annotations

import argparse
import asyncio
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.core.management.base import CommandError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx
from cosmos_site.base.outside import OUTSIDE, Notice, OpenAddress, is_host_name, is_local, read_host
from cosmos_site.base.request_bodies import find_back

NOT_YOURS = "Only the GM who runs this table can open it to the internet or close it."
NOT_HERE = "This site's addresses are in its settings: see Help, Hosting."
DECISIONS: dict[str, Callable[[str], None]] = {
    "allow": OUTSIDE.allow,
    "ignore": OUTSIDE.close,
    "stop": OUTSIDE.close,
}
NO_CONTENT, SEE_OTHER = 204, 303
AT = "--at takes the address that players open, such as https://table.example: "
LOOPBACK = ["127.0.0.0/8", "::1", "::ffff:127.0.0.0/104"]
CHECK_SECONDS = 1  # until an open stream notices that its address was closed


def add_notice(request: HttpRequest) -> dict[str, Any]:
    """For templates: `outside`, what the GM has to know and decide; None for everyone else.

    It is found only where a template reads it, as parts of pages need no account.
    """
    return {"outside": partial(find_notice, request)}


def find_notice(request: HttpRequest) -> Notice | None:
    """The open addresses, and those that ask, for the GM of a table that `play` serves."""
    may_know = OUTSIDE.is_offered and is_gm(getattr(request, "user", AnonymousUser()))
    return OUTSIDE.look() if may_know else None


def is_gm(person: User | AnonymousUser) -> bool:
    """Whether they may run this table: open it, close it, answer for it."""
    return person.is_active and person.is_staff


@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: HttpRequest) -> HttpResponse:
    """Allow, ignore or stop an address by POST. By GET, the notice alone, or 204 if it has not changed."""
    if not OUTSIDE.is_offered:
        raise Http404(NOT_HERE)
    if not is_gm(request.user):
        raise PermissionDenied(NOT_YOURS)
    if request.method == "POST":
        return _decide(request)
    if not is_htmx(request):
        return redirect("help_page", "elsewhere")
    if request.GET.get("seen") == str(OUTSIDE.changes):
        return HttpResponse(status=NO_CONTENT)
    return render(request, "elsewhere/notice.html")


def _decide(request: HttpRequest) -> HttpResponse:
    """Back to the page with the notice; after a refusal, the notice with its reason."""
    try:
        decision = DECISIONS.get(request.POST.get("do", ""))
        if decision is None:
            raise Refused("unknown", "Choose Allow, Not mine or Stop.")
        decision(request.POST.get("host", ""))
    except Refused as refused:
        messages.warning(request, refused.message)
        return render(request, "elsewhere/refused.html", status=status_of(refused))
    sent = {b"host": request.get_host(), b"referer": request.META.get("HTTP_REFERER", "")}
    back = find_back((name, value.encode("latin-1")) for name, value in sent.items())
    answer = HttpResponseRedirect(back)
    answer.status_code = SEE_OTHER
    return answer


# What `play --at`, `--cert` and `--key` may say.


def read_at(typed: str) -> str:
    """The host of `--at https://NAME`, with its port if it has one; ArgumentTypeError in plain words."""
    try:
        parts = urlsplit(typed)
        name, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:  # UnicodeError too
        raise argparse.ArgumentTypeError(f"{AT}{typed} is none.") from None
    if parts.scheme != "https":
        raise argparse.ArgumentTypeError(f"{AT}{typed} does not begin with https://.")
    if not is_host_name(name) or parts.username is not None:
        raise argparse.ArgumentTypeError(f"{AT}{typed} names no host.")
    if is_local(name):
        raise argparse.ArgumentTypeError(f"{AT}{name} is always the visitor's own machine.")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(
            f"{AT}{typed} has more after the name. The table needs a name of its own."
        )
    return read_host(f"{name}:{port}" if port else name)


def read_certificate(cert: str, key: str) -> ssl.SSLContext | None:
    """How to serve https with these two files, None without them; CommandError in plain words."""
    if not cert and not key:
        return None
    if not cert or not key:
        raise CommandError("--cert FILE and --key FILE belong together: give both.")
    for path in (cert, key):
        _check_readable(path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key, password=_refuse_password)
    except ssl.SSLError as problem:
        raise CommandError(_explain(problem, cert, key)) from None
    return context


def keep_cookies_apart() -> None:
    """Name the cookies of a table with a certificate differently.

    Browsers let no http page replace a cookie set by https at the same host, whatever its port: a later table
    without a certificate could sign nobody in.
    """
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"


def _check_readable(path: str) -> None:
    try:
        with open(path, "rb"):  # noqa: PTH123 - as ssl opens it
            pass
    except OSError as problem:
        raise CommandError(f"{path} cannot be read: {problem.strerror}.") from None


def _refuse_password() -> str:
    """Asked only for an encrypted key: nobody may be there to type one."""
    raise CommandError(
        "The key is protected by a password. Give one without: openssl rsa -in KEY -out NEW_KEY"
    )


def _explain(problem: ssl.SSLError, cert: str, key: str) -> str:
    if problem.reason == "KEY_VALUES_MISMATCH":
        return f"{key} is not the key of the certificate {cert}."
    return f"{cert} must be a certificate and {key} its key, both as PEM text (-----BEGIN …)."


# Requests that reach the table through a proxy or tunnel with https. Only `play` puts this before the site.
# A hosted site lets uvicorn read the headers (`--forwarded-allow-ips`).


class ProxiedRequests:
    """Before the whole site: requests at an open address came by https, from the person behind the proxy.

    `X-Forwarded-For` and `X-Forwarded-Proto` count only there, and only from this machine. Elsewhere they
    change nothing, except that the GM is asked about an unknown name.
    """

    def __init__(self, site: Any) -> None:
        self.site = site
        self.proxied = ProxyHeadersMiddleware(site, LOOPBACK)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one connection."""
        place = OUTSIDE.find(find_header(scope, b"host"))
        if place:
            scope = {**scope, "scheme": "https"}  # unless the proxy says otherwise
            await self.proxied(scope, hang_up_when_closed(place, receive), send)  # type: ignore[arg-type]  # any scope
            return
        self.ask_about(scope)
        await self.site(scope, receive, send)

    def ask_about(self, scope: dict[str, Any]) -> None:
        """Ask the GM about the name of this request if it came through a tunnel on this machine."""
        is_https = find_header(scope, b"x-forwarded-proto").lower() == "https"
        if is_https and scope["client"] and scope["client"][0] in self.proxied.trusted_hosts:
            OUTSIDE.ask(find_header(scope, b"host"), scope["server"][1])


def find_header(scope: dict[str, Any], name: bytes) -> str:
    """The value of a request's header; empty if it has none, or is no request."""
    return next((value.decode("latin-1") for key, value in scope.get("headers", ()) if key == name), "")


def hang_up_when_closed(place: OpenAddress, receive: Any) -> Any:
    """Receive as before, but once the address is closed, say that the client is gone.

    So no live stream outlives the GM's decision. Requests that are still arriving are finished.
    """
    is_complete = False

    async def receive_while_open() -> Any:
        nonlocal is_complete
        if not is_complete:
            event = await receive()
            is_complete = not event.get("more_body", False)
            return event
        waiting = asyncio.ensure_future(receive())
        try:
            while OUTSIDE.opened.get(place.host) is place:
                done, _ = await asyncio.wait([waiting], timeout=CHECK_SECONDS)
                if done:
                    return waiting.result()
            return {"type": "http.disconnect"}
        finally:
            waiting.cancel()

    return receive_while_open
