"""Zero gravity: drifting, holding on, boots, recoil."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.move.weightless import DRIFT, HOLD, marks, void
from tests.typed import sure


@pytest.mark.rule("COS-ZG-05", "COS-ZG-06", "COS-ZG-07")
def test_a_push_into_the_open_drifts_on() -> None:
    stage, ada, bo = void(at=(9.5, 0))
    stage.do("move", ada, to="12.5,0")
    assert (stage.has(ada, "drifting"), marks(stage, ada)) == (True, (1000, 0))
    stage.do("next_turn")
    assert stage[ada].at.x == 13.5
    stage.turn(ada)
    assert stage.refused("move", ada, to="13.5,1").code == "not_allowed"
    assert stage.refused("catch_hold", ada).code == "not_allowed"
    assert stage[bo].at.x == 9


@pytest.mark.rule("COS-ZG-06")
def test_drifting_goes_a_meter_east_at_the_end_of_the_turn() -> None:
    stage, ada, _ = void(at=(20, 0))
    stage.give(ada, "drifting", marks={"x": 1000, "y": 0})
    facts = stage.do("next_turn")
    assert (stage[ada].at.x, stage[ada].at.y) == (21, 0)
    moved, ended = (
        next(n for n, f in enumerate(facts) if isinstance(f.event, kind)) for kind in (e.Moved, e.TurnEnded)
    )
    assert moved < ended
    assert facts[moved].rule == "COS-ZG-06"


@pytest.mark.rule("COS-ZG-05")
def test_drifter_cannot_move_even_at_a_wall_before_catching_hold() -> None:
    stage, ada, _ = void()
    stage.give(ada, "drifting", marks={"x": 1000, "y": 0})
    for name in ("move", "full_move"):
        no = stage.refused(name, ada, to="8,2")
        assert (no.code, no.message) == (
            "not_allowed",
            "Ada drifts: catch hold of something first, or throw something away.",
        )
    stage.do("catch_hold", ada, dice=[(5, 5)])
    stage.do("move", ada, to="8,2")
    assert (stage[ada].at.x, stage[ada].at.y) == (8, 2)


@pytest.mark.rule("COS-ZG-05", "COS-ZG-06")
def test_a_drift_keeps_the_direction_of_the_push() -> None:
    stage, ada, _ = void(at=(9.5, 0))
    stage.do("move", ada, to="11.3,2.4")
    assert marks(stage, ada) == (600, 800)
    stage.do("next_turn")
    assert (stage[ada].at.x, stage[ada].at.y) == (11.9, 3.2)


@pytest.mark.rule("COS-ZG-06")
def test_the_unconscious_drift_too() -> None:
    stage, ada, bo = void(at=(20, 0))
    stage.give(ada, "unconscious")
    stage.give(ada, "drifting", marks={"x": 0, "y": -1000})
    stage.begin(bo, ada)
    stage.do("next_turn")
    assert (stage[ada].at.x, stage[ada].at.y) == (20, -1)


@pytest.mark.rule("COS-ZG-03")
def test_a_failed_bend_keeps_to_the_slant_of_the_push() -> None:
    stage, ada, _ = void(at=(2, 1), skills={"Athletics": 2})
    stage.do("full_move", ada, to="3.2,2.6; 5.2,2.6", dice=[(1, 2)])
    assert (stage[ada].at.x, stage[ada].at.y) == (4.4, 4.2)


@pytest.mark.rule("COS-ZG-03", "COS-ZG-05")
@pytest.mark.parametrize(("dice", "free"), [((2, 3), True), ((2, 2), False)])
def test_catching_hold_ends_a_drift(dice: tuple[int, int], free: bool) -> None:
    stage, ada, _ = void()
    stage.give(ada, "drifting", marks={"x": 1000, "y": 0})
    stage.do("catch_hold", ada, dice=[dice])
    assert stage.has(ada, "drifting") is not free
    assert stage[ada].budget["move"] == 0


@pytest.mark.rule("COS-ZG-08")
def test_throwing_a_thing_west_drifts_east() -> None:
    stage, ada, _ = void(at=(20, 0))
    stage.give(ada, "drifting", marks={"x": 0, "y": 1000})
    pistol = stage.weapon(ada, "pistol")
    stage.do("hurl", ada, item=pistol, to="10,0")
    assert marks(stage, ada) == (1000, 0)
    assert [item.id for item in stage.state.ground] == [pistol]
    assert sure(stage.state.ground[0].at).x == 10
    stage.do("next_turn")
    assert stage[ada].at.x == 21


@pytest.mark.rule("COS-ZG-08")
def test_a_throw_across_drifts_exactly_the_other_way() -> None:
    stage, ada, bo = void(at=(20, 1))
    stage.place(bo, 23, 5)
    stage.do("hurl", ada, item=stage.weapon(ada, "pistol"), to=f"near:{bo}")
    assert marks(stage, ada) == (-600, -800)
    assert stage.state.ground[0].at == Point(26, 9)


@pytest.mark.parametrize("to", ["20,0", "nowhere"])
def test_a_throw_needs_a_direction(to: str) -> None:
    stage, ada, _ = void(at=(20, 0))
    assert stage.refused("hurl", ada, item=stage.weapon(ada, "pistol"), to=to).code == "bad_value"


@pytest.mark.rule("COS-ZG-08", "COS-ACT-08")
def test_only_loose_items_are_thrown_away_for_a_move_action() -> None:
    stage, ada, _ = void(at=(20, 0), gear=("advanced_suit",))
    suit = stage.put(ada, "advanced_suit", "worn")
    for item, name in (
        (suit, stage.item(ada, "advanced_suit").name),
        (stage.weapon(ada, "unarmed"), "Unarmed strike"),
    ):
        no = stage.refused("hurl", ada, item=item, to="10,0").message
        assert no == f"{name} cannot be thrown away."
    stage.do("hurl", ada, item=stage.weapon(ada, "pistol"), to="10,0")
    assert (stage[ada].budget["standard"], stage[ada].budget["move"]) == (1, 0)


@pytest.mark.rule("COS-ZG-05", "COS-ZG-09")
def test_drifter_cannot_brace_and_others_cannot_catch_hold() -> None:
    stage, ada, _ = void()
    assert stage.refused("catch_hold", ada).message == "Ada does not drift."
    stage.give(ada, "drifting", marks={"x": 1000, "y": 0})
    assert stage.refused("brace", ada).message == "Ada drifts: catch hold first."


@pytest.mark.rule("COS-ZG-05", "COS-ENV-01")
@pytest.mark.parametrize("gravity", ["normal", "low", "high"])
def test_who_walks_in_the_open_does_not_drift(gravity: str) -> None:
    stage, ada, _ = void(at=(20, 0))
    for key, value in (("gravity", gravity), ("surfaces", "none")):
        stage.do("set_setting", key=key, value=value)
    stage.do("move", ada, to="22,0")
    assert not stage.has(ada, "drifting")


@pytest.mark.rule("COS-ZG-04")
def test_gravity_again_ends_a_drift() -> None:
    stage, ada, _ = void()
    stage.give(ada, "drifting", marks={"x": 1000, "y": 0})
    stage.do("set_setting", key="gravity", value="normal")
    stage.do("next_turn")
    assert (stage.has(ada, "drifting"), stage[ada].at.x) == (False, 8)


# ---------------------------------------------------------------- boots


@pytest.mark.rule("COS-ZG-04")
def test_boots_on_metal_cancel_it_all() -> None:
    stage, ada, bo = void(gear=("magnetic_boots",), at=(8, 0), weapons=("club",))
    assert stage.derived(ada, "Speed").value == 11
    club = stage.weapon(ada, "club")
    terms = stage.preview("attack", ada, target=bo, weapon=club).modifiers
    assert not any(term.rule == "COS-ENV-02" for term in terms)
    stage.do("attack", ada, target=bo, weapon=club, dice=[(2, 2)])
    assert not stage.has(ada, "drifting")
    stage.do("move", ada, to="3,4; 1,4")
    assert not stage.has(ada, "rough_going")


@pytest.mark.rule("COS-ZG-04")
@pytest.mark.parametrize("surfaces", ["other", "none"])
def test_boots_hold_on_nothing_but_metal(surfaces: str) -> None:
    stage, ada, _ = void(gear=("magnetic_boots",))
    stage.do("set_setting", key="surfaces", value=surfaces)
    assert stage.derived(ada, "Speed").value == 3


# ---------------------------------------------------------------- fighting


@pytest.mark.rule("COS-ENV-04", "COS-ZG-09")
@pytest.mark.parametrize(("dice", "drifts"), [(HOLD, False), (DRIFT, True)])
def test_an_unbraced_blow_asks_for_a_might_save(dice: tuple[int, int], drifts: bool) -> None:
    stage, ada, bo = void(weapons=("club",))
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "club"), dice=[(2, 2), dice])
    save = stage.check("Might save")
    assert (save.total, save.against, save.good) == (5 + sum(dice), 14, not drifts)
    assert stage.has(ada, "drifting") is drifts
    if drifts:
        assert marks(stage, ada) == (-1000, 0)


@pytest.mark.rule("COS-ZG-10")
def test_recoil_pushes_off_the_target() -> None:
    stage, ada, bo = void(at=(4, 0))
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol"), dice=[(9, 9), (4,), DRIFT])
    assert "COS-ZG-10" in stage.rules()
    stage.do("next_turn")
    assert stage[ada].at.x == 3


@pytest.mark.rule("COS-ZG-10")
def test_three_shots_have_one_recoil() -> None:
    stage, ada, bo = void(at=(4, 0))
    pistol = stage.weapon(ada, "pistol")
    stage.do("attack", ada, target=bo, weapon=pistol, attacks=3, dice=[(2, 2), (2, 2), (2, 2), HOLD])
    assert len(stage.checks("Might save")) == 1


@pytest.mark.rule("COS-ZG-09")
def test_a_blow_lacks_footing_whatever_damage_it_does() -> None:
    stage, ada, bo = void(weapons=("club",))
    stage.place(bo, stage[ada].at.x + 1, stage[ada].at.y)
    club = stage.change(ada, "club", type="energy")
    stage.do("attack", ada, target=bo, weapon=club, dice=[(1, 2), (1, 2)])
    assert stage.has(ada, "drifting")


@pytest.mark.rule("COS-ZG-10")
@pytest.mark.parametrize(("kind", "pushes"), [("kinetic", True), ("energy", False), ("stun", False)])
def test_only_kinetic_shots_recoil(kind: str, pushes: bool) -> None:
    stage, ada, bo = void()
    pistol = stage.change(ada, "pistol", type=kind)
    stage.do("attack", ada, target=bo, weapon=pistol, dice=[(1, 2), *([(1, 2)] if pushes else [])])
    assert stage.has(ada, "drifting") is pushes


@pytest.mark.rule("COS-ZG-10", "COS-MANV-17")
def test_a_shot_of_overwatch_recoils_as_well() -> None:
    stage, ada, bo = void()
    stage.do("overwatch", ada, weapon=stage.weapon(ada, "pistol"))
    stage.do("next_turn")
    stage.do(
        "attack",
        bo,
        target=ada,
        weapon=stage.put(bo, "pistol", "held"),
        dice=["shoot", (1, 2), (1, 2), (1, 2), (9, 9)],
    )
    assert (stage.has(ada, "drifting"), stage.has(bo, "drifting")) == (True, False)


@pytest.mark.rule("COS-ZG-09", "COS-COND-37")
@pytest.mark.parametrize("spares", [False, True])
def test_a_coup_de_grace_lacks_footing_too(spares: bool) -> None:
    stage, ada, bo = void(weapons=("club",))
    stage.place(bo, stage[ada].at.x + 1, stage[ada].at.y)
    stage.give(bo, "unconscious")
    club = stage.weapon(ada, "club")
    stage.do("coup_de_grace", ada, target=bo, weapon=club, dice=["no"] if spares else ["yes", DRIFT])
    assert stage.has(ada, "drifting") is not spares


@pytest.mark.rule("COS-ZG-10", "COS-DMG-04")
@pytest.mark.parametrize(("kind", "pushes"), [("kinetic", True), ("explosive", False)])
def test_kinetic_area_weapon_pushes_away_from_its_aim_point(kind: str, pushes: bool) -> None:
    stage, ada, _ = void(at=(4, 0), weapons=("rocket_launcher",))
    stage.edit(ada, sheet={**stage[ada].sheet, "attributes": {**stage[ada].sheet["attributes"], "MIG": 5}})
    cannon = stage.change(ada, "rocket_launcher", type=kind)
    stage.do("blast", ada, weapon=cannon, at="4,60", dice=[DRIFT] if pushes else [])
    assert stage.has(ada, "drifting") is pushes
    if pushes:
        assert marks(stage, ada) == (0, -1000)


@pytest.mark.rule("COS-ZG-10")
def test_a_recoilless_weapon_does_not_push() -> None:
    stage, ada, bo = void(at=(4, 0))
    pistol = stage.change(ada, "pistol", traits=["recoilless"])
    stage.do("attack", ada, target=bo, weapon=pistol, dice=[(2, 2)])
    assert not stage.checks("Might save")


def test_who_is_braced_does_not_drift_until_it_moves() -> None:
    stage, ada, bo = void(at=(8, 0), weapons=("club",))
    stage.do("brace", ada)
    assert stage[ada].budget["quick"] == 2
    assert stage.obstacle("brace", ada)
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "club"), dice=[(2, 2)])
    stage.do("move", ada, to="8,3")
    assert not stage.has(ada, "braced")


@pytest.mark.parametrize("name", ["brace", "catch_hold", "hurl"])
def test_these_actions_are_for_zero_gravity(name: str) -> None:
    stage, ada, _ = void()
    stage.do("set_setting", key="gravity", value="normal")
    assert stage.obstacle(name, ada)


def test_a_fight_with_gravity_asks_no_save() -> None:
    stage, ada, bo = void(weapons=("club",))
    stage.do("set_setting", key="gravity", value="low")
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "club"), dice=[(2, 2)])


def test_the_odds_of_a_blow_in_zero_gravity_count_the_drift() -> None:
    stage, ada, bo = void(weapons=("club",))
    odds = stage.odds("attack", ada, target=bo, weapon=stage.weapon(ada, "club"))
    chances = {measure.label: measure.chance for measure in odds.measures}
    assert chances["Might save: success (Ada)"] == pytest.approx(72 / 100)  # 9 or more on 2d10
