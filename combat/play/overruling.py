"""The GM overrules a roll of this round: its action is undone and done again with the dice it had.

What came after it in the round is undone with it, and done again with its own dice: all of it, or nothing is
changed. All are ordinary steps of the log, so a replay verifies them. One undo takes back the overruling,
another the last action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from combat.audience.rights import Grant, author_label
from combat.audience.viewer import GM
from combat.models import Encounter, StoredStep
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, key_of
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.commands.commands import Command, command_data, read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System, system_of
from combat.rules.core.engine.engine import (
    Done,
    KeptDriver,
    Key,
    LiveDriver,
    Verdict,
    Waiting,
    find_action,
    find_verdicts,
    overrule,
    run,
)
from combat.rules.core.state.history import RESTORE, Step, go_back
from combat.rules.core.state.state import State

from .autopilot import is_npc
from .writing.encounter_service import (
    Seen,
    SubmissionResult,
    move_on,
    read_state,
    renew_dice,
    rewriting,
    store_result,
    strike,
)
from .writing.locking import locked
from .writing.sealing import count_rolls, has_lost_dice, open_dice
from .writing.step_cache import find_order, find_replaced, state_after, state_at
from .writing.verification import read_step

WENT_ON = "Only a roll of this round can be overruled: undo what came after it first."
NO_VERDICT = "That roll has no verdict to overrule: undo the action instead."
CHANGED = "The rules have changed since: undo the action and try again."
MOST_LATER = 100  # steps done again after an overruled one
TOO_MANY = f"More than {MOST_LATER} steps came after it: undo some of them first."
IMPOSSIBLE = "{what} (step {number}) would no longer be possible: {why} Undo back to that step instead."
ASKS = "{what} (step {number}) would ask {who} for a choice. Undo back to that step instead."
OTHER_TURN = (
    "After {what} (step {number}) it would be {now}'s turn, not {was}'s. Undo back to that step instead."
)


@dataclass(frozen=True)
class Overruled:
    """An action done again with another verdict: the step it replaces, and its result so far.

    `later` are the steps after it, done again; each with what its own dice make of it. None are told after
    the first whose result is open. `count` is how many there are.
    """

    step: Step
    verdict: Verdict
    command: Command
    result: Done | Waiting
    later: tuple[tuple[Step, Done | Waiting], ...] = ()
    count: int = 0


class KeptOrPlayed(KeptDriver):
    """Kept dice and choices, then the app's dice; those without a player choose by the game's policy."""

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The answer; None where a person is asked, and for dice that are still to be rolled."""
        known = super().answer(context, request)
        if known or not isinstance(request, ChoiceRequest):
            return known
        if is_npc(context.state, request.who):
            return answer_choice(request, system_of(context).tactics.decide(request), "policy")
        return LiveDriver.answer(self, context, request)


def preview(encounter: Encounter, number: int, roll: int) -> Overruled:
    """What overruling check `roll` of step `number` would change; Refused if it cannot be done."""
    first, *rows = find_course(encounter, number)
    now, order = read_state(encounter), find_order(encounter)
    at = order.index(number)
    before = go_back(state_at(encounter, order[at - 1] if at else 0), now)
    found = _prepare(encounter, first, roll, before)
    if not rows:
        return found
    system, driver = find_system(encounter.system), KeptOrPlayed(find_kept(encounter, found.step))
    result = run(system, before, find_action(system, first.name), command=found.command, driver=driver)
    _check_asks(encounter, first, before, result)
    later = tuple(_foresee(encounter, [first, *rows], result))
    return Overruled(found.step, found.verdict, found.command, result=result, later=later, count=len(rows))


def find_course(encounter: Encounter, number: int) -> list[StoredStep]:
    """Step `number` and those after it, all of this round; Refused unless it counts and is of this round."""
    order, now = find_order(encounter), read_state(encounter)
    later = order[order.index(number) :] if number in order else []
    if not later:
        raise Refused("stale", WENT_ON)
    if len(later) > MOST_LATER + 1:
        raise Refused("not_allowed", TOO_MANY)
    found = {row.number: row for row in encounter.log.filter(number__in=later)}
    is_now = now.phase == "fight" and found[number].round == now.round
    if len(later) > 1 and not is_now:
        raise Refused("stale", WENT_ON)
    return [found[one] for one in later]


