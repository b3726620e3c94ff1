"""The open pages that listen, and telling them that something changed. It knows no rule of access.

A page gets the present stamp, and then each new one; it re-reads what it may see. So a lost connection
loses nothing: a page that comes back gets the present stamp. In one process a message goes from thread
to event loop; with Redis it goes to all workers. Each stream also checks now and then, in case both
fail: its stamp, and whether it may still be there.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog
from django.conf import settings

from combat.stamps import COMMON, make_stamp
from cosmos_site.base.caching import outage, redis_options
from cosmos_site.base.tags import find_digest

from . import asking

logger = structlog.get_logger(__name__)

PING_SECONDS = 15  # how often a stream checks
RETRY_PAUSES = (1, 2, 4, 8, 15)  # seconds before the relay tries again: first, second time and so on
STREAM_ADDRESS = re.compile(r"/live/([0-9]{1,12})/?", re.ASCII)
ASK_ADDRESS = re.compile(r"/live/([0-9]{1,12})/now/", re.ASCII)
EVENTS_ADDRESS = re.compile(r"/api/(?:v1/([\w-]{1,100})|table)/events/?", re.ASCII)
ENDED, CLOSING = "ended", "closing"
POINTED, PEOPLE, REMINDED = "pointed", "people", "reminded"  # events besides the stamps
MAX_POINTS = 40  # and pieces of lines that wait for a slow page


@dataclass(frozen=True)
class StreamGrant:
    """The right to a stream: kind is gm, seat or public; until is when their link ends.

    Programs read by a `link` without a seat, or act by a `token`; `session` is that of a page's browser.
    """

    encounter: int
    kind: str
    seat: int = 0
    until: float | None = None  # seconds since 1970
    digest: str = ""  # of the secret that holds the seat: it changes when the seat moves to another device
    link: int = 0
    token: int = 0
    session: str = ""

    @property
    def is_program(self) -> bool:
        """Whether a program listens: it gets stamps alone, and an id with each."""
        return bool(self.link or self.token)

    @property
    def right(self) -> asking.Right:
        """What its pages share: the seat, the link, the token, or that they are the owner's."""
        return self.encounter, self.seat, self.link, self.token


@dataclass(eq=False)
class Listener:
    """One open page, and what it has yet to hear: the newest stamp, or that it is over.

    A slow page skips outdated stamps.
    """

    who: StreamGrant
    loop: asyncio.AbstractEventLoop
    read_stamp: Callable[[StreamGrant], Awaitable[str]]  # empty when they may no longer be there
    wakeup: asyncio.Event = field(default_factory=asyncio.Event)
    next_check: float = field(default_factory=lambda: time.monotonic() + PING_SECONDS)
    stamp: str = ""  # with the own part of a seat at the end
    end_reason: str = ""
    points: list[asking.Word] = field(default_factory=list)  # points, lines and other news to pass on

    def notify(
        self,
        stamp: str = "",
        end_reason: str = "",
        point: asking.Word | None = None,
        common: str = "",
        own: str = "",
    ) -> None:
        """Note the news, and wake the stream that writes it. `common` and `own` are parts of a stamp.

        What is no news wakes no stream: its beat would tell that something happened out of sight.
        """
        known = self.stamp, self.end_reason
        if common or own:
            stamp = (common or self.stamp[:COMMON]) + (own or self.stamp[COMMON:])
        self.stamp, self.end_reason = stamp or self.stamp, end_reason or self.end_reason
        if point:
            self.points = [*self.points, point][-MAX_POINTS:]
        if point or (self.stamp, self.end_reason) != known:
            self.wakeup.set()

    def seconds_to_wait(self) -> float:
        """Seconds until the next check, or until the link ends."""
        left = PING_SECONDS if self.who.until is None else self.who.until - time.time()
        return max(0.0, min(self.next_check - time.monotonic(), left))

    @property
    def is_over(self) -> bool:
        """Whether its link has expired."""
        return self.who.until is not None and self.who.until <= time.time()


_listeners: dict[int, set[Listener]] = {}
_redis: list[Any] = []
_worker_id = secrets.token_hex(8)  # this process, among those that share the channel
_relay: dict[str, Any] = {"problem": "It has not been started.", "failures": 0}  # no problem: it is connected


