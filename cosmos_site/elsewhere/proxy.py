"""Requests that reach the table through a proxy or tunnel with https.

Only `play` puts this before the site. A hosted site lets uvicorn read the headers (`--forwarded-allow-ips`).
"""

import asyncio
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from cosmos_site.base.outside import OUTSIDE, OpenAddress

LOOPBACK = ["127.0.0.0/8", "::1", "::ffff:127.0.0.0/104"]
CHECK_SECONDS = 1  # until an open stream notices that its address was closed


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
