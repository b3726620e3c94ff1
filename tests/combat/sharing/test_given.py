"""A prepared fight for other GMs: what is in it, who may do what, and that nothing of players is in it."""

from __future__ import annotations

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, GivenFight, Seat
from combat.play.after.imports import copy_encounter
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.campaigns.table_notes import ON_ENCOUNTER, keep_notes
from combat.play.packs import giving
from combat.play.packs.keeping import read_pack
from combat.play.scenes.imported import find_picture, keep_picture, lay_picture
from combat.play.writing.encounter_service import Submission, create_encounter, read_state, submit
from combat.rules import find_system
from combat.rules.core.space import map_of
from combat.rules.core.state.state import present
from cosmos_site.base.pictures import SCENE, remake
from tests.browser import skip_hints
from tests.combat.cast import ROLES, Cast
from tests.combat.visit import SLUG, read, state_of
from tests.site.pictures import picture

SHEET = next(iter(find_system(SLUG).book.find_blocks().values())).sheet
NOTE = "The safe is behind the mirror."


@pytest.fixture
def given(prepared: Encounter) -> str:
    """The address of the demo fight, given without notes."""
    keep_notes(prepared, {ON_ENCOUNTER: NOTE})
    return address(giving.give(prepared, notes=False))


def address(one: GivenFight) -> str:
    return f"/fights/{giving.find_token(one)}/"


def test_everyone_may_look_and_who_is_signed_in_may_copy(cast: Cast, started: Encounter) -> None:
    place = address(giving.give(copy_encounter(started, started.owner), notes=False))
    for role in ROLES:
        assert cast[role].get(place).status_code == 200, role
        assert cast[role].get(f"{place}file/").status_code == 200, role
    counted = GivenFight.objects.get()
    assert (counted.seen, counted.used) == (len(ROLES) - 1, len(ROLES) - 1)
    for role in ("player", "nobody"):
        assert cast[role].post(place)["Location"].startswith("/accounts/login/?next=/fights/"), role
    done = cast.stranger.post(place)
    made = Encounter.objects.get(owner__username="stranger")
    assert done["Location"] == f"/encounters/{made.pk}/prep/"
    assert GivenFight.objects.get().used == len(ROLES)


def test_copy_has_the_scene_and_people_except_player_characters(
    prepared: Encounter, given: str, gm: User
) -> None:
    made = giving.use(GivenFight.objects.get(), User.objects.create_user("bo"))
    old, new = read_state(prepared), read_state(made)
    assert [one.name for one in present(new)] == [one.name for one in present(old) if not one.pc]
    assert new.scene.zones == old.scene.zones
    assert made.dice_secret != prepared.dice_secret
    assert read_pack(gm, giving.read_file(GivenFight.objects.get())).contents["counts"]["encounters"] == 1


def test_picture_under_the_map_is_drawn_and_copied(gm: User, prepared: Encounter) -> None:
    scene = state_of(prepared.pk).scene
    kept = keep_picture(prepared, remake(picture(size=(300, 200)), SCENE))
    submit(prepared.pk, Submission("set_scene", {"scene": msgspec.to_builtins(lay_picture(scene, kept))}))
    place, client = address(giving.give(prepared, notes=False)), Client()
    drawn = read(client.get(place)).one("image")
    assert drawn["href"] == f"{place}map.webp"
    shown = client.get(drawn["href"])
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/webp")
    made = giving.use(GivenFight.objects.get(), User.objects.create_user("bo"))
    under = map_of(read_state(made).scene).picture
    assert under
    assert find_picture(made, under.digest)
    giving.take_back(prepared)
    assert client.get(drawn["href"]).status_code == 404


def test_fight_without_a_picture_draws_none(prepared: Encounter, given: str) -> None:
    client = Client()
    assert not read(client.get(given)).all("image")
    assert client.get(f"{given}map.webp").status_code == 404


def test_owner_gives_updates_and_takes_back(gm_client: Client, prepared: Encounter) -> None:
    share, client = f"/encounters/{prepared.pk}/share/", Client()
    keep_notes(prepared, {ON_ENCOUNTER: NOTE})
    gm_client.post(share, {"do": "give_fight"})
    place = address(GivenFight.objects.get())
    assert "Opened 0 times, used 0 times" in read(gm_client.get(share)).one("details", id="for-gms").text
    assert NOTE not in client.get(place).content.decode()
    gm_client.post(share, {"do": "give_fight", "notes": "on"})
    assert address(GivenFight.objects.get()) == place
    assert NOTE in client.get(place).content.decode()
    gm_client.post(share, {"do": "take_back"})
    assert [client.get(f"{place}{page}").status_code for page in ("", "file/", "odds/")] == [404] * 3
    assert gm_client.post(share, {"do": "take_back"}).status_code == 409


