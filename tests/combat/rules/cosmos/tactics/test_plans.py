"""The choices of the tactics: weapon, attack, target, cover, retreat; forecasts are fair."""

from __future__ import annotations

from math import sqrt
from typing import Any

import msgspec
import pytest

from combat.play.scenes.ready import find_ready_scene
from combat.rules import find_system
from combat.rules.core.basics.errors import allows
from combat.rules.core.odds.forecast import play_many, sum_up
from combat.rules.core.state.state import Item, State, replace
from combat.rules.cosmos.book.tables import weapons
from combat.rules.cosmos.fight.aim import Attack, check_attack, prepare
from combat.rules.cosmos.tactics import chance_of, find_manners
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.every_game.autoplay import play
from tests.combat.rules.stage import Stage

SYSTEM = find_system("cosmos")
ALLY = {"weapons": ("knife",)}


def versus(*weapons: str, apart: float = 10, foe: dict[str, Any] | None = None, **more: Any) -> CosmosStage:
    """Ada (f1) with all weapons in hand, on her turn; Bo (f2) this many meters east."""
    stage = CosmosStage(**more.pop("options", {}))
    stage.hero(weapons=weapons, **more)
    stage.foe(at=(apart, 0), **(foe or {}))
    stage.draw_all("f1")
    return stage.begin()


def spend(stage: CosmosStage, who: str = "f1", **left: int) -> None:
    """Leave only this much of some pools."""
    stage.edit(who, budget={**stage[who].budget, **left})


def weapon_of(stage: CosmosStage, fields: dict[str, Any], who: str = "f1") -> str:
    """The catalog name of the chosen weapon."""
    return str(next(item.data["id"] for item in stage[who].items if item.id == fields["weapon"]))


# ---------------------------------------------------------------- attacks


@pytest.mark.parametrize(("margin", "share"), [(-2, 0.99), (-11, 0.55), (-20, 0.01), (-30, 0.01), (5, 0.99)])
def test_chances_are_those_of_two_dice(margin: int, share: float) -> None:
    assert chance_of(margin) == pytest.approx(share)


@pytest.mark.rule("COS-DMG-08")
def test_what_armor_stops_is_not_tried() -> None:
    stage = versus("knife", "rifle", apart=1, foe={"armor": "plate"})
    spend(stage, move=1, quick=0)
    assert weapon_of(stage, stage.choose()[1]) == "knife"
    stage.edit("f2", items=tuple(harden(item, 99) for item in stage["f2"].items))
    assert stage.choose()[0] not in ("attack", "charge")


def harden(item: Item, points: int) -> Item:
    return replace(item, data={**item.data, "protection": points}) if item.kind == "armor" else item


def test_the_stronger_weapon_is_used() -> None:
    stage = versus("taser", "pistol", apart=8)
    spend(stage, move=0, quick=0)
    name, fields = stage.choose()
    assert (name, weapon_of(stage, fields)) == ("attack", "pistol")
    stage = versus("pistol", "sword", apart=1)
    spend(stage, move=0, quick=0)
    assert weapon_of(stage, stage.choose()[1]) == "sword"


@pytest.mark.parametrize("change", [{}, {"place": "carried"}, {"loaded": 0}, {"marks": {"jammed": True}}])
def test_who_has_a_gun_does_not_strike_with_bare_hands(change: dict[str, Any]) -> None:
    """Though a blow of the skilled deals more: it does not hit more often."""
    stage = versus("pistol", apart=1, skills={"Combat": 4}, attributes={"COO": 5})
    stage.change_item("f1", "pistol", **change)
    first = {"place": "draw", "loaded": "reload", "marks": "reload"}.get(next(iter(change), ""), "")
    name, fields = stage.choose()
    if first:
        assert (name, fields["item"]) == (first, stage.item("f1", "pistol").id)
        stage.do(name, "f1", **fields)
        name, fields = stage.choose()
    assert name == "quick_aim"
    stage.do(name, "f1", **fields)
    assert weapon_of(stage, stage.choose()[1]) == "pistol"


def test_bare_hands_strike_if_they_deal_more_and_hit_more_often() -> None:
    stage = versus("pistol", apart=1, skills={"Combat": 4}, attributes={"COO": 1, "MIG": 6})
    spend(stage, move=0)
    assert weapon_of(stage, stage.choose()[1]) == "unarmed"


