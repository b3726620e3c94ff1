"""What a tap on someone's token tells before an attack: the usual one that reaches them, and its chance."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from combat.rules.core.commands.commands import find_reasons
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State

from .usual_odds import ATTACK, find_chance, find_usual


class FoeOdds(msgspec.Struct, frozen=True):
    """The attack on someone, its name and label; its chance in percent, "" if there is too much to count.

    `refused` is why nobody can attack them now; then there is no action.
    """

    action: str = ""
    label: str = ""
    chance: str = ""
    refused: str = ""


def find_foe_odds(system: System, state: State, who: str, target: str) -> FoeOdds:
    """The first possible attack of a combatant that can name a target, as its form starts, and its chance."""
    known = [one for one in system.actions.by_name.values() if one.who != "gm"]
    attacks = tuple(one for one in known if system.kinds.of_action(one.name) == ATTACK)
    reasons = find_reasons(attacks, state, who)
    found: list[FoeOdds] = []
    for action, reason in zip(attacks, reasons, strict=True):
        usual = None if reason else find_usual(system, state, who, action.name)
        if usual is None or target not in usual.targets:
            continue
        chance = find_chance(system, state, replace(usual, target=target))[1]
        odds = FoeOdds(action.name, action.label, chance)
        if chance and chance != "0":
            return odds
        found.append(odds)
    return found[0] if found else FoeOdds(refused=next(filter(None, reasons), "No attack reaches them now."))