def test_begun_fight_is_copied_and_given_in_one_tap(gm_client: Client, started: Encounter) -> None:
    share = f"/encounters/{started.pk}/share/"
    assert "Copy and share" in read(gm_client.get(share)).one("details", id="for-gms").text
    answer = gm_client.post(share, {"do": "give_fight"}, follow=True)
    given = GivenFight.objects.get()
    assert given.encounter_id != started.pk
    assert answer.request["PATH_INFO"] == f"/encounters/{given.encounter_id}/share/"
    assert address(given) in read(answer).one("input", id="address-given")["value"]
    assert given.encounter.phase == "prep"
    assert Client().get(address(given)).status_code == 200


def test_nothing_is_copied_where_nothing_can_be_given(gm_client: Client, gm: User) -> None:
    """A fight of player characters alone, without a scene."""
    begun = create_encounter(gm, SLUG, "Drill")
    for name in ("Ada", "Bo"):
        submit(begun.pk, Submission("join", {"name": name, "side": name, "pc": True, "sheet": SHEET}))
    submit(begun.pk, Submission(find_system(SLUG).actions.start, {}))
    answer = gm_client.post(f"/encounters/{begun.pk}/share/", {"do": "give_fight"})
    assert answer.status_code == 409
    assert giving.NOBODY in answer.content.decode().replace("&#x27;", "'")
    assert (Encounter.objects.count(), GivenFight.objects.count()) == (1, 0)


def test_forecast_waits_for_no_page(given: str) -> None:
    assert Client().get(f"{given}odds/")["Location"] == given
    page = Client().get(f"{given}odds/", headers={"HX-Request": "true"})
    assert "Playing it with four ready heroes" in page.content.decode()


def test_given_copy_does_not_depend_on_players_or_campaign(prepared: Encounter, gm: User) -> None:
    """Nothing of players, seats, dice or campaigns is in the page or the file."""
    plain = giving.give(prepared, notes=False)
    before, page = giving.read_file(plain), Client().get(address(plain)).content.decode()
    Seat.objects.create(encounter=prepared, name="Quillon", kind="play", digest="q", combatants=["f1"])
    move_encounter(prepared.pk, create_campaign(gm, "Quillon's campaign"))
    hero = {"sheet": SHEET, "name": "Quillon", "side": "allies", "pc": True}
    submit(prepared.pk, Submission("join", hero, by="Quillon"))
    submit(prepared.pk, Submission("gm_roll", {"term": "2d6"}, by="Quillon"))
    keep_notes(prepared, {ON_ENCOUNTER: "Quillon"})
    other = giving.give(prepared, notes=False)
    assert giving.read_file(other) == before
    text = Client().get(address(other)).content.decode()
    assert "Quillon" not in text
    assert len(text) == len(page)
    assert gm.username not in msgspec.json.encode(giving.read_fight(other)).decode()


@pytest.mark.slow
def test_fight_is_used_by_one_button(
    live_server: LiveServer, visitor: Browser, prepared: Encounter, complaints: list[str]
) -> None:
    scene = state_of(prepared.pk).scene
    kept = keep_picture(prepared, remake(picture(size=(300, 200)), SCENE))
    submit(prepared.pk, Submission("set_scene", {"scene": msgspec.to_builtins(lay_picture(scene, kept))}))
    skip_hints(visitor.context)
    with visitor.expect_response("**/map.webp") as drawn:
        visitor.goto(f"{live_server.url}{address(giving.give(prepared, notes=False))}")
    assert drawn.value.ok
    visitor.get_by_role("button", name="Use at my table").click()
    expect(visitor.get_by_role("link", name="Go to table")).to_be_visible()
    made = Encounter.objects.order_by("pk").last()
    assert made
    assert made.pk != prepared.pk
    assert visitor.url == f"{live_server.url}/encounters/{made.pk}/prep/"
    assert complaints == []
