"""Passing turns: the GM ends several turns in a row, each a step as if they had pressed the button.

What a pass does is foreseen without dice, so that a page shows whose turns end before anything is done. It
ends before another's turn and with the round, and after a turn whose end asks for dice or a choice or does
harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic

from combat.audience.rights import Grant, check_gm, find_viewer
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, TryDriver, find_action, run
from combat.rules.core.odds.proposals import propose
from combat.rules.core.sides import has_turns
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State

from .writing.encounter_service import Seen, Submission, SubmissionResult, check_version, read_state, submit
from .writing.locking import locked

MAX_TURNS = 40  # of one pass
LOOK_SECONDS, MAX_SECONDS = 0.3, 0.6  # to foresee a pass, and to do it: others wait for it
Turns = tuple[tuple[str, ...], ...]  # who acts in each


def _is_of_side(system: System, state: State, who: str, first: str) -> bool:
    return state.combatants[who].side == state.combatants[first].side


def _is_idle(system: System, state: State, who: str, first: str) -> bool:
    """Whether someone is out, or has nothing sensible to do by the game's tactics."""
    return not has_turns(system, state, state.combatants[who]) or propose(system, state, who) is None


PASSES: dict[str, Callable[[System, State, str, str], bool]] = {"side": _is_of_side, "idle": _is_idle}


def foresee(system: System, state: State, whose: str) -> Turns:
    """The turns that a pass would end now, in order, beginning with the present one.

    `whose` is "side" for all of the side that acts, or "idle" for those who would do nothing.
    """
    may_pass, first, now = PASSES[whose], state.active, state.round
    ending, turns = find_action(system, system.actions.advance), list[tuple[str, ...]]()
    until = monotonic() + LOOK_SECONDS
    while len(turns) < MAX_TURNS and monotonic() < until:
        acting = (state.active, *state.sharing)
        if state.phase != "fight" or state.round != now or not state.combatants.keys() >= set(acting):
            break
        if not all(may_pass(system, state, who, first) for who in acting):
            break
        turns.append(acting)
        try:
            done = run(
                system,
                state,
                ending,
                command=read_command(ending, dict(find_fields(acting))),
                driver=TryDriver(),
            )
        except Refused:
            return tuple(turns[:-1])
        if not isinstance(done, Done) or _does_harm(system, done.facts):
            break
        state = done.state
    return tuple(turns)


def find_turns(system: System, state: State, whose: str) -> Turns:
    """The turns that a pass ends; Refused if there are none."""
    if whose not in PASSES:
        raise Refused("bad_value", "Choose whose turns to pass: those of a side, or of who can do nothing.")
    turns = foresee(system, state, whose)
    if not turns:
        raise Refused("not_allowed", "There is no turn to pass now.")
    return turns


def find_fields(acting: tuple[str, ...]) -> dict[str, bool]:
    """The fields of the command that ends a turn; it ends those of all who act at the same time."""
    return {"whole": True} if len(acting) > 1 else {}


def _does_harm(system: System, facts: Iterable[e.Fact]) -> bool:
    """Whether someone is hurt, or has a new condition."""
    for event in (fact.event for fact in facts):
        if isinstance(event, e.ConditionGained):
            return True
        if isinstance(event, e.TrackChanged) and event.new != event.old:
            if (event.new > event.old) == system.characters.find_track(event.track).rises:
                return True
    return False


def pass_turns(
    encounter_id: int,
    whose: str,
    *,
    typed: bool = False,
    version: Seen = None,
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """End the turns that are foreseen; a question or the time limit ends the pass earlier.

    With `typed`, dice are typed by people. Refused if no turn can be passed now.
    """
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        system = find_system(encounter.system)
        turns, until = find_turns(system, read_state(encounter), whose), monotonic() + MAX_SECONDS
        for acting in turns:
            fields = dict(find_fields(acting))
            wanted = Submission(system.actions.advance, fields, typed=typed, by=by, grant=grant)
            done = submit(encounter_id, wanted)
            if done.waiting or monotonic() > until:
                break
        return done