def publish(encounter: int, stamps: dict[str, str], own: dict[int, str] | None = None) -> None:
    """Tell every page open on an encounter its new stamp, by the kind of its viewer.

    `own` are the own parts of seats that alone learn something.
    """
    _send({"encounter": encounter, "stamps": stamps, "own": list((own or {}).items())})


def point(encounter: int, kinds: Sequence[str], place: dict[str, Any]) -> None:
    """Show what someone points at or draws on all pages of these kinds that are open on an encounter."""
    at = time.time_ns() // 1000
    _send({"encounter": encounter, "point": json.dumps(place), "kinds": list(kinds), "at": at})


def tell_of_people(encounter: int) -> None:
    """Tell the GM's pages that someone has come, left or got another character."""
    at = time.time_ns() // 1000
    _send({"encounter": encounter, "point": "1", "kinds": ["gm"], "at": at, "event": PEOPLE})


def remind(encounter: int, seat: int, told: dict[str, str]) -> None:
    """Call the pages of one seat, with words to show there."""
    at, words = time.time_ns() // 1000, json.dumps(told)
    _send(
        {"encounter": encounter, "point": words, "kinds": ["seat"], "at": at, "event": REMINDED, "seat": seat}
    )


def end_seats(encounter: int, seats: list[int], links: list[int] | None = None) -> None:
    """Close the streams of seats and links that have ended, in all workers."""
    _send({"encounter": encounter, "seats": seats, "links": links or []})


def end_tokens(encounter: int, tokens: list[int]) -> None:
    """Close the streams of tokens that were revoked, in all workers."""
    _send({"encounter": encounter, "seats": [], "tokens": tokens})


def end_sessions(sessions: Iterable[str]) -> None:
    """Close the streams of browsers that are signed out, at all tables and in all workers."""
    _send({"encounter": 0, "sessions": [find_digest(key) for key in sessions]})  # a key would sign in


def end_all(encounter: int) -> None:
    """Close the streams of a deleted encounter."""
    _send({"encounter": encounter, "seats": None})


def _send(message: dict[str, Any]) -> None:
    """Deliver a message here, and to all other workers if they can be reached."""
    deliver(message)
    if settings.REDIS_URL and not outage.is_active:
        import redis  # only hosted tables have it

        try:
            _connection().publish(channel(), json.dumps({"from": _worker_id, **message}))
        except (OSError, redis.RedisError) as problem:
            logger.error("not told to other workers", problem=repr(problem))
            outage.begin(problem)


def channel() -> str:
    """The name of this table's channel: other tables may use the same Redis."""
    return f"table-live:{make_stamp('combat.live', 'channel', 16)}"


def _connection() -> Any:
    if not _redis:
        import redis

        _redis.append(redis.Redis.from_url(settings.REDIS_URL, **redis_options()))
    return _redis[0]


def deliver(message: dict[str, Any]) -> None:
    """Pass a message on to the listeners of this process; safe from any thread."""
    if "point" in message:
        word = (message.get("event", POINTED), message["point"])
        seat = message.get("seat", 0)
        kept = asking.Point(message["at"], tuple(message["kinds"]), word, seat)
        asking.keep_point(message["encounter"], kept)
    listeners = tuple(_listeners.get(message["encounter"], ()))
    if "sessions" in message:
        everybody = [one for some in tuple(_listeners.values()) for one in tuple(some)]
        pages = [one for one in everybody if one.who.session]
        gone = [one for one in pages if find_digest(one.who.session) in message["sessions"]]
        _tell(gone, end_reason=ENDED)
    elif "seats" in message:
        ended = message["seats"], message.get("links", ()), message.get("tokens", ())
        _tell([one for one in listeners if _is_among(one.who, *ended)], end_reason=ENDED)
    elif "point" in message:
        kinds = message["kinds"]
        pages = [one for one in listeners if one.who.kind in kinds and not one.who.is_program]
        _tell([one for one in pages if seat in (0, one.who.seat)], point=word)
    else:
        for kind, stamp in message["stamps"].items():
            _tell([one for one in listeners if one.who.kind == kind], common=stamp)
        for seat, stamp in message.get("own", ()):
            _tell([one for one in listeners if one.who.seat == seat and one.who.kind != "gm"], own=stamp)


