"""The steps of `.ci/run`: a failure ends the run. What `.ci/release` asks of a commit."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GATE = ROOT / ".ci" / "run"
TOOLS = {"mypy": "exit 0", "lint-imports": "exit 0", "python": "exit 0"}


def run_gate(folder: Path, *steps: str, **tools: str) -> subprocess.CompletedProcess[str]:
    """Run steps of the gate in an empty project where each tool only succeeds, or behaves as stated."""
    bin_folder = folder / ".venv" / "bin"
    bin_folder.mkdir(parents=True)
    (folder / ".ci").mkdir()
    copy = shutil.copy(GATE, folder / ".ci" / "run")
    for name, body in {**TOOLS, **tools}.items():
        (bin_folder / name).write_text(f"#!/bin/sh\necho {name} ran\n{body}\n")
        (bin_folder / name).chmod(0o755)
    return subprocess.run(["bash", copy, *steps], capture_output=True, text=True, check=False)


def test_step_that_fails_ends_the_run(tmp_path: Path) -> None:
    done = run_gate(tmp_path, "types", "imports", mypy="exit 3")
    assert done.returncode == 3
    assert "lint-imports ran" not in done.stdout
    assert re.search(r"\d+ s  types: failed\n +\d+ s  in all\n$", done.stdout)


def test_step_fails_with_the_first_of_its_checks(tmp_path: Path) -> None:
    tools = {"ruff": "exit 0", "oxfmt": "exit 0", "oxlint": "exit 4", "djlint": "exit 0"}
    done = run_gate(tmp_path, "lint", **tools)
    assert done.returncode == 4
    assert "djlint ran" not in done.stdout


def run_git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


def test_steps_that_a_commit_has_passed_are_noted(tmp_path: Path) -> None:
    run_gate(tmp_path, "types", "imports")
    run_git(tmp_path, "init")
    run_git(tmp_path, "add", "-A")
    run_git(tmp_path, "commit", "-m", "One")

    def run(*words: str) -> list[str]:
        gate = ["bash", str(tmp_path / ".ci" / "run"), *words]
        return subprocess.run(gate, capture_output=True, text=True, check=True).stdout.split()

    missing = run("--missing")
    assert {"types", "imports", "tests", "postgres", "alone", "seeds"} <= set(missing)
    run("types", "imports")
    assert set(missing) - set(run("--missing")) == {"types", "imports"}
    (tmp_path / "new.py").write_text("")
    assert run("--missing") == missing, "what is not committed may fail"
    run_git(tmp_path, "add", "-A")
    run_git(tmp_path, "commit", "-m", "Two")
    assert run("--missing") == missing
    commit = "git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m Four"
    (tmp_path / ".venv" / "bin" / "mypy").write_text(f"#!/bin/sh\n{commit}\n")
    run_git(tmp_path, "add", "-A")
    run_git(tmp_path, "commit", "-m", "Three")
    run("types")
    assert run("--missing") == missing, "a commit that came meanwhile was not tried"


@pytest.fixture
def find_problems(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], list[str]]:
    """What `.ci/release` asks of a tree."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    found: Callable[[Path], list[str]] = runpy.run_path(str(ROOT / ".ci" / "release"))["find_problems"]
    return found


def make_tree(root: Path, changelog: str) -> Path:
    """A tree of release 1.1.0 that lacks nothing, with this changelog."""
    for folder in (
        "tests/combat/releases",
        "tests/combat/rules",
        "tests/tools/breaks/released",
        "combat/rules/duel",
    ):
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").write_text('[project]\nversion = "1.1.0"\n')
    (root / "CHANGELOG.md").write_text(changelog)
    (root / "tests/combat/releases/1.1.0.tar.xz").touch()
    (root / "tests/tools/breaks/released/1.1.0.json").touch()
    (root / "tests/combat/rules/released.json").write_text(json.dumps({"duel": {"2": {}}}))
    (root / "combat/rules/duel/versions.toml").write_text("[[version]]\nnumber = 2\n")
    return root


WHOLE = "# Changelog\n\n## 1.1.0, 2026-12-01\n\n- More.\n\n## 1.0.0, 2026-11-28\n\nThe first.\n"


@pytest.mark.parametrize(
    ("changelog", "is_ready"),
    [
        (WHOLE, True),
        (WHOLE.replace("- More.\n\n", ""), False),
        (WHOLE.replace("## 1.1.0, 2026-12-01", "## Unreleased"), False),
        (WHOLE.replace("1.1.0", "1.2.0"), False),
        ("# Changelog\n", False),
    ],
)
def test_release_has_its_section_of_the_changelog(
    tmp_path: Path, find_problems: Callable[[Path], list[str]], changelog: str, is_ready: bool
) -> None:
    found = find_problems(make_tree(tmp_path, changelog))
    assert not found if is_ready else "CHANGELOG.md begins with" in found[0]


def test_release_keeps_its_data_and_fixes_its_rules(
    tmp_path: Path, find_problems: Callable[[Path], list[str]]
) -> None:
    root = make_tree(tmp_path, WHOLE)
    (root / "tests/combat/releases/1.1.0.tar.xz").unlink()
    (root / "tests/tools/breaks/released/1.1.0.json").unlink()
    (root / "combat/rules/duel/versions.toml").write_text("[[version]]\nnumber = 3\n")
    assert [told.split(":")[0] for told in find_problems(root)] == [
        "The data of 1.1.0 is not kept",
        "The sums of the lines of 1.1.0 are not kept",
        "Version 3 of the rules of duel is not fixed",
    ]
