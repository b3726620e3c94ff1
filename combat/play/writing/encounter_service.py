"""The one place for writing: lock, check the version, run, append, publish.

Every function here returns a SubmissionResult or raises Refused with nothing changed. An action costs a
fixed number of queries, however long the log is.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.dispatch import Signal, receiver
from django.utils import timezone
from django.utils.crypto import salted_hmac
from msgspec.structs import replace

from characters.accounts.visitors import is_visitor
from combat.audience.changes import (
    FOR_ALL,
    Audience,
    PendingCommand,
    count_change,
    find_audience,
    find_held,
    find_open_seat,
    find_pending_audience,
    find_private,
    find_seen_audience,
    find_step_audience,
    read_pending,
)
from combat.audience.doors import open_door
from combat.audience.rights import (
    Grant,
    author_label,
    check_gm,
    check_pause,
    check_right,
    check_word,
    find_viewer,
    hide_secret_refusals,
    limit_to_known,
)
from combat.audience.things import check_handout
from combat.audience.viewer import GM, Viewer
from combat.models import Encounter, ShareLink, StoredStep
from combat.rules import find_system
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.data import find_fields
from combat.rules.core.basics.dice.dice import (
    SealedDice,
    check_faces,
    make_seal,
    make_secret,
    parse_dice,
    read_zeros,
)
from combat.rules.core.basics.dice.requests import (
    Answer,
    ChoiceRequest,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
    answer_sealed,
    key_of,
    stand_for,
)
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.basics.numbers import read_whole
from combat.rules.core.commands import luck
from combat.rules.core.commands.commands import Action, command_data, read_command
from combat.rules.core.engine.document import MOVE, Document, make_document
from combat.rules.core.engine.engine import (
    Done,
    KeptDriver,
    LiveDriver,
    ReplayDriver,
    Waiting,
    find_action,
    run,
)
from combat.rules.core.gm.aliases import real_name
from combat.rules.core.gm.battle_map import MAP_ACTIONS
from combat.rules.core.state.events import Fact, TurnStarted
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.history import (
    ANY_TIME,
    CANCEL,
    COMMAND,
    REDO,
    RESTORE,
    UNDO,
    Step,
    find_undone,
    go_back,
    has_public_roll,
    make_renewal,
    make_seating,
    use_up,
)
from combat.rules.core.state.state import State, decode, encode, present
from combat.rules.core.wording import describe, tell_once
from combat.stamps import COMMON

from .due_handouts import show_due
from .locking import MAX_COMMAND_BYTES, busy, check_numbers, check_size, locked, stale
from .sealing import count_rolls, has_dice, has_lost_dice, list_seals, open_dice, seal_step
from .step_cache import cache_state, cache_steps, find_last, find_replaced, find_state, state_after
from .unseen_turn import find_known
from .verification import read_step, verify

MAX_ENCOUNTERS, MAX_OF_VISITOR = 1000, 10  # of one owner
MAX_MAP_BYTES = 600_000  # of one that brings a whole battle map
CHANGED_RULES = "The rules have changed since this action began: cancel it and try again."
SEED = "seed"  # the field of a command that adds combatants or a clock

# Fields that a waiting command changes, and those that a step changes: others may be written meanwhile
COUNTED = ("version", "public", "seated", "changed", "rolled", "secret_rolls", "dice_secret")
WRITTEN = (
    *COUNTED,
    "turn_began",
    "state",
    "undone",
    "steps",
    "open_command",
    "phase",
    "round",
    "combatants",
    "people",
    "seals",
    "closed",
    "opened",
)
Seen = int | str | None
fight_begins = Signal()  # with the locked `encounter`, before the step that begins its fight
fight_ended = Signal()  # with `encounter_id`, in its lock: a step of a command has ended the fight
steps_turned = (
    Signal()
)  # with `encounter_id`, in its lock, and the `numbers` of the steps that were undone or redone
step_stored = Signal()  # with the locked `encounter`, a `step` of a command, and the state `before` it
command_closed = Signal()  # with `encounter_id`, in its lock: the open command is done or cancelled

FACE = "face-{}-{}"


@dataclass(frozen=True)
class Submission:
    """A command from a person: its name and fields, and the version or stamp that they saw.

    `faces` are dice typed with the command; `typed` leaves further rolls to be typed as well.
    `grant` is the author's claim; only the app itself has none. `numbered` ids are those that a demo's script
    expects.
    """

    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    version: Seen = None
    typed: bool = False
    faces: tuple[int, ...] = ()
    by: str = ""
    grant: Grant | None = None
    numbered: bool = False


@dataclass(frozen=True)
class SubmissionResult:
    """The result of a submission: the version and the state after it, and whether it waits for an answer.

    `encounter` is its row as it was written, if no command was open before or is now.
    """

    version: int
    waiting: bool
    state: State
    facts: tuple[Fact, ...] = ()
    encounter: Encounter | None = None


def create_encounter(
    owner: User, system: str, name: str, *, demo: bool = False, downtime: bool = False
) -> Encounter:
    """A new, empty encounter of a game; Refused if its owner has too many."""
    most = MAX_OF_VISITOR if is_visitor(owner) else MAX_ENCOUNTERS
    if Encounter.objects.filter(owner=owner).count() >= most:
        text = f"You have {most:,} encounters, archived ones too, the limit: delete one first."
        raise Refused("not_allowed", text)
    start = encode(find_system(system).begin())
    name = " ".join(name.split())[:100] or "New encounter"
    return Encounter.objects.create(
        owner=owner,
        system=system,
        name=name,
        start=start,
        state=start,
        demo=demo,
        downtime=downtime,
        dice_secret=make_secret(),
        closed=not (demo or downtime),
    )


def read_state(encounter: Encounter) -> State:
    """The present state of an encounter."""
    return find_state(encounter.pk, bytes(encounter.state))


def check_version(encounter: Encounter, seen: Seen, grant: Grant | None = None) -> None:
    """Refuse a submission from an outdated page, also if only its own seat learned more; none fits any."""
    if isinstance(seen, str):
        fits = seen[:COMMON] in (encounter.stamp(is_gm=True), encounter.stamp(is_gm=False, is_seated=True))
        seat = find_open_seat(encounter.pk, grant.seat) if fits and grant and grant.seat else None
        fits = fits and (seat is None or seat.kind == ShareLink.CO_GM or seen[COMMON:] == seat.own_stamp)
    else:
        fits = seen in (None, encounter.version)
    if not fits:
        raise stale()


def submit(encounter_id: int, submission: Submission) -> SubmissionResult:
    """Run a command. Raises Refused when the rules, the version or an open command forbid it.

    Checks the author's right against the seats and the state as they are now; PermissionDenied without it.
    """
    check_size(submission.fields, MAX_MAP_BYTES if submission.name in MAP_ACTIONS else MAX_COMMAND_BYTES)
    with locked(encounter_id) as encounter:
        return _perform(encounter, submission)


def _perform(encounter: Encounter, submission: Submission) -> SubmissionResult:
    """Do what `submit` does, for a locked encounter."""
    viewer, waiting = find_viewer(encounter, submission.grant), bool(encounter.open_command)
    check_version(encounter, submission.version, submission.grant)
    if waiting and submission.name not in ANY_TIME:
        raise busy(viewer.is_gm)
    check_word(viewer, submission.grant, submission.name)
    make_ready(encounter)
    if submission.name not in (*ANY_TIME, MOVE):
        move_on(encounter)
    system, state = find_system(encounter.system), read_state(encounter)
    check_pause(viewer, state)
    action = find_action(system, submission.name)
    if submission.name == system.actions.start and not waiting:
        check_right(viewer, system, state, action, submission.fields)
        fight_begins.send(Encounter, encounter=encounter)
        state = read_state(encounter)
    known = partial(find_known, encounter, viewer, state)
    fields = limit_to_known(viewer, system, state, action, fields=submission.fields, find_known=known)
    if not submission.numbered:
        fields = add_seed(action, fields)
    command = read_command(action, {**fields, **({"typed": True} if submission.typed else {})}, state)
    data = command_data(command)
    check_numbers(data)
    check_things(encounter, viewer, submission.grant, state, data)
    dice = open_dice(encounter, state)
    driver = LiveDriver(typed=submission.typed, faces=submission.faces, dice=dice)
    with hide_secret_refusals(viewer, state):
        result = run(system, state, action, command, driver=driver)
    count_rolls(encounter, dice)
    if isinstance(result, Waiting) and waiting:
        raise Refused("busy", "Answer the open question first.")
    by = author_label(submission.by, viewer, submission.grant)
    return store_result(encounter, state, submission.name, data, result=result, by=by)


def check_things(
    encounter: Encounter, viewer: Viewer, grant: Grant | None, state: State, fields: dict[str, Any]
) -> None:
    """Refuse a command that names what its author may not name: the handout of a clock.

    One that the clock shows already is named by its owner, and may stay.
    """
    title = tidy(str(fields.get("handout", "")))
    kept = {
        clock.acts.handout for clock in state.all_clocks if clock.acts and clock.id == fields.get("clock")
    }
    if title and title not in kept:
        check_handout(encounter, viewer, grant, title)


def submit_all(encounter_id: int, submissions: Iterable[Submission]) -> tuple[SubmissionResult, ...]:
    """Run several commands: all of them, or none if one is refused."""
    with locked(encounter_id):
        return tuple([submit(encounter_id, submission) for submission in submissions])


def store_result(
    encounter: Encounter,
    state: State,
    name: str,
    command: dict[str, Any],
    result: Done | Waiting,
    by: str,
    was: PendingCommand | None = None,
    again: int = 0,
) -> SubmissionResult:
    """Store the result of a command: its step if it is done, the open command if it waits.

    `state` is the one before it; `was` is the open command until now; `again` is the step that it does again.
    """
    if isinstance(result, Waiting):
        now = _make_open(encounter, name, command, result, by=by, was=was)
        encounter.open_command = msgspec.json.encode(now)
        count_change(encounter, find_pending_audience(encounter, state, was, now))
        encounter.save(update_fields=(*COUNTED, "open_command"))
        return SubmissionResult(encounter.version, True, state, result.facts)
    number, answers, facts = encounter.steps + 1, result.answers, result.facts
    step = Step(number, COMMAND, name, command, answers=answers, facts=facts, by=by, target=again)
    audiences = find_step_audience(step, result.state), find_pending_audience(encounter, state, was)
    append_step(encounter, step, state, result.state, find_undone(tuple(encounter.undone), name), *audiences)
    step_stored.send(Encounter, encounter=encounter, step=step, before=state)
    if state.phase != result.state.phase == "over":
        fight_ended.send(Encounter, encounter_id=encounter.pk)
    written = None if was else encounter
    return SubmissionResult(encounter.version, False, result.state, result.facts, encounter=written)


def _make_open(
    encounter: Encounter,
    name: str,
    command: dict[str, Any],
    result: Waiting,
    by: str,
    was: PendingCommand | None,
) -> PendingCommand:
    """The open command; its clock restarts only if there are new questions."""
    known = {key_of(request) for request in was.requests} if was else set()
    is_same = was and known.issuperset(key_of(request) for request in result.requests)
    return PendingCommand(
        name=name,
        number=was.number if was else encounter.steps + 1,
        command=command,
        answers=result.answers,
        requests=result.requests,
        facts=result.tell(),
        by=by,
        asked=was.asked if was and is_same else timezone.now(),
    )


def append_step(
    encounter: Encounter, step: Step, before: State, state: State, undone: Iterable[int], *audiences: Audience
) -> None:
    """Write a step and the state after it. `audiences` say whom it concerns besides the GM.

    The turn of someone unseen begins for the GM alone: the timer of others goes on.
    """
    raw, step = encode(state), seal_step(encounter, step)
    encounter.state, encounter.undone, encounter.steps = raw, list(undone), step.number
    cache_state(encounter.pk, raw, state)
    if due := show_due(encounter, before, state):
        audiences = (*audiences, due)
    if state.phase != "prep":
        open_door(encounter)
    is_held = any(each.held for each in audiences)
    seen = () if is_held or FOR_ALL in audiences else (find_seen_audience(before, state),)
    count_change(encounter, *seen, *audiences)
    summarize(encounter, state)
    resumes = before.is_paused and not state.is_paused  # the limits of a turn and of an answer begin again
    if resumes or (begins_turn(before, state) and not is_held):
        encounter.turn_began = timezone.now()
    if resumes and (waiting := read_pending(encounter)):
        encounter.open_command = msgspec.json.encode(replace(waiting, asked=timezone.now()))
    encounter.save(update_fields=WRITTEN)
    row = make_row(encounter, step, state.round, raw)
    row.encounter_id = encounter.pk
    row.save(force_insert=True)
    del row.after  # large, and no page needs it
    cache_steps([row])
    if settings.COSMOS_VERIFY:
        verify(encounter)


def summarize(encounter: Encounter, state: State) -> None:
    """Copy what lists of encounters show of a state into the columns of its row."""
    there = present(state)
    encounter.phase, encounter.round, encounter.combatants = state.phase, state.round, len(there)
    encounter.people = "\n".join(real_name(one) for one in there)


def make_row(encounter: Encounter, step: Step, in_round: int, after: bytes) -> StoredStep:
    """The row of a step that is not stored yet, with the encoded state after it."""
    return StoredStep(
        number=step.number,
        kind=step.kind,
        name=step.name[:40],
        by=step.by,
        target=step.target,
        round=in_round,
        record=msgspec.json.encode(step),
        public=any_lines(encounter, step),
        dice=has_dice(step),
        private=find_private(step.facts),
        after=zlib.compress(after, 1),
    )


def begins_turn(before: State, after: State) -> bool:
    """Whether a new combatant has the turn, or the same one in another round."""
    acting = {after.active, *after.sharing} - {""}
    return bool(acting) and (not acting <= {before.active, *before.sharing} or after.round != before.round)


def any_lines(encounter: Encounter, step: Step) -> bool:
    """Whether everybody can read a line about a step, or see that it holds a roll."""
    if has_public_roll(step):
        return True
    system, facts = find_system(encounter.system), Viewer().select(step.facts)
    if any(isinstance(fact.event, TurnStarted) for fact in facts):
        return True  # it always has its line, which need not be worded here
    return any(describe(system, fact, {}) for fact in tell_once(system, facts))


def make_ready(encounter: Encounter) -> None:
    """Bring a locked encounter up to date before its next step: new dice for lost ones, and ended seats."""
    if encounter.open_command:
        return
    if has_lost_dice(encounter):
        renew_dice(encounter, RESTORE)
    if read_state(encounter).played:  # the link of a seat may have expired meanwhile, which writes nothing
        settle_players(encounter)


def move_on(encounter: Encounter) -> None:
    """Move a locked fight to the newest rules, by a step, if its own are not played here any more.

    What follows is played by new rules: so the log says where they begin, and a replay knows which steps it
    can play again. While a command is open this does nothing.
    """
    system, state = find_system(encounter.system), read_state(encounter)
    versions = system.versions
    if encounter.open_command or versions.knows(state.rules) or state.rules > versions.newest:
        return
    action = find_action(system, MOVE)
    command = read_command(action, {"to": versions.newest}, state)
    done = run(system, state, action, command, driver=ReplayDriver())
    store_result(encounter, state, MOVE, command_data(command), result=done, by="")


def settle_players(encounter: Encounter) -> None:
    """Note in the log whom people play from seats now, if that is news; the encounter is locked.

    The seats are the truth about persons, and the fight follows them: whatever gives someone to a seat, or
    takes them from it, calls this. While a command is open the fight stays as it began; its end calls this.
    """
    state = read_state(encounter)
    heroes = {one.id for one in state.combatants.values() if one.pc}
    others = find_held(encounter) - heroes  # also those whose joining was undone: it may be redone
    if encounter.open_command or others == set(state.played or ()) - heroes:
        return
    step = make_seating(encounter.steps + 1, tuple(sorted(others)))
    append_step(encounter, step, state, fold_all(state, step.facts), encounter.undone)


@receiver(command_closed, dispatch_uid="combat.settle_players")
def settle_late(encounter_id: int, **_: Any) -> None:
    """Settle what happened to seats while the command was open."""
    with locked(encounter_id) as encounter:
        settle_players(encounter)


def renew_dice(encounter: Encounter, why: str) -> None:
    """Begin new dice; the log gets the seal of their secret and the reason. The encounter is locked."""
    encounter.dice_secret = make_secret()
    step = make_renewal(encounter.steps + 1, why, make_seal(encounter.dice_secret))
    encounter.seals = list_seals((step,), encounter.seals)
    state = read_state(encounter)
    append_step(encounter, step, state, state, encounter.undone, FOR_ALL)


def answer(
    encounter_id: int,
    ordinal: int,
    *,
    faces: tuple[int, ...] = (),
    value: str = "",
    roll: bool = False,
    version: Seen = None,
    by: str = "",
    source: str = "",
    grant: Grant | None = None,
    always: bool = False,
) -> SubmissionResult:
    """Answer the open command's request number `ordinal`: with faces, a choice, or `roll`.

    For a seat, `ordinal` counts only the questions to its own combatants. With `always` the choice becomes
    a standing order.
    """
    with locked(encounter_id) as encounter:
        waiting = read_pending(encounter)
        viewer = find_viewer(encounter, grant)
        check_version(encounter, version, grant)
        asked = waiting.requests if waiting else ()
        mine = [r for r in asked if viewer.is_gm or not viewer.seats.isdisjoint(r.people)]
        if waiting is None or not mine:
            raise Refused("stale", "Nothing needs an answer now: reload the page.")
        if not 0 <= ordinal < len(mine):
            raise Refused("stale", "That question is already answered.")
        check_pause(viewer, read_state(encounter))
        request = mine[ordinal]
        dice = open_dice(encounter, read_state(encounter)) if roll else None
        given = make_answer(request, faces, value, dice, source=source or ("gm" if viewer.is_gm else "seat"))
        if dice:
            count_rolls(encounter, dice)
        if always and isinstance(request, ChoiceRequest) and not request.also:
            order = {"actor": request.who, "rule_id": request.rule, "value": stand_for(request, value)}
            submit(encounter_id, Submission("set_standing", order, by=author_label(by, viewer, grant)))
            encounter.refresh_from_db()
        return go_on(encounter, waiting, (given,), author_label(by, viewer, grant) if by else waiting.by)


def make_answer(
    request: Request, faces: tuple[int, ...], value: str, dice: SealedDice | None, source: str
) -> Answer:
    """The answer to a request: typed faces or a choice; with `dice`, a roll of the app."""
    if not isinstance(request, RollRequest):
        return answer_choice(request, value, source)
    if dice:
        return answer_sealed(request, dice)
    return answer_roll(request, faces, "table")


def find_obstacle(encounter: Encounter, waiting: PendingCommand) -> str:
    """Why no answer takes the open command further, as the rules have changed since it began; else empty."""
    system, state = find_system(encounter.system), read_state(encounter)
    if waiting.name not in ANY_TIME and not system.versions.knows(state.rules):
        return CHANGED_RULES
    try:
        action = find_action(system, waiting.name)
        command = read_command(action, waiting.command)
        result = run(system, state, action, command, driver=KeptDriver({}), answers=waiting.answers)
    except (Drift, Refused):
        return CHANGED_RULES
    asked = {key_of(request) for request in result.requests} if isinstance(result, Waiting) else set()
    return "" if asked & {key_of(request) for request in waiting.requests} else CHANGED_RULES


def go_on(
    encounter: Encounter, waiting: PendingCommand, given: tuple[Answer, ...], by: str
) -> SubmissionResult:
    """Run the open command again with these answers as well: all of them count, or none."""
    if obstacle := find_obstacle(encounter, waiting):
        raise Refused("stale", obstacle)
    system, state = find_system(encounter.system), read_state(encounter)
    action = find_action(system, waiting.name)
    command = read_command(action, waiting.command)
    fresh = {key_of(answer) for answer in given}
    answers = (*(a for a in waiting.answers if key_of(a) not in fresh), *given)
    dice = open_dice(encounter, state)
    try:
        driver = LiveDriver(typed=command.typed or rolls_on_by_hand(waiting, given), dice=dice)
        result = run(system, state, action, command, driver=driver, answers=answers)
    except Drift:
        raise Refused("stale", CHANGED_RULES) from None
    count_rolls(encounter, dice)
    if isinstance(result, Done):
        encounter.open_command = None
    done = store_result(encounter, state, waiting.name, waiting.command, result=result, by=by, was=waiting)
    if isinstance(result, Done):
        command_closed.send(Encounter, encounter_id=encounter.pk)
    return done


def rolls_on_by_hand(waiting: PendingCommand, given: tuple[Answer, ...]) -> bool:
    """Whether luck rolls again what was typed from a real table: the second roll is typed too."""
    people = {one.who for one in given if one.rule == luck.RULE and one.value == luck.AGAIN}
    last = next((one for one in reversed(waiting.answers) if one.kind == "roll" and one.who in people), None)
    return last is not None and last.source == "table"


def cancel(
    encounter_id: int, *, version: Seen = None, by: str = "", grant: Grant | None = None
) -> SubmissionResult:
    """Cancel the open command. Dice already rolled stay in the log for everyone who may see them."""
    with locked(encounter_id) as encounter:
        waiting = read_pending(encounter)
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        if waiting is None:
            raise Refused("stale", "Nothing to cancel.")
        given, told, who = waiting.answers, waiting.facts, author_label(by, GM, grant)
        number, name, command = encounter.steps + 1, waiting.name, waiting.command
        step = Step(number, CANCEL, name, command, answers=given, facts=told, by=who)
        encounter.open_command = None
        state = read_state(encounter)
        audiences = find_pending_audience(encounter, state, waiting), find_audience(told)
        append_step(encounter, step, state, after := use_up(state, told), encounter.undone, *audiences)
        command_closed.send(Encounter, encounter_id=encounter.pk)
        return SubmissionResult(encounter.version, False, after)


def read_history(encounter: Encounter) -> Document:
    """The whole encounter as a document."""
    steps = tuple(read_step(row) for row in encounter.log.all())
    start, final = decode(bytes(encounter.start)), read_state(encounter)
    return make_document(encounter.name, start, steps, final, tags=encounter.tag_list)


def add_seed(action: Action, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a command with a new seed, if it takes one."""
    takes = any(field.name == SEED for field in find_fields(action.type))
    return {**fields, SEED: draw_seed()} if takes else fields


