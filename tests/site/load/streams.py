"""How soon many pages of one table hear of an action: `python -m tests.site.load.streams`.

A hosted site of two workers, one table, 60 open streams of its six people. The GM acts once every two
seconds. It prints the time from the click until each stream has heard of it, once while nobody reads what
changed and once while every page does. The clients are in this process and use the same cores.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import redis

from tests.combat.server import set_up
from tests.combat.services import REDIS_URL, describe_missing, make_database
from tests.site.load.__main__ import serve
from tests.site.load.people import Person, Table, Times, seat_people
from tests.site.load.report import find_percentile
from tests.site.load.setting import KINDS, make_tables

STREAMS, ACTIONS, EVERY, SETTLE = 60, 20, 2.0, 10.0


@dataclass
class Heard:
    """The seconds from each click until its answer, and until the middle and the last stream heard of it."""

    answered: list[float] = field(default_factory=list)
    middle: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)

    def describe(self, name: str) -> str:
        """A line of Markdown: medians, and the longest time."""
        medians = (find_percentile(times, 0.5) for times in (self.answered, self.middle, self.last))
        cells = [f"{1000 * seconds:.0f}" for seconds in (*medians, max(self.last))]
        return f"| {name} | {' | '.join(cells)} |\n"


async def measure(port: int, table: Table, times: Times, *, reads: bool) -> Heard:
    """Open the streams, act, and note when they hear."""
    people = [
        Person(port, one.table, one.kind, one.session, times)
        for number in range(STREAMS)
        for one in (table.people[number % len(KINDS)],)
    ]
    for person in people:
        await person.open_page()
    table.people[1:] = people
    tasks = [asyncio.ensure_future(person.listen()) for person in people]
    tasks += [asyncio.ensure_future(person.look()) for person in people if reads]
    await asyncio.sleep(SETTLE)
    assert all(person.told for person in people), "some streams did not begin"
    heard = Heard()
    for _ in range(ACTIONS):
        await _act(table, times, heard)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return heard


async def _act(table: Table, times: Times, heard: Heard) -> None:
    """One action, and the pause after it; every stream has to hear of it."""
    times.told.clear()
    began = time.monotonic()
    await table.act()
    heard.answered.append(time.monotonic() - began)
    await asyncio.sleep(EVERY)
    assert len(times.told) == STREAMS, f"{len(times.told)} of {STREAMS} streams heard of an action"
    heard.middle.append(find_percentile(times.told, 0.5))
    heard.last.append(max(times.told))


def main() -> int:
    """Run it once and print the times."""
    asked = argparse.ArgumentParser(prog="python -m tests.site.load.streams", description=__doc__)
    asked.add_argument("--workers", type=int, default=2)
    options = asked.parse_args()
    if missing := describe_missing():
        sys.stdout.write(f"{missing}\n")
        return 2
    with redis.Redis.from_url(REDIS_URL) as connection:
        connection.flushdb()
    with tempfile.TemporaryDirectory() as name, make_database() as database:
        folder = Path(name)
        site = set_up(folder, DATABASE_URL=database, REDIS_URL=REDIS_URL)
        made = make_tables(site, 1, folder)
        sys.stdout.write(
            "| ms | answered | half told | all told | at most |\n| --- | --- | --- | --- | --- |\n"
        )
        for reads in (False, True):
            with serve(site, options.workers) as workers:
                times = Times()
                (table,) = seat_people(made, KINDS, workers.ports, times)
                heard = asyncio.run(measure(workers.ports[0], table, times, reads=reads))
            name = f"{STREAMS} streams, {'every page reads' if reads else 'nobody reads'}"
            sys.stdout.write(heard.describe(name))
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
