"""A check against the surroundings that the GM asks for."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state.state import (
    replace,
)

from ..book.records import HazardLevel
from ..book.tables import hazard_levels
from .exposure.exposure import tire
from .exposure.levels import face_level
from .exposure.temperature import endure


class Expose(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check against the surroundings now, whatever the clock says.

    `tn` and `damage` replace the figures of the level.
    """

    target: str
    hazard: Literal["radiation", "toxic", "heat", "cold", "gravity"]
    level: str = ""
    tn: int = 0
    damage: str = ""


def expose(context: RuleContext, command: Expose) -> Then | None:
    """Make the check that the GM asks for.  RULING R43: its figures may differ."""
    who = context.state[command.target].id
    if command.hazard == "gravity":
        tire(context, who)
        return None
    if command.hazard in ("heat", "cold"):
        return Then(endure, who, command.hazard)
    return Then(face_level, who, find_figures(command))


def find_figures(command: Expose) -> HazardLevel:
    """The hazard level of the table, changed by the GM's figures."""
    level = hazard_levels().get(f"{command.hazard}_{command.level}")
    if level is None:
        names = [lv.level for lv in hazard_levels().values() if lv.hazard == command.hazard]
        raise Refused("bad_value", f"Levels of {command.hazard}: {', '.join(names)}.")
    if not 0 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")
    return replace(level, tn=command.tn or level.tn, damage=_read_dice(command.damage) or level.damage)


def _read_dice(words: str) -> str:
    if not words:
        return ""
    try:
        dice = parse_dice(words)
    except ValueError:
        raise Refused("bad_value", "Write damage like 2d6 or 1d10+2.") from None
    return str(dice)
