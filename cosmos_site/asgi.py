"""The whole site as one ASGI application, for uvicorn.

Pages are answered by Django's WSGI handler in a fixed number of threads: measured, that costs half as much
per request as Django's own ASGI handler.
"""

import asyncio
import os
import sys
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from a2wsgi.asgi_typing import Receive, ReceiveEvent, Scope, Send
from a2wsgi.wsgi_typing import WSGIApp
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from combat import live

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cosmos_site.settings")


class Site:
    """Gives every connection to the part of the site that answers it."""

    def __init__(self, pages: WSGIMiddleware) -> None:
        self.pages = pages
        self.reading: set[asyncio.Task[Any] | None] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if scope["type"] == "lifespan":
            await self.follow_server(receive, send)
        elif scope["type"] == "http" and scope["path"].startswith("/live/"):
            await live.app(cast("dict[str, Any]", scope), receive, cast("live.Send", send))
        else:
            await self.pages(scope, self.refuse_half_bodies(receive), send)

    async def follow_server(self, receive: Receive, send: Send) -> None:
        """Start with the server, and give the threads back when it stops."""
        await receive()
        stopped = asyncio.Event()
        relay = asyncio.ensure_future(live.relay(stopped))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        stopped.set()
        relay.cancel()
        forecasting = sys.modules.get("combat.forecasting")
        if forecasting:
            forecasting.close()
        self.pages.executor.shutdown(wait=False, cancel_futures=True)
        await send({"type": "lifespan.shutdown.complete"})

    def refuse_half_bodies(self, receive: Receive) -> Receive:
        """Make a body that breaks off an error; otherwise the part that came would be taken for the whole."""

        async def receive_or_fail() -> ReceiveEvent:
            task = asyncio.current_task()
            self.reading.add(task)
            try:
                event = await receive()
            except asyncio.CancelledError:
                event = {"type": "http.disconnect"}
            finally:
                self.reading.discard(task)
            if event["type"] == "http.disconnect":
                raise ConnectionResetError("The request broke off while it was being read.")
            return event

        return receive_or_fail

    def stop_reading(self) -> None:
        """Wait for no more of any request that is only half here."""
        for task in filter(None, list(self.reading)):
            task.cancel()
        live.close()


pages = cast("WSGIApp", get_wsgi_application())
application = Site(WSGIMiddleware(pages, workers=settings.COSMOS_THREADS))
