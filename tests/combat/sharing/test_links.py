"""Links: what they open, for how long, how often, and what is stored of them."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from combat.models import Encounter, Seat, ShareLink
from combat.rules.core.basics.errors import Refused
from combat.sharing import invitations
from combat.sharing.links import MAX_LINKS, Arrival, find_link, make_link, revoke, take_seat
from cosmos_site.base.outside import LOCAL_HOSTS
from tests.combat.cast import ADDRESS, enter, invite
from tests.combat.together import at_once
from tests.combat.visit import SLUG, ZARA, demo_fight, read, refusal
from tests.typed import Answer, sure


def make(client: Client, pk: int, **fields: str) -> Answer:
    """Make a link on the share page."""
    return client.post(f"/encounters/{pk}/share/", {"do": "make", "kind": "play", **fields}, follow=True)


def address_of(page: Answer) -> str:
    found = ADDRESS.search(page.content.decode())
    assert found, page.content.decode()
    return found[1]


# ---- Making ----


def test_address_and_code_are_shown_and_the_token_is_not_kept(gm_client: Client, started: Encounter) -> None:
    page = make(gm_client, started.pk, name="Friday group")
    token = address_of(page).split("/")[2]
    assert len(token) >= 22  # 128 bits, 6 bits a letter
    assert '<svg class="qr"' in page.content.decode() or 'class="qr"' in page.content.decode()
    (link,) = ShareLink.objects.all()
    assert (link.name, link.kind, link.expires, link.uses_left) == ("Friday group", "play", None, None)
    assert token not in str(ShareLink.objects.values()) + str(Encounter.objects.values())
    again = gm_client.get(f"/encounters/{started.pk}/share/").content.decode()
    assert "Friday group" in again
    assert link.digest not in again
    assert link.nonce not in page.content.decode() + again


def test_link_is_shown_again_as_long_as_it_lets_people_in(gm_client: Client, started: Encounter) -> None:
    address = address_of(make(gm_client, started.pk))
    (link,) = ShareLink.objects.all()
    shown = f"/encounters/{started.pk}/share/?link={link.pk}"
    assert address_of(gm_client.get(shown)) == address
    assert enter(Client(), address).status_code == 302
    assert address_of(gm_client.get(shown)) == address
    revoke(link)
    assert "That link is closed" in gm_client.get(shown).content.decode()


def test_link_of_another_secret_key_works_and_is_not_shown(
    gm_client: Client, started: Encounter, settings: Any
) -> None:
    """As after a restore on another machine: the old address still works, and the page shows no wrong one."""
    address = invite(started)
    (link,) = ShareLink.objects.all()
    settings.SECRET_KEY = "another key of another machine, as long as any other one"
    gm_client.force_login(started.owner)
    page = gm_client.get(f"/encounters/{started.pk}/share/?link={link.pk}").content.decode()
    assert "cannot be shown again" in page
    assert "/join/" not in page
    assert enter(Client(), address).status_code == 302


@pytest.mark.parametrize(
    ("host", "sites"),
    [
        ("localhost:8700", ["http://192.168.7.7:8700", "http://10.0.0.7:8700"]),
        ("127.0.0.1:8700", ["http://192.168.7.7:8700", "http://10.0.0.7:8700"]),
        ("[::1]", ["http://192.168.7.7", "http://10.0.0.7"]),
        ("192.168.7.7:8700", ["http://192.168.7.7:8700"]),
        ("table.example", ["http://table.example"]),
    ],
)
def test_links_lead_to_where_others_find_the_table(
    gm_client: Client,
    started: Encounter,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    sites: list[str],
) -> None:
    monkeypatch.setattr(invitations, "find_own_addresses", lambda: ["192.168.7.7", "10.0.0.7", "172.17.0.1"])
    settings.ALLOWED_HOSTS = [*LOCAL_HOSTS, "192.168.7.7", "10.0.0.7", "table.example"]
    link, token = make_link(started, "play", "")
    shown = f"/encounters/{started.pk}/share/?link={link.pk}"
    page = read(gm_client.get(shown, headers={"host": host}))
    found = [box["value"] for box in page.all("input") if box["id"].startswith("asked-")]
    assert found == [f"{site}/join/{token}/" for site in sites]
    assert not page.all("p", class_="alert")


def test_machine_without_network_says_only_it_opens_the_link(
    gm_client: Client, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "find_own_addresses", list)
    link, token = make_link(started, "play", "")
    shown = f"/encounters/{started.pk}/share/?link={link.pk}"
    page = gm_client.get(shown, headers={"host": "localhost"}).content.decode()
    assert f"http://localhost/join/{token}/" in page
    assert "Only this machine can open the link" in page


def test_every_link_is_another_one(started: Encounter) -> None:
    tokens = {make_link(started, "watch", "")[1] for _ in range(20)}
    assert len(tokens) == 20


@pytest.mark.parametrize(("kind", "words"), [("watch", "Spectator"), ("play", "Player"), ("co-gm", "Co-GM")])
def test_link_without_a_name_is_called_by_what_it_is_for(started: Encounter, kind: str, words: str) -> None:
    assert make_link(started, kind, " \n ")[0].name == words


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "owner"}, "Choose a role for the link."),
        ({"kind": ""}, "Choose a role for the link."),
        ({"hours": "-1"}, "Must be 1 to 10,000."),
        ({"hours": "0"}, "Must be 1 to 10,000."),
        ({"hours": "1.5"}, "Must be a whole number"),
        ({"hours": "²"}, "Must be a whole number"),
        ({"uses": "0", "kind": "co-gm"}, "Must be 1 to 10,000."),
        ({"uses": "ten"}, "Must be a whole number"),
        ({"uses": "10001"}, "Must be 1 to 10,000."),
        ({"uses": "9" * 40}, "Must be"),
    ],
)
def test_impossible_link_is_refused(
    gm_client: Client, started: Encounter, fields: dict[str, str], words: str
) -> None:
    page = make(gm_client, started.pk, **fields)
    assert page.status_code == 422
    assert words in page.content.decode()
    assert not ShareLink.objects.exists()


NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}",
    "</title><b>x",
    "&lt;i&gt;",
]


@pytest.mark.parametrize("name", NASTY)
def test_name_of_a_link_is_only_text(gm_client: Client, started: Encounter, name: str) -> None:
    made = make(gm_client, started.pk, name=name)
    assert read(made).one(id="h-link").text == name
    listed = read(gm_client.get(f"/encounters/{started.pk}/share/"))
    assert name in [cell.text for cell in listed.all("b", inside=listed.one(id="links"))]


def test_name_loses_signs_that_cannot_be_shown(started: Encounter) -> None:
    link, _ = make_link(started, "play", "  Fri\0day\u202e \t group\x1b[31m" + "x" * 100)
    assert link.name == ("Fri day group [31m" + "x" * 100)[:60]


def test_name_keeps_what_joins_letters_and_signs(started: Encounter) -> None:
    astronaut = "\u0645\u06cc\u200c\u0631\u0648\u0645 \U0001f469\u200d\U0001f680"
    enter(player := Client(), invite(started), astronaut)
    assert started.seats.get().name == astronaut
    assert astronaut in player.get(f"/encounters/{started.pk}/").content.decode()


@pytest.mark.slow
def test_encounter_has_at_most_fifty_open_links(gm_client: Client, started: Encounter) -> None:
    links = [make_link(started, "watch", "")[0] for _ in range(MAX_LINKS)]
    page = make(gm_client, started.pk)
    assert page.status_code == 409
    assert "at most 50 links" in page.content.decode()
    revoke(links[0])
    ShareLink.objects.filter(pk=links[1].pk).update(uses_left=0)
    ShareLink.objects.filter(pk=links[2].pk).update(expires=timezone.now())
    for _ in range(3):
        assert make(gm_client, started.pk).status_code == 200
    assert make(gm_client, started.pk).status_code == 409


@pytest.mark.slow
def test_links_to_another_device_take_no_place(gm_client: Client, started: Encounter, guest: Client) -> None:
    enter(guest, invite(started))
    seat = Seat.objects.get()
    for _ in range(MAX_LINKS + 1):
        posted = {"do": "move", "seat": seat.pk}
        assert gm_client.post(f"/encounters/{started.pk}/share/", posted).status_code == 302
    assert ShareLink.objects.filter(revoked=None, moves=seat).count() == 1


# ---- Coming in ----


@pytest.mark.parametrize(
    ("kind", "words"),
    [("watch", "invited as a spectator"), ("play", "No account needed."), ("co-gm", "invited as co-GM")],
)
def test_link_says_what_it_is_for_and_looking_uses_nothing(
    started: Encounter, guest: Client, kind: str, words: str
) -> None:
    address = invite(started, kind, uses=1)
    for _ in range(3):
        page = guest.get(address)
        assert words in page.content.decode()
        assert "Cosmos Engine" in page.content.decode()
        assert read(page).one("body")["class"] == "view-join accent-teal"
        assert "no-store" in page["Cache-Control"]
    assert not Seat.objects.exists()
    assert ShareLink.objects.get().uses_left == 1


def find_offered(client: Client, address: str) -> list[str]:
    """The values of what a link offers to play, without the ready characters of the game."""
    radios = read(client.get(address)).all("input", name="combatant")
    return [radio["value"] for radio in radios if not radio["value"].startswith("ready:")]


def test_play_link_offers_the_characters_that_are_free(started: Encounter, guest: Client) -> None:
    address = invite(started)
    assert find_offered(guest, address) == [ZARA, "f3", "new", "", "watch"]
    enter(guest, address, "Ada", ZARA)
    assert find_offered(Client(), address) == ["f3", "new", "", "watch"]


@pytest.mark.parametrize("kind", ["watch", "co-gm"])
def test_other_links_give_no_character(started: Encounter, guest: Client, kind: str) -> None:
    address = invite(started, kind)
    assert "Zara" not in guest.get(address).content.decode()
    enter(guest, address, "Ada", ZARA)
    assert Seat.objects.get().combatants == []


@pytest.mark.parametrize("name", ["", "   ", "\0", "\u202e\u200b"])
def test_guest_needs_a_name(started: Encounter, guest: Client, name: str) -> None:
    page = enter(guest, invite(started, uses=1), name)
    assert page.status_code == 422
    assert refusal(page) == "Enter a name the others know you by."
    assert not Seat.objects.exists()
    assert ShareLink.objects.get().uses_left == 1


def test_signed_in_person_keeps_their_name_without_being_asked(started: Encounter, guest: Client) -> None:
    person = User.objects.create_user("ada")
    guest.force_login(person)
    address = invite(started)
    page = read(guest.get(address))
    assert "You join as <b>ada</b>" in page.html
    assert not page.all("input", name="name")
    enter(guest, address, "Someone else", ZARA)
    seat = Seat.objects.get()
    assert (seat.name, seat.user, seat.combatants) == ("ada", person, [ZARA])
    elsewhere = Client()
    elsewhere.force_login(person)
    assert elsewhere.get(f"/encounters/{started.pk}/").status_code == 200


def test_owner_who_opens_a_link_is_the_gm_as_before(gm_client: Client, started: Encounter) -> None:
    answer = enter(gm_client, invite(started, uses=1))
    assert answer["Location"] == f"/encounters/{started.pk}/"
    assert not Seat.objects.exists()
    assert ShareLink.objects.get().uses_left == 1


def test_session_planted_before_is_of_no_use_afterwards(started: Encounter, guest: Client) -> None:
    session = guest.session
    session["planted"] = True
    session.save()
    planted = sure(session.session_key)
    enter(guest, invite(started))
    assert guest.session.session_key != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get(f"/encounters/{started.pk}/").status_code == 302


def test_secret_of_a_seat_is_kept_only_as_a_digest(started: Encounter, guest: Client) -> None:
    enter(guest, invite(started))
    secret = guest.session["seats"][str(started.pk)]
    assert len(secret) >= 22
    assert secret not in str(Seat.objects.values())


@pytest.mark.parametrize("token", ["unknown", "é" * 300, "%00", "..%2F", "a" * 22])
@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_link_does_not_work(started: Encounter, guest: Client, token: str, method: str) -> None:
    page = getattr(guest, method)(f"/join/{token}/", {"name": "Ada"})
    assert page.status_code == 404
    assert not Seat.objects.exists()


def test_link_of_one_encounter_opens_no_other(gm: User, started: Encounter, guest: Client) -> None:
    other = demo_fight(gm, SLUG)
    enter(guest, invite(started))
    assert guest.get(f"/encounters/{started.pk}/").status_code == 200
    assert guest.get(f"/encounters/{other.pk}/").status_code == 302
    assert guest.get(f"/encounters/{other.pk}/log/").status_code == 302


# ---- For how long, and how often ----


def test_link_ends_after_its_hours_and_its_seats_with_it(started: Encounter, guest: Client) -> None:
    address = invite(started, hours=2)
    enter(guest, address)
    with time_machine.travel(timezone.now() + timedelta(hours=1, minutes=59), tick=False):
        assert guest.get(f"/encounters/{started.pk}/").status_code == 200
        assert Client().get(address).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(hours=2, seconds=1), tick=False):
        assert Client().get(address).status_code == 404
        assert enter(Client(), address).status_code == 404
        over = guest.get(f"/encounters/{started.pk}/")
        assert over.status_code == 410
        assert "Your link no longer works. Ask the GM for a new one." in over.content.decode()


def test_link_lets_in_as_many_as_it_says(started: Encounter) -> None:
    address = invite(started, uses=2)
    assert [enter(Client(), address, name).status_code for name in ("Ada", "Bo", "Cy")] == [302, 302, 404]
    assert [seat.name for seat in Seat.objects.all()] == ["Ada", "Bo"]


def test_refused_entry_costs_no_use(started: Encounter) -> None:
    address = invite(started, uses=1)
    assert enter(Client(), address, "Ada", "f99").status_code == 409
    assert enter(Client(), address, "Ada").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_last_use_goes_to_one_of_two_at_once(gm: User) -> None:
    encounter = demo_fight(gm, SLUG)
    for _ in range(3):
        link, token = make_link(encounter, "play", "", uses=1)
        assert come_at_once(token, 4) == ["in", "used up", "used up", "used up"]
        assert link.seats.count() == 1


@pytest.mark.django_db(transaction=True)
def test_character_goes_to_one_of_two_at_once(gm: User) -> None:
    encounter = demo_fight(gm, SLUG)
    _, token = make_link(encounter, "play", "")
    assert come_at_once(token, 4, ZARA) == ["in", "taken", "taken", "taken"]
    assert [seat.combatants for seat in Seat.objects.all()] == [[ZARA]]


def come_at_once(token: str, count: int, combatant: str = "") -> list[str]:
    """What several people get who follow the same link at the same moment."""
    people = [
        partial(take_seat, sure(find_link(token)), Arrival(f"Guest {n}", combatant), None)
        for n in range(count)
    ]
    words = {True: "used up", False: "taken"}
    found = [
        words["used up" in one.message] if isinstance(one, Refused) else "in" for one in at_once(*people)
    ]
    return sorted(found)


# ---- Revoking ----


def test_revoking_ends_the_link_and_its_seats_at_once(gm_client: Client, started: Encounter) -> None:
    inside, other = Client(), Client()
    address = invite(started)
    enter(inside, address, "Ada", ZARA)
    enter(other, invite(started), "Bo")
    link = sure(Seat.objects.get(name="Ada").link)
    answer = gm_client.post(f"/encounters/{started.pk}/share/", {"do": "revoke", "link": link.pk})
    assert answer.status_code == 302
    assert Client().get(address).status_code == 404
    assert inside.get(f"/encounters/{started.pk}/").status_code == 410
    assert inside.post(f"/encounters/{started.pk}/", {"do": "next_turn"}).status_code == 410
    assert other.get(f"/encounters/{started.pk}/").status_code == 200
    assert "Zara" in Client().get(invite(started)).content.decode()  # a seat is free again


def test_who_had_a_seat_is_told_that_it_has_ended(gm_client: Client, started: Encounter) -> None:
    inside, here = Client(), f"/encounters/{started.pk}/"
    enter(inside, invite(started), "Ada", ZARA)
    link = sure(Seat.objects.get(name="Ada").link)
    revoke(link)
    page = inside.get(here)
    assert page.status_code == 410
    assert "The GM removed your seat. Ask for a new link." in page.content.decode()
    assert read(page).all("a", href=f"/accounts/login/?next={here}")
    assert "no seat" not in Client().get(here, follow=True).content.decode()
    started.delete()
    assert "The GM deleted this table." in inside.get(here).content.decode()


@pytest.mark.parametrize("word", ["", "0", "x", "²", "-1", "9" * 30, "theirs"])
def test_absent_or_foreign_link_is_neither_shown_nor_revoked(
    gm_client: Client, started: Encounter, word: str
) -> None:
    theirs, _ = make_link(demo_fight(User.objects.create_user("another"), SLUG), "play", "")
    word = str(theirs.pk) if word == "theirs" else word
    shown = gm_client.get(f"/encounters/{started.pk}/share/", {"link": word})
    assert "/join/" not in shown.content.decode()
    page = gm_client.post(f"/encounters/{started.pk}/share/", {"do": "revoke", "link": word})
    assert (page.status_code, "is gone: reload" in page.content.decode()) == (409, True)
    theirs.refresh_from_db()
    assert theirs.revoked is None
