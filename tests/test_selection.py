"""The tests of a default run, and what the gate runs."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.conftest import IN_BROWSERS, LONG, leave_browsers_to_all, pytest_report_header, sort_files
from tests.plugins.settled import EVERYWHERE, Subject, find_files, find_settled, find_sum, read_subjects

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]


def test_only_slow_tests_are_left_out_by_default_and_it_is_told() -> None:
    assert OPTIONS["testpaths"] == ["tests"]
    words = OPTIONS["addopts"]
    marks = words[words.index("-m") + 1]
    assert not [word for word in words if word.startswith(("-k", "--ignore", "--deselect"))]
    for expression, is_told in ((marks, True), ("", False)):
        config = cast("pytest.Config", SimpleNamespace(option=SimpleNamespace(markexpr=expression)))
        assert any("SLOW TESTS ARE LEFT OUT" in line for line in pytest_report_header(config)) is is_told


@dataclass(eq=False)
class Item:
    """What the selection reads of a test."""

    name: str
    line: int
    fixturenames: tuple[str, ...] = ("page",)
    marks: list[str] = field(default_factory=list)

    path: Path = Path("test_file.py")

    @property
    def location(self) -> tuple[str, int, str]:
        return str(self.path), self.line, self.name

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.append(mark.name)


def test_first_quick_browser_test_of_files_stands_for_the_others() -> None:
    assert not [name for name in IN_BROWSERS if not (ROOT / "tests" / name).exists()]
    chosen, other = (ROOT / "tests" / name for name in (IN_BROWSERS[0], "test_other.py"))
    items = [
        Item("third", 30, path=chosen),
        Item("slow", 5, marks=["slow"], path=chosen),
        Item("first", 10, path=chosen),
        Item("first, for another game", 10, path=chosen),
        Item("unit", 40, (), path=chosen),
        Item("elsewhere", 1, path=other),
    ]
    leave_browsers_to_all(cast("list[pytest.Item]", items))
    assert [item.name for item in items if "slow" not in item.marks] == ["first", "unit"]


def test_files_that_take_long_begin_before_others_with_browsers() -> None:
    assert not [name for name in LONG if not (ROOT / "tests" / name).exists()]
    names = ("test_a.py", LONG[1], "test_b.py", LONG[0])
    items = [Item(name, 1, path=ROOT / "tests" / name) for name in names]
    items.append(Item("no browser", 1, (), path=ROOT / "tests" / "test_c.py"))
    sort_files(cast("list[pytest.Item]", items))
    assert [item.name for item in items] == ["no browser", *LONG[:2], "test_a.py", "test_b.py"]


def read_gate(step: str) -> list[str]:
    """The lines of a step of the gate that run tests."""
    text = (ROOT / ".ci" / "run").read_text()
    (body,) = re.findall(rf"^run_{step}\(\) {{\n(.*?)^}}", text, re.MULTILINE | re.DOTALL)
    return [line.strip() for line in body.splitlines() if " pytest" in line]


def test_gate_leaves_nothing_out() -> None:
    prepare, run = read_gate("tests")
    assert "--collect-only" in prepare, "it only imports"
    assert run == 'uv run --group dev pytest -m "" --leave-settled'
    assert "--leave-settled" not in (ROOT / ".ci" / "run").read_text().replace(run, ""), "before a release"
    (on_postgres,) = read_gate("postgres")
    assert 'uv run --group dev pytest -n 2 -m "" tests/' in on_postgres
    (steps,) = re.findall(r"^all=\((.*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert {"tests", "faults", "postgres"} <= set(steps.split())


def test_readme_installs_what_play_needs_and_gate_runs_its_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["uv"]["default-groups"] == []
    play, test = re.findall(
        r"^    pip install uv && (uv run .+)$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert play == "uv run manage.py play"
    assert read_gate("tests")[1].startswith(f'{test} -m ""')


def test_what_has_changed_is_no_longer_settled(tmp_path: Path) -> None:
    (tmp_path / "disks").mkdir()
    for name in ("test_disks.py", "disks/one.py"):
        (tmp_path / name).write_text("")
    subject = Subject(["test_disks.py"], ["disks/**/*.py"])
    file = tmp_path / "settled.toml"

    def find() -> dict[str, str]:
        return find_settled(tmp_path, file)

    file.write_text('[disks]\ntests = ["test_disks.py"]\nof = ["disks/**/*.py"]\nsum = ""\n')
    assert find() == {}
    file.write_text(file.read_text().replace('""', f'"{find_sum(subject, tmp_path)}"'))
    assert find() == {"test_disks.py": "disks"}
    for change in (tmp_path / "disks" / "two.py", tmp_path / "disks" / "one.py", tmp_path / "test_disks.py"):
        before = change.read_text() if change.exists() else None
        change.write_text("changed")
        assert find() == {}, change
        change.unlink() if before is None else change.write_text(before)
    assert find() == {"test_disks.py": "disks"}


def test_each_subject_that_settles_is_made_of_what_is_there() -> None:
    for name, subject in read_subjects().items():
        for pattern in (*subject.tests, *subject.of, *EVERYWHERE):
            assert find_files([pattern], ROOT), f"{name}: {pattern}"


def test_kept_releases_are_restored_after_a_model_change() -> None:
    known = set(find_files(read_subjects()["archives"].of, ROOT))
    rooms = [ROOT / name for name in ("characters", "combat", "cosmos_site")]
    files = {path for room in rooms for path in room.rglob("*.py")}
    stored = {path for path in files if path.name == "models.py" or path.parent.name == "migrations"}
    assert len(stored) > 5
    assert stored <= known
