"""A plugin of pytest that collects tests once and tries many broken places, each in a fork of that process.

A fork changes its place and runs the tests that reach it, one after the other, until one fails. What fails is
run again in a fork of sound code: a test that fails there too tells nothing. Forks begin where collecting
ended, so no cache holds an answer of sound code.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest

from tests.tools.breaks.forks import Task, limit, run_forks
from tests.tools.breaks.places import Place
from tests.tools.breaks.reach import ROOT
from tests.tools.breaks.swap import break_place

ORDERS = "BREAKS_ORDERS"  # names the file that says what to try
SPARE, TIMES = 30.0, 20  # a test of a broken place may take these seconds beside so many times what it took


class Order(msgspec.Struct, frozen=True):
    """A place to break, and the tests to run for it in this order, each with the seconds that it took."""

    place: Place
    tests: dict[str, float]


class Orders(msgspec.Struct, frozen=True):
    """What a server tries, how many at once, and the file for the results."""

    orders: list[Order]
    results: str
    jobs: int = 1


class Result(msgspec.Struct, frozen=True):
    """What became of a place, and by which test.

    `caught`, `survived`, `unreached` (no test runs it), `import` (it runs only as its module is imported,
    which a fork cannot do again), or `endless` (a test did not end: that counts as neither caught nor
    survived, since a slower machine might say so of another place).
    """

    place: Place
    outcome: str
    by: str = ""


class Server:
    """The plugin: it tries places in place of running tests."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.failed: list[str] = []
        self.seconds = {test: took for order in orders.orders for test, took in order.tests.items()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what failed."""
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every place and write down each result as it comes."""
        self.make_database(session)
        items = {item.nodeid: item for item in session.items}
        left = {
            number: [items[test] for test in order.tests if test in items]
            for number, order in enumerate(self.orders.orders)
        }
        with Path(self.orders.results).open("wb", buffering=0) as results:
            while left:
                again = {}
                for number, result, tests in self.try_all(left, session):
                    if tests is None:
                        results.write(msgspec.json.encode(result) + b"\n")
                    else:
                        again[number] = tests
                left = again
        return True

    def make_database(self, session: pytest.Session) -> None:
        """Run a test that needs the database, so that forks find it."""
        for item in session.items:
            if "db" in getattr(item, "fixturenames", ()):
                item.ihook.pytest_runtest_protocol(item=item, nextitem=session)
                break
        self.failed.clear()

    def try_all(
        self, left: dict[int, list[pytest.Item]], session: pytest.Session
    ) -> Iterator[tuple[int, Result, list[pytest.Item] | None]]:
        """Each place by its number: its result, and the tests for another try if one of them lied."""

        def plan() -> Iterator[Task[int]]:
            for number, tests in left.items():
                yield number, partial(self.try_place, self.orders.orders[number].place, tests, session)

        lied: list[tuple[int, Result, list[pytest.Item]]] = []
        for number, answer in run_forks(plan(), self.orders.jobs):
            outcome, _, by = (answer or b"endless").decode().partition(" ")
            result, tests = Result(self.orders.orders[number].place, outcome, by), left[number]
            if outcome != "caught" or self.is_true(result.place, tests, by, session):
                yield number, result, None
            else:
                lied.append((number, result, [item for item in tests if item.nodeid != by]))
        yield from lied

    def is_true(self, place: Place, tests: Sequence[pytest.Item], by: str, session: pytest.Session) -> bool:
        """Whether a test that failed passes in sound code; alone, unless it fails only after the others."""
        until = next(number for number, item in enumerate(tests) if item.nodeid == by)
        alone, others = tests[until : until + 1], tests[: until + 1]

        def run(items: Sequence[pytest.Item]) -> bytes:
            self.run(items, session)
            return b"failed" if self.failed else b"passed"

        tasks = [
            ("broken", partial(self.try_place, place, alone, session)),
            ("sound", partial(run, alone)),
        ]
        answers = dict(run_forks(tasks, self.orders.jobs))
        if (answers["broken"] or b"").startswith(b"caught"):
            return answers["sound"] == b"passed"
        ((_, answer),) = run_forks([("sound", partial(run, others))])
        return answer == b"passed"

    def try_place(self, place: Place, tests: Sequence[pytest.Item], session: pytest.Session) -> bytes:
        """Break a place here, and run tests until one fails."""
        if not break_place(ROOT, place):
            return b"import"
        if not tests:
            return b"unreached"
        self.run(tests, session)
        return f"caught {self.failed[0]}".encode() if self.failed else b"survived"

    def run(self, items: Sequence[pytest.Item], session: pytest.Session) -> None:
        """Run tests until one fails. The last is followed by the session, which keeps its own fixtures."""
        for item, later in zip(items, [*items[1:], session], strict=True):
            if item.nodeid in self.seconds:
                limit(SPARE + TIMES * self.seconds[item.nodeid])
            item.ihook.pytest_runtest_protocol(item=item, nextitem=later)
            if self.failed:
                return


def pytest_configure(config: pytest.Config) -> None:
    """Take over, if there are orders."""
    if ORDERS in os.environ:
        orders = msgspec.json.decode(Path(os.environ[ORDERS]).read_bytes(), type=Orders)
        config.pluginmanager.register(Server(orders), "breaks")
