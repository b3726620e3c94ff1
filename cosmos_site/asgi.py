"""The whole site as one ASGI application, for uvicorn.

Django's WSGI handler answers pages in a fixed number of threads: measured, a request takes 12 to 29 % less of
Django's time than with its own ASGI handler. That saves little; what stands around it is there so that no
client holds a thread. A body is read to its end before a thread is taken for it, and a long answer is made as
it is taken (tests/site/hosting/test_serving.py and test_patience.py): alone, an adapter of WSGI stood still
beside 30 half bodies. Live streams need no thread at all (tests/combat/live/test_live.py).
"""

import asyncio
import gc
import os
import sys
from contextlib import ExitStack, nullcontext
from functools import partial
from io import BytesIO
from typing import Any, cast

import structlog
from a2wsgi.asgi_typing import HTTPScope, Receive, Scope, Send
from a2wsgi.wsgi import build_environ
from a2wsgi.wsgi_typing import WSGIApp
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import set_script_prefix

from combat.live import hub

from .base.data_lock import CannotStart
from .base.errors import is_for_programs
from .base.request_bodies import BodyReader
from .hosted import begin, hold_data, refuse_missing_files, warm
from .serving import CopyThreads, PageThreads, WholeAnswer, WorkerPool, make_answer

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cosmos_site.settings")

logger = structlog.get_logger(__name__)
COPIES = "/copies/"
OUTSIDE_PATH = "This site is at {}/: its proxy has to pass on the whole path."
SELDOM = 10_000  # objects made before garbage is collected
COPY_THREADS, COPY_PIECES = 2, 4  # answers at once, and pieces of one that wait for the client


