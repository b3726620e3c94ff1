"""Blasts, gas and arcs on the battle map: walls keep them out, and those named are those hit."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.space import Point
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.state.events import TrackChanged
from combat.rules.cosmos.fight.blast import Blast
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, duel
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.typed import sure

WALL = {"id": "w", "x1": 11.5, "y1": -9, "x2": 11.5, "y2": 9}


def thrown(*walls: dict[str, Any], **options: Any) -> tuple[CosmosStage, str]:
    """Bo stands 10 m from Ada, Cy 3 m behind Bo; a wall between them if one is drawn."""
    stage = duel("grenade", apart=10, **options)
    cy = add_ally(stage, (13, 0))
    stage.do("set_map", map={"walls": walls})
    return stage, cy


def inside(stage: CosmosStage, **fields: Any) -> tuple[tuple[str, ...], tuple[Shape, ...]]:
    """The names shown before the throw, and the drawn shapes."""
    action = stage.system.action("blast")
    weapon = stage.item(ADA, "grenade").id
    command = read_command(action, {"actor": ADA, "weapon": weapon, "at": f"near:{BO}", **fields})
    assert action.find_caught
    assert action.find_area
    return action.find_caught(stage.state, command), action.find_area(stage.state, command)


def throw(stage: CosmosStage, count: int) -> set[str]:
    """Those who lose Hit Points when all fail to save."""
    weapon = stage.item(ADA, "grenade")
    dice = [tuple([3] * int(str(weapon.data["damage"]).partition("d")[0])), *[(2, 2)] * count]
    stage.do("blast", ADA, weapon=weapon.id, at=f"near:{BO}", dice=dice)
    return {told.who for told in stage.told(TrackChanged)}


@pytest.mark.rule("COS-DMG-04")
def test_a_blast_does_not_reach_behind_a_wall() -> None:
    stage, cy = thrown()
    assert inside(stage) == ((BO, cy), (Shape("circle", stage[BO].at, 5.0),))
    stage, cy = thrown(WALL)
    assert inside(stage)[0] == (BO,)
    assert throw(stage, 1) == {BO}


@pytest.mark.rule("COS-DMG-04", "COS-ATK-07", "COS-COND-30")
@pytest.mark.parametrize(
    ("traits", "dice", "lost", "stunned"),
    [((), [(2, 2)], 6, False), (("lethal",), [(2, 2)], 8, False), (("stunning",), [(2, 2), (2, 2)], 6, True)],
)
def test_an_area_weapon_keeps_its_traits(
    traits: tuple[str, ...], dice: list[Any], lost: int, stunned: bool
) -> None:
    stage = duel("grenade", apart=10)
    grenade = stage.change(ADA, "grenade", traits=["small", "area", *traits])
    stage.do("blast", ADA, weapon=grenade, at=f"near:{BO}", dice=[(3,), *dice])  # 1d8 + 3
    told = [told.old - told.new for told in stage.told(TrackChanged) if told.who == BO]
    assert (told, stage.has(BO, "stunned")) == ([lost], stunned)


@pytest.mark.rule("COS-DMG-04")
def test_whoever_is_named_is_hit() -> None:
    for walls in ((), (WALL,), ({**WALL, "blocks_sight": False, "kind": "window"},)):
        stage, _ = thrown(*walls)
        named, _ = inside(stage)
        assert throw(stage, len(named)) == set(named)


@pytest.mark.rule("COS-DMG-04", "COS-COVER-10")
def test_a_table_may_let_blasts_through() -> None:
    stage, cy = thrown(WALL, walls_stop_blasts=False)
    named, (shape,) = inside(stage)
    assert named == (BO, cy)
    assert not shape.is_stopped


@pytest.mark.rule("COS-DMG-04")
@pytest.mark.parametrize(("height", "caught"), [(5.0, (BO, "f3")), (6.0, (BO,))])
def test_a_blast_reaches_as_high_as_it_reaches_far(height: float, caught: tuple[str, ...]) -> None:
    stage, cy = thrown()
    stage.zone("balcony", x=12, y=-2, width=4, depth=4, height=height)
    stage.edit(cy, at=Point(13, 0, height))
    assert inside(stage)[0] == caught
    assert throw(stage, len(caught)) == set(caught)


@pytest.mark.rule("COS-HAZ-11")
def test_an_arc_begins_on_the_ground_that_is_named() -> None:
    stage, cy = thrown()
    stage.zone("roof", x=5, y=-5, width=20, depth=10, height=10)
    for who in (BO, cy):
        stage.edit(who, at=Point(stage[who].at.x, 0, 10))
    stage.do("shock", kind="arc", start="8,0", to="20,0", dice=[(2, 2, 2)])
    assert {told.who for told in stage.told(TrackChanged)} == {BO, cy}


@pytest.mark.rule("COS-ATK-09")
def test_throw_and_form_measure_to_the_edge_of_a_large_target() -> None:
    stage = duel("grenade", apart=21)
    stage.do("resize", target=BO, metres=4)
    told = {choice.value: choice.detail for choice in stage.form("move", ADA)["to"].options}
    assert told[f"near:{BO}"] == told[f"away:{BO}"] == "19.5 m"
    assert throw(stage, 1) == {BO}


@pytest.mark.rule("COS-HAZ-11")
def test_an_arc_ends_at_a_wall() -> None:
    for walls, hit in (((), {BO, "f3"}), ((WALL,), {BO})):
        stage, _ = thrown(*walls)
        stage.do("shock", kind="arc", start="8,0", to="20,0", dice=[(2, 2, 2)])
        assert {told.who for told in stage.told(TrackChanged)} == hit


# ---------------------------------------------------------------- ready to hand


def launcher(**options: Any) -> tuple[CosmosStage, str]:
    """Ada with a rocket launcher and a grenade in her belt, Bo 20 m away."""
    stage = duel("rocket_launcher", "grenade", "dynamite", apart=20, **options)
    stage.put(ADA, "grenade", "carried")
    stage.put(ADA, "dynamite", "carried")
    return stage, stage.put(ADA, "rocket_launcher", "held")


def blast_of(weapon: str) -> Blast:
    """The command for Ada to fire a weapon at Bo."""
    return Blast(actor=ADA, weapon=weapon, at=f"near:{BO}")


def refuse(stage: CosmosStage, entry: str) -> str:
    """Why Ada cannot use an area weapon on Bo; check that its form says the same and nothing is spent."""
    weapon = stage.weapon(ADA, entry)
    refused = stage.refused("blast", ADA, weapon=weapon, at=f"near:{BO}").message
    field = stage.form("blast", ADA)["weapon"]
    assert next(option.refused for option in field.options if option.value == weapon) == refused
    return refused


@pytest.mark.rule("COS-DMG-04", "COS-ATK-11")
def test_a_launcher_is_fired_from_the_hand_and_loaded() -> None:
    stage, rocket = launcher()
    stage.put(ADA, "rocket_launcher", "carried")
    assert refuse(stage, "rocket_launcher") == "Rocket launcher is not in hand: draw it first (Move Action)."
    stage.put(ADA, "rocket_launcher", "held")
    stage.do("blast", ADA, weapon=rocket, at=f"near:{BO}", dice=[(3, 3, 3), (2, 2)])
    assert stage.item(ADA, "rocket_launcher").loaded == 0
    stage.turn(ADA)
    assert refuse(stage, "rocket_launcher") == "Rocket launcher is empty: reload it (Move Action)."
    stage.do("reload", ADA, item=rocket)
    stage.do("blast", ADA, weapon=rocket, at=f"near:{BO}", dice=[(3, 3, 3), (2, 2)])


@pytest.mark.rule("COS-DMG-04", "COS-ATK-11")
def test_without_tracking_a_launcher_is_never_empty() -> None:
    stage, rocket = launcher(track_ammunition=False)
    stage.change_item(ADA, "rocket_launcher", loaded=0)
    stage.do("blast", ADA, weapon=rocket, at=f"near:{BO}", dice=[(3, 3, 3), (2, 2)])
    assert stage.hp(BO) == 96 - 9


@pytest.mark.rule("COS-DMG-04", "COS-ACT-10")
def test_a_grenade_is_drawn_before_it_is_thrown() -> None:
    """RULING R58: a Move Action, as for any weapon."""
    stage, _ = launcher()
    grenade = stage.weapon(ADA, "grenade")
    drawn = "Fragmentation grenade is not in hand: draw it first (Move Action)."
    assert refuse(stage, "grenade") == drawn
    stage.put(ADA, "rocket_launcher", "carried")
    stage.do("draw", ADA, item=grenade)
    stage.do("blast", ADA, weapon=grenade, at=f"near:{BO}", dice=[(3,), (2, 2)])
    assert (stage[ADA].budget["standard"], stage[ADA].budget["move"]) == (0, 0)
    assert grenade not in {item.id for item in stage[ADA].items}


@pytest.mark.rule("COS-DMG-04", "COS-ACT-02")
def test_a_table_may_let_grenades_be_thrown_from_the_belt() -> None:
    """RULING R58"""
    stage, _ = launcher(grenades_at_hand=True)
    grenade = stage.weapon(ADA, "grenade")
    stage.do("blast", ADA, weapon=grenade, at=f"near:{BO}", dice=[(3,), (2, 2)])
    assert (stage[ADA].budget["standard"], stage[ADA].budget["move"]) == (0, 1)


@pytest.mark.rule("COS-XENV-03")
def test_no_grenade_is_thrown_under_water() -> None:
    """RULING R48: only weapons made for it."""
    stage, _ = launcher()
    stage.put(ADA, "grenade", "held")
    stage.do("set_setting", key="water", value="underwater")
    assert refuse(stage, "grenade").startswith("Fragmentation grenade does not work under water")


@pytest.mark.rule("COS-DMG-04", "COS-COVER-05")
def test_what_is_fired_at_a_place_stops_at_a_wall() -> None:
    """RULING R50: the rocket bursts on this side, and hits no one beyond."""
    stage, rocket = launcher()
    wall = {"id": "w", "x1": 12, "y1": -90, "x2": 12, "y2": 90}
    stage.do("set_map", map={"walls": [wall]})
    shown = stage.preview("blast", ADA, weapon=rocket, at=f"near:{BO}")
    assert stage.read(shown.stopped) == "A wall stops it on the way."
    assert [stage.read(note) for note in shown.notes] == ["In the blast: no one"]
    (circle,) = sure(stage.system.action("blast").find_area)(stage.state, blast_of(rocket))
    assert (circle.at.x, circle.at.y) == (11.5, 0)
    stage.do("blast", ADA, weapon=rocket, at=f"near:{BO}", dice=[])
    assert stage.hp(BO) == 96


@pytest.mark.rule("COS-DMG-04", "COS-COVER-05")
def test_form_starts_with_an_enemy_in_reach_and_before_any_wall() -> None:
    """RULING R50: the first in the list is behind a wall, the next too far; with no other the first stays."""
    stage = CosmosStage()
    stage.hero("Ada", weapons=("grenade",))
    first, _, third = (stage.foe("Bo", at=(x, 0)) for x in (9, -90, -9))
    stage.do("set_map", map={"walls": [{**WALL, "x1": 5, "x2": 5}]})
    assert stage.form("blast", ADA)["at"].value == f"near:{third}"
    stage.place(third, 20, 0)
    assert stage.form("blast", ADA)["at"].value == f"near:{first}"


@pytest.mark.rule("COS-DMG-04", "COS-COND-24")
def test_the_grappled_throw_small_things_only() -> None:
    stage, _ = launcher()
    stage.edit(BO, at=Point(1, 0))
    stage.give(ADA, "grappled", by=BO)
    stage.put(ADA, "grenade", "held")
    stage.put(ADA, "dynamite", "held")
    assert refuse(stage, "dynamite") == "Grappled: only small weapons work, not Dynamite."
    stage.do("blast", ADA, weapon=stage.weapon(ADA, "grenade"), at="10,0", dice=[])


@pytest.mark.rule("COS-DMG-04")
@pytest.mark.parametrize(("meters", "within"), [(200, True), (201, False)])
def test_a_launcher_reaches_as_far_as_its_range(meters: int, within: bool) -> None:
    stage, rocket = launcher()
    if within:
        stage.do("blast", ADA, weapon=rocket, at=f"{meters},0", dice=[])
        return
    no = stage.refused("blast", ADA, weapon=rocket, at=f"{meters},0")
    assert no.message == "Out of reach: Rocket launcher reaches 200 m, that is 201 m away."


@pytest.mark.rule("COS-DMG-04")
def test_the_sum_of_a_blast_shows_the_half_that_a_save_spares() -> None:
    stage, rocket = launcher()
    stage.do("blast", ADA, weapon=rocket, at=f"near:{BO}", dice=[(3, 3, 5), (9, 9)])
    (told,) = stage.told(TrackChanged)
    assert [term.value for term in told.terms] == [11, -6]
