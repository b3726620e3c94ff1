"""Zones: their shape, moving between them, breaking away, and their properties."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.state.state import replace
from combat.rules.starshock.book import tables
from combat.rules.starshock.book.tables import Effect, Maneuver
from combat.rules.starshock.world.place import describe_distance
from tests.combat.rules.stage import Given
from tests.combat.rules.starshock.fight.test_attack import give_skills, set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel, terms


def cornered(actions: int = 2, foes: int = 1, **options: Any) -> StarStage:
    """Ada and enemies with daggers in the dock; her turn."""
    stage = StarStage("dock", "hold", "deck", **options)
    stage.hero("Ada", zone="dock", skills=("Move",), dex=2)
    for name in ("Bo", "Cy", "Di")[:foes]:
        stage.foe(name, "dagger", zone="dock", skills=("Melee",), dex=1)
    stage.begin()
    stage.turn(ADA, actions)
    return stage


# ---------------------------------------------------------------- shape


@pytest.mark.rule("SS-ZONE-02")
def test_without_links_zones_that_touch_are_next_to_each_other() -> None:
    stage = StarStage("a", "b", "c")
    stage.hero("Ada", zone="a")
    stage.foe("Bo", zone="a")
    for zone, words in (("a", "same zone"), ("b", "1 zone"), ("c", "2 zones")):
        stage.put(BO, zone)
        assert describe_distance(stage.state, stage[ADA], stage[BO]) == words


@pytest.mark.rule("SS-ZONE-02")
def test_a_link_may_count_for_more_than_one() -> None:
    stage = duel("ray_gun")
    stage.describe("dock", links={"hold": 2})
    stage.put(BO, "hold")
    shown = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun"))
    assert terms(shown.modifiers)["Range (2 zones)"] == -2
    assert stage.refused("move", ADA, to="zone:hold").code == "no_budget"


# ---------------------------------------------------------------- moving


@pytest.mark.rule("SS-OTHER-08")
@pytest.mark.parametrize("number", [-5, 1, 31])
def test_a_move_against_an_impossible_number_is_refused(number: int) -> None:
    stage = duel()
    refused = stage.refused("move", ADA, to="zone:hold", difficulty=number)
    assert (refused.code, refused.message) == ("bad_value", "A difficulty is 2 to 30, or 0 for no check.")


# ---------------------------------------------------------------- breaking away


@pytest.mark.rule("SS-ZONE-07")
def test_leaving_enemies_takes_one_check_however_many() -> None:
    stage = cornered(2, foes=3)
    stage.do("move", ADA, to="zone:hold", dice=[(5, 3)])
    assert stage.check("breaking_away").outcome == "success"


@pytest.mark.rule("SS-ZONE-07")
def test_the_penalty_may_be_left_out_of_it() -> None:
    stage = cornered(3, leave_check_penalty="ignored")
    stage.do("move", ADA, to="zone:hold", dice=[(4, 3)])
    assert stage.check("breaking_away").total == 10


@pytest.mark.rule("SS-ZONE-08")
def test_failure_allows_one_enemy_a_free_attack_before_the_move() -> None:
    stage = cornered(2, foes=2)
    dagger = stage.weapon(BO, "dagger")
    stage.do("move", ADA, to="zone:hold", dice=[(4, 3), f"{BO}/{dagger}", (4, 4)])
    assert stage.check("breaking_away").total == 9
    question = next(asked for asked in stage.asked if isinstance(asked, ChoiceRequest))
    assert question.who == "gm"
    assert {option.value.partition("/")[0] for option in question.options} == {BO, CY, "none"}
    shot = stage.check("attack")
    assert (shot.who, shot.total, shot.against, stage.damage(ADA)) == (BO, 10, 9, 5)
    kinds = [type(event).__name__ for event in (f.event for f in stage.facts)]
    assert kinds.index("TrackChanged") < kinds.index("Moved")
    assert stage.zone_of(ADA) == "hold"


def fleeing(**cy: Any) -> StarStage:
    """Bo, one of the foes, among Ada and Cy with daggers in the dock; Bo's turn."""
    stage = StarStage("dock", "hold")
    stage.hero("Ada", "dagger", zone="dock")
    stage.foe("Bo", zone="dock", dex=1)
    stage.hero("Cy", "dagger", zone="dock", **cy)
    stage.begin()
    stage.turn(BO, 1)
    return stage


