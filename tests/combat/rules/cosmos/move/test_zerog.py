"""Zero gravity: pushes, drifting, holding on, recoil."""

from __future__ import annotations

import pytest

from combat.rules.core.engine.engine import find_action
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage

HOLD, DRIFT = (4, 5), (4, 4)  # Might save against 14 with Might 5: 14 and 13


def void(
    *, gear: tuple[str, ...] = (), at: tuple[float, float] = (8, 0), **more: object
) -> tuple[CosmosStage, str, str]:
    """A deck from x 0 to 10, open space to x 30, no gravity. Ada on the deck, Bo at (9, 0)."""
    stage = CosmosStage()
    stage.do("set_setting", key="gravity", value="zero")
    stage.zone("deck", x=0, y=-5, width=10, depth=10)
    stage.zone("void", x=10, y=-5, width=20, depth=10, terrain=["open space"])
    ada, bo = stage.hero(at=at, gear=list(gear), **more), stage.foe(at=(9, 0))
    stage.draw_all(ada)
    stage.begin()
    return stage, ada, bo


def marks(stage: CosmosStage, who: str) -> tuple[int, int]:
    """The direction of a drift, in thousandths."""
    held = next(c for c in stage[who].conditions if c.kind == "drifting")
    return held.marks["x"], held.marks["y"]


# ---------------------------------------------------------------- pushing


@pytest.mark.rule("COS-ENV-01", "COS-ZG-01", "COS-ZG-02")
def test_a_push_is_three_metres_whatever_speed_is() -> None:
    stage, ada, _ = void(at=(2, 0))
    assert stage.derived(ada, "Speed").value == 3
    assert stage.refused("move", ada, to="2,3.1").code == "out_of_range"
    stage.do("move", ada, to="2,3")
    assert (stage[ada].at.x, stage[ada].at.y) == (2, 3)


@pytest.mark.rule("COS-ENV-01", "COS-ZG-01")
def test_without_a_map_there_is_always_something_to_push_off() -> None:
    stage = CosmosStage()
    stage.do("set_setting", key="gravity", value="zero")
    ada = stage.hero()
    stage.foe()
    stage.begin()
    stage.do("move", ada, to="0,3")
    assert (stage[ada].at.y, stage.has(ada, "drifting")) == (3, False)
    stage.do("set_setting", key="surfaces", value="none")
    stage.turn(ada)
    assert stage.refused("move", ada, to="0,6").code == "not_allowed"


@pytest.mark.rule("COS-ZG-02")
def test_a_full_move_is_two_pushes() -> None:
    stage, ada, _ = void(at=(2, 0))
    assert stage.refused("full_move", ada, to="8.1,0").code == "out_of_range"
    stage.do("full_move", ada, to="8,0")


@pytest.mark.rule("COS-ZG-02")
def test_wounds_do_not_shorten_a_push() -> None:
    stage, ada, _ = void()
    stage.set_track(ada, hp=20)
    stage.give(ada, "fatigued")
    assert stage.derived(ada, "Speed").value == 3


@pytest.mark.rule("COS-ENV-01")
def test_without_a_surface_there_is_no_moving() -> None:
    stage, ada, _ = void(at=(20, 0))
    refused = stage.refused("move", ada, to="20,1")
    assert (refused.code, "within 1 m" in refused.message) == ("not_allowed", True)


@pytest.mark.rule("COS-ENV-01")
def test_a_thruster_pack_flies_anywhere_and_spends_a_charge() -> None:
    stage, ada, _ = void(gear=("thruster_pack",), at=(20, 0))
    assert stage.derived(ada, "Speed").value == 10
    stage.do("move", ada, to="24,0; 24,4")
    assert stage.item(ada, "thruster_pack").marks["used"] == 1
    assert not stage.has(ada, "drifting")
    stage.mark(ada, "thruster_pack", used=19)
    assert stage.derived(ada, "Speed").value == 10
    stage.mark(ada, "thruster_pack", used=20)
    stage.turn(ada)
    assert stage.refused("move", ada, to="20,1").code == "not_allowed"


@pytest.mark.rule("COS-ENV-01", "COS-ZG-05", "COS-ZG-06")
@pytest.mark.parametrize(("used", "drift", "x"), [(0, None, 22), (19, (1000, 0), 23)])
def test_a_thruster_pack_ends_a_drift_and_its_last_charge_begins_another(
    used: int, drift: tuple[int, int] | None, x: int
) -> None:
    stage, ada, _ = void(gear=("thruster_pack",), at=(20, 0))
    stage.mark(ada, "thruster_pack", used=used)
    stage.give(ada, "drifting", marks={"x": 0, "y": 1000})
    stage.do("move", ada, to="22,0")
    assert (marks(stage, ada) if stage.has(ada, "drifting") else None) == drift
    stage.do("next_turn")
    assert stage[ada].at.x == x


