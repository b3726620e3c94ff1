"""The page of a link: what it offers to choose from, and what it keeps to itself."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.faces import FACES
from characters.services import character_service
from combat.display.combatants.tokens import has_face
from combat.models import Encounter, Seat, ShareLink
from combat.pages.sharing.join import SHOWN_FIRST
from combat.play.campaigns.roster import bring
from combat.play.scenes.imported import keep_picture, lay_picture
from combat.play.writing.encounter_service import Submission, read_state, submit
from combat.rules import find_system
from combat.rules.core.space import map_of
from combat.rules.core.state.state import Combatant
from combat.sharing.links import assign, revoke
from cosmos_site.base.pictures import SCENE, remake
from tests.combat.cast import come, gather, invite, seat_named
from tests.combat.markup import Page
from tests.combat.pages.map.test_tokens import DIGEST, SHEET
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, load, read, refusal, state_of
from tests.site.pictures import picture
from tests.typed import Answer

SPRITE = Path(__file__).parents[3] / "static" / "img" / "faces.svg"
FACE = "faces.svg#scout"


def join(client: Client, address: str, **fields: str) -> Answer:
    """Follow a link with the fields of its page."""
    return client.post(address, {"name": "Ada", "combatant": "", "face": "", **fields})


def find_picks(client: Client, address: str) -> dict[str, str]:
    """What the free characters say of themselves, by id."""
    page = read(client.get(address))
    labels = page.all("label", class_="join-pick")
    return {page.one("input", inside=label)["value"]: label.text for label in labels}


def has_token(client: Client, pk: int, who: str, picture: str) -> bool:
    """Whether the row of a combatant shows a picture."""
    page = Page(client.get(f"/encounters/{pk}/").content.decode())
    row = page.one("li", id=f"row-{who}")
    return any(picture in use["href"] for use in [*page.all("use", row), *page.all("image", row)])


# ---- Where one joins ----


def find_tokens(client: Client, address: str) -> list[str]:
    """The names of the tokens' drawings in the picture of the scene."""
    page = read(client.get(address))
    return [mark["class"] for mark in page.all("svg", page.one(class_="join-picture"), class_="mark")]


def test_page_shows_the_scene_as_spectators_know_it(started: Encounter, guest: Client) -> None:
    address = invite(started)
    shown = find_tokens(guest, address)
    assert shown
    submit(started.pk, Submission("join", {"block": "pirate_example", "name": "Lurker", "hidden": True}))
    assert find_tokens(guest, address) == shown
    submit(started.pk, Submission("join", {"block": "pirate_example", "name": "Guard"}))
    assert len(find_tokens(guest, address)) == len(shown) + 1


def test_link_shows_of_an_own_picture_what_spectators_see(started: Encounter, guest: Client) -> None:
    """The link is the right to it: not the number, not another link, and nothing of what is hidden."""
    kept = keep_picture(started, remake(picture(size=(300, 200)), SCENE))
    scene = lay_picture(state_of(started.pk).scene, kept)
    submit(started.pk, Submission("set_scene", {"scene": msgspec.to_builtins(scene)}))
    assert map_of(state_of(started.pk).scene).picture
    address = invite(started)
    page = read(guest.get(address))
    whole = page.one("image", page.one(class_="join-picture"))["href"]
    assert whole == f"{address}map/{kept.digest}.webp"
    assert guest.get(whole).status_code == 200
    assert guest.get(f"/encounters/{started.pk}/scene/{kept.digest}.webp").status_code == 302
    assert guest.get(f"/join/{'x' * 22}/map/{kept.digest}.webp").status_code == 404
    submit(
        started.pk,
        Submission("change_map", {"hidden": [{"id": "a1", "x": 0, "y": 0, "width": 3, "depth": 2}]}),
    )
    assert guest.get(whole).status_code == 404


def test_page_names_who_is_at_the_table(started: Encounter, guest: Client) -> None:
    address = invite(started)
    assert not read(guest.get(address)).all(class_="join-seated")
    join(Client(), address, name="Ben", face="scout")
    seated = read(guest.get(address)).one(class_="join-seated")
    assert seated.text == "Ben at the table"
    page = seated.page
    assert FACE in page.one("use", seated)["href"]


# ---- Faces ----


def test_each_face_is_drawn_and_has_a_name_of_its_own() -> None:
    symbols = re.findall(r'<symbol id="([\w-]+)"', SPRITE.read_text("utf-8"))
    assert sorted(symbols) == sorted(face.key for face in FACES)
    assert len({face.name for face in FACES}) == len(FACES) >= 18


