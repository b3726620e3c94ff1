"""Lasting effects of doses, devices and maneuvers: their durations, and who is immune."""

from __future__ import annotations

import pytest

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Condition, Until, find_condition
from combat.rules.starshock.body.damage import die, heal
from combat.rules.starshock.body.doses import afflict
from combat.rules.starshock.book import tables
from combat.rules.starshock.book.tables import Effect, Lasting, Maneuver
from combat.rules.starshock.characters.conditions import KINDS, make_lasting_kind
from combat.rules.starshock.fight.aim import Attack, Swing
from combat.rules.starshock.fight.maneuvers import find_choices
from tests.combat.rules.stage import Script
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel


def struck(stage: StarStage, kind: str) -> Condition | None:
    """Bo's condition of this kind after getting it once more."""
    context = RuleContext(stage.system, stage.state, Script([]))
    afflict(context, BO, kind, "SS-COND-01", ADA)
    stage.state = context.state
    return find_condition(stage[BO], kind)


@pytest.mark.rule("SS-PRONE-04", "SS-UNC-05", "SS-COND-01", "SS-COND-02")
@pytest.mark.parametrize("kind", ["prone", "unconscious", "maimed", "hindered"])
def test_what_ends_in_its_own_way_has_no_turn_to_end_with(kind: str) -> None:
    held = struck(duel(), kind)
    assert held
    assert held.until is None


@pytest.mark.rule("SS-UNC-07", "SS-OTHER-24")
def test_who_a_dose_puts_to_sleep_falls_and_lets_go() -> None:
    stage = duel("dagger")
    stage.hold(BO, "dagger")
    stage.do("expose", target=BO, thing="hypnotoxin", dice=[(1, 1)])
    assert (stage.has(BO, "unconscious"), stage.has(BO, "prone")) == (True, True)
    assert stage.find(BO, "dagger") is None


@pytest.mark.rule("SS-COND-01", "SS-BLIND-03")
@pytest.mark.parametrize(
    "until",
    [None, Until(ADA, "end"), Until(BO, "end", 3)],
    ids=["until the GM ends it", "by someone else's turn", "for longer"],
)
def test_what_lasts_longer_already_is_not_cut_short(until: Until | None) -> None:
    stage = duel()
    stage.give(BO, "blinded", until=until)
    held = struck(stage, "blinded")
    assert held
    assert held.until == until


@pytest.mark.rule("SS-COND-01", "SS-COMA-06")
def test_neither_the_dead_nor_the_immune_are_afflicted() -> None:
    stage = duel()
    stage.edit(BO, sheet={**stage[BO].sheet, "immune": ["paralyzed"]})
    assert struck(stage, "paralyzed") is None
    stage.give(BO, "dead")
    assert struck(stage, "blinded") is None


@pytest.mark.rule("SS-OTHER-15", "SS-COMA-06")
@pytest.mark.parametrize(("damage", "dead"), [(0, False), (9, True)])
def test_healing_does_nothing_to_the_dead_and_the_unhurt(damage: int, dead: bool) -> None:
    stage = duel()
    stage.set_track(BO, damage=damage)
    if dead:
        stage.give(BO, "dead")
    context = RuleContext(stage.system, stage.state, Script([]))
    assert heal(context, BO, 3, "action.emergency_medicate", "SS-OTHER-15") == 0
    assert not context.facts
    assert context.state[BO].tracks["damage"] == damage


@pytest.mark.rule("SS-COMA-06")
def test_death_ends_what_came_before_it_and_the_dead_let_go() -> None:
    stage = duel()
    stage.hold(BO, "dagger")
    for kind in ("coma", "treated"):
        stage.give(BO, kind)
    context = RuleContext(stage.system, stage.state, Script([]))
    die(context, BO, "SS-COMA-06")
    assert [held.kind for held in context.state[BO].conditions] == ["dead", "prone"]
    assert not [item for item in context.state[BO].items if item.data.get("id") == "dagger"]


@pytest.mark.rule("SS-OTHER-24")
def test_the_same_dose_begins_again_and_does_not_add_up() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock", gear=("stimulant_shot", "stimulant_shot"))
    stage.begin(ADA, actions=2)
    for sure in (False, True):
        shot = stage.item(ADA, "stimulant_shot").id
        dice = [(2,)] if sure else []
        stage.do("use_consumable", ADA, item=shot, target=ADA, sure=sure, dice=dice)
    assert len([held for held in stage[ADA].conditions if held.kind == "stimulated"]) == 1


@pytest.mark.rule("SS-DMG-10")
def test_who_has_dropped_already_does_not_drop_again() -> None:
    stage = duel(npc_drop="at_15")
    stage.set_track(BO, damage=15)
    stage.give(BO, "unconscious")
    stage.do("adjust", target=BO, track="damage", by=2)
    assert [held.kind for held in stage[BO].conditions] == ["unconscious"]


@pytest.mark.rule("SS-OTHER-24")
def test_a_lasting_effect_does_what_its_row_says(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Lasting(origin="house", id="fever", name="Fever", burns=True, heals_each_turn=3)
    monkeypatch.setitem(tables.lasting(), "fever", row)
    monkeypatch.setitem(KINDS, "fever", make_lasting_kind(row))
    stage = duel("dagger")
    for who in (ADA, BO):
        stage.give(who, "fever", marks={"turns": 2})
        stage.set_track(who, damage=5)
    stage.attack("dagger", (1, 1))
    assert stage.damage(ADA) == 6
    stage.do("next_turn", dice=[(2, 2)])
    assert stage.damage(BO) == 2
    assert [held.marks["turns"] for who in (ADA, BO) for held in stage[who].conditions] == [2, 2]
    stage.do("declare", BO, actions=0)
    stage.do("next_turn", dice=[(3, 2)])
    assert [held.marks["turns"] for who in (ADA, BO) for held in stage[who].conditions] == [2, 1]


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(("kind", "told"), [("prone", "Bo is already prone."), ("blinded", "")])
def test_a_second_fall_is_not_for_sale_and_a_second_blinding_is(kind: str, told: str) -> None:
    stage = duel()
    stage.give(BO, kind)
    swing = Swing(command=Attack(actor=ADA, target=BO, weapon=stage.weapon(ADA, "unarmed")))
    trick = Maneuver(
        origin="house", id="trick", name="Trick", cost=1, effects=(Effect(type="condition", condition=kind),)
    )
    assert [choice.refused for choice in find_choices(stage.state, swing, (trick,), 1)] == [told]
