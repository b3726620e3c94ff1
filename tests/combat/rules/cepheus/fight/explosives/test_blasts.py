"""Grenades, rockets and other explosions, and where a miss lands."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET, to_builtins

from combat.rules.cepheus.book.tables import grenades
from combat.rules.cepheus.characters.goods import make_gear
from combat.rules.cepheus.fight.clouds import CLOUD, Raised, take_cloud
from combat.rules.cepheus.fight.explosives.blasts import Blast, explode
from combat.rules.cepheus.fight.explosives.lobs import Lob, count_scatter, find_area, preview_lob
from combat.rules.cepheus.move.movement import find_stance
from combat.rules.cepheus.world.scene import find_smoke
from combat.rules.core.space import Point
from combat.rules.core.space.plane import piece_of
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel, losses
from tests.combat.rules.cepheus.figures import ADA, BO


def blast(stage: RangeStage, *answers: Any, rings: Any = ((6.0, "4d6"),), **more: Any) -> None:
    """An explosion at Bo's place, without a source."""
    found = Blast(by=more.pop("by", ""), at=stage[BO].at, weapon="bomb", rings=rings, **more)
    stage.run(lambda context: explode(context, found), answers)


def ready(**options: Any) -> RangeStage:
    """Let Bo react."""
    return duel(ready=True, foe={"profile": "FFF777"}, **options)


# ---------------------------------------------------------------- who is in the blast


@pytest.mark.rule("CE-EXPL-01")
def test_the_rings_of_a_frag_grenade() -> None:
    stage = duel("grenade_frag", 20, foe={"profile": "FFF777"})
    at = {meters: stage.join(f"M{meters}", 20 + meters, profile="FFF777") for meters in (2, 5, 9, 10)}
    stage.attack((6, 6), (3,), (4, 4), (5, 5))
    assert losses(stage) == {BO: 21, at[2]: 21, at[5]: 11, at[9]: 3}


@pytest.mark.rule("CE-EXPL-01")
def test_each_has_their_own_armor() -> None:
    stage = duel(foe={"profile": "FFF777"})
    other = stage.join("Cy", 21, profile="FFF777", armor=["cloth"])
    blast(stage, "none", "none", (4, 4, 4, 4))
    assert losses(stage) == {BO: 16, other: 16 - 9}


@pytest.mark.rule("CE-EXPL-01")
def test_by_option_it_is_rolled_for_each() -> None:
    stage = duel(blast_damage="apart", foe={"profile": "FFF777"})
    other = stage.join("Cy", 21, profile="FFF777")
    blast(stage, "none", "none", (4, 4, 4, 4), (1, 1, 1, 1))
    assert losses(stage) == {BO: 16, other: 4}


# ---------------------------------------------------------------- reactions


@pytest.mark.rule("CE-REACT-02", "CE-EXPL-02", "CE-EXPL-03")
def test_a_dodge_takes_off_no_more_than_there_is() -> None:
    stage = ready()
    blast(stage, "dodge", (1, 1, 1, 1), 5, by=ADA)
    assert losses(stage) == {BO: 0}
    assert stage.has(BO, "reacted")


@pytest.mark.rule("CE-EXPL-02", "CE-EXPL-04", "CE-EXPL-05", "CE-EXPL-06")
def test_a_dive_takes_the_next_action() -> None:
    stage = ready()
    blast(stage, "dive", (4, 4, 4, 3), by=ADA)
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 1, "significant": 0})
    stage.do("next_turn")
    assert not stage.has(BO, "dived")
    stage.do("next_turn")
    assert stage[BO].budget["significant"] == 1


@pytest.mark.rule("CE-EXPL-05")
def test_diving_out_of_a_crouch_leaves_one_prone_not_crouched() -> None:
    stage = ready()
    stage.give(BO, "crouched")
    blast(stage, "dive", (1, 1, 1, 1), by=ADA)
    assert find_stance(stage[BO]) == "prone"
    assert not stage.has(BO, "crouched")