@pytest.mark.rule("SS-ZONE-08")
def test_the_players_say_who_strikes_where_they_are_the_enemies() -> None:
    stage = fleeing()
    dagger = stage.weapon(CY, "dagger")
    stage.do("move", BO, to="zone:hold", dice=[(1, 1), f"{CY}/{dagger}", (6, 6), "pass"])
    question = next(asked for asked in stage.asked if isinstance(asked, ChoiceRequest))
    assert question.people == (ADA, CY)
    assert {option.value.partition("/")[0] for option in question.options} == {ADA, CY, "none"}
    assert stage.check("attack").who == CY


@pytest.mark.rule("SS-ZONE-08")
@pytest.mark.parametrize(
    ("changes", "asked"),
    [({}, (ADA, CY)), ({"pc": False}, (ADA,)), ({"side": "pirates"}, ("gm",))],
)
def test_who_is_asked_stands_there_and_is_of_one_side(
    changes: dict[str, Any], asked: tuple[str, ...]
) -> None:
    """An ally without a player may strike too; among enemies of two sides the GM decides."""
    stage = fleeing()
    stage.hero("Di", zone="hold")
    stage.edit(CY, **changes)
    stage.do("move", BO, to="zone:hold", dice=[(1, 1), "none"])
    question = next(asked for asked in stage.asked if isinstance(asked, ChoiceRequest))
    assert question.people == asked
    assert {option.value.partition("/")[0] for option in question.options} == {ADA, CY, "none"}


@pytest.mark.rule("SS-ZONE-08")
def test_a_single_enemy_is_asked_and_may_let_her_go() -> None:
    stage = cornered(1)
    stage.do("move", ADA, to="zone:hold", dice=[(1, 1), "none"])
    question = next(asked for asked in stage.asked if isinstance(asked, ChoiceRequest))
    assert question.who == BO
    assert stage.zone_of(ADA) == "hold"


@pytest.mark.rule("SS-ZONE-08")
@pytest.mark.parametrize(("dice", "there"), [((6, 6), "hold"), ((1, 1), "dock")])
def test_whoever_is_knocked_out_does_not_get_away(dice: tuple[int, int], there: str) -> None:
    stage = cornered(1)
    stage.set_track(ADA, damage=6)
    dagger = stage.weapon(BO, "dagger")
    stage.do("move", ADA, to="zone:hold", dice=[(1, 1), f"{BO}/{dagger}", (5, 4), dice])
    assert stage.damage(ADA) == 11
    assert stage.zone_of(ADA) == there


@pytest.mark.rule("SS-ZONE-08")
def test_whoever_is_knocked_down_or_pushed_does_not_get_away() -> None:
    for weapon, answers in (("unarmed", ("0",)), ("shock_shield", ("0",))):
        stage = cornered(1)
        stage.hold(BO, *([weapon] if weapon != "unarmed" else []))
        fist = stage.weapon(BO, weapon)
        stage.do("move", ADA, to="zone:hold", dice=[(1, 1), f"{BO}/{fist}", (6, 6), *answers])
        assert "Ada does not get away." in stage.said()


@pytest.mark.rule("SS-ZONE-09")
def test_free_attack_in_ones_own_turn_has_no_action_penalty() -> None:
    """Ada slips away in Bo's turn; the Free Move crosses a border."""
    stage = cornered(1, free_move_crosses_zone="once_per_round")
    stage.turn(BO, 3)
    dagger = stage.weapon(BO, "dagger")
    stage.do("free_move", ADA, to="zone:hold", dice=[(1, 1), f"{BO}/{dagger}", (4, 3)])
    assert terms(stage.check("attack").modifiers) == {"Dex": 1, "Melee": 1}
    assert stage[BO].budget == {"actions": 3, "attacks": 1}


@pytest.mark.rule("SS-ZONE-08", "SS-MANV-03")
def test_bonus_attacks_of_a_free_attack_cost_1_more_each_at_once() -> None:
    stage = cornered(1)
    stage.hold(BO, "electron_revolver")
    stage.hero("Cy", zone="dock")
    for who in (ADA, CY):
        set_values(stage, who, resistance=7)
    gun = stage.weapon(BO, "electron_revolver")
    chain: Given = [f"{BO}/{gun}", (5, 5), "0", CY, (5, 5), "0", CY, (1, 1)]
    stage.do("move", ADA, to="zone:hold", dice=[(1, 1), *chain])
    assert [terms(s.modifiers).get("Bonus attacks") for s in stage.checks("attack")] == [None, -1, -2]
    assert (stage.damage(ADA), stage.damage(CY), stage.zone_of(ADA)) == (3, 3, "hold")
    assert "malus" not in stage[BO].marks


