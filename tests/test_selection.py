"""The tests of a default run, a check that these and those left out are all, and where each worker begins."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from tests.conftest import leave_browsers_to_all
from tests.plugins.two_ends import choose_backwards, import_all

ROOT = Path(__file__).resolve().parents[1]
HERE = (
    "tests/site/hosting/test_speed.py",
    "tests/site/hosting/test_play.py",
    "tests/site/hosting/test_patience.py",
)  # few, some, all slow
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]


TOLD = "!!! SLOW TESTS ARE LEFT OUT. Run all of them: uv run --group dev pytest -m '' !!!"


def collect(*words: str) -> tuple[set[tuple[str, str]], str]:
    """The tests of some files that a run with these options selects, and all that it prints."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", *words, *HERE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    found, module = set(), ""
    for kind, name in re.findall(r"<(Module|Function) (.+)>", done.stdout):
        module = name if kind == "Module" else module
        found |= {(module, name)} if kind == "Function" else set()
    return found, done.stdout


@pytest.mark.slow
def test_default_and_slow_tests_are_all_tests_and_whoever_leaves_some_out_is_told() -> None:
    (default, told), (everything, untold) = collect(), collect("-m", "")
    assert default
    assert default < everything
    left_out = re.search(r"(\d+)/(\d+) tests collected \((\d+) deselected\)", told)
    assert left_out
    counts = len(default), len(everything), len(everything - default)
    assert tuple(map(int, left_out.groups())) == counts, "those left out are the slow ones, and no others"
    assert TOLD in told
    assert TOLD not in untold


def test_only_slow_tests_are_left_out_by_default() -> None:
    assert OPTIONS["testpaths"] == ["tests"]
    words = OPTIONS["addopts"]
    assert words[words.index("-m") + 1] == "not slow"
    assert not [word for word in words if word.startswith(("-k", "--ignore", "--deselect"))]


@dataclass
class Item:
    """What the selection reads of a test."""

    name: str
    line: int
    fixturenames: tuple[str, ...] = ("page",)
    marks: list[str] = field(default_factory=list)

    path = Path("test_file.py")

    @property
    def location(self) -> tuple[str, int, str]:
        return str(self.path), self.line, self.name

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.append(mark.name)


def test_first_quick_browser_test_of_a_file_stands_for_the_others() -> None:
    items = [Item("third", 30), Item("slow", 5, marks=["slow"]), Item("first", 10), Item("unit", 40, ())]
    leave_browsers_to_all(cast("list[pytest.Item]", items))
    assert [item.name for item in items if "slow" not in item.marks] == ["first", "unit"]


def read_gate(step: str) -> list[str]:
    """The lines of a step of the gate that run tests."""
    text = (ROOT / ".ci" / "run").read_text()
    (body,) = re.findall(rf"^run_{step}\(\) {{\n(.*?)^}}", text, re.MULTILINE | re.DOTALL)
    return [line.strip() for line in body.splitlines() if " pytest" in line]


def test_gate_leaves_nothing_out() -> None:
    prepare, run = read_gate("tests")
    assert "--collect-only" in prepare, "it only imports"
    assert run == 'uv run --group dev pytest -m ""'
    (on_postgres,) = read_gate("postgres")
    assert 'uv run --group dev pytest -n 2 -m "" tests/' in on_postgres
    (steps,) = re.findall(r"^all=\((.*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert {"tests", "postgres"} <= set(steps.split())


def test_players_install_what_playing_needs_and_the_gate_runs_the_test_command_of_the_readme() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["uv"]["default-groups"] == []
    play, test = re.findall(
        r"^    pip install uv && (uv run .+)$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert play == "uv run manage.py play"
    assert read_gate("tests")[1] == f'{test} -m ""'


def test_every_second_worker_begins_at_the_last_file() -> None:
    names = choose_backwards("gw1")
    assert names == choose_backwards("gw3") == sorted(names, key=lambda name: name.split("."), reverse=True)
    assert {"tests.test_selection", "tests.breaks.test_breaks"} <= set(names)


@pytest.mark.parametrize("worker", ["gw0", "gw2", "", "controller"])
def test_all_others_begin_at_the_first_as_pytest_does(worker: str) -> None:
    assert choose_backwards(worker) == []


def test_a_file_that_cannot_be_imported_stops_nobody() -> None:
    sys.modules.pop("tests.plugins.import_only", None)
    import_all(["tests.no_such_file", "tests.plugins.import_only"])
    assert "tests.plugins.import_only" in sys.modules
