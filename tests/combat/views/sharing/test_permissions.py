"""Who may open what: the owner, another user, a visitor; and the words only the owner may read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.urls import urlpatterns
from tests.combat.desk import DEMO, MARCUS, SLUG, ZARA, combatant, load, play, stored
from tests.combat.kept import keep
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


OPEN = {"home", "rulebooks", "about_rules", "rulebook", "for_programs", "help", "help_page"}
OF_A_PERSON = {"encounters", "downtime", "import_encounter", "hints"}
# Their own tests check the same: test_campaigns, test_handouts, test_drawing, test_tokens
OF_THE_HOST = {
    "copies",
    "upload_copy",
    "download_copy",
    "verify_copy",
    "restore_copy",
    "delete_copy",
}  # views/copies
OF_A_CAMPAIGN = {"campaigns", "campaign", "campaign_rules", "edit_handout", "own_handout_picture"}
OF_A_CAMPAIGN |= {"packs", "pack", "pack_file", "make_pack"}  # views/packs
WITH_MORE = {"handout", "handout_picture", "scene_picture", "token"}
OF_A_BRANCH = {
    "branch",
    "branch_odds",
    "branch_ruler",
    "branch_paths",
    "branch_forecast",
    "make_real",
    "compare_branches",
}  # test_branches
OF_A_SEAT = {
    "join",
    "join_portrait",
    "leave",
    "my_seat",
    "open_state",
    "enter_code",
    "open_code",
}  # anyone with the link, anyone with the seat
POSTS = [
    {},
    {"do": "end_fight"},
    {"do": "undo"},
    {"do": "name", "name": "Mine"},
    {"do": "delete", "confirm": SECRET_NAME},
    {"do": "archive"},
    {"do": "copy"},
    {"do": "make", "kind": "watch", "name": "x"},
    {"do": "note", "text": "x"},
]


def find_addresses(
    entries: Iterable[URLPattern | URLResolver], prefix: str = ""
) -> Iterator[tuple[str, str]]:
    """The name of each page with its address."""
    for entry in entries:
        address = f"{prefix}{entry.pattern}"
        if isinstance(entry, URLPattern):
            yield str(entry.name), address
        else:
            yield from find_addresses(entry.url_patterns, address)


def of_an_encounter() -> list[str]:
    """The names of all pages that belong to one encounter."""
    names = dict(find_addresses(urlpatterns)).keys()
    others = OPEN | OF_A_PERSON | OF_A_SEAT | OF_THE_HOST | OF_A_CAMPAIGN | WITH_MORE | OF_A_BRANCH
    return sorted(names - others)


def test_every_page_is_of_a_known_kind() -> None:
    assert {"table", "odds", "prep", "log", "export"} <= set(of_an_encounter())
    addresses = dict(find_addresses(urlpatterns))
    for name in of_an_encounter():
        assert "<int:pk>" in addresses[name]


def leaks(found: Answer) -> list[str]:
    """Words of the secret fight in an answer."""
    text = found.content.decode() + str(found.headers)
    return [word for word in (SECRET_NAME, "Mutiny", "Zara", "Marcus", "Docking bay") if word in text]


@pytest.mark.parametrize("name", of_an_encounter())
def test_page_of_an_encounter_is_its_owners(gm_client: Client, secret: Encounter, name: str) -> None:
    asked = {"combatant": ZARA, "from": "1,1", "to": "2,2"}
    found = gm_client.get(reverse(name, args=[secret.pk]), asked)
    home = {reverse("prep", args=[secret.pk]), reverse("table", args=[secret.pk])}
    assert found.status_code == 200 or found["Location"] in home


@pytest.mark.slow
@pytest.mark.parametrize("name", of_an_encounter())
def test_page_of_an_encounter_does_not_exist_for_others(
    other_client: Client, secret: Encounter, name: str
) -> None:
    address = reverse(name, args=[secret.pk])
    before = stored(secret.pk)
    for headers in ({}, {"HX-Request": "true"}):
        for query in ({}, {"combatant": ZARA, "do": "attack"}, {"verify": "", "step": "3"}):
            found = other_client.get(address, query, headers=headers)
            assert found.status_code in (404, 405)
            assert not leaks(found)
        for posted in POSTS:
            found = other_client.post(address, posted, headers=headers)
            assert found.status_code in (404, 405)
            assert not leaks(found)
    missing = other_client.get(reverse(name, args=[secret.pk + 1000]))
    assert missing.status_code == other_client.get(address).status_code
    assert stored(secret.pk) == before
    assert Encounter.objects.count() == 1


@pytest.mark.parametrize("name", [*of_an_encounter(), "encounters"])
def test_nobody_in_particular_is_asked_to_sign_in(client: Client, secret: Encounter, name: str) -> None:
    address = reverse(name, args=[] if name == "encounters" else [secret.pk])
    before = stored(secret.pk)
    answers = [client.get(address), *(client.post(address, posted) for posted in POSTS)]
    for found in answers:
        if found.status_code != 405:
            assert found.status_code == 302
            assert found["Location"].startswith(f"/accounts/login/?next={address}")
        assert not leaks(found)
    if name != "encounters":
        missing = client.get(reverse(name, args=[secret.pk + 1000]))
        assert missing.status_code == answers[0].status_code
    assert stored(secret.pk) == before
    assert Encounter.objects.count() == 1


def test_lists_show_only_what_is_ones_own(other_client: Client, client: Client, secret: Encounter) -> None:
    """Home offers the demo by its name; the front page plays it, and so names its combatants."""
    assert leaks(other_client.get("/")) == ["Docking bay"]
    assert SECRET_NAME not in leaks(client.get("/"))
    for address in ("/encounters/", "/encounters/?show=archived"):
        assert leaks(other_client.get(address)) == []
        assert leaks(client.get(address)) == []


def test_owner_sees_what_others_do_not(gm_client: Client, secret: Encounter) -> None:
    """The other half of the tests above: the owner really sees the words."""
    for address in ("/", "/encounters/"):
        assert SECRET_NAME in leaks(gm_client.get(address))
    for name in ("table", "prep", "log"):
        assert {SECRET_NAME, "Zara", "Marcus"} <= set(leaks(gm_client.get(reverse(name, args=[secret.pk]))))
    assert SECRET_NAME in leaks(gm_client.get(reverse("export", args=[secret.pk])))


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