@pytest.mark.rule("CE-EXPL-06")
@pytest.mark.full_rules
def test_who_has_acted_loses_the_action_of_the_next_round() -> None:
    stage = ready()
    stage.do("next_turn")
    assert stage.state.active == BO
    stage.edit(BO, budget={"minor": 1, "significant": 0})
    blast(stage, "dive", (1, 1, 1, 1))
    stage.do("next_turn")
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget["significant"]) == (BO, 0)
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage[BO].budget["significant"] == 1


@pytest.mark.rule("CE-EXPL-06")
def test_in_ones_own_turn_the_action_left_is_lost() -> None:
    stage = ready()
    stage.do("next_turn")
    blast(stage, "dive", (1, 1, 1, 1))
    assert stage[BO].budget["significant"] == 0
    stage.do("next_turn")
    assert not stage.has(BO, "dived")
    stage.do("next_turn")
    assert stage[BO].budget["significant"] == 1


@pytest.mark.rule("CE-EXPL-02", "CE-STANCE-06")
def test_the_prone_neither_dodge_nor_dive() -> None:
    stage = ready()
    stage.give(BO, "prone")
    blast(stage, (1, 1, 1, 2), by=ADA)
    assert stage.questions() == []
    assert losses(stage) == {BO: 5}
    low = ready(prone_counts_as_dived=True)
    low.give(BO, "prone")
    blast(low, (1, 1, 1, 2), by=ADA)
    assert losses(low) == {BO: 2}


# ---------------------------------------------------------------- throwing


@pytest.mark.rule("CE-THROW-06")
def test_how_far_it_scatters() -> None:
    """RULING R22: 6 m less the Effect."""
    stage = duel()
    assert [count_scatter(stage.state, effect) for effect in (-1, -2, -6)] == [7, 8, 12]
    other = duel(scatter="six_plus_effect")
    assert [count_scatter(other.state, effect) for effect in (-1, -2, -8)] == [5, 4, 0]


@pytest.mark.rule("CE-THROW-05")
def test_nothing_lands_behind_the_thrower() -> None:
    stage = duel("grenade_frag", 5)
    stage.attack((5, 4), 5, "none", (1, 1, 1), (1, 1))
    assert losses(stage)[ADA] == 5


@pytest.mark.rule("CE-THROW-05", "CE-THROW-06")
@pytest.mark.parametrize(
    ("meters", "dice", "said", "metres"),
    [
        (20, ((1, 1), 1), "log.scatters_to_wall", 2.5),
        (22.5, ((1, 1), 1), "log.scatters_nowhere", 0),
        (5, ((5, 4), 5), "log.scatters_back", 5),
        (20, ((5, 4), 1), "log.scatters", 7),
    ],
)
def test_the_log_says_where_a_miss_comes_down(meters: float, dice: Any, said: str, metres: float) -> None:
    stage = duel("grenade_smoke", meters)
    if said.endswith(("wall", "nowhere")):
        stage.do("set_map", map={"walls": [{"id": "w", "x1": 23, "y1": -90, "x2": 23, "y2": 90}]})
    stage.attack(*dice, 1)
    assert [each.args["metres"] for each in stage.told(e.Said) if each.key == said] == [metres]


@pytest.mark.rule("CE-THROW-05")
def test_a_miss_off_a_roof_comes_down_on_the_ground() -> None:
    stage = duel("grenade_frag", 20, foe={"profile": "FFF777"})
    stage.zone("roof", x=18, y=-4, width=4, depth=8, height=6)
    stage.edit(BO, at=Point(20, 0, 6))
    below = stage.join("Cy", 28, profile="FFF777")
    stage.attack((3, 4), 1, (1, 1, 1, 1, 1))
    assert losses(stage) == {below: 5}


@pytest.mark.rule("CE-EXPL-01")
def test_only_the_gm_reads_how_many_hidden_are_in_a_blast() -> None:
    stage = duel("grenade_frag", 20)
    stage.edit(stage.join("Cy", 21), hidden=True)
    stage.attack((6, 6), (1, 1, 1, 1, 1))
    (fact,) = [fact for fact in stage.facts if getattr(fact.event, "key", "") == "log.explodes"]
    assert isinstance(fact.event, e.Said)
    assert isinstance(fact.redacted, e.Said)
    assert (fact.to, fact.event.args["n"], fact.redacted.args["n"]) == (e.GM_ONLY, 2, 1)


