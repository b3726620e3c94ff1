"""Current scores, DMs, skills and health."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters.goods import find_fittings
from combat.rules.cepheus.characters.sheet import find_blocks, find_health, make_combatant
from combat.rules.cepheus.characters.values import (
    count_zeros,
    find_best_skill,
    find_dm,
    find_full,
    find_relatives,
    find_score,
    find_skill,
    has_skill,
    is_machine,
    is_person,
    is_wounded,
    read_skill,
)
from combat.rules.core.state.state import Combatant, Condition, replace

SEVENS = dict.fromkeys(("str", "dex", "end", "int", "edu", "soc"), 7)


def person(options: dict[str, Any] | None = None, **more: Any) -> Combatant:
    """Someone of sevens, or with other scores and items."""
    scores = SEVENS | {key: more.pop(key) for key in list(more) if key in (*SEVENS, "psi")}
    return make_combatant("f1", "Ada", "allies", {"name": "Ada", "attributes": scores, **more}, options or {})


def hurt(combatant: Combatant, **points: int) -> Combatant:
    left = {key: combatant.tracks[key] - lost for key, lost in points.items()}
    return replace(combatant, tracks={**combatant.tracks, **left})


def block(key: str) -> Combatant:
    return make_combatant("f1", key, "enemies", find_blocks()[key].sheet, {})


# ---------------------------------------------------------------- scores


def test_dm_follows_the_damaged_score() -> None:
    """RULING R1"""
    whole = person(dex=9)
    assert find_dm(whole, "dex") == 1
    wounded = hurt(whole, dex=4)
    assert (find_score(wounded, "dex"), find_full(wounded, "dex"), find_dm(wounded, "dex")) == (5, 9, -1)


def test_wounds_lower_no_dms_where_the_table_plays_so() -> None:
    """RULING R1"""
    assert find_dm(hurt(person({"wounds_lower_dms": False}, dex=9), dex=9), "dex") == 1


def test_battle_dress_counts_for_dms_never_for_the_damage_track() -> None:
    """RULING R58"""
    dressed = person(str=8, dex=7, armor=["battle_dress"])
    assert (find_dm(dressed, "str"), find_dm(dressed, "dex"), find_dm(dressed, "end")) == (2, 1, 0)
    assert (dressed.tracks["str"], find_score(dressed, "str")) == (8, 8)


def test_only_psions_have_psionic_strength_and_always_whole() -> None:
    """RULING R72"""
    assert find_score(person(psi=9), "psi") == 9
    assert find_full(person(), "psi") == 0


def test_robots_have_no_endurance_and_its_dm_is_0() -> None:
    """RULING R74"""
    robot = block("cargo_robot")
    assert is_machine(robot)
    assert not is_person(robot)
    assert (find_dm(robot, "end"), find_dm(robot, "str"), find_dm(robot, "int")) == (0, 8, -1)


def test_zeros_are_counted_among_the_physical_ones_alone() -> None:
    assert count_zeros(hurt(person(), end=7, str=7, int=7)) == 2
    assert count_zeros(block("core_afv")) == 0
    assert not is_wounded(hurt(person(), int=3))


@pytest.mark.parametrize(
    ("lost", "word", "level"),
    [
        ({}, "health.unhurt", 0),
        ({"end": 2}, "health.wounded", 1),
        ({"end": 7, "str": 1}, "health.wounded", 2),
        ({"end": 1, "str": 1, "dex": 1}, "health.seriously_wounded", 3),
    ],
)
def test_health_says_the_words_of_the_book(lost: dict[str, int], word: str, level: int) -> None:
    health = find_health(hurt(person(), **lost))
    assert (health.word, health.level, health.most) == (word, level, 21)
    assert health.now == 21 - sum(lost.values())
    assert not health.is_out


@pytest.mark.rule("CE-VDMG-01")
def test_health_of_a_vehicle_is_hull_and_structure() -> None:
    afv = block("core_afv")
    assert (find_health(afv).now, find_health(afv).word) == (10, "health.intact")
    assert find_health(hurt(afv, hull=5)).word == "health.damaged"
    assert find_health(hurt(afv, hull=5, structure=1)).word == "health.breached"


def test_who_is_out_or_dead_is_said_so() -> None:
    out = replace(person(), conditions=(Condition("k1", "unconscious", "condition.unconscious"),))
    assert (find_health(out).word, find_health(out).is_out, find_health(out).dead) == (
        "condition.unconscious",
        True,
        False,
    )
    dead = replace(person(), conditions=(Condition("k1", "dead", "condition.dead"),))
    assert find_health(dead).dead


# ---------------------------------------------------------------- skills


@pytest.mark.parametrize(
    ("known", "asked", "level"),
    [
        ({}, "recon", -3),
        ({"recon": 0}, "recon", 0),
        ({"recon": 2}, "recon", 2),
        ({"slug_rifle": 2}, "slug_pistol", 0),  # another of the cascade
        ({"slug_rifle": 2}, "piercing_weapons", -3),
        ({"winged_aircraft": 1}, "grav_vehicle", 0),
        ({"winged_aircraft": 1}, "submarine", 0),  # cascades within a cascade
        ({"jack_of_all_trades": 1}, "recon", -2),
        ({"jack_of_all_trades": 5}, "recon", 0),
        ({"medicine": 1}, "medic", 1),  # names of the chapter
        ({"energy_pistol": 2}, "Laser Pistol", 2),
        ({"zero_g": 1}, "Zero-G", 1),
    ],
)
def test_skill_as_a_dm(known: dict[str, int], asked: str, level: int) -> None:
    """RULING R55"""
    assert find_skill(person(skills=known), asked) == level


def test_trained_is_who_has_the_skill_or_a_relative() -> None:
    combatant = person(skills={"slug_rifle": 0, "recon": 1})
    assert has_skill(combatant, "slug rifle")
    assert has_skill(combatant, "archery")
    assert not has_skill(combatant, "admin")
    assert find_best_skill(combatant, ("admin", "recon", "archery")) == "recon"
    assert find_relatives("recon") == frozenset()
    assert find_relatives(read_skill("nonsense")) == frozenset()


# ---------------------------------------------------------------- items


def test_weapons_fill_free_hands_and_bare_hands_are_always_there() -> None:
    items = {item.name: item.place for item in person(weapons=["dagger", "cutlass", "rifle"]).items}
    assert items == {"Dagger": "held", "Cutlass": "held", "Rifle": "carried", "Unarmed Strike": "held"}


def test_guns_come_loaded_with_spare_magazines() -> None:
    rifle = person(weapons=["rifle"]).items[0]
    assert (rifle.loaded, rifle.spares) == (10, 2)


def test_sights_are_on_the_first_gun() -> None:
    combatant = block("sniper")
    rifle, other = combatant.items[0], combatant.items[1]
    assert [row.aimed_dm for row in find_fittings(combatant.items, rifle.id)] == [1]
    assert find_fittings(combatant.items, other.id) == ()


def test_animals_fight_with_what_they_have_grown() -> None:
    beast = block("chaser_beast")
    assert [(item.name, item.data["damage"], item.place) for item in beast.items] == [
        ("Claws", "3d6", "held"),
        ("Stinger", "3d6", "held"),
    ]


@pytest.mark.rule("CE-VMOUNT-03")
def test_vehicles_have_their_weapons_mounted() -> None:
    laser = block("core_afv").items[0]
    assert (laser.kind, laser.name, laser.marks["mount"]) == ("mount", "Triple Laser", "turret")
