"""The printed figures: bands, difficulties by range, bursts, cover, DMs, and the records."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.book import tables
from combat.rules.cepheus.book.options import (
    DEFAULTS,
    FULL,
    OPTIONS,
    QUICK,
    find_option,
    find_setting,
    options_of,
)
from combat.rules.cepheus.book.tables import BANDS, RANGE_BANDS, RANGE_DM, SHORT_RANGE_DM
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.state.state import State

OUT = None
A, D, V, F = 0, -2, -4, -6  # Average, Difficult, Very Difficult, Formidable


@pytest.mark.rule("CE-RANGE-02", "CE-RANGE-03", "CE-RANGE-04", "CE-RANGE-05", "CE-RANGE-06", "CE-RANGE-07")
@pytest.mark.parametrize(
    ("band", "metres", "squares"),
    [
        ("personal", 1.5, (0, 0)),
        ("close", 3, (1, 2)),
        ("short", 12, (3, 8)),
        ("medium", 50, (9, 34)),
        ("long", 250, (35, 166)),
        ("very_long", 500, (167, 334)),
    ],
)
def test_bands_end_where_the_chapter_has_it(band: str, metres: float, squares: tuple[int, int]) -> None:
    row = RANGE_BANDS[band]
    assert row.to_m == metres
    assert (row.squares_low, row.squares_high) == squares


def test_bands_follow_on_each_other_without_a_gap() -> None:
    rows = list(RANGE_BANDS.values())
    assert tuple(RANGE_BANDS) == BANDS
    assert [row.to_m for row in rows[:-1]] == [row.from_m for row in rows[1:]]
    assert [row.squares_high + 1 for row in rows[:-1]] == [row.squares_low for row in rows[1:]]


CHAPTER = {
    "close_quarters": (A, D, OUT, OUT, OUT, OUT, OUT),
    "extended_reach": (D, A, OUT, OUT, OUT, OUT, OUT),
    "thrown": (OUT, A, D, D, OUT, OUT, OUT),
    "pistol": (D, A, A, D, V, OUT, OUT),
    "rifle": (V, D, A, A, A, D, V),
    "shotgun": (D, A, D, D, V, OUT, OUT),
    "assault_weapon": (D, A, A, A, D, V, F),
    "rocket": (V, D, D, A, A, D, V),
}


@pytest.mark.rule(
    "CE-RANGE-09", "CE-RANGE-10", "CE-RANGE-11", "CE-RANGE-12", "CE-RANGE-13", "CE-RANGE-14", "CE-RANGE-15",
    "CE-RANGE-16", "CE-RANGE-17", "CE-RANGE-18",
)  # fmt: skip
@pytest.mark.parametrize("kind", CHAPTER)
def test_difficulty_by_range_is_that_of_the_table(kind: str) -> None:
    assert tuple(RANGE_DM[kind].get(band) for band in BANDS) == CHAPTER[kind]


def test_range_table_has_no_other_rows() -> None:
    assert set(RANGE_DM) == set(SHORT_RANGE_DM) == set(CHAPTER)


SUMMARY = {  # from Close to Very Long, then Distant
    "close_quarters": (A, D, OUT, OUT, OUT, OUT),
    "thrown": (A, D, D, OUT, OUT, OUT),
    "pistol": (A, A, D, V, OUT, OUT),
    "rifle": (D, A, A, A, D, F),
    "shotgun": (A, D, D, V, OUT, OUT),
    "assault_weapon": (A, A, A, D, V, F),
}


@pytest.mark.parametrize("kind", SUMMARY)
def test_quick_rules_have_the_table_of_the_summary_and_personal_of_the_chapter(kind: str) -> None:
    """RULING R62"""
    row = SHORT_RANGE_DM[kind]
    assert tuple(row.get(band) for band in BANDS[1:]) == SUMMARY[kind]
    assert row.get("personal") == RANGE_DM[kind].get("personal")


@pytest.mark.parametrize(
    ("kind", "like"), [("extended_reach", "close_quarters"), ("rocket", "assault_weapon")]
)
def test_quick_rules_play_missing_rows_as_their_neighbours(kind: str, like: str) -> None:
    """RULING R62"""
    bands = BANDS[1:]
    assert [SHORT_RANGE_DM[kind].get(b) for b in bands] == [SHORT_RANGE_DM[like].get(b) for b in bands]


@pytest.mark.rule("CE-BURST-04", "CE-BURST-05", "CE-BURST-06", "CE-BURST-07", "CE-BURST-08", "CE-BURST-09")
@pytest.mark.parametrize(
    ("rounds", "row", "dm", "damage"),
    [
        (1, 1, 0, "0"),
        (2, 1, 0, "0"),
        (3, 3, 1, "1"),
        (4, 4, 1, "1d6"),
        (6, 4, 1, "1d6"),
        (10, 10, 2, "2d6"),
        (15, 10, 2, "2d6"),
        (20, 20, 3, "3d6"),
        (99, 20, 3, "3d6"),
        (100, 100, 4, "4d6"),
        (500, 100, 4, "4d6"),
    ],
)
def test_burst_takes_the_largest_row_not_above_the_rounds(
    rounds: int, row: int, dm: int, damage: str
) -> None:
    """RULING R15"""
    found = tables.find_burst(rounds)
    assert (found.rounds, found.attack_dm, found.extra_damage) == (row, dm, damage)


@pytest.mark.rule("CE-COVER-06", "CE-COVER-07", "CE-COVER-08", "CE-COVER-09")
def test_cover_has_four_steps() -> None:
    assert {key: row.dm for key, row in tables.COVERS.items()} == {
        "quarter": 0,
        "half": -1,
        "three_quarter": -2,
        "full": -4,
    }


@pytest.mark.parametrize(
    ("score", "dm"),
    [(-2, -2), (0, -2), (2, -2), (3, -1), (5, -1), (6, 0), (8, 0), (9, 1), (12, 2), (15, 3), (33, 9)],
)
def test_dm_goes_up_by_one_for_every_three_points(score: int, dm: int) -> None:
    """RULING R58"""
    assert tables.dm_of(score) == dm


# ---------------------------------------------------------------- records


@pytest.mark.rule("CE-DMG-01", "CE-MINOR-12", "CE-MINOR-13", "CE-MINOR-14")
def test_weapons_have_dice_skills_ranges_and_times() -> None:
    for weapon in tables.weapons().values():
        assert weapon.fires or parse_dice(weapon.damage).sides == 6, weapon.id
        assert weapon.skills, weapon.id
        assert set(weapon.skills) <= set(tables.skills())
        assert set(weapon.range_types) <= set(RANGE_DM), weapon.id
        assert not weapon.magazine or weapon.rate_of_fire, weapon.id
    times = {key: (row.draw_minor, row.reload_minor) for key, row in tables.weapons().items()}
    assert {key: draw for key, (draw, _) in times.items() if draw != 1} == {"unarmed_strike": 0}
    assert {key: load for key, (_, load) in times.items() if load != 1} == {  # R56
        **dict.fromkeys(("crossbow", "revolver", "shotgun"), 6),
        **dict.fromkeys(("submachinegun", "rocket_launcher"), 3),
        "ram_grenade_launcher": 2,
    }


def test_what_refers_to_another_record_finds_it() -> None:
    known = {*tables.weapons(), *tables.accessories()}
    assert {row.weapon for row in tables.ammo().values()} <= known
    assert {row.required_skill for row in tables.armors().values()} - {""} <= set(tables.skills())
    assert {row.skill for row in tables.vehicles().values()} <= set(tables.skills())
    mounted = {mount.weapon for row in tables.vehicles().values() for mount in row.weapons}
    assert mounted <= set(tables.vehicle_weapons())
    parents = {row.parent for row in tables.cascades().values()} - {""}
    assert parents <= set(tables.cascades())
    parts = {name for row in tables.cascades().values() for name in row.specialities}
    assert parts <= set(tables.skills()) | set(tables.cascades())


@pytest.mark.rule("CE-VDMG-01")
def test_every_vehicle_has_hull_and_structure_of_its_own_series() -> None:
    """RULING R57"""
    car = tables.vehicles()["core_ground_car"]
    assert (car.hull, car.structure, car.armor) == (3, 2, 6)
    later = tables.vehicles()["design_ground_car"]
    assert (later.hull, later.structure, later.armor) == (0, 1, 2)


# ---------------------------------------------------------------- options


def test_both_games_have_the_same_options_with_defaults_of_their_own() -> None:
    assert set(DEFAULTS[FULL]) == set(DEFAULTS[QUICK]) == {option.key for option in OPTIONS}
    for slug in (FULL, QUICK):
        assert {option.key: option.default for option in options_of(slug)} == DEFAULTS[slug]
    assert DEFAULTS[FULL] != DEFAULTS[QUICK]


def test_default_of_an_option_is_that_of_the_game_played() -> None:
    """RULING R61"""
    assert find_option(State(FULL), "use_grapple") is True
    assert find_option(State(QUICK), "use_grapple") is False
    assert find_option(State(QUICK, options={"use_grapple": True}), "use_grapple") is True


def test_setting_has_its_usual_value_until_it_is_set() -> None:
    state = State(FULL)
    assert find_setting(state, "gravity") == "normal"
    with pytest.raises(KeyError):
        find_setting(state, "nonsense")
