"""Starting points are equal, whether made or restored."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from characters.accounts.users import make_gm
from tests.combat import kept
from tests.combat.cast import gather
from tests.combat.visit import DEMO, MARCUS, ZARA, demo_fight, play


def begin(gm: User) -> tuple[Any, ...]:
    """Everything in the database at the first turn of a demo fight with everyone there; then delete it."""
    with transaction.atomic():
        fight = demo_fight(gm)
        kept.keep("first turn", lambda: play(fight.pk, DEMO.script[:1]))
        cast = gather(fight, ZARA, MARCUS)
        assert cast.player.get(f"/encounters/{fight.pk}/").status_code == 200
        found = kept.settle()
        transaction.set_rollback(True)
    return found


@pytest.mark.skipif(connection.vendor != "sqlite", reason="rows are put back in SQLite alone")
def test_what_is_put_back_is_what_was_made(gm: User, monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[object, kept.Change] = {}
    monkeypatch.setattr(kept, "_changes", known)
    before, made = kept.settle(), begin(gm)
    assert len(known) == 3
    assert kept.settle() == before
    assert begin(gm) == made
    assert len(known) == 3
    assert len(made) == len(before)
    assert made != before


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="rows are put back in SQLite alone")
def test_what_is_put_back_later_is_not_older_than_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of two took long when it was made, the second comes back at once."""
    monkeypatch.setattr(kept, "_changes", dict[object, kept.Change]())
    with time_machine.travel(datetime(2026, 3, 1, 20, tzinfo=UTC), tick=False) as clock:

        def make(name: str, seconds: int) -> Callable[[], int]:
            def write() -> int:
                clock.shift(seconds)
                user = User.objects.create(username=name, date_joined=timezone.now())
                clock.shift(seconds)
                return user.pk

            return write

        def find_times() -> list[datetime]:
            with transaction.atomic():
                for name, seconds in (("first", 1), ("second", 60)):
                    kept.keep(name, make(name, seconds))
                found = list(User.objects.order_by("pk").values_list("date_joined", flat=True))
                transaction.set_rollback(True)
            return found

        made = find_times()
        clock.shift(3600)
        again = find_times()
    assert made[0] < made[1]
    assert again[0] > made[1]
    assert again[0] < again[1]
    assert again[1] - again[0] == made[1] - made[0]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="rows are put back in SQLite alone")
def test_people_of_another_test_that_come_back_can_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their rows are those of the test that changed them first, and so are the sessions kept with them."""
    known: dict[object, kept.Change] = {}
    monkeypatch.setattr(kept, "_changes", known)

    def rename() -> None:
        User.objects.filter(username="host").update(first_name="Hana")

    for _ in range(2):
        with transaction.atomic():
            host, client = make_gm("host"), Client()
            kept.keep("renamed", rename)
            client.force_login(host)
            assert client.get("/encounters/").status_code == 200
            transaction.set_rollback(True)
    assert len(known) == 1