def test_players_page_offers_every_face_by_name(started: Encounter, guest: Client) -> None:
    page = read(guest.get(invite(started)))
    named = {page.one("input", inside=o)["value"]: o.text for o in page.all("label", class_="face-option")}
    assert named == {"": "No face", **{face.key: face.name for face in FACES}}
    assert not read(guest.get(invite(started, ShareLink.WATCH))).all("input", name="face")


@pytest.mark.slow
def test_chosen_face_is_the_characters_token_for_everyone(started: Encounter, guest: Client) -> None:
    cast = gather(started, MARCUS, "")
    assert join(guest, invite(started), combatant=ZARA, face="scout").status_code == 302
    for client in (cast.gm, cast.co_gm, cast.player, cast.other, cast.watcher, guest):
        assert has_token(client, started.pk, ZARA, FACE)
        assert not has_token(client, started.pk, MARCUS, FACE)
    guest.post(f"/encounters/{started.pk}/leave/")
    assert not has_token(cast.watcher, started.pk, ZARA, FACE)


@pytest.mark.slow
def test_portrait_of_a_sheet_goes_before_the_face(
    gm: User, gm_client: Client, started: Encounter, guest: Client
) -> None:
    ada = bring_portrayed(gm, started)
    join(guest, invite(started), combatant=ada, face="scout")
    assert has_token(gm_client, started.pk, ada, DIGEST)
    assert not has_token(gm_client, started.pk, ada, FACE)


def test_face_is_not_given_to_the_gms_combatants(
    gm_client: Client, started: Encounter, guest: Client
) -> None:
    """Two thugs handed to a player keep their looks: they would all be the player's twins."""
    join(guest, invite(started), face="scout")
    assign(load(started.pk), [PIRATE], seat_named("Ada"))
    assert not has_token(gm_client, started.pk, PIRATE, FACE)
    assign(load(started.pk), [PIRATE, ZARA], seat_named("Ada"))
    assert has_token(gm_client, started.pk, ZARA, FACE)


def test_machine_or_beast_has_no_face() -> None:
    system = find_system("cosmos")
    looks = {
        species: has_face(system, Combatant("f1", "It", "side", {"species": species}))
        for species in ("terran", "synthetic", "machine", "beast")
    }
    assert looks == {"terran": True, "synthetic": True, "machine": True, "beast": False}


def test_unknown_face_is_refused_and_nothing_is_half_done(started: Encounter, guest: Client) -> None:
    answer = join(guest, invite(started), name="Lena", face="../x", combatant=ZARA)
    assert (answer.status_code, Seat.objects.count()) == (422, 0)
    assert refusal(answer) == "There is no such face: choose one of those shown."
    page = read(answer)
    assert page.one(id="name")["value"] == "Lena"
    assert [r["value"] for r in page.all("input", name="combatant") if "checked" in r.attrs] == [ZARA]


# ---- Characters ----


def test_free_character_says_what_it_is_good_at_and_carries(started: Encounter, guest: Client) -> None:
    picks = find_picks(guest, invite(started))
    assert picks == {ZARA: "Zara Combat 4, Pistol", MARCUS: "Marcus Combat 4, Long rifle"}


def test_second_to_choose_a_character_is_told_and_chooses_again(started: Encounter) -> None:
    address, late = invite(started), Client()
    late.get(address)
    join(Client(), address, name="Ben", combatant=ZARA)
    answer = join(late, address, name="Lena", combatant=ZARA, face="pilot")
    assert answer.status_code == 409
    assert refusal(answer) == "Someone else has that character now: choose another."
    page = read(answer)
    assert page.one(id="name")["value"] == "Lena"
    assert page.one("input", name="face", value="pilot").attrs.keys() >= {"checked"}
    assert "Taken: Zara." in page.html
    assert late.get(f"/encounters/{started.pk}/").status_code == 302
    assert join(late, address, name="Lena", combatant=MARCUS, face="pilot").status_code == 302
    assert seat_named("Lena").combatants == [MARCUS]


def test_hidden_character_is_neither_offered_nor_called_taken(started: Encounter, guest: Client) -> None:
    address = invite(started)
    assert MARCUS in find_picks(guest, address)
    submit(started.pk, Submission("hide", {"target": MARCUS}))
    assert "Marcus" not in guest.get(address).content.decode()
    assert join(guest, address, combatant=MARCUS).status_code == 409
    come(started, ShareLink.PLAY, "Otto")
    assign(load(started.pk), [MARCUS], seat_named("Otto"))
    assert "Marcus" not in guest.get(address).content.decode()


def test_hidden_namesake_does_not_show_in_a_name(started: Encounter, guest: Client) -> None:
    submit(started.pk, Submission("join", {"block": "pirate_example", "name": "Zara", "hidden": True}))
    assert find_picks(guest, invite(started))[ZARA].startswith("Zara Combat")


