"""Seats that still name a combatant whose joining was undone, from before numbers were kept."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from combat.models import Encounter, Seat
from combat.rules.core.state.state import State, encode
from tests.combat.rules.games import GAMES, set_up

pytestmark = pytest.mark.django_db
migration = importlib.import_module("combat.migrations.0010_seats_of_who_is_there")


def make_encounter(state: State) -> Encounter:
    owner = User.objects.create_user("rhea")
    raw = encode(state)
    return Encounter.objects.create(owner=owner, name="Dock", system=state.system, start=raw, state=raw)


def test_seats_keep_who_is_there_and_forget_who_is_not() -> None:
    state = set_up(GAMES["tiny"]).state
    here = list(state.combatants)
    encounter = make_encounter(state)
    for name, fighters in (("Pia", [*here[:1], "f99"]), ("Wim", []), ("Tom", here[1:2])):
        Seat.objects.create(encounter=encounter, name=name, kind="play", digest=name, fighters=fighters)
    migration.forget_the_absent(apps, connection.schema_editor())
    assert {seat.name: seat.fighters for seat in encounter.seats.all()} == {
        "Pia": here[:1],
        "Wim": [],
        "Tom": here[1:2],
    }
