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
SELDOM = 50_000  # objects made before a worker collects garbage
_pool: list[tuple[ProcessPoolExecutor, Connection]] = []


def submit(work: Callable[P, R], *args: P.args, **more: P.kwargs) -> Future[R]:
    """Run a call in a worker."""
    if not _pool:
        _pool.append(_open())
    return _pool[0][0].submit(work, *args, **more)


def close() -> None:
    """End all workers at once, in the middle of their work."""
    while _pool:
        pool, lifeline = _pool.pop()
        lifeline.close()
        pool.shutdown(wait=False, cancel_futures=True)


def is_open() -> bool:
    """Whether there are workers."""
    return bool(_pool)


def _open() -> tuple[ProcessPoolExecutor, Connection]:
    """The workers, and our end of a pipe: when this process ends, the system closes it and they notice."""
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(WORKERS, mp_context=context, initializer=_begin, initargs=(theirs,))
    return pool, ours


def _begin(lifeline: Connection) -> None:
    """Set up a worker: it ignores Ctrl-C and ends with the table.

    Fights are made of frozen things without reference cycles, so garbage is rarely collected.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(SELDOM)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()  # nothing ever comes: this ends when the pipe is closed
    os._exit(0)
