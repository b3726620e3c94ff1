"""The steps of `.ci/run`: a failure ends the run."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

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
    tools = {"ruff": "exit 0", "oxlint": "exit 4", "djlint": "exit 0"}
    done = run_gate(tmp_path, "lint", **tools)
    assert done.returncode == 4
    assert "djlint ran" not in done.stdout
