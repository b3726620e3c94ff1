"""A trait that the book does not know does what its row says, column by column, on an item of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from combat.rules.cosmos.book import tables
from combat.rules.cosmos.book.tables import Trait
from combat.rules.cosmos.characters.catalogue import CATALOGUE, count_hands
from combat.rules.cosmos.hazards.ground import fire_armor
from combat.rules.cosmos.hazards.protection import hazard_terms, suit_record
from tests.combat.rules.cosmos.duels import ADA, BO, duel, strike, sums
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.every_game.facts.figures import forget_all

ODD = "odd"


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Put a trait with these columns in the book."""

    def put(**columns: Any) -> None:
        row = Trait(id=ODD, name="Odd", effect="odd", rule="COS-ATK-03", origin="own", **columns)
        monkeypatch.setitem(tables.traits(), ODD, row)
        forget_all()

    yield put
    monkeypatch.undo()
    forget_all()


def odd_duel(weapon: str = "pistol", **more: Any) -> CosmosStage:
    """A duel in which Ada's weapon has the trait alone."""
    stage = duel(weapon, **more)
    stage.change(ADA, weapon, traits=[ODD])
    return stage


def refusal(stage: CosmosStage, **fields: Any) -> str:
    return stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), **fields).message


def test_attack_and_damage_are_terms_with_its_name(make: Any) -> None:
    make(attack=-1, damage_unarmored=3)
    stage = odd_duel()
    assert ("Odd", -1, "COS-ATK-03") in [(t.label, t.value, t.rule) for t in sums(stage).modifiers]
    strike(stage, faces=(9, 9), damage=5)
    assert stage.hp(BO) == 96 - 5 - 3


def test_might_and_hands(make: Any) -> None:
    make(min_might=6, hands=2)
    stage = odd_duel()
    assert refusal(stage) == "Pistol needs Might 6."
    stage = odd_duel(ada={"attributes": {"MIG": 6}, "shield": "buckler"})
    assert refusal(stage).startswith("Pistol takes both hands: put ")


def test_a_burst_and_a_spray_take_its_rounds(make: Any) -> None:
    make(burst_rounds=4, burst_damage=5, max_attacks=4, spray_rounds=9)
    stage = odd_duel(max_attacks=1)
    assert stage.form("attack", ADA)["burst"].label == "Burst: 4 rounds, +5 damage"
    strike(stage, faces=(9, 9), damage=5, burst=True)
    assert (stage.item(ADA, "pistol").loaded, stage.hp(BO)) == (15 - 4, 96 - 5 - 5)
    stage.turn(ADA)
    weapon = stage.weapon(ADA, "pistol")
    stage.do("attack", ADA, target=BO, weapon=weapon, attacks=4, dice=[(2, 3)] * 4)
    assert stage.item(ADA, "pistol").loaded == 11 - 9


def test_slow_weapon_is_ready_again_after_its_rounds(make: Any) -> None:
    make(every_rounds=3)
    stage = odd_duel()
    strike(stage, faces=(2, 3))
    stage.turn(ADA)
    stage.wait(6)
    assert refusal(stage) == "Pistol is slow: it is ready again in 2 rounds."
    stage.wait(6)
    assert refusal(stage) == "Pistol is slow: it is ready again next round."
    stage.wait(6)
    assert sums(stage)


@pytest.mark.parametrize(("save", "dice"), [("MIG", (8, 5)), ("COO", (7, 5))])
def test_a_hit_brings_its_condition_unless_the_save_is_enough(
    make: Any, save: str, dice: tuple[int, int]
) -> None:
    make(save=save, tn=18, condition="blinded")
    for less, held in ((1, True), (0, False)):
        stage = odd_duel()
        weapon, roll = stage.weapon(ADA, "pistol"), (dice[0] - less, dice[1])
        stage.do("attack", ADA, target=BO, weapon=weapon, dice=[(9, 9), (4,), roll])
        assert stage.has(BO, "blinded") is held


def test_an_area_has_its_save(make: Any) -> None:
    make(tags=("area",), save="AWA", tn=11)
    stage = odd_duel()
    stage.change(ADA, "pistol", radius_m=2)
    weapon = stage.weapon(ADA, "pistol")
    preview = stage.preview("blast", ADA, weapon=weapon, at=f"near:{BO}")
    assert [(stage.read(term.label), term.value) for term in preview.against] == [("Awareness save", 11)]
    assert refusal(stage) == "Pistol hits an area: use “Grenade or area weapon”."


def test_armor_is_a_suit_and_helps_against_poison(make: Any) -> None:
    make(suit="advanced_suit", toxin_save=4)
    stage = CosmosStage()
    ada = stage.hero(armor="light")
    stage.change(ada, "light", traits=[ODD])
    worn = stage.item(ada, "light")
    assert (suit_record(worn) or {})["id"] == "advanced_suit"
    assert [term.value for term in hazard_terms(stage.state, stage[ada], "toxic")] == [4]
    assert fire_armor(stage.state, stage[ada])


def test_a_built_in_weapon_is_in_hand_and_takes_none(make: Any) -> None:
    make(tags=("built in",), hands=0)
    stage = odd_duel()
    assert CATALOGUE.is_built_in("weapon", stage.item(ADA, "pistol").data)
    assert count_hands(stage.item(ADA, "pistol")) == 0


def test_weapon_that_jams_does_so_unless_it_is_reliable(make: Any) -> None:
    for tags, jammed in ((("jams",), True), (("jams", "reliable"), False)):
        make(tags=tags)
        stage = odd_duel(fumbles=False)
        strike(stage, faces=(1, 1))
        assert bool(stage.item(ADA, "pistol").marks.get("jammed")) is jammed


def test_finesse_leaves_the_attribute_open(make: Any) -> None:
    make(tags=("finesse",))
    stage = odd_duel("sword", apart=1)
    terms = {stage.read(term.label): term.value for term in sums(stage, "sword").modifiers}
    assert terms["Coordination"] == 6


def test_armor_is_ignored(make: Any) -> None:
    make(tags=("ignores armor",))
    stage = odd_duel(bo={"armor": "heavy"})
    strike(stage, faces=(9, 9), damage=5)
    assert stage.hp(BO) == 96 - 5
