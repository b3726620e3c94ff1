"""Damage to vehicles and robots."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext, Then

from .hits import Hit


def damage_machine(context: RuleContext, hit: Hit) -> Then | None:
    """A hit on a vehicle or robot."""
    raise Refused("not_allowed", "Machines cannot be damaged yet: choose a person.")
