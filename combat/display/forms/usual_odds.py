"""The chance on the tile of a usual attack: "Pirate · 72%", against the target that its form starts with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import brief_odds
from combat.rules.core.state.state import State

from ..combatants.namesakes import name_fully
from ..shapes.table_shapes import ActionView
from .fields import prefilled
from .odds_panel import percent

ATTACK = "attack"  # the kind of actions with a chance on their tile
MAX_LOOKS = 40  # while counting: a tile shows no chance that takes more; the demos take 18 at most, in 0.5 ms


def add_chance(system: System, state: State, who: str, lists: Iterable[list[ActionView]]) -> None:
    """Give the first attack in these lists its first target, and the chance to hit before any defense.

    It gets none if its form has no target, or if there is too much to count. The limit is a number, since two
    pages of one state must not differ by how busy the machine is.
    """
    for views in lists:
        for n, view in enumerate(views):
            if view.look == ATTACK:
                target, chance = find_chance(system, state, who, view.name)
                views[n] = replace(view, target=target, chance=chance)
                return


def find_chance(system: System, state: State, who: str, name: str) -> tuple[str, str]:
    """The name of the first target of an attack, and the chance in percent; both empty without a chance."""
    looks, action = count(1), system.action(name)
    if not system.actions.has_odds(action):
        return "", ""
    try:
        fields: Mapping[str, str] = prefilled(action, state, who)
        target = fields.get("target", "")
        if target not in state.combatants:
            return "", ""
        command = read_command(action, {"actor": who, **fields})
        odds = brief_odds(system, state, action, command, lambda: next(looks) > MAX_LOOKS)
    except (Refused, TooMany):
        return "", ""
    return (name_fully(state, state[target]), percent(odds.headline.chance)) if odds.headline else ("", "")
