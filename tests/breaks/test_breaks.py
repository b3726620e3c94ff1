"""Breaking places of a small tree, one at a time, and finding them again after they moved."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.breaks.places import Place, choose_places, find_again, find_places, find_spots
from tests.breaks.tries import broken, copy_tree, find_near_tests, find_runs, try_place

CODE = '''"""Adds 1 and 2, which no change may reach."""

MOST: int = 7


def is_near(far: int, near: bool = False) -> bool:
    """Whether 3 < 4."""
    if not near and far is not None:
        return far // 2 <= MOST - far - 1
    return f"{far + 1}" in ("5", far)
'''
TEST = "from combat.near import is_near\n\ndef test_near() -> None:\n    assert {}\n"
LIMIT = Place("combat/near.py", "is_near", "return far // 2 <= MOST - far - 1", "<=", "<")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of one module and its test, in git."""
    root = tmp_path / "tree"
    for name, text in {
        "combat/near.py": CODE,
        "tests/combat/test_near.py": TEST.format("is_near(3)"),
        "tests/combat/test_apart.py": "def test_other() -> None:\n    assert True\n",
        "tests/characters/test_far.py": TEST.format("not is_near(20)"),
        "pytest.ini": "[pytest]\naddopts = -p no:django\n",
        ".gitignore": "left_out\n",
        "left_out": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_operators_comparisons_and_numbers_can_be_changed() -> None:
    changes = [(spot.place.old, spot.place.new, spot.place.number) for spot in find_spots("near.py", CODE)]
    assert changes == [
        ("7", "8", 0),
        ("not ", "", 0),
        ("and", "or", 0),
        ("is not", "is", 0),
        ("//", "*", 0),
        ("2", "3", 0),
        ("<=", "<", 0),
        ("-", "+", 0),
        ("-", "+", 1),
        ("1", "2", 0),
        ("in", "not in", 0),
    ]


def test_each_change_makes_other_code() -> None:
    for spot in find_spots("near.py", CODE):
        changed = CODE[: spot.start] + spot.place.new + CODE[spot.end :]
        assert changed != CODE
        compile(changed, "near.py", "exec")


def test_same_seed_chooses_the_same_places(tree: Path) -> None:
    places = find_places(tree)
    assert choose_places(places, 5, 1) == choose_places(places, 5, 1) != choose_places(places, 5, 2)
    assert choose_places(places, 99, 1) == places


def test_places_are_found_again_in_a_moved_and_renamed_line(tree: Path) -> None:
    assert find_again(LIMIT, find_places(tree)) == LIMIT
    (tree / "combat/room").mkdir()
    (tree / "combat/near.py").rename(tree / "combat/room/near.py")
    moved = tree / "combat/room/near.py"
    moved.write_text(moved.read_text().replace("MOST", "LARGEST").replace("is_near", "is_close"))
    found = find_again(LIMIT, find_places(tree))
    assert found
    assert (found.path, found.line) == ("combat/room/near.py", "return far // 2 <= LARGEST - far - 1")
    moved.write_text("MOST = 7\n")
    assert find_again(LIMIT, find_places(tree)) is None


def test_file_is_as_before_whatever_happens(tree: Path) -> None:
    def stop() -> None:
        with broken(tree, LIMIT):
            assert "far // 2 < MOST" in (tree / LIMIT.path).read_text()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert (tree / LIMIT.path).read_text() == CODE


def test_nearest_tests_come_first(tree: Path) -> None:
    near = ["tests/combat/test_near.py", "tests/characters/test_far.py", "tests/combat/test_apart.py"]
    assert find_near_tests(tree, "combat/near.py") == near
    assert find_near_tests(tree, "combat/rules/core/apart.py") == [near[2], near[0]]


def test_further_runs_are_for_the_places_they_name(tree: Path) -> None:
    then = ["combat/rules: tests -m '' -k {game}", "combat/rules/core: a", "b"]
    duel = [*find_runs(tree, "combat/rules/duel/near.py", then)]
    assert duel[1:] == [
        ["tests", "-m", "", "-k", "duel"],
        ["b"],
    ]
    assert [*find_runs(tree, "combat/rules/core/near.py", then)][1:] == [["a"], ["b"]]
    assert [*find_runs(tree, "combat/near.py", then)][1:] == [["b"]]


def test_broken_places_are_caught_or_survive_in_a_copy(tree: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy_tree(tree, copy)
    assert not (copy / "left_out").exists()
    survivor = try_place(copy, LIMIT)
    assert (survivor.outcome, survivor.by) == ("survived", "")
    (logic,) = [place for place in find_places(tree) if place.old == "and"]
    (copy / "tests/combat/test_near.py").write_text(TEST.format("not is_near(3, near=True)"))
    caught = try_place(copy, logic)
    assert (caught.outcome, caught.by) == ("caught", "tests/combat/test_near.py::test_near")
    assert (copy / logic.path).read_text() == CODE
