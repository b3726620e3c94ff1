"""The one door for writing: lock, check the version, run, append, publish.

Every function here returns a Receipt or raises Refused with nothing changed. An action costs a
fixed number of queries, however long the log is.
"""

from __future__ import annotations

import math
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from .models import Encounter, OpenCommand, StoredStep
from .rules import find_system
from .rules.core.commands import command_data, read_command
from .rules.core.dice import throw
from .rules.core.document import Document, make_document
from .rules.core.engine import Done, Play, Waiting, find_action, run
from .rules.core.errors import Drift, Refused
from .rules.core.events import CombatantJoined, Fact
from .rules.core.fold import fold_all
from .rules.core.history import CANCEL, COMMAND, REDO, UNDO, Step, Timeline, follow_step
from .rules.core.requests import (
    Answer,
    ChoiceRequest,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
    key_of,
)
from .rules.core.state import Combatant, State, decode, encode, present
from .rules.core.system import System
from .rules.core.wording import describe_facts
from .shapes import Viewer
from .telling import (
    News,
    Open,
    count_change,
    find_news,
    find_open_news,
    find_private,
    find_seen_news,
    read_open,
)

_writing = threading.RLock()  # SQLite has one writer; waiting here is fair, waiting there is not
MOST_COMMAND_BYTES = 100_000
MOST_NUMBER = 1_000_000
ANY_TIME = ("note", "set_standing")  # these may be done while an action waits


Seen = int | str | None


@dataclass(frozen=True)
class Wish:
    """What a person wants: a command by name with its fields, having seen a version or its stamp.

    `faces` are dice typed with the command; `typed` leaves further rolls to be typed as well.
    """

    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    version: Seen = None
    typed: bool = False
    faces: tuple[int, ...] = ()
    by: str = ""


@dataclass(frozen=True)
class Receipt:
    """What came of a wish: the new version, and whether an answer is awaited."""

    version: int
    waiting: bool
    facts: tuple[Fact, ...] = ()


def create_encounter(
    owner: User, system: str, name: str, *, demo: bool = False, downtime: bool = False
) -> Encounter:
    """A new, empty encounter of a game."""
    start = encode(State(find_system(system).slug))
    name = " ".join(name.split())[:100] or "New encounter"
    return Encounter.objects.create(
        owner=owner, system=system, name=name, start=start, state=start, demo=demo, downtime=downtime
    )


@contextmanager
def _alone() -> Iterator[None]:
    """All that is written in the block, or nothing of it."""
    lock = _writing if connection.vendor == "sqlite" else nullcontext()
    with lock, transaction.atomic():
        yield


@contextmanager
def locked(encounter_id: int) -> Iterator[tuple[Encounter, Open | None]]:
    """The encounter and its open command, alone until the block ends."""
    with _alone():
        rows = Encounter.objects.select_related("open_command")
        if connection.features.has_select_for_update_of:
            rows = rows.select_for_update(of=("self",))
        encounter = rows.filter(pk=encounter_id).first()
        if encounter is None:
            raise Refused("stale", "This encounter has been removed.")
        yield encounter, read_open(encounter)


def read_state(encounter: Encounter) -> State:
    """The present state of an encounter."""
    return decode(bytes(encounter.state))


def read_step(row: StoredStep) -> Step:
    """The step a row holds."""
    return msgspec.json.decode(bytes(row.record), type=Step)


def stale() -> Refused:
    """The refusal of a wish made on an old page."""
    text = "Somebody was quicker: this page has been brought up to date. Look again, then act."
    return Refused("stale", text)


def _check_version(encounter: Encounter, seen: Seen) -> None:
    if isinstance(seen, str):
        fits = seen in (encounter.stamp(is_gm=True), encounter.stamp(is_gm=False, is_seated=True))
    else:
        fits = seen in (None, encounter.version)
    if not fits:
        raise stale()


def submit(encounter_id: int, wish: Wish) -> Receipt:
    """Run a command. Raises Refused when the rules, the version or an open command forbid it."""
    if len(msgspec.json.encode(wish.fields)) > MOST_COMMAND_BYTES:
        raise Refused("bad_value", "That is too much at once.")
    with locked(encounter_id) as (encounter, waiting):
        _check_version(encounter, wish.version)
        if waiting and wish.name not in ANY_TIME:
            raise Refused("busy", "An action waits for its dice or a choice: answer it or cancel it first.")
        system, state = find_system(encounter.system), read_state(encounter)
        action = find_action(system, wish.name)
        command = read_command(action, {**wish.fields, **({"typed": True} if wish.typed else {})})
        data = command_data(command)
        _check_numbers(data)
        driver = Play(typed=wish.typed, faces=wish.faces)
        result = run(system, state, action, command, driver)
        if isinstance(result, Waiting) and waiting:
            raise Refused("busy", "Answer the open question first.")
        return store_result(encounter, wish.name, data, result, wish.by)


