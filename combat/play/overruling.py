"""The GM overrules a roll of the last action: the action is undone and done again with the dice it had.

Both are ordinary steps of the log, so a replay verifies them. One undo takes back the overruling, another the
action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from combat.audience.rights import Grant, author_label
from combat.audience.viewer import GM
from combat.models import Encounter, StoredStep
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer, key_of
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.commands.commands import Command, command_data, read_command
from combat.rules.core.engine.engine import Done, Waiting, find_action, run
from combat.rules.core.engine.overruling import KeptDriver, Key, Verdict, find_verdicts, overrule
from combat.rules.core.state.history import RESTORE, Step, go_back
from combat.rules.core.state.state import State

from .writing.encounter_service import (
    Seen,
    SubmissionResult,
    read_state,
    renew_dice,
    store_result,
)
from .writing.last_steps import find_last, find_replaced, state_at
from .writing.locking import locked
from .writing.sealing import count_rolls, has_lost_dice, open_dice
from .writing.undoing import rewriting, strike
from .writing.verification import read_step

WENT_ON = "Only a roll of the last action can be overruled: undo what came after it first."
NO_VERDICT = "That roll has no verdict to overrule: undo the action instead."


@dataclass(frozen=True)
class Overruled:
    """An action done again with another verdict: the step it replaces, and its result so far."""

    step: Step
    verdict: Verdict
    command: Command
    result: Done | Waiting


def preview(encounter: Encounter, number: int, roll: int) -> Overruled:
    """What overruling check `roll` of step `number` would change; Refused if it cannot be done."""
    rows = find_last(encounter)
    if not rows or rows[0].number != number:
        raise Refused("stale", WENT_ON)
    before = state_at(encounter, rows[1].number if len(rows) > 1 else 0)
    return _prepare(encounter, rows[0], roll, go_back(before, read_state(encounter)))


def _prepare(encounter: Encounter, row: StoredStep, roll: int, before: State) -> Overruled:
    system, step = find_system(encounter.system), read_step(row)
    verdicts = list(find_verdicts(system, step.facts, step.answers))
    verdict = verdicts[roll] if 0 <= roll < len(verdicts) else None
    if verdict is None:
        raise Refused("bad_value", NO_VERDICT)
    action = find_action(system, step.name)
    command = read_command(action, step.command)
    kept = find_kept(encounter, step)
    try:
        command, result = overrule(system, before, action, command=command, verdict=verdict, kept=kept)
    except Drift:
        raise Refused("stale", "The rules have changed since: undo the action and try again.") from None
    return Overruled(step, verdict, command, result)


def find_kept(encounter: Encounter, step: Step) -> Mapping[Key, Answer]:
    """The answers of a step by their keys, after those of the steps that it replaced by overruling them."""
    replaced = find_replaced(encounter, step)
    older = find_kept(encounter, read_step(replaced)) if replaced else {}
    return {**older, **{key_of(answer): answer for answer in step.answers}}


def overrule_roll(
    encounter_id: int,
    number: int,
    roll: int,
    *,
    version: Seen = None,
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """Undo step `number`, the last one, and do its action again with another verdict of its check `roll`.

    Raises Refused, with nothing changed, or PermissionDenied for all but the GM.
    """
    with rewriting(encounter_id, version, grant) as encounter:
        if has_lost_dice(encounter):
            renew_dice(encounter, RESTORE)
        rows = find_last(encounter)
        if not rows or rows[0].number != number:
            raise Refused("stale", WENT_ON)
        strike(encounter_id, by=by, grant=grant)
        with locked(encounter_id) as fresh:
            return _do_again(fresh, rows[0], roll, author_label(by, GM, grant))


def _do_again(encounter: Encounter, row: StoredStep, roll: int, by: str) -> SubmissionResult:
    """Do the action of a step again with another verdict; what its dice leave open is rolled or asked."""
    system, state = find_system(encounter.system), read_state(encounter)
    found = _prepare(encounter, row, roll, state)
    dice, command = open_dice(encounter, state), found.command
    kept = find_kept(encounter, found.step)
    driver = KeptDriver(kept, dice, command.typed)
    result = run(system, state, find_action(system, found.step.name), command=command, driver=driver)
    count_rolls(encounter, dice)
    return store_result(
        encounter, state, found.step.name, command=command_data(command), result=result, by=by
    )
