"""The search for small faults: the places it draws, how it breaks one, and the tests it knows to reach it."""

from __future__ import annotations

import importlib.util
import random
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from tests.tools.breaks.forks import run_forks
from tests.tools.breaks.places import Place, find_spots
from tests.tools.breaks.since import can_be_seen, draw, refuse_shallow
from tests.tools.breaks.swap import break_place, probe_places

TEXT = """
def grow(size, by=2):
    if size > 3:
        return [part + by for part in range(size)]
    return size - 1


class Box:
    MAX_SIZE = 8

    @property
    def is_large(self):
        return self is None
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    """A module of its own, imported."""
    (tmp_path / "boxes.py").write_text(TEXT)
    spec = importlib.util.spec_from_file_location("boxes", tmp_path / "boxes.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find(line: str, old: str) -> Place:
    places = [spot.place for spot in find_spots("boxes.py", TEXT)]
    return next(place for place in places if line in place.line and place.old == old)


def test_a_broken_function_lives_on_in_its_module(tmp_path: Path, module: ModuleType) -> None:
    assert module.grow(4) == [2, 3, 4, 5]
    assert break_place(tmp_path, find("part + by", "+"))
    assert module.grow(4) == [-2, -1, 0, 1]
    assert module.grow(1) == 0
    assert break_place(tmp_path, find("self is None", "is"))
    assert module.Box().is_large


def test_what_runs_once_at_import_is_not_broken(tmp_path: Path, module: ModuleType) -> None:
    assert not break_place(tmp_path, find("by=2", "2"))
    assert not break_place(tmp_path, find("MAX_SIZE", "8"))
    assert not break_place(tmp_path, Place("boxes.py", "grow", "gone", "<", ">"))
    assert module.grow(4) == [2, 3, 4, 5]


def test_probes_tell_what_runs(tmp_path: Path, module: ModuleType) -> None:
    reached: set[int] = set()
    places = [
        find("part + by", "+"),
        find("size - 1", "-"),
        find("size > 3", ">"),
        find("self is None", "is"),
    ]
    probe_places(tmp_path, places, reached.add)
    assert module.grow(1) == 0
    assert reached == {1, 2}
    assert module.grow(4) == [2, 3, 4, 5]
    assert reached == {0, 1, 2}


def test_the_draw_depends_on_the_places_alone() -> None:
    places = [spot.place for spot in find_spots("boxes.py", TEXT)]
    shuffled = random.Random(1).sample(places, len(places))
    assert draw(shuffled, 4) == draw(places, 4)
    assert len({*draw(places, 4)} & {*draw(places[1:], 4)}) >= 3
    assert [place.old for place in places if place.line.startswith("MAX_SIZE") and can_be_seen(place)] == []


def test_a_fork_that_does_not_end_is_ended() -> None:
    def loop() -> bytes:
        while True:
            pass

    answers = dict(run_forks([("word", 60, lambda: b"word"), ("loop", 1, loop)], jobs=2))
    assert answers == {"word": b"word", "loop": None}


def test_a_clone_without_history_is_refused(tmp_path: Path) -> None:
    """Its only commit would be the one that stored the last release: nothing would have changed since."""

    def git(*words: str) -> None:
        name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *name, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "whole")
    for words in ("One", "Two"):
        git("-C", "whole", "commit", "-q", "--allow-empty", "-m", words)
    git("clone", "-q", "--depth", "1", f"file://{tmp_path}/whole", "shallow")
    refuse_shallow(tmp_path / "whole")
    with pytest.raises(LookupError, match="git fetch --unshallow"):
        refuse_shallow(tmp_path / "shallow")