@pytest.mark.rule("CE-COND-04", "CE-COND-05")
def test_smoke_stays_for_its_rounds() -> None:
    stage = duel("grenade_smoke", 20)
    stage.attack((6, 6), 1)
    (zone,) = stage.state.scene.zones
    radius = grenades()["grenade_smoke"].radius_m
    assert (zone.terrain, zone.width, zone.depth) == (("thick_smoke",), 2 * radius, 2 * radius)
    assert (zone.x + radius, zone.y + radius) == (stage[BO].at.x, stage[BO].at.y)
    assert [last for key, last in stage.state.marks.items() if key.startswith(CLOUD)] == [4]
    stage.arm(ADA, "rifle")
    stage.turn(ADA)
    assert stage.total() == -3 - 2
    while stage.state.round < 5:
        stage.do("next_turn")
    assert stage.state.scene.zones == ()


@pytest.mark.rule("CE-COND-04")
def test_two_clouds_have_different_ids_though_a_zone_was_deleted() -> None:
    stage = duel()
    stage.zone("hall", x=0, y=50, width=5, depth=5)
    raised = Raised("Smoke", "thick_smoke", 6, 0, 0, 3)
    stage.run(lambda context: take_cloud(context, raised, ()), ())
    (cloud,) = [zone for zone in stage.state.scene.zones if zone.id != "hall"]
    stage.do("set_scene", scene={"zones": [to_builtins(cloud)]})
    stage.run(lambda context: take_cloud(context, raised, ()), ())
    assert len({zone.id for zone in stage.state.scene.zones}) == 2


@pytest.mark.rule("CE-COND-04")
def test_nobody_begins_in_a_cloud() -> None:
    stage = duel()
    stage.zone("hall", x=0, y=50, width=5, depth=5)
    stage.run(lambda context: take_cloud(context, Raised("Smoke", "thick_smoke", 6, 0, 0, 3), ()), ())
    stage.do("join", name="Cy", side="others", sheet=stage[BO].sheet, dice=[(3, 3)])
    newest = [*stage.state.combatants.values()][-1]
    assert newest.at.y > 50


@pytest.mark.rule("CE-COND-06")
def test_aerosol_weakens_lasers() -> None:
    stage = duel("grenade_aerosol", 20, foe={"profile": "FFF777"})
    stage.attack((6, 6), 6)
    stage.arm(ADA, "laser_rifle")
    stage.skilled(ADA, energy_rifle=0)
    stage.turn(ADA)
    stage.attack((4, 4), (4, 4, 4, 4, 4))
    assert losses(stage) == {BO: 10}


TANK = {
    "kind": "vehicle",
    "attributes": {"hull": 3, "structure": 2, "armor": 6},
    "military": True,
    "mounts": [{"weapon": "beam_laser_tl_9", "mount": "turret"}],
    "crew": 2,
}


def beam(meters: float) -> RangeStage:
    """Ada at a mounted laser with a blast of its own, and Bo this far away."""
    stage = duel("rifle", meters, foe={"profile": "FFFFFF"})
    tank = stage.machine("Tank", (0, 0), TANK)
    stage.do("seat", target=ADA, vehicle=tank, station="gunner")
    stage.skilled(ADA, turret_weapons=3)
    stage.begin(ADA, BO)
    return stage


def fire_beam(stage: RangeStage, face: int) -> int:
    """Fire it; return what Bo lost."""
    gun = stage[stage[ADA].inside].items[0].id
    stage.attack((6, 6), (face,) * 6, weapon=gun, rested=True)
    return losses(stage).get(BO, 0)