def test_who_has_no_gun_draws_a_blade_before_a_blow() -> None:
    stage = versus("knife", apart=1)
    stage.put("f1", "knife", "carried")
    assert stage.choose() == ("draw", {"item": stage.item("f1", "knife").id})
    spend(stage, move=0)
    assert weapon_of(stage, stage.choose()[1]) == "unarmed"


@pytest.mark.parametrize(("trades", "chosen"), [(True, "move"), (False, "")])
def test_mover_closes_in_only_if_a_standard_action_may_be_a_move(trades: bool, chosen: str) -> None:
    stage = versus("knife", apart=60, options={"trade_standard_for_move": trades})
    spend(stage, move=0)
    assert stage.choose()[0] == chosen
    stage.give("f1", "prone")
    assert stage.choose()[0] == ("stand" if trades else "")


def test_a_hard_shot_without_haste_is_aimed() -> None:
    stage = versus("rifle")
    stage.give("f2", "total_defense")
    name, fields = stage.choose()
    assert (name, fields.get("aimed")) == ("attack", True)


@pytest.mark.parametrize("held", ["", "moved", "quick_aim"])
@pytest.mark.parametrize("most", [1, 3])
def test_every_manner_of_a_legal_attack_is_legal(most: int, held: str) -> None:
    """However few rounds are left, for every weapon of the book. [COS-MOD-08] [COS-MOD-09] [COS-ATK-11]"""
    counted = 0
    for name in [weapon for weapon, record in weapons().items() if "area" not in record.traits]:
        stage = versus(name, apart=1, options={"max_attacks": most})
        if held:
            stage.give("f1", held)
        for left in (1, 2, 3, 9):
            items = stage["f1"].items
            stage.edit(
                "f1", items=tuple(replace(i, loaded=None if i.loaded is None else left) for i in items)
            )
            submission = Attack(actor="f1", target="f2", weapon=stage.item("f1", name).id)
            if allows(check_attack, stage.state, submission):
                for fields, *_ in find_manners(stage.state, prepare(stage.state, submission)):
                    check_attack(stage.state, replace(submission, **fields))
                    counted += 1
    assert counted > 50


def test_who_has_moved_takes_a_quick_aim_first() -> None:
    stage = versus("rifle")
    stage.give("f1", "moved")
    spend(stage, move=0)
    assert stage.choose()[0] == "quick_aim"
    stage.do("quick_aim", "f1")
    name, fields = stage.choose()
    assert (name, fields.get("aimed")) == ("attack", None)


def test_only_an_easy_target_is_attacked_more_than_once() -> None:
    stage = versus("sword", apart=1)
    stage.give("f2", "stunned")
    stage.give("f2", "prone")
    assert stage.choose()[1].get("attacks", 1) > 1
    stage = versus("club", apart=1, skills={"Combat": 0}, attributes={"MIG": 3})
    stage.give("f2", "total_defense")
    assert stage.choose()[1].get("attacks", 1) == 1
    stage = versus("sword", apart=1, options={"max_attacks": 1})
    stage.give("f2", "stunned")
    assert stage.choose()[1].get("attacks", 1) == 1


def test_a_burst_is_fired_at_thick_armor_while_there_are_rounds() -> None:
    stage = versus("assault_rifle", foe={"armor": "powered"})
    spend(stage, move=0, quick=0)
    assert stage.choose()[1].get("burst") is True
    stage.change_item("f1", "assault_rifle", loaded=2)
    assert stage.choose()[1].get("burst") is None


def test_who_can_be_taken_out_is_attacked_first() -> None:
    stage = versus("rifle")
    cy = stage.state
    stage.state = replace(cy, phase="prep")
    weak = stage.foe("Cy", (12, 0))
    stage.state = replace(stage.state, phase="fight")
    stage.set_track(weak, hp=3)
    spend(stage, move=0, quick=0)
    assert stage.choose()[1]["target"] == weak


@pytest.mark.rule("COS-DMG-05")
def test_stun_weapons_are_not_wasted_on_those_they_cannot_hurt() -> None:
    stage = versus("taser", "knife", apart=1)
    spend(stage, move=0, quick=0)
    stage.set_track("f2", hp=24)
    assert weapon_of(stage, stage.choose()[1]) == "knife"


