"""What if: someone plays on from a step of an encounter, without changing the encounter.

A branch is a row with a state of its own; nothing else is written here. It begins with what its owner may
know, so it can reveal no secret. It also leaves out the wounds of combatants whose health they may not know,
as odds do.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from combat.audience.changes import PendingCommand
from combat.audience.rights import WORD_ACTION, Grant, author_label, check_gm, check_right, find_viewer
from combat.audience.secrecy import find_free, find_obscured, forget_unknown
from combat.audience.viewer import GM, Viewer
from combat.models import Branch, Encounter
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.dice import dice
from combat.rules.core.basics.dice.dice import make_secret
from combat.rules.core.basics.dice.requests import (
    Answer,
    ChoiceRequest,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
    key_of,
)
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.commands.commands import Action, Command, command_data, read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import are_alike
from combat.rules.core.engine.engine import Done, LiveDriver, ReplayDriver, Waiting, choose, find_action, run
from combat.rules.core.gm.ways import is_blind
from combat.rules.core.odds.deck_moves import UNSEEN_END, WAY
from combat.rules.core.odds.planner import Plan
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.history import COMMAND, Step, find_timeline
from combat.rules.core.state.state import State, decode, encode, replace

from ..autopilot import ASKED, check_turn, find_fields, find_stop, find_turns, is_npc, play_one
from ..writing.encounter_service import (
    SubmissionResult,
    check_things,
    move_on,
    read_state,
    steps_turned,
    store_result,
    strike,
)
from ..writing.locking import alone, busy, check_numbers, check_size, locked, stale
from ..writing.verification import read_step

MAX_BRANCHES = 12  # of one person at an encounter
MAX_STEPS = 100  # of a branch
MAX_BYTES = 1_000_000  # of its steps as JSON
FULL = "The branch is full: undo some steps, or begin a new one."
SOURCE = "branch"  # of dice rolled in a branch; rolls of the fight have other sources
# What reveals someone's health, and what follows from it
WOUNDS = (e.TrackChanged, e.ConditionGained, e.ConditionChanged, e.CombatantLeft, e.Said, e.ItemLost)
CLOCKED = (e.ConditionEnded, e.Marked)  # what a passing turn may say of anyone
# What rules raise when secrets are missing from a state
BROKEN = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)
MAX_UNDONE = 100  # steps of the fight that a branch may undo
WENT_ON = "The fight went on after this branch began: begin a new branch from the step you want."
DIFFERS = "The fight no longer comes by this step: begin a new branch."


# ---- What is stored ----


def viewer_of(branch: Branch) -> Viewer:
    """The viewer of a branch: its owner, with the rights they had when it began."""
    return GM if branch.role == GM.role else Viewer(branch.role, frozenset(branch.combatants))


def pack(state: State) -> bytes:
    """A state as a branch stores it."""
    return zlib.compress(encode(state), 1)


def unpack(raw: bytes | memoryview) -> State:
    """The state from its stored form."""
    return decode(zlib.decompress(bytes(raw)))


def read_steps(branch: Branch) -> tuple[Step, ...]:
    """The steps of a branch, oldest first."""
    return read_json(bytes(branch.record), tuple[Step, ...])


def state_in(branch: Branch, number: int) -> State:
    """The state of a branch after one of its steps; before the first for 0."""
    facts = (fact for step in read_steps(branch)[:number] for fact in step.facts)
    return fold_all(unpack(branch.start), facts)


def read_open(branch: Branch) -> PendingCommand | None:
    """The open command of a branch, if one waits."""
    return read_json(bytes(branch.waiting), PendingCommand) if branch.waiting else None


def begin(encounter: Encounter, owner: str, viewer: Viewer, after: int, start: State) -> Branch:
    """A new branch from a step of the log; `start` is the state after it as its owner may know it."""
    with locked(encounter.pk):
        mine = Branch.objects.filter(encounter=encounter.pk, owner=owner)
        if mine.count() >= MAX_BRANCHES:
            text = f"{MAX_BRANCHES} branches are the limit: delete one first."
            raise Refused("not_allowed", text)
        last = mine.order_by("-number").values_list("number", flat=True).first()
        raw = pack(start)
        return Branch.objects.create(
            encounter_id=encounter.pk,
            owner=owner,
            number=(last or 0) + 1,
            role=viewer.role,
            combatants=sorted(viewer.seats),
            after=after,
            seen=encounter.steps,
            start=raw,
            state=raw,
            record=b"[]",
            secret=make_secret(),
        )


@contextmanager
def changing(seen: Branch) -> Iterator[Branch]:
    """A branch, locked until the block ends; Refused("stale") if another tab was quicker."""
    with alone():
        branch = Branch.objects.select_for_update().filter(pk=seen.pk).first()
        if branch is None or branch.revision != seen.revision:
            raise stale()
        yield branch


def delete(seen: Branch) -> None:
    """Delete a branch."""
    with changing(seen) as branch:
        branch.delete()


# ---- Playing on ----


class BranchDriver(LiveDriver):
    """Dice from the branch's own secret; combatants its owner does not play answer by the policy.

    With `auto`, so do all combatants whom nobody plays.
    """

    def __init__(
        self,
        branch: Branch,
        viewer: Viewer,
        *,
        typed: bool = False,
        faces: tuple[int, ...] = (),
        auto: bool = False,
    ) -> None:
        super().__init__(typed=typed, faces=faces)
        self.branch, self.viewer, self.auto = branch, viewer, auto

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The answer, or None if the owner of the branch is asked."""
        mine = any(map(self.viewer.plays, request.people))
        if isinstance(request, RollRequest):
            is_typed = mine and (self.faces or self.typed)
            return super().answer(context, request) if is_typed else throw(self.branch, request)
        if not mine or (self.auto and is_npc(context.state, request.who)):
            return choose(context, request)
        return super().answer(context, request)


