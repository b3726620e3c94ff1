"""Playing fighters without a player by the game's tactics: one turn, or all until a person's.

Every action is a step of its own, so each can be undone. It stops where a person is asked.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from .play import Receipt, locked, read_state, store_result
from .rules import find_system
from .rules.core.commands import Command, command_data
from .rules.core.engine import Done, Play, Waiting, find_action, run
from .rules.core.errors import Refused
from .rules.core.forecast import standing_sides
from .rules.core.requests import Answer, ChoiceRequest, Request, answer_choice
from .rules.core.state import State
from .rules.core.system import System
from .rules.core.table import Table

MOST_STEPS = 200


class PlayFor(Play):
    """The server rolls; choices of fighters without a player go by the game's policy."""

    def answer(self, table: Table, request: Request) -> Answer | None:
        """The answer, or None where a person is asked."""
        fighter = table.state.combatants.get(request.who)
        if isinstance(request, ChoiceRequest) and fighter is not None and not fighter.pc:
            return answer_choice(request, table.system.policy(table.state, request), "policy")
        return super().answer(table, request)


@dataclass(frozen=True)
class _Moment:
    receipt: Receipt
    turn_over: bool
    goes_on: bool


def autoplay(encounter_id: int, *, everybody: bool = False, by: str = "") -> Receipt:
    """Play the active fighter's turn, or with `everybody` all turns until a player character's."""
    for _ in range(MOST_STEPS):
        moment = _act(encounter_id, by)
        if moment.receipt.waiting or (moment.turn_over and not (everybody and moment.goes_on)):
            break
    return moment.receipt


def _choose(system: System, state: State) -> tuple[str, Command, Done | Waiting]:
    """What the tactics do next; where the rules refuse that after all, the turn ends."""
    wish = system.suggest(state, state.active)
    if wish:
        name, command = wish
        with suppress(Refused):
            return name, command, run(system, state, find_action(system, name), command, PlayFor())
    action = find_action(system, system.advance)
    ending = action.type()
    return action.name, ending, run(system, state, action, ending, PlayFor())


def _act(encounter_id: int, by: str) -> _Moment:
    """One action of the active fighter, or the end of its turn."""
    with locked(encounter_id) as (encounter, waiting):
        system, state = find_system(encounter.system), read_state(encounter)
        if waiting or state.phase != "fight" or state.active not in state.combatants:
            raise Refused("not_allowed", "There is no turn to play now.")
        name, command, result = _choose(system, state)
        receipt = store_result(encounter, name, command_data(command), result, f"{by} (auto)")
        after = result.state if isinstance(result, Done) else state
        following = after.combatants.get(after.active)
        foe = following is not None and not following.pc
        return _Moment(receipt, name == system.advance, foe and len(standing_sides(system, after)) > 1)
