"""Doing a plan: its parts one after another, each a step of the log as if done by hand."""

from __future__ import annotations

from collections.abc import Iterable

from combat.rules.core.basics.errors import Refused
from combat.rules.core.odds.planner import Part, Plan
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_acting

from .writing.encounter_service import Submission, SubmissionResult, check_version, submit
from .writing.locking import locked


def do_plan(encounter_id: int, plan: Plan, last: Submission) -> tuple[SubmissionResult, Refused | None]:
    """Do the parts of a plan, and return why it stopped before its end, None if it did not.

    It stops at a question, at a roll of anyone else, and where a part does not come out as foreseen or the
    rules refuse the next; what was done stays done. Refused, with nothing done, if the first part is.
    `last` has what the author of the plan adds: the dice of its last part, their name and their right.
    """
    with locked(encounter_id) as encounter:
        check_version(encounter, last.version, last.grant)
        done, stopped = None, None
        for number, part in enumerate(plan.parts, 1):
            is_last = number == len(plan.parts)
            faces = last.faces if is_last else ()
            one = Submission(
                part.do, part.fields, typed=last.typed, faces=faces, by=last.by, grant=last.grant
            )
            try:
                done = submit(encounter_id, one)
            except Refused as refused:
                if done is None:
                    raise
                return done, refused
            if done.waiting:
                break
            if not is_last and went_otherwise(part, done.facts, done.state):
                text = f"Stopped after “{part.label}”: look at what happened, then go on."
                stopped = Refused("stale", text)
                break
        assert done is not None
        return done, stopped


def went_otherwise(part: Part, facts: Iterable[e.Fact], state: State) -> bool:
    """Whether a part that was foreseen without dice rolled some, or cost its actor the turn."""
    who = part.fields.get("actor", "")
    if any(isinstance(fact.event, e.Checked) for fact in facts):
        return True
    return state.phase != "fight" or not is_acting(state, who)
