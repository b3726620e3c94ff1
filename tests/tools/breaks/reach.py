"""A plugin of pytest that notes which tests run which places, at next to no cost.

The statement of each place tells the place's number before it runs. Every process of a run writes a file of
its own: the seconds of each test that passed, and the numbers of the places that it ran.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from tests.tools.breaks.places import Place
from tests.tools.breaks.swap import probe_places

PLACES = "BREAKS_PLACES"  # names the file of the places; what is learned goes into a folder beside it
FOLDER = "reach"
ROOT = Path(__file__).resolve().parents[3]


class Reached(msgspec.Struct, frozen=True):
    """What a test that passed took, in seconds, and the numbers of the places that it ran."""

    seconds: float
    places: list[int]


class Noter:
    """The plugin: it has the places that the test under way has run."""

    def __init__(self, places: Path) -> None:
        self.places = places
        self.running: set[int] = set()
        self.tests: dict[str, Reached] = {}
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_collection_finish(self) -> None:
        """Put the probes in place once everything is imported."""
        probe_places(ROOT, read_places(self.places), self.running.add)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what a test has run, with its fixtures."""
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
        config.pluginmanager.register(Noter(Path(os.environ[PLACES])), "reach")
