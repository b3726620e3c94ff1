"""A plugin of pytest that notes which tests run which places, at next to no cost.

The statement of each place tells the place's number before it runs. Every process of a run writes a file of
its own: the seconds of each test that passed, and the numbers of the places that it ran. What a file of tests
runs must not depend on the files before it: caches under which a place has run are emptied for the next file.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FrameType

import msgspec
import pytest

from combat.rules.core.basics import memory
from tests.tools.breaks.places import CODE, Place
from tests.tools.breaks.swap import probe_places

PLACES = "BREAKS_PLACES"  # names the file of the places; what is learned goes into a folder beside it
FOLDER = "reach"
ROOT = Path(__file__).resolve().parents[3]


class Reached(msgspec.Struct, frozen=True):
    """What a test that passed took, in seconds, and the numbers of the places that it ran."""

    seconds: float
    places: list[int]


class Running(dict[int, None]):
    """The places that the test under way has run, and the caches that would have hidden one of them."""

    def __init__(self) -> None:
        super().__init__()
        self.caches: dict[CodeType, _lru_cache_wrapper[object]] = {}
        self.hiding: set[CodeType] = set()

    def __missing__(self, number: int) -> None:
        """Note a place that has not run before, and the caches of its callers."""
        self[number] = None
        frame: FrameType | None = sys._getframe(1)
        while frame:
            if frame.f_code in self.caches or frame.f_code.co_filename == memory.__file__:
                self.hiding.add(frame.f_code)
            frame = frame.f_back

    def forget(self) -> None:
        """Empty the caches that have hidden a place, or may have."""
        for code in self.hiding:
            if code in self.caches:
                self.caches[code].cache_clear()
            else:
                memory.forget()


class Noter:
    """The plugin: it has the places that the test under way has run."""

    def __init__(self, places: Path) -> None:
        self.places = places
        self.running = Running()
        self.file = Path()
        self.tests: dict[str, Reached] = {}
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_collection_finish(self) -> None:
        """Put the probes in place once everything is imported."""
        probe_places(ROOT, read_places(self.places), self.running.__getitem__)
        self.running.caches = {found.__wrapped__.__code__: found for found in find_caches()}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what a test has run, with its fixtures."""
        if item.path != self.file:
            self.file = item.path
            self.running.forget()
        self.running.clear()
        done = yield
        if self.running and item.nodeid not in self.failed:
            self.tests[item.nodeid] = Reached(self.seconds.get(item.nodeid, 0.0), sorted(self.running))
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what a test takes."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what this process has learned."""
        folder = self.places.parent / FOLDER
        folder.mkdir(exist_ok=True)
        (folder / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(self.tests))


def find_caches() -> Iterator[_lru_cache_wrapper[object]]:
    """The caches of the code's own functions."""
    gc.unfreeze()
    for found in gc.get_objects():
        if type(found) is _lru_cache_wrapper and (found.__module__ or "").partition(".")[0] in CODE:
            yield found
    gc.freeze()


def read_places(file: Path) -> list[Place]:
    """The places of a file."""
    return msgspec.json.decode(file.read_bytes(), type=list[Place])


def read_reach(places: Path) -> dict[str, Reached]:
    """What all processes have learned about the places of a file, by test."""
    reach: dict[str, Reached] = {}
    for file in sorted((places.parent / FOLDER).glob("*.json")):
        reach |= msgspec.json.decode(file.read_bytes(), type=dict[str, Reached])
    return reach


def pytest_configure(config: pytest.Config) -> None:
    """Take notes, if there are places to look at."""
    if PLACES in os.environ and (hasattr(config, "workerinput") or not config.getoption("numprocesses", 0)):
        file = Path(os.environ.pop(PLACES))  # the processes that tests start have none to look at
        config.pluginmanager.register(Noter(file), "reach")
