"""Threads wait for no client: half a body takes none, and a long answer is made as it is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from cosmos_site.base.request_bodies import BodyReader
from cosmos_site.serving import CopyThreads, PageThreads, Threads, WorkerPool
from tests.site.hosting.table import PATIENCE

SCOPE: Any = {
    "type": "http", "asgi": {}, "http_version": "1.1", "method": "POST", "scheme": "http", "path": "/",
    "query_string": b"", "root_path": "", "headers": [(b"content-length", b"3")],
    "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "extensions": {},
}  # fmt: skip
HALF = 30  # bodies that never come whole
PIECES = 4  # of an answer that may wait for the client
PIECE = bytes(100_000)


def make_pool(threads: Threads) -> WorkerPool:
    return WorkerPool(threads, BodyReader(1000, seconds=PATIENCE, at_once=2 * HALF, bytes_at_once=1_000_000))


def answer_body(environ: Any, start: Any) -> Iterable[bytes]:
    start("200 OK", [])
    return [b"a page about " + environ["wsgi.input"].read()]


async def send_whole() -> dict[str, Any]:
    return {"type": "http.request", "body": b"a=1", "more_body": False}


def test_one_thread_makes_pages_beside_many_half_bodies() -> None:
    async def ask() -> bytes:
        pool, got = make_pool(PageThreads(answer_body, 1)), bytearray()

        async def receive_half() -> Any:
            return await asyncio.get_running_loop().create_future()

        async def take(event: Any) -> None:
            got.extend(event.get("body", b""))

        silent = [asyncio.ensure_future(pool.answer(SCOPE, receive_half, take)) for _ in range(HALF)]
        await asyncio.sleep(0)
        await asyncio.wait_for(pool.answer(SCOPE, send_whole, take), PATIENCE)  # type: ignore[arg-type]
        for one in silent:
            one.cancel()
        await asyncio.gather(*silent, return_exceptions=True)
        pool.threads.stop()
        return bytes(got)

    assert asyncio.run(ask()) == b"a page about a=1"


def test_long_answer_is_made_no_faster_than_it_is_taken() -> None:
    made: list[int] = []

    def answer_at_length(_environ: Any, start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        for number in range(100):
            made.append(number)
            yield PIECE

    async def ask() -> tuple[int, int]:
        pool, opened, taken = make_pool(CopyThreads(answer_at_length, 1, PIECES)), asyncio.Event(), 0

        async def take(event: Any) -> None:
            nonlocal taken
            await opened.wait()
            taken += len(event.get("body", b""))

        answer = asyncio.ensure_future(pool.answer(SCOPE, send_whole, take))  # type: ignore[arg-type]
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(answer), 0.5)
        waiting = len(made)
        opened.set()
        await asyncio.wait_for(answer, PATIENCE)
        pool.threads.stop()
        return waiting, taken

    waiting, taken = asyncio.run(ask())
    assert 0 < waiting <= PIECES + 2
    assert taken == 100 * len(PIECE)
