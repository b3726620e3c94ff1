"""The processes that play fights beside the table. None of them outlives it, however it ends."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

WORKERS = max(1, min(4, (os.cpu_count() or 2) - 1))  # one core is left to the table
SELDOM = 50_000  # objects made before a worker looks for garbage
_pool: list[tuple[ProcessPoolExecutor, Connection]] = []


def submit(work: Callable[P, R], *args: P.args, **more: P.kwargs) -> Future[R]:
    """Have it done by a worker."""
    if not _pool:
        _pool.append(_open())
    return _pool[0][0].submit(work, *args, **more)


def close() -> None:
    """End all workers at once, in the middle of whatever they do."""
    while _pool:
        pool, lifeline = _pool.pop()
        lifeline.close()
        pool.shutdown(wait=False, cancel_futures=True)


def is_open() -> bool:
    """Whether there are workers."""
    return bool(_pool)


def _open() -> tuple[ProcessPoolExecutor, Connection]:
    """Workers, and our end of the pipe by which they notice that we are gone: the system closes it for us."""
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(WORKERS, mp_context=context, initializer=_begin, initargs=(theirs,))
    return pool, ours


def _begin(lifeline: Connection) -> None:
    """In a worker: Ctrl-C is for the table, and its end is ours.

    Fights are made of frozen things that hold no circles, so garbage is seldom looked for.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(SELDOM)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()  # nothing ever comes
    os._exit(0)
