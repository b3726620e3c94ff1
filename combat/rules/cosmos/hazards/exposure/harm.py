"""The names of harm, for rolls and losses."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say

HAZARDS = {  # the names of harm, for rolls and losses
    "radiation": "why.radiation",
    "toxic": "why.toxic_air",
    "heat": "why.heat",
    "cold": "why.cold",
}


def name_dice(what: str, dice: str, total: int, rule: str) -> Modifier:
    """The dice of a harm as a term of the loss."""
    return Modifier(say("term.rolled", what=what, dice=dice), total, rule)