class Site:
    """Passes every connection to the part of the site that answers it."""

    holds_data = False  # `play` does, before it serves

    def __init__(
        self,
        worker_pool: WorkerPool,
        copies: WorkerPool,
        stream: Any,
        answer_ask: Any,
        stream_to_program: Any,
    ) -> None:
        self.worker_pool, self.copies = worker_pool, copies
        self.stream, self.answer_ask, self.stream_to_program = stream, answer_ask, stream_to_program

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if scope["type"] == "lifespan":
            await self.run_lifespan(receive, send)
            return
        entered = enter_path(cast("dict[str, Any]", scope))
        if entered is None:
            code = "unknown" if is_for_programs(cast("HTTPScope", scope)["path"]) else ""
            await refuse(cast("Any", send), 404, OUTSIDE_PATH.format(settings.COSMOS_PATH), code=code)
            return
        scope = cast("Scope", entered)
        if scope["type"] == "http" and hub.ASK_ADDRESS.fullmatch(scope["path"]):
            await self.answer_ask(scope, receive, send)
        elif scope["type"] == "http" and scope["path"].startswith("/live/"):
            await self.stream(scope, receive, send)
        elif scope["type"] == "http" and hub.EVENTS_ADDRESS.fullmatch(scope["path"]):
            await self.stream_to_program(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == health.ADDRESS:
            await self.answer_health(scope, send)
        else:
            await self.answer_page(scope, receive, send)

    async def answer_health(self, scope: Scope, send: Send) -> None:
        """Answer a health check in time, also where every thread of the pages waits for the database."""
        environ = build_environ(cast("HTTPScope", scope), cast("Any", BytesIO()))
        try:
            made = await asyncio.wait_for(in_thread(make_answer)(pages, environ), health.SECONDS)
        except TimeoutError:
            headers = ((b"content-type", b"application/json"), (b"cache-control", b"no-store"))
            made = WholeAnswer(503, headers, health.report_late())
        await made.send(send)

    async def answer_page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a page. From the moment that a restore may be asked for, no write is confirmed."""
        asked = cast("HTTPScope", scope)
        with restarter.hearing() if is_press(asked["method"], asked["path"]) else nullcontext():
            if await self.is_for_host(scope):
                await self.copies.answer(scope, receive, send)
                return
        await self.worker_pool.answer(scope, receive, send)

    async def run_lifespan(self, receive: Receive, send: Send) -> None:
        """Start with the server, and stop the threads with it."""
        await receive()
        with ExitStack() as held:
            try:
                if not self.holds_data:
                    refuse_missing_files()
                    held.enter_context(hold_data())
                await refuse_other_tables()
                await in_thread(warm)(pages)
            except CannotStart as problem:
                await send({"type": "lifespan.startup.failed", "message": str(problem)})
                return
            await self.serve(receive, send)

    async def serve(self, receive: Receive, send: Send) -> None:
        """Run what a worker does beside answering, until the server stops."""
        stopped = asyncio.Event()
        relay = asyncio.ensure_future(hub.relay(stopped))
        ending = asyncio.ensure_future(clean_up())
        gc.collect()
        gc.freeze()  # never collected: a scan of these objects would take 0.1 s now and then
        gc.set_threshold(SELDOM)  # a turn makes many objects, and hardly any circle of them
        await send({"type": "lifespan.startup.complete"})
        await receive()
        ending.cancel()
        stopped.set()
        relay.cancel()
        # Not imported means not used, so there is nothing to stop.
        forecast_jobs = sys.modules.get("combat.play.whatif.forecast_jobs")
        if forecast_jobs:
            forecast_jobs.stop()
        for worker_pool in (self.worker_pool, self.copies):
            worker_pool.threads.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def is_for_host(self, scope: Scope) -> bool:
        """Whether a request is for the copies of all data, which are large, and from the host."""
        if not cast("HTTPScope", scope)["path"].startswith(COPIES):
            return False
        try:
            return bool(await in_thread(admit_host)(scope))
        except Exception as problem:  # noqa: BLE001 - the page itself says what is wrong
            logger.error("host_unknown", problem=repr(problem))
            return False

    def stop_reading(self) -> None:
        """Stop waiting for requests that are only half here."""
        for worker_pool in (self.worker_pool, self.copies):
            worker_pool.bodies.stop()
        hub.close()


def enter_path(scope: dict[str, Any]) -> dict[str, Any] | None:
    """The request as at the root of a host; None if it is for something outside the path.

    A site can be under a path of its host, such as https://home.example/table/: the setting COSMOS_PATH. Its
    proxy passes on the whole path. It is cut off here; Django puts it before every address it makes.
    """
    start = settings.COSMOS_PATH
    if not start:
        return scope
    before, found, below = scope["path"].partition(start)
    if before or not found or below[:1] not in ("", "/"):
        return None
    set_script_prefix(f"{start}/")
    return {**scope, "path": below or "/", "root_path": ""}


async def refuse_other_tables() -> None:
    """CannotStart if the tables are not those of this release; a database that is away may come back."""
    try:
        problem = await in_thread(tell_other_tables)()
    except Exception as away:  # noqa: BLE001 - pages and health checks tell it
        logger.warning("tables_unknown", problem=repr(away))
        return
    if problem:
        raise CannotStart(problem)


async def clean_up() -> None:
    """Remove what visitors have left, and killed writers of copies; the next ones would do so too."""
    for end in (end_visits, partial(remove_left_over, find_folder())):
        try:
            await in_thread(end)()
        except Exception as problem:  # noqa: BLE001 - the table works without it
            logger.warning("not_cleaned_up", problem=repr(problem))


pages = cast("WSGIApp", begin(get_wsgi_application))

from combat.backups.copies import find_folder, remove_left_over  # noqa: E402 - models need the apps
from combat.backups.handover import is_press, restarter  # noqa: E402 - models need the apps
from combat.backups.schema import tell_other_tables  # noqa: E402 - models need the apps
from combat.pages.table.stream import (  # noqa: E402 - models need the apps
    answer_ask,
    in_thread,
    refuse,
    stream,
    stream_to_program,
)
from combat.sharing.access import admit_host  # noqa: E402 - models need the apps
from combat.sharing.guests import end_visits  # noqa: E402 - models need the apps

from . import health  # noqa: E402 - models need the apps

application = Site(
    WorkerPool(
        PageThreads(pages, settings.COSMOS_THREADS),
        BodyReader(
            settings.COSMOS_BODY_BYTES,
            settings.COSMOS_BODY_SECONDS,
            settings.COSMOS_BODIES_AT_ONCE,
            settings.COSMOS_BODY_BYTES_AT_ONCE,
        ),
    ),
    WorkerPool(
        CopyThreads(pages, COPY_THREADS, COPY_PIECES),
        BodyReader(
            settings.COSMOS_COPY_BYTES,
            settings.COSMOS_COPY_SECONDS,
            COPY_THREADS,
            bytes_at_once=settings.COSMOS_COPY_BYTES,
            folder=str(settings.COSMOS_DATA),
        ),
    ),
    stream,
    answer_ask=answer_ask,
    stream_to_program=stream_to_program,
)
