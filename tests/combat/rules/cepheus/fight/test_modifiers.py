"""The DMs of an attack, one by one."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.fight.aim import movement_terms
from combat.rules.core.space import Point
from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import ADA, BO

METRES = {
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
    for metres, wanted in zip(METRES.values(), points, strict=True):
        stage = duel(weapon, metres)
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
    for metres, wanted in ((4, -2), (30, -2)):
        assert duel("dagger", metres).total() == wanted
    assert duel("dagger", 2).total(mode="thrown") == 0
    for metres in (1, 200):
        stage = duel("dagger", metres)
        weapon = stage[ADA].items[0].id
        assert stage.refused("attack", ADA, target=BO, weapon=weapon, mode="thrown").code == "out_of_range"


@pytest.mark.rule("CE-RANGE-11")
def test_a_refused_shot_costs_nothing() -> None:
    stage = duel("auto_pistol", 400)
    before = stage[ADA]
    stage.refused("attack", ADA, target=BO, weapon=before.items[0].id)
    assert stage[ADA] is before


@pytest.mark.rule("CE-ATK-05", "CE-RANGE-09")
@pytest.mark.parametrize(
    ("weapon", "metres", "terms"),
    [
        ("rifle", 400, {"Difficult": -2}),
        ("rifle", 600, {"Very Difficult": -4}),
        ("rifle", 30, {}),
        ("shotgun", 30, {"Difficult": -2}),
    ],
)
@pytest.mark.full_rules
def test_the_difficulty_is_named(weapon: str, metres: float, terms: dict[str, int]) -> None:
    assert duel(weapon, metres).terms() == terms


@pytest.mark.rule("CE-ATK-06", "CE-ATK-07")
def test_melee_uses_the_better_of_strength_and_dexterity() -> None:
    stage = duel("cutlass", 2)
    stage.skilled(ADA, slashing_weapons=2)
    stage.set_track(ADA, str=9, dex=4)
    assert stage.terms() == {"Slashing Weapons": 2, "Strength": 1}
    assert stage.terms(using="dex") == {"Slashing Weapons": 2, "Dexterity": -1}
    assert stage.attack((3, 3), (1, 1, 1)).total == 9


@pytest.mark.rule("CE-ATK-06")
def test_of_two_skills_for_a_melee_weapon_the_better_counts() -> None:
    stage = duel("sword", 2)
    stage.skilled(ADA, slashing_weapons=2, piercing_weapons=0)
    assert stage.terms() == {"Slashing Weapons": 2}


@pytest.mark.rule("CE-ATK-07")
def test_the_attacker_is_offered_strength_and_dexterity_in_melee() -> None:
    stage = duel("cutlass", 2)
    fields = stage.system.action("attack").find_fields(stage.state, ADA)
    using = next(field for field in fields if field.name == "using")
    assert ([option.value for option in using.options], using.value) == (["", "str", "dex"], "")


@pytest.mark.rule("CE-ATK-08")
def test_shooting_uses_dexterity() -> None:
    stage = duel("rifle", 30)
    stage.skilled(ADA, slug_rifle=1)
    stage.set_track(ADA, str=15, dex=9)
    shot = stage.attack((4, 3), (1, 1, 1))
    assert (shot.total, shot.outcome) == (9, "outcome.hit")


@pytest.mark.rule("CE-ATK-09", "CE-THROW-01")
@pytest.mark.full_rules
def test_throwing_uses_athletics() -> None:
    stage = duel("dagger", 10)
    stage.skilled(ADA, athletics=1)
    stage.set_track(ADA, str=15)  # strength is for melee
    assert stage.attack((5, 4), (3,)).total == 8


@pytest.mark.rule(
    "CE-MOD-02",
    "CE-COVER-01",
    "CE-COVER-03",
    "CE-STANCE-04",
    "CE-COVER-02",
    "CE-COVER-06",
    "CE-COVER-07",
    "CE-COVER-08",
    "CE-COVER-09",
)
@pytest.mark.parametrize(
    ("cover", "standing", "crouched"),
    [("quarter", 0, -1), ("half", -1, -2), ("three_quarter", -2, -4), ("full", -4, None)],
)
@pytest.mark.full_rules
def test_cover_is_a_dm(cover: str, standing: int, crouched: int | None) -> None:
    stage = duel()
    stage.mark(BO, cover=cover)
    assert stage.total() == standing
    stage.give(BO, "crouched")
    if crouched is None:
        weapon = stage[ADA].items[0].id
        assert "cannot be hit" in stage.refused("attack", ADA, target=BO, weapon=weapon).message
    else:
        assert stage.total() == crouched


@pytest.mark.rule("CE-STANCE-07", "CE-COVER-03")
@pytest.mark.full_rules
def test_the_prone_use_cover_better() -> None:
    stage = duel("rifle", 2)
    stage.mark(BO, cover="half")
    stage.give(BO, "prone")
    assert stage.total() == -2 - 2


@pytest.mark.rule("CS-COVER-05")
def test_in_the_summary_full_cover_is_the_most() -> None:
    stage = duel(extra_cover_step="stays_at_four")
    stage.mark(BO, cover="full")
    stage.give(BO, "crouched")
    assert stage.total() == -4


@pytest.mark.rule("CE-COVER-02")
def test_three_quarter_cover_makes_a_miss() -> None:
    stage = duel()
    stage.mark(BO, cover="three_quarter")
    shot = stage.attack((4, 4))
    assert (shot.total, shot.outcome) == (6, "outcome.miss")


@pytest.mark.rule("CE-COVER-04")
def test_who_is_prone_behind_full_cover_cannot_be_hit() -> None:
    stage = duel()
    stage.mark(BO, cover="full")
    stage.give(BO, "prone")
    assert stage.refused("attack", ADA, target=BO, weapon=stage[ADA].items[0].id).code == "bad_target"


@pytest.mark.rule("CE-COVER-05")
def test_who_ducks_behind_full_cover_cannot_fire() -> None:
    stage = duel()
    stage.mark(ADA, cover="full")
    stage.give(ADA, "crouched")
    refused = stage.refused("attack", ADA, target=BO, weapon=stage[ADA].items[0].id)
    assert "stand up" in refused.message
    stage.edit(ADA, conditions=())
    assert stage.attack((1, 1)).outcome == "outcome.miss"


@pytest.mark.rule("CE-MOD-09", "CE-MOD-10", "CE-STANCE-09", "CE-STANCE-10", "CE-STANCE-11")
@pytest.mark.parametrize(("metres", "points"), [(1, 2), (2, 0), (10, -2), (30, -2), (200, -2)])
def test_prone_targets_by_range(metres: float, points: int) -> None:
    stage = duel("rifle", metres)
    standing = stage.total()
    stage.give(BO, "prone")
    assert stage.total() == standing + points


@pytest.mark.rule("CE-STANCE-11", "CE-COVER-01")
def test_cover_is_nothing_at_personal_range() -> None:
    stage = duel("cudgel", 1)
    stage.give(BO, "prone")
    stage.mark(BO, cover="full")
    assert stage.total() == 2


@pytest.mark.rule("CE-MOD-10", "CE-STANCE-11", "CE-STANCE-10")
def test_melee_at_the_prone_is_easier_only_at_personal_range() -> None:
    for metres, points in ((1, 2), (2, 0)):
        stage = duel("cudgel", metres)
        standing = stage.total()
        stage.give(BO, "prone")
        assert stage.total() == standing + points


@pytest.mark.rule("CE-STANCE-09")
def test_prone_at_short_range_by_option() -> None:
    stage = duel("rifle", 10, prone_short_penalty=False)
    stage.give(BO, "prone")
    assert stage.total() == 0


@pytest.mark.rule("CE-STANCE-09", "CE-STANCE-10")
def test_an_option_makes_shots_at_close_range_harder_but_no_blows() -> None:
    for weapon, points in (("rifle", -2), ("cudgel", 0)):
        stage = duel(weapon, 2, prone_close_penalty=True)
        standing = stage.total()
        stage.give(BO, "prone")
        assert stage.total() == standing + points


@pytest.mark.rule("CE-STANCE-02")
def test_standing_has_no_dm() -> None:
    assert duel().terms() == {}


@pytest.mark.rule("CE-STANCE-05")
def test_no_melee_while_prone() -> None:
    stage = duel("sword", 2)
    stage.give(ADA, "prone")
    refused = stage.refused("attack", ADA, target=BO, weapon=stage[ADA].items[0].id)
    assert "stand up" in refused.message
    shooter = duel()
    shooter.give(ADA, "prone")
    assert shooter.attack((1, 1)).outcome == "outcome.miss"


@pytest.mark.rule("CE-MOD-03", "CE-COND-07")
def test_weather_is_a_dm() -> None:
    stage = duel()
    stage.setting("weather", "extreme")
    assert stage.total() == -2
    assert duel("cudgel", 1).total() == 0


@pytest.mark.rule("CE-COND-01", "CE-COND-02", "CE-COND-04", "CE-COND-05")
@pytest.mark.parametrize(
    ("key", "value", "points"),
    [("light", "low_light", -1), ("light", "dark", -4), ("smoke", "smoke", -1), ("smoke", "thick_smoke", -2)],
)
def test_poor_sight_hinders_shots_and_no_melee(key: str, value: str, points: int) -> None:
    for weapon, metres, wanted in (("rifle", 30, points), ("cudgel", 1, 0)):
        stage = duel(weapon, metres)
        stage.setting(key, value)
        assert stage.total() == wanted


@pytest.mark.rule("CE-COND-06")
@pytest.mark.parametrize(("smoke", "points"), [("smoke", -2), ("thick_smoke", -4)])
def test_smoke_is_twice_as_bad_for_a_laser_rifle(smoke: str, points: int) -> None:
    stage = duel("laser_rifle", 30)
    stage.setting("smoke", smoke)
    assert stage.total() == points


@pytest.mark.rule("CE-MOD-04")
def test_an_intelligent_weapon_helps_within_its_tolerance() -> None:
    stage = duel("rifle", 400)
    stage.fit(ADA, "intelligent_weapon")
    assert stage.terms() == {"Difficult": -2, "Intelligent weapon": 1}
    stage.mark(BO, cover="half")
    assert "Intelligent weapon" not in stage.terms()


@pytest.mark.rule("CE-MOD-04", "CE-REACT-08")
@pytest.mark.parametrize(("cover", "total"), [("", -2 - 1), ("half", -2 - 1 - 2)])
def test_the_dodge_counts_among_what_an_intelligent_weapon_tolerates(cover: str, total: int) -> None:
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


@pytest.mark.rule("CE-MOD-05", "CE-SENS-07")
@pytest.mark.parametrize(("sight", "points"), [("laser_sights", 3), ("laser_telescopic_sights", 4)])
def test_sights_count_on_aimed_attacks_only(sight: str, points: int) -> None:
    stage = duel()
    stage.fit(ADA, sight)
    assert stage.total() == 0
    stage.aimed(ADA, BO, 2)
    assert stage.total() == points


@pytest.mark.rule("CE-SENS-07", "CE-COND-03")
def test_a_laser_sight_aims_in_the_dark() -> None:
    stage = duel("rifle", 30)
    stage.setting("light", "dark")
    assert stage.total() == -4
    stage.fit(ADA, "laser_sights")
    assert stage.total() == 0


@pytest.mark.rule("CE-MOD-06")
@pytest.mark.parametrize(("metres", "points"), [("9", 0), ("18", -1), ("20", -2)])
def test_a_target_that_moved(metres: str, points: int) -> None:
    stage = duel()
    stage.mark(BO, moved_m=metres)
    assert stage.total() == points


@pytest.mark.rule("CE-MOD-06")
@pytest.mark.parametrize(("cap", "points"), [(0, -10), (6, -6)])
def test_a_fast_vehicle_by_the_tables_cap(cap: int, points: int) -> None:
    stage = duel(moving_vehicle_cap=cap)
    car = {"kind": "vehicle", "attributes": {"hull": 3, "structure": 3, "armor": 6}, "speed_kph": 100}
    car_id = stage.machine("Car", (30, 0), car)
    stage.mark(car_id, moved_m="100.00")
    assert stage.total(on=car_id) == points
    stage.mark(BO, moved_m="100.00")
    assert sum(term.value for term in movement_terms(stage.state, stage[ADA], stage[BO])) == -10


@pytest.mark.rule("CE-MOD-11", "CE-ZG-03")
def test_recoil_without_gravity() -> None:
    for weapon, fitted, points in (
        ("rifle", "", -2),
        ("rifle", "gyrostabilizer", -1),
        ("accelerator_rifle", "", 0),
    ):
        stage = duel(weapon)
        stage.skilled(ADA, slug_rifle=1, zero_g=1)
        if fitted:
            stage.fit(ADA, fitted)
        assert stage.total() == 1
        stage.setting("gravity", "zero")
        assert stage.total() == 1 + points


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


@pytest.mark.rule("CE-ZG-03")
def test_a_rifle_in_zero_gravity_just_hits() -> None:
    stage = duel()
    stage.skilled(ADA, slug_rifle=1, zero_g=1)
    stage.setting("gravity", "zero")
    assert stage.attack((5, 4), (1, 1, 1)).total == 8


@pytest.mark.rule("CE-ZG-01", "CE-ZG-02")
@pytest.mark.parametrize(
    ("skills", "points"),
    [
        ({"energy_pistol": 2, "zero_g": 1}, 1),
        ({"energy_pistol": 1, "zero_g": 3}, 1),
        ({"energy_pistol": 3}, -3),
        ({"energy_pistol": 3, "zero_g": 0}, 0),
    ],
)
def test_skills_without_gravity(skills: dict[str, int], points: int) -> None:
    stage = duel("laser_pistol", 10)
    stage.skilled(ADA, **skills)
    stage.setting("gravity", "zero")
    assert stage.total() == points


@pytest.mark.rule("CE-INTO-01")
def test_someone_beside_the_target() -> None:
    stage = duel()
    other = stage.join("Cy", 21)
    assert stage.total() == -2
    stage.edit(other, at=Point(25, 0))
    assert stage.total() == 0


@pytest.mark.rule("CE-INTO-01")
def test_someone_beside_the_target_behind_a_wall_is_not_in_the_way() -> None:
    stage = duel()
    stage.join("Cy", 21)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 20.5, "y1": -9, "x2": 20.5, "y2": 9}]})
    assert "Firing into combat" not in stage.terms()


@pytest.mark.rule("CE-INTO-01")
def test_a_grapple_always_counts_and_melee_never() -> None:
    stage = duel()
    stage.give(BO, "grappled", by=stage.join("Cy", 25))
    assert stage.total() == -2
    near = duel("cudgel", 1)
    near.join("Cy", 1.5)
    assert near.total() == 0
    assert duel("rifle", 1).terms() == {"Very Difficult": -4}  # a shooter is not in the way


def test_too_weak_for_a_plasma_gun() -> None:
    stage = duel("pgmp")
    assert stage.total() == -5
    stage.set_track(ADA, str=12)
    assert stage.total() == 0


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
