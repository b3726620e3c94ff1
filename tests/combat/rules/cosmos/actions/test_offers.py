"""The first offers of forms, and the reasons that rolls state."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, duel
from tests.combat.rules.cosmos.figures import CosmosStage, words


def crowd() -> CosmosStage:
    """Ada with an ally near and one far, a foe near, one far, and one that is down."""
    stage = CosmosStage()
    stage.hero("Ada")
    stage.hero("Near friend", at=(1, 0))
    stage.hero("Far friend", at=(9, 0))
    stage.foe("Far foe", at=(8, 0))
    stage.foe("Near foe", at=(2, 0))
    down = stage.foe("Downed foe", at=(0.5, 0))
    stage.begin()
    stage.give(down, "unconscious")
    return stage


def offered(stage: CosmosStage, action: str, name: str) -> list[str]:
    return [option.label for option in stage.form(action, ADA)[name].options]


def test_attacks_offer_the_nearest_enemy_that_stands_first() -> None:
    found = offered(crowd(), "attack", "target")
    assert found[:3] == ["Near foe", "Far foe", "Downed foe"]
    assert found[3:] == ["Near friend", "Far friend"]


def test_help_offers_friends_first() -> None:
    found = offered(crowd(), "first_aid", "target")
    assert found.index("Near friend") < found.index("Far friend") < found.index("Near foe")


@pytest.mark.rule("COS-ACT-03")
@pytest.mark.parametrize(("why", "says"), [("a jump", "Athletics (a jump)"), ("", "Athletics")])
def test_roll_says_what_it_is_and_for_what(why: str, says: str) -> None:
    stage = duel()
    stage.do("skill", ADA, attribute="COO", skill="Athletics", tn=11, why=why, dice=[(5, 5)])
    (roll,) = [f.event.roll for f in stage.facts if isinstance(f.event, e.Checked)]
    assert roll is not None
    assert words(roll.why) == says


@pytest.mark.rule("COS-MANV-08")
def test_holder_of_one_has_them_chosen_already() -> None:
    stage = duel(apart=1)
    stage.give(BO, "grappled", by=ADA)
    (field,) = [field for field in stage.form("squeeze", ADA).values() if field.name == "target"]
    assert (field.value, [option.value for option in field.options]) == (BO, [BO])