def draw_seed() -> str:
    """A seed that nobody can find out from the ids made from it."""
    return secrets.token_hex(16)


# Undo and redo: steps of the log that do not count any more, or count again.


def undo(
    encounter_id: int, *, version: Seen = None, by: str = "", grant: Grant | None = None
) -> SubmissionResult:
    """Undo the last step that counts: restore the state before it, without reusing its numbers.

    Of a step with an overruled roll this undoes the overruling: the step that it replaced counts again, and
    so does each that was done again after it.
    """
    with rewriting(encounter_id, version, grant) as encounter:
        rows, author = find_last(encounter), author_label(by, GM, grant)
        if not rows:
            raise Refused("not_allowed", "Nothing to undo.")
        replaced = [find_replaced(encounter, read_step(rows[0]))]
        done = _strike(encounter, rows, author)
        while rows[0].target and len(rows) > 1:
            rows = find_last(encounter)
            replaced.append(find_replaced(encounter, read_step(rows[0])))
            done = _strike(encounter, rows, author)
        for row in filter(None, reversed(replaced)):
            done = _restore(encounter, row, author)
        steps_turned.send(Encounter, encounter_id=encounter.pk, numbers=(rows[0].number,))
        return done


def strike(encounter_id: int, *, by: str = "", grant: Grant | None = None) -> SubmissionResult:
    """Undo the last step that counts, whatever it replaced; there is one."""
    with rewriting(encounter_id, None, grant) as encounter:
        return _strike(encounter, find_last(encounter), author_label(by, GM, grant))


