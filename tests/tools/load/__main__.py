"""Many tables at once on a hosted site of two workers, with every connection cut once in the middle.

`python -m tests.tools.load` runs it on 127.0.0.1 with a database of its own, in at most 90 seconds of load.
It prints a table of measurements, and exits with 1 if anything was lost or any page was not told. With
`--by-table` each worker has a port of its own and each table asks one of them, as behind a load balancer that
goes by the table.

locust counts answers by address. What is asked here is whether each change reaches the live pages of all
others at a table, in order, also while a worker, Redis and the database are ended.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import redis

from tests.combat.server import Server, Site, set_up
from tests.combat.services import REDIS_URL, describe_missing, make_database
from tests.tools.load import harm
from tests.tools.load.people import Person, Table, Times, seat_people
from tests.tools.load.report import Moment, Run, describe
from tests.tools.load.setting import KINDS, check_tables, make_tables

QUIET, OPEN, SETTLE = 5.0, 60.0, 20.0  # seconds: without actions, until all listen, to hear the last event
WARM = 24  # pages opened at once
HARM_AT = (0.2, 0.45, 0.7)  # of the phase with pauses: a worker, Redis, the database


@dataclass
class Plan:
    """The load and its duration: seconds in all, and seconds between the actions of a table."""

    tables: int = 100
    paced: float = 55.0
    every: float = 30.0
    flood: float = 15.0
    workers: int = 2
    by_table: bool = False


@dataclass(frozen=True)
class Workers:
    """What serves the tables: the ports to ask, and how to find the processes that run now."""

    ports: tuple[int, ...]
    find: Callable[[], list[int]]


@dataclass
class Watch:
    """The use of processor and memory, sampled whenever the load changes."""

    workers: Workers
    database: str
    moments: list[Moment] = field(default_factory=list)

    def note(self, name: str) -> None:
        """Remember the time, and the processor seconds of workers and database."""
        workers = self.workers.find()
        backends = harm.find_backends(self.database)
        used = harm.count_seconds(workers), harm.count_loop_seconds(workers), harm.count_seconds(backends)
        self.moments.append(Moment(name, time.monotonic(), *used))

    @property
    def megabytes(self) -> list[float]:
        """The memory of each worker now."""
        return harm.count_megabytes(self.workers.find())


@contextmanager
def serve(site: Site, workers: int) -> Iterator[Workers]:
    """The site hosted as HOSTING.md says: one uvicorn that keeps n workers running."""
    words = ["-m", "uvicorn", "cosmos_site.asgi:application", "--port", "0", "--workers", str(workers)]
    words += ["--timeout-graceful-shutdown", "2", "--no-access-log", "--ws", "none"]
    with site.start(words, _stop) as server:
        yield Workers((server.port,), lambda: harm.find_workers(server.process.pid))


@contextmanager
def serve_apart(site: Site, workers: int) -> Iterator[Workers]:
    """The same with a port for each worker; one that ends is started again, as a service manager does."""
    running, stop = dict[int, Server](), threading.Event()

    def keep(number: int) -> None:
        port = 0
        while not stop.is_set():
            with site.serve(port) as server:
                running[number], port = server, server.port
                while server.process.poll() is None and not stop.wait(0.2):
                    pass

    keepers = [threading.Thread(target=keep, args=(number,)) for number in range(workers)]
    try:
        for keeper in keepers:
            keeper.start()
        while len(running) < workers:
            assert all(keeper.is_alive() for keeper in keepers)
            time.sleep(0.05)
        ports = tuple(running[number].port for number in range(workers))
        yield Workers(ports, lambda: [server.process.pid for server in running.values()])
    finally:
        stop.set()
        for keeper in keepers:
            keeper.join()


def _stop(process: subprocess.Popen[str]) -> None:
    """Let uvicorn end its workers; then kill the rest."""
    left = harm.find_workers(process.pid)
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    process.kill()
    for worker in left:
        with suppress(ProcessLookupError):
            os.kill(worker, 9)


async def run_load(plan: Plan, workers: Workers, database: str, tables: list[Table], times: Times) -> Run:
    """Open all pages, let everyone play and everything break, and wait until all have heard."""
    people = [person for table in tables for person in table.people]
    watch, started = Watch(workers, database), time.monotonic()
    gate = asyncio.Semaphore(WARM)

    async def open_page(person: Person) -> None:
        async with gate:
            await person.open_page()

    await asyncio.gather(*(open_page(person) for person in people))
    run = Run(len(tables), len(people), plan.every, opened=time.monotonic() - started)
    tasks = [asyncio.ensure_future(each) for person in people for each in (person.listen(), person.look())]
    run.heard = await _wait_until(lambda: all(person.told for person in people), OPEN)
    watch.note("quiet")
    await asyncio.sleep(QUIET)
    watch.note("paced")
    breaking = asyncio.ensure_future(_break_everything(plan, workers, database, run))
    await _play(tables, plan.paced, plan.every)
    await breaking
    run.paced = _take(times)
    watch.note("flood")
    await _play(tables, plan.flood, 0)
    run.flood = _take(times)
    watch.note("end")
    run.settled = await _wait_until_still(people)
    run.moments, run.megabytes = watch.moments, watch.megabytes
    run.streams = sum(person.streams for person in people)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return run


async def _play(tables: list[Table], seconds: float, every: float) -> None:
    until, chance = time.monotonic() + seconds, random.Random(1)
    await asyncio.gather(*(table.play(until, every, random.Random(chance.random())) for table in tables))


def _take(times: Times) -> Times:
    """The measurements until now; start the next phase empty."""
    taken = Times(times.actions[:], times.told[:], times.read[:], times.failed[:])
    for kept in (times.actions, times.told, times.read, times.failed):
        kept.clear()
    return taken


async def _break_everything(plan: Plan, workers: Workers, database: str, run: Run) -> None:
    """Break one thing after the other, each in a thread; note when, and what was done."""
    began = time.monotonic()
    harms = (
        lambda: harm.kill_worker(workers.find()),
        lambda: harm.cut_redis(REDIS_URL, workers.find()),
        lambda: harm.end_connections(database),
    )
    for share, break_it in zip(HARM_AT, harms, strict=True):
        await asyncio.sleep(max(0.0, began + share * plan.paced - time.monotonic()))
        moment = time.monotonic()
        run.harms.append((moment, await asyncio.to_thread(break_it)))


async def _wait_until(what: Callable[[], bool], most: float) -> float:
    """Wait until something is true, at most this many seconds; return the seconds it took."""
    started = time.monotonic()
    while not what() and time.monotonic() - started < most:
        await asyncio.sleep(0.05)
    return time.monotonic() - started


async def _wait_until_still(people: list[Person]) -> float:
    """Wait until every page shows the last change it heard of; return the seconds it took."""
    return await _wait_until(lambda: all(person.version == person.told for person in people), SETTLE)


def main() -> int:
    """Run it once and print the result."""
    plan = read_plan()
    if missing := describe_missing():
        sys.stdout.write(f"{missing}\n")
        return 2
    with redis.Redis.from_url(REDIS_URL) as connection:
        connection.flushdb()
    with tempfile.TemporaryDirectory() as name, make_database() as database:
        folder, times = Path(name), Times()
        site = set_up(folder, DATABASE_URL=database, REDIS_URL=REDIS_URL)
        made = make_tables(site, plan.tables, folder)
        busy = os.getloadavg()[0]
        with (serve_apart if plan.by_table else serve)(site, plan.workers) as workers:
            tables = list(seat_people(made, KINDS, workers.ports, times))
            run = asyncio.run(run_load(plan, workers, database, tables, times))
        run.busy = busy
        run.kept = check_tables(site, [table.gm.table for table in tables], folder)
    sys.stdout.write(describe(run, tables))
    return 0 if run.is_sound(tables) else 1


def read_plan() -> Plan:
    """The load to put on the site: at most 90 seconds."""
    asked = argparse.ArgumentParser(prog="python -m tests.tools.load")
    asked.add_argument("--tables", type=int, default=Plan.tables)
    asked.add_argument("--paced", type=float, default=Plan.paced)
    asked.add_argument("--every", type=float, default=Plan.every)
    asked.add_argument("--flood", type=float, default=Plan.flood)
    asked.add_argument("--by-table", action="store_true", help="each worker has a port, each table a worker")
    plan = Plan(**vars(asked.parse_args()))
    plan.paced, plan.flood = min(plan.paced, 60.0), min(plan.flood, 25.0)
    return plan


if __name__ == "__main__":
    sys.exit(main())
