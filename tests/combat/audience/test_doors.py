"""The door of a fight in preparation: every page, stream and address, for everyone, closed and open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from combat.audience.doors import LEADS_ON
from combat.audience.rights import viewer_of
from combat.live import hub
from combat.models import Campaign, Encounter, Seat, ShareLink
from combat.play.campaigns.campaigns import bring_party, create_in_campaign
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.sharing.access import admit_stream
from combat.sharing.links import close_again, let_in, make_link
from combat.sharing.programs import make_token
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import come_by_account, enter
from tests.combat.pages.campaigns.test_two_evenings import begin_evening, join_as_guest
from tests.combat.visit import SLUG, load, read

FOE, PLACE = "Ossuary Warden", "Vault of Nails"
HTMX = {"HX-Request": "true"}


class Evening:
    """A campaign's second fight, which its GM prepares: a guest and an account have come with the party."""

    def __init__(self, gm: User, gm_client: Client, campaign: Campaign) -> None:
        self.first, address = begin_evening(campaign, SLUG)
        self.gm, self.guest = gm_client, join_as_guest(address)
        self.co_gm = come_by_account(self.first, ShareLink.CO_GM, "cleo")
        submit(self.first.pk, Submission("start"))
        submit(self.first.pk, Submission("end_fight"))
        self.next = create_in_campaign(campaign, gm, SLUG, "The long night")
        Encounter.objects.filter(pk=self.next.pk).update(planned=date(2030, 12, 6))
        submit(self.next.pk, Submission("join", {"block": "pirate", "name": FOE, "side": "foes"}))
        zone = {"id": "vault", "name": PLACE, "x": 0, "y": 0, "width": 10, "height": 10}
        submit(self.next.pk, Submission("set_scene", {"scene": {"name": PLACE, "zones": [zone]}}))
        bring_party(self.next.pk, by="gm")
        Seat.objects.create(
            encounter=self.next,
            user=User.objects.get(username="cleo"),
            name="cleo",
            kind=ShareLink.CO_GM,
            digest="c" * 64,
        )
        self.stranger = Client()

    @property
    def here(self) -> str:
        return f"/encounters/{self.next.pk}/"


@pytest.fixture
def evening(gm: User, gm_client: Client, campaign: Campaign) -> Evening:
    return Evening(gm, gm_client, campaign)


def list_pages() -> Iterator[str]:
    """The names of the addresses of an encounter that need nothing but its number."""
    for one in get_resolver().url_patterns:
        yield from _walk(one, "")


def _walk(one: URLPattern | URLResolver, before: str) -> Iterator[str]:
    address = f"{before}{one.pattern}"
    if isinstance(one, URLResolver):
        for inner in one.url_patterns:
            yield from _walk(inner, address)
    elif address.startswith("encounters/<int:pk>/") and address.count("<") == 1 and one.name:
        yield one.name


PAGES = sorted(set(list_pages()))


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_no_page_of_a_closed_fight_tells_a_player(evening: Evening, name: str) -> None:
    address = reverse(name, args=[evening.next.pk])
    for query in ("", "?do=attack&combatant=f1", "?as=json"):
        answer = evening.guest.get(address + query)
        assert answer.status_code in (302, 403, 404, 405), name
        assert FOE not in answer.content.decode()
        assert PLACE not in answer.content.decode()
    asked = evening.guest.get(address, headers=HTMX)
    assert FOE not in asked.content.decode()
    posted = evening.guest.post(address, {"do": "note", "text": "Hm"})
    assert posted.status_code in (302, 403, 404, 405)


def test_the_same_pages_tell_it_once_they_are_open(evening: Evening) -> None:
    """Else the test above could not fail."""
    assert FOE in evening.gm.get(evening.here).content.decode()
    assert let_in(evening.next.pk)
    assert not let_in(evening.next.pk)
    for page in ("", "log/", "export/?as=json"):
        assert FOE in evening.guest.get(evening.here + page).content.decode(), page


CAST = (("gm", 200), ("co_gm", 200), ("guest", 403), ("stranger", 302))


@pytest.mark.parametrize(("who", "status"), CAST)
def test_who_may_open_a_closed_fight(evening: Evening, who: str, status: int) -> None:
    answer = getattr(evening, who).get(evening.here)
    assert answer.status_code == status
    assert (FOE in answer.content.decode()) == (status == 200)