def _tell(listeners: Sequence[Listener], **word: Any) -> None:
    """Notify listeners from any thread: each event loop is woken once, however many they are."""
    for loop in {one.loop for one in listeners}:
        there = [one for one in listeners if one.loop is loop]
        with contextlib.suppress(RuntimeError):  # it has just closed
            loop.call_soon_threadsafe(_notify_all, there, word)


def _notify_all(listeners: Sequence[Listener], word: dict[str, Any]) -> None:
    for listener in listeners:
        listener.notify(**word)


def _is_among(who: StreamGrant, seats: list[int] | None, links: Sequence[int], tokens: Sequence[int]) -> bool:
    """Whether a right ends with these seats, links and tokens; with None for the seats all end."""
    return seats is None or who.seat in seats or who.link in links or who.token in tokens


def count_pages(who: StreamGrant) -> int:
    """The number of pages with the same right in this process: those with a stream, and those that ask."""
    streams = sum(listener.who.right == who.right for listener in _listeners.get(who.encounter, ()))
    return streams + asking.count_askers(who.right)


def close() -> None:
    """End all streams of this process because the server stops."""
    for listeners in tuple(_listeners.values()):
        _tell(tuple(listeners), end_reason=CLOSING)


async def relay(stop: asyncio.Event) -> None:
    """Deliver what other workers publish, as long as the server runs; errors are logged and retried."""
    if not settings.REDIS_URL:
        return
    _relay.update(problem="It has not heard anything yet.", failures=0)
    try:
        while not stop.is_set():
            try:
                await _subscribe(stop)
            except Exception as problem:  # noqa: BLE001 - without the relay pages would stand still
                logger.error("not told by other workers", problem=repr(problem))
                pause = RETRY_PAUSES[min(_relay["failures"], len(RETRY_PAUSES) - 1)]
                _relay.update(problem=repr(problem), failures=_relay["failures"] + 1)
                await _wait_or_stop(stop, pause)
    finally:
        _relay.update(problem="It has stopped.")


async def _subscribe(stop: asyncio.Event) -> None:
    """Deliver messages until the server stops; raises every error."""
    from redis import asyncio as redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    limits = {**redis_options(), "retry": Retry(NoBackoff(), 0), "health_check_interval": PING_SECONDS}
    async with redis.from_url(settings.REDIS_URL, **limits) as connection, connection.pubsub() as channels:
        await channels.subscribe(channel())
        while not stop.is_set():
            message = await channels.get_message(timeout=1)
            if message and message["type"] == "subscribe":  # something may have been missed before
                await _catch_up()
                _relay.update(problem="", failures=0)
            elif message and message["type"] == "message":
                _deliver_from_others(json.loads(message["data"]))


def _deliver_from_others(message: dict[str, Any]) -> None:
    if message.pop("from", "") != _worker_id:  # its own messages are delivered already
        deliver(message)


async def _wait_or_stop(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


def check_relay() -> None:
    """Raise ConnectionError unless this process hears the other workers."""
    if settings.REDIS_URL and _relay["problem"]:
        raise ConnectionError(_relay["problem"])


async def _catch_up() -> None:
    """Tell all pages the present stamp: it may have changed while the channel was lost."""
    everybody = [listener for listeners in _listeners.values() for listener in listeners]
    await asyncio.gather(*(refresh(listener) for listener in everybody))


async def refresh(listener: Listener) -> None:
    """Tell a page what it may have missed: a new stamp, or that it may no longer be there."""
    listener.next_check = time.monotonic() + PING_SECONDS
    known = listener.stamp
    stamp = await listener.read_stamp(listener.who)
    if not stamp:
        listener.notify(end_reason=ENDED)
    elif listener.stamp == known:  # else it has heard something newer meanwhile
        listener.notify(stamp=stamp)


def add(listener: Listener) -> None:
    """Add a listener."""
    _listeners.setdefault(listener.who.encounter, set()).add(listener)


def remove(listener: Listener) -> None:
    """Remove a listener."""
    others = _listeners.get(listener.who.encounter, set())
    others.discard(listener)
    if not others:
        _listeners.pop(listener.who.encounter, None)