@pytest.mark.rule("CE-COND-06", "CE-EXPL-01")
def test_aerosol_weakens_a_laser_whose_beam_explodes() -> None:
    """RULING R79"""
    assert fire_beam(beam(30), 2) == 12
    for face, lost in ((2, 2), (1, 0)):
        stage = beam(30)
        stage.zone("cloud", x=9, y=-5, width=2, depth=10, terrain=["aerosol"])
        assert fire_beam(stage, face) == lost


@pytest.mark.rule("CE-XRANGE-08", "CE-EXPL-01", "CE-EXPL-04")
@pytest.mark.full_rules
def test_extreme_range_halves_energy_blasts_but_not_rockets() -> None:
    """RULING R79"""
    assert fire_beam(beam(1500), 2) == 6
    dived = beam(1500)
    dived.edit(BO, conditions=())
    gun = dived[dived[ADA].inside].items[0].id
    dived.attack((6, 6), "dive", (2, 2, 2, 2, 2, 1), weapon=gun, rested=True)  # 11, then 6, then 3
    assert losses(dived) == {BO: 3}
    rocket = duel("rocket_launcher", 1500, foe={"profile": "FFFFFF"})
    rocket.skilled(ADA, heavy_weapons=3)
    rocket.attack((6, 6), (2, 2, 2, 2), rested=True)
    assert losses(rocket) == {BO: 8}


def test_a_stun_grenade_wounds_nobody() -> None:
    stage = duel("grenade_stun", 20)
    stage.attack((6, 6), (1, 1, 2), (6, 5))
    assert losses(stage) == {}
    assert stage.has(BO, "unconscious")
    armored = duel("grenade_stun", 20, foe={"armor": ["cloth"]})
    armored.attack((6, 6), (3, 3, 3))
    assert not armored.has(BO, "unconscious")


# ---------------------------------------------------------------- launchers


@pytest.mark.rule("CE-EXPL-01")
def test_a_rocket_hits_all_within_six_meters() -> None:
    stage = duel("rocket_launcher", 30, foe={"profile": "FFF777"})
    other = stage.join("Cy", 36, profile="FFF777")
    stage.attack((6, 6), (3, 3, 3, 3))
    assert losses(stage) == {BO: 12, other: 12}


@pytest.mark.rule("CE-THROW-05")
def test_a_rocket_that_misses_may_not_go_off() -> None:
    stage = duel("rocket_launcher", 30)
    stage.attack((1, 1), 3)
    assert [said.key for said in stage.told(e.Said)] == ["log.no_explosion"]
    stage = duel("rocket_launcher", 30)
    stage.attack((1, 1), 4, 1)
    assert "log.scatters" in [said.key for said in stage.told(e.Said)]


@pytest.mark.parametrize(("x", "y"), [(0, 1), (0, -1), (1, 0)])
def test_the_back_blast_goes_the_other_way_than_the_rocket(x: int, y: int) -> None:
    """Whichever way it is fired, it hits those behind and no one ahead or aside."""
    stage = duel("rocket_launcher", 30)
    stage.edit(BO, at=Point(30 * x, 30 * y))
    behind = stage.join("Cy", -x, -y)
    for name, at in (("Di", (x, y)), ("Ed", (x + y, y + x)), ("Fa", (1.2 * y, 1.2 * x))):
        stage.join(name, *at)
    stage.attack((1, 1, 1), (1, 1), 1)
    assert losses(stage) == {behind: 3}


def test_a_launcher_fires_what_is_loaded() -> None:
    stage = duel("grenade_launcher", 20, foe={"profile": "FFF777"})
    stage.attack((5, 5), (1, 1, 1, 1, 1))
    assert losses(stage) == {BO: 5}
    stage.arm(ADA, "grenade_launcher", load="grenade_smoke")
    stage.turn(ADA)
    stage.attack((5, 5), 2)
    assert stage.state.scene.zones


@pytest.mark.rule("CE-BURST-05")
def test_three_grenades_in_a_burst() -> None:
    stage = duel("ram_grenade_launcher", 20, foe={"profile": "FFF777"})
    stage.attack((4, 4), (1, 1, 1, 1, 1), rounds=3, burst="grouped")
    assert losses(stage) == {BO: 6}
    assert stage[ADA].items[0].loaded == 3
    assert stage.total(rounds=3, burst="spray") == 1


