"""A demo fight, the game master who runs it, and everyone around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.signals import template_rendered
from pytest_django import Settings

from combat.models import Campaign, Encounter
from combat.play.campaigns.campaigns import create_campaign
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from tests.combat.cast import Cast, gather
from tests.combat.kept import keep
from tests.combat.visit import DEMO, MARCUS, SLUG, ZARA, Visit, demo_fight, play, roll_fives


@pytest.fixture(scope="module", autouse=True)
def unwatched_templates() -> Iterator[None]:
    """Tell clients of no rendered template: they would copy what it was given, which no test here reads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template_rendered, "send", lambda **_: [])
        yield


@pytest.fixture
def prepared(gm: User) -> Encounter:
    """The demo fight before initiative."""
    return demo_fight(gm)


@pytest.fixture
def started(prepared: Encounter) -> Encounter:
    """The demo fight in its first turn, Zara's."""
    keep("started", lambda: play(prepared.pk, DEMO.script[:1]))
    prepared.refresh_from_db()
    return prepared


@pytest.fixture
def bare(started: Encounter) -> Encounter:
    """The same with the demo's zones only, without its map."""
    submit(started.pk, Submission("set_map", {"map": {}}, by="gm"))
    started.refresh_from_db()
    return started


@pytest.fixture
def over(prepared: Encounter) -> Encounter:
    """The demo fight after its last step."""
    keep("over", lambda: play(prepared.pk, DEMO.script))
    prepared.refresh_from_db()
    return prepared


@pytest.fixture
def visit(gm_client: Client, started: Encounter) -> Visit:
    """The GM at the table in Zara's first turn, with htmx."""
    return Visit(gm_client, started.pk)


@pytest.fixture
def plain_visit(gm_client: Client, started: Encounter) -> Visit:
    """The same with JavaScript off."""
    return Visit(gm_client, started.pk, htmx=False)


@pytest.fixture
def room(gm: User, gm_client: Client) -> Visit:
    """The GM at a new, empty encounter, with JavaScript off."""
    return Visit(gm_client, create_encounter(gm, SLUG, "Engine room").pk, htmx=False)


@pytest.fixture
def cast(started: Encounter) -> Cast:
    """Everyone at the fight: the player has Zara, the other one Marcus."""
    return gather(started, ZARA, MARCUS)


@pytest.fixture
def no_verification(settings: Settings) -> None:
    """Skip comparing the whole history after each step: it takes long, and made-up fights have none."""
    settings.COSMOS_VERIFY = False


@pytest.fixture
def fives(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app rolls nothing but fives."""
    roll_fives(monkeypatch)


@pytest.fixture
def guest() -> Client:
    """A browser without a session."""
    return Client()


@pytest.fixture
def campaign(gm: User) -> Campaign:
    """A campaign of the GM's, without encounters."""
    return create_campaign(gm, "The long haul")
