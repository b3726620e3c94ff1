"""Making a branch real: steps of the fight are undone, then the branch's own done as ordinary steps.

All of it, or nothing if anything does not fit. The dice of the branch are not dice of the fight: its rolls
keep the mark of their origin, and the log says so for each.
"""

from __future__ import annotations

from dataclasses import dataclass

from combat.audience.rights import Grant, author_label, check_gm, find_viewer
from combat.audience.viewer import GM
from combat.models import Branch, Encounter
from combat.rules import find_system
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, ReplayDriver, find_action, run
from combat.rules.core.state.history import Step, find_timeline
from combat.rules.core.state.state import State, replace

from ..writing.encounter_service import SubmissionResult, read_state, store_result
from ..writing.locking import busy, locked
from ..writing.undoing import strike
from ..writing.verification import read_step
from .branches import changing, read_steps, unpack

MAX_UNDONE = 100  # steps of the fight that a branch may undo
WENT_ON = "The fight went on after this branch began: begin a new branch from the step you want."
DIFFERS = "The fight no longer comes by this step: begin a new branch."


@dataclass(frozen=True)
class Plan:
    """What making a branch real does: the steps to undo, newest first, and the steps to do."""

    undone: tuple[int, ...]
    steps: tuple[Step, ...]


def find_plan(encounter: Encounter, branch: Branch) -> Plan:
    """What making a branch real would do; Refused if it cannot be done."""
    if branch.role != GM.role:
        raise Refused("not_allowed", "Only a branch of the GM's can be made real.")
    if encounter.steps != branch.seen:
        raise Refused("stale", WENT_ON)
    if branch.waiting:
        raise Refused("busy", "An action of the branch needs dice or a choice: answer or undo it first.")
    if not branch.steps:
        raise Refused("not_allowed", "This branch has no steps yet: try something first.")
    undone = _find_later(encounter, branch.after)
    if len(undone) > MAX_UNDONE:
        text = f"That would undo more than {MAX_UNDONE} steps: undo some at the table first."
        raise Refused("not_allowed", text)
    return Plan(undone, read_steps(branch))


def _find_later(encounter: Encounter, after: int) -> tuple[int, ...]:
    """The steps that count after a step of the log, newest first; Refused if that one is undone."""
    steps = [read_step(row) for row in encounter.log.defer("after")]
    then = [step for step in steps if step.number <= after]
    live, known = find_timeline(steps).live, find_timeline(then).live
    if live[: len(known)] != known:
        raise Refused("stale", DIFFERS)
    return tuple(reversed(live[len(known) :]))


def make_real(encounter_id: int, seen: Branch, *, by: str = "", grant: Grant | None = None) -> None:
    """Undo the fight back to where a branch began, do the steps of the branch, and delete the branch.

    Refused, with nothing changed, if the fight went on meanwhile, or gives other facts than the branch.
    """
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        if encounter.open_command:
            raise busy()
        with changing(seen) as branch:
            plan = find_plan(encounter, branch)
            for _ in plan.undone:
                strike(encounter_id, by=by, grant=grant)
            if not _are_alike(read_state(Encounter.objects.get(pk=encounter_id)), unpack(branch.start)):
                raise Refused("stale", DIFFERS)
            for step in plan.steps:
                _do(encounter_id, step, author_label(by, GM, grant))
            branch.delete()


def _are_alike(one: State, other: State) -> bool:
    """Whether two states are the same except for their counters of used numbers."""
    return replace(one, made=0) == replace(other, made=0)


def _do(encounter_id: int, step: Step, by: str) -> SubmissionResult:
    """Do a step of a branch at the table, with the answers it had in the branch."""
    with locked(encounter_id) as encounter:
        system, state = find_system(encounter.system), read_state(encounter)
        action = find_action(system, step.name)
        command = read_command(action, step.command)
        try:
            result = run(system, state, action, command=command, driver=ReplayDriver(), answers=step.answers)
        except Drift:
            raise Refused("stale", DIFFERS) from None
        if not isinstance(result, Done) or result.facts != step.facts:
            raise Refused("stale", DIFFERS)
        return store_result(encounter, state, step.name, command=step.command, result=result, by=by)