def _strike(encounter: Encounter, rows: list[StoredStep], by: str) -> SubmissionResult:
    """Undo the first of the last two steps."""
    before = read_state(encounter)
    state = state_after(rows[1]) if len(rows) > 1 else decode(bytes(encounter.start))
    state = go_back(state, before)
    rows[0].struck = True
    rows[0].save(update_fields=["struck"])
    step = Step(encounter.steps + 1, UNDO, rows[0].name, by=by, target=rows[0].number)
    audience = find_step_audience(read_step(rows[0]), before)
    append_step(encounter, step, before, state, [rows[0].number, *encounter.undone], audience)
    return SubmissionResult(encounter.version, False, state)


def redo(
    encounter_id: int, *, version: Seen = None, by: str = "", grant: Grant | None = None
) -> SubmissionResult:
    """Redo the step undone last: its facts are applied to the present state."""
    with rewriting(encounter_id, version, grant) as encounter:
        if not encounter.undone:
            raise Refused("not_allowed", "Nothing to redo.")
        row = encounter.log.get(number=encounter.undone[0])
        done = _restore(encounter, row, author_label(by, GM, grant))
        steps_turned.send(Encounter, encounter_id=encounter.pk, numbers=(row.number,))
        return done


def _restore(encounter: Encounter, row: StoredStep, by: str) -> SubmissionResult:
    """Let an undone step count again, in place of the one undone last."""
    redone, before = read_step(row), read_state(encounter)
    state = fold_all(before, redone.facts)
    row.struck, row.after = False, zlib.compress(encode(state), 1)
    row.save(update_fields=["struck", "after"])
    step = Step(encounter.steps + 1, REDO, row.name, by=by, target=row.number)
    append_step(encounter, step, before, state, encounter.undone[1:], find_step_audience(redone, state))
    return SubmissionResult(encounter.version, False, state)


