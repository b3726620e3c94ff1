"""The number of database queries: fixed for each action and page, however long the log is."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from combat.models import Encounter, StoredStep
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.play.writing.verification import read_step
from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit, load
from tests.typed import Answer

pytestmark = pytest.mark.usefixtures("no_verification", "fives")

SHORT, LONG = 300, 900  # the log has pages, and a round of a replay is read a thousand steps at a time
DOCUMENTED = {  # of what happens most often; a write reads its encounter at the door and locked
    **dict.fromkeys(("attack", "next turn", "damage", "note"), 12),
    "table": 7,
    "table with htmx": 6,
    "open form": 6,
    "odds": 3,
}
ATTACK = {"combatant": ZARA, "target": PIRATE, "weapon": PISTOL}
ACTIONS: dict[str, Callable[[Visit], Answer]] = {
    "attack": lambda visit: visit.post("attack", **ATTACK, dice="app"),
    "attack with a table's dice": lambda visit: visit.post("attack", **ATTACK, dice="table"),
    "refused attack": lambda visit: visit.post("attack", **{**ATTACK, "target": "f999"}, dice="app"),
    "next turn": lambda visit: visit.post("next_turn"),
    "damage": lambda visit: visit.post("adjust", target=PIRATE, track="hp", points=5, sign="-"),
    "note": lambda visit: visit.post("note", text="A remark."),
    "undo": lambda visit: visit.post("undo"),
}
PAGES: dict[str, Callable[[Visit], Answer]] = {
    "table": lambda visit: visit.client.get(visit.here),
    "table with htmx": lambda visit: visit.get(),
    "open form": lambda visit: visit.get(do="attack", combatant=ZARA),
    "odds": lambda visit: visit.get("odds/", do="attack", **ATTACK),
    "preparation": lambda visit: visit.get("prep/"),
    "log": lambda visit: visit.get("log/"),
    "log, second page": lambda visit: visit.get("log/", page=2),
    "log, step by step": lambda visit: visit.get("log/", step=8),
    "branches": lambda visit: visit.get("whatif/"),
    "branches, from a step": lambda visit: visit.get("whatif/", step=8),
    "list": lambda visit: visit.client.get("/encounters/"),
    "home": lambda visit: visit.client.get("/"),
}


def lengthen(pk: int, steps: int) -> None:
    """Fill the log with copies of a note up to this many steps."""
    submit(pk, Submission("note", {"text": "A remark."}))
    last: StoredStep = load(pk).log.latest("number")
    step = read_step(last)
    rows = []
    for number in range(last.number + 1, steps + 1):
        record = msgspec.json.encode(msgspec.structs.replace(step, number=number))
        copy = {"encounter": last.encounter, "kind": last.kind, "name": last.name, "by": last.by}
        rows.append(StoredStep(**copy, number=number, record=record, after=last.after, round=last.round))
    StoredStep.objects.bulk_create(rows)
    Encounter.objects.filter(pk=pk).update(steps=steps, version=F("version") + 1)
    assert load(pk).log.count() == steps


def count(visit: Visit, what: Callable[[Visit], Answer]) -> int:
    """The number of queries of one request after a look at the table; its changes are rolled back."""
    visit.get()
    with transaction.atomic():
        with CaptureQueriesContext(connection) as found:
            answer = what(visit)
        assert answer.status_code in (200, 422)
        transaction.set_rollback(True)
    return len(found)


def count_all(visit: Visit) -> dict[str, int]:
    """The numbers of queries of every action and page, with an attack to answer and one to redo."""
    numbers = {name: count(visit, what) for name, what in {**ACTIONS, **PAGES}.items()}
    with transaction.atomic():
        visit.do("attack", **ATTACK, dice="table")
        typed = {"face-1": "5", "face-2": "5"}
        numbers["answer"] = count(visit, lambda d: d.post("answer", question=0, dice="table", **typed))
        visit.do("answer", question=0, dice="table", **typed)
        numbers["last answer"] = count(visit, lambda d: d.post("answer", question=0, dice="app"))
        numbers["cancel"] = count(visit, lambda d: d.post("cancel"))
        transaction.set_rollback(True)
    with transaction.atomic():
        undo(visit.pk)
        numbers["redo"] = count(visit, lambda d: d.post("redo"))
        transaction.set_rollback(True)
    return numbers


@pytest.mark.slow
def test_queries_are_the_same_at_300_and_at_900_steps(visit: Visit) -> None:
    visit.get()  # from here on the session and the rulebook are cached
    lengthen(visit.pk, SHORT)
    assert load(visit.pk).steps == SHORT
    short = count_all(visit)
    lengthen(visit.pk, LONG)
    long = count_all(visit)
    assert short == long, f"queries at {SHORT} and at {LONG} steps: {short}, {long}"
    assert max(short[name] for name in ("attack", "next turn", "undo", "redo", "answer")) <= 20, short


@pytest.mark.slow
def test_queries_do_not_grow_with_the_combatants(visit: Visit) -> None:
    visit.do("note", text="To be undone: without it the fight would not have begun.")
    few = count_all(visit)
    assert {name: few[name] for name in DOCUMENTED} == DOCUMENTED
    for _ in range(2):
        submit(visit.pk, Submission("join", {"block": "pirate_example", "count": 20}))
    many = count_all(visit)
    assert few == many, f"queries with 3 and with 43 combatants: {few}, {many}"
