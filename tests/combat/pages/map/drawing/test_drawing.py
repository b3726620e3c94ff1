"""Drawing the scene: by the forms beside the map or by pointer. Each change is one step."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from msgspec import UNSET

from combat.models import Encounter
from combat.pages.map.shape_forms import make_map_form
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.space import BattleMap, map_of
from tests.combat.cast import gather
from tests.combat.play.scenes.test_uvtt import make_file
from tests.combat.visit import (
    MARCUS,
    PIRATE,
    PISTOL,
    ZARA,
    Visit,
    demo_fight,
    load,
    read,
    refusal,
    state_of,
    stored,
)
from tests.site.pictures import EVIL
from tests.site.pictures import picture as make_picture
from tests.typed import Answer, sure


@pytest.fixture
def visit(gm_client: Client, bare: Encounter) -> Visit:
    """The GM of the demo fight in its first turn."""
    return Visit(gm_client, bare.pk)


def draw(visit: Visit, do: str, **fields: Any) -> Answer:
    """Post a form of the page that draws the scene."""
    return visit.client.post(f"{visit.here}scene/", {"do": do, **fields}, headers=visit.headers)


def done(visit: Visit, do: str, **fields: Any) -> BattleMap:
    """Post it, and check that it is accepted; return the map as it is now."""
    found = draw(visit, do, **fields)
    assert found.status_code == 200, refusal(found)
    return map_of(state_of(visit.pk).scene)


def test_chain_of_walls_is_drawn_in_one_step(visit: Visit) -> None:
    steps = load(visit.pk).steps
    walls = done(visit, "draw", kind="wall", points="0,0; 6,0; 6,4").walls
    assert [(w.x1, w.y1, w.x2, w.y2) for w in walls] == [(0, 0, 6, 0), (6, 0, 6, 4)]
    assert len({wall.id for wall in walls}) == 2
    assert load(visit.pk).steps == steps + 1


@pytest.mark.slow
def test_everything_can_be_drawn_listed_moved_and_deleted(visit: Visit) -> None:
    for kind in ["zone", "wall", "door", "window", "fence", "obstacle", "light", "area"]:
        done(visit, "draw", kind=kind, points="1,1; 4,3")
        page = read(visit.get("scene/"))
        (item,) = [li for li in page.all("li") if "1, 1 to" in li.text]
        link = page.one("a", inside=item)
        reference = link["href"].removeprefix("?edit=").removesuffix("#shape")
        done(visit, "reshape", shape=reference, points="2,2; 6,5")
        spots = json.loads(read(visit.get("scene/")).one("svg", class_="map-draw")["data-draw"])
        (moved,) = [spot for spot in spots if spot[0] == reference]
        assert moved[2:4] == [2, 2], kind
        done(visit, "remove", shape=reference)
        assert reference not in visit.get("scene/").content.decode(), kind


@pytest.mark.slow
def test_new_zone_is_none_that_someone_waits_for(visit: Visit) -> None:
    done(visit, "draw", kind="zone", points="40,0; 44,4", name="Attic")
    (attic,) = [zone.id for zone in state_of(visit.pk).scene.zones if zone.name == "Attic"]
    submit(visit.pk, Submission("hold_back", {"targets": [PIRATE], "zone": attic}))
    done(visit, "remove", shape=f"zones:{attic}")
    done(visit, "draw", kind="zone", points="90,0; 94,4", name="Elsewhere")
    assert state_of(visit.pk).scene.zones[-1].id != attic
    assert "where their side is" in visit.get("prep/").content.decode()


def test_no_zone_leads_to_one_that_is_deleted(visit: Visit) -> None:
    zones = [{"id": "a", "name": "A", "links": {"b": 2, "c": 1}}, {"id": "b", "name": "B"}]
    submit(visit.pk, Submission("set_scene", {"scene": {"zones": [*zones, {"id": "c", "name": "C"}]}}))
    done(visit, "remove", shape="zones:b")
    assert [zone.links for zone in state_of(visit.pk).scene.zones] == [{"c": 1}, {}]


@pytest.mark.slow
def test_form_of_a_shape_changes_all_of_it(visit: Visit) -> None:
    wall = done(visit, "draw", kind="door", points="0,0; 2,0").walls[0]
    page = read(visit.get(f"scene/?edit=walls:{wall.id}"))
    form = page.fields(page.one("form", id="shape"))
    form |= {"name": "Airlock", "locked": "on", "x2": "3"}
    form.pop("csrfmiddlewaretoken")
    form.pop("was")  # it is sent twice
    (door,) = done(visit, "save", **form).walls
    assert (door.name, door.locked, door.x2, door.blocks_sight) == ("Airlock", True, 3.0, True)
    form |= {"kind": "window", "x2": "4"}
    form.pop("blocks_sight")
    (window,) = done(visit, "save", **form).walls
    assert (window.kind, window.locked, window.blocks_sight) == ("window", False, False)


def test_zone_keeps_what_the_pointer_knows_nothing_of(visit: Visit) -> None:
    scene = state_of(visit.pk).scene
    zone = scene.zones[0]
    done(visit, "reshape", shape=f"zones:{zone.id}", points="1,1; 9,9")
    moved = state_of(visit.pk).scene.zones[0]
    assert (moved.x, moved.y, moved.width, moved.depth) == (1, 1, 8, 8)
    assert (moved.name, moved.cover, moved.terrain, moved.links) == (
        zone.name,
        zone.cover,
        zone.terrain,
        zone.links,
    )


REFUSED = [
    ({"do": "draw", "kind": "wall", "points": "0,0"}, "Enter two points"),
    ({"do": "draw", "kind": "wall", "points": "nothing"}, "Enter two points"),
    ({"do": "draw", "kind": "wall", "points": "0,0; 0,0"}, "Too small"),
    ({"do": "draw", "kind": "zone", "points": "0,0; 5,0"}, "Too small"),
    ({"do": "draw", "kind": "moat", "points": "0,0; 5,5"}, "Choose what to draw"),
    ({"do": "draw", "kind": "wall", "points": "0,0; 99999,0"}, "Enter two points"),
    ({"do": "remove", "shape": "walls:w99"}, "no longer on the map"),
    ({"do": "remove", "shape": "picture:"}, "no longer on the map"),
    ({"do": "reshape", "shape": "moats:1", "points": "0,0; 1,1"}, "no longer on the map"),
    ({"do": "scale", "points": "0,0; 5,0", "metres": "5"}, "no longer on the map"),
    ({"do": "scale", "points": "0,0; 5,0", "metres": "many"}, "Apart (m): Must be a number"),
    ({"do": "map", "grid": "triangles"}, "Grid"),
    ({"do": "picture"}, "Choose a file first."),
    ({"do": "dig"}, "no such action"),
]


def test_what_cannot_be_drawn_is_refused(visit: Visit) -> None:
    before = stored(visit.pk)
    for fields, words in REFUSED:
        found = draw(visit, **fields)
        assert found.status_code == 422, (fields, words)
        assert words in refusal(found), (fields, words)
        assert stored(visit.pk) == before, (fields, words)


@pytest.mark.slow
def test_chain_has_at_most_two_hundred_corners(visit: Visit) -> None:
    points = "; ".join(f"{n},{n % 2}" for n in range(201))
    assert draw(visit, "draw", kind="wall", points=points).status_code == 422


@pytest.mark.slow
def test_map_of_the_table_shows_what_is_drawn(visit: Visit) -> None:
    done(visit, "draw", kind="wall", points="0,0; 6,0; 6,4")
    done(visit, "draw", kind="obstacle", points="2,2; 3,4")
    page = visit.page()
    assert page.one("path", class_="wall")["d"] == "M0 0H6V4"
    assert page.one("path", inside=page.one("g", class_="t-crate"), class_="body")["d"] == "M2 2L2 4L3 4L3 2z"


# ---- Pictures ----


def send_picture(visit: Visit, width: int = 200, **fields: str) -> Any:
    """Lay a picture under the scene; return its address."""
    file = SimpleUploadedFile("map.png", make_picture(size=(width, 100)))
    return sure(done(visit, "picture", picture=file, **fields).picture)


def test_picture_is_as_wide_as_was_said_or_sized_by_two_places(visit: Visit) -> None:
    picture = send_picture(visit, metres="20")
    assert (picture.width, picture.depth) == (20, 10)
    sized = sure(done(visit, "scale", points="5,5; 7,5", metres="4").picture)
    assert (sized.width, sized.depth) == (40, 20)
    assert 5 - (5 - picture.x) * 2 == sized.x, "the first of the two places stays"
    assert visit.page().one("image")["href"] == f"{visit.here}scene/{picture.digest}.webp"


def test_picture_is_fitted_to_the_grid_by_two_places(visit: Visit) -> None:
    """Corners of squares lie half a meter from whole ones: (2.3, 2.3) is nearest to (2.5, 2.5)."""
    before = send_picture(visit, metres="20")
    sized = sure(done(visit, "scale", points="2.3,2.3; 4.3,2.3", metres="3", align="on").picture)
    assert (sized.width, sized.depth) == (30, 15)
    assert 2.5 - (2.3 - before.x) * 1.5 == pytest.approx(sized.x)
    assert 2.5 - (2.3 - before.y) * 1.5 == pytest.approx(sized.y)


def test_drawn_crate_gives_the_least_cover_that_the_game_has(visit: Visit) -> None:
    (crate,) = done(visit, "draw", kind="obstacle", points="2,2; 3,4").obstacles
    assert (crate.name, crate.cover) == ("Crate", "light")
    assert not done(visit, "draw", kind="fence", points="0,0; 2,0").walls[0].cover


def test_picture_goes_to_those_at_the_table_and_to_nobody_else(visit: Visit, started: Encounter) -> None:
    cast = gather(started, ZARA, MARCUS)
    visit.client = cast.gm
    picture = send_picture(visit)
    here = f"{visit.here}scene/{picture.digest}.webp"
    for role in ("gm", "co_gm", "player", "other", "watcher"):
        found = cast[role].get(here)
        assert found.status_code == 200, role
        assert found["Content-Type"] == "image/webp"
        assert found.content.startswith(b"RIFF")
    for role in ("revoked", "stranger", "nobody"):
        assert cast[role].get(here).status_code in (302, 404, 410), role
    done(visit, "remove", shape="picture:")
    assert cast.player.get(here).status_code == 404, "what lies there no more is shown no more"


@pytest.mark.slow
def test_last_pictures_are_kept_and_the_copy_has_its_own(gm_client: Client, prepared: Encounter) -> None:
    visit = Visit(gm_client, prepared.pk)
    for width in range(50, 56):
        picture = send_picture(visit, width)
    assert load(visit.pk).pictures.count() == 5
    visit.client.post(f"{visit.here}prep/", {"do": "copy"})
    copy = Encounter.objects.latest("pk")
    assert copy.pk != visit.pk
    assert visit.client.get(f"/encounters/{copy.pk}/scene/{picture.digest}.webp").status_code == 200


def test_form_of_the_map_says_how_wide_squares_are_without_words(visit: Visit) -> None:
    for slug in ["cosmos", "cepheus"]:
        system = find_system(slug)
        form = make_map_form(system, state_of(visit.pk))
        assert form.fields["cell"].help_text == f"blank: {system.space.cell_meters:g}", slug
        assert form.fields["cell"].label == f"Side of a square ({system.space.unit})", slug


# ---- Universal VTT ----


def send_map(visit: Visit, **changes: Any) -> Answer:
    """Import a file of a room; data that is no Universal VTT file is sent unchanged."""
    raw = changes.pop("raw", None) or json.dumps(make_file(**changes)).encode()
    return draw(visit, "import", file=SimpleUploadedFile("room.dd2vtt", raw))


def test_file_brings_picture_walls_doors_and_lights_in_one_step(visit: Visit) -> None:
    steps = load(visit.pk).steps
    assert send_map(visit).status_code == 200
    scene = state_of(visit.pk).scene
    drawn = map_of(scene)
    assert load(visit.pk).steps == steps + 1
    assert [wall.kind for wall in drawn.walls] == ["door", "window", "wall", "wall", "wall"]
    assert [(zone.width, zone.depth) for zone in scene.zones] == [(6, 4)]
    assert drawn.picture
    assert (drawn.picture.x, drawn.picture.width, drawn.picture.depth) == (-0.5, 6, 4)
    assert visit.client.get(f"{visit.here}scene/{drawn.picture.digest}.webp").status_code == 200


@pytest.mark.slow
def test_file_with_the_most_walls_a_map_holds_is_taken_at_once(visit: Visit) -> None:
    lines = [
        [{"x": 10 + n % 50, "y": 20 + n // 50 + 0.125}, {"x": 10.625 + n % 50, "y": 20.5 + n // 50}]
        for n in range(2000)
    ]
    size = {"map_origin": {"x": 10, "y": 20}, "map_size": {"x": 50, "y": 40}}
    found = send_map(visit, resolution=size, line_of_sight=lines, portals=[])
    assert found.status_code == 200, refusal(found)
    assert len(map_of(state_of(visit.pk).scene).walls) == 2000


def test_file_on_hexes_brings_a_zone_that_does_not_lean(gm: User, gm_client: Client) -> None:
    """It covers the picture's area, is drawn so, and stays so when it is resized or the hexes go."""
    visit = Visit(gm_client, create_encounter(gm, "starshock", "Cave").pk)
    submit(visit.pk, Submission("set_setting", {"key": "positioning", "value": "hexes"}))
    assert send_map(visit).status_code == 200
    assert 'd="M-0.5 -0.5L5.5 -0.5L5.5 3.5L-0.5 3.5z"' in visit.client.get(visit.here).content.decode()
    draw(visit, "reshape", shape="zones:zone1", points="-0.5,-0.5; 7.5,3.5", drawn="1")
    (zone,) = state_of(visit.pk).scene.zones
    assert (zone.x, zone.y, zone.width, zone.depth, zone.upright) == (-0.5, -0.5, 8, 4, True)
    submit(visit.pk, Submission("set_setting", {"key": "positioning", "value": "squares"}))
    (zone,) = state_of(visit.pk).scene.zones
    assert (zone.width, zone.upright) == (8, UNSET), "squares are upright anyway"