@contextmanager
def rewriting(encounter_id: int, version: Seen, grant: Grant | None) -> Iterator[Encounter]:
    """The encounter, locked while the GM rewrites its log; Refused while a command is open."""
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        if encounter.open_command:
            raise busy(is_gm=True)
        yield encounter


# Dice that several people roll for one command: a row for each, answered together or one by one. A row is
# named by the key of its question, so it stays right when others answer meanwhile.


def question_key(encounter: Encounter, waiting: PendingCommand, request: Request) -> str:
    """A key for a question of the open command, unique among all commands."""
    name = f"{encounter.pk}:{waiting.number}:{key_of(request)}"
    return salted_hmac("combat.question", name).hexdigest()[:12]


def find_words(posted: Mapping[str, str], key: str, dice: str) -> tuple[str, ...]:
    """The typed text of a row, die by die."""
    return tuple(str(posted.get(FACE.format(key, n), "")) for n in range(1, parse_dice(dice).count + 1))


def read_row(words: Iterable[str], dice: str) -> tuple[int, ...]:
    """The faces of a row, none for an empty one; Refused if these dice cannot show them."""
    typed = [word for word in words if word.strip()]
    faces = [read_whole(word) for word in typed]
    if None in faces:
        raise Refused("bad_dice", "Type what each die shows, or let the app roll.")
    known = read_zeros(dice, tuple(face for face in faces if face is not None))
    if known:
        check_faces(dice, known)
    return known


