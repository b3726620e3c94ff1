"""A person has the same face on every page that shows them, and nobody else has it."""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from characters.display.sheet_view import find_drawn
from characters.faces import find_faces
from characters.models import Character
from characters.services import character_service
from combat.audience.viewer import GM, Viewer
from combat.models import Encounter, Seat, ShareLink
from combat.pages.sharing.gathering import view_gathering
from combat.pages.sharing.join import view_picks
from combat.pages.table.shapes import view_table
from combat.play.campaigns.campaigns import add_members, create_campaign, create_in_campaign
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.visit import SLUG, load, read, state_of

NAMES = ("Thug", "Guard", "Vex", "Marit", "Otis", "Kxz", "Zed")
CHOSEN = "broker"  # by a player
DRAWN = re.compile(r"faces\.svg#(\w+)")
FACE = re.compile(r'class="bust" href="[^"#]*#(\w+)"')  # of a token


def make_table(gm: User) -> Encounter:
    """Two enemies, five characters, one with the face that a player chose, one with a sheet's."""
    encounter = create_encounter(gm, SLUG, "Here")
    block = find_system(SLUG).book.find_blocks()["pirate"]
    for number, name in enumerate(NAMES):
        side = {"side": "allies", "pc": True} if number > 1 else {}
        submit(encounter.pk, Submission("join", {"block": block.id, "name": name, **side}))
    vex = find_faces("Vex", "person", pc=True)[0]
    ada = character_service.create(gm, SLUG, "Ada", block.sheet, face=vex)
    bring(encounter, gm, str(ada.pk), side="allies", zone="", by="gm")
    marit = next(one.id for one in present(state_of(encounter.pk)) if one.name == "Marit")
    fields = {"name": "Kim", "kind": ShareLink.PLAY, "face": CHOSEN, "combatants": [marit]}
    Seat.objects.create(encounter=encounter, digest="kim", **fields)
    return load(encounter.pk)


def test_hero_has_one_unique_face_on_all_lists_and_at_the_table(gm: User, gm_client: Client) -> None:
    """Also those of the release before, who had none in store."""
    sheet = find_system(SLUG).book.find_blocks()["zara_chen"].sheet
    names = [
        f"{name} {kind}" for name in ("Ash", "Marit", "Otis", "Vex") for kind in ("Quill", "Rane", "Sol")
    ]
    heroes = [character_service.create(gm, SLUG, name, sheet) for name in names]
    assert len({one.face for one in heroes}) == len(heroes)
    old = character_service.create(gm, SLUG, "Zed Old", sheet)
    Character.objects.filter(pk=old.pk).update(face="")
    old.refresh_from_db()
    folder = create_campaign(gm, "Crew")
    add_members(folder, [one.pk for one in (*heroes[:3], old)])
    encounter = create_in_campaign(folder, gm, SLUG, "Here")
    for one in (*heroes[:3], old):
        bring(encounter, gm, str(one.pk), side="allies", zone="", by="gm")
    faces = show(load(encounter.pk), GM)
    for one in (*heroes[:3], old):
        drawn = find_drawn(one)
        assert faces[one.name] == drawn
        for place in (f"/characters/?q={one.name}", f"/characters/{one.pk}/", f"/find/?q={one.name}"):
            assert drawn in DRAWN.findall(gm_client.get(place).content.decode()), place
        for place in ("/campaigns/", f"/campaigns/{folder.pk}/"):
            assert drawn in DRAWN.findall(gm_client.get(place).content.decode()), place


def test_a_machine_is_drawn_as_one_on_lists_too(gm: User, gm_client: Client) -> None:
    sheet = find_system("guardians").book.find_blocks()["war_hound"].sheet
    hound = character_service.create(gm, "guardians", "Rex", sheet, npc=True)
    assert hound.face == ""
    assert f"tokens.svg#{find_drawn(hound)}" in gm_client.get("/characters/npcs/").content.decode()


def test_nothing_is_to_tick_on_a_list_until_one_selects(gm: User, gm_client: Client) -> None:
    sheet = find_system(SLUG).book.find_blocks()["zara_chen"].sheet
    character_service.create(gm, SLUG, "Ash", sheet)
    page = read(gm_client.get("/characters/"))
    fold = page.one("details", class_="several")
    assert "open" not in fold.attrs
    assert page.one("summary", inside=fold).text == "Select"
    assert page.one("form", id="several", inside=fold)


def show(encounter: Encounter, viewer: Viewer) -> dict[str, str]:
    """The faces of the table for a viewer, by name."""
    table = view_table(ViewerContext(encounter, viewer))
    return {one.name: one.look.face for one in (*table.combatants, *table.waiting_combatants)}


def test_faces_are_the_same_on_every_page_and_all_different(gm: User, gm_client: Client) -> None:
    encounter = make_table(gm)
    here = f"/encounters/{encounter.pk}/"
    faces = show(encounter, GM)
    assert len({*faces.values()}) == len(NAMES) + 1
    assert faces["Marit"] == CHOSEN
    seats = list(encounter.seats.all())
    state = ViewerContext(encounter, GM).known_state
    gathering = view_gathering(encounter, state, GM, seats, frozenset(), timezone.now())
    picks = view_picks(encounter, "token").free
    for shown in (
        show(encounter, Viewer()),
        {one.name: one.look.face for one in gathering.free},
        {one.name: one.look.face for one in picks},
    ):
        assert shown
        assert shown == {name: faces[name] for name in shown}
    for page in ("prep", "scene"):
        html = gm_client.get(f"{here}{page}/").content.decode()
        drawn = set(FACE.findall(html)) & set(faces.values())
        assert drawn == set(faces.values()), page
