"""The live stream of a table: server-sent events over raw ASGI."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import structlog
from asgiref.sync import sync_to_async

from combat.live import asking, hub
from combat.live.hub import Listener, StreamGrant
from combat.sharing.access import GONE, admit_stream, read_present_stamp, touch_presence
from combat.sharing.links import admit_program
from combat.sharing.programs import admit_token, is_too_fast
from cosmos_site.base.errors import write_problem
from cosmos_site.base.patience import patience

logger = structlog.get_logger(__name__)

PINGS_PER_VISIT = 8  # pings from one note that a page's person is here to the next
BEAT_SECONDS = 1  # a page that hears nothing for longer says that its connection is lost
THREADS = 3  # in each worker, for the database queries of streams
RETRY_MS = 1000  # until a browser reconnects
MAX_PAGES = 100  # pages of one seat in each worker: a new one beyond it is refused
MAX_PROGRAMS = 20  # streams of other programs by one link or token, in each worker
TOO_MANY_PROGRAMS = f"At most {MAX_PROGRAMS} programs listen by one link or token: close one."
Send = Callable[[dict[str, Any]], Awaitable[None]]
NAME = "streams"  # begins the name of each of them
_threads = ThreadPoolExecutor(THREADS, NAME)
Headers = Sequence[tuple[bytes, bytes]]
EVENTS = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
)
ALLOWS_BOTH = ((b"allow", b"GET, POST"),)
OPEN_TO_ALL = ((b"access-control-allow-origin", b"*"),)  # the token is the right to read it
HELLO = 'event: hello\ndata: {"format": "cosmos-table-events", "version": 1}\n\n'
NO_DATABASE = "The database does not answer: try again soon."
NOT_OPEN = "This is no link for spectators that is valid now: ask the GM for one."
UNKNOWN_PROGRAM = "Send the token of your program as “Authorization: Bearer TOKEN”; it may be revoked."
TOO_FAST = "A program may send 10 requests a second: wait a second."
ASKS_FOR_TOKEN = ((b"www-authenticate", b"Bearer"),)
# A stamp, and when the last point known was made. Proxies that compress put W/ before it.
TAG = re.compile(r'(?:W/)?"(\w{1,64})\.([0-9]{1,20})"', re.ASCII)
ALLOWS_GET = ((b"allow", b"GET"),)
GRANT_SECONDS = 60  # until session and encounter are read again; the end of a seat or link is seen at once


async def stream(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Answer one stream: /live/<encounter>/.

    Some proxies hold back the answer to a GET until it ends, so a page may also POST. That changes nothing
    here and needs no token, but only pages of this site may do it: 403 for others. 404 without a right to
    the stream, 405 for other methods, 429 for too many, 503 if the database does not answer.
    """
    if scope["method"] not in ("GET", "POST"):
        await refuse(send, 405, "Listen at this address by GET or POST.", ALLOWS_BOTH)
    elif scope["method"] == "POST" and not is_from_here(scope):
        await refuse(send, 403, "Only a page of this site may listen by POST: use GET.")
    elif who := await admit(scope, send, hub.STREAM_ADDRESS):
        await _serve(who, receive, send)


async def admit(scope: dict[str, Any], send: Send, address: re.Pattern[str]) -> StreamGrant | None:
    """The right of a page to hear what happens; None after a refusal."""
    named = address.fullmatch(scope["path"])
    try:
        who = await in_thread(admit_stream)(scope, int(named[1])) if named else None
    except Exception as problem:  # noqa: BLE001 - whatever it is, the page asks again
        logger.error("a stream could not begin", problem=repr(problem))
        await refuse(send, 503, NO_DATABASE)
        return None
    if who is None:
        await refuse_for_good(send)
        return None
    return None if await is_crowded(send, who) else who


async def is_crowded(send: Send, who: StreamGrant) -> bool:
    """Whether someone has too many pages open; if so, they have been told."""
    if hub.count_pages(who) < MAX_PAGES:
        return False
    await refuse(send, 429, f"You have this encounter open {MAX_PAGES} times: close some pages.")
    return True


def is_from_here(scope: dict[str, Any]) -> bool:
    """Whether a page of this site sends a request, as browsers say: over plain http by Origin alone."""
    sent: dict[bytes, str] = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if site := sent.get(b"sec-fetch-site"):
        return site == "same-origin"
    try:
        origin = urlsplit(sent.get(b"origin", "")).netloc
    except ValueError:
        return False
    return bool(origin) and origin == sent.get(b"host")


