"""How the tactics handle the environment first, and the options of this chapter's areas."""

from __future__ import annotations

import pytest

from combat.rules.core.state.events import OptionSet
from tests.combat.rules.cosmos.figures import CosmosStage, lone, pair


def suggest(stage: CosmosStage, who: str) -> tuple[str, str]:
    """The suggested action and its item, if any."""
    submission = stage.system.tactics.suggest(stage.state, who)
    return ("", "") if submission is None else (submission[0], getattr(submission[1], "item", ""))


def test_in_vacuum_the_suit_goes_on_first() -> None:
    stage, ada = lone(gear=["filter_mask", "basic_suit"])
    stage.foe()
    stage.begin()
    assert suggest(stage, ada)[0] == "quick_aim"
    stage.do("set_setting", key="air", value="vacuum")
    suit = stage.item(ada, "basic_suit").id
    assert suggest(stage, ada) == ("suit", suit)
    stage.do("suit", ada, item=suit)
    assert suggest(stage, ada)[0] == "quick_aim"


def test_a_suit_that_does_not_help_stays_off() -> None:
    stage, ada = lone(gear=["filter_mask", "basic_suit"])
    stage.foe()
    stage.mark(ada, "basic_suit", used=4 * 3600)
    stage.do("set_setting", key="air", value="vacuum")
    stage.begin()
    assert suggest(stage, ada)[0] == "quick_aim"


def test_flames_are_put_out_before_anything_else() -> None:
    stage, ada = lone()
    stage.foe()
    stage.give(ada, "burning")
    stage.begin()
    assert suggest(stage, ada)[0] == "extinguish"


def test_a_drifter_catches_hold_where_it_can() -> None:
    stage, ada = lone()
    stage.foe()
    stage.do("set_setting", key="gravity", value="zero")
    stage.give(ada, "drifting")
    stage.begin()
    assert suggest(stage, ada)[0] == "catch_hold"
    stage.do("set_setting", key="surfaces", value="none")
    assert suggest(stage, ada)[0] == "attack"


@pytest.mark.rule("COS-MANV-03", "COS-MANV-05")
@pytest.mark.parametrize("plight", ["grappled", "pinned"])
def test_who_is_held_or_pinned_breaks_free(plight: str) -> None:
    stage, ada, bo = pair(at=(1, 0))
    stage.give(ada, plight, by=bo)
    stage.begin()
    assert suggest(stage, ada)[0] == "break_free"


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(("value", "hp"), [("off", 64), (20, 20), ("33", 33), (999, 999)])
def test_minions_may_have_any_hit_points(value: object, hp: int) -> None:
    stage = CosmosStage()
    block = next(b for b in stage.system.book.find_blocks().values() if b.tier == "Minion")
    stage.do("set_option", key="minion_hp", value=value)
    (told,) = stage.told(OptionSet)
    assert told.value == ("off" if value == "off" else hp)
    who = stage.add("Grunt", "enemies", block=block.id)
    formula = 40 + 8 * block.sheet["attributes"]["MIG"] + 4 * block.sheet["attributes"]["RES"]
    assert stage.hp(who) == (formula if value == "off" else hp)


@pytest.mark.parametrize("value", [0, 1000, -5, "many", "1.5", True])
def test_strange_hit_points_of_minions_are_refused(value: object) -> None:
    stage = CosmosStage()
    refused = stage.refused("set_option", key="minion_hp", value=value)
    assert (refused.code, "1 to 999" in refused.message) == ("bad_value", True)
