"""Run functions in forks of this process, several at once, each with a limit of memory.

A function calls `limit` before each of its steps: a step that takes more ends its fork.
"""

from __future__ import annotations

import os
import resource
import select
import signal
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from typing import NoReturn, TypeVar

MEMORY = 6 << 30  # bytes of a fork
STUCK = 600  # seconds after which a fork is ended whose step waits for something
PIECE = 1 << 16  # bytes read from a fork at once

K = TypeVar("K", bound=Hashable)
Task = tuple[K, Callable[[], bytes]]  # a name, what to do


def run_forks(tasks: Iterable[Task[K]], jobs: int = 1) -> Iterator[tuple[K, bytes | None]]:
    """The name of each task with what it gave, in the order in which they end; None if it had to be ended."""
    waiting, running = (
        iter(tasks),
        dict[int, tuple[K, int, bytearray]](),
    )  # by the end of a pipe: name, process, answer
    try:
        while True:
            while len(running) < jobs and (task := next(waiting, None)):
                name, act = task
                process, pipe = _fork(act)
                running[pipe] = name, process, bytearray()
            if not running:
                return
            for pipe in select.select(list(running), [], [])[0]:
                name, process, answer = running[pipe]
                if piece := os.read(pipe, PIECE):
                    answer += piece
                    continue
                del running[pipe]
                os.close(pipe)
                yield name, _end(process, answer)
    finally:
        for pipe, (_, process, _) in running.items():
            os.close(pipe)
            _kill(process)
            os.waitpid(process, 0)


def limit(seconds: float) -> None:
    """End this fork if its next step takes more seconds of processor."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    ends = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (ends, resource.RLIM_INFINITY))
    signal.alarm(STUCK)


def _fork(act: Callable[[], bytes]) -> tuple[int, int]:
    """Start a fork: its process, and the end of the pipe from which its answer comes."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        _act_apart(act, writing)
    os.close(writing)
    return process, reading


def _act_apart(act: Callable[[], bytes], writing: int) -> NoReturn:
    """Do the task in the fork, send the answer, and end without what pytest does at its end."""
    status = 1
    try:
        os.setsid()  # so that what it starts ends with it
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(nothing, standard)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        with open(writing, "wb") as answer:
            answer.write(act())
        status = 0
    finally:
        os._exit(status)


def _end(process: int, answer: bytearray) -> bytes | None:
    """The answer of a fork that has closed its pipe; None if it did not end well."""
    _, status = os.waitpid(process, 0)
    _kill(process)
    return bytes(answer) if status == 0 else None


def _kill(process: int) -> None:
    """End a fork and what it started."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