async def stream_to_program(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Answer a stream for a program. Cookies do not count.

    /api/v1/<token>/events/ is for a spectator link, /api/table/events/ for a program's own token. Each change
    has the stamp of the state as its id: a program that reconnects with it gets what came later.
    """
    address = hub.EVENTS_ADDRESS.fullmatch(scope["path"])
    if scope["method"] != "GET" or address is None:
        await refuse(send, 405, "Read this address by GET.", more=OPEN_TO_ALL, code="unknown")
        return
    try:
        who = await in_thread(_admit_program)(scope, address[1])
    except Exception as problem:  # noqa: BLE001 - whatever it is, the program asks again
        logger.error("a stream could not begin", problem=repr(problem))
        await refuse(send, 503, NO_DATABASE, more=OPEN_TO_ALL, code="busy")
        return
    if who is None and not address[1]:
        await refuse(send, 401, UNKNOWN_PROGRAM, more=ASKS_FOR_TOKEN, code="not_allowed")
    elif who is None:
        await refuse(send, 404, NOT_OPEN, more=OPEN_TO_ALL, code="unknown")
    elif who.token and await in_thread(is_too_fast)(who.token):
        await refuse(send, 429, TOO_FAST, more=((b"retry-after", b"1"),), code="busy")
    elif hub.count_pages(who) >= MAX_PROGRAMS:
        await refuse(send, 429, TOO_MANY_PROGRAMS, more=OPEN_TO_ALL, code="busy")
    else:
        known = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
        await _serve(who, receive, send, more=OPEN_TO_ALL, hello=HELLO, known=known)


def _admit_program(scope: dict[str, Any], link: str | None) -> StreamGrant | None:
    """The right of a program by the token of a link, else by that of its Authorization header."""
    sent = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
    return admit_program(link) if link else admit_token(sent)


async def _serve(
    who: StreamGrant, receive: Any, send: Send, more: Headers = (), hello: str = "", known: str = ""
) -> None:
    """Answer a listener with a right to the stream, from here to the stream's end."""
    headers = [*EVENTS, (b"x-accel-buffering", b"no"), *more]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    listener = Listener(who, asyncio.get_running_loop(), read_stamp)
    hub.add(listener)
    gone = asyncio.ensure_future(_wait_for_disconnect(receive))
    gone.add_done_callback(lambda _: listener.wakeup.set())
    try:
        await _write(send, f"retry: {RETRY_MS}\n\n{hello}")
        await _check_again(listener)  # only now, so that no change meanwhile is lost
        await _follow(listener, gone, send, known)
    finally:
        gone.cancel()
        hub.remove(listener)


async def _follow(listener: Listener, gone: asyncio.Future[None], send: Send, told: str) -> None:
    """Write what the listener hears until the page is gone or the stream has to end.

    `told` is the stamp that it knows already.
    """
    pings = 0
    while not gone.done():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(listener.seconds_to_wait(), BEAT_SECONDS)):
                await listener.wakeup.wait()
        if listener.is_over:
            listener.notify(end_reason=hub.ENDED)
        if not listener.end_reason and not gone.done() and listener.next_check <= time.monotonic():
            pings += 1
            await _write(send, ": ping\n\n")
            await _check_again(listener, pings % PINGS_PER_VISIT == 0)
        if listener.end_reason:
            await _write(send, write_event(listener.end_reason, listener.end_reason))
            break
        listener.wakeup.clear()
        points, listener.points = listener.points, []
        for point in points:
            await _write(send, write_event(*point))
        if listener.stamp != told:
            told = listener.stamp
            await _write(send, write_event("changed", told, _identify(listener)))
        elif not gone.done():
            await _write(send, write_event("beat", "1"))
    with contextlib.suppress(Exception):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def write_event(kind: str, data: str, more: str = "") -> str:
    """An event as the stream carries it."""
    return f"event: {kind}\n{more}data: {data}\n\n"


def _identify(listener: Listener) -> str:
    """The line that names an event for programs; pages need none, they reload the table after a reconnect."""
    return f"id: {listener.stamp}\n" if listener.who.is_program else ""


async def _check_again(listener: Listener, is_present: bool = False) -> None:
    """Check the listener, and now and then note that its person is still here; a database error can wait."""
    try:
        await hub.refresh(listener)
        if is_present and listener.who.seat:
            await in_thread(touch_presence)(listener.who)
    except Exception as problem:  # noqa: BLE001 - the stream goes on, and checks again
        logger.error("a stream could not look again", problem=repr(problem))