def submit_all(encounter_id: int, wishes: Iterable[Wish]) -> tuple[Receipt, ...]:
    """Run several commands: all of them, or none if one is refused."""
    with locked(encounter_id):
        return tuple([submit(encounter_id, wish) for wish in wishes])


def _check_numbers(data: Any) -> None:
    """Refuse a number that no table needs, wherever it stands in a command."""
    if isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            _check_numbers(value)
    elif isinstance(data, int | float) and abs(data) > MOST_NUMBER:
        raise Refused("bad_value", f"Numbers here go up to {MOST_NUMBER:,}.")


def store_result(
    encounter: Encounter,
    name: str,
    command: dict[str, Any],
    result: Done | Waiting,
    by: str,
    was: Open | None = None,
) -> Receipt:
    """Keep what came of a command: its step if it is done, the open command if it waits.

    `was` is the command as it has been open until now.
    """
    state = read_state(encounter)
    if isinstance(result, Waiting):
        now = Open(command, result.answers, result.requests, result.facts)
        _keep_open(encounter, name, now, was, by)
        count_change(encounter, find_open_news(encounter, state, was, now))
        encounter.save(update_fields=["version", "public", "seated", "changed"])
        return Receipt(encounter.version, True, result.facts)
    step = Step(encounter.steps + 1, COMMAND, name, command, result.answers, result.facts, by)
    _release(encounter, step.facts)
    news = find_news(encounter, step.facts), find_open_news(encounter, state, was)
    _append(encounter, step, result.state, [], *news)
    return Receipt(encounter.version, False, result.facts)


def _keep_open(encounter: Encounter, name: str, now: Open, was: Open | None, by: str) -> None:
    """Write the open command; the clock of its questions runs on unless there are new ones."""
    record: dict[str, Any] = {"name": name, "record": msgspec.json.encode(now), "by": by}
    known = {key_of(request) for request in was.requests} if was else set()
    if not known.issuperset(key_of(request) for request in now.requests):
        record["asked"] = timezone.now()
    OpenCommand.objects.update_or_create(encounter=encounter, defaults=record)


def _release(encounter: Encounter, facts: Iterable[Fact]) -> None:
    """Who has just joined is nobody's yet: after an undo they have the number of somebody else."""
    fresh = {fact.event.combatant.id for fact in facts if isinstance(fact.event, CombatantJoined)}
    for seat in encounter.seats.filter(ended=None) if fresh else ():
        if fresh.intersection(seat.fighters):
            seat.fighters = [who for who in seat.fighters if who not in fresh]
            seat.save(update_fields=["fighters"])


def _append(encounter: Encounter, step: Step, state: State, undone: list[int], *news: News) -> None:
    """Write a step and the state after it. `news` says whom it concerns besides the GM."""
    raw, seen = encode(state), find_seen_news(read_state(encounter), state)
    StoredStep.objects.create(
        encounter=encounter,
        number=step.number,
        kind=step.kind,
        name=step.name,
        by=step.by,
        target=step.target,
        round=state.round,
        record=msgspec.json.encode(step),
        public=any_lines(encounter, step),
        private=find_private(step.facts),
        after=zlib.compress(raw, 1),
    )
    encounter.state, encounter.undone, encounter.steps = raw, undone, step.number
    count_change(encounter, seen, *news)
    encounter.phase, encounter.round = state.phase, state.round
    encounter.fighters = len(present(state))
    encounter.save()
    if settings.COSMOS_VERIFY:
        verify(encounter)


def any_lines(encounter: Encounter, step: Step) -> bool:
    """Whether everybody can read a line about a step."""
    return bool(describe_facts(find_system(encounter.system), Viewer().select(step.facts), {}))