@pytest.mark.rule("SS-ZONE-08")
def test_who_crawled_before_and_is_only_hurt_gets_away() -> None:
    stage = cornered(1, prone_crawl="normal")
    stage.give(ADA, "prone")
    dagger = stage.weapon(BO, "dagger")
    stage.do("move", ADA, to="zone:hold", dice=[(1, 1), f"{BO}/{dagger}", (4, 3)])
    assert (stage.damage(ADA), stage.zone_of(ADA)) == (5, "hold")


@pytest.mark.rule("SS-ZONE-08")
@pytest.mark.parametrize(("option", "asked"), [(1, False), ("unlimited", True)])
def test_second_free_attack_is_possible_without_a_tables_limit(option: object, asked: bool) -> None:
    stage = cornered(1, free_attacks_per_round=option)
    dagger = f"{BO}/{stage.weapon(BO, 'dagger')}"
    stage.do("move", ADA, to="zone:hold", dice=[(1, 1), dagger, (1, 1)])
    stage.put(ADA, "dock")
    stage.turn(ADA, 1)
    stage.do("move", ADA, to="zone:hold", dice=[(1, 1), *(["none"] if asked else [])])
    assert stage.zone_of(ADA) == "hold"


@pytest.mark.rule("SS-ZONE-07", "SS-FREE-05")
def test_the_form_of_a_free_move_over_a_border_shows_the_check() -> None:
    stage = cornered(3, free_move_crosses_zone="once_per_round", declare_mode="running")
    shown = stage.preview("free_move", ADA, to="zone:hold")
    assert terms(shown.modifiers) == {"Dex": 2, "Move": 1}
    assert stage.preview("free_move", ADA, to=f"near:{BO}").dice == ""
    stage.do("free_move", ADA, to="zone:hold", dice=[(6, 6)])
    assert stage.check("breaking_away").modifiers == shown.modifiers


@pytest.mark.rule("SS-ZONE-07", "SS-ZONE-10")
@pytest.mark.parametrize("kind", ["paralyzed", "hidden", "neutral"])
def test_who_cannot_attack_or_is_not_seen_is_no_hostile(kind: str) -> None:
    stage = cornered(1)
    if kind == "paralyzed":
        stage.give(BO, "paralyzed")
    else:
        stage.edit(BO, **({"hidden": True} if kind == "hidden" else {"side": "neutral"}))
    stage.do("move", ADA, to="zone:hold")
    assert stage.checks() == []


@pytest.mark.rule("SS-ZONE-10")
def test_from_outside_all_zones_there_is_nothing_to_break_from() -> None:
    stage = cornered(1)
    for who, x in ((ADA, 50), (BO, 90)):
        stage.do("place", target=who, x=x, y=50)
    stage.do("move", ADA, to="zone:dock")
    assert (stage.checks(), stage.zone_of(ADA)) == ([], "dock")


@pytest.mark.rule("SS-ZONE-10")
def test_hidden_one_leaves_without_asking_those_who_see_nobody() -> None:
    stage = cornered(1)
    stage.edit(BO, hidden=True)
    stage.turn(BO, 1)
    stage.do("move", BO, to="zone:hold")
    assert stage.asked == []
    assert stage.zone_of(BO) == "hold"


@pytest.mark.rule("SS-ZONE-07")
def test_enemies_break_away_too_and_a_push_never_does() -> None:
    stage = cornered(1)
    stage.hold(ADA, "shock_shield")
    set_values(stage, BO, armor=7)
    stage.attack("shock_shield", (5, 5), "0")
    assert stage.zone_of(BO) == "hold"
    assert stage.checks("breaking_away") == []
    stage.put(BO, "dock")
    stage.turn(BO, 1)
    stage.do("move", BO, to="zone:hold", dice=[(6, 6)])
    assert stage.check("breaking_away").outcome == "success"


# ---------------------------------------------------------------- properties


