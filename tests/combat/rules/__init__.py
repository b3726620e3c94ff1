"""Tests of the rules. In tests the made-up game is a game like others: each suite takes it."""

import os
import sys

from combat.rules import SYSTEMS

MADE_UP = "tiny"
SYSTEMS.setdefault(MADE_UP, "tests.combat.rules.tiny")

# A second one, played by its own tests, and by `pytest --game` and the recorders that name it: every suite
# twice would take too long.
BESIDE, BESIDE_MODULE, NAMED = "boarders", "tests.combat.rules.boarders", "TESTS_NAME_GAME"
if BESIDE in (os.environ.get(NAMED), *(word.rpartition("=")[2] for word in sys.argv)):
    os.environ[NAMED] = BESIDE  # for the workers of pytest
    SYSTEMS.setdefault(BESIDE, BESIDE_MODULE)