def test_grenade_goes_to_clustered_enemies_but_not_among_friends() -> None:
    stage = CosmosStage()
    stage.hero(weapons=("pistol", "grenade"))
    for number, place in enumerate(((12, 0), (13, 1), (12, 2))):
        stage.foe(f"Bo {number}", place)
    stage.begin()
    name, fields = stage.choose()
    assert (name, fields) == ("draw", {"item": stage.item("f1", "grenade").id})
    stage.do("draw", "f1", **fields)
    name, fields = stage.choose()
    assert (name, fields["at"].partition(":")[0]) == ("blast", "near")
    friends = CosmosStage()
    friends.hero(weapons=("pistol", "grenade"))
    friends.foe(at=(12, 0))
    friends.hero("Cy", (12, 1), **ALLY)
    friends.begin()
    assert friends.choose()[0] not in ("blast", "draw")


# ---------------------------------------------------------------- position


def at_the_wall(**wall: Any) -> CosmosStage:
    """Ada in the open, a wall 4 m beside her, Bo with a rifle 20 m east; both can shoot."""
    stage = CosmosStage()
    stage.zone("yard", x=-5, y=-5, width=40, depth=10)
    stage.zone("wall", **{"x": -3, "y": 5, "width": 6, "depth": 4, "cover": "heavy", **wall})
    stage.hero(weapons=("rifle",))
    stage.foe(at=(20, 0), weapons=("rifle",))
    return stage.begin()


@pytest.mark.rule("COS-DEF-03", "COS-COVER-03")
def test_a_shooter_goes_behind_cover_before_it_shoots() -> None:
    stage = at_the_wall()
    assert stage.choose() == ("move", {"to": "zone:wall"})
    stage.do("move", "f1", to="zone:wall")
    assert stage.choose()[0] == "quick_aim"


@pytest.mark.rule("COS-DEF-03")
def test_shooter_uses_the_movement_left_to_get_behind_cover() -> None:
    stage = at_the_wall()
    spend(stage, standard=0)
    assert stage.choose() == ("move", {"to": "zone:wall"})
    spend(stage, move=0)
    assert stage.choose() == ("", {})


@pytest.mark.rule("COS-DEF-03")
@pytest.mark.parametrize(
    "wall", [{"cover": "total"}, {"cover": ""}, {"terrain": ["fire"]}, {"x": 30, "y": 20}]
)
def test_no_shelter_that_burns_hides_the_enemy_or_is_too_far(wall: dict[str, Any]) -> None:
    assert at_the_wall(**wall).choose()[0] != "move"


def test_a_combatant_in_melee_stays_where_it_is() -> None:
    stage = at_the_wall()
    stage.draw_all("f1")
    stage.place("f2", 1, 0)
    stage.edit("f1", items=tuple(i for i in stage["f1"].items if i.data["id"] != "rifle"))
    assert stage.choose()[0] == "attack"


# ---------------------------------------------------------------- retreat


@pytest.mark.rule("COS-COMBO-06")
def test_who_is_critical_attacks_and_falls_back() -> None:
    stage = versus("pistol", apart=3)
    stage.set_track("f1", hp=20)
    name, fields = stage.choose()
    assert (name, fields["to"], weapon_of(stage, fields)) == ("retreat", "away:f2", "pistol")
    stage.do("retreat", "f1", dice=[(1, 2)], **fields)
    assert stage["f1"].at.x < 0
    stage.turn("f1")
    assert stage.choose()[0] != "retreat", "nobody gives way twice to those who follow as fast"


@pytest.mark.rule("COS-COMBO-06")
def test_critical_shooter_shoots_on_if_nobody_can_reach_them() -> None:
    stage = versus("rifle", apart=40)
    stage.set_track("f1", hp=20)
    assert stage.choose()[0] in ("quick_aim", "attack")


@pytest.mark.rule("COS-MOVE-03")
def test_critical_one_who_cannot_attack_runs_from_the_hale_only() -> None:
    stage = versus("knife", apart=30)
    stage.set_track("f1", hp=20)
    assert stage.choose() == ("full_move", {"to": "away:f2"})
    stage.set_track("f2", hp=20)
    assert stage.choose()[0] == "move"


def test_who_is_hurt_less_fights_on() -> None:
    stage = versus("pistol", apart=3)
    stage.set_track("f1", hp=24)
    assert stage.choose()[0] == "attack"


# ---------------------------------------------------------------- the wounded


