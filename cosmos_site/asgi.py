"""The whole site as one ASGI application, for uvicorn.

Pages are answered by Django's WSGI handler in a fixed number of threads: measured, that costs half as much
per request as Django's own ASGI handler.
"""

import asyncio
import gc
import os
import sys
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from a2wsgi.asgi_typing import HTTPScope, Receive, Scope, Send
from a2wsgi.wsgi_typing import WSGIApp
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from combat.live import hub

from .base.request_bodies import BodyReader, BodyRejected, ClientDisconnected, reject

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cosmos_site.settings")


class Site:
    """Gives every connection to the part of the site that answers it."""

    def __init__(
        self, pages: WSGIMiddleware, bodies: BodyReader, stream: Any, stream_to_program: Any
    ) -> None:
        self.pages, self.bodies = pages, bodies
        self.stream, self.stream_to_program = stream, stream_to_program

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if scope["type"] == "lifespan":
            await self.run_lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"].startswith("/live/"):
            await self.stream(scope, receive, send)
        elif scope["type"] == "http" and hub.EVENTS_ADDRESS.fullmatch(scope["path"]):
            await self.stream_to_program(scope, receive, send)
        else:
            await self.answer_page(scope, receive, send)

    async def run_lifespan(self, receive: Receive, send: Send) -> None:
        """Start with the server, and give the threads back when it stops."""
        await receive()
        stopped = asyncio.Event()
        relay = asyncio.ensure_future(hub.relay(stopped))
        gc.collect()
        gc.freeze()  # what is here stays: to look through it for garbage would take 0.1 s now and then
        await send({"type": "lifespan.startup.complete"})
        await receive()
        stopped.set()
        relay.cancel()
        forecast_jobs = sys.modules.get("combat.play.forecast_jobs")  # nothing to stop before it was used
        if forecast_jobs:
            forecast_jobs.stop()
        self.pages.executor.shutdown(wait=False, cancel_futures=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def answer_page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a thread for it as soon as all that was sent is here; none ever waits for the other end."""
        try:
            async with self.bodies.read(receive) as receive_again:
                await self.pages(scope, receive_again, send)
        except ClientDisconnected:
            return
        except BodyRejected as rejection:
            await reject(send, rejection, tuple(cast("HTTPScope", scope)["headers"]))

    def stop_reading(self) -> None:
        """Wait for no more of any request that is only half here."""
        self.bodies.stop()
        hub.close()


pages = cast("WSGIApp", get_wsgi_application())

from combat.views.stream import stream, stream_to_program  # noqa: E402 - models need the apps

application = Site(
    # A queue without a limit: a thread leaves its answer there, however slowly it is read.
    WSGIMiddleware(pages, workers=settings.COSMOS_THREADS, send_queue_size=0),
    BodyReader(
        settings.COSMOS_BODY_BYTES,
        settings.COSMOS_BODY_SECONDS,
        settings.COSMOS_BODIES_AT_ONCE,
        settings.COSMOS_BODY_BYTES_AT_ONCE,
    ),
    stream,
    stream_to_program,
)
