"""Boarders in some of the suites of every game, as `pytest --game` runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.combat.rules import BESIDE

ROOT = Path(__file__).parents[4]
SUITES = (
    "test_conformance.py",
    "test_kinds.py",
    "test_moving.py",
    "test_previews.py",
    "test_autoplay.py",
    "pairs",
)


@pytest.mark.slow
def test_second_game_passes_suites_of_every_game() -> None:
    paths = [f"tests/combat/rules/every_game/{name}" for name in SUITES]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "--game",
        BESIDE,
        *paths,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