def verify(encounter: Encounter) -> None:
    """Compare the live state, and what is kept with each step, with a fresh fold of all facts.

    A difference is a bug of ours, or somebody has been at the database.
    """
    line, states, rows = Timeline(), {0: decode(bytes(encounter.start))}, list(encounter.log.all())
    for row in rows:
        step, last = read_step(row), line.live[-1] if line.live else 0
        line = follow_step(line, step)
        base = last if step.kind == COMMAND else line.live[-1] if line.live else 0
        states[row.number] = fold_all(states[base], step.facts if step.kind == COMMAND else ())
        if encode(states[row.number]) != zlib.decompress(bytes(row.after)):
            raise RuntimeError(f"encounter {encounter.pk}: step {row.number} differs from its history")
    struck = {row.number for row in rows if row.kind == COMMAND} - set(line.live)
    final = encode(states[rows[-1].number if rows else 0])
    if final != bytes(encounter.state) or struck != {row.number for row in rows if row.struck}:
        raise RuntimeError(f"encounter {encounter.pk}: the state differs from its history")


def answer(
    encounter_id: int,
    ordinal: int,
    *,
    faces: tuple[int, ...] = (),
    value: str = "",
    roll: bool = False,
    version: Seen = None,
    by: str = "",
    source: str = "gm",
    seats: frozenset[str] | None = None,
    always: bool = False,
) -> Receipt:
    """Answer the open command's request number `ordinal`: with faces, a choice, or `roll`.

    `seats` limits it to questions to these fighters, and numbers those alone. With `always` the
    choice becomes a standing order.
    """
    with locked(encounter_id) as (encounter, waiting):
        _check_version(encounter, version)
        asked = waiting.requests if waiting else ()
        mine = [request for request in asked if seats is None or request.who in seats]
        if waiting is None or not mine:
            raise Refused("stale", "Nothing waits for an answer any more.")
        if not 0 <= ordinal < len(mine):
            raise Refused("stale", "That question has been answered already.")
        row, request = encounter.open_command, mine[ordinal]
        given = _make_answer(request, faces, value, roll, source)
        if always and isinstance(request, ChoiceRequest):
            order = {"actor": request.who, "rule_id": request.rule, "value": value}
            submit(encounter_id, Wish("set_standing", order, by=by))
            encounter.refresh_from_db()
        return _continue(encounter, row, waiting, given, by or row.by)


def seconds_left(encounter: Encounter, system: System, state: State) -> int | None:
    """How long the open choice may still wait for its answer; None if it waits for ever."""
    most, waiting = int(system.option(state, "answer_seconds")), read_open(encounter)
    if not most or waiting is None or not any(isinstance(r, ChoiceRequest) for r in waiting.requests):
        return None
    passed = (timezone.now() - encounter.open_command.asked).total_seconds()
    return max(0, math.ceil(most - passed))


def answer_overdue(encounter: Encounter) -> bool:
    """Give the choices whose time is over their defaults; whether there was one."""
    system, state, done = find_system(encounter.system), read_state(encounter), False
    while seconds_left(encounter, system, state) == 0:
        waiting = read_open(encounter)
        requests = enumerate(waiting.requests if waiting else ())
        number, value = next((n, r.default) for n, r in requests if isinstance(r, ChoiceRequest))
        try:
            answer(encounter.pk, number, value=value, version=encounter.version, source="default")
        except Refused:  # somebody was quicker, or the default cannot be had
            return done
        encounter, done = load_encounter(encounter.pk), True
    return done


def load_encounter(pk: int) -> Encounter:
    """An encounter with its open command."""
    return Encounter.objects.select_related("open_command").get(pk=pk)


def _make_answer(request: Request, faces: tuple[int, ...], value: str, roll: bool, source: str) -> Answer:
    if not isinstance(request, RollRequest):
        return answer_choice(request, value, source)
    if roll:
        return answer_roll(request, throw(request.dice), "app")
    return answer_roll(request, faces, "table")


def _continue(encounter: Encounter, row: OpenCommand, waiting: Open, given: Answer, by: str) -> Receipt:
    system, state = find_system(encounter.system), read_state(encounter)
    action = find_action(system, row.name)
    command = read_command(action, waiting.command)
    answers = (*(a for a in waiting.answers if key_of(a) != key_of(given)), given)
    try:
        result = run(system, state, action, command, Play(typed=command.typed), answers)
    except Drift:
        text = "The rules have changed since this action began: cancel it and do it again."
        raise Refused("stale", text) from None
    if isinstance(result, Done):
        row.delete()
    return store_result(encounter, row.name, waiting.command, result, by, was=waiting)