@pytest.mark.rule("COS-TERR-06", "COS-ENV-01")
def test_pushing_costs_defense_and_no_double_metres() -> None:
    stage, ada, _ = void(at=(2, 0))
    (moved,) = [e_ for e_ in _do(stage, ada) if isinstance(e_, e.Moved)]
    assert (moved.metres, moved.cost) == (3, 3)
    assert stage.derived(ada, "Defense").value == 16


def _do(stage: CosmosStage, ada: str) -> list[object]:
    return [fact.event for fact in stage.do("move", ada, to="2,3")]


@pytest.mark.rule("COS-TERR-06")
def test_a_zone_without_gravity_is_rough_but_costs_single() -> None:
    stage = CosmosStage()
    stage.zone("hold", x=0, y=-5, width=30, depth=10, terrain=["zero-g"])
    ada = stage.hero(at=(2, 0))
    stage.foe(at=(20, 0))
    stage.begin()
    stage.do("move", ada, to="5,0")
    (moved,) = stage.told(e.Moved)
    assert (moved.cost, stage.has(ada, "rough_going")) == (3, True)
    assert not any(said.key == "log.in_hazard" for said in stage.told(e.Said))


def bay(tag: str = "zero-g", at: float = -4, **ada: object) -> tuple[CosmosStage, str, str]:
    """A floor from x -20 to 0, and a bay from there to 30 that is weightless, or under water."""
    stage = CosmosStage()
    stage.zone("floor", x=-20, y=-20, width=20, depth=40)
    stage.zone("bay", x=0, y=-20, width=30, depth=40, terrain=[tag])
    who, bo = stage.hero(at=(at, 0), **ada), stage.foe(at=(25, 15))
    stage.begin()
    return stage, who, bo


@pytest.mark.rule("COS-ZG-02", "COS-ENV-01")
def test_who_walks_into_zero_gravity_pushes_from_there_on() -> None:
    """Speed 11: 5.5 m of floor are half of the Move Action, and the other half is half a push of 3 m."""
    stage, ada, _ = bay(at=-5.5)
    assert stage.refused("move", ada, to="2,0").code == "out_of_range"
    stage.do("move", ada, to="1.5,0")
    (moved,) = stage.told(e.Moved)
    assert (moved.metres, moved.cost) == (7, 11)
    assert stage.has(ada, "rough_going")


@pytest.mark.rule("COS-ZG-02", "COS-ENV-01")
def test_who_pushes_off_towards_firm_ground_walks_on_from_there() -> None:
    stage, ada, _ = bay(at=1.5)
    assert stage.refused("move", ada, to="-6,0").code == "out_of_range"
    stage.do("move", ada, to="-5.5,0")
    assert stage.told(e.Moved)[0].cost == 3


@pytest.mark.rule("COS-ZG-02", "COS-XENV-01")
@pytest.mark.parametrize(("tag", "x"), [("zero-g", 1.5), ("underwater", 2.5)])
def test_as_far_as_it_goes_counts_the_ground_beyond(tag: str, x: float) -> None:
    stage, ada, _ = bay(tag, at=-5.5)
    stage.do("move", ada, to="20,0", far=True)
    assert stage[ada].at.x == pytest.approx(x, abs=0.11)
    assert stage.told(e.Moved)[0].cost <= 11


@pytest.mark.rule("COS-XENV-01", "COS-MOVE-03", "COS-MOVE-05")
@pytest.mark.parametrize(("name", "times"), [("move", 1), ("full_move", 2), ("sprint", 3)])
def test_each_metre_under_water_counts_by_half_the_speed(name: str, times: int) -> None:
    """Speed 11 and 5 under water: where the floor ends 5.5 m away, half of the first action is left."""
    stage, ada, _ = bay("underwater", at=-5.5)
    end = 5 * times - 2.5
    assert stage.refused(name, ada, to=f"{end + 0.2},0").code == "out_of_range"
    stage.do(name, ada, to=f"{end},0")
    assert stage.told(e.Moved)[0].cost == 11 * times


