"""Store pages as they read: `python -m tests.golden [GAME… | site]`; all of them if none is named."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import pytest

FOLDER, TEST = (Path(__file__).resolve().parent / name for name in ("stored", "test_golden.py"))
GAME, SITE = "test_pages_read_as_before[{}]", "test_pages_around_the_table_read_as_before"

if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    asked.add_argument("games", nargs="*", help="short names, or “site”; everything if there is none")
    asked.add_argument("--into", default=str(FOLDER), help="another folder, to compare two trees")
    options = asked.parse_args()
    os.environ["GOLDEN_INTO"] = options.into
    chosen = [f"{TEST}::{SITE if game == 'site' else GAME.format(game)}" for game in options.games]
    sys.exit(pytest.main(["-q", "--dist=load", "-m", "", *(chosen or [str(TEST)])]))