def throw(branch: Branch, request: RollRequest) -> Answer:
    """The answer to a roll by the branch's own dice."""
    branch.rolled += 1
    faces = dice.draw_faces(branch.secret, branch.rolled, "", request.dice)
    return answer_roll(request, faces, SOURCE)


def act(
    seen: Branch,
    action: Action,
    fields: Mapping[str, Any],
    *,
    typed: bool = False,
    faces: tuple[int, ...] = (),
    by: str = "",
) -> None:
    """Try an action in a branch. Raises Refused, or PermissionDenied, with nothing changed."""
    with changing(seen) as branch:
        _act_in(branch, action, fields, typed=typed, faces=faces, by=by)


def do_plan(
    seen: Branch, plan: Plan, *, typed: bool = False, faces: tuple[int, ...] = (), by: str = ""
) -> None:
    """Try the parts of a plan: all of them up to a question, or none if one is refused."""
    system = find_system(seen.encounter.system)
    with changing(seen) as branch:
        for part in plan.parts:
            shown = faces if part is plan.parts[-1] else ()
            _act_in(branch, system.action(part.do), part.fields, typed=typed, faces=shown, by=by)
            if branch.waiting:
                break


def _act_in(
    branch: Branch,
    action: Action,
    fields: Mapping[str, Any],
    *,
    typed: bool,
    by: str,
    faces: tuple[int, ...] = (),
) -> None:
    """Try an action in a locked branch."""
    check_size(fields)
    check_room(branch)
    if action.name == WORD_ACTION:
        raise Refused("not_allowed", "A branch has its own dice: give your word at the table.")
    viewer, system, state = viewer_of(branch), find_system(branch.encounter.system), unpack(branch.state)
    if action.name == WAY and is_blind(state, str(fields.get("way", ""))):
        raise Refused("not_allowed", f"{UNSEEN_END} Take it at the table first.")
    if action.name != system.actions.advance:  # nobody else plays here: anyone's turn may be ended
        check_right(viewer, system, state, action=action, fields=fields)
    known = forget_unknown(dict(fields), find_free(action), state, viewer)
    command = read_command(action, {**known, **({"typed": True} if typed else {})}, state)
    check_numbers(command_data(command))
    driver = BranchDriver(branch, viewer, typed=typed, faces=faces)
    store(
        branch,
        system,
        state,
        action=action,
        command=command,
        result=run_known(system, state, action, command=command, driver=driver),
        by=by,
    )


def is_full(branch: Branch) -> bool:
    """Whether no step can follow in a branch."""
    return branch.steps >= MAX_STEPS


def check_room(branch: Branch) -> None:
    """Refuse a step while another waits, or if the branch is full."""
    if branch.waiting:
        raise busy(is_gm=True)
    if is_full(branch):
        raise Refused("not_allowed", FULL)


def run_known(
    system: System,
    state: State,
    action: Action,
    command: Command,
    driver: BranchDriver,
    answers: tuple[Answer, ...] = (),
) -> Done | Waiting:
    """Run a command on a state that may lack secrets; Refused if it needs one."""
    try:
        return run(system, state, action, command=command, driver=driver, answers=answers)
    except Drift:
        raise Refused("stale", "The rules have changed since: cancel this action and try again.") from None
    except BROKEN:
        if driver.viewer.is_gm:
            raise
        text = "That needs something you can't know: try another action."
        raise Refused("not_allowed", text) from None