@pytest.mark.rule("COS-XENV-01", "COS-MOVE-09")
def test_half_speed_is_not_halved_again_under_water() -> None:
    stage, ada, _ = bay("underwater", at=-2)
    stage.do("move", ada, to="3,0", careful=True)
    assert stage.told(e.Moved)[0].cost == 5


@pytest.mark.rule("COS-XENV-01", "COS-TERR-02")
def test_rubble_under_water_doubles_what_the_water_makes_of_it() -> None:
    stage, ada, _ = bay("underwater", at=0)
    stage.zone("wreck", x=0.01, y=-5, width=20, depth=10, terrain=["underwater", "rubble"])
    stage.place(ada, 0, 0)
    assert stage.refused("move", ada, to="2.7,0").code == "out_of_range"
    stage.do("move", ada, to="2.5,0")


@pytest.mark.rule("COS-MOVE-02", "COS-XENV-01", "COS-ZG-02")
@pytest.mark.parametrize("tag", ["zero-g", "underwater"])
@pytest.mark.parametrize("at", [-4, 2])
def test_the_map_marks_what_the_ground_on_the_way_allows(tag: str, at: float) -> None:
    stage, ada, _ = bay(tag, at=at)
    find_reach = find_action(stage.system, "move").find_reach
    assert find_reach is not None
    marked = {square.at.x: square for square in find_reach(stage.state, ada) if square.at.y == 0}
    before = stage.state
    for x in (n for n in range(-16, 30, 2) if n != at):
        stage.state = before
        if x in marked:
            stage.do("move", ada, to=f"{x},0")
        else:
            assert stage.refused("move", ada, to=f"{x},0").code == "out_of_range"


@pytest.mark.rule("COS-ZG-02", "COS-ZG-04")
def test_boots_that_hold_on_deck_leave_their_wearer_to_pushes_beyond_it() -> None:
    """Speed 11 on the deck; beyond 1 m from its edge only pushes of 3 m."""
    stage, ada, _ = void(at=(5.5, 0), gear=("magnetic_boots",))
    assert stage.derived(ada, "Speed").value == 11
    assert stage.refused("move", ada, to="16,0").code == "out_of_range"


@pytest.mark.rule("COS-MOVE-05", "COS-COMBO-01")
@pytest.mark.parametrize("name", ["sprint", "charge"])
def test_neither_sprint_nor_charge_into_zero_gravity(name: str) -> None:
    stage, ada, bo = bay(weapons=("club",))
    stage.draw_all(ada)
    stage.place(bo, 3, 0)
    fields = {"to": "2,0"} if name == "sprint" else {"target": bo, "weapon": stage.weapon(ada, "club")}
    refused = stage.refused(name, ada, **fields)
    assert (refused.code, "without gravity" in refused.message) == ("not_allowed", True)


@pytest.mark.rule("COS-COMBO-01", "COS-XENV-01")
def test_a_charge_into_water_goes_as_far_as_the_water_lets() -> None:
    stage, ada, bo = bay("underwater", at=-11, weapons=("club",))
    stage.draw_all(ada)
    stage.change(ada, "club", traits=["underwater"])
    club = stage.weapon(ada, "club")
    stage.place(bo, 6.2, 0)
    assert stage.refused("charge", ada, target=bo, weapon=club).code == "out_of_range"
    stage.place(bo, 6, 0)
    stage.do("charge", ada, target=bo, weapon=club, dice=[(1, 2)])
    assert stage[ada].at.x == 5


@pytest.mark.rule("COS-ZG-03")
@pytest.mark.parametrize(("bend", "dice"), [("-2,0; -2,2", []), ("1,0; 1,1", [(9, 9)])])
def test_only_a_bend_in_zero_gravity_takes_the_check(bend: str, dice: list[object]) -> None:
    stage, ada, _ = bay(at=-3)
    stage.do("full_move", ada, to=bend, dice=dice)


@pytest.mark.rule("COS-ZG-03")
def test_a_failed_bend_goes_straight_on_up_to_a_wall() -> None:
    stage, ada, _ = bay(at=-3)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 1.8, "y1": -9, "x2": 1.8, "y2": 9}]})
    stage.do("full_move", ada, to="1,0; 1,2", dice=[(1, 2)])
    assert 1 <= stage[ada].at.x < 1.8
    assert stage[ada].at.y == 0


