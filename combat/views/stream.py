"""The live stream of a table: server-sent events over raw ASGI."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from asgiref.sync import sync_to_async

from combat.live import hub
from combat.live.batch import Batch
from combat.live.hub import Listener, StreamGrant
from combat.sharing.access import admit_stream, read_stamps, touch_presence
from combat.sharing.links import admit_program

logger = structlog.get_logger(__name__)

PINGS_PER_VISIT = 8  # so often an open page says that its person is still here
BEAT_SECONDS = 1  # a page that hears nothing for longer says that its connection is lost
THREADS = 3  # that ask the database for streams, in each worker
RETRY_MS = 1000  # how soon a browser comes back after its connection broke
MAX_PAGES = 100  # streams of one seat in each worker: who opens more takes the connections of others
MAX_PROGRAMS = 20  # streams of other programs by one link, in each worker
Send = Callable[[dict[str, Any]], Awaitable[None]]
_threads = ThreadPoolExecutor(THREADS, "streams")
Headers = Sequence[tuple[bytes, bytes]]
OPEN_TO_ALL = ((b"access-control-allow-origin", b"*"),)  # the token is the right to read it
HELLO = 'event: hello\ndata: {"format": "cosmos-table-events", "version": 1}\n\n'
NOT_OPEN = "This is no link for spectators that is valid now: ask the GM for one."


async def stream(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Answer one stream: /live/<encounter>/.

    404 for whom there is none, 429 for who has too many, 503 while nobody can tell.
    """
    try:
        who = await in_thread(admit_stream)(scope)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the page asks again
        logger.error("a stream could not begin", problem=repr(problem))
        await _refuse(send, 503, "The database does not answer: try again soon.")
        return
    if who is None:
        await _refuse(send, 404, "Encounter not found, or not shared with you.")
    elif hub.count_streams(who) >= MAX_PAGES:
        await _refuse(send, 429, f"You have this encounter open {MAX_PAGES} times: close some pages.")
    else:
        await _serve(who, receive, send)


async def stream_to_program(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """The same for other programs: /api/v1/<token>/events/, by a spectator link alone. No cookie counts.

    Each change has the ETag of the state as its id: who comes back with it is told only what came since.
    """
    address = hub.EVENTS_ADDRESS.fullmatch(scope["path"])
    if scope["method"] != "GET" or address is None:
        await _refuse(send, 405, "Read this address by GET.", OPEN_TO_ALL)
        return
    try:
        who = await in_thread(admit_program)(address[1])
    except Exception as problem:  # noqa: BLE001 - whatever it is, the program asks again
        logger.error("a stream could not begin", problem=repr(problem))
        await _refuse(send, 503, "The database does not answer: try again soon.", OPEN_TO_ALL)
        return
    if who is None:
        await _refuse(send, 404, NOT_OPEN, OPEN_TO_ALL)
    elif hub.count_streams(who) >= MAX_PROGRAMS:
        await _refuse(
            send, 429, f"At most {MAX_PROGRAMS} programs listen by one link: close one.", OPEN_TO_ALL
        )
    else:
        known = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
        await _serve(who, receive, send, OPEN_TO_ALL, HELLO, known)


async def _serve(
    who: StreamGrant, receive: Any, send: Send, more: Headers = (), hello: str = "", known: str = ""
) -> None:
    """Answer whoever was let in, from here to the end of the stream."""
    headers = [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
        *more,
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    listener = Listener(who, asyncio.get_running_loop(), _stamps.ask)
    hub.add(listener)
    gone = asyncio.ensure_future(_wait_for_disconnect(receive))
    try:
        await _write(send, f"retry: {RETRY_MS}\n\n{hello}")
        await _check_again(listener)  # only now: nothing told meanwhile is lost
        await _follow(listener, gone, send, known)
    finally:
        gone.cancel()
        hub.remove(listener)


async def _follow(listener: Listener, gone: asyncio.Future[None], send: Send, told: str) -> None:
    """Write what the listener is told until the page is gone or the stream has to end.

    `told` is the stamp that it knows already.
    """
    pings = 0
    while not gone.done():
        await _wait_for(listener.wakeup, gone, min(listener.seconds_to_wait(), BEAT_SECONDS))
        if listener.is_over:
            listener.notify(end_reason=hub.ENDED)
        if not listener.end_reason and not gone.done() and listener.next_check <= time.monotonic():
            pings += 1
            await _write(send, ": ping\n\n")
            await _check_again(listener, pings % PINGS_PER_VISIT == 0)
        if listener.end_reason:
            await _write(send, f"event: {listener.end_reason}\ndata: {listener.end_reason}\n\n")
            break
        listener.wakeup.clear()
        points, listener.points = listener.points, []
        for point in points:
            await _write(send, f"event: pointed\ndata: {point}\n\n")
        if listener.stamp != told:
            told = listener.stamp
            await _write(send, f"event: changed\n{_identify(listener)}data: {told}\n\n")
        elif not gone.done():
            await _write(send, "event: beat\ndata: 1\n\n")
    with contextlib.suppress(Exception):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _identify(listener: Listener) -> str:
    """The line that names an event for programs; a page looks at the whole table whenever it comes back."""
    return f"id: {listener.stamp}\n" if listener.who.link else ""


async def _check_again(listener: Listener, is_present: bool = False) -> None:
    """Look again, and now and then say that somebody is still here; a database that is away can wait."""
    try:
        await hub.refresh(listener)
        if is_present and listener.who.seat:
            await in_thread(touch_presence)(listener.who)
    except Exception as problem:  # noqa: BLE001 - the stream goes on, and looks again
        logger.error("a stream could not look again", problem=repr(problem))


async def _wait_for(wakeup: asyncio.Event, gone: asyncio.Future[None], seconds: float) -> None:
    """Until it is woken, the page is gone, or the time is over."""
    woken = asyncio.ensure_future(wakeup.wait())
    try:
        both: set[asyncio.Future[Any]] = {woken, gone}
        await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        woken.cancel()


async def _wait_for_disconnect(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(send: Send, status: int, words: str, more: Headers = ()) -> None:
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{words}\n".encode()})


def in_thread(ask: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """A question to the database, asked in one of the streams' own threads."""
    return sync_to_async(ask, thread_sensitive=False, executor=_threads)


async def _read_stamps(asked: Sequence[StreamGrant]) -> dict[StreamGrant, str]:
    found: dict[StreamGrant, str] = await in_thread(read_stamps)(asked)
    return found


_stamps = Batch(_read_stamps)
