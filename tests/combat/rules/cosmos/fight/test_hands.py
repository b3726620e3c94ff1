"""Two hands hold what two hands hold: when drawn, picked up, caught, loaded from a sheet, and by tactics.

RULING R59
"""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state.state import Combatant
from combat.rules.cosmos.characters.catalogue import HANDS, count_hands
from tests.combat.rules.cosmos.duels import ADA, BO, duel
from tests.combat.rules.cosmos.figures import CosmosStage, sheet
from tests.combat.rules.games import GAMES

pytestmark = pytest.mark.rule("COS-ACT-10")


def count_held(combatant: Combatant) -> int:
    return sum(count_hands(item) for item in combatant.items if item.place == "held")


def armed(*weapons: str, **more: Any) -> CosmosStage:
    """Ada with the first weapon in hand and the others put away, on her turn; Bo a meter east has a sword."""
    stage = CosmosStage()
    stage.hero(weapons=weapons, **more)
    stage.foe(at=(1, 0), weapons=("sword",))
    return stage.begin()


@pytest.mark.parametrize(
    ("weapons", "drawn", "why"),
    [
        (("rifle", "pistol"), "pistol", "Pistol takes a hand: put Rifle away first (Move Action)."),
        (("pistol", "rifle"), "rifle", "Rifle takes both hands: put Pistol away first (Move Action)."),
        (("pistol", "sword"), "sword", ""),
    ],
)
def test_drawing_says_what_to_put_away(weapons: tuple[str, ...], drawn: str, why: str) -> None:
    stage = armed(*weapons)
    item = stage.weapon(ADA, drawn)
    option = next(one for one in stage.form("draw", ADA)["item"].options if one.value == item)
    assert option.refused == why
    if why:
        assert stage.refused("draw", ADA, item=item).message == why
        stage.do("draw", ADA, item=stage.weapon(ADA, weapons[0]))
        stage.turn(ADA)
    stage.do("draw", ADA, item=item)
    assert stage.item(ADA, drawn).place == "held"
    assert count_held(stage[ADA]) <= HANDS


def test_a_third_thing_finds_no_hand() -> None:
    stage = armed("pistol", "sword", "knife")
    stage.do("draw", ADA, item=stage.weapon(ADA, "sword"))
    no = stage.refused("draw", ADA, item=stage.weapon(ADA, "knife"))
    assert no.message == "Knife takes a hand: put Pistol and Sword away first (Move Action)."


@pytest.mark.parametrize(("shield", "place"), [("riot_shield", "carried"), ("void_shield", "held")])
def test_a_shield_on_the_hand_takes_one_and_a_worn_one_none(shield: str, place: str) -> None:
    stage = armed("rifle", shield=shield)
    assert (stage.item(ADA, "rifle").place, stage.item(ADA, shield).place) == ("held", place)
    assert armed("club", shield=shield).item(ADA, shield).place == "held"


@pytest.mark.rule("COS-MANV-09")
@pytest.mark.parametrize(
    ("weapon", "others", "caught"),
    [("club", (), True), ("spear", (), False), ("club", ("knife",), False)],
)
def test_what_is_caught_takes_a_free_hand_or_falls_at_ones_feet(
    weapon: str, others: tuple[str, ...], caught: bool
) -> None:
    stage = armed(weapon, *others)
    for other in others:
        stage.put(ADA, other, "held")
    stage.do("disarm", ADA, target=BO, weapon=stage.weapon(ADA, weapon), dice=[(10, 10)])
    assert (stage.find(ADA, "sword") is not None) is caught
    assert [(item.name, item.at) for item in stage.state.ground] == (
        [] if caught else [("Sword", stage[ADA].at)]
    )
    assert count_held(stage[ADA]) <= HANDS


def test_a_sheet_that_holds_more_than_two_hands_hold_is_refused() -> None:
    things = [
        {"id": f"i{n}", "kind": "weapon", "entry": one, "place": "held"}
        for n, one in enumerate(("spear", "knife"))
    ]
    stage = CosmosStage()
    no = stage.refused("join", side="allies", name="Ada", sheet=sheet(weapons=(), items=things))
    assert "holds items for 3 hands; there are 2" in no.message


def test_nobody_of_the_book_holds_more_than_two_hands_hold() -> None:
    stage = CosmosStage()
    blocks = [*GAMES["cosmos"].book.find_blocks()]
    for block in blocks:
        stage.do("join", block=block, side="enemies")
    assert len(stage.state.combatants) == len(blocks) > 10
    assert [one.name for one in stage.state.combatants.values() if count_held(one) > HANDS] == []


def test_tactics_free_the_hands_before_they_draw() -> None:
    """A spent rifle is dropped for the pistol; a sword is put away for the rifle, and both are drawn next."""
    stage = duel("rifle", "pistol", apart=30, bo={"weapons": ("pistol",)})
    stage.put(ADA, "pistol", "carried")
    stage.change_item(ADA, "rifle", loaded=0, spares=0)
    assert stage.choose() == ("drop", {"item": stage.weapon(ADA, "rifle")})
    stage.do("drop", ADA, item=stage.weapon(ADA, "rifle"))
    assert stage.choose() == ("draw", {"item": stage.weapon(ADA, "pistol")})
    other = duel("sword", "rifle", apart=30)
    other.put(ADA, "rifle", "carried")
    assert other.choose() == ("draw", {"item": other.weapon(ADA, "sword")})
    other.do("draw", ADA, item=other.weapon(ADA, "sword"))
    assert other.choose() == ("draw", {"item": other.weapon(ADA, "rifle")})
