"""Forecasts in the background: worker processes play fights, the page shows their progress.

One job per encounter or branch. Its progress is in the cache, so that any worker of a hosted table can show
it. The table never waits: the fights are played in other processes, a chunk at a time, until the chances are
known well enough. Each chunk has its own dice and counts in its place: one seed gives one forecast, however
many workers play it. A job is lost if its table stops or crashes: it begins again when someone looks.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from django.core.cache import cache

from combat.models import Encounter
from combat.rules import find_system, play_chunk
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, find_action
from combat.rules.core.gm.reserves import plan_reserves
from combat.rules.core.odds.forecast import (
    CHUNK,
    LEAST,
    MOST,
    Ending,
    count_needed,
    find_closeness,
    is_settled,
    play_step,
)
from combat.rules.core.sides import find_able, standing_sides
from combat.rules.core.state.state import Combatant, State, encode, find_waiting, present

from . import workers

NEEDS_SIDES = "A forecast needs two sides that can still fight."
KEEP_SECONDS = 3600
LOST_SECONDS = 60  # without a single chunk: its processes are gone
Play = Callable[[str, bytes, int, int], list[Ending]]
Place = int | str  # whose forecast it is: the number of an encounter, or the name of a branch
_begun: set[Place] = set()  # whose jobs were begun here
_lock = threading.RLock()

FIGHTS = 100  # that each change is tried in
MOST_CHANGES = 4  # changes of each kind


class Job(msgspec.Struct):
    """The progress of a forecast. `stamp` is the version of the encounter it began with, `slug` its game.

    A chunk has `chunk` fights, or evenings. `next` is the number of the next chunk to play; `ahead` are
    finished chunks, by number, that wait for an earlier one. The chances are known within `closeness`, a
    chance; that is enough after `needed` fights, as it looks now, and after `most` in any case.
    """

    id: str
    stamp: str
    slug: str
    seed: int = 0
    next: int = 0
    done: int = 0
    chunk: int = CHUNK
    most: int = MOST
    needed: int = LEAST
    closeness: float = 1.0
    settled: bool = False
    cancelled: bool = False
    failed: bool = False
    stopped: bool = False  # with its table
    touched: float = 0.0  # its last sign of life, in seconds since 1970
    names: dict[str, str] = {}
    side_of: dict[str, str] = {}  # the side of everyone at the start, by id
    sides: tuple[str, ...] = ()
    endings: list[Ending] = []
    ahead: dict[int, list[Ending]] = {}

    @property
    def running(self) -> bool:
        """Whether fights are still being played."""
        return self.unfinished and not self.lost

    @property
    def unfinished(self) -> bool:
        """Whether there are fights left to be played."""
        return not (self.cancelled or self.failed or self.settled)

    @property
    def within(self) -> int:
        """How closely the chances are known, in points."""
        return round(100 * self.closeness)

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
    unnamed: frozenset[str] = frozenset(),
    most: int = MOST,
    at_round: int | None = None,
) -> Job:
    """Begin a forecast from a state; a running one goes on, unless the fight has moved on since.

    It does not say of the combatants in `unnamed` whether they drop. It ends after `most` fights. Those who
    wait arrive only if it is asked: in the round `at_round`, as planned if it is 0.
    """
    state = plan_reserves(state, at_round)
    if len(standing_sides(find_system(slug), state)) < 2:
        raise Refused("not_allowed", NEEDS_SIDES)
    combatants = [*present(state), *find_waiting(state)]
    job = Job(
        secrets.token_hex(8),
        stamp,
        slug,
        most=most,
        names={f.id: f.name for f in combatants if f.id not in unnamed},
        side_of={f.id: f.side for f in combatants},
        sides=tuple(dict.fromkeys(f.side for f in combatants)),
    )
    return launch(place, job, play_chunk, encode(state))


def launch(place: Place, job: Job, play: Play, start: bytes) -> Job:
    """Begin a new job of a place: workers `play` chunks of it from the `start`.

    A running one of the same stamp goes on in its stead, also if two are launched at once.
    """
    with _lock:
        known = read_job(place)
        if known and known.running and known.stamp == job.stamp:
            return known
        job.seed, job.next = secrets.randbits(32), workers.WORKERS
        _keep(place, job)
        _begun.add(place)
        for number in range(workers.WORKERS):
            _submit(place, job, number, play=play, start=start)
        return job


def cancel(place: Place) -> None:
    """Stop a forecast after the current chunk; its results stay."""
    with _lock:
        job = read_job(place)
        if job and job.running:
            job.cancelled = True
            _keep(place, job)


def _submit(place: Place, job: Job, number: int, play: Play, start: bytes) -> None:
    """Have a worker play one chunk of a job."""
    future = workers.submit(play, job.slug, start, job.chunk, job.seed + number)
    again = partial(_submit, play=play, start=start)
    future.add_done_callback(lambda done: _collect(done, place, job.id, number=number, again=again))


def _collect(
    future: Future[list[Ending]],
    place: Place,
    job_id: str,
    number: int,
    again: Callable[[Place, Job, int], None],
) -> None:
    """Add a chunk to the job, and ask for another one unless the chances are known well enough."""
    with _lock:
        job = read_job(place)
        if job is None or job.id != job_id or job.stopped:
            return
        if future.cancelled() or future.exception():
            job.failed = True
            workers.close()  # a pool that lost a process is of no more use
        else:
            job.ahead[number] = future.result()
            _count_chunks(job)
        following, job.next = job.next, job.next + 1
        _keep(place, job)
        if job.running and workers.is_open():
            again(place, job, following)


def _count_chunks(job: Job) -> None:
    """Count the chunks that are in their place, in order, until these are fights enough."""
    while not job.settled and (chunk := job.ahead.pop(job.done // job.chunk, None)):
        job.endings += chunk
        job.done = len(job.endings)
        job.settled = job.done >= job.most or is_settled(job.endings)
    if job.done:
        job.closeness = find_closeness(job.endings)
        job.needed = min(job.most, count_needed(job.endings))


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


# What a forecast is tried with: the fight without someone, or with one more of them.


@dataclass(frozen=True)
class Change:
    """A change that can be tried: its key, its words, whom it is about, and the command that makes it."""

    key: str
    words: str
    who: str
    name: str


def list_changes(system: System, state: State) -> tuple[Change, ...]:
    """The changes to try: without one of each kind, or with one more of them.

    A change after which one side is left is none.
    """
    able = find_able(system, state)
    kinds: dict[tuple[str, str], Combatant] = {}
    for one in able:
        kinds.setdefault((one.side, one.name.rstrip(" 0123456789")), one)
    alone = {one.id for one in able if sum(other.side == one.side for other in able) == 1}
    without = [
        Change(f"remove:{one.id}", f"Without {one.name}", one.id, "remove")
        for one in kinds.values()
        if one.id not in alone
    ]
    more = [
        Change(f"duplicate:{one.id}", f"One more {kind}", one.id, "duplicate")
        for (_, kind), one in kinds.items()
        if not one.pc
    ]
    return (*without[:MOST_CHANGES], *more[:MOST_CHANGES])


def try_out(system: System, state: State, name: str, fields: Mapping[str, Any]) -> State:
    """The state after a command of the GM's, which is done nowhere; raises Refused."""
    command = read_command(find_action(system, name), dict(fields))
    auto = AutoDriver(random.Random(0))  # noqa: S311 - no die is kept
    return play_step(system, state, name, command=command, auto=auto).state
