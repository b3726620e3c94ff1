"""Zones without a map are a board of stages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest

from combat.display.map.board import DEEP, WIDE, lay_cells, lay_stands
from combat.display.map.scene import view_scene
from combat.display.plane.crowd import TOKEN_METERS
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.space import Point, Scene, Zone
from combat.rules.core.state.state import Combatant, replace
from tests.combat.markup import Page
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit

HALL = Zone("hall", "Hall", 0, 0, 20, 10)
BACK = Zone("back", "Back room", 100, 50, 20, 10)  # far from the middle of the plane
BLUE_SUN: dict[str, Any] = {
    "name": "Blue Sun",
    "zones": [
        {"id": "bar", "name": "Bar", "width": 8, "depth": 6, "floor": "tile", "height": 3},
        {"id": "street", "name": "Street", "x": 8, "width": 8, "depth": 6},
        {"id": "yard", "name": "Yard", "x": 8, "y": 6, "width": 8, "depth": 6, "floor": "grass"},
    ],
}


@pytest.fixture
def board(visit: Visit, bare: Encounter) -> Visit:
    """The GM at a fight in three zones without a map."""
    submit(visit.pk, Submission("set_scene", {"scene": BLUE_SUN}, by="gm"))
    return visit


def find_stages(page: Page) -> dict[str, str]:
    """The name of each stage, with the names of the people on it."""
    stages = page.all("svg", class_="stage")
    return dict(str(one["aria-label"]).removeprefix("In ").split(": ", 1) for one in stages)


def test_zones_without_a_map_are_stages_with_their_people(board: Visit) -> None:
    stages = find_stages(board.page())
    assert list(stages) == ["Bar", "Street", "Yard"]
    assert "Zara" in stages["Bar"]
    assert "Pirate" in stages["Street"]
    assert stages["Yard"].strip() == "nobody"


def test_stage_says_floor_properties_and_ways(board: Visit) -> None:
    page = board.page()
    bar = page.all("li", class_="zone")[0]
    assert page.all("svg", inside=bar, class_="stage-tile")
    assert "3 m high" in bar.text
    assert "Ways to Street 10 m" in bar.text, "from Zara, whose turn it is, to the pirate"


def test_ways_are_as_long_as_an_attack_over_them(board: Visit) -> None:
    for who, x in ((ZARA, 1), (MARCUS, 7), (PIRATE, 15)):
        submit(board.pk, Submission("place", {"target": who, "x": x, "y": 3}, by="gm"))
    page = board.page(do="attack")
    bar, street, _ = page.all("li", class_="zone")
    (face,) = (one for one in page.all("label", class_="tile-one") if "Pirate" in one.text)
    assert face.text.endswith("Pirate 14 m")
    assert "Ways to Street 14 m" in bar.text
    assert "Street 14 m" in street.text
    assert "Ways to Bar 14 m Yard 6 m" in street.text, "nobody is in the yard: from middle to middle"


def test_stage_has_hazards_and_cover_on_a_floor_as_its_name_says(board: Visit) -> None:
    ground = [["fire", "vehicle"], ["thick smoke"], ["foliage"]]
    zones = [{**zone, "terrain": tags} for zone, tags in zip(BLUE_SUN["zones"], ground, strict=True)]
    submit(board.pk, Submission("set_scene", {"scene": {"name": "Blue Sun", "zones": zones}}, by="gm"))
    page = board.page()
    zones_shown = page.all("li", class_="zone")
    assert page.all("svg", inside=zones_shown[1], class_="stage-concrete")
    assert [use["href"] for use in page.all("use") if use["href"].startswith("#stage-")] == [
        f"#stage-{zone['id']}" for zone in zones
    ]
    assert len(page.all("pattern", id="board-fire")) == 1
    bar, street, yard = (page.one("g", id=f"stage-{zone['id']}") for zone in zones)
    assert page.all("path", inside=bar, fill="url(#board-fire)")
    assert page.all("g", inside=bar, class_="t-car")
    assert page.all("circle", inside=street, fill="url(#board-smoke)")
    assert page.all("g", inside=yard, class_="t-bush")
    assert not page.all("g", inside=yard, class_="plate")
    chips = [page.all("span", inside=zone, class_="chip") for zone in zones_shown]
    assert [[chip["class"] for chip in each] for each in chips] == [
        ["chip k-fire", "chip k-guard", "chip k-boost"],
        ["chip k-smoke"],
        ["chip k-guard"],
    ]


def test_cover_of_which_nothing_is_known_is_drawn_as_crates(board: Visit) -> None:
    """What the ground says is drawn, else crates; nothing where there is no cover."""
    given = (("light", ""), ("light", "vehicle"), ("none", "vehicle"), ("none", ""))
    drawn = []
    for cover, terrain in given:
        zones = [{**BLUE_SUN["zones"][0], "cover": cover, "terrain": terrain.split()}, *BLUE_SUN["zones"][1:]]
        submit(board.pk, Submission("set_scene", {"scene": {"name": "Blue Sun", "zones": zones}}, by="gm"))
        page = board.page()
        drawn.append([len(page.all("g", class_=kind)) for kind in ("t-crate", "t-car")])
    assert drawn == [[1, 0], [0, 1], [0, 1], [0, 0]]


def test_games_without_light_rules_say_a_zone_only_looks_dark() -> None:
    system = find_system("guardians")
    zones = tuple(
        Zone(light, light, n * 9, width=9, light=light) for n, light in enumerate(("", "dim", "dark"))
    )
    scene = view_scene(system, replace(system.begin(), scene=Scene("Street", zones)), {})
    assert [zone.note for zone in scene.zones] == ["", "looks dim", "looks dark"]
    assert [zone.light for zone in scene.zones] == ["", "dim", "dark"]
    assert scene.land.dim
    assert scene.land.dark


def test_properties_of_a_zone_are_told_in_words() -> None:
    system = find_system("cepheus")
    zone = Zone("a", "Deck", light="low_light", terrain=("thick_smoke", "obstacles"))
    scene = view_scene(system, replace(system.begin(), scene=Scene("Ship", (zone,))), {})
    assert scene.zones[0].note == "low light · thick smoke · many obstacles"


def test_tokens_on_a_stage_open_their_actions_or_are_the_target(board: Visit) -> None:
    def links(**query: str) -> set[str]:
        page = board.page(**query)
        stages = page.all("svg", class_="stage")
        return {a["href"] for stage in stages for a in page.all("a", inside=stage)}

    assert f"?combatant={PIRATE}" in links()
    assert f"?combatant={ZARA}&do=attack&target={PIRATE}" in links(do="attack")


def test_stages_do_not_show_whom_players_may_not_see(board: Visit) -> None:
    submit(board.pk, Submission("hide", {"target": PIRATE}, by="gm"))
    assert "Pirate" in find_stages(board.page())["Street"]


def test_map_with_a_wall_takes_the_place_of_the_board(board: Visit) -> None:
    wall = {"id": "w1", "x1": 8, "y1": 0, "x2": 8, "y2": 3}
    submit(board.pk, Submission("change_map", {"walls": [wall]}, by="gm"))
    page = board.page()
    assert not page.all("svg", class_="stage")
    assert len(page.all("li", class_="zone")) == 3


def test_stages_lie_as_the_zones_on_the_plane() -> None:
    zones = [
        HALL,
        Zone("bar", "Bar", 20, 2, 8, 8),
        Zone("yard", "Yard", 20, 10, 8, 8),
        Zone("well", "Well", 0, 10, 5, 5),
    ]
    cells = lay_cells(zones)
    assert cells == {"hall": (1, 1), "bar": (2, 1), "yard": (2, 2), "well": (1, 2)}


def test_rows_begin_with_the_zone_whose_middle_is_highest() -> None:
    """A long hall that begins further up comes below a bar whose middle is above its own."""
    hall, bar = Zone("hall", "Hall", 0, 0, 8, 12), Zone("bar", "Bar", 10, 4, 8, 2)
    assert {one: row for one, (_, row) in lay_cells([hall, bar]).items()} == {"bar": 1, "hall": 2}


def test_no_two_stages_share_a_place() -> None:
    crowd = [Zone(f"z{n}", f"Zone {n}", n % 7 * 3, n * 1.5, 4, 3) for n in range(30)]
    cells = lay_cells(crowd)
    assert len(set(cells.values())) == len(crowd)
    assert max(column for column, _ in cells.values()) <= 5


def people(places: Iterable[tuple[float, float]]) -> list[Combatant]:
    guard = Combatant(id="f1", name="Guard 1", side="crew", sheet={})
    return [replace(guard, id=f"f{n}", at=Point(x, y)) for n, (x, y) in enumerate(places)]


def test_people_with_room_stand_as_on_the_plane() -> None:
    left, right = lay_stands(HALL, people([(2, 5), (18, 5)]))
    assert left.spot[0] < right.spot[0]
    assert left.spot[1] == right.spot[1]
    assert left.scale == right.scale == 1


@pytest.mark.parametrize(
    ("outside", "edge"),
    [
        ((110, 43), (110, 50)),
        ((110, 67), (110, 60)),
        ((70, 55), (100, 55)),
        ((150, 55), (120, 55)),
        ((150, 43), (120, 50)),
    ],
)
def test_someone_outside_their_zone_stands_at_its_stages_edge(
    outside: tuple[float, float], edge: tuple[float, float]
) -> None:
    (out,), (on_edge,), (middle,) = (lay_stands(BACK, people([spot])) for spot in (outside, edge, (110, 55)))
    assert out.spot == on_edge.spot != middle.spot
    assert 0 < out.spot[0] < WIDE
    assert 0 < out.spot[1] < DEEP


def test_a_stage_has_the_directions_of_the_plane() -> None:
    left, low = lay_stands(BACK, people([(102, 51), (118, 59)]))
    assert left.spot[0] < WIDE / 2 < low.spot[0]
    assert left.spot[1] < low.spot[1]


@pytest.mark.parametrize(("count", "label"), [(1, "Captain"), (30, "Cap…")])
def test_whose_name_is_too_long_is_called_by_its_last_word(count: int, label: str) -> None:
    guards = people([(10, 5)] * count)
    captain = replace(guards[0], id="f99", name="Pirate captain")
    assert lay_stands(HALL, [captain, *guards], ["captain"])[0].label == label


@pytest.mark.parametrize("count", [2, 5, 9, 16, 30])
def test_crowds_line_up_on_the_stage_without_overlap(count: int) -> None:
    stands = lay_stands(HALL, people([(10, 5)] * count))
    half = TOKEN_METERS / 2 * stands[0].scale
    assert all(half <= s.spot[0] <= WIDE - half and half <= s.spot[1] <= DEEP - half for s in stands)
    for one, other in combinations(stands, 2):
        across, down = (abs(a - b) for a, b in zip(one.spot, other.spot, strict=True))
        assert max(across, down) >= 2 * half
        assert across >= 2 * half or down >= 3.2 * half, "the name below a token stays free"


def test_a_map_says_who_stands_where(board: Visit) -> None:
    for who, x in ((ZARA, 2), (PIRATE, 9)):
        submit(board.pk, Submission("place", {"target": who, "x": x, "y": 3}, by="gm"))
    (drawn,) = board.page(fold="board-plain").all("svg", class_="map")
    name, _, people = str(drawn["aria-label"]).partition(": ")
    assert name == "Map of Blue Sun"
    assert {"Zara at 2, 3 m", "Pirate at 9, 3 m"} <= {words.strip() for words in people.split(";")}