def test_ready_scene_on_hexes_does_not_lean(gm: User, gm_client: Client) -> None:
    visit = Visit(gm_client, create_encounter(gm, "starshock", "Cave").pk)
    submit(visit.pk, Submission("set_setting", {"key": "positioning", "value": "hexes"}))
    draw(visit, "ready", ready="docking_bay")
    assert all(zone.upright for zone in state_of(visit.pk).scene.zones)


def test_ready_scene_breaks_no_rule_about_the_size_of_zones(gm: User, gm_client: Client) -> None:
    """Its rooms are larger than the 5 m of a zone, so it is played on squares, unless the GM has said how."""
    for chosen in ["", "zones"]:
        visit = Visit(gm_client, create_encounter(gm, "starshock", "Reactor").pk)
        if chosen:
            submit(visit.pk, Submission("set_setting", {"key": "positioning", "value": chosen}))
        draw(visit, "ready", ready="engine_room")
        assert state_of(visit.pk).scene.settings["positioning"] == (chosen or "squares"), chosen
        page = visit.client.get(f"{visit.here}log/").content.decode()
        assert ("over 5 m across" in page) == bool(chosen), chosen


@pytest.mark.slow
def test_zone_drawn_on_hexes_does_not_lean(gm: User, gm_client: Client) -> None:
    """It is the rectangle that the pointer drew; one made from numbers of hexes slants as they do."""
    visit = Visit(gm_client, create_encounter(gm, "starshock", "Cave").pk)
    submit(visit.pk, Submission("set_setting", {"key": "positioning", "value": "hexes"}))
    for name, drawn in (("Pool", {"drawn": "1"}), ("Den", {})):
        assert draw(visit, "draw", kind="zone", name=name, points="1,2; 4,6", **drawn).status_code == 200
    pool, den = state_of(visit.pk).scene.zones
    assert (pool.x, pool.y, pool.width, pool.depth, pool.upright) == (1, 2, 3, 4, True)
    assert den.upright is UNSET
    page = visit.client.get(f"{visit.here}scene/").content.decode()
    assert 'd="M1 2L4 2L4 6L1 6z"' in page
    spots = json.loads(
        read(visit.client.get(f"{visit.here}scene/")).one("svg", class_="map-draw")["data-draw"]
    )
    assert [spot[1] for spot in spots] == ["box", "lean"]
    draw(visit, "reshape", shape=f"zones:{pool.id}", points="1,2; 5,6", drawn="1")
    pool, den = state_of(visit.pk).scene.zones
    assert (pool.width, pool.depth, pool.upright) == (4, 4, True)


