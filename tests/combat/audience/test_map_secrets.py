"""The content of an area that the GM has not revealed reaches no one else: not a byte of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from combat.audience.map_fog import hide_fogged_scene
from combat.audience.map_secrecy import hide_map, hide_scene
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.space import (
    Area,
    BattleMap,
    Light,
    Obstacle,
    Picture,
    Piece,
    Scene,
    Wall,
    Zone,
    map_of,
)
from combat.rules.core.state.state import replace
from tests.combat.audience.secrets import find_open_pages
from tests.combat.cast import Cast, gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, state_of
from tests.site.pictures import picture
from tests.typed import as_a, sure

AREA = Area("a1", 40, 0, 20, 20)
OTHERS = ("player", "other", "watcher")
QUESTIONS = (
    f"paths/?combatant={ZARA}",
    "?combatant=f2",
    "odds/?combatant=f1&do=attack&target=f2",
)
# The vault, its wall, its crate, the secret door to it and the combatant in it
SECRETS = ("Vault", "43.5", "Idol", "Bookcase", "43.7", "door-secret", "Pirate")


def wall(x1: float, y1: float, x2: float, y2: float, **more: Any) -> Wall:
    return Wall("w1", x1, y1, x2, y2, **more)


@pytest.fixture
def cast(started: Encounter, bare: Encounter) -> Cast:
    """Everyone at a table that has a hidden room."""
    people = gather(started, ZARA, MARCUS)
    scene = state_of(started.pk).scene
    zones = [*scene.zones, {"id": "vault", "name": "Vault", "x": 42, "y": 2, "width": 12, "depth": 12}]
    submit(started.pk, Submission("set_scene", {"scene": {"name": scene.name, "zones": zones}}))
    parts = {
        "walls": [
            {"id": "w1", "x1": 43.5, "y1": 3, "x2": 53.7, "y2": 3},
            {
                "id": "w2",
                "x1": 30,
                "y1": 1,
                "x2": 30,
                "y2": 4.3,
                "kind": "door",
                "secret": True,
                "name": "Bookcase",
            },
        ],
        "obstacles": [{"id": "o1", "name": "Idol", "x": 43.7, "y": 5}],
        "hidden": [{"id": "a1", "x": 40, "y": 0, "width": 20, "depth": 20, "name": "Secret place"}],
    }
    submit(started.pk, Submission("change_map", parts))
    submit(started.pk, Submission("place", {"target": PIRATE, "x": 45, "y": 5}))
    return people


def read_all(cast: Cast, role: str, pk: int) -> str:
    """All that a person receives, over all pages, but for times of day: these hold any number."""
    pages = ("", *find_open_pages(role), *QUESTIONS)
    answers = [cast[role].get(f"/encounters/{pk}/{page}") for page in pages]
    return re.sub(r"\b\d{10}\.\d+", "", " ".join(answer.content.decode() for answer in answers))


@pytest.mark.slow
def test_hidden_room_reaches_nobody_but_who_runs_the_table(cast: Cast, started: Encounter) -> None:
    seen = read_all(cast, "gm", started.pk)
    assert all(secret in seen for secret in SECRETS), "first: it is there to be seen"
    for role in OTHERS:
        told = read_all(cast, role, started.pk)
        for known in ("Pirate joins", "Pirate is now at", "Turn order: Zara, Pirate", "Pirate: initiative"):
            told = told.replace(known, "")  # in the log since an earlier step
        assert not [secret for secret in (*SECRETS, "Secret place") if secret in told], role


def test_who_stands_in_a_hidden_room_is_on_nobodys_map(cast: Cast, started: Encounter) -> None:
    for role in OTHERS:
        assert f'id="row-{PIRATE}"' not in cast[role].get(f"/encounters/{started.pk}/").content.decode(), role
    cast.gm.post(f"/encounters/{started.pk}/scene/", {"do": "remove", "shape": "hidden:a1"})
    for role in OTHERS:
        shown = cast[role].get(f"/encounters/{started.pk}/").content.decode()
        assert f'id="row-{PIRATE}"' in shown, role
        assert "Vault" in shown, role


def test_secret_door_is_a_wall_until_it_stands_open(cast: Cast, started: Encounter) -> None:
    before = cast.player.get(f"/encounters/{started.pk}/").content.decode()
    assert "M30 1V4.3" in before, "it is drawn, as a wall"
    assert 'class="door' not in before
    submit(started.pk, Submission("set_door", {"door": "w2", "open": True}))
    after = cast.player.get(f"/encounters/{started.pk}/").content.decode()
    assert 'class="door door-open"' in after


def test_ways_turn_for_nothing_that_is_hidden(cast: Cast, started: Encounter) -> None:
    """The answers during a drag are the same, whatever the hidden room holds."""
    wall = {"id": "w9", "x1": 11, "y1": -9, "x2": 11, "y2": 4.5}
    area = {"id": "a9", "x": 10, "y": -20, "width": 2, "depth": 30}
    paths = f"/encounters/{started.pk}/paths/?combatant={ZARA}"
    for query in (paths, f"{paths}&do=full_move&to=13,2"):
        submit(started.pk, Submission("change_map", {"hidden": [area], "walls": []}))
        before = cast.player.get(query).content
        submit(started.pk, Submission("change_map", {"walls": [wall]}))
        assert cast.player.get(query).content == before
        assert cast.gm.get(query).content != before, "first: it stands in the way"
        submit(started.pk, Submission("change_map", {"drop": ["w9", "a9"]}))


PICTURE = re.compile(r'<image href="([^"]+)"\s+x="([^"]+)" y="([^"]+)"\s+width="([^"]+)" height="([^"]+)"')


def lay_picture(cast: Cast, pk: int) -> str:
    """The GM lays a picture of 60 × 30 m under the map; return its address."""
    file = SimpleUploadedFile("map.png", picture(size=(200, 100)))
    sent = {"do": "picture", "picture": file, "metres": "60"}
    assert cast.gm.post(f"/encounters/{pk}/scene/", sent).status_code == 303
    laid = sure(map_of(state_of(pk).scene).picture)
    return f"/encounters/{pk}/scene/{laid.digest}.webp"


def see_picture(cast: Cast, role: str, pk: int) -> tuple[str, Callable[[float, float], bool]]:
    """The picture's address on someone's map, and whether it shows anything at a place in meters."""
    found = PICTURE.search(cast[role].get(f"/encounters/{pk}/").content.decode())
    assert found, role
    address, (x, y, width, depth) = found[1], map(float, found.groups()[1:])
    answer = cast[role].get(address)
    assert answer.status_code == 200
    image = Image.open(BytesIO(answer.content)).convert("RGBA")

    def shows(at_x: float, at_y: float) -> bool:
        across, down = (at_x - x) / width, (at_y - y) / depth
        if not (0 <= across < 1 and 0 <= down < 1):
            return False
        pixel = image.getpixel((int(across * image.width), int(down * image.height)))
        return bool(as_a(pixel, tuple)[3])

    return address, shows


@pytest.mark.slow
def test_picture_shows_nothing_of_a_hidden_area(cast: Cast, started: Encounter) -> None:
    address = lay_picture(cast, started.pk)
    assert cast.gm.get(address).status_code == 200
    for role in OTHERS:
        own, shows = see_picture(cast, role, started.pk)
        assert own != address
        assert address not in read_all(cast, role, started.pk)
        assert cast[role].get(address).status_code == 404, f"{role} must not get all of it"
        assert shows(5, 5)
        assert shows(39, 5), "up to the edge of the area"
        assert not shows(41, 5)
        assert not shows(59, 19)
    before, _ = see_picture(cast, "player", started.pk)
    cast.gm.post(f"/encounters/{started.pk}/scene/", {"do": "remove", "shape": "hidden:a1"})
    for role in OTHERS:
        assert see_picture(cast, role, started.pk)[0] == address, role
    assert cast.player.get(before).status_code == 404, "the old part of it is nobody's any more"


def test_picture_shows_what_a_side_knows_of_a_foggy_map(cast: Cast, started: Encounter) -> None:
    address = lay_picture(cast, started.pk)
    cast.gm.post(f"/encounters/{started.pk}/scene/", {"do": "remove", "shape": "hidden:a1"})
    wall = {"id": "w7", "x1": 20, "y1": -10, "x2": 20, "y2": 40}
    submit(started.pk, Submission("change_map", {"walls": [wall]}))
    cast.gm.post(f"/encounters/{started.pk}/", {"do": "fog", "fog": "true", "remembers": "true"})
    assert see_picture(cast, "gm", started.pk)[0] == address
    for role in OTHERS:
        _, shows = see_picture(cast, role, started.pk)
        assert cast[role].get(address).status_code == 404, f"{role} must not get all of it"
        assert shows(5, 5)
        assert not any(shows(x, y) for x in range(22, 60, 3) for y in range(0, 30, 3)), role
    mine, _ = see_picture(cast, "player", started.pk)
    assert see_picture(cast, "other", started.pk)[0] == mine, "one for all who know as much"
    submit(started.pk, Submission("place", {"target": ZARA, "x": 25, "y": 5}))
    _, shows = see_picture(cast, "player", started.pk)
    assert shows(30, 5)
    assert shows(5, 5), "as they remember it"


def test_all_that_is_known_of_a_picture_is_on_the_map(cast: Cast, started: Encounter) -> None:
    lay_picture(cast, started.pk)
    shown = cast.player.get(f"/encounters/{started.pk}/").content.decode()
    box = re.search(r'id="map-ground"[^>]* viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"', shown)
    found = PICTURE.search(shown)
    assert box
    assert found
    left, top, across, down = map(float, box.groups())
    x, y, width, depth = map(float, found.groups()[1:])
    assert left <= x
    assert top <= y
    assert x + width <= left + across
    assert y + depth <= top + down


def test_picture_of_a_map_that_nobody_knows_is_not_sent(cast: Cast, started: Encounter) -> None:
    lay_picture(cast, started.pk)
    area = {"id": "a2", "x": -50, "y": -50, "width": 300, "depth": 300}
    submit(started.pk, Submission("change_map", {"hidden": [area]}))
    cast.gm.post(f"/encounters/{started.pk}/", {"do": "fog", "fog": "true", "remembers": "true"})
    for role in OTHERS:
        assert ".webp" not in cast[role].get(f"/encounters/{started.pk}/").content.decode(), role


# ---- Cutting ----


@pytest.mark.parametrize(
    ("ends", "left"),
    [
        ((0, 5, 30, 5), [(0, 5, 30, 5)]),
        ((45, 5, 55, 5), []),
        ((30, 5, 50, 5), [(30, 5, 40, 5)]),
        ((50, 5, 70, 5), [(60, 5, 70, 5)]),
        ((30, 5, 70, 5), [(30, 5, 40, 5), (60, 5, 70, 5)]),
        ((40, 0, 40, 20), [(40, 0, 40, 20)]),
        ((40, 0, 60, 20), []),
    ],
)
def test_wall_ends_where_the_hidden_begins(ends: tuple[float, ...], left: list[tuple[float, ...]]) -> None:
    """[players see the edge itself from outside]"""
    seen = hide_map(BattleMap(walls=(wall(*ends),), hidden=(AREA,))).walls
    assert [(w.x1, w.y1, w.x2, w.y2) for w in seen] == left
    assert len({w.id for w in seen}) == len(seen)


def test_no_id_tells_which_wall_is_a_secret_door() -> None:
    door = Wall("door 7", 0, 0, 1, 0, "door", secret=True)
    drawn = BattleMap((Wall("wall 3", 1, 0, 9, 0), door, Wall("hatch", 9, 0, 10, 0, "door")))
    assert [wall.id for wall in hide_map(drawn).walls] == ["wall-1", "wall-2", "hatch"]
    shown = BattleMap(drawn.walls[:1])
    assert hide_map(shown) is shown, "nothing is hidden"


def test_things_and_lights_go_with_their_middle() -> None:
    drawn = BattleMap(
        obstacles=(Obstacle("o1", "In", 41, 1), Obstacle("o2", "Out", 30, 1)),
        lights=(Light("l1", 50, 5), Light("l2", 20, 5)),
        hidden=(AREA,),
        picture=Picture("abc", 0, 0, 39, 20),
    )
    seen = hide_map(drawn)
    assert [thing.name for thing in seen.obstacles] == ["Out"]
    assert [light.id for light in seen.lights] == ["l2"]
    assert seen.picture == drawn.picture, "none of it is hidden"
    assert seen.hidden == ()


def test_smoke_tells_nothing_of_walls_in_a_hidden_area() -> None:
    """The light's shape follows walls, so it ends where the hidden area begins, whatever is there."""
    near, far = Piece(30, 0, 15, 10), Piece(45, 0, 10, 3)
    open_hall = Zone("c", "Smoke", 30, 0, 25, 10, parts=(Piece(30, 0, 25, 10),))
    walled = Zone("c", "Smoke", 30, 0, 25, 10, parts=(near, far))
    inside = Zone("c", "Smoke", 45, 0, 10, 3, parts=(far,))
    hidden = BattleMap(hidden=(AREA,))
    first, second, third = (
        hide_scene(Scene(zones=(zone,), map=hidden)).zones for zone in (open_hall, walled, inside)
    )
    assert first == second
    assert first[0].parts == (Piece(30, 0, 10, 10),)
    assert third == ()


