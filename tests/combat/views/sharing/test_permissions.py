"""Words that only the owner may read, on pages that others may open too; and reading without sending."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from tests.combat.kept import keep
from tests.combat.visit import DEMO, MARCUS, SLUG, combatant, load, play, stored
from tests.typed import Answer

SECRET_NAME = "The Quiet Mutiny"


@pytest.fixture
def secret(gm: User) -> Encounter:
    """The owner's fight, with a name that no one else may read."""
    return load(keep("secret", lambda: _make_secret(gm)))


def _make_secret(gm: User) -> int:
    made = create_encounter(gm, SLUG, SECRET_NAME)
    for step in DEMO.setup:
        submit(made.pk, Submission(step.name, step.command))
    play(made.pk, DEMO.script[:1])
    return made.pk


@pytest.fixture
def other_client(db: None) -> Client:
    """Another signed-in user, a GM of their own fights."""
    client = Client(raise_request_exception=True)
    client.force_login(User.objects.create_user("other", is_staff=True))
    return client


OPEN = ("home", "rulebooks", "about_rules", "rulebook", "for_programs", "help", "help_page")


def leaks(found: Answer) -> list[str]:
    """Words of the secret fight in an answer."""
    text = found.content.decode() + str(found.headers)
    return [word for word in (SECRET_NAME, "Mutiny", "Zara", "Marcus", "Docking bay") if word in text]


def test_lists_show_only_what_is_ones_own(other_client: Client, client: Client, secret: Encounter) -> None:
    """Home offers the demo by its name; the front page plays it, and so names its combatants."""
    assert leaks(other_client.get("/")) == ["Docking bay"]
    assert SECRET_NAME not in leaks(client.get("/"))
    for address in ("/encounters/", "/encounters/?show=archived"):
        assert leaks(other_client.get(address)) == []
        assert leaks(client.get(address)) == []


def test_leaving_without_a_seat_tells_nothing(
    other_client: Client, client: Client, secret: Encounter
) -> None:
    before = stored(secret.pk)
    for visitor in (other_client, client):
        there, missing = (visitor.post(reverse("leave", args=[pk])) for pk in (secret.pk, secret.pk + 1000))
        assert there.status_code == missing.status_code == 302
        assert there["Location"].replace(str(secret.pk), "") == missing["Location"].replace(
            str(secret.pk + 1000), ""
        )
        assert not leaks(there)
    assert stored(secret.pk) == before


def test_error_pages_do_not_tell_either(other_client: Client, secret: Encounter) -> None:
    found = other_client.get(f"/encounters/{secret.pk}/nothing/")
    assert found.status_code == 404
    assert not leaks(found)


def test_open_pages_answer_reading_only(client: Client, db: None) -> None:
    for name in OPEN:
        address = reverse(name, args={"rulebook": [SLUG], "help_page": ["marks"]}.get(name, []))
        assert client.get(address).status_code == 200
        assert client.head(address).status_code == 200
        assert client.post(address).status_code == 405


def test_signed_out_in_between_nothing_is_done(gm_client: Client, started: Encounter) -> None:
    gm_client.logout()
    before = stored(started.pk)
    found = gm_client.post(f"/encounters/{started.pk}/", {"do": "end_fight"}, headers={"HX-Request": "true"})
    assert found.status_code == 302
    assert stored(started.pk) == before
    assert combatant(started.pk, MARCUS).tracks["hp"] > 0
