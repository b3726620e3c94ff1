"""Work that makes the first requests quick: in the background, once the addresses are printed.

It gives way to requests: between two short pieces it waits as long as one is being answered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import structlog
from django.db import connections

logger = structlog.get_logger(__name__)

PAUSE = 0.005  # seconds after each piece, so that a request that has just come in begins
LOOK = 0.05  # seconds between looks whether the requests are answered
PATIENCE = 5  # seconds for the current piece when the table stops
FRONT = "/"


@contextmanager
def warm_up(pieces: Iterator[None], is_busy: Callable[[], bool]) -> Iterator[threading.Thread]:
    """Do the pieces in a thread while the body runs; stop with it."""
    stopped = threading.Event()
    thread = threading.Thread(target=run_pieces, args=(pieces, is_busy, stopped), name="warming", daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        stopped.set()
        thread.join(PATIENCE)


def run_pieces(pieces: Iterator[None], is_busy: Callable[[], bool], stopped: threading.Event) -> None:
    """Do one piece after the other until it is stopped. A failure ends it and is logged."""
    try:
        while not stopped.wait(PAUSE):
            while is_busy():
                if stopped.wait(LOOK):
                    return
            if next(pieces, stopped) is stopped:
                return
    except Exception as problem:  # noqa: BLE001 - the requests do the work themselves
        logger.error("warming failed", problem=repr(problem))
    finally:
        connections.close_all()


def find_pieces() -> Iterator[None]:
    """What the first pages need, the most urgent first. The imports are the first piece: they take long."""
    from combat.views.table.warming import warm_home, warm_tables
    from cosmos_site.asgi import pages

    yield
    yield from warm_home()
    yield from open_front(pages)
    yield from warm_tables()


def open_front(pages: Any) -> Iterator[None]:
    """Open the front page as a stranger does, through everything that a request passes."""
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": FRONT,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
    }
    answer = pages(environ, lambda *_: None)
    try:
        yield from (None for _ in answer)
    finally:
        answer.close()