@pytest.mark.slow
def test_lengths_are_in_what_the_game_counts_in(gm: User, gm_client: Client) -> None:
    for slug, unit in [("cosmos", "m"), ("guardians", "yd")]:
        visit = Visit(gm_client, create_encounter(gm, slug, "Yard").pk)
        draw(visit, "draw", kind="zone", points="0,0; 4,8")
        draw(visit, "draw", kind="obstacle", points="0,0; 1,1")
        for address in ("scene/", "scene/?edit=zones:zone1", "scene/?edit=obstacles:o1", "prep/?open=zone"):
            text = read(visit.client.get(visit.here + address)).one("main").text
            assert f"({unit})" in text, address
            assert ("(m)" in text) == (unit == "m"), address
        assert f"4 × 8 {unit}" in text, slug
        visit.do("hide_area", points="0,0; 2,3", name="Vault")
        assert f"Vault 2 × 3 {unit}" in read(visit.client.get(visit.here)).one(id="map-secrets").text, slug


@pytest.mark.slow
def test_what_a_path_costs_is_in_what_the_game_counts_in(gm: User, gm_client: Client) -> None:
    for slug, unit in [("cosmos", "m"), ("guardians", "yd")]:
        fight = demo_fight(gm, slug)
        submit(fight.pk, Submission("start", {}))
        table = read(gm_client.get(f"/encounters/{fight.pk}/?do=move"))
        ways = [
            link["aria-label"]
            for link in table.all("a", inside=table.one("svg", class_="map"))
            if "do=move" in link["href"]
        ]
        assert ways, slug
        assert all(way.endswith(f" {unit}") for way in ways), slug
        submit(fight.pk, Submission("end_fight", {}))
        report = read(gm_client.get(f"/encounters/{fight.pk}/report/"))
        assert {cell.text.split()[-1] for cell in report.all("td", data_label="Moved")} == {unit}, slug


