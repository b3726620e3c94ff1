"""Walk for a while: `python -m tests.walker --minutes N [--seed S] [--game GAME…]`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import pytest

TEST = Path(__file__).resolve().parent / "long_walk.py"

if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m tests.walker", description=__doc__)
    asked.add_argument("--minutes", type=float, default=10.0, help="how long new walks begin")
    asked.add_argument("--seed", default=time.strftime("%Y-%m-%d"), help="any words; the date if none")
    asked.add_argument("--game", nargs="*", default=[], help="short names; all games if there is none")
    options = asked.parse_args()
    os.environ |= {
        "WALK_MINUTES": str(options.minutes),
        "WALK_SEED": options.seed,
        "WALK_GAMES": " ".join(options.game),
    }
    whole = ["-o", "faulthandler_timeout=0"]  # one test that may take hours
    sys.exit(pytest.main(["-q", "-s", "-n", "0", "-m", "", *whole, str(TEST)]))
