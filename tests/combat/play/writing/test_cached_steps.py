"""Steps that this process has read: they are what is stored."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from combat.models import Encounter, StoredStep
from combat.play.writing import step_cache
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from combat.play.writing.step_cache import find_rows
from tests.combat.visit import Visit, load


@pytest.fixture(autouse=True)
def nothing_kept(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the memory of steps, as in a new process, once the fight is made."""
    monkeypatch.setattr(step_cache, "_cached", type(step_cache._cached)())


def find(encounter: Encounter) -> list[StoredStep]:
    return find_rows(encounter.log.order_by("-number"))


def read(encounter: Encounter) -> list[tuple[int, str, bool]]:
    """The steps in the database."""
    return list(encounter.log.order_by("-number").values_list("number", "name", "struck"))


def pass_turn(pk: int) -> None:
    submit(pk, Submission("next_turn"))


def test_each_is_read_once(visit: Visit) -> None:
    find(load(visit.pk))
    pass_turn(visit.pk)
    with CaptureQueriesContext(connection) as asked:
        found = find(load(visit.pk))
    assert len(asked) == len(["the encounter", "its log"])
    assert found[0].name == "next_turn"


def test_a_step_is_kept_as_it_is_stored(visit: Visit) -> None:
    pass_turn(visit.pk)
    kept, stored = find(load(visit.pk))[0], load(visit.pk).log.latest("number")
    assert kept.get_deferred_fields() == {"after"}
    for field in stored._meta.concrete_fields:
        assert getattr(kept, field.attname) == getattr(stored, field.attname), field.name


def test_undo_and_redo_are_seen(visit: Visit) -> None:
    for change in (pass_turn, undo, redo, undo, pass_turn):
        find(load(visit.pk))
        change(visit.pk)
        found = [(row.number, row.name, row.struck) for row in find(load(visit.pk))]
        assert found == read(load(visit.pk))


def test_restored_log_that_went_on_otherwise_is_another_log(visit: Visit) -> None:
    before = load(visit.pk)
    submit(visit.pk, Submission("note", {"text": "One way."}))
    find(load(visit.pk))
    load(visit.pk).log.order_by("-number")[0].delete()
    before.save()
    pass_turn(visit.pk)
    found = [(row.number, row.name, row.struck) for row in find(load(visit.pk))]
    assert found == read(load(visit.pk))


def test_of_many_the_oldest_make_room(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_cache, "MAX_CACHED", 2)
    for _ in range(5):
        pass_turn(visit.pk)
    assert len(find(load(visit.pk))) > 2
    assert len(step_cache._cached) == 2