def test_picture_of_a_file_is_trusted_no_more_than_any_other(visit: Visit) -> None:
    """What lies behind it is not kept, and what is none is left out."""
    tail = send_map(visit, image=base64.b64encode(make_picture() + EVIL).decode())
    assert tail.status_code == 200
    assert EVIL not in bytes(load(visit.pk).pictures.get().image)
    load(visit.pk).pictures.all().delete()
    found = send_map(visit, image=base64.b64encode(EVIL + make_picture()).decode())
    assert found.status_code == 200
    assert map_of(state_of(visit.pk).scene).picture is None
    assert not load(visit.pk).pictures.exists()
    assert "Left out: the picture." in visit.client.get(f"{visit.here}scene/").content.decode()


def test_what_is_no_map_is_refused_and_changes_nothing(visit: Visit) -> None:
    before = stored(visit.pk)
    found = send_map(visit, raw=b"{}")
    assert found.status_code == 422
    assert "Not a Universal VTT file" in refusal(found)
    assert stored(visit.pk) == before


# ---- Doors ----


def test_no_import_is_laid_out_or_told_while_an_action_waits(visit: Visit) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(visit.pk, Submission("attack", attack, typed=True))
    before = state_of(visit.pk).scene
    file = SimpleUploadedFile("map.png", make_picture())
    for answer in (send_map(visit), draw(visit, "picture", picture=file)):
        assert answer.status_code == 409
        assert "answer or cancel it first" in refusal(answer)
    words = visit.client.get(f"{visit.here}scene/").content.decode()
    assert "Imported:" not in words
    assert "Picture added" not in words
    assert state_of(visit.pk).scene == before