def store(
    branch: Branch,
    system: System,
    state: State,
    action: Action,
    command: Command,
    result: Done | Waiting,
    by: str,
) -> State:
    """Store the result of a command tried in `state`; return the state after it."""
    viewer, data = viewer_of(branch), command_data(command)
    told = result.tell() if isinstance(result, Waiting) else result.facts
    facts = without_wounds(system, state, viewer, action=action, facts=told)
    if isinstance(result, Waiting):
        pending = PendingCommand(
            name=action.name,
            number=-branch.pk,  # no command of the fight has one below zero
            command=data,
            answers=result.answers,
            requests=result.requests,
            facts=facts,
        )
        branch.waiting = msgspec.json.encode(pending)
        _save(branch)
        return state
    after = result.state if facts == result.facts else fold_all(state, facts)
    steps = read_steps(branch)
    step = Step(
        len(steps) + 1, COMMAND, action.name, command=data, answers=result.answers, facts=facts, by=by
    )
    branch.waiting = None
    _keep(branch, (*steps, step), after)
    return after


def without_wounds(
    system: System, state: State, viewer: Viewer, action: Action, facts: Iterable[e.Fact]
) -> tuple[e.Fact, ...]:
    """The facts of a step without the wounds of those whose health its owner may not know."""
    obscured, kept = find_obscured(system, state, viewer), tuple(facts)
    if not obscured:
        return kept
    left_out = WOUNDS if action.name == system.actions.advance else (*WOUNDS, *CLOCKED)
    return tuple(
        fact
        for fact in kept
        if not (isinstance(fact.event, left_out) and getattr(fact.event, "who", "") in obscured)
    )


def _keep(branch: Branch, steps: tuple[Step, ...], state: State) -> None:
    record = msgspec.json.encode(steps)
    if len(record) > MAX_BYTES:
        raise Refused("not_allowed", "This branch is too long: undo some of it, or begin a new one.")
    branch.record, branch.steps, branch.state = record, len(steps), pack(state)
    _save(branch)


def _save(branch: Branch) -> None:
    branch.revision += 1
    branch.save()


# ---- Answers ----


def find_asked(branch: Branch) -> tuple[PendingCommand, tuple[Request, ...]]:
    """The open command of a branch, and those of its questions that its owner answers."""
    waiting, viewer = read_open(branch), viewer_of(branch)
    asked = waiting.requests if waiting else ()
    mine = tuple(request for request in asked if any(map(viewer.plays, request.people)))
    if waiting is None or not mine:
        raise Refused("stale", "Nothing needs an answer now: reload the page.")
    return waiting, mine


def answer(
    seen: Branch, ordinal: int, *, faces: tuple[int, ...] = (), value: str = "", roll: bool = False, by: str
) -> None:
    """Answer the open command's question number `ordinal`: with faces, a choice, or by the branch's dice."""
    with changing(seen) as branch:
        _, mine = find_asked(branch)
        if not 0 <= ordinal < len(mine):
            raise Refused("stale", "That question is already answered.")
        go_on(branch, seen.encounter, (reply(branch, mine[ordinal], faces, value, roll=roll),), by)


def reply(branch: Branch, request: Request, faces: tuple[int, ...], value: str = "", *, roll: bool) -> Answer:
    """The answer to one question."""
    if isinstance(request, ChoiceRequest):
        return answer_choice(request, value, "gm" if viewer_of(branch).is_gm else "seat")
    return throw(branch, request) if roll else answer_roll(request, faces, "table")


def go_on(branch: Branch, encounter: Encounter, given: tuple[Answer, ...], by: str) -> None:
    """Run the open command again with these answers as well."""
    waiting, _ = find_asked(branch)
    system, state = find_system(encounter.system), unpack(branch.state)
    action = find_action(system, waiting.name)
    command = read_command(action, waiting.command)
    fresh = {key_of(one) for one in given}
    answers = (*(one for one in waiting.answers if key_of(one) not in fresh), *given)
    driver = BranchDriver(branch, viewer_of(branch), typed=command.typed)
    result = run_known(system, state, action, command=command, driver=driver, answers=answers)
    store(branch, system, state, action=action, command=command, result=result, by=by)


