"""A fight under way, and everybody around it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.demo import make_demo_fight
from combat.models import Encounter
from tests.combat.web.desk import DEMO, MARCUS, SLUG, ZARA, play

from .cast import Cast, gather


@pytest.fixture
def prepared(gm: User) -> Encounter:
    """The demo fight before initiative."""
    return make_demo_fight(gm, SLUG)


@pytest.fixture
def started(prepared: Encounter) -> Encounter:
    """The demo fight in its first turn, Zara's."""
    play(prepared.pk, DEMO.script[:1])
    prepared.refresh_from_db()
    return prepared


@pytest.fixture
def cast(started: Encounter) -> Cast:
    """Everybody at the fight: the player has Zara, the other one Marcus."""
    return gather(started, ZARA, MARCUS)


@pytest.fixture
def guest() -> Client:
    """A browser that nobody knows."""
    return Client()
