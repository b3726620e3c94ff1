"""Rows read by SQL that is made once are what Django would have read."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from combat.models import Encounter, OpenCommand
from cosmos_site import kept_queries
from cosmos_site.kept_queries import KeptQuery, Prepared
from tests.combat.desk import Desk

FIND = KeptQuery(lambda pk: Encounter.objects.select_related("open_command").defer("start").filter(pk=pk))


def tell(row: Model) -> dict[str, Any]:
    """All that was read of a row."""
    names = {field.attname for field in row._meta.concrete_fields} - row.get_deferred_fields()
    return {name: getattr(row, name) for name in names}


def fetch(pk: int) -> Encounter:
    """A row as Django reads it."""
    return Encounter.objects.select_related("open_command").defer("start").get(pk=pk)


def test_a_row_is_read_as_django_reads_it(desk: Desk) -> None:
    found = FIND(desk.pk)
    assert found
    assert tell(found) == tell(fetch(desk.pk))
    assert getattr(found, "open_command", None) is None
    assert found.get_deferred_fields() == {"start"}
    assert found == fetch(desk.pk)


def test_what_it_is_related_to_comes_along(desk: Desk) -> None:
    OpenCommand.objects.create(encounter_id=desk.pk, name="attack", record=b"{}")
    found = FIND(desk.pk)
    assert found
    with CaptureQueriesContext(connection) as asked:
        assert found.open_command.encounter is found
        assert tell(found.open_command) == tell(fetch(desk.pk).open_command)
    assert len(asked) == 1  # for the row to compare it with


@pytest.mark.parametrize("number", [0, -1, 4711, 2**63, 10**30])
def test_a_number_that_no_row_has_finds_none(desk: Desk, number: int) -> None:
    assert FIND(number) is None


@pytest.mark.django_db
def test_an_address_with_a_number_too_large_is_not_found(gm_client: Client) -> None:
    assert gm_client.get(f"/encounters/{10**30}/").status_code == 404


def test_its_sql_is_made_once_and_it_is_asked_every_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def prepare(rows: Any) -> Prepared:
        made.append(rows)
        return Prepared(rows)

    monkeypatch.setattr(kept_queries, "Prepared", prepare)
    query = KeptQuery(lambda pk: Encounter.objects.filter(pk=pk))
    for name in ("One", "Two", "Three"):
        Encounter.objects.filter(pk=desk.pk).update(name=name)
        found = query(desk.pk)
        assert found
        assert found.name == name
    assert len(made) == 1


def test_a_query_with_another_parameter_is_no_kept_query(desk: Desk) -> None:
    with pytest.raises(AssertionError, match="one parameter"):
        KeptQuery(lambda pk: Encounter.objects.filter(pk=pk, name="One"))(desk.pk)