def test_players_read_name_day_and_party_alone(evening: Evening) -> None:
    page = read(evening.guest.get(evening.here))
    text = page.one("main").text
    assert page.one("h1").text == "The long night"
    assert "Friday 6 December" in text
    assert "you" in page.one("ul", class_="room-party").text
    home = evening.guest.get("/").content.decode()
    assert "The long night" in home
    assert "Not open yet" in home
    for word in (FOE, PLACE, "1 against 1", '<svg viewBox="0 0'):
        assert word not in text + read(evening.guest.get("/")).one(class_="go-on").text


def test_one_more_enemy_changes_no_byte_for_players(evening: Evening) -> None:
    """A pair of worlds: the page before and after the GM adds people, draws and names things."""

    def look() -> tuple[str, ...]:
        found = [evening.guest.get(one).content.decode() for one in (evening.here, "/")]
        return tuple(one for text in found for one in [drop_tokens(text)])

    seat = Seat.objects.get(encounter=evening.next, kind=ShareLink.PLAY)
    before, stamp = look(), load(evening.next.pk).stamp(is_gm=False, is_seated=True) + seat.own_stamp
    submit(evening.next.pk, Submission("join", {"block": "pirate", "count": 3, "side": "foes"}))
    submit(evening.next.pk, Submission("set_setting", {"key": "light", "value": "dim"}))
    evening.gm.post(f"{evening.here}point/", {"x": "3", "y": "3"})
    seat.refresh_from_db()
    assert look() == before
    assert load(evening.next.pk).stamp(is_gm=False, is_seated=True) + seat.own_stamp == stamp


def drop_tokens(text: str) -> str:
    """A page without the tokens of its forms, which differ each time."""
    return re.sub(r"[A-Za-z0-9]{64}", "", text)


def test_programs_of_players_wait_too(evening: Evening) -> None:
    seat = Seat.objects.get(encounter=evening.next, kind=ShareLink.PLAY)
    context = ViewerContext(evening.next, viewer_of(seat), seat, seat.name)
    _, token = make_token(context, "bot")
    headers = {"Authorization": f"Bearer {token}"}
    for what in ("state", "actions", "log"):
        answer = Client().get(f"/api/table/{what}/", headers=headers)
        assert answer.status_code == 403
        assert FOE not in answer.content.decode()
    let_in(evening.next.pk)
    assert FOE in Client().get("/api/table/state/", headers=headers).content.decode()


def test_links_lead_to_the_door_while_it_is_closed_again(evening: Evening) -> None:
    _, play = make_link(evening.next, ShareLink.PLAY, "")
    _, watch = make_link(evening.next, ShareLink.WATCH, "")
    assert not load(evening.next.pk).closed
    assert FOE in Client().get(f"/api/v1/{watch}/").content.decode()
    close_again(evening.next.pk)
    for address in (f"/join/{play}/", f"/join/{watch}/", f"/api/v1/{watch}/"):
        answer = Client().get(address)
        assert answer.status_code == 403
        assert FOE not in answer.content.decode()
    assert enter(Client(), f"/join/{play}/").status_code == 403
    assert Seat.objects.filter(encounter=evening.next, kind=ShareLink.PLAY).count() == 1