def test_gm_opens_and_closes_a_door_at_the_table(visit: Visit) -> None:
    door = done(visit, "draw", kind="door", points="3,0; 5,0", name="Airlock").walls[0]
    page = visit.page()
    form = page.one("button", id=f"door-{door.id}").parents[-1]
    fields = {name: value for name, value in page.fields(form).items() if name != "csrfmiddlewaretoken"}
    visit.do("set_door", **fields)
    assert map_of(state_of(visit.pk).scene).walls[0].open
    page = visit.page()
    assert page.one("g", class_="door-open")
    assert "Airlock" in page.one("ul", class_="doors").text
    assert page.one("button", id=f"door-{door.id}").text.startswith("Close")
    visit.do("undo")
    assert not map_of(state_of(visit.pk).scene).walls[0].open


def test_players_see_doors_and_have_no_button_for_them(visit: Visit, started: Encounter) -> None:
    done(visit, "draw", kind="door", points="3,0; 5,0", name="Airlock")
    cast = gather(started, ZARA, MARCUS)
    page = read(cast.player.get(visit.here))
    assert "Airlock closed" in page.one("ul", class_="doors").text
    assert not page.all("path", class_="door-grip")
    assert not [button for button in page.all("button") if button["value"] == "set_door"]
    refused = cast.player.post(visit.here, {"do": "set_door", "door": "w1", "open": "true"})
    assert refused.status_code == 403
    assert not map_of(state_of(visit.pk).scene).walls[0].open


