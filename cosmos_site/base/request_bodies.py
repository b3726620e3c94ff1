"""What people send, read to its end before a thread is taken for it.

Whoever sends slowly, or falls silent, costs an entry in a table here and nothing else. There is a limit to
what one may send, to how long that may take, and to how much is kept at once: beyond it, whoever has been
silent for longest has to begin again.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO
from urllib.parse import urlsplit, urlunsplit

from a2wsgi.asgi_typing import Receive, ReceiveEvent, Send
from django.template.loader import render_to_string

MEMORY_BYTES = 65_536  # bytes of one body; what is longer lies in a file without a name
CHUNK_BYTES = 65_536  # bytes passed on at a time


class ClientDisconnected(Exception):
    """The other end hung up in the middle."""


class BodyRejected(Exception):
    """A body that is not taken in: the status and the sentence to answer with."""

    def __init__(self, status: int, message: str, *, hang_up: bool = True) -> None:
        super().__init__(message)
        self.status, self.message, self.hang_up = status, message, hang_up


@dataclass(eq=False)
class RequestBody:
    """What has come of one request."""

    deadline: asyncio.Timeout
    file: IO[bytes] = field(default_factory=partial(SpooledTemporaryFile, MEMORY_BYTES))
    size: int = 0
    too_large: bool = False
    complete: bool = False

    async def receive(self) -> ReceiveEvent:
        """The next piece, for the page that reads it."""
        piece = self.file.read(CHUNK_BYTES)
        return {"type": "http.request", "body": piece, "more_body": self.file.tell() < self.size}


class BodyReader:
    """All bodies that are being read, or kept until their pages are made."""

    def __init__(self, max_bytes: int, seconds: float, at_once: int, bytes_at_once: int) -> None:
        self.max_bytes, self.seconds = max_bytes, seconds
        self.at_once, self.bytes_at_once = at_once, bytes_at_once
        self.kept: dict[RequestBody, None] = {}  # whoever has been silent for longest stands first

    @asynccontextmanager
    async def read(self, receive: Receive) -> AsyncIterator[Receive]:
        """The whole body, to be received anew; it is kept until the block ends.

        Raises ClientDisconnected, or BodyRejected with what to answer.
        """
        body = RequestBody(asyncio.timeout(self.seconds))
        try:
            await self._read(body, receive)
            body.file.seek(0)
            yield body.receive
        finally:
            self.kept.pop(body, None)
            body.file.close()

    def stop(self) -> None:
        """Wait for no more of any body that is only half here."""
        for body in list(self.kept):
            if not body.complete:
                self._abort(body)

    async def _read(self, body: RequestBody, receive: Receive) -> None:
        try:
            async with body.deadline:
                await self._fill(body, receive)
        except TimeoutError:
            if not body.too_large:
                message = "The upload took too long. Nothing was changed: try again."
                raise BodyRejected(408, message) from None
        except OSError:
            raise BodyRejected(503, "The server has no space for that. Nothing was changed.") from None
        if body.too_large:
            limit = f"{self.max_bytes / 1_000_000:.1f} MB"
            message = f"Too large: send at most {limit} at a time. Nothing was changed."
            raise BodyRejected(413, message, hang_up=not body.complete)

    async def _fill(self, body: RequestBody, receive: Receive) -> None:
        """Take in what comes, up to the end; of what is too large the rest is thrown away."""
        self.kept[body] = None
        while not body.complete:
            event = await receive()
            if event["type"] != "http.request":
                raise ClientDisconnected
            piece = event.get("body", b"")
            body.complete = not event.get("more_body", False)
            body.too_large |= body.size + len(piece) > self.max_bytes
            if body.too_large:
                self._empty(body)
            else:
                body.file.write(piece)
                body.size += len(piece)
            self._make_room(body)

    def _empty(self, body: RequestBody) -> None:
        body.file.seek(0)
        body.file.truncate()
        body.size = 0

    def _make_room(self, body: RequestBody) -> None:
        """Put who was just heard of last, and make room if there is too much; what is empty needs none."""
        self.kept.pop(body, None)
        if body.size or not body.complete:
            self.kept[body] = None
        while len(self.kept) > self.at_once or sum(each.size for each in self.kept) > self.bytes_at_once:
            silent = next((each for each in self.kept if not each.complete), None)
            if silent is None or silent is body:
                self.kept.pop(body, None)
                raise BodyRejected(503, "Too many uploads at once: try again in a moment.")
            self._abort(silent)

    def _abort(self, body: RequestBody) -> None:
        self.kept.pop(body, None)
        if not body.deadline.expired():
            body.deadline.reschedule(-math.inf)


async def reject(send: Send, answer: BodyRejected, sent: Iterable[tuple[bytes, bytes]]) -> None:
    """Say in a sentence why nothing was taken in: browsers get a page with a way back, programs bare text.

    `sent` are the headers of the request.
    """
    kind, text = "plain", answer.message + "\n"
    if wants_page(sent):
        shown = {"message": answer.message, "back": find_back(sent)}
        kind, text = "html", render_to_string("body_rejected.html", shown)
    headers = [(b"content-type", f"text/{kind}; charset=utf-8".encode()), (b"cache-control", b"no-store")]
    headers += [(b"x-content-type-options", b"nosniff"), (b"content-security-policy", b"default-src 'self'")]
    headers += [(b"connection", b"close")] if answer.hang_up else []
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode(), "more_body": False})


def find_back(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The page of this site from which something was sent; the home page where no header tells."""
    sent = {name.lower(): value.decode("latin-1") for name, value in headers}
    try:
        page = urlsplit(sent.get(b"referer", ""))
    except ValueError:
        return "/"
    is_here = page.netloc == sent.get(b"host") and page.path[:1] == "/" != page.path[1:2]
    return urlunsplit(("", "", page.path, page.query, "")) if is_here else "/"


def wants_page(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a browser asks for a whole page, not a script or a program for its own use."""
    sent = {name.lower(): value for name, value in headers}
    return b"text/html" in sent.get(b"accept", b"") and b"hx-request" not in sent
