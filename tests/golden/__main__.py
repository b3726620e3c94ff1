"""Store the pages of demo fights: `python -m tests.golden [GAME…]`; --into FOLDER to read them there."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    asked.add_argument("games", nargs="*", help="short names; all games if there is none")
    asked.add_argument(
        "--into", default=str(HERE / "stored"), help="another folder: plain text, to compare two trees"
    )
    options = asked.parse_args()
    os.environ["GOLDEN_INTO"] = options.into
    test = f"{HERE / 'test_golden.py'}"
    chosen = [f"{test}::test_pages_read_as_before[{game}]" for game in options.games]
    sys.exit(pytest.main(["-q", "-n", "0", "-m", "", *(chosen or [test])]))