async def _wait_for_disconnect(receive: Any) -> None:
    """Wait until the page is gone; one that sends a body is gone too, since none belongs here."""
    while (event := await receive())["type"] != "http.disconnect" and not event.get("body"):
        pass


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def refuse_for_good(send: Send) -> None:
    """Answer a page that may not hear anything, or no longer: with a sentence, and the event that ends it."""
    text = f": {GONE}\n\n{write_event(hub.ENDED, hub.ENDED)}"
    await send({"type": "http.response.start", "status": 404, "headers": EVENTS})
    await send({"type": "http.response.body", "body": text.encode()})


async def refuse(send: Send, status: int, words: str, more: Headers = (), code: str = "") -> None:
    """Answer with a status and a sentence; with a code as a problem, for programs."""
    kind, body = b"text/plain", f"{words}\n".encode()
    if code:
        kind, body = b"application/json", write_problem(code, words)
    headers = [(b"content-type", kind), (b"cache-control", b"no-store"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def in_thread(ask: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """A query that runs in one of the streams' own threads, and waits for no database that hangs."""
    return sync_to_async(patience()(ask), thread_sensitive=False, executor=_threads)


async def read_stamp(who: StreamGrant) -> str:
    """The present stamp of a page; empty once its right has ended."""
    return str(await in_thread(read_present_stamp)(who))


# What happened since a page last asked: for pages whose streams are held back on the way.


Asker = tuple[bytes, str]  # a browser's cookies, and the address it asks
_grants: dict[Asker, tuple[StreamGrant, float]] = {}


async def answer_ask(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """Answer /live/<encounter>/now/ with the events since the page's tag, written as the stream writes them.

    304 if there are none. 404 if the page has no right to them or lost it, 405 for other methods, 429 for
    too many pages, 503 if the database does not answer.
    """
    if scope["method"] != "GET":
        await refuse(send, 405, "Ask at this address by GET.", ALLOWS_GET)
        return
    try:
        found = await _find_now(scope, send)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the page asks again
        logger.error("a page could not be answered", problem=repr(problem))
        await refuse(send, 503, NO_DATABASE)
        return
    if found and found[1]:
        await _tell(send, *found, read_tag(scope))
    elif found:
        await refuse_for_good(send)


async def _find_now(scope: dict[str, Any], send: Send) -> tuple[StreamGrant, str] | None:
    """The right of a page and its present stamp, empty if the right has just ended; None after a refusal."""
    browser = dict(scope["headers"]).get(b"cookie", b""), scope["path"]
    if who := _find_cached(browser):
        if await is_crowded(send, who):
            return None
        if stamp := await _find_stamp(who):
            return who, stamp
    _grants.pop(browser, None)  # unknown, or moved to another seat: check in full
    if not (who := await admit(scope, send, hub.ASK_ADDRESS)):
        return None
    _keep(browser, who)
    return who, await _find_stamp(who)


def _find_cached(browser: Asker) -> StreamGrant | None:
    """The right that a browser had a moment ago: reading session and encounter each time would cost most."""
    who, until = _grants.get(browser, (None, 0.0))
    return who if until > time.monotonic() else None


def _keep(browser: Asker, who: StreamGrant) -> None:
    now = time.monotonic()
    for other, (_, until) in tuple(_grants.items()):
        if until <= now:
            del _grants[other]
    _grants[browser] = who, now + GRANT_SECONDS


async def _find_stamp(who: StreamGrant) -> str:
    """The present stamp, empty once the right has ended; record presence now and then."""
    is_due = asking.note_ask(who.right)
    stamp = await read_stamp(who)
    if stamp and is_due and who.seat:
        await in_thread(touch_presence)(who)
    return stamp


def read_tag(scope: dict[str, Any]) -> tuple[str, int]:
    """The stamp and the last point that a page knows; an empty stamp if it says nothing that we wrote."""
    sent = dict(scope["headers"]).get(b"if-none-match", b"").decode("latin-1")
    found = TAG.fullmatch(sent.strip())
    return (found[1], int(found[2])) if found else ("", 0)


async def _tell(send: Send, who: StreamGrant, stamp: str, known: tuple[str, int]) -> None:
    """Write what a page does not know. A page that knows nothing gets no points: it has just begun."""
    points, last = asking.find_points(who.encounter, who.kind, known[1], who.seat)
    is_new = stamp != known[0] or bool(points)
    events = [write_event(*point) for point in points if known[0]]
    text = "".join([*events, write_event("changed", stamp)]) if is_new else ""
    headers = [*EVENTS, (b"etag", f'"{stamp}.{last}"'.encode())]
    await send({"type": "http.response.start", "status": 200 if is_new else 304, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
