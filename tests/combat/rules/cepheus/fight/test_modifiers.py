"""The DMs of an attack, one by one."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.aim import movement_terms
from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import duel, posed
from tests.combat.rules.cepheus.figures import ADA, BO

METERS = {
    "personal": 1, "close": 2, "short": 10, "medium": 30, "long": 200, "very_long": 400, "distant": 600,
}  # fmt: skip
ROWS = (
    ("CE-RANGE-10", "cudgel", (0, -2, None, None, None, None, None)),
    ("CE-RANGE-12", "sword", (-2, 0, None, None, None, None, None)),
    ("CE-RANGE-14", "auto_pistol", (-2, 0, 0, -2, -4, None, None)),
    ("CE-RANGE-15", "rifle", (-4, -2, 0, 0, 0, -2, -4)),
    ("CE-RANGE-16", "shotgun", (-2, 0, -2, -2, -4, None, None)),
    ("CE-RANGE-17", "submachinegun", (-2, 0, 0, 0, -2, -4, -6)),
    ("CE-RANGE-18", "rocket_launcher", (-4, -2, -2, 0, 0, -2, -4)),
)


@pytest.mark.rule(
    "CE-RANGE-09", "CE-RANGE-10", "CE-RANGE-11", "CE-RANGE-12", "CE-RANGE-14", "CE-RANGE-15", "CE-RANGE-16",
    "CE-RANGE-17", "CE-RANGE-18",
)  # fmt: skip
@pytest.mark.parametrize(("rule", "weapon", "points"), ROWS)
def test_every_row_of_the_range_table(rule: str, weapon: str, points: tuple[int | None, ...]) -> None:
    for meters, wanted in zip(METERS.values(), points, strict=True):
        stage = duel(weapon, meters)
        given = stage[ADA].items[0].id
        if wanted is None:
            refused = stage.refused("attack", ADA, target=BO, weapon=given)
            assert refused.code == "out_of_range"
            continue
        terms = stage.preview("attack", ADA, target=BO, weapon=given).modifiers
        assert sum(term.value for term in terms) == wanted
        assert {term.rule for term in terms if term.value} <= {rule}


@pytest.mark.rule("CE-RANGE-13", "CE-ATK-09")
def test_thrown_weapons_reach_from_close_to_medium() -> None:
    for meters, wanted in ((4, -2), (30, -2)):
        assert duel("dagger", meters).total() == wanted
    assert duel("dagger", 2).total(mode="thrown") == 0
    for meters in (1, 200):
        stage = duel("dagger", meters)
        weapon = stage[ADA].items[0].id
        assert stage.refused("attack", ADA, target=BO, weapon=weapon, mode="thrown").code == "out_of_range"


TELESCOPE, GYRO = "laser_telescopic_sights", "gyrostabilizer"
TRAINED = {"slug_rifle": 1, "zero_g": 1}
# Besides the examples of the rulebook: rules, weapon, meters to Bo, how the two are, the sum of the DMs
POSES: tuple[tuple[str, str, int, dict[str, Any], int], ...] = (
    ("CE-COVER-03 CE-COVER-06", "rifle", 20, {"cover": "quarter", "bo": "crouched"}, -1),
    ("CE-COVER-03 CE-COVER-08", "rifle", 20, {"cover": "three_quarter", "bo": "crouched"}, -4),
    ("CE-COVER-02 CE-COVER-07", "rifle", 20, {"cover": "half_soft"}, -1),
    ("CE-STANCE-04 CE-COVER-07", "rifle", 20, {"cover": "half_soft", "bo": "crouched"}, -2),
    ("CE-COVER-05", "rifle", 20, {"own_cover": "full"}, 0),
    ("CE-STANCE-11 CE-COVER-01", "cudgel", 1, {"cover": "full", "bo": "prone"}, 2),
    ("CE-STANCE-11 CE-MOD-10", "cudgel", 1, {"bo": "prone"}, 2),
    ("CE-STANCE-10", "cudgel", 2, {"bo": "prone"}, -2),
    ("CE-STANCE-10", "cudgel", 2, {"bo": "prone", "options": {"prone_close_penalty": True}}, -2),
    ("CE-STANCE-10", "rifle", 2, {"bo": "prone", "options": {"prone_close_penalty": True}}, -2 - 2),
    ("CE-STANCE-09", "rifle", 10, {"bo": "prone", "options": {"prone_short_penalty": False}}, 0),
    ("CE-STANCE-05", "rifle", 20, {"ada": "prone"}, 0),
    ("CE-COND-01", "cudgel", 1, {"light": "low_light"}, 0),
    ("CE-COND-02", "cudgel", 1, {"light": "dark"}, 0),
    ("CE-COND-05", "cudgel", 1, {"smoke": "thick_smoke"}, 0),
    ("CE-COND-07 CE-MOD-03", "cudgel", 1, {"weather": "extreme"}, 0),
    ("CE-MOD-05 CE-SENS-07", "rifle", 20, {"fit": TELESCOPE}, 0),
    ("CE-MOD-05 CE-SENS-07", "rifle", 20, {"fit": TELESCOPE, "aim": 2}, 2 + 2),
    ("CE-MOD-06", "rifle", 20, {"moved": "18"}, -1),
    (
        "CE-MOD-11 CE-ZG-03",
        "rifle",
        20,
        {"gravity": "zero", "skills": TRAINED, "fit": "gyrostabilizer"},
        1 - 1,
    ),
    ("CE-MOD-11 CE-ZG-03", "accelerator_rifle", 20, {"gravity": "zero", "skills": TRAINED}, 1),
    ("CE-ZG-01", "laser_pistol", 10, {"gravity": "zero", "skills": {"energy_pistol": 1, "zero_g": 3}}, 1),
    ("CE-ZG-02", "laser_pistol", 10, {"gravity": "zero", "skills": {"energy_pistol": 3, "zero_g": 0}}, 0),
    ("CE-ATK-08", "pgmp", 20, {}, -5),
    ("CE-ATK-08", "pgmp", 20, {"strength": 12}, 0),
)


@pytest.mark.parametrize(
    ("weapon", "meters", "pose", "total"),
    [pytest.param(*row, marks=pytest.mark.rule(*rules.split())) for rules, *row in POSES],
)
def test_the_dms_add_up(weapon: str, meters: int, pose: dict[str, Any], total: int) -> None:
    assert posed(weapon, meters, **pose).total() == total


@pytest.mark.rule("CE-ATK-07")
def test_attacker_may_take_the_worse_of_strength_and_dexterity() -> None:
    stage = duel("cutlass", 2)
    stage.set_track(ADA, str=9, dex=4)
    assert stage.total(using="dex") == -1
    fields = stage.system.action("attack").find_fields(stage.state, ADA)
    using = next(field for field in fields if field.name == "using")
    assert ([option.value for option in using.options], using.value) == (["", "str", "dex"], "")


@pytest.mark.rule("CE-ATK-06")
def test_of_two_skills_for_a_melee_weapon_the_better_counts() -> None:
    stage = duel("sword", 2)
    stage.skilled(ADA, slashing_weapons=2, piercing_weapons=0)
    assert stage.terms() == {"Slashing Weapons": 2}


@pytest.mark.rule("CE-MOD-04")
def test_an_intelligent_weapon_helps_within_its_tolerance() -> None:
    stage = duel("rifle", 400)
    stage.fit(ADA, "intelligent_weapon")
    assert stage.terms() == {"Difficult": -2, "Intelligent weapon": 1}
    stage.mark(BO, cover="half")
    assert "Intelligent weapon" not in stage.terms()


@pytest.mark.rule("CE-MOD-04", "CE-REACT-08")
@pytest.mark.parametrize(("cover", "total"), [("", -2 - 1), ("half", -2 - 1 - 2)])
def test_dodge_counts_in_what_an_intelligent_weapon_tolerates(cover: str, total: int) -> None:
    """RULING R51: with a tolerance of 2, a dodged shot at -2 is beyond it."""
    stage = duel("rifle", 400, ready=True)
    stage.fit(ADA, "intelligent_weapon")
    stage.mark(BO, cover=cover)
    shot = stage.attack("dodge", (4, 4))
    assert shot.total == 8 + total
    assert "term.intelligent" not in [term.label for term in shot.modifiers]


@pytest.mark.rule("CE-MOD-04")
def test_the_gm_may_set_the_tolerance() -> None:
    stage = duel("rifle", 400)
    stage.arm(ADA, "rifle", tolerance=3)
    stage.fit(ADA, "intelligent_weapon")
    stage.mark(BO, cover="half")
    assert stage.terms()["Intelligent weapon"] == 1


@pytest.mark.rule("CE-MOD-06")
@pytest.mark.parametrize(("cap", "points"), [(0, -10), (6, -6), (3, -3)])
def test_a_fast_vehicle_by_the_tables_cap(cap: int, points: int) -> None:
    stage = duel(moving_vehicle_cap=cap)
    car = {"kind": "vehicle", "attributes": {"hull": 3, "structure": 3, "armor": 6}, "speed_kph": 100}
    car_id = stage.machine("Car", (30, 0), car)
    stage.mark(car_id, moved_m="100.00")
    assert stage.total(on=car_id) == points
    stage.mark(BO, moved_m="100.00")
    assert sum(term.value for term in movement_terms(stage.state, stage[ADA], stage[BO])) == -10


@pytest.mark.rule("CE-ZG-01", "CE-ZG-03")
def test_a_zone_without_gravity_counts_for_who_fights_in_it() -> None:
    stage = duel("rifle")
    stage.zone("hold", x=-5, y=-5, width=10, depth=10, terrain=["weightless"])
    stage.skilled(ADA, slug_rifle=2, zero_g=1)
    assert stage.total() == 1 - 2
    stage.edit(ADA, at=Point(8, 0))  # outside, where there is gravity
    assert stage.total() == 2
    stage.edit(ADA, at=Point(0, 0))
    stage.do("set_option", key="use_zero_gravity", value=False)
    assert stage.total() == 2


@pytest.mark.rule("CE-INTO-01")
def test_someone_beside_the_target() -> None:
    stage = duel()
    other = stage.join("Cy", 21)
    assert stage.total() == -2
    stage.edit(other, at=Point(25, 0))
    assert stage.total() == 0


@pytest.mark.rule("CE-INTO-01")
def test_person_beside_the_target_behind_a_wall_is_no_obstacle() -> None:
    stage = duel()
    stage.join("Cy", 21)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 20.5, "y1": -9, "x2": 20.5, "y2": 9}]})
    assert "Someone beside the target" not in stage.terms()


@pytest.mark.rule("CE-INTO-01")
def test_a_grapple_always_counts_and_melee_never() -> None:
    stage = duel()
    stage.give(BO, "grappled", by=stage.join("Cy", 25))
    assert stage.total() == -2
    near = duel("cudgel", 1)
    near.join("Cy", 1.5)
    assert near.total() == 0
    assert duel("rifle", 1).terms() == {"Very Difficult": -4}  # a shooter is not in the way


@pytest.mark.rule("CE-ATK-08")
@pytest.mark.parametrize(("weapon", "strength", "points"), [("pgmp", 8, 0), ("pgmp", 7, -1), ("fgmp", 5, 0)])
def test_battle_dress_is_strong_enough_for_its_wearer(weapon: str, strength: int, points: int) -> None:
    stage = duel(weapon)
    suit = next(item for item in duel(foe={"armor": ["battle_dress"]})[BO].items if item.kind == "armor")
    stage.edit(ADA, items=(*stage[ADA].items, suit))
    stage.set_track(ADA, str=strength)
    assert stage.terms().get("Not strong enough for the weapon", 0) == points


@pytest.mark.rule("CE-ATK-04")
def test_the_table_may_add_its_own_modifier() -> None:
    assert duel().terms(adjust=-1, because="glare") == {"Situational: glare": -1}


@pytest.mark.rule("CE-ATK-04")
@pytest.mark.parametrize(
    ("skills", "points"), [({}, -3), ({"jack_of_all_trades": 1}, -2), ({"battle_dress": 0}, 0)]
)
def test_armor_without_its_skill_hinders_all_that_the_body_does(skills: dict[str, int], points: int) -> None:
    stage = duel("rifle", foe={"armor": ["battle_dress"]})
    suit = next(item for item in stage[BO].items if item.kind == "armor")
    stage.skilled(ADA, slug_rifle=0, natural_weapons=0, comms=0, **skills)
    bare = stage.total()
    stage.edit(ADA, items=(*stage[ADA].items, replace(suit, data={**suit.data, "dex_bonus": 0})))
    assert stage.terms().get("No skill with the armor", 0) == points
    assert stage.total() - bare == points
    for characteristic in ("str", "dex", "end", "int"):
        shown = stage.preview("check", ADA, skill="comms", characteristic=characteristic).modifiers
        told = {stage.system.draw(term.label): term.value for term in shown}
        assert told.get("No skill with the armor", 0) == (points if characteristic != "int" else 0)
    stage.edit(ADA, items=(stage[ADA].items[0], replace(suit, place="carried")))
    assert stage.total() == bare


@pytest.mark.rule("CE-GRAP-03", "CE-BLIND-02")
def test_armor_without_its_skill_hinders_grapples_and_blind_fire() -> None:
    stage = duel("rifle", 1, foe={"armor": ["vacc_suit"]})
    suit = next(item for item in stage[BO].items if item.kind == "armor")
    stage.edit(ADA, items=(*stage[ADA].items, suit))
    for action in ("blind_fire", "suppress", "panic_fire"):
        assert stage.terms(action)["No skill with the armor"] == -3, action
    own = stage.preview("grapple", ADA, target=BO).modifiers
    assert "No skill with the armor" in {stage.system.draw(term.label) for term in own}
