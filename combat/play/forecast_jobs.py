"""Forecasts in the background: worker processes play fights, the page is told how far they are.

One job per encounter or branch. Progress lies in the cache, so that any worker of a hosted table can show
it. The table never waits: the fights are played in other processes, a chunk at a time. A job whose table
stopped or broke down is lost: it begins again when somebody looks.
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
from combat.rules.core.sides import standing_sides
from combat.rules.core.state.state import State, encode, present

from . import workers

FIGHTS, CHUNK = 1000, 10
KEEP_SECONDS = 3600
LOST_SECONDS = 60  # without a single chunk: whoever played it is gone
Place = int | str  # whose forecast it is: the number of an encounter, or the name of a branch
_begun: set[Place] = set()  # whose jobs were begun here
_lock = threading.RLock()


class Job(msgspec.Struct):
    """How far a forecast is. `stamp` is the version of the encounter it began with."""

    id: str
    stamp: str
    wanted: int = FIGHTS
    done: int = 0
    cancelled: bool = False
    failed: bool = False
    stopped: bool = False  # with its table
    touched: float = 0.0  # when it was last heard of, in seconds since 1970
    names: dict[str, str] = {}
    side_of: dict[str, str] = {}  # whom it begins with, by id
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
        """Whether whoever played it is gone."""
        return self.unfinished and (self.stopped or time.time() - self.touched > LOST_SECONDS)


def _key(place: Place) -> str:
    return f"forecast:{place}"


def read_job(place: Place) -> Job | None:
    """The job of an encounter or a branch, if there is or was one of late."""
    raw = cache.get(_key(place))
    return read_json(raw, Job) if raw else None


def _keep(place: Place, job: Job) -> None:
    job.touched = time.time()
    cache.set(_key(place), msgspec.json.encode(job), KEEP_SECONDS)


def start(encounter: Encounter, state: State) -> Job:
    """Begin a forecast from the present `state`; one that runs already goes on."""
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
    """Begin a forecast from a state; one that runs already goes on.

    Of the combatants in `unnamed` nobody is told whether they drop.
    """
    with _lock:
        known = read_job(place)
        if known and known.running:
            return known
        if len(standing_sides(find_system(slug), state)) < 2:
            raise Refused("not_allowed", "A forecast needs two sides that can still fight.")
        fighters = present(state)
        job = Job(
            secrets.token_hex(8),
            stamp,
            wanted=fights,
            names={f.id: f.name for f in fighters if f.id not in unnamed},
            side_of={f.id: f.side for f in fighters},
            sides=tuple(dict.fromkeys(f.side for f in fighters)),
        )
        _keep(place, job)
        _begun.add(place)
        for _ in range(workers.WORKERS):
            _submit(place, job.id, slug, encode(state))
        return job


def cancel(place: Place) -> None:
    """Stop a forecast after the chunk under way; what it found stays."""
    with _lock:
        job = read_job(place)
        if job and job.running:
            job.cancelled = True
            _keep(place, job)


def _submit(place: Place, job: str, slug: str, state: bytes) -> None:
    future = workers.submit(play_chunk, slug, state, CHUNK, secrets.randbits(32))
    future.add_done_callback(lambda done: _collect(done, place, job, slug, state))


def _collect(future: Future[list[Ending]], place: Place, job_id: str, slug: str, state: bytes) -> None:
    """Add a chunk to the job, and ask for another one unless those under way are enough."""
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
    """Let go of everything: the server stops. What is not finished may begin again."""
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