# ---------------------------------------------------------------- charges


@pytest.mark.rule("CE-SIG-05", "CE-EXPL-01", "CE-OTHER-02")
@pytest.mark.parametrize(("dice", "times"), [((6, 5), 3), ((1, 1), 1)])
def test_a_charge_does_its_damage_so_often(dice: tuple[int, int], times: int) -> None:
    stage = duel("rifle", 5, foe={"profile": "FFF777"})
    charge = replace(make_gear("plastic", 2), id=f"{ADA}-c")
    stage.edit(ADA, items=(charge,))
    stage.skilled(ADA, demolitions=0)
    stage.do("set_charge", ADA, dice=(dice,), weapon=charge.id)
    assert stage[ADA].budget["significant"] == 0
    assert stage[ADA].items[0].count == 1
    (lying,) = stage.state.ground
    stage.edit(ADA, at=Point(-60, 0))
    stage.do("set_off", ADA, dice=((3, 2), (1, 1, 1)), weapon=lying.id)
    assert losses(stage) == {BO: 3 * times}
    assert stage.state.ground == ()
    assert "set no charge" in stage.refused("set_off", ADA, weapon=lying.id).message


def test_weapon_that_is_no_charge_cannot_be_set() -> None:
    stage = duel()
    assert "no charge" in stage.refused("set_charge", ADA, weapon=f"{ADA}-w1").message


WALL = {"id": "w1", "x1": 21.75, "y1": -20, "x2": 21.75, "y2": 20}


def smoke_by(wall: dict[str, Any], **options: Any) -> RangeStage:
    """Smoke at Bo's place, beside a wall behind him."""
    stage = duel("grenade_smoke", 20, **options)
    stage.do("set_map", map={"walls": [wall]})
    stage.attack((6, 6), 1)
    return stage


@pytest.mark.rule("CE-COND-04")
@pytest.mark.parametrize(
    ("wall", "beyond"),
    [
        (WALL, "clear"),
        ({**WALL, "kind": "door"}, "clear"),
        ({**WALL, "kind": "door", "open": True}, "thick_smoke"),
        ({**WALL, "kind": "fence", "blocks_sight": False}, "thick_smoke"),
    ],
)
def test_walls_and_shut_doors_keep_smoke_in(wall: dict[str, Any], beyond: str) -> None:
    state = smoke_by(wall).state
    assert find_smoke(state, Point(19, 0), Point(21, 0)) == "thick_smoke"
    assert find_smoke(state, Point(22, 0), Point(25, 0)) == beyond


@pytest.mark.rule("CE-COND-04")
def test_smoke_passes_walls_if_a_table_lets_explosions_through() -> None:
    state = smoke_by(WALL, walls_stop_blasts=False).state
    assert find_smoke(state, Point(22, 0), Point(25, 0)) == "thick_smoke"
    assert all(zone.parts is UNSET for zone in state.scene.zones)


@pytest.mark.rule("CE-COND-04")
@pytest.mark.parametrize("walls", [[], [WALL]])
@pytest.mark.parametrize("options", [{}, {"walls_stop_blasts": False}])
def test_the_form_draws_the_smoke_that_is_then_played(walls: list[Any], options: Any) -> None:
    stage = duel("grenade_smoke", 20, **options)
    cy = stage.join("Cy", 24, profile="FFF777")
    stage.do("set_map", map={"walls": walls})
    command = Lob(actor=ADA, weapon=f"{ADA}-w1", to="20,0")
    (shape,), (note, *_) = find_area(stage.state, command), preview_lob(stage.state, command).notes
    stage.do("lob", ADA, weapon=f"{ADA}-w1", to="20,0", dice=((6, 6), (1,)))
    (zone,) = stage.state.scene.zones
    assert shape.pieces == (zone.parts or (piece_of(zone),))
    is_inside = find_smoke(stage.state, stage[cy].at, stage[cy].at) != "clear"
    assert (cy in str(note)) == is_inside == (not walls or bool(options))
