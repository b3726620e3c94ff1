"""What is run by default, and that it is all tests together with the slow ones."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HERE = (
    "tests/site/test_speed.py",
    "tests/site/test_play.py",
    "tests/site/test_patience.py",
)  # few, some, all slow
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]


def collect(*words: str) -> set[str]:
    """The tests of some files that a run would run, its options being those of `pyproject.toml` and these."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "-q", *words, *HERE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return {line for line in done.stdout.splitlines() if "::" in line}


@pytest.mark.slow
def test_default_and_slow_tests_are_all_tests() -> None:
    default, slow, everything = collect(), collect("-m", "slow"), collect("-m", "")
    assert default
    assert slow
    assert default | slow == everything
    assert not default & slow


def test_only_slow_tests_are_left_out_by_default() -> None:
    assert OPTIONS["testpaths"] == ["tests"]
    words = OPTIONS["addopts"]
    assert words[words.index("-m") + 1] == "not slow"
    assert not [word for word in words if word.startswith(("-k", "--ignore", "--deselect"))]


def read_gate(step: str) -> list[str]:
    """The lines of a step of the gate that run tests."""
    text = (ROOT / ".ci" / "run").read_text()
    (body,) = re.findall(rf"^run_{step}\(\) {{\n(.*?)^}}", text, re.MULTILINE | re.DOTALL)
    return [line.strip() for line in body.splitlines() if " pytest" in line]


def test_gate_leaves_nothing_out() -> None:
    assert read_gate("tests") == ['uv run pytest -m ""']
    (on_postgres,) = read_gate("postgres")
    assert 'uv run pytest -m ""' in on_postgres
    (steps,) = re.findall(r"^all=\((.*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert {"tests", "postgres"} <= set(steps.split())


@pytest.mark.slow
def test_whoever_leaves_slow_tests_out_is_told() -> None:
    for words, is_told in (((), True), (("-m", ""), False)):
        command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", *words, HERE[0]]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (
            "!!! SLOW TESTS ARE LEFT OUT. Run all of them: uv run pytest -m '' !!!" in done.stdout
        ) == is_told
