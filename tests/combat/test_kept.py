"""Starting points are equal, whether made or restored."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

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