def _foresee(
    encounter: Encounter, rows: list[StoredStep], result: Done | Waiting
) -> Iterator[tuple[Step, Done | Waiting]]:
    """The steps after the first, done again as far as kept dice carry them."""
    for was, row in pairwise(rows):
        if isinstance(result, Waiting):
            return
        state = _check_turn(encounter, was, result.state)
        driver = KeptOrPlayed(find_kept(encounter, read_step(row)))
        result = _run_again(encounter, row, state, driver)
        _check_asks(encounter, row, state, result)
        yield read_step(row), result
    if isinstance(result, Done):
        _check_turn(encounter, rows[-1], result.state)


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
        raise Refused("stale", CHANGED) from None
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
    """Undo the fight back to step `number`, of this round, and do it again with another verdict of its check
    `roll`; then do again what came after it.

    Raises Refused, with nothing changed, or PermissionDenied for all but the GM.
    """
    with rewriting(encounter_id, version, grant) as encounter:
        if has_lost_dice(encounter):
            renew_dice(encounter, RESTORE)
        first, *later = find_course(encounter, number)
        for _ in (first, *later):
            strike(encounter_id, by=by, grant=grant)
        with locked(encounter_id) as fresh:
            move_on(fresh)
            done = _do_again(fresh, first, roll, author_label(by, GM, grant), has_later=bool(later))
        for row in later:
            with locked(encounter_id) as fresh:
                done = _follow(fresh, row)
        return done


def _do_again(encounter: Encounter, row: StoredStep, roll: int, by: str, has_later: bool) -> SubmissionResult:
    """Do the action of a step again with another verdict; what its dice leave open is rolled or asked.

    Before later steps nobody is asked: the app rolls.
    """
    system, state = find_system(encounter.system), read_state(encounter)
    found = _prepare(encounter, row, roll, state)
    dice, command = open_dice(encounter, state), found.command
    kept = find_kept(encounter, found.step)
    driver = KeptOrPlayed(kept, dice) if has_later else KeptDriver(kept, dice, command.typed)
    result = run(system, state, find_action(system, found.step.name), command=command, driver=driver)
    count_rolls(encounter, dice)
    if has_later:
        _check_asks(encounter, row, state, result)
        _check_turn(encounter, row, result.state if isinstance(result, Done) else state)
    return store_result(
        encounter, state, found.step.name, command=command_data(command), result=result, by=by
    )


def _follow(encounter: Encounter, row: StoredStep) -> SubmissionResult:
    """Do a step again that came after an overruled one, with its own dice; nobody is asked."""
    state, step = read_state(encounter), read_step(row)
    dice = open_dice(encounter, state)
    result = _run_again(encounter, row, state, KeptOrPlayed(find_kept(encounter, step), dice))
    count_rolls(encounter, dice)
    _check_asks(encounter, row, state, result)
    _check_turn(encounter, row, result.state if isinstance(result, Done) else state)
    return store_result(
        encounter, state, step.name, step.command, result=result, by=step.by, again=row.number
    )


def _run_again(encounter: Encounter, row: StoredStep, state: State, driver: KeptDriver) -> Done | Waiting:
    system, step = find_system(encounter.system), read_step(row)
    try:
        action = find_action(system, step.name)
        return run(system, state, action, command=read_command(action, step.command), driver=driver)
    except Refused as refused:
        what = _name(system, step)
        text = IMPOSSIBLE.format(what=what, number=row.number, why=refused.message)
        raise Refused("not_allowed", text) from None
    except Drift:
        raise Refused("stale", CHANGED) from None


def _name(system: System, step: Step) -> str:
    return system.draw(find_action(system, step.name).label)


def _check_asks(encounter: Encounter, row: StoredStep, state: State, result: Done | Waiting) -> None:
    """Refuse a step done again that would ask a person: they cannot answer in the middle of it."""
    if not isinstance(result, Waiting):
        return
    asked = next((one.who for one in _find_choices(result.requests)), "")
    if asked:
        system = find_system(encounter.system)
        who = state[asked].name if asked in state.combatants else "someone"
        text = ASKS.format(what=_name(system, read_step(row)), number=row.number, who=who)
        raise Refused("not_allowed", text)


def _find_choices(requests: Iterable[Request]) -> Iterator[ChoiceRequest]:
    return (request for request in requests if isinstance(request, ChoiceRequest))


def _check_turn(encounter: Encounter, row: StoredStep, state: State) -> State:
    """The state, if the same one acts in it as after the step when it was done first; else Refused."""
    then = state_after(row)
    if (state.phase, state.round, state.active) == (then.phase, then.round, then.active):
        return state
    system = find_system(encounter.system)
    names = [one[one.active].name if one.active in one.combatants else "nobody" for one in (state, then)]
    text = OTHER_TURN.format(
        what=_name(system, read_step(row)), number=row.number, now=names[0], was=names[1]
    )
    raise Refused("not_allowed", text)
