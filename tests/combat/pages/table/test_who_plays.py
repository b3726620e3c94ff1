"""The GM hands someone to a player where the face stands: whole groups, back, and two who change places."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import find_barriers, find_overflow, skip_hints
from tests.combat.cast import Cast, come, seat_named
from tests.combat.markup import Page as Markup
from tests.combat.visit import MARCUS, PIRATE, ZARA, begun, demo_fight, read

THUGS = ("f4", "f5", "f6")


def open_window(client: Client, pk: int, who: str) -> Markup:
    return read(client.get(f"/encounters/{pk}/?combatant={who}&row=players"))


def hand(client: Client, pk: int, who: str, seat: object, **more: object) -> int:
    fields = {"do": "hand_over", "row": "players", "target": who, "seat": seat, **more}
    return client.post(f"/encounters/{pk}/", fields).status_code


def names_of(page: Markup) -> list[str]:
    return [
        face.text
        for face in page.all("button", class_="who-face", inside=page.one("form", id=f"form-{PIRATE}"))
    ]


def test_faces_are_of_players_and_the_gm(cast: Cast, started: Encounter) -> None:
    assert names_of(open_window(cast.gm, started.pk, PIRATE)) == ["Pia Zara", "Otto Marcus", "GM You now"]


@pytest.mark.parametrize("role", ["co_gm", "player", "other", "watcher", "stranger", "revoked", "nobody"])
def test_only_the_owner_hands_over(cast: Cast, started: Encounter, role: str) -> None:
    assert not open_window(cast[role], started.pk, PIRATE).all("button", class_="who-face")
    assert hand(cast[role], started.pk, PIRATE, seat_named("Otto").pk) in (302, 403, 404, 410, 422)
    swap = {"do": "swap_players", "target": PIRATE, "with": ZARA}
    assert cast[role].post(f"/encounters/{started.pk}/", swap).status_code in (302, 403, 404, 410, 422)
    assert (seat_named("Otto").combatants, seat_named("Pia").combatants) == ([MARCUS], [ZARA])


def test_handed_over_and_back(cast: Cast, started: Encounter) -> None:
    pia = seat_named("Pia")
    fields = {"do": "hand_over", "row": "players", "target": PIRATE, "seat": pia.pk, "was": ""}
    page = read(cast.gm.post(f"/encounters/{started.pk}/", fields, headers={"HX-Request": "true"}))
    assert seat_named("Pia").combatants == [ZARA, PIRATE]
    said = page.one("form", class_="who-said")
    assert "Pia plays Pirate." in said.text
    row = page.one(id=f"row-{PIRATE}")
    assert "Pia" in row.text
    assert len(page.all("svg", class_="mark", inside=row)) == 2
    posted = page.fields(said)
    assert hand(cast.gm, started.pk, PIRATE, posted.get("seat", ""), all=posted["all"]) in (302, 303)
    assert seat_named("Pia").combatants == [ZARA]


def test_a_group_goes_together(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("join", {"block": "street_thug", "count": 3}, by="gm"))
    page = open_window(cast.gm, started.pk, THUGS[0])
    together = page.one("input", id="who-all")["value"]
    assert sorted(together.split(",")) == [*THUGS[1:]]
    assert hand(cast.gm, started.pk, THUGS[0], seat_named("Otto").pk, all=together) in (302, 303)
    assert sorted(seat_named("Otto").combatants) == [MARCUS, *THUGS]


def test_two_players_change_places(cast: Cast, started: Encounter) -> None:
    page = open_window(cast.gm, started.pk, ZARA)
    offered = [one["value"] for one in page.all("button", name="with")]
    assert offered == [PIRATE, MARCUS]
    swap = {"do": "swap_players", "row": "players", "target": ZARA, "with": MARCUS}
    assert cast.gm.post(f"/encounters/{started.pk}/", swap).status_code in (302, 303)
    assert (seat_named("Pia").combatants, seat_named("Otto").combatants) == ([MARCUS], [ZARA])


@pytest.mark.parametrize(("who", "seat"), [("f99", ""), (PIRATE, "999"), (PIRATE, "²"), ("", "")])
def test_impossible_hand_over_changes_nothing(cast: Cast, started: Encounter, who: str, seat: str) -> None:
    assert hand(cast.gm, started.pk, who, seat) in (409, 422)
    assert (seat_named("Pia").combatants, seat_named("Otto").combatants) == ([ZARA], [MARCUS])


def test_the_roster_shows_it_before_the_fight(gm: User, gm_client: Client) -> None:
    fight = demo_fight(gm)
    come(fight, ShareLink.PLAY, "Nia", ZARA)
    assert hand(gm_client, fight.pk, PIRATE, seat_named("Nia").pk) in (302, 303)
    assert "Nia" in read(gm_client.get(f"/encounters/{fight.pk}/")).one(id=f"row-{PIRATE}").text


def test_a_seat_gets_another_on_the_share_page(cast: Cast, started: Encounter) -> None:
    page = read(cast.gm.get(f"/encounters/{started.pk}/share/"))
    also = page.one("details", id=f"also-{seat_named('Pia').pk}")
    fields = page.fields(next(iter(page.all("form", inside=also))))
    assert cast.gm.post(f"/encounters/{started.pk}/share/", {**fields, "combatant": PIRATE}).status_code in (
        302,
        303,
    )
    assert seat_named("Pia").combatants == [ZARA, PIRATE]


def test_a_seat_gets_the_hero_of_who_is_away(gm: User, gm_client: Client) -> None:
    fight = demo_fight(gm)
    come(fight, ShareLink.PLAY, "Nia", ZARA)
    page = read(gm_client.get(f"/encounters/{fight.pk}/share/"))
    also = page.one("details", id=f"also-{seat_named('Nia').pk}")
    assert {one["value"] for one in page.all("button", inside=also)} >= {MARCUS, PIRATE}


def test_three_taps_hand_someone_over(live_server: LiveServer, visitor: Page, gm: User) -> None:
    fight = begun(gm)
    come(fight, ShareLink.PLAY, "Nia", ZARA)
    skip_hints(visitor.context)
    for width, height in ((1440, 900), (390, 844)):
        visitor.set_viewport_size({"width": width, "height": height})
        visitor.goto(f"{live_server.url}/encounters/{fight.pk}/?combatant={PIRATE}&row=quick")
        visitor.get_by_role("link", name="Who plays").click()
        visitor.locator(".who-plays .who-face", has_text="Nia").click()
        expect(visitor.locator(".who-said")).to_contain_text("Nia plays Pirate.")
        expect(visitor.locator(f"#row-{PIRATE} .row-player")).to_contain_text("Nia")
        assert find_barriers(visitor, "#row-window") == []
        assert find_overflow(visitor) == []
        visitor.locator(".who-said .btn").click()
        expect(visitor.locator(".who-said")).to_contain_text("GM plays Pirate.")
        expect(visitor.locator(f"#row-{PIRATE} .row-player")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_group_and_a_swap_by_hand(
    live_server: LiveServer, visitor: Page, gm: User, size: tuple[int, int]
) -> None:
    """Each is said where it was pressed, and one tap takes it back."""
    fight = begun(gm)
    submit(fight.pk, Submission("join", {"block": "street_thug", "count": 3}, by="gm"))
    come(fight, ShareLink.PLAY, "Nia", ZARA)
    come(fight, ShareLink.PLAY, "Bo", MARCUS)
    skip_hints(visitor.context)
    visitor.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/?combatant={THUGS[0]}&row=players")
    visitor.locator("#who-all").check()
    visitor.locator(".who-plays .who-face", has_text="Bo").click()
    expect(visitor.locator(".who-said")).to_contain_text("Bo plays")
    assert sorted(seat_named("Bo").combatants) == [MARCUS, *THUGS]
    visitor.locator(".who-said .btn").click()
    expect(visitor.locator(".who-said")).to_contain_text("GM plays")
    assert seat_named("Bo").combatants == [MARCUS]
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/?combatant={ZARA}&row=players")
    visitor.locator("#who-swap summary").click()
    visitor.locator("#who-swap .who-face", has_text="Marcus").click()
    expect(visitor.locator(".who-plays .who-face[aria-pressed=true]")).to_contain_text("Bo")
    assert (seat_named("Nia").combatants, seat_named("Bo").combatants) == ([MARCUS], [ZARA])
    assert find_overflow(visitor) == []


@pytest.mark.parametrize("size", [(1440, 900), (1280, 620), (390, 700)])
def test_menus_stay_in_the_window(
    live_server: LiveServer, visitor: Page, gm: User, size: tuple[int, int]
) -> None:
    skip_hints(visitor.context)
    visitor.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.goto(f"{live_server.url}/encounters/{begun(gm, 'cepheus').pk}/")
    if size[0] < 400:
        visitor.locator(".tabs label", has_text="Combatants").click()
    for menu in visitor.locator("#rows details.menu").all():
        menu.locator("summary").click()
        box = menu.locator(".menu-items").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        visitor.keyboard.press("Escape")