@pytest.mark.slow
def test_many_characters_are_folded_and_many_taken_ones_counted(started: Encounter, guest: Client) -> None:
    submit(
        started.pk, Submission("join", {"block": "pirate_example", "name": "Crew", "count": 9, "pc": True})
    )
    page = read(guest.get(invite(started)))
    fold = page.one("details", id="more-picks")
    assert page.one("summary", inside=fold).text == "6 more characters"
    everyone = page.all("label", class_="join-pick")
    assert len([one for one in everyone if not one.is_in(fold)]) == SHOWN_FIRST
    for number, who in enumerate(find_picks(guest, invite(started))):
        come(started, ShareLink.PLAY, f"Guest {number}", who)
    page = read(guest.get(invite(started)))
    assert "All of them are taken." in page.html
    assert "and 8 more." in page.html


def bring_portrayed(gm: User, encounter: Encounter) -> str:
    """Add a character with a portrait to a fight; return their id."""
    one = character_service.create(gm, SLUG, "Ada", SHEET)
    character_service.keep_portrait(one.pk, DIGEST, b"RIFF", by="gm")
    bring(encounter, gm, str(one.pk), side="", zone="", by="gm")
    return next(f.id for f in read_state(load(encounter.pk)).combatants.values() if f.name == "Ada")


def test_portrait_is_for_those_the_link_offers_the_character(
    gm: User, started: Encounter, guest: Client
) -> None:
    ada, address = bring_portrayed(gm, started), invite(started)
    picture = f"{address}portraits/{DIGEST}.webp"
    assert picture in guest.get(address).content.decode()
    assert guest.get(picture)["Content-Type"] == "image/webp"
    for kind in (ShareLink.WATCH, ShareLink.CO_GM):
        assert guest.get(f"{invite(started, kind)}portraits/{DIGEST}.webp").status_code == 404
    assert guest.get(f"{address}portraits/other.webp").status_code == 404
    submit(started.pk, Submission("hide", {"target": ada}))
    assert guest.get(picture).status_code == 404
    submit(started.pk, Submission("hide", {"target": ada, "hidden": False}))
    assert guest.get(picture).status_code == 200
    revoke(ShareLink.objects.get(kind=ShareLink.PLAY))
    assert guest.get(picture).status_code == 404


# ---- Just watching ----


def test_player_who_only_watches_is_a_spectator_who_may_play(started: Encounter, guest: Client) -> None:
    address = invite(started)
    assert join(guest, address, combatant="watch", face="scout").status_code == 302
    seat = Seat.objects.get()
    assert (seat.kind, seat.combatants, seat.face) == (ShareLink.WATCH, [], "")
    assert guest.post(f"/encounters/{started.pk}/", {"do": "next_turn"}).status_code == 403
    assert "spectator" in guest.get(address).content.decode()
    join(guest, address, combatant=ZARA)
    (now,) = Seat.objects.filter(ended=None)
    assert (now.kind, now.combatants) == (ShareLink.PLAY, [ZARA])


@pytest.mark.parametrize("kind", [ShareLink.WATCH, ShareLink.CO_GM])
def test_other_links_give_what_they_are_for(started: Encounter, guest: Client, kind: str) -> None:
    join(guest, invite(started, kind), combatant="watch")
    assert Seat.objects.get().kind == kind


# ---- People ----


def test_longest_name_is_one_that_fits(started: Encounter, guest: Client, gm_client: Client) -> None:
    join(guest, invite(started), name="W" * 500)
    assert Seat.objects.get().name == "W" * 60
    assert "W" * 60 in gm_client.get(f"/encounters/{started.pk}/share/").content.decode()


def test_face_chosen_by_another_visit_replaces_the_old_one(started: Encounter, guest: Client) -> None:
    address = invite(started)
    join(guest, address, combatant=ZARA, face="scout")
    page = read(guest.get(address))
    assert "checked" in page.one("input", name="face", value="scout").attrs
    join(guest, address, face="pilot")
    assert (Seat.objects.get().face, Seat.objects.get().combatants) == ("pilot", [ZARA])


def test_new_device_is_told_how_to_get_a_seat_back(started: Encounter, guest: Client) -> None:
    address = invite(started)
    told = "ask the GM for a link that moves your seat here"
    page = read(guest.get(address))
    assert told in page.one(id="join-back").text
    assert page.one("a", inside=page.one(id="join-back"))["href"].endswith(f"?next={address}")
    known = Client()
    known.force_login(User.objects.create_user("rhea"))
    assert told in read(known.get(address)).one(id="join-back").text
    join(guest, address)
    assert not read(guest.get(address)).all(id="join-back"), "they have their seat"
    assert not read(Client().get(invite(started, ShareLink.WATCH))).all(id="join-back")
