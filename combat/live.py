"""Telling open pages that something changed: server-sent events over raw ASGI.

A page connects, is told the present stamp, and from then on each new one; it re-reads what it
may see. So nothing is lost with a connection: whoever comes back is told the stamp of now.
In one process the news goes from thread to event loop; with Redis it goes to all workers.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils.crypto import salted_hmac

logger = structlog.get_logger(__name__)

PING_SECONDS = 15
PINGS_PER_VISIT = 8  # so often an open page says that its person is still here
RETRY_MS = 1000  # how soon a browser comes back after its connection broke
ADDRESS = re.compile(r"/live/([0-9]{1,12})/?", re.ASCII)
ENDED, CLOSING = "ended", "closing"
Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class Pass:
    """Who was let in to a stream: kind is gm, seat or public; until is when their link ends."""

    encounter: int
    kind: str
    seat: int = 0
    until: float | None = None  # seconds since 1970


@dataclass(eq=False)
class Listener:
    """One open page, and what it still has to be told: the newest stamp, or that it is over.

    A slow page skips stamps that are old already.
    """

    who: Pass
    loop: asyncio.AbstractEventLoop
    bell: asyncio.Event = field(default_factory=asyncio.Event)
    stamp: str = ""
    farewell: str = ""

    def tell(self, stamp: str = "", farewell: str = "") -> None:
        """Leave a word."""
        self.stamp, self.farewell = stamp or self.stamp, farewell or self.farewell
        self.bell.set()

    def pass_on(self, **word: str) -> None:
        """The same from any thread."""
        with contextlib.suppress(RuntimeError):  # its loop has just closed
            self.loop.call_soon_threadsafe(lambda: self.tell(**word))

    def patience(self) -> float:
        """Seconds until the next ping, or until there is nothing more to hear."""
        left = PING_SECONDS if self.who.until is None else self.who.until - time.time()
        return max(0.0, min(PING_SECONDS, left))

    @property
    def is_over(self) -> bool:
        """Whether the link it came by has run out."""
        return self.who.until is not None and self.who.until <= time.time()


_listeners: dict[int, set[Listener]] = {}
_redis: list[Any] = []


def publish(encounter: int, stamps: dict[str, str]) -> None:
    """Tell every page open on an encounter its new stamp, by the kind of its viewer."""
    _send({"encounter": encounter, "stamps": stamps})


def end_seats(encounter: int, seats: list[int]) -> None:
    """Close the streams of seats that have ended, everywhere."""
    _send({"encounter": encounter, "seats": seats})


def end_all(encounter: int) -> None:
    """Close the streams of an encounter that is no more."""
    _send({"encounter": encounter, "seats": None})


def _send(message: dict[str, Any]) -> None:
    """Deliver a message to all workers; if they cannot be reached, to this one."""
    if settings.REDIS_URL:
        import redis  # only hosted tables have it

        try:
            _connection().publish(channel(), json.dumps(message))
        except redis.RedisError as problem:
            logger.error("not told to other workers", problem=repr(problem))
        else:
            return
    deliver(message)


def channel() -> str:
    """The name of this table's channel: others may use the same Redis."""
    return f"table-live:{salted_hmac('combat.live', 'channel').hexdigest()[:16]}"


def _connection() -> Any:
    if not _redis:
        import redis

        _redis.append(redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2))
    return _redis[0]


def deliver(message: dict[str, Any]) -> None:
    """Pass a message on to the listeners of this process; safe from any thread."""
    for listener in tuple(_listeners.get(message["encounter"], ())):
        if "seats" in message:
            if message["seats"] is None or listener.who.seat in message["seats"]:
                listener.pass_on(farewell=ENDED)
        elif listener.who.kind in message["stamps"]:
            listener.pass_on(stamp=message["stamps"][listener.who.kind])


def close() -> None:
    """End all streams of this process: the server stops."""
    for listeners in tuple(_listeners.values()):
        for listener in tuple(listeners):
            listener.pass_on(farewell=CLOSING)


async def relay(stop: asyncio.Event) -> None:
    """Bring what other workers publish into this process, as long as the server runs."""
    if not settings.REDIS_URL:
        return
    from redis import RedisError
    from redis import asyncio as redis

    while not stop.is_set():
        try:
            async with redis.from_url(settings.REDIS_URL).pubsub() as news:
                await news.subscribe(channel())
                await _catch_up()
                while not stop.is_set():
                    message = await news.get_message(ignore_subscribe_messages=True, timeout=1)
                    if message:
                        deliver(json.loads(message["data"]))
        except (OSError, RedisError) as problem:
            logger.error("not told by other workers", problem=repr(problem))
            await asyncio.sleep(1)


async def _catch_up() -> None:
    """Tell all pages the stamp of now: while the channel was lost there may have been another."""
    for listeners in tuple(_listeners.values()):
        for listener in tuple(listeners):
            listener.tell(stamp=await _read_stamp(listener.who))


async def app(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Answer one stream: /live/<encounter>/. 404 for whom the encounter is not there."""
    who = await _admit(scope)
    if who is None:
        await _refuse(send)
        return
    headers = [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    listener = Listener(who, asyncio.get_running_loop())
    _listeners.setdefault(who.encounter, set()).add(listener)
    gone = asyncio.ensure_future(_wait_for_goodbye(receive))
    try:
        await _write(send, f"retry: {RETRY_MS}\n\n")
        listener.tell(stamp=await _read_stamp(who))  # only now: nothing told meanwhile is lost
        await _follow(listener, gone, send)
    finally:
        gone.cancel()
        _forget(listener)


async def _follow(listener: Listener, gone: asyncio.Future[None], send: Send) -> None:
    """Write what the listener is told until the page is gone or the stream has to end."""
    told, pings = "", 0
    while not gone.done():
        await _wait_for(listener.bell, gone, listener.patience())
        if listener.is_over:
            listener.tell(farewell=ENDED)
        if listener.farewell:
            await _write(send, f"event: {listener.farewell}\ndata: {listener.farewell}\n\n")
            break
        if listener.bell.is_set():
            listener.bell.clear()
            if listener.stamp != told:
                told = listener.stamp
                await _write(send, f"event: changed\ndata: {told}\n\n")
        elif not gone.done():
            pings += 1
            await _write(send, ": ping\n\n")
            if pings % PINGS_PER_VISIT == 0:
                await _stay(listener.who)
    with contextlib.suppress(Exception):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _wait_for(bell: asyncio.Event, gone: asyncio.Future[None], seconds: float) -> None:
    """Until the bell rings, the page is gone, or the time is over."""
    ringing = asyncio.ensure_future(bell.wait())
    try:
        both: set[asyncio.Future[Any]] = {ringing, gone}
        await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ringing.cancel()


async def _wait_for_goodbye(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 404, "headers": headers})
    await send({"type": "http.response.body", "body": b"There is no such encounter for you.\n"})


def _forget(listener: Listener) -> None:
    others = _listeners.get(listener.who.encounter, set())
    others.discard(listener)
    if not others:
        _listeners.pop(listener.who.encounter, None)


async def _admit(scope: dict[str, Any]) -> Pass | None:
    """The one authorisation of a stream."""
    from .access import admit_stream  # late: models need the apps

    return await sync_to_async(admit_stream)(scope)


async def _read_stamp(who: Pass) -> str:
    from .access import read_stamp

    return await sync_to_async(read_stamp)(who)


async def _stay(who: Pass) -> None:
    from .access import stay

    await sync_to_async(stay)(who)
