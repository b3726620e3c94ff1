"""A demo fight for a stranger: one of their own for a day, and nothing else that needs an account."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from pytest_django import Settings

from characters.accounts import visitors
from characters.accounts.visitors import LIFETIME, OPEN, is_visitor
from combat.models import Encounter, Seat, ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.guests import end_visits
from combat.sharing.links import make_link
from tests.combat.visit import SLUG, read

CLOSED = (
    "/campaigns/", "/packs/", "/encounters/new/", "/encounters/import/", "/characters/", "/characters/new/",
    "/characters/import/", "/gear/own/new/", "/gear/own/import/", "/accounts/me/", "/accounts/2fa/",
    "/accounts/password/set/", "/accounts/devices/", "/accounts/delete/", "/copies/",
    "/downtime/", "/elsewhere/",
)  # fmt: skip


@pytest.fixture(autouse=True)
def no_counts(db: None) -> None:
    """Nobody has opened a demo fight from this address."""
    cache.clear()


def visit(client: Client) -> Encounter:
    """Press the button of the front page."""
    answer = client.post("/demo/", follow=True)
    assert answer.status_code == 200
    return Encounter.objects.latest("pk")


def test_stranger_opens_a_demo_fight_and_runs_it_as_its_gm(client: Client) -> None:
    page = read(client.get("/"))
    assert page.one("button", class_="btn-primary").text == "Open the demo fight"
    fight = visit(client)
    assert is_visitor(fight.owner)
    assert (fight.demo, fight.system, fight.owner.is_staff) == (True, SLUG, False)
    assert client.get(f"/encounters/{fight.pk}/").status_code == 200
    submit(fight.pk, Submission("start", {}))
    assert client.get(f"/encounters/{fight.pk}/log/").status_code == 200
    assert "You are visiting" in read(client.get("/")).one("main").text
    assert client.post("/demo/")["Location"] == f"/encounters/{fight.pk}/", "the same one again"
    assert client.session.get_expiry_age() <= LIFETIME.total_seconds()


@pytest.mark.slow
def test_two_strangers_have_a_fight_each(client: Client, gm: User) -> None:
    mine, stranger = visit(client), Client()
    other = visit(stranger)
    assert mine.owner != other.owner
    for who, pk in ((stranger, mine.pk), (client, other.pk), (client, make_demo_fight(gm, SLUG).pk)):
        assert who.get(f"/encounters/{pk}/").status_code == 404


@pytest.mark.slow
def test_two_presses_at_once_make_one_visitor_with_one_fight(client: Client) -> None:
    """The second is on its way before the first has signed the browser in."""
    client.get("/")
    twin = Client()
    twin.cookies["csrftoken"] = client.cookies["csrftoken"].value
    assert visit(client) == visit(twin)
    assert User.objects.count() == Encounter.objects.count() == 1
    client.post("/accounts/logout/")
    assert visit(client).owner_id != User.objects.earliest("pk").pk, "the next visit is another one"


@pytest.mark.slow
@pytest.mark.parametrize("address", CLOSED)
def test_what_needs_an_account_is_closed_to_a_visitor(client: Client, address: str) -> None:
    visit(client)
    for answer in (client.get(address), client.post(address, {"name": "Mine"})):
        assert answer.status_code == 403
        page = read(answer)
        assert page.one("h1").text == "You are only visiting"
        assert page.all("a", href="/accounts/signup/")
    assert not User.objects.get().characters.exists()


def test_visitor_sends_no_files(client: Client) -> None:
    fight = visit(client)
    here = f"/encounters/{fight.pk}/scene/"
    assert client.get(here).status_code == 200
    file = SimpleUploadedFile("map.webp", b"RIFF")
    assert client.post(here, {"do": "picture", "image": file}).status_code == 403
    assert not fight.pictures.exists()


@pytest.mark.slow
def test_visitor_makes_at_most_ten_fights(client: Client) -> None:
    fight = visit(client)
    for _ in range(11):
        client.post(f"/encounters/{fight.pk}/prep/", {"do": "copy"})
        client.post("/encounters/", {"fresh": SLUG})
    assert Encounter.objects.count() == 10


def test_visitor_gets_an_account_like_others_and_keeps_the_fight(client: Client) -> None:
    fight = visit(client)
    visitor = fight.owner
    assert read(client.get("/accounts/signup/")).all("input", name="username")
    said = {"username": "mara", "password1": "seven purple moons", "password2": "seven purple moons"}
    assert client.post("/accounts/signup/", said).status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.exclude(pk=visitor.pk).get().pk)
    assert client.get("/campaigns/").status_code == 200
    assert client.get(f"/encounters/{fight.pk}/").status_code == 200
    with time_machine.travel(timezone.now() + 2 * LIFETIME):
        end_visits()
    assert Encounter.objects.get().owner.username == "mara"


def test_visitor_keeps_nothing_of_others_by_signing_in(client: Client, gm: User) -> None:
    visit(Client())
    mine = visit(client)
    gm.set_password("seven purple moons")
    gm.save()
    said = {"login": gm.username, "password": "seven purple moons"}
    assert client.post("/accounts/login/", said).status_code == 302
    assert list(Encounter.objects.filter(owner=gm)) == [mine]


def test_no_account_is_named_like_a_visitor(client: Client) -> None:
    said = {"username": "Visitor 1", "password1": "seven purple moons", "password2": "seven purple moons"}
    assert client.post("/accounts/signup/", said).status_code == 200
    assert not User.objects.exists()


@pytest.mark.slow
def test_visitor_who_joins_a_table_has_the_seat_of_a_guest(client: Client, gm: User) -> None:
    """It lasts longer than the visit."""
    visit(client)
    fight = make_demo_fight(gm, SLUG)
    address = f"/join/{make_link(fight, ShareLink.WATCH, '')[1]}/"
    client.get(address)
    client.post(address, {"name": "Wim"})
    assert Seat.objects.get(encounter=fight).user is None
    assert client.get(f"/encounters/{fight.pk}/").status_code == 200


@pytest.mark.slow
def test_after_a_day_visitor_and_fight_are_gone(client: Client, gm: User) -> None:
    kept = make_demo_fight(gm, SLUG)
    first = visit(client)
    with time_machine.travel(timezone.now() + LIFETIME - timedelta(minutes=1)):
        end_visits()
        assert Encounter.objects.filter(pk=first.pk).exists()
    with time_machine.travel(timezone.now() + LIFETIME + timedelta(minutes=1)):
        visit(Client())
    assert not Encounter.objects.filter(pk=first.pk).exists()
    assert not User.objects.filter(pk=first.owner_id).exists()
    assert Encounter.objects.filter(pk=kept.pk).exists()
    assert client.get("/").status_code == 200, "a stranger again"


@pytest.mark.slow
def test_visitors_are_bounded_here_and_from_one_address(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        visit(Client())
    refused = client.post("/demo/")
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")
    assert "Three new demo fights an hour are the limit" in read(refused).one("main").text
    assert User.objects.count() == 3
    monkeypatch.setattr(visitors, "MAX_VISITORS", 3)
    assert "All demo fights are taken" in read(client.post("/demo/", follow=True)).one(id="messages").text
    assert not Encounter.objects.count() > 3


def test_host_switches_visitors_off(client: Client, settings: Settings) -> None:
    settings.COSMOS_GUESTS = False
    assert read(client.get("/")).all("a", href="/accounts/login/?next=/")
    client.post("/demo/")
    assert not User.objects.exists()


def test_pages_open_to_visitors_are_those_of_the_site() -> None:
    def names(patterns: Iterable[Any]) -> set[str]:
        deeper = [names(one.url_patterns) for one in patterns if hasattr(one, "url_patterns")]
        return {getattr(one, "name", "") for one in patterns}.union(*deeper)

    assert names(get_resolver().url_patterns) >= OPEN | visitors.STRANGE | visitors.NEED_CHARACTERS


@pytest.mark.slow
def test_every_page_of_the_own_fight_is_open_but_own_characters(client: Client) -> None:
    fight = visit(client)
    submit(fight.pk, Submission("start", {}))
    words = {"pk": fight.pk, "number": 1, "digest": "none"}
    book = get_resolver().reverse_dict
    forms = {form for name in book for found in book.getlist(name) for form, _names in found[0]}
    pages = {form % words for form in forms if form.startswith("encounters/%(pk)")}
    closed = {page for page in pages if client.get(f"/{page}").status_code == 403}
    assert len(pages) > 30
    assert closed == {f"encounters/{fight.pk}/{page}/" for page in ("bring", "home")}
