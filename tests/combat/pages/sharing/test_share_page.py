"""The page that lets people in, and the code for a whole room: who sees what, and what they do."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import product

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, JoinCode, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.codes import show_code, spell
from combat.sharing.links import (
    Arrival,
    assign,
    end_seat,
    find_token,
    make_link,
    open_lasting_link,
    take_seat,
)
from tests.browser import check_looks, find_barriers
from tests.combat.cast import ROLES, Cast, seat_named
from tests.combat.visit import MARCUS, PIRATE, ZARA, load, read, refusal
from tests.typed import Answer, sure

HTMX = {"HX-Request": "true"}
HEAR = """(part) => window.htmx.trigger(part, "sse:people")"""  # the test's server has no streams


def share(client: Client, pk: int, do: str = "", **fields: object) -> Answer:
    """Open the share page, or post one of its forms."""
    here = f"/encounters/{pk}/share/"
    return client.post(here, {"do": do, **fields}) if do else client.get(here)


def tokens(pk: int) -> list[str]:
    """Every secret of a table's links that can be shown."""
    links = ShareLink.objects.filter(encounter=pk)
    return [*filter(None, map(find_token, links)), *map(spell, JoinCode.objects.filter(link__in=links))]


# ---- One tap ----


@pytest.mark.slow
def test_looking_makes_no_link_and_one_tap_does(gm_client: Client, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    for place in ("share/", "share/full/", "prep/", ""):
        assert gm_client.get(here + place).status_code == 200
        assert not ShareLink.objects.exists()
    page = read(share(gm_client, started.pk))
    assert page.one("button", class_="btn-primary").text == "Show the code"
    told = [one.text for one in page.all("li", inside=page.one("ul", class_="invite-choices"))]
    assert told == [
        "Your characters theirs, of Cosmos Engine",
        "Ready at this table Zara, Marcus",
        "New character",
        "The GM gives me one",
        "Just watch",
    ]
    for place in ("", "prep/"):
        page = read(gm_client.get(here + place))
        forms = page.all("form", action=f"{here}share/")  # that of the bar, and a phone's menu
        assert {page.one("button", inside=form).text for form in forms} == {"Share"}
    answer = share(gm_client, started.pk, "open")
    assert (answer.status_code, answer["Location"]) == (302, f"{here}share/")
    link = ShareLink.objects.get()
    page = read(gm_client.get(f"{here}share/"))
    assert page.one("input", id="address-1")["value"] == f"http://testserver/join/{find_token(link)}/"
    assert page.one("p", class_="typed").text == f"testserver/j/{spell(JoinCode.objects.get())}"
    for _ in range(2):
        share(gm_client, started.pk, "open")
    assert (ShareLink.objects.get().pk, JoinCode.objects.count()) == (link.pk, 1)


def test_limited_links_are_not_the_ready_one(gm_client: Client, started: Encounter) -> None:
    make_link(started, "play", "evening", hours=3)
    make_link(started, "play", "one", uses=1)
    share(gm_client, started.pk, "open")
    assert ShareLink.objects.filter(expires=None, uses_left=None).count() == 1
    assert ShareLink.objects.count() == 3


def test_other_kinds_are_a_tap_each(gm_client: Client, started: Encounter) -> None:
    for kind, uses in (("watch", None), ("co-gm", 1)):
        answer = share(gm_client, started.pk, "open", kind=kind)
        link = ShareLink.objects.get(kind=kind)
        assert link.uses_left == uses
        page = read(gm_client.get(answer["Location"]))
        card = page.one("details", id=f"link-{kind}")
        assert "open" in card.attrs
        assert find_token(link) in page.one("input", id=f"address-{kind}", inside=card)["value"]
    assert list(JoinCode.objects.values_list("link__kind", flat=True)) == ["watch"]
    assert share(gm_client, started.pk, "open", kind="owner").status_code == 422


def test_action_that_does_not_exist_is_refused(gm_client: Client, started: Encounter) -> None:
    page = share(gm_client, started.pk, "fly")
    assert page.status_code == 422
    assert refusal(page) == "This page has no such action."


# ---- Who sees it ----


@pytest.mark.slow
def test_secrets_are_in_no_page_of_others(cast: Cast, started: Encounter) -> None:
    for kind in ("play", "watch", "co-gm"):
        share(cast.gm, started.pk, "open", kind=kind)
    secrets, here = tokens(started.pk), f"/encounters/{started.pk}/"
    seen = {one for one in secrets if one in share(cast.gm, started.pk).content.decode()}
    assert len(seen) == 5, "the GM sees three links and two codes"
    dock = cast.gm.get(f"{here}prep/").content.decode()
    assert spell(JoinCode.objects.get(link__kind="play")) in dock
    places = ("", "prep/", "share/", "share/full/", "share/full/?seen=x", "share/?seen=x", "log/")
    for role in set(ROLES) - {"gm"}:
        for place, headers in product(places, ({}, HTMX)):
            answer = cast[role].get(here + place, headers=headers)
            text = answer.content.decode() + str(answer.headers)
            assert not [one for one in secrets if one in text], (role, place)
        for do in ("open", "code", "end_code", "give", "end"):
            fields = {"link": ShareLink.objects.latest("pk").pk, "seat": seat_named("Pia").pk}
            assert share(cast[role], started.pk, do, **fields).status_code in (302, 404, 410), role
    assert tokens(started.pk) == secrets
    assert seat_named("Pia").ended is None


def test_room_sees_only_what_all_may_know(cast: Cast, started: Encounter) -> None:
    """The code for the room is turned to the players: a secret in the GM's list is not in it."""
    submit(started.pk, Submission("join", {"block": "warlord", "name": "Mastermind", "hidden": True}))
    submit(started.pk, Submission("rename", {"target": PIRATE, "name": "Corsair"}))
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    assign(load(started.pk), ["f4", PIRATE], seat_named("Pia"))
    open_lasting_link(started, ShareLink.PLAY)
    co_gm = find_token(open_lasting_link(started, ShareLink.CO_GM))
    assert "Mastermind" in share(cast.gm, started.pk).content.decode()
    for headers in ({}, HTMX):
        page = cast.gm.get(f"/encounters/{started.pk}/share/full/", headers=headers).content.decode()
        assert "Pia" in page
        assert "Zara" in page
        assert not [word for word in ("Mastermind", "Corsair", co_gm) if word in page]


# ---- People ----


def test_people_wait_for_a_character_and_get_it_on_the_spot(gm_client: Client, prepared: Encounter) -> None:
    link = open_lasting_link(prepared, ShareLink.PLAY)
    for name in ("Ada", "Bo"):
        take_seat(link, Arrival(name), None)
    ada, bo = seat_named("Ada"), seat_named("Bo")
    page = read(share(gm_client, prepared.pk))
    assert "0 of 2 have a character" in page.one(id="people").text
    offered = {button["value"] for button in page.all("button", name="combatant")}
    assert offered == {ZARA, MARCUS}
    answer = share(gm_client, prepared.pk, "give", seat=ada.pk, combatant=ZARA)
    assert answer["Location"] == f"/encounters/{prepared.pk}/share/#people"
    late = share(gm_client, prepared.pk, "give", seat=bo.pk, combatant=ZARA)
    assert late.status_code == 409
    assert "Someone else has that character now" in refusal(late)
    page = read(share(gm_client, prepared.pk))
    assert "1 of 2 have a character" in page.one(id="people").text
    assert "Zara" in page.one(id=f"seat-of-{ada.pk}").text
    waits = page.one(id=f"seat-of-{bo.pk}")
    assert {button["value"] for button in page.all("button", inside=waits, name="combatant")} == {MARCUS}
    assert (seat_named("Ada").combatants, seat_named("Bo").combatants) == ([ZARA], [])


@pytest.mark.slow
def test_long_list_offers_characters_to_the_first_few(gm_client: Client, prepared: Encounter) -> None:
    link = open_lasting_link(prepared, ShareLink.PLAY)
    for number in range(30):
        take_seat(link, Arrival(f"Guest {number}"), None)
    page = read(share(gm_client, prepared.pk))
    assert len(page.all("form", class_="give")) == 4
    assert len(page.all("li", class_="is-waiting")) == 30


def test_page_says_who_is_out_before_it_revokes(cast: Cast, started: Encounter) -> None:
    link = sure(seat_named("Pia").link)
    page = read(share(cast.gm, started.pk))
    (form,) = [
        field.parents[-1]
        for field in page.all("input", name="link", value=str(link.pk))
        if "Revoke the" in field.parents[-1].text
    ][:1]
    assert "Out at once: Pia." in form.text
    assert [each.tag for each in form.parents].count("details") >= 1


# ---- Live ----


@pytest.mark.parametrize("place", ["share/", "share/full/"])
def test_open_page_gets_what_changed_and_nothing_else(
    gm_client: Client, prepared: Encounter, place: str
) -> None:
    link, here = open_lasting_link(prepared, ShareLink.PLAY), f"/encounters/{prepared.pk}/{place}"
    show_code(link)
    ask = sure(re.search(r'hx-get="([^"]+)"', gm_client.get(here).content.decode()))
    assert gm_client.get(ask[1], headers=HTMX).status_code == 204
    take_seat(link, Arrival("Ada"), None)
    part = gm_client.get(ask[1], headers=HTMX)
    assert part.status_code == 200
    assert "<html" not in part.content.decode()
    assert "Ada" in part.content.decode()
    assert gm_client.get(ask[1]).content.decode().count("<html") == 1, "without a script it is a whole page"
    again = sure(re.search(r'hx-get="([^"]+)"', part.content.decode()))
    assert gm_client.get(again[1], headers=HTMX).status_code == 204
    with time_machine.travel(timezone.now() + timedelta(hours=4), tick=False):
        gm_client.force_login(prepared.owner)
        gone = gm_client.get(again[1], headers=HTMX).content.decode()
        assert spell(JoinCode.objects.get()) not in gone


def test_code_for_the_room_is_turned_on_there(gm_client: Client, started: Encounter) -> None:
    answer = share(gm_client, started.pk, "open", next="full")
    assert answer["Location"] == f"/encounters/{started.pk}/share/full/"
    assert spell(JoinCode.objects.get()) in gm_client.get(answer["Location"]).content.decode()
    elsewhere = share(gm_client, started.pk, "open", next="https://evil.example/")
    assert elsewhere["Location"] == f"/encounters/{started.pk}/share/"


# ---- In a browser ----


@pytest.mark.slow
def test_share_page_looks(
    live_server: LiveServer, visitor: Page, prepared: Encounter, complaints: list[str]
) -> None:
    link, here = open_lasting_link(prepared, ShareLink.PLAY), f"{live_server.url}/encounters/{prepared.pk}/"
    show_code(link)
    show_code(open_lasting_link(prepared, ShareLink.WATCH))
    take_seat(link, Arrival("A-very-long-name-without-a-space " * 2), None)
    check_looks(visitor, f"{here}share/?show=watch", is_measured=True)
    while (closed := visitor.locator("main details:not([open], .menu) > summary:visible")).count():
        closed.first.click()
    assert find_barriers(visitor) == []
    assert complaints == []


def test_people_appear_and_get_a_character_in_one_tap(
    live_server: LiveServer, visitor: Page, prepared: Encounter, browser: Browser
) -> None:
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/")
    visitor.keyboard.press("s")
    code = visitor.locator(".invite .typed b").inner_text()
    visitor.wait_for_load_state()  # the styles too
    assert sure(visitor.locator(".invite .qr").bounding_box())["width"] >= 320
    context = browser.new_context()
    phone = context.new_page()
    phone.goto(f"{live_server.url}/join/")
    phone.get_by_label("Code").fill(code.lower())
    phone.keyboard.press("Enter")
    phone.get_by_label("Your name").fill("Ada")
    phone.get_by_role("button", name="Join").last.click()
    phone.wait_for_url("**/encounters/*/")
    context.close()
    visitor.evaluate(HEAR, "#sharing")
    row = visitor.locator(".people > li", has_text="Ada")
    expect(row).to_contain_text("joined just now")
    visitor.locator("summary", has_text="Screen").click()
    row.get_by_label("Ada: more").click()
    expect(row.get_by_text("Remove Ada?")).to_be_visible()
    row.get_by_label("Ada: more").click()
    with visitor.expect_navigation():
        row.get_by_role("button", name="Zara").click()
    expect(visitor.locator(".people > li", has_text="Ada")).to_contain_text("Zara")
    assert seat_named("Ada").combatants == [ZARA]
    visitor.keyboard.press("f")
    expect(visitor.locator(".joined li", has_text="Ada")).to_be_visible()
    visitor.wait_for_load_state()  # the scripts too
    take_seat(ShareLink.objects.get(), Arrival("Bo"), None)
    visitor.evaluate(HEAR, "#full")
    expect(visitor.locator(".joined li", has_text="Bo")).to_contain_text("just joined")
    end_seat(seat_named("Bo"))
    visitor.evaluate(HEAR, "#full")
    expect(visitor.locator(".joined li", has_text="Bo")).to_have_count(0)
    visitor.keyboard.press("Escape")
    expect(visitor).to_have_url(re.compile(r"/share/$"))


@pytest.mark.slow
def test_people_who_come_while_the_page_asks_appear_too(
    live_server: LiveServer, visitor: Page, prepared: Encounter
) -> None:
    """The answer on its way does not know them, and replaces the part that would have heard of them."""
    link = open_lasting_link(prepared, ShareLink.PLAY)
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/share/")
    here = re.compile(r"/share/\?seen=")
    visitor.wait_for_load_state("networkidle")  # it has asked once

    def answer(route: Route) -> None:
        known = route.fetch()
        if not Seat.objects.filter(name="Cy").exists():
            take_seat(link, Arrival("Cy"), None)
        route.fulfill(response=known)

    visitor.route(here, answer)
    take_seat(link, Arrival("Bo"), None)
    visitor.evaluate(HEAR, "#sharing")
    for name in ("Bo", "Cy"):
        expect(visitor.locator(".people > li", has_text=name)).to_be_visible()


# ---- Who plays whom, from the table ----


def test_free_characters_stand_where_people_will_come(gm_client: Client, started: Encounter) -> None:
    assert not read(share(gm_client, started.pk)).all("section", class_="they-choose")
    share(gm_client, started.pk, "open")
    page = read(share(gm_client, started.pk))
    free = page.all("li", inside=page.one("ul", class_="give-faces"))
    assert [one.text for one in free] == ["Zara free", "Marcus free"]
    take_seat(make_link(started, ShareLink.PLAY, "")[0], Arrival("Ben"), None)
    assert not read(share(gm_client, started.pk)).all("section", class_="they-choose")


def test_combatants_are_offered_to_the_player_who_has_nobody(gm_client: Client, started: Encounter) -> None:
    take_seat(make_link(started, ShareLink.PLAY, "")[0], Arrival("Ben"), None)
    page = read(share(gm_client, started.pk))
    offered = page.all("option", inside=page.one("select", id="hand-seat"))
    assert [one.text for one in offered if "selected" in one.attrs] == ["Ben"]


@pytest.mark.slow
def test_players_of_two_combatants_swap_places_during_the_fight(cast: Cast, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    answer = share(cast.gm, started.pk, "swap", combatant=[ZARA, MARCUS], next="table")
    assert (answer.status_code, answer["Location"]) == (302, here)
    assert (seat_named("Pia").combatants, seat_named("Otto").combatants) == ([MARCUS], [ZARA])
    assert share(cast.gm, started.pk, "swap", combatant=[PIRATE, ZARA]).status_code == 302
    assert seat_named("Otto").combatants == [PIRATE]
    for wrong in ([ZARA], [ZARA, PIRATE, MARCUS], [ZARA, "f99"], []):
        assert share(cast.gm, started.pk, "swap", combatant=wrong).status_code == 409
    for role in ("player", "watcher", "stranger", "co_gm"):
        answer = share(cast[role], started.pk, "swap", combatant=[PIRATE, MARCUS])
        assert answer.status_code in (302, 403, 404), role
    assert (seat_named("Pia").combatants, seat_named("Otto").combatants) == ([MARCUS], [PIRATE])
