"""Forecasts in the background: worker processes play fights, the page shows their progress.

One job per encounter or branch. Its progress is in the cache, so that any worker of a hosted table can show
it. The table never waits: the fights are played in other processes, a chunk at a time. A job is lost if its
table stops or crashes: it begins again when someone looks.
"""

from __future__ import annotations

import secrets
import threading
import time
from concurrent.futures import Future

import msgspec
from django.core.cache import cache

from combat.models import Encounter
from combat.rules import find_system, play_chunk
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import read_json
from combat.rules.core.odds.forecast import Ending
from combat.rules.core.people.sides import standing_sides
from combat.rules.core.state.state import State, encode, present

from . import workers

FIGHTS, CHUNK = 1000, 10
KEEP_SECONDS = 3600
LOST_SECONDS = 60  # without a single chunk: its processes are gone
Place = int | str  # whose forecast it is: the number of an encounter, or the name of a branch
_begun: set[Place] = set()  # whose jobs were begun here
_lock = threading.RLock()


class Job(msgspec.Struct):
    """The progress of a forecast. `stamp` is the version of the encounter it began with."""

    id: str
    stamp: str
    wanted: int = FIGHTS
    done: int = 0
    cancelled: bool = False
    failed: bool = False
    stopped: bool = False  # with its table
    touched: float = 0.0  # its last sign of life, in seconds since 1970
    names: dict[str, str] = {}
    side_of: dict[str, str] = {}  # the side of everyone at the start, by id
    sides: tuple[str, ...] = ()
    endings: list[Ending] = []

    @property
    def running(self) -> bool:
        """Whether fights are still being played."""
        return self.unfinished and not self.lost

    @property
    def unfinished(self) -> bool:
        """Whether there are fights left to be played."""
        return not (self.cancelled or self.failed or self.done >= self.wanted)

    @property
    def lost(self) -> bool:
        """Whether the processes that played it are gone."""
        return self.unfinished and (self.stopped or time.time() - self.touched > LOST_SECONDS)


def _key(place: Place) -> str:
    return f"forecast:{place}"


def read_job(place: Place) -> Job | None:
    """The present or most recent job of an encounter or a branch."""
    raw = cache.get(_key(place))
    return read_json(raw, Job) if raw else None


def _keep(place: Place, job: Job) -> None:
    job.touched = time.time()
    cache.set(_key(place), msgspec.json.encode(job), KEEP_SECONDS)


def start(encounter: Encounter, state: State) -> Job:
    """Begin a forecast from the present `state`; a running one goes on."""
    return begin(encounter.pk, encounter.stamp(is_gm=True), encounter.system, state)


def begin(
    place: Place,
    stamp: str,
    slug: str,
    state: State,
    *,
    fights: int = FIGHTS,
    unnamed: frozenset[str] = frozenset(),
) -> Job:
    """Begin a forecast from a state; a running one goes on.

    It does not say of the combatants in `unnamed` whether they drop.
    """
    with _lock:
        known = read_job(place)
        if known and known.running:
            return known
        if len(standing_sides(find_system(slug), state)) < 2:
            raise Refused("not_allowed", "A forecast needs two sides that can still fight.")
        combatants = present(state)
        job = Job(
            secrets.token_hex(8),
            stamp,
            wanted=fights,
            names={f.id: f.name for f in combatants if f.id not in unnamed},
            side_of={f.id: f.side for f in combatants},
            sides=tuple(dict.fromkeys(f.side for f in combatants)),
        )
        _keep(place, job)
        _begun.add(place)
        for _ in range(workers.WORKERS):
            _submit(place, job.id, slug, encode(state))
        return job


def cancel(place: Place) -> None:
    """Stop a forecast after the current chunk; its results stay."""
    with _lock:
        job = read_job(place)
        if job and job.running:
            job.cancelled = True
            _keep(place, job)


def _submit(place: Place, job: str, slug: str, state: bytes) -> None:
    future = workers.submit(play_chunk, slug, state, CHUNK, secrets.randbits(32))
    future.add_done_callback(lambda done: _collect(done, place, job, slug, state))


def _collect(future: Future[list[Ending]], place: Place, job_id: str, slug: str, state: bytes) -> None:
    """Add a chunk to the job, and ask for another unless enough are under way."""
    with _lock:
        job = read_job(place)
        if job is None or job.id != job_id or job.stopped:
            return
        if future.cancelled() or future.exception():
            job.failed = True
            workers.close()  # a pool that lost a process is of no more use
        else:
            job.endings += future.result()
            job.done = len(job.endings)
        _keep(place, job)
        if job.running and workers.is_open() and job.done + (workers.WORKERS - 1) * CHUNK < job.wanted:
            _submit(place, job_id, slug, state)


def stop() -> None:
    """Stop all jobs because the server stops; unfinished ones may begin again."""
    with _lock:
        try:
            for place in _begun:
                job = read_job(place)
                if job and job.running:
                    job.stopped = True
                    _keep(place, job)
        finally:
            _begun.clear()
            workers.close()