def undo(seen: Branch) -> None:
    """Remove the last step of a branch, or the command that waits, for good."""
    with changing(seen) as branch:
        steps = read_steps(branch)
        if branch.waiting:
            branch.waiting = None
            _save(branch)
        elif steps:
            _keep(branch, steps[:-1], state_in(branch, len(steps) - 1))
        else:
            raise Refused("not_allowed", "Nothing to undo.")


def pass_turns(seen: Branch, whose: str, *, by: str = "") -> str:
    """End the turns that a pass would end at the table, until something is asked or the branch is full;
    return the words for the second, else ""."""
    with changing(seen) as branch:
        check_room(branch)
        system, state = find_system(seen.encounter.system), unpack(branch.state)
        action = find_action(system, system.actions.advance)
        for acting in find_turns(system, state, whose):
            command = read_command(action, dict(find_fields(acting)))
            result = run_known(
                system, state, action, command=command, driver=BranchDriver(branch, viewer_of(branch))
            )
            state = store(branch, system, state, action=action, command=command, result=result, by=by)
            if branch.waiting:
                return ""
            if is_full(branch):
                return FULL
    return ""


def autoplay(seen: Branch, *, everybody: bool = False, by: str = "") -> str:
    """Play the active combatant's turn, or with `everybody` all turns until a player's; return why it
    stopped, in words, "" for a turn that it was to play.

    It stops when someone is asked, when only one side still stands, and when the branch is full.
    """
    with changing(seen) as branch:
        system, state = find_system(seen.encounter.system), unpack(branch.state)
        check_room(branch)
        check_turn(system, state)
        taken = 0  # of this turn
        while not is_full(branch):
            actor = state.active
            state = play_one(system, state, taken, partial(_run, branch, system, state, f"{by} (auto)"))
            ended = state.active != actor
            taken = 0 if ended else taken + 1
            if branch.waiting:
                return ASKED
            if stopped := find_stop(system, state, ended and everybody):
                return stopped
            if ended and not everybody:
                return ""
    return FULL


def _run(branch: Branch, system: System, state: State, by: str, name: str, command: Command) -> State:
    action, driver = find_action(system, name), BranchDriver(branch, viewer_of(branch), auto=True)
    result = run_known(system, state, action, command=command, driver=driver)
    return store(branch, system, state, action=action, command=command, result=result, by=by)


# Making a branch real: steps of the fight are undone, then the branch's own done as ordinary steps. All of
# it, or nothing if anything does not fit. The dice of the branch are not dice of the fight: its rolls keep
# the mark of their origin, and the log says so for each.


@dataclass(frozen=True)
class MergePlan:
    """What making a branch real does: the steps to undo, newest first, and the steps to do."""

    undone: tuple[int, ...]
    steps: tuple[Step, ...]


def find_plan(encounter: Encounter, branch: Branch) -> MergePlan:
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
    return MergePlan(undone, read_steps(branch))


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
        viewer = find_viewer(encounter, grant)
        check_gm(viewer)
        if encounter.open_command:
            raise busy(is_gm=True)
        with changing(seen) as branch:
            plan = find_plan(encounter, branch)
            for _ in plan.undone:
                strike(encounter_id, by=by, grant=grant)
            if not _are_alike(read_state(Encounter.objects.get(pk=encounter_id)), unpack(branch.start)):
                raise Refused("stale", DIFFERS)
            with locked(encounter_id) as fresh:
                move_on(fresh)
            steps_turned.send(Encounter, encounter_id=encounter_id, numbers=plan.undone)
            for step in plan.steps:
                _do(encounter_id, step, viewer, grant, author_label(by, GM, grant))
            branch.delete()


def _are_alike(one: State, other: State) -> bool:
    """Whether two states are the same except for their counters of used numbers."""
    return replace(one, made=0) == replace(other, made=0)


def _do(encounter_id: int, step: Step, viewer: Viewer, grant: Grant | None, by: str) -> SubmissionResult:
    """Do a step of a branch at the table, with the answers it had in the branch."""
    with locked(encounter_id) as encounter:
        system, state = find_system(encounter.system), read_state(encounter)
        check_things(encounter, viewer, grant, state, step.command)
        action = find_action(system, step.name)
        command = read_command(action, step.command)
        try:
            result = run(system, state, action, command=command, driver=ReplayDriver(), answers=step.answers)
        except Drift:
            raise Refused("stale", DIFFERS) from None
        if not isinstance(result, Done) or not are_alike(system, result.facts, step.facts):
            raise Refused("stale", DIFFERS)
        return store_result(encounter, state, step.name, command=step.command, result=result, by=by)