@pytest.mark.parametrize("beyond", [Piece(20.5, 0, 8, 10), Piece(20.5, 0, 8, 4)])
def test_smoke_is_known_as_far_as_the_map_is(cast: Cast, started: Encounter, beyond: Piece) -> None:
    """Under fog, no one learns what a wall does to the light behind another wall."""
    cast.gm.post(f"/encounters/{started.pk}/scene/", {"do": "remove", "shape": "hidden:a1"})
    wall = {"id": "w7", "x1": 20.5, "y1": -20, "x2": 20.5, "y2": 40}
    submit(started.pk, Submission("change_map", {"walls": [wall]}))
    cast.gm.post(f"/encounters/{started.pk}/", {"do": "fog", "fog": "true", "remembers": "true"})
    state = state_of(started.pk)
    cloud = Zone("c", "Smoke", 15, 0, 13.5, 10, parts=(Piece(15, 0, 5.5, 10), beyond))
    state = replace(state, scene=replace(state.scene, zones=(*state.scene.zones, cloud)))
    (known,) = (zone for zone in hide_fogged_scene(state.scene, state, Viewer()).zones if zone.id == "c")
    assert (known.x, known.y, known.width, known.depth) == (15, 0, 5.5, 10)


def test_wall_with_a_secret_door_looks_like_a_wall_without_one() -> None:
    """Two lines, one over the other, would tell players where it is."""
    whole = replace(wall(0, 0, 10, 0), id="wall-1")
    secret = Wall("d", 4, 0, 6, 0, kind="door", secret=True)
    assert hide_map(BattleMap((wall(0, 0, 10, 0), secret))).walls == (whole,)
    opened = replace(secret, open=True)
    assert [one.kind for one in hide_map(BattleMap((wall(0, 0, 10, 0), opened))).walls] == ["wall", "door"]


def test_secret_door_in_a_fence_looks_like_a_wall() -> None:
    fence = wall(0, 0, 10, 0, kind="fence", blocks_sight=False, cover="")
    secret = Wall("d", 4, 0, 6, 0, kind="door", secret=True)
    assert [one.kind for one in hide_map(BattleMap((fence, secret))).walls] == ["fence", "wall"]
