"""What happened since a page last asked: for pages whose streams are held back on the way."""

from __future__ import annotations

import re
import time
from typing import Any

import structlog

from combat.live import asking, hub
from combat.live.hub import StreamGrant
from combat.sharing.access import touch_presence

from .stream import (
    EVENTS,
    NO_DATABASE,
    Send,
    admit,
    in_thread,
    is_crowded,
    read_stamp,
    refuse,
    refuse_for_good,
    write_event,
)

logger = structlog.get_logger(__name__)

# A stamp, and when the last point known was made. Proxies that compress put W/ before it.
TAG = re.compile(r'(?:W/)?"(\w{1,64})\.([0-9]{1,20})"', re.ASCII)
ALLOWS_GET = ((b"allow", b"GET"),)
GRANT_SECONDS = 60  # until session and encounter are read again; the end of a seat or link is seen at once
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
    points, last = asking.find_points(who.encounter, who.kind, known[1])
    is_new = stamp != known[0] or bool(points)
    events = [write_event(*point) for point in points if known[0]]
    text = "".join([*events, write_event("changed", stamp)]) if is_new else ""
    headers = [*EVENTS, (b"etag", f'"{stamp}.{last}"'.encode())]
    await send({"type": "http.response.start", "status": 200 if is_new else 304, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
