"""What a forecast is tried with: the fight without someone, or with one more of them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, find_action
from combat.rules.core.odds.forecast import play_step
from combat.rules.core.sides import find_able
from combat.rules.core.state.state import Combatant, State

FIGHTS = 100  # that each change is tried in
MOST = 4  # changes of each kind


@dataclass(frozen=True)
class Change:
    """A change that can be tried: its key, its words, whom it is about, and the command that makes it."""

    key: str
    words: str
    who: str
    name: str


def list_changes(system: System, state: State) -> tuple[Change, ...]:
    """The changes to try: without one of each kind, or with one more of them.

    A change after which one side is left is none.
    """
    able = find_able(system, state)
    kinds: dict[tuple[str, str], Combatant] = {}
    for one in able:
        kinds.setdefault((one.side, one.name.rstrip(" 0123456789")), one)
    alone = {one.id for one in able if sum(other.side == one.side for other in able) == 1}
    without = [
        Change(f"remove:{one.id}", f"Without {one.name}", one.id, "remove")
        for one in kinds.values()
        if one.id not in alone
    ]
    more = [
        Change(f"duplicate:{one.id}", f"One more {kind}", one.id, "duplicate")
        for (_, kind), one in kinds.items()
        if not one.pc
    ]
    return (*without[:MOST], *more[:MOST])


def try_out(system: System, state: State, name: str, fields: Mapping[str, Any]) -> State:
    """The state after a command of the GM's, which is done nowhere; raises Refused."""
    command = read_command(find_action(system, name), dict(fields))
    auto = AutoDriver(random.Random(0))  # noqa: S311 - no die is kept
    return play_step(system, state, name, command=command, auto=auto).state
