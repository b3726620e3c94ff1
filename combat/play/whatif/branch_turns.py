"""Auto-play in a branch by the game's tactics: each action is a step of the branch."""

from __future__ import annotations

from contextlib import suppress

from combat.models import Branch
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.people.sides import describe_beaten, find_verdict
from combat.rules.core.state.state import State

from .branches import MAX_STEPS, BranchDriver, changing, check_room, run_known, store, unpack, viewer_of


def autoplay(seen: Branch, *, everybody: bool = False, by: str = "") -> None:
    """Play the active combatant's turn, or with `everybody` all turns until a player character's.

    It stops when someone is asked, when only one side still stands, and when the branch is full.
    """
    with changing(seen) as branch:
        system, state = find_system(seen.encounter.system), unpack(branch.state)
        _check_turn(branch, system, state)
        while branch.steps < MAX_STEPS:
            actor = state.active
            state = _act(branch, system, state, f"{by} (auto)")
            if branch.waiting or state.phase != "fight" or find_verdict(system, state):
                return
            if state.active != actor and not (everybody and _is_npc(state)):
                return


def _check_turn(branch: Branch, system: System, state: State) -> None:
    check_room(branch)
    if state.phase != "fight" or state.active not in state.combatants:
        raise Refused("not_allowed", "No one has a turn now: start the next one.")
    if verdict := find_verdict(system, state):
        raise Refused("not_allowed", f"{describe_beaten(verdict)}: end the fight, or play on by hand.")


def _is_npc(state: State) -> bool:
    combatant = state.combatants.get(state.active)
    return combatant is not None and not combatant.pc


def _act(branch: Branch, system: System, state: State, by: str) -> State:
    """Do one action of the active combatant; if the rules refuse it, end the turn."""
    submission = system.tactics.suggest(state, state.active)
    if submission:
        with suppress(Refused):
            return _run(branch, system, state, *submission, by)
    return _run(
        branch, system, state, system.actions.advance, find_action(system, system.actions.advance).type(), by
    )


def _run(branch: Branch, system: System, state: State, name: str, command: Command, by: str) -> State:
    action, driver = find_action(system, name), BranchDriver(branch, viewer_of(branch), auto=True)
    result = run_known(system, state, action, command, driver)
    return store(branch, system, state, action, command, result, by)