def cancel(encounter_id: int, *, version: Seen = None, by: str = "") -> Receipt:
    """Call off the open command. Dice already rolled stay in the log for the GM to see."""
    with locked(encounter_id) as (encounter, waiting):
        _check_version(encounter, version)
        if waiting is None:
            raise Refused("stale", "There is nothing to cancel.")
        row = encounter.open_command
        step = Step(
            encounter.steps + 1, CANCEL, row.name, waiting.command, waiting.answers, waiting.facts, by
        )
        row.delete()
        state = read_state(encounter)
        news = find_open_news(encounter, state, waiting)
        _append(encounter, step, state, list(encounter.undone), news)
        return Receipt(encounter.version, False)


def undo(encounter_id: int, *, version: Seen = None, by: str = "") -> Receipt:
    """Strike the last live step; the state before it comes back, byte for byte."""

    def strike(encounter: Encounter) -> Receipt:
        live = encounter.log.filter(kind=COMMAND, struck=False).order_by("-number")[:2]
        rows = list(live)
        if not rows:
            raise Refused("not_allowed", "There is nothing to undo.")
        state = _state_after(rows[1]) if len(rows) > 1 else decode(bytes(encounter.start))
        _mark(rows[0], struck=True)
        step = Step(encounter.steps + 1, UNDO, rows[0].name, by=by, target=rows[0].number)
        news = find_news(encounter, read_step(rows[0]).facts)
        _append(encounter, step, state, [rows[0].number, *encounter.undone], news)
        return Receipt(encounter.version, False)

    return _rewrite(encounter_id, version, strike)


def redo(encounter_id: int, *, version: Seen = None, by: str = "") -> Receipt:
    """Restore the step undone last."""

    def restore(encounter: Encounter) -> Receipt:
        if not encounter.undone:
            raise Refused("not_allowed", "There is nothing to redo.")
        row = encounter.log.get(number=encounter.undone[0])
        _mark(row, struck=False)
        step = Step(encounter.steps + 1, REDO, row.name, by=by, target=row.number)
        news = find_news(encounter, read_step(row).facts)
        _append(encounter, step, _state_after(row), list(encounter.undone[1:]), news)
        return Receipt(encounter.version, False)

    return _rewrite(encounter_id, version, restore)


def _mark(row: StoredStep, struck: bool) -> None:
    row.struck = struck
    row.save(update_fields=["struck"])


def _state_after(row: StoredStep) -> State:
    return decode(zlib.decompress(bytes(row.after)))


def _rewrite(encounter_id: int, version: Seen, change: Callable[[Encounter], Receipt]) -> Receipt:
    with locked(encounter_id) as (encounter, waiting):
        _check_version(encounter, version)
        if waiting:
            raise Refused("busy", "An action waits for its dice or a choice: answer it or cancel it first.")
        return change(encounter)


def read_history(encounter: Encounter) -> Document:
    """The whole encounter as a document."""
    steps = tuple(read_step(row) for row in encounter.log.all())
    return make_document(encounter.name, decode(bytes(encounter.start)), steps, read_state(encounter))


def state_at(encounter: Encounter, number: int) -> State:
    """The state after a step of the log; before the first for 0."""
    if not number:
        return decode(bytes(encounter.start))
    return _state_after(encounter.log.get(number=number))


def copy_encounter(encounter: Encounter, owner: User, name: str) -> Encounter:
    """The same roster, scene and options, everybody in place and unhurt, with no history."""
    system: System = find_system(encounter.system)
    state = read_state(encounter)
    with _alone():
        copy = create_encounter(owner, system.slug, name)
        submit(copy.pk, Wish("set_scene", {"scene": msgspec.to_builtins(state.scene)}))
        for key, value in state.options.items():
            submit(copy.pk, Wish("set_option", {"key": key, "value": value}))
        for fighter in present(state):
            _join_copy(copy, fighter)
    return copy


def _join_copy(copy: Encounter, fighter: Combatant) -> None:
    fields = {
        "sheet": fighter.sheet,
        "name": fighter.name,
        "side": fighter.side,
        "hidden": fighter.hidden,
        "pc": fighter.pc,
    }
    done = submit(copy.pk, Wish("join", fields))
    events = (fact.event for fact in done.facts)
    joined = next(event.combatant for event in events if isinstance(event, CombatantJoined))
    spot = {"target": joined.id, "x": fighter.at.x, "y": fighter.at.y}
    submit(copy.pk, Wish("place", spot))
