"""The search for small faults: the places it draws, how it breaks one, and the tests it knows to reach it."""

from __future__ import annotations

import importlib.util
import random
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pytest

from tests.tools.breaks import __main__ as breaks
from tests.tools.breaks.__main__ import OF_ROOM, Room, make_orders, read_rooms, sort_by_room
from tests.tools.breaks.forks import limit, run_forks
from tests.tools.breaks.places import Place, find_spots
from tests.tools.breaks.reach import Reached, Running
from tests.tools.breaks.server import Result
from tests.tools.breaks.since import can_be_seen, choose_release, draw, find_changed_places, keep_release
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


@pytest.mark.parametrize("is_direct", [True, False])
def test_a_cache_hides_no_place_from_the_next_file(
    tmp_path: Path, module: ModuleType, *, is_direct: bool
) -> None:
    running = Running()
    probe_places(tmp_path, [find("size - 1", "-")], running.__getitem__)
    ask = lru_cache(module.grow if is_direct else lambda size: module.grow(size))
    other = lru_cache(lambda size: size)
    running.caches = {found.__wrapped__.__code__: found for found in (ask, other)}
    for _ in range(2):
        assert [ask(1), other(1)] == [0, 1]
        assert list(running) == [0]
        running.clear()
        assert ask(1) == 0
        assert list(running) == [], "the cache hides it"
        running.forget()
    assert (ask.cache_info().currsize, other.cache_info().currsize) == (0, 1), "what hides nothing stays"


def test_the_draw_depends_on_the_places_alone() -> None:
    places = [spot.place for spot in find_spots("boxes.py", TEXT)]
    shuffled = random.Random(1).sample(places, len(places))
    assert draw(shuffled, 4) == draw(places, 4)
    assert len({*draw(places, 4)} & {*draw(places[1:], 4)}) >= 3
    assert [place.old for place in places if place.line.startswith("MAX_SIZE") and can_be_seen(place)] == []


@pytest.mark.parametrize(
    ("line", "is_seen"),
    [
        ("return size + 16", True),
        ("nonce = secrets.token_urlsafe(16)", False),
        ("uid=secrets.token_hex(16),", False),
        ("if len(words) > MAX_WORDS:", False),
        ("if token != 16:", True),
    ],
)
def test_a_mere_limit_is_no_place(line: str, is_seen: bool) -> None:
    assert can_be_seen(Place("combat/boxes.py", "grow", line, "16", "17")) == is_seen


def test_a_fork_that_does_not_end_is_ended() -> None:
    def loop() -> bytes:
        limit(1)
        while True:
            pass

    answers = dict(run_forks([("word", lambda: b"word"), ("loop", loop)], jobs=2))
    assert answers == {"word": b"word", "loop": None}


def test_what_has_changed_is_known_without_a_history(tmp_path: Path) -> None:
    code = tmp_path / "combat" / "boxes.py"
    code.parent.mkdir()
    code.write_text(TEXT)
    keep_release(tmp_path, tmp_path / "kept" / "1.1.0.json")
    release = choose_release(tmp_path / "kept", "1.2.0", has_begun=False)
    assert find_changed_places(tmp_path, release) == []
    code.write_text("import random\n\n" + TEXT.replace("size > 3", "size > 4"))
    changed = find_changed_places(tmp_path, release)
    assert [(place.function, place.old) for place in changed] == [("grow", ">"), ("grow", "4")]
    (tmp_path / "combat" / "new.py").write_text("def add(size):\n    return size + size\n")
    assert [place.path for place in find_changed_places(tmp_path, release)] == ["combat/boxes.py"] * 2 + [
        "combat/new.py"
    ]


@pytest.mark.slow
def test_a_tree_without_changes_has_nothing_to_break(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(breaks, "find_changed_places", lambda root, release: [])
    assert breaks.main(["--most", "24"]) == 0
    assert "No line with a place to break has changed" in capsys.readouterr().out


def test_a_release_is_compared_with_the_one_before_it(tmp_path: Path) -> None:
    for name in ("1.9.0", "1.10.0"):
        (tmp_path / f"{name}.json").write_text("{}")
    assert choose_release(tmp_path, "1.10.0", has_begun=False).stem == "1.9.0"
    assert choose_release(tmp_path, "1.10.0", has_begun=True).stem == "1.10.0"
    with pytest.raises(LookupError, match="no sums of a release before 1"):
        choose_release(tmp_path / "none", "1.0.0", has_begun=False)


def test_only_the_places_of_some_files_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = ["combat/log/one.py", "combat/log/two.py", "combat/login.py", "combat/maps/deep/one.py"]
    places = [Place(path, "roll", "a + b", "+", "-") for path in paths]
    monkeypatch.setattr(breaks, "find_changed_places", lambda root, release: places)
    for of, kept in (
        ([], paths),
        (["--of", "combat/log"], paths[:2]),
        (["--of", "combat/log/two.py", "combat/maps"], [paths[1], paths[3]]),
    ):
        assert [place.path for place in breaks.take_places(breaks.read_arguments(of))] == kept
    with pytest.raises(SystemExit):
        breaks.read_arguments(["--fix", "--of", "combat/log"])


def test_a_place_is_asked_of_near_and_quick_tests_first() -> None:
    place = Place("combat/rules/core/dice.py", "roll", "a + b", "+", "-")
    reach = {
        "tests/combat/rules/core/test_dice.py::test_long": Reached(9.0, [0, 1]),
        "tests/combat/rules/core/test_dice.py::test_short": Reached(2.0, [0]),
        "tests/combat/pages/test_page.py::test_quickest": Reached(1.0, [0]),
        "tests/combat/pages/test_page.py::test_page[chromium]": Reached(0.1, [0]),
        "tests/combat/rules/core/test_dice.py::test_other": Reached(0.1, [1]),
        "tests/walker/test_walker.py::test_today": Reached(0.1, [0]),
    }
    asked = [
        [test.partition("::")[2] for test in make_orders([place], reach, most)[0].tests]
        for most in (None, 2, 1)
    ]
    assert asked == [
        ["test_short", "test_long", "test_quickest"],
        ["test_short", "test_long"],
        ["test_short"],
    ]


def test_a_room_that_seems_worse_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, unseen = (Place(f"combat/log/{name}.py", "roll", "a + b", "+", "-") for name in ("one", "two"))
    results = [Result(seen, "caught", "tests/test_one.py::test"), Result(unseen, "survived")]
    for least, doubtful in ((2, {unseen}), (1, set())):
        monkeypatch.setattr(
            breaks, "read_rooms", lambda least=least: {"combat/log": Room(least, [seen, unseen])}
        )
        assert breaks.find_doubtful(results) == doubtful


def test_fixed_places_are_a_few_of_each_room() -> None:
    rooms = read_rooms()
    assert len(rooms) > 50
    for name, room in rooms.items():
        assert 0 <= room.least <= len(set(room.places)) == len(room.places) <= OF_ROOM
        assert list(sort_by_room(room.places)) == [name]
        assert all(map(can_be_seen, room.places))