@pytest.mark.rule("COS-MED-17", "COS-COND-03")
def test_a_dose_or_a_bandage_is_used_when_it_is_needed() -> None:
    stage = versus("pistol", gear=("nano_dose", "pressure_bandage"))
    assert stage.choose()[0] == "quick_aim"
    stage.give("f1", "bleeding")
    assert stage.choose() == ("apply", {"target": "f1", "item": stage.item("f1", "pressure_bandage").id})
    stage.set_track("f1", hp=20)
    assert stage.choose() == ("apply", {"target": "f1", "item": stage.item("f1", "nano_dose").id})
    stage.do("apply", "f1", **stage.choose()[1])
    assert (stage.hp("f1"), stage.has("f1", "bleeding")) == (96, False)
    assert stage.choose()[0] == "quick_aim"


def beside_the_dying(**more: Any) -> CosmosStage:
    """Ada beside Cy (f3), who is dying; Bo far away."""
    stage = CosmosStage()
    stage.hero(**more)
    stage.foe(at=(10, 0))
    stage.hero("Cy", (1, 0))
    stage.begin()
    stage.do("adjust", target="f3", track="hp", to=-1)
    return stage


@pytest.mark.rule("COS-STATE-23", "COS-MED-03")
def test_a_dying_comrade_comes_before_the_enemy_for_who_can_help() -> None:
    assert beside_the_dying(skills={"Medicine": 4}, gear=("first_aid_kit",)).choose() == (
        "first_aid",
        {"target": "f3"},
    )
    assert beside_the_dying(attributes={"INT": 1}).choose()[0] == "quick_aim"
    patched = beside_the_dying(gear=("auto_stabilizer",))
    assert patched.choose()[0] == "apply"
    patched.do("apply", "f1", **patched.choose()[1])
    assert patched.has("f3", "stable")
    assert patched.choose()[0] in ("quick_aim", "attack")


# ---------------------------------------------------------------- forecasts

FIGHTS = 40


def line_up(block: str, *sides: tuple[str, int], cover: bool = False) -> State:
    """This many of a stat block on each side, 12 m apart; with `cover`, crates behind either."""
    stage = Stage(SYSTEM)
    if cover:
        for name, x in (("west", -6), ("east", 14)):
            stage.zone(name, x=x, y=-6, width=4, depth=16, cover="light")
    for row, (side, count) in enumerate(sides):
        for number in range(count):
            stage.add(f"{side} {number}", side, (12.0 * row, 2.0 * number), block=block)
    return stage.state


def find_wins(block: str, *sides: tuple[str, int], cover: bool = False) -> dict[str, float]:
    """The share of fights each side wins."""
    return sum_up(list(play_many(SYSTEM, line_up(block, *sides, cover=cover), FIGHTS, seed=4))).wins


@pytest.mark.slow
@pytest.mark.parametrize(("block", "cover"), [("pirate", True), ("brutari_berserker", False)])
def test_mirror_fights_come_out_even(block: str, cover: bool) -> None:
    """Each side stands, and joins, first in half of the fights; shooters in the open: core/odds."""
    first = find_wins(block, ("left", 1), ("right", 1), cover=cover)
    second = find_wins(block, ("right", 1), ("left", 1), cover=cover)
    left, right = (first.get(side, 0) + second.get(side, 0) for side in ("left", "right"))
    assert left + right > 1.5, "too many fights have no winner"
    assert abs(left - right) < 4 * sqrt(2 / FIGHTS), (first, second)


@pytest.mark.slow
def test_another_berserker_never_helps_two_heroes() -> None:
    """Shooters, and a single hero: core/odds."""
    block = "brutari_berserker"
    wins = [find_wins(block, ("allies", 2), ("enemies", count)).get("allies", 0.0) for count in (1, 2, 3)]
    error = 3 * sqrt(0.25 / FIGHTS)
    assert wins[1] < wins[0] + error
    assert wins[2] < wins[1] + error
    assert wins[2] < wins[0]


def test_gap_at_the_turns_end_keeps_nobody_behind_a_house() -> None:
    """Around the guard house of a checkpoint, Ada's first turn ends between its drawn places."""
    stage = Stage(SYSTEM)
    stage.do("set_scene", scene=msgspec.to_builtins(find_ready_scene("checkpoint").lay_out(SYSTEM)))
    stage.add("Bo", "enemies", at=(28.5, 0.5), block="street_thug")
    ada = stage.add("Ada", at=(2.5, 4.5), block="soldier")
    fight = play(SYSTEM, stage.state, seed=1, rounds=1)
    assert next(move.name for move in fight.moves if move.command.actor == ada) == "move"