def find_problem(words: Iterable[str], dice: str) -> str:
    """What is wrong with a row, or nothing."""
    try:
        read_row(words, dice)
    except Refused as refused:
        return refused.message
    return ""


def answer_all(
    encounter_id: int,
    posted: Mapping[str, str],
    *,
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """Answer all rows that were typed; the app rolls row `roll`, or with dice=rest all others.

    All are answered or, if one row is refused, none. For a seat only its own rows count; the right is checked
    inside the lock.
    """
    with locked(encounter_id) as encounter:
        waiting = read_pending(encounter)
        viewer = find_viewer(encounter, grant)
        asked = waiting.requests if waiting else ()
        mine = [r for r in asked if isinstance(r, RollRequest) and viewer.plays(r.who)]
        if waiting is None or not mine:
            raise Refused("stale", "Nothing needs an answer now: reload the page.")
        check_pause(viewer, read_state(encounter))
        dice = open_dice(encounter, read_state(encounter))

        def reply(request: RollRequest, faces: tuple[int, ...]) -> Answer:
            return make_answer(request, faces, "", dice=None if faces else dice, source="")

        given = read_rows(encounter, waiting, mine, posted=posted, reply=reply)
        count_rolls(encounter, dice)
        return go_on(encounter, waiting, given, author_label(by, viewer, grant) if by else waiting.by)


def read_rows(
    encounter: Encounter,
    waiting: PendingCommand,
    mine: Iterable[RollRequest],
    posted: Mapping[str, str],
    reply: Callable[[RollRequest, tuple[int, ...]], Answer],
) -> tuple[Answer, ...]:
    """The answers to typed and rolled rows; `reply` makes each, and rolls if it gets no faces."""
    rows, given = {question_key(encounter, waiting, request): request for request in mine}, []
    _check_rows(rows, posted)
    for key, request in rows.items():
        faces = read_row(find_words(posted, key, request.dice), request.dice)
        if faces or posted.get("dice") == "rest" or posted.get("roll") == key:
            given.append(reply(request, faces))
    if not given:
        raise Refused("bad_dice", "Type what each die shows, or let the app roll.")
    return tuple(given)


def _check_rows(rows: Mapping[str, RollRequest], posted: Mapping[str, str]) -> None:
    """Refuse answered rows and impossible dice; then nothing of the form counts."""
    named = {name.split("-")[1] for name, word in posted.items() if _is_typed(name, word)}
    if not named.union(filter(None, [posted.get("roll")])) <= rows.keys():
        raise Refused("stale", "One of these was rolled already: check, then send the rest.")
    wrong = [r for key, r in rows.items() if find_problem(find_words(posted, key, r.dice), r.dice)]
    if wrong:
        raise Refused("bad_dice", "Nothing was rolled: fix the marked dice.")


def _is_typed(name: str, word: str) -> bool:
    return name.startswith("face-") and name.count("-") == 2 and bool(word.strip())
