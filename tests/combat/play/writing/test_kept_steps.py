"""The newest steps of a log, known without a query after an action."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from combat.models import Encounter
from combat.play.writing import kept_steps
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.kept_steps import WINDOW, find_newest
from combat.play.writing.undoing import redo, undo
from tests.combat.visit import Visit, load


@pytest.fixture(autouse=True)
def nothing_kept(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the memory of steps, as in a new process, once the fight is made."""
    for name in ("_kept", "_newest"):
        monkeypatch.setattr(kept_steps, name, type(kept_steps._kept)())


def read(encounter: Encounter) -> list[tuple[int, str, bool]]:
    """The newest steps in the database."""
    return list(encounter.log.order_by("-number").values_list("number", "name", "struck")[:WINDOW])


def find(encounter: Encounter) -> list[tuple[int, str, bool]]:
    return [(row.number, row.name, row.struck) for row in find_newest(encounter)]


def pass_turn(pk: int) -> None:
    submit(pk, Submission("next_turn"))


def count_queries(do: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as asked:
        do()
    return len(asked)


def test_the_newest_are_asked_for_once_and_then_followed(visit: Visit) -> None:
    find_newest(load(visit.pk))
    for _ in range(WINDOW + 3):
        pass_turn(visit.pk)
        encounter = load(visit.pk)
        assert count_queries(partial(find_newest, encounter)) == 0
        assert find(encounter) == read(encounter)


def test_a_step_is_kept_as_it_is_stored(visit: Visit) -> None:
    find_newest(load(visit.pk))
    for _ in range(2):
        pass_turn(visit.pk)
    kept, stored = find_newest(load(visit.pk))[0], load(visit.pk).log.latest("number")
    assert not kept._state.adding
    for field in stored._meta.concrete_fields:
        if field.name != "after":
            assert getattr(kept, field.attname) == getattr(stored, field.attname), field.name


def test_undo_and_redo_are_seen(visit: Visit) -> None:
    for change in (pass_turn, undo, redo, undo, pass_turn):
        find_newest(load(visit.pk))
        change(visit.pk)
        assert find(load(visit.pk)) == read(load(visit.pk))


def test_a_log_that_was_restored_and_went_on_otherwise_is_another_one(visit: Visit) -> None:
    before = load(visit.pk)
    find_newest(before)
    submit(visit.pk, Submission("note", {"text": "One way."}))
    version = load(visit.pk).version
    find_newest(load(visit.pk))
    load(visit.pk).log.order_by("-number")[0].delete()
    before.save()
    submit(visit.pk, Submission("next_turn"))
    assert load(visit.pk).version == version
    assert find(load(visit.pk)) == read(load(visit.pk))


def test_of_many_logs_the_oldest_make_room(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_steps, "MAX_LOGS", 2)
    for _ in range(5):
        pass_turn(visit.pk)
        find_newest(load(visit.pk))
    assert len(kept_steps._newest) == 2