def test_a_stream_of_a_closed_fight_is_silent_until_it_opens(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    cookie = evening.guest.cookies[settings.SESSION_COOKIE_NAME].value
    scope = {"headers": [(b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode())]}
    grant = admit_stream(scope, evening.next.pk)
    assert grant
    assert grant.kind == "seat"
    told: list[tuple[int, dict[str, str], dict[int, str]]] = []
    monkeypatch.setattr(hub, "publish", lambda *said: told.append(said))
    before = load(evening.next.pk)
    with django_capture_on_commit_callbacks(execute=True):
        submit(evening.next.pk, Submission("join", {"block": "pirate", "side": "foes"}))
    assert {one[1]["seat"] for one in told} == {before.stamp(is_gm=False, is_seated=True)}
    assert not any(one[2] for one in told)
    with django_capture_on_commit_callbacks(execute=True):
        let_in(evening.next.pk)
    assert told[-1][0] in (evening.next.pk, evening.first.pk)
    assert any(one[0] == evening.next.pk and one[1].get("seat") != told[0][1]["seat"] for one in told)


@pytest.mark.parametrize("way", ["button", "share", "screen", "start", "link"])
def test_what_opens_a_fight(evening: Evening, way: str) -> None:
    sent = {
        "button": (evening.here, {"do": "let_in"}),
        "share": (f"{evening.here}share/", {"do": "open"}),
        "screen": (f"{evening.here}share/", {"do": "open", "kind": "watch"}),
        "start": (evening.here, {"do": "start", "dice": "app"}),
        "link": (f"{evening.here}share/", {"do": "make", "kind": "play", "name": "Ana"}),
    }
    answer = evening.gm.post(*sent[way])
    assert answer.status_code in (302, 303), answer.content.decode()
    assert not load(evening.next.pk).closed
    assert evening.guest.get(evening.here).status_code == 200


@pytest.mark.parametrize("page", ["", "prep"])
def test_letting_players_in_says_so(evening: Evening, page: str) -> None:
    answer = evening.gm.post(evening.here, {"do": "let_in", "next": page}, follow=True)
    assert "Players are let in: they see the map" in answer.content.decode()


def test_a_co_gms_link_and_a_moved_seat_open_nothing(evening: Evening) -> None:
    seat = Seat.objects.get(encounter=evening.next, kind=ShareLink.PLAY)
    make_link(evening.next, ShareLink.CO_GM, "", uses=1)
    make_link(evening.next, seat.kind, "phone", uses=1, moves=seat)
    assert load(evening.next.pk).closed


def test_players_open_nothing_and_nobody_closes_a_running_fight(evening: Evening) -> None:
    assert evening.guest.post(evening.here, {"do": "let_in"}).status_code == 403
    assert load(evening.next.pk).closed
    evening.gm.post(evening.here, {"do": "let_in"})
    assert evening.guest.post(evening.here, {"do": "close_again"}).status_code == 422
    evening.gm.post(evening.here, {"do": "close_again"})
    assert evening.guest.get(evening.here).status_code == 403
    evening.gm.post(evening.here, {"do": "start", "dice": "app"})
    assert evening.gm.post(evening.here, {"do": "close_again"}).status_code == 409
    assert evening.guest.get(evening.here).status_code == 200


def test_an_open_page_is_led_to_the_door_and_back(evening: Evening) -> None:
    let_in(evening.next.pk)
    close_again(evening.next.pk)
    assert evening.guest.get(evening.here, headers=HTMX)["HX-Redirect"] == evening.here
    waiting = evening.guest.get(f"{evening.here}?waits", headers=HTMX)
    assert (waiting.status_code, waiting.content) == (204, b"")
    let_in(evening.next.pk)
    assert evening.guest.get(f"{evening.here}?waits", headers=HTMX)["HX-Redirect"] == evening.here


def test_a_phone_on_the_old_fight_is_led_on(evening: Evening) -> None:
    old = f"/encounters/{evening.first.pk}/"
    page = read(evening.guest.get(old))
    assert page.one("a", href=evening.here).text == "Next: The long night Fri 6 Dec, not open yet"
    seat = Seat.objects.get(encounter=evening.first, kind=ShareLink.PLAY)
    let_in(evening.next.pk)
    assert Seat.objects.get(pk=seat.pk).own_stamp != seat.own_stamp  # its page looks again
    page = read(evening.guest.get(old))
    assert page.one("a", href=evening.here).text == "Go in: The long night"
    assert page.one("span", hx_get=f"{evening.here}?waits")
    Encounter.objects.filter(pk=evening.next.pk).update(
        opened=timezone.now() - LEADS_ON - timedelta(seconds=1)
    )
    assert not read(evening.guest.get(old)).all("span", hx_get=f"{evening.here}?waits")
    assert read(evening.guest.get(old)).one("a", href=evening.here)


def test_which_new_fights_are_closed(gm: User) -> None:
    assert create_encounter(gm, SLUG, "New").closed
    assert not create_encounter(gm, SLUG, "Demo", demo=True).closed
    assert not create_encounter(gm, SLUG, "Days", downtime=True).closed


def test_fights_of_older_releases_close_unless_they_are_shared(gm: User, evening: Evening) -> None:
    """Before the release with doors: those without a link and without seats close, the others stay open."""
    from django.apps import apps

    kinds = {name: create_encounter(gm, SLUG, name) for name in ("alone", "shared", "seated", "fought")}
    make_link(kinds["shared"], ShareLink.PLAY, "")
    Seat.objects.create(encounter=kinds["seated"], name="Ann", kind=ShareLink.PLAY, digest="a" * 64)
    Encounter.objects.filter(pk=kinds["fought"].pk).update(phase="over")
    Encounter.objects.update(closed=False)
    import_module("combat.migrations.0004_closed_fights").close_unshared(apps, None)
    assert [name for name, one in kinds.items() if load(one.pk).closed] == ["alone"]
