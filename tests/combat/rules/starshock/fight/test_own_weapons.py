"""A weapon of one's own does what its row says: each column of its form, and each kind of maneuver."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.sheets.catalogue import find_record_problems
from combat.rules.core.state.state import replace
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.book import tables
from combat.rules.starshock.book.tables import Effect, Maneuver
from tests.combat.rules.starshock.fight.test_attack import set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, terms

LASH = {
    "id": "lash",
    "name": "Lash",
    "origin": "own",
    "hands": 1,
    "modes": ["ranged"],
    "damage": "3",
    "attributes": ["int"],
    "versus": "armor",
    "skills": ["Survival"],
    "value": 5,
}


def with_lash(**columns: Any) -> StarStage:
    """Ada, whose own lash has these columns, and Bo beside her with Armor 8 and Resistance 7."""
    record = {**LASH, **columns}
    assert SYSTEM.book.catalogue
    assert not find_record_problems(SYSTEM.book.catalogue, "weapon", record)
    magazine = columns.get("magazine")
    lash = {"id": "i1", "kind": "weapon", "record": record, "place": "held", "loaded": magazine}
    stage = StarStage("dock", "hold", "deck", "roof")
    stage.hero("Ada", zone="dock", items=[lash], skills=("Survival",), gear=("simple_poison",))
    stage.foe("Bo", "dagger", zone="dock")
    stage.foe("Cy", zone="dock")
    set_values(stage, BO, armor=8, resistance=7)
    return stage.begin(ADA, BO, actions=2)


def sums(stage: StarStage, zone: str = "dock") -> dict[str, int]:
    """The terms of the attack on Bo in a zone."""
    stage.put(BO, zone)
    return terms(stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "lash")).modifiers)


def refuse(stage: StarStage, zone: str = "dock") -> str:
    stage.put(BO, zone)
    return stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "lash")).message


# ---------------------------------------------------------------- columns


@pytest.mark.rule("SS-ATK-04", "SS-ATK-05", "SS-PEN-05", "SS-RANGE-03", "SS-RANGE-05")
@pytest.mark.parametrize(
    ("columns", "zone", "changed"),
    [
        ({}, "dock", {}),
        ({"attributes": ["dex", "int"]}, "dock", {"Int": None, "Dex": 2}),
        ({"skills": ["Melee"]}, "dock", {"Survival": None}),
        ({"ignores_action_penalty": True}, "dock", {"Action Penalty": None}),
        ({"near_penalty": -2}, "dock", {"Too close": -2}),
        ({}, "deck", {"Range (2 zones)": -2}),
        ({"zones_per_penalty": 2}, "deck", {"Range (2 zones)": -1}),
    ],
)
def test_the_sum_follows_the_columns(
    columns: dict[str, Any], zone: str, changed: dict[str, int | None]
) -> None:
    usual = {"Int": 1, "Survival": 1, "Action Penalty": -1}
    found = sums(with_lash(**columns), zone)
    assert found == {key: value for key, value in (usual | changed).items() if value is not None}


@pytest.mark.rule("SS-ATK-06", "SS-ATK-10", "SS-DEF-07", "SS-RANGE-01", "SS-RANGE-02")
def test_its_damage_value_reach_load_and_hands_follow_too() -> None:
    stage = with_lash(versus="resistance", damage="1d6", magazine=1, armor=2)
    assert stage.number(ADA, "Armor") == 7 + 2 + 2
    shot = stage.attack("lash", (3, 3), (6,))
    assert (shot.against, stage.damage(BO)) == (7, 6)
    stage.turn(ADA)
    assert "empty" in refuse(stage)
    assert "reaches 1 zone" in refuse(with_lash(max_zones=1), "deck")
    assert "Out of reach" in refuse(with_lash(modes=["melee"]), "deck")
    both = with_lash(hands=2)
    both.edit(ADA, items=(*both[ADA].items, replace(both.item(BO, "dagger"), id="d1")))
    assert "takes both hands" in refuse(both)


# ---------------------------------------------------------------- maneuvers


@pytest.mark.rule("SS-MANV-03", "SS-MANV-05")
@pytest.mark.parametrize(
    ("name", "answers", "conditions"),
    [
        ("blind", (), ["blinded"]),
        ("knock_prone", (), ["prone"]),
        ("stun", ((1, 1),), ["unconscious", "prone"]),
        ("disintegrate_limb", (), ["maimed"]),
    ],
)
def test_own_weapon_buys_the_maneuvers_of_the_catalogue(
    name: str, answers: tuple[Any, ...], conditions: list[str]
) -> None:
    stage = with_lash(maneuvers=[name])
    set_values(stage, BO, armor=7)
    stage.attack("lash", (6, 6), "0", *answers)
    assert [held.kind for held in stage[BO].conditions] == conditions


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(
    ("effect", "answers", "harm"),
    [
        ({"type": "damage", "amount": "1d6"}, ((3,),), (3 + 3, 0)),
        ({"type": "splash", "amount": "2"}, (CY,), (3, 2)),
        ({"type": "reroll"}, (), (3, 0)),
        ({"type": "extra_attack", "free": True, "penalty": -3}, (BO, (6, 6)), (6, 0)),
        ({"type": "extra_attack", "free": True, "other_target": True}, (CY, (6, 6)), (3, 3)),
        ({"type": "check_or", "attribute": "prs", "difficulty": 9, "condition": "woozy"}, ((1, 1),), (3, 0)),
        ({"type": "push"}, (), (3, 0)),
        ({"type": "swap"}, (), (3, 0)),
    ],
)
def test_a_made_up_maneuver_does_what_its_row_says(
    monkeypatch: pytest.MonkeyPatch, effect: dict[str, Any], answers: tuple[Any, ...], harm: tuple[int, int]
) -> None:
    row = Maneuver(origin="house", id="trick", name="Trick", cost=1, effects=(Effect(**effect),))
    stage = with_lash()
    monkeypatch.setitem(tables.maneuvers(), "trick", row)
    lash = stage.item(ADA, "lash")
    armed = replace(lash, data={**lash.data, "maneuvers": ["trick"]})
    stage.edit(ADA, items=(armed, *(item for item in stage[ADA].items if item.id != lash.id)))
    stage.put(ADA, "hold")
    stage.attack("lash", (6, 6), "0", *answers)
    assert (stage.damage(BO), stage.damage(CY)) == harm
    assert stage.has(BO, "woozy") is (effect["type"] == "check_or")
    assert (stage.zone_of(ADA) == "dock") is (effect["type"] == "swap")
    assert stage.has(BO, "prone") is (effect["type"] == "push")  # no zone behind them


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(
    ("name", "why"), [("reload_at_once", "Needs no ammunition."), ("inject_payload", "No payload loaded.")]
)
def test_what_the_weapon_is_not_made_for_is_not_for_sale(name: str, why: str) -> None:
    stage = with_lash(maneuvers=[name, "blind"])
    stage.attack("lash", (6, 5), "pass")
    (question,) = [asked for asked in stage.asked if hasattr(asked, "options")]
    assert [option.refused for option in question.options] == [why, "", ""]


@pytest.mark.rule("SS-MANV-03")
def test_own_weapon_takes_a_dose_if_it_is_made_for_one() -> None:
    stage = with_lash(takes_payload=True, maneuvers=["inject_payload"], ignores_action_penalty=True)
    stage.do("reload", ADA, item=stage.weapon(ADA, "lash"), dose=stage.item(ADA, "simple_poison").id)
    stage.attack("lash", (6, 5), "0", (3,))
    assert stage.damage(BO) == 3 + 3
