"""Auto-play of combatants without a player by the game's tactics: one turn, or all until a person's.

Every action is a step of its own, so each can be undone. It stops where a person is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from combat.audience.rights import Grant, author_label, check_gm, find_viewer
from combat.audience.viewer import GM
from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, command_data
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System, system_of
from combat.rules.core.engine.engine import Done, LiveDriver, Waiting, find_action, run
from combat.rules.core.gm.decisions import Target
from combat.rules.core.odds.proposals import MAX_STEPS_PER_TURN, propose
from combat.rules.core.sides import describe_beaten, find_verdict, gives_up, standing_sides
from combat.rules.core.state.history import RESTORE
from combat.rules.core.state.state import State

from .writing.encounter_service import (
    Seen,
    SubmissionResult,
    check_version,
    read_state,
    renew_dice,
    store_result,
)
from .writing.locking import locked
from .writing.sealing import count_rolls, has_lost_dice, open_dice

MAX_STEPS = 200
NO_TURN = "No one has a turn now: start the next one."
T = TypeVar("T")


class PlayFor(LiveDriver):
    """Dice rolled by the server; combatants without a player choose by the game's policy."""

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The answer, or None where a person is asked."""
        combatant = context.state.combatants.get(request.who)
        if isinstance(request, ChoiceRequest) and combatant is not None and not combatant.pc:
            return answer_choice(request, system_of(context).tactics.decide(request), "policy")
        return super().answer(context, request)


def autoplay(
    encounter_id: int,
    *,
    everybody: bool = False,
    version: Seen = None,
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """Play the active combatant's turn, or with `everybody` all turns until a player character's.

    It stops when only one side can still fight; Refused if that is so from the start. `version` is what the
    author saw before the first action.
    """
    taken = 0  # of this turn
    for _ in range(MAX_STEPS):
        done, goes_on, ended = _act(encounter_id, everybody, taken, version=version, by=by, grant=grant)
        taken, version = 0 if ended else taken + 1, None
        if not goes_on:
            break
    return done


def check_turn(system: System, state: State) -> None:
    """Refuse to play for anyone if nobody has a turn, or only one side can still fight."""
    if state.phase != "fight" or state.active not in state.combatants:
        raise Refused("not_allowed", NO_TURN)
    if verdict := find_verdict(system, state):
        raise Refused("not_allowed", f"{describe_beaten(verdict)}: end the fight, or play on by hand.")


def play_one(system: System, state: State, taken: int, do: Callable[[str, Command], T]) -> T:
    """Do the next action of the tactics, or give up; if there is none, the rules refuse it, or many were
    taken in this turn, end the turn."""
    if gives_up(system, state, state.active):
        return do("surrender", Target(target=state.active))
    submission = propose(system, state, state.active) if taken < MAX_STEPS_PER_TURN else None
    if submission:
        with suppress(Refused):
            return do(*submission)
    ending = find_action(system, system.actions.advance)
    return do(ending.name, ending.type())


def is_npc(state: State) -> bool:
    """Whether the turn is that of someone without a player."""
    combatant = state.combatants.get(state.active)
    return combatant is not None and not combatant.pc


def _run(
    system: System, state: State, encounter: Encounter, name: str, command: Command
) -> tuple[str, Command, Done | Waiting]:
    """Run one command with sealed dice; a refused one has rolled nothing."""
    dice = open_dice(encounter, state)
    result = run(system, state, find_action(system, name), command=command, driver=PlayFor(dice=dice))
    count_rolls(encounter, dice)
    return name, command, result


def _act(
    encounter_id: int, everybody: bool, taken: int, version: Seen, by: str, grant: Grant | None
) -> tuple[SubmissionResult, bool, bool]:
    """Do one action of the active combatant, or end its turn; whether to go on, and whether a turn ended.

    `taken` are the actions that this turn has had already.
    """
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        if has_lost_dice(encounter) and not encounter.open_command:
            renew_dice(encounter, RESTORE)
        system, state = find_system(encounter.system), read_state(encounter)
        if encounter.open_command:
            raise Refused("not_allowed", NO_TURN)
        check_turn(system, state)
        name, command, result = play_one(system, state, taken, partial(_run, system, state, encounter))
        who = f"{author_label(by, GM, grant)} (auto)"
        done = store_result(encounter, state, name, command=command_data(command), result=result, by=who)
        after = result.state if isinstance(result, Done) else state
        if done.waiting or find_verdict(system, after):
            return done, False, True
        is_played = everybody and is_npc(after) and len(standing_sides(system, after)) > 1
        ended = name == system.actions.advance
        return done, not ended or is_played, ended