@pytest.mark.slow
def test_wall_opens_for_a_door_drawn_on_it_and_is_whole_without(visit: Visit) -> None:
    """The wall is drawn with a gap for its door; without the door it is whole again."""
    done(visit, "draw", kind="wall", points="-20,5; 20,5")
    door = done(visit, "draw", kind="door", points="3,5; 5,5", name="Airlock").walls[1]
    assert visit.page().one("path", class_="wall")["d"] == "M-20 5H3M5 5H20"
    system, one, other = find_system("cosmos"), ZARA, PIRATE
    for who, x, y in ((ZARA, 4, 3), (PIRATE, 4, 7)):
        submit(visit.pk, Submission("place", {"target": who, "x": x, "y": y}))
    for is_open in (False, True):
        if is_open:
            visit.do("set_door", door=door.id, open="true")
        state = state_of(visit.pk)
        assert system.space.sight
        assert system.space.sight(state, state[one], state[other]).seen is is_open
    done(visit, "remove", shape=f"walls:{door.id}")
    assert visit.page().one("path", class_="wall")["d"] == "M-20 5H20"


# ---- Ready scenes ----


@pytest.mark.slow
def test_smoke_between_walls_is_drawn_by_its_parts_until_pulled(visit: Visit) -> None:
    parts = [{"x": 0, "y": 0, "width": 4, "depth": 2}, {"x": 0, "y": 2, "width": 2, "depth": 2}]
    zone = {"id": "c", "name": "Smoke", "width": 4, "depth": 4, "parts": parts}
    submit(visit.pk, Submission("set_scene", {"scene": {"zones": [zone]}}))
    assert 'd="M0 0L4 0L4 2L2 2L2 4L0 4z"' in visit.client.get(visit.here).content.decode()
    draw(visit, "reshape", shape="zones:c", points="0,0; 6,6")
    assert [(one.width, one.parts) for one in state_of(visit.pk).scene.zones] == [(6, UNSET)]


def test_small_zone_is_drawn_over_the_large_one_it_lies_in(visit: Visit) -> None:
    """Some games list smoke first, which would hide it beneath the hall."""
    smoke = {"id": "s", "name": "Smoke", "x": 2, "y": 2, "width": 4, "depth": 4}
    hall = {"id": "h", "name": "Hall", "width": 20, "depth": 20}
    submit(visit.pk, Submission("set_scene", {"scene": {"zones": [smoke, hall]}}))
    page = visit.client.get(visit.here).content.decode()
    assert page.index('d="M0 0L20 0') < page.index('d="M2 2L6 2')