@pytest.mark.rule("COS-ZG-05")
def test_who_walks_into_weightless_open_space_drifts_on() -> None:
    stage, ada, _ = bay(at=-1)
    zones = [
        replace(z, terrain=("zero-g", "open space")) if z.id == "bay" else z for z in stage.state.scene.zones
    ]
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=tuple(zones)))
    stage.do("move", ada, to="2,0")
    assert marks(stage, ada) == (1000, 0)


@pytest.mark.parametrize("name", ["sprint", "charge"])
def test_neither_sprint_nor_charge_without_gravity(name: str) -> None:
    stage, ada, bo = void(at=(2, 0), weapons=("club",))
    fields = {"to": "5,0"} if name == "sprint" else {"target": bo, "weapon": stage.weapon(ada, "club")}
    refused = stage.refused(name, ada, **fields)
    assert (refused.code, "without gravity" in refused.message) == ("not_allowed", True)


# ---------------------------------------------------------------- turning


@pytest.mark.rule("COS-ZG-03")
def test_a_bend_takes_coordination_and_athletics() -> None:
    stage, ada, _ = void(at=(2, 0), skills={"Athletics": 2})
    stage.do("full_move", ada, to="4,0; 4,2", dice=[(2, 2)])
    check = stage.check("Athletics")
    assert (check.total, check.against, check.outcome) == (11, 11, "outcome.success")
    assert (stage[ada].at.x, stage[ada].at.y) == (4, 2)


@pytest.mark.rule("COS-ZG-03")
def test_a_failed_bend_goes_straight_on() -> None:
    stage, ada, _ = void(at=(2, 0), skills={"Athletics": 2})
    stage.do("full_move", ada, to="4,0; 4,2", dice=[(1, 2)])
    assert (stage[ada].at.x, stage[ada].at.y) == (6, 0)


# ---------------------------------------------------------------- drifting


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
def test_drifting_goes_a_metre_east_at_the_end_of_the_turn() -> None:
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
def test_who_drifts_does_not_move_even_beside_a_wall_before_catching_hold() -> None:
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
    assert stage.state.ground[0].at.x == 10
    stage.do("next_turn")
    assert stage[ada].at.x == 21


@pytest.mark.rule("COS-ZG-08")
def test_a_throw_across_drifts_exactly_the_other_way() -> None:
    stage, ada, bo = void(at=(20, 1))
    stage.place(bo, 23, 5)
    stage.do("hurl", ada, item=stage.weapon(ada, "pistol"), to=f"near:{bo}")
    assert marks(stage, ada) == (-600, -800)
    assert (stage.state.ground[0].at.x, stage.state.ground[0].at.y) == (26, 9)


@pytest.mark.parametrize("to", ["20,0", "nowhere"])
def test_a_throw_needs_a_direction(to: str) -> None:
    stage, ada, _ = void(at=(20, 0))
    assert stage.refused("hurl", ada, item=stage.weapon(ada, "pistol"), to=to).code == "bad_value"


@pytest.mark.rule("COS-ZG-08", "COS-ACT-08")
def test_a_throw_takes_a_move_action_and_nothing_that_is_worn_or_part_of_the_body() -> None:
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
def test_who_drifts_braces_against_nothing_and_who_does_not_catches_no_hold() -> None:
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


@pytest.mark.rule("COS-ZG-10")
def test_a_laser_does_not_push() -> None:
    stage, ada, bo = void(at=(4, 0), weapons=("laser_pistol",))
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "laser_pistol"), dice=[(2, 2)])
    assert not stage.checks("Might save")


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
    assert stage.refusal("brace", ada)
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "club"), dice=[(2, 2)])
    stage.do("move", ada, to="8,3")
    assert not stage.has(ada, "braced")


@pytest.mark.parametrize("name", ["brace", "catch_hold", "hurl"])
def test_these_actions_are_for_zero_gravity(name: str) -> None:
    stage, ada, _ = void()
    stage.do("set_setting", key="gravity", value="normal")
    assert stage.refusal(name, ada)


def test_a_fight_with_gravity_asks_no_save() -> None:
    stage, ada, bo = void(weapons=("club",))
    stage.do("set_setting", key="gravity", value="low")
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "club"), dice=[(2, 2)])


def test_the_odds_of_a_blow_in_zero_gravity_count_the_drift() -> None:
    stage, ada, bo = void(weapons=("club",))
    odds = stage.odds("attack", ada, target=bo, weapon=stage.weapon(ada, "club"))
    chances = {measure.label: measure.chance for measure in odds.measures}
    assert chances["Might save: success (Ada)"] == pytest.approx(72 / 100)  # 9 or more on 2d10
