"""Forecasts in the background: worker processes play fights, the page is told how far they are.

One job per encounter. Progress lies in the cache, so that any worker of a hosted table can show
it. The table never waits: the fights are played in other processes, a chunk at a time, and one core
is left to it.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass

import msgspec
from django.core.cache import cache

from .models import Encounter
from .play import read_state
from .rules import find_system, play_chunk
from .rules.core.errors import Refused
from .rules.core.forecast import Ending, find_error, standing_sides, sum_up
from .rules.core.state import present

FIGHTS, CHUNK = 1000, 10
WORKERS = max(1, min(4, (os.cpu_count() or 2) - 1))
KEEP_SECONDS = 3600
_pool: list[ProcessPoolExecutor] = []
_lock = threading.RLock()


class Job(msgspec.Struct):
    """How far a forecast is. `stamp` is the version of the encounter it began with."""

    id: str
    stamp: str
    wanted: int = FIGHTS
    done: int = 0
    cancelled: bool = False
    failed: bool = False
    names: dict[str, str] = {}
    sides: tuple[str, ...] = ()
    endings: list[Ending] = []

    @property
    def running(self) -> bool:
        """Whether fights are still being played."""
        return not (self.cancelled or self.failed or self.done >= self.wanted)


@dataclass(frozen=True)
class Chance:
    """A row of the panel: percent, and the half width of its 95 % band."""

    label: str
    percent: int
    band: str


def _key(encounter: int) -> str:
    return f"forecast:{encounter}"


def read_job(encounter: int) -> Job | None:
    """The job of an encounter, if there is or was one of late."""
    raw = cache.get(_key(encounter))
    return msgspec.json.decode(raw, type=Job) if raw else None


def _keep(encounter: int, job: Job) -> None:
    cache.set(_key(encounter), msgspec.json.encode(job), KEEP_SECONDS)


def start(encounter: Encounter) -> Job:
    """Begin a forecast from the present state; one that runs already goes on."""
    with _lock:
        known = read_job(encounter.pk)
        if known and known.running:
            return known
        state, system = read_state(encounter), find_system(encounter.system)
        if len(standing_sides(system, state)) < 2:
            raise Refused("not_allowed", "A forecast needs two sides that can still fight.")
        fighters = present(state)
        job = Job(
            secrets.token_hex(8),
            encounter.stamp(is_gm=True),
            names={f.id: f.name for f in fighters},
            sides=tuple(dict.fromkeys(f.side for f in fighters)),
        )
        _keep(encounter.pk, job)
        for _ in range(WORKERS):
            _submit(encounter.pk, job.id, encounter.system, bytes(encounter.state))
        return job


def cancel(encounter: int) -> None:
    """Stop a forecast after the chunk under way; what it found stays."""
    with _lock:
        job = read_job(encounter)
        if job and job.running:
            job.cancelled = True
            _keep(encounter, job)


def _submit(encounter: int, job: str, slug: str, state: bytes) -> None:
    if not _pool:
        context = multiprocessing.get_context("spawn")
        _pool.append(ProcessPoolExecutor(max_workers=WORKERS, mp_context=context))
    future = _pool[0].submit(play_chunk, slug, state, CHUNK, secrets.randbits(32))
    future.add_done_callback(lambda done: _collect(done, encounter, job, slug, state))


def _collect(future: Future[list[Ending]], encounter: int, job_id: str, slug: str, state: bytes) -> None:
    """Add a chunk to the job, and ask for another one unless those under way are enough."""
    with _lock:
        job = read_job(encounter)
        if job is None or job.id != job_id:
            return
        if future.cancelled() or future.exception():
            job.failed = True
            close()  # a pool that lost a process is of no more use
        else:
            job.endings += future.result()
            job.done = len(job.endings)
        _keep(encounter, job)
        if job.running and _pool and job.done + (WORKERS - 1) * CHUNK < job.wanted:
            _submit(encounter, job_id, slug, state)


def close() -> None:
    """Let the worker go: the server stops."""
    while _pool:
        _pool.pop().shutdown(wait=False, cancel_futures=True)


def view_wins(job: Job) -> list[Chance]:
    """The chance of each side to be the last one standing."""
    found = sum_up(job.endings)
    return [_chance(side, found.wins.get(side, 0.0), job.done) for side in job.sides]


def view_drops(job: Job) -> list[Chance]:
    """The chance of each fighter to drop."""
    found = sum_up(job.endings)
    return [_chance(name, found.drops.get(who, 0.0), job.done) for who, name in job.names.items()]


def view_rounds(job: Job) -> str:
    """The mean number of rounds."""
    return f"{sum_up(job.endings).rounds:.1f}" if job.done else ""


def _chance(label: str, chance: float, fights: int) -> Chance:
    return Chance(label, round(100 * chance), f"{100 * find_error(chance, fights):.1f}")
