"""The conditions of the game: the effects and the end of each.

vehicles/ has the damage to the parts of machines.
"""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.conditions import load_conditions
from combat.rules.core.state.state import replace

OUT = ("unconscious", "disabled", "dead", "wreck", "destroyed")  # no turns, no actions
GIVEN_UP = ("bound", "surrendered")  # conscious, but out of the fight
HELPLESS = ("unconscious", "bound", "surrendered", "helpless", "slowed")  # RULING R36 R72 R94

KINDS = load_conditions(Path(__file__).parents[1] / "conditions.toml")
SHORT_TEXTS = {  # in the quick rules the first two hits on a part have no effect  [CS-VLOC-10]
    "drive_hit": "The third: it no longer moves.",
    "weapon_hit": "The third destroys it.",
    "sensors_hit": "The third destroys them: blind.",
}
SHORT_KINDS = KINDS | {key: replace(KINDS[key], text=text) for key, text in SHORT_TEXTS.items()}