@pytest.mark.rule("SS-ZONE-11")
def test_the_gm_gives_a_zone_a_property_of_its_own() -> None:
    stage = duel("needle_gun")
    give_skills(stage, ADA, dex=2)
    stage.describe("hold", properties=[{"name": "Steam", "into": -1, "inside": -2}])
    stage.put(BO, "hold")
    shot = stage.attack("needle_gun", (5, 3))
    assert terms(shot.modifiers)["Steam"] == -1
    assert shot.total == 8
    stage.put(ADA, "hold")
    stage.turn(ADA)
    inside = stage.attack("needle_gun", (5, 3))
    assert terms(inside.modifiers)["Steam"] == -2


@pytest.mark.rule("SS-ZONE-11")
def test_a_property_may_hinder_attacks_out_of_a_zone() -> None:
    stage = duel("needle_gun")
    stage.describe("dock", properties=[{"name": "Railing", "out": -1}])
    stage.put(BO, "hold")
    assert terms(stage.attack("needle_gun", (1, 1)).modifiers)["Railing"] == -1


@pytest.mark.rule("SS-ZONE-12")
def test_no_damage_and_the_prone_need_no_footing() -> None:
    stage = duel("electric_baton")
    stage.describe("dock", terrain=["slippery"])
    stage.attack("electric_baton", (1, 1))
    assert stage.checks("footing") == []
    stage.give(BO, "prone")
    stage.turn(ADA)
    stage.attack("electric_baton", (3, 3))
    assert stage.damage(BO) == 4
    assert stage.checks("footing") == []


@pytest.mark.rule("SS-ZONE-12")
def test_a_hit_without_damage_needs_no_footing() -> None:
    stage = duel("electric_baton")
    stage.describe("dock", terrain=["slippery"])
    baton = stage.item(ADA, "electric_baton")
    stage.edit(ADA, items=(replace(baton, data={**baton.data, "damage": "0"}),))
    assert stage.attack("electric_baton", (4, 4)).outcome == "hit"
    assert (stage.damage(BO), stage.checks("footing")) == (0, [])


@pytest.mark.rule("SS-ZONE-12")
def test_the_footing_comes_after_the_consciousness_check() -> None:
    stage = duel("electric_baton")
    stage.describe("dock", terrain=["slippery"])
    stage.set_track(BO, damage=5)
    stage.attack("electric_baton", (5, 3), (6, 6), (1, 1))
    assert [check.what for check in stage.checks()] == ["attack", "consciousness", "footing"]
    assert stage.has(BO, "prone")


@pytest.mark.rule("SS-ZONE-13")
def test_blows_down_from_an_elevated_zone_gain_nothing() -> None:
    """On a map, where melee may reach over the edge of a zone."""
    stage = duel("venusian_machete", "needle_gun", map_melee_reach_m=2)
    stage.describe("dock", terrain=["elevated"])
    stage.map()
    for who, x in ((ADA, 4), (BO, 6)):
        stage.do("place", target=who, x=x, y=2)
    for weapon, bonus in (("venusian_machete", False), ("needle_gun", True)):
        shown = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, weapon))
        assert ("Elevated" in terms(shown.modifiers)) is bonus


@pytest.mark.rule("SS-ZONE-05", "SS-MAP-01")
def test_way_to_a_zone_is_told_in_zones_or_in_meters_on_a_map() -> None:
    stage = cornered()
    zones = {zone.id: zone for zone in stage.state.scene.zones}

    def way(to: str) -> str:
        return stage.system.space.zones.describe_way(stage.state, stage[ADA], zones[to])

    assert (way("hold"), way("deck")) == ("1 zone", "2 zones")
    stage.describe("dock", links={"hold": 1})
    assert way("deck") == "no way there"
    stage.map()
    assert way("hold").endswith(" m")


@pytest.mark.rule("SS-ZONE-08")
def test_one_paralyzed_by_the_free_attack_does_not_get_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = cornered(1)
    dagger = stage.item(BO, "dagger")
    effect = Effect(type="condition", condition="paralyzed")
    numb = Maneuver(origin="house", id="numb", name="Numb", cost=1, effects=(effect,))
    monkeypatch.setitem(tables.maneuvers(), "numb", numb)
    changed = replace(dagger, data={**dagger.data, "maneuvers": ["numb"]})
    stage.edit(BO, items=(changed, *(item for item in stage[BO].items if item.id != dagger.id)))
    stage.do("move", ADA, to="zone:hold", dice=[(1, 1), f"{BO}/{dagger.id}", (6, 6), "0"])
    assert stage.has(ADA, "paralyzed")
    assert stage.zone_of(ADA) == "dock"
