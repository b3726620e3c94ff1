"""The threads that make pages: each takes a whole request, and leaves a whole answer."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, cast

from a2wsgi import WSGIMiddleware
from a2wsgi.asgi_typing import HTTPScope, Receive, Scope, Send
from a2wsgi.wsgi import build_environ
from a2wsgi.wsgi_typing import WSGIApp

from .base.patience import patience
from .base.request_bodies import BodyReader, BodyRejected, ClientDisconnected, RequestBody, reject

THREADS = "WSGI"  # begins the name of each thread that makes pages, as those of a2wsgi


@dataclass(frozen=True)
class WholeAnswer:
    """A finished answer."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    async def send(self, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


class Threads(Protocol):
    """Threads that answer requests that are whole."""

    async def answer(self, scope: Scope, body: RequestBody, send: Send) -> None:
        """Answer one request."""

    def stop(self) -> None:
        """Take no more requests."""


class PageThreads:
    """Threads for pages. The event loop hands a request over once, and gets back the whole answer.

    A thread that passes on piece after piece waits for the event loop each time, which takes three times as
    long as this.
    """

    def __init__(self, pages: WSGIApp, threads: int) -> None:
        self.pages = pages
        self.executor = ThreadPoolExecutor(threads, f"{THREADS} page")

    async def answer(self, scope: Scope, body: RequestBody, send: Send) -> None:
        """Answer one request; a slow client keeps no thread."""
        environ = build_environ(cast("HTTPScope", scope), cast("Any", body.file))
        loop = asyncio.get_running_loop()
        made = await loop.run_in_executor(self.executor, make_answer, self.pages, environ)
        await made.send(send)

    def stop(self) -> None:
        """Take no more requests."""
        self.executor.shutdown(wait=False, cancel_futures=True)


class CopyThreads:
    """Threads for answers that may be larger than the memory: a thread waits for the client."""

    def __init__(self, pages: WSGIApp, threads: int, pieces: int) -> None:
        self.middleware = WSGIMiddleware(pages, workers=threads, send_queue_size=pieces)

    async def answer(self, scope: Scope, body: RequestBody, send: Send) -> None:
        """Answer one request, piece by piece."""
        await self.middleware(scope, body.receive, send)

    def stop(self) -> None:
        """Take no more requests."""
        self.middleware.executor.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True)
class WorkerPool:
    """The threads for pages of a kind, and how large the requests for them may be."""

    threads: Threads
    bodies: BodyReader

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a thread once the whole request is here, so that no thread ever waits for a client."""
        try:
            async with self.bodies.read(receive) as body:
                await self.threads.answer(scope, body, send)
        except ClientDisconnected:
            return
        except BodyRejected as rejection:
            asked = cast("HTTPScope", scope)
            await reject(send, rejection, asked["path"], tuple(asked["headers"]))


@patience()
def make_answer(pages: WSGIApp, environ: Any) -> WholeAnswer:
    """The whole answer of a WSGI application, which waits for no database that hangs."""
    head: list[tuple[int, tuple[tuple[bytes, bytes], ...]]] = []

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Any:
        head.append((int(status.split(" ", 1)[0]), tuple(_encode(*header) for header in headers)))

    pieces: Any = pages(environ, cast("Any", start))
    try:
        body = b"".join(pieces)
    finally:
        getattr(pieces, "close", lambda: None)()
    return WholeAnswer(*head[-1], body)


def _encode(name: str, value: str) -> tuple[bytes, bytes]:
    """A header as the server sends it."""
    return name.strip().lower().encode("latin-1"), value.strip().encode("latin-1")
