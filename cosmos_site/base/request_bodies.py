"""Request bodies, read to the end before a thread is taken for them.

A slow or silent sender costs only an entry in a table here. Limits hold for the size of one body, for the
time it takes, and for the bodies kept at once: beyond the last, the sender who has been silent for longest
must start again.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO
from urllib.parse import urlsplit, urlunsplit

from a2wsgi.asgi_typing import Receive, ReceiveEvent, Send
from django.conf import settings
from django.template.loader import render_to_string

from .errors import is_for_programs, write_problem

MEMORY_BYTES = 65_536  # bytes of one body in memory; a longer one goes to an unnamed file
CHUNK_BYTES = 65_536  # bytes passed on at a time


class ClientDisconnected(Exception):
    """The client hung up before the end."""


class BodyRejected(Exception):
    """A body that is refused, with the status and sentence of the answer."""

    def __init__(self, status: int, message: str, *, hang_up: bool = True) -> None:
        super().__init__(message)
        self.status, self.message, self.hang_up = status, message, hang_up


@dataclass(eq=False)
class RequestBody:
    """The part of one request that has arrived."""

    deadline: asyncio.Timeout
    file: IO[bytes]
    size: int = 0
    too_large: bool = False
    complete: bool = False

    async def receive(self) -> ReceiveEvent:
        """The next piece, for the page that reads it."""
        piece = self.file.read(CHUNK_BYTES)
        return {"type": "http.request", "body": piece, "more_body": self.file.tell() < self.size}


class BodyReader:
    """All bodies that are being read, or kept until their pages are made."""

    def __init__(
        self, max_bytes: int, seconds: float, at_once: int, bytes_at_once: int, folder: str | None = None
    ) -> None:
        self.max_bytes, self.seconds, self.folder = max_bytes, seconds, folder
        self.at_once, self.bytes_at_once = at_once, bytes_at_once
        self.kept: dict[RequestBody, None] = {}  # the longest silent sender first

    @asynccontextmanager
    async def read(self, receive: Receive) -> AsyncIterator[RequestBody]:
        """The whole body, ready to be read; it is kept until the block ends.

        Raises ClientDisconnected, or BodyRejected with the answer.
        """
        with SpooledTemporaryFile(MEMORY_BYTES, dir=self.folder) as file:
            body = RequestBody(asyncio.timeout(self.seconds), file)
            try:
                await self._read(body, receive)
                body.file.seek(0)
                yield body
            finally:
                self.kept.pop(body, None)

    def stop(self) -> None:
        """Stop waiting for bodies that are only half here."""
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
        """Read to the end; drop the rest of a body that is too large."""
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
        """Put this sender last; if too much is kept, abort the longest silent one, or refuse this one."""
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


async def reject(send: Send, answer: BodyRejected, path: str, sent: Iterable[tuple[bytes, bytes]]) -> None:
    """Say in a sentence why the body was refused: to browsers on a page with a way back, to scripts as text.

    Programs get a problem at their addresses. `path` and the headers `sent` are those of the request.
    """
    kind, text = "text/plain; charset=utf-8", answer.message + "\n"
    if is_for_programs(path):
        code = "bad_value" if answer.status == 413 else "busy"
        kind, text = "application/json", write_problem(code, answer.message).decode()
    elif wants_page(sent):
        shown = {"message": answer.message, "back": find_back(sent)}
        kind, text = "text/html; charset=utf-8", render_to_string("body_rejected.html", shown)
    headers = [(b"content-type", kind.encode()), (b"cache-control", b"no-store")]
    headers += [(b"x-content-type-options", b"nosniff"), (b"content-security-policy", b"default-src 'self'")]
    headers += [(b"connection", b"close")] if answer.hang_up else []
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode(), "more_body": False})


def find_back(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The page of this site that the request came from; the home page if no header says."""
    sent = {name.lower(): value.decode("latin-1") for name, value in headers}
    home = f"{settings.COSMOS_PATH}/"
    try:
        page = urlsplit(sent.get(b"referer", ""))
    except ValueError:
        return home
    is_here = page.netloc == sent.get(b"host") and page.path.startswith(home) and page.path[1:2] != "/"
    return urlunsplit(("", "", page.path, page.query, "")) if is_here else home


def wants_page(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a browser asks for a whole page, rather than a script or program for data."""
    sent = {name.lower(): value for name, value in headers}
    return b"text/html" in sent.get(b"accept", b"") and b"hx-request" not in sent
