"""The same trials by the quick rules."""

from __future__ import annotations

from tests.combat.rules.cepheus.ways_to_move import make_trials

TRIALS = make_trials("cepheus_quick")
