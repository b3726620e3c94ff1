"""Fixed SQL: the same as Django's own queries, whichever way it reaches the database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.crypto import salted_hmac

from combat.models import Encounter
from combat.stamps import make_stamp
from cosmos_site.base.database.queries import change, fetch, stored_json, stored_moment
from cosmos_site.base.database.rows import Rows, copy_stored

pytestmark = pytest.mark.django_db
NAME = "SELECT username, '100%%' FROM auth_user WHERE id = %s"
RENAME = "UPDATE auth_user SET username = %s WHERE id = %s"


@pytest.fixture
def zoe() -> User:
    return User.objects.create(username="Zoë")


def test_queries_are_counted_with_the_others_and_give_the_same(zoe: User) -> None:
    direct = fetch(NAME, [zoe.pk])
    with CaptureQueriesContext(connection) as queries:
        counted = fetch(NAME, [zoe.pk])
    assert [tuple(row) for row in direct] == [tuple(row) for row in counted] == [("Zoë", "100%")]
    assert len(queries) == 1


def test_a_change_tells_how_many_rows_it_changed(zoe: User) -> None:
    assert change(RENAME, ["Zara", zoe.pk]) == 1
    assert change(RENAME, ["Zara", zoe.pk + 1]) == 0
    zoe.refresh_from_db()
    assert zoe.username == "Zara"


def test_errors_are_those_of_django_and_end_the_transaction(zoe: User) -> None:
    other = User.objects.create(username="other")
    with pytest.raises(IntegrityError), transaction.atomic():
        change(RENAME, ["other", zoe.pk])
    with pytest.raises(DatabaseError), transaction.atomic():
        fetch("SELECT nothing FROM auth_user WHERE id = %s", [other.pk])
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            fetch(NAME, [zoe.pk])
        transaction.set_rollback(False)


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=5, minutes=30))])
def test_moments_and_json_are_stored_as_django_stores_them(zone: Any, zoe: User) -> None:
    moment = datetime(2026, 2, 3, 4, 5, 6, 7, tzinfo=zone)
    field = User._meta.get_field("last_login")
    assert stored_moment(moment) == field.get_db_prep_value(moment, connection)
    assert stored_moment(None) is None
    encounter = Encounter.objects.create(owner=zoe, name="", system="cosmos", start=b"", state=b"")
    change("UPDATE combat_encounter SET seals = %s WHERE id = %s", [stored_json([{"é": 1}]), encounter.pk])
    encounter.refresh_from_db()
    assert encounter.seals == [{"é": 1}]


def test_rows_are_the_objects_that_django_makes(zoe: User) -> None:
    Encounter.objects.create(owner=zoe, name="a", system="cosmos", start=b"s", state=b"t", archived=True)
    expected = Encounter.objects.defer("start").get()
    rows = Rows(Encounter, "start")
    sql = f"SELECT {rows.name_columns('e')} FROM combat_encounter e WHERE owner_id = %s"
    [found] = rows.find(sql, [zoe.pk])
    for one in (found, copy_stored(found)):
        fields = {name: value for name, value in vars(one).items() if name != "_state"}
        assert fields == {name: value for name, value in vars(expected).items() if name != "_state"}
        assert one == expected
        assert not one._state.adding
        assert one._state.db == "default"
        assert one.get_deferred_fields() == {"start"}
        assert bytes(one.start) == b"s"
        assert one.owner == zoe


def test_stamps_are_those_of_django() -> None:
    assert make_stamp("combat.tag", "é\0", 24) == salted_hmac("combat.tag", "é\0").hexdigest()[:24]
