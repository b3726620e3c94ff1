"""Conditions of the GM's own: made, changed, given, and carried by who has them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.rules.core.gm.own_conditions import MAX_OWN, SIGNS
from combat.rules.core.state import events as e
from combat.rules.core.state.state import encode
from tests.combat.rules.games import GAMES
from tests.combat.rules.reading import read_all, read_log
from tests.combat.rules.stage import Stage

ADA, BO = "f1", "f2"
CURSE: dict[str, Any] = {"name": "Cursed", "sign": "mind", "turns": 3, "note": "Touched the idol."}


def curse(stage: Stage, **more: Any) -> None:
    stage.do("define_condition", **{**CURSE, **more})


def test_own_condition_is_made_given_and_over_after_its_turns(duel: Stage) -> None:
    curse(duel)
    assert read_all(duel) == ["Own condition Cursed: Touched the idol."]
    assert read_log(duel) == []
    duel.do("give_condition", target=BO, kind="o1", turns=1)
    assert read_log(duel) == ["Bo: Cursed."]
    held = duel[BO].conditions[-1]
    assert duel.system.kinds.sign_of(held) == "mind"
    assert duel.system.characters.describe_held(held).text == "Touched the idol."
    duel.do("next_turn")
    duel.do("next_turn")
    assert "Bo: Cursed ends (time is up)." in read_log(duel)
    assert duel[BO].conditions == ()


def test_given_again_it_begins_again_and_counts_once(duel: Stage) -> None:
    curse(duel)
    duel.do("give_condition", target=BO, kind="o1")
    duel.do("give_condition", target=BO, kind="o1", turns=2)
    assert read_log(duel) == ["Bo: Cursed (2 turns)."]
    (held,) = duel[BO].conditions
    assert held.until is not None
    duel.do("take_condition", target=BO, condition=held.id)
    assert read_log(duel) == ["Bo: Cursed ends (GM)."]


def test_who_has_it_keeps_it_as_it_was_when_it_changes_or_goes(duel: Stage) -> None:
    curse(duel)
    duel.do("give_condition", target=BO, kind="o1")
    curse(duel, own="o1", name="Blessed", note="")
    duel.do("drop_condition", own="o1")
    assert duel.state.own_conditions is UNSET
    assert [held.label for held in duel[BO].conditions] == ["Cursed"]
    assert duel.system.characters.describe_held(duel[BO].conditions[0]).text == "Touched the idol."
    assert duel.refused("give_condition", target=ADA, kind="o1").code == "unknown"
    assert duel.refused("drop_condition", own="o1").code == "unknown"


def test_a_fight_without_any_is_stored_as_before(duel: Stage) -> None:
    duel.give(BO, "shaken")
    assert b"own" not in encode(duel.state)


def test_only_the_gm_has_the_list_but_all_see_given_conditions(duel: Stage) -> None:
    curse(duel)
    assert {fact.to for fact in duel.facts} == {e.GM_ONLY}
    duel.do("give_condition", target=BO, kind="o1")
    seen = redact(duel.state, Viewer())
    assert seen.own_conditions is UNSET
    assert [held.label for held in seen[BO].conditions] == ["Cursed"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": " "}, "1 to 60"),
        ({"name": "x" * 61}, "1 to 60"),
        ({"name": "shaken"}, "The game has a condition shaken"),
        ({"sign": "prone"}, "Choose a sign"),
        ({"sign": "<b>"}, "Choose a sign"),
        ({"changes": {"luck": 1}}, "“luck”"),
        ({"effects": ["no_luck"]}, "“no_luck”"),
        ({"turns": 101}, "0 to 100"),
        ({"turns": -1}, "0 to 100"),
        ({"note": "x" * 201}, "200 characters"),
        ({"own": "o7"}, "no longer in the list"),
    ],
)
def test_impossible_own_condition_is_refused_with_the_reason(
    duel: Stage, wrong: dict[str, Any], told: str
) -> None:
    assert told in duel.refused("define_condition", **{**CURSE, **wrong}).message


def test_names_differ_and_a_fight_has_at_most_twenty(duel: Stage) -> None:
    curse(duel)
    assert "another name" in duel.refused("define_condition", name="CURSED").message
    assert "change something" in duel.refused("define_condition", own="o1", **CURSE).message
    for number in range(MAX_OWN - 1):
        curse(duel, name=f"Curse {number}")
    assert "up to 20" in duel.refused("define_condition", name="One more").message


def test_every_sign_is_a_kind_of_the_legend(duel: Stage) -> None:
    for place, sign in enumerate(SIGNS[:MAX_OWN]):
        curse(duel, name=f"Sign {place}", sign=sign)
    assert len(duel.state.all_own_conditions) == MAX_OWN


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_refuses_more_points_than_it_allows(slug: str) -> None:
    stage = Stage(GAMES[slug])
    rules = stage.system.characters.own_conditions
    for number in rules.changes:
        assert (
            "changes a number by"
            in stage.refused("define_condition", name="Odd", changes={number: rules.most + 1}).message
        )
    every = dict.fromkeys(rules.changes, -1)
    curse(stage, changes=every, effects=[*rules.effects])
    assert stage.state.all_own_conditions[0].changes == every


def test_own_condition_counts_in_odds_and_the_sum_names_it() -> None:
    stage = Stage(GAMES["cosmos"])
    stage.add("Ada", block="soldier")
    stage.add("Bo", "enemies", (5, 0), block="street_thug")
    stage.begin(ADA, BO)
    attack = {"target": BO, "weapon": f"{ADA}-1"}
    before = stage.odds("attack", ADA, **attack)
    curse(stage, changes={"attack": -2}, effects=["no_standard"])
    stage.do("give_condition", target=ADA, kind="o1")
    assert stage.odds("attack", ADA, **attack) != before
    terms = stage.preview("attack", ADA, **attack).modifiers
    drawn = [(stage.system.draw(term.label), term.value) for term in terms]
    assert ("Cursed (table condition)", -2) in drawn


# ---------------------------------------------------------------- for the GM alone


def test_secret_one_is_in_no_fact_and_no_state_of_others(duel: Stage) -> None:
    curse(duel, name="Xylocurse", secret=True)
    told = [*duel.do("give_condition", target=ADA, kind="o1", turns=1), *duel.do("next_turn")]
    for _ in duel.state.order[1:]:
        told += duel.do("next_turn")
    seen = encode(redact(duel.state, Viewer("seat", frozenset({ADA}))))
    duel.do("give_condition", target=ADA, kind="o1")
    assert b"Xylo" not in seen + encode(redact(duel.state, Viewer("seat", frozenset({ADA}))))
    told += duel.facts
    told += duel.do("take_condition", target=ADA, condition=duel[ADA].conditions[-1].id)
    assert "Xylo" in str(told)
    for viewer in (Viewer(), Viewer("seat", frozenset({ADA}))):
        assert "Xylo" not in str(viewer.select(told))
        assert not any(isinstance(fact.event, e.ConditionEnded) for fact in viewer.select(told))


def test_secret_conditions_changes_are_summed_without_its_name(duel: Stage) -> None:
    rules = duel.system.characters.own_conditions
    changes = dict.fromkeys(rules.changes, -1)
    curse(duel, name="Xylocurse", secret=True, changes=changes, effects=tuple(rules.effects))
    duel.do("give_condition", target=ADA, kind="o1")
    viewer = Viewer("seat", frozenset({ADA}))
    assert redact(duel.state, viewer).combatants[ADA].conditions == ()
    (blank,) = redact(duel.state, viewer, effects=True).combatants[ADA].conditions
    assert blank.own is not UNSET
    assert (blank.own.changes, blank.label) == (changes, "something unseen")
    assert blank.own.note == ""
    assert b"Xylo" not in encode(redact(duel.state, viewer, effects=True))
