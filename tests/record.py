"""Record what a game does, to compare it later: `python -m tests.record [GAME…]`; all games if none is named.

Its fights, its tables of pairs, the page of ways to move and its pages as they read. Read what changed.
"""

from __future__ import annotations

import subprocess
import sys

OF_RULES = "tests.combat.rules.every_game"
RECORDERS = (f"{OF_RULES}.make_fights", f"{OF_RULES}.write_pairs", f"{OF_RULES}.write_moving", "tests.golden")

if __name__ == "__main__":
    for recorder in RECORDERS:
        subprocess.run([sys.executable, "-m", recorder, *sys.argv[1:]], check=True)
