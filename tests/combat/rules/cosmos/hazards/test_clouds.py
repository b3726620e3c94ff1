"""Flash, gas and smoke grenades."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Piece, Point
from combat.rules.core.space.plane import piece_of
from combat.rules.core.state.state import Until, replace
from combat.rules.cosmos.environment import lay
from combat.rules.cosmos.fight.blast import Blast, find_area, find_victims, smoke
from combat.rules.cosmos.world.scene import look_at
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.stage import Die, Script


def thrown(entry: str, **foe: Any) -> tuple[CosmosStage, str, str]:
    """Ada with a grenade in hand, Bo 15 m away."""
    stage = CosmosStage()
    ada, bo = stage.hero(weapons=("pistol", entry)), stage.foe(at=(15, 0), **foe)
    stage.put(ada, entry, "held")
    stage.begin()
    return stage, ada, bo


def throw(stage: CosmosStage, who: str, entry: str, at: str, *dice: Die) -> None:
    stage.do("blast", who, weapon=stage.weapon(who, entry), at=at, dice=dice)


@pytest.mark.rule("COS-DMG-04")
@pytest.mark.parametrize(("dice", "blinded"), [((4, 5), False), ((4, 4), True)])
def test_flash_blinds_for_three_turns_unless_awareness_saves(dice: tuple[int, int], blinded: bool) -> None:
    stage, ada, bo = thrown("flash_grenade")
    throw(stage, ada, "flash_grenade", f"near:{bo}", dice)
    save = stage.check("Awareness save")
    assert (save.total, save.against) == (5 + sum(dice), 14)
    assert (stage.has(bo, "blinded"), stage.hp(bo)) == (blinded, 96)
    for _ in range(5):
        stage.do("next_turn")
    assert stage.has(bo, "blinded") is blinded
    stage.do("next_turn")
    assert not stage.has(bo, "blinded")


@pytest.mark.rule("COS-DMG-04")
def test_gas_knocks_out_for_ten_minutes() -> None:
    stage, ada, bo = thrown("gas_grenade")
    throw(stage, ada, "gas_grenade", f"near:{bo}", (6, 5))
    assert stage.check("Might save").against == 17
    assert stage.has(bo, "unconscious")
    stage.do("pass_time", minutes=9)
    assert stage.has(bo, "unconscious")
    stage.do("pass_time", minutes=1)
    assert not stage.has(bo, "unconscious")


@pytest.mark.rule("COS-DMG-04", "COS-HAZ-20")
def test_a_mask_helps_against_gas() -> None:
    stage, ada, bo = thrown("gas_grenade", gear=["filter_mask"])
    stage.put(bo, "filter_mask", "worn")
    throw(stage, ada, "gas_grenade", f"near:{bo}", (4, 5))
    assert not stage.has(bo, "unconscious")


@pytest.mark.rule("COS-DMG-04")
@pytest.mark.parametrize(
    "more",
    [{"immune": ["toxic"]}, {"armor": "powered"}, {"abilities": {"immune_poison_disease_suffocation": True}}],
)
def test_gas_does_nothing_to_those_who_do_not_breathe_it(more: dict[str, object]) -> None:
    stage, ada, bo = thrown("gas_grenade", **more)
    throw(stage, ada, "gas_grenade", f"near:{bo}")
    assert not stage.has(bo, "unconscious")


@pytest.mark.rule("COS-DMG-04")
def test_gas_that_need_not_be_breathed_knocks_out_despite_a_seal() -> None:
    stage, ada, bo = thrown("gas_grenade", armor="powered")
    stage.change(
        ada, "gas_grenade", effect={"save": "MIG", "tn": 17, "condition": "Unconscious", "rounds": 2}
    )
    throw(stage, ada, "gas_grenade", f"near:{bo}", (6, 5))
    for _ in range(2):
        assert stage.has(bo, "unconscious")
        stage.do("next_turn")
    assert not stage.has(bo, "unconscious")


@pytest.mark.rule("COS-DMG-04", "COS-COND-34", "COS-COND-21")
def test_who_the_gas_knocks_out_has_no_turn_and_holds_nobody() -> None:
    stage, ada, bo = thrown("gas_grenade")
    stage.give(ada, "grappled", by=bo)
    throw(stage, ada, "gas_grenade", f"near:{bo}", (1, 2))
    assert not stage.has(ada, "grappled")
    stage.do("next_turn")
    assert (stage.state.active, stage.state.round) == (ada, 2)


@pytest.mark.rule("COS-DMG-04", "COS-COND-06")
def test_flash_hits_all_and_lasts_three_turns_after_ones_own() -> None:
    stage, ada, bo = thrown("flash_grenade")
    throw(stage, ada, "flash_grenade", "4,0", (1, 2))
    (held,) = [held for held in stage[ada].conditions if held.kind == "blinded"]
    assert held.until == Until(ada, "end", 4)
    assert not stage.has(bo, "blinded"), "far from it"


@pytest.mark.rule("COS-DMG-04", "COS-INIT-07")
def test_flash_from_an_interrupt_blinds_for_the_next_three_turns() -> None:
    stage, ada, bo = thrown("flash_grenade")
    stage.turn(bo)
    stage.do("interrupt", ada, dice=[(6, 6)])
    throw(stage, ada, "flash_grenade", f"near:{bo}", (1, 2))
    assert left_of(stage, bo, "blinded") == Until(bo, "end", 4)


@pytest.mark.rule("COS-DMG-04", "COS-COND-05")
@pytest.mark.parametrize("plight", ["blinded", "immune", "dead"])
def test_nobody_saves_against_what_cannot_come_about(plight: str) -> None:
    stage = CosmosStage()
    ada, cy = stage.hero(weapons=("flash_grenade",)), stage.foe("Cy", (16, 0))
    bo = stage.foe(at=(15, 0), immune=["blinded"] if plight == "immune" else [])
    stage.begin()
    if plight != "immune":
        stage.give(bo, plight)
    throw(stage, ada, "flash_grenade", f"near:{bo}", (9, 9))
    assert [check.who for check in stage.checks("Awareness save")] == [cy]


# ---------------------------------------------------------------- the same again


def left_of(stage: CosmosStage, who: str, kind: str) -> Until | None:
    """When the only condition of this kind ends."""
    (held,) = [held for held in stage[who].conditions if held.kind == kind]
    return held.until


@pytest.mark.rule("COS-DMG-04", "COS-COND-05")
@pytest.mark.parametrize(("dice", "turns"), [((4, 4), 3), ((4, 5), 2)], ids=["anew", "saved"])
def test_a_flash_on_the_blinded_starts_over_unless_they_save(dice: tuple[int, int], turns: int) -> None:
    stage, ada, bo = thrown("flash_grenade")
    stage.state = replace(stage.state, options={"track_ammunition": False})
    throw(stage, ada, "flash_grenade", f"near:{bo}", (4, 4))
    for _ in range(2):
        stage.do("next_turn")
    throw(stage, ada, "flash_grenade", f"near:{bo}", dice)
    assert left_of(stage, bo, "blinded") == Until(bo, "end", turns)


@pytest.mark.rule("COS-DMG-04", "COS-COND-05")
@pytest.mark.parametrize("turns", [3, 5])
def test_flash_that_would_end_no_later_needs_no_save(turns: int) -> None:
    stage, ada, bo = thrown("flash_grenade")
    stage.give(bo, "blinded", until=Until(bo, "end", turns))
    throw(stage, ada, "flash_grenade", f"near:{bo}")
    assert left_of(stage, bo, "blinded") == Until(bo, "end", turns)


@pytest.mark.rule("COS-DMG-04", "COS-COND-05")
def test_a_flash_ends_no_blindness_that_has_another_cause() -> None:
    stage, ada, bo = thrown("flash_grenade")
    stage.give(bo, "blinded", until=Until(bo, "end", 1))
    stage.give(bo, "blinded", by=ada)
    throw(stage, ada, "flash_grenade", f"near:{bo}")
    assert [held.until for held in stage[bo].conditions] == [Until(bo, "end", 1), None]


@pytest.mark.rule("COS-DMG-04", "COS-COND-34")
def test_gas_on_those_whom_gas_has_knocked_out_starts_over() -> None:
    stage, ada, bo = thrown("gas_grenade")
    stage.state = replace(stage.state, clock=300)
    stage.give(bo, "unconscious", marks={"cause": "gas", "ends_at": 600})
    throw(stage, ada, "gas_grenade", f"near:{bo}", (6, 5))
    assert [held.marks["ends_at"] for held in stage[bo].conditions] == [900]


@pytest.mark.rule("COS-DMG-04", "COS-COND-34")
def test_gas_does_not_shorten_a_faint_that_has_no_end() -> None:
    stage, ada, bo = thrown("gas_grenade")
    stage.give(bo, "unconscious")
    throw(stage, ada, "gas_grenade", f"near:{bo}")
    assert [held.marks for held in stage[bo].conditions] == [{}]


# ---------------------------------------------------------------- smoke


def conceals(stage: CosmosStage, x: float, y: float) -> str:
    return look_at(stage.state.scene, Point(x, y), Point(x, y), (0, 0), False).by_light


@pytest.mark.rule("COS-COVER-09", "COS-DMG-04")
def test_smoke_conceals_heavily_for_five_rounds() -> None:
    stage, ada, bo = thrown("smoke_grenade")
    throw(stage, ada, "smoke_grenade", f"near:{bo}")
    assert (conceals(stage, 15, 0), conceals(stage, 11, 4), conceals(stage, 9, 0)) == (
        "heavy",
        "heavy",
        "none",
    )
    for _ in range(9):
        stage.do("next_turn")
    assert (stage.state.round, conceals(stage, 15, 0)) == (5, "heavy")
    stage.do("next_turn")
    assert (stage.state.round, conceals(stage, 15, 0)) == (6, "none")
    assert "The smoke has cleared." in stage.log()
    assert stage.state.scene.zones == ()
    assert stage.state.marks == {}


@pytest.mark.rule("COS-COVER-09")
@pytest.mark.parametrize(("x", "y"), [(5, 0), (-5, 0), (0, 5), (0, -5)])
def test_smoke_fills_its_radius_and_no_more(x: int, y: int) -> None:
    stage, ada, bo = thrown("smoke_grenade")
    radius = int(stage.item(ada, "smoke_grenade").data["radius_m"])
    throw(stage, ada, "smoke_grenade", f"near:{bo}")
    near, far = (radius - 0.2) / 5, (radius + 0.2) / 5
    assert conceals(stage, 15 + x * near, y * near) == "heavy"
    assert conceals(stage, 15 + x * far, y * far) == "none"


@pytest.mark.rule("COS-COVER-09")
def test_smoke_leaves_the_ground_as_it_is() -> None:
    stage, ada, _ = thrown("smoke_grenade")
    stage.zone("ramp", x=10, y=-10, width=5, depth=20, cover="light", height=2)
    stage.zone("pit", x=15, y=-10, width=10, depth=20, terrain=["rubble"], light="dim")
    stage.state = replace(stage.state, scene=replace(stage.state.scene, starts=(Piece(0, 0, 4, 4),)))
    before = stage.state.scene
    throw(stage, ada, "smoke_grenade", "16,0")
    assert stage.state.scene.starts == before.starts
    zones = {zone.name: zone for zone in stage.state.scene.zones}
    ramp, pit = zones["Smoke (ramp)"], zones["Smoke (pit)"]
    assert (ramp.cover, ramp.height, ramp.terrain) == ("light", 2, ("thick smoke",))
    assert (ramp.x, ramp.width, pit.x, pit.width) == (11, 4, 15, 6)
    assert pit.terrain == ("rubble", "thick smoke")
    stage.do("pass_time", minutes=1)
    assert stage.state.scene == before


@pytest.mark.rule("COS-COVER-09")
def test_two_clouds_have_different_ids_though_a_zone_was_deleted() -> None:
    stage, ada, bo = thrown("smoke_grenade")
    for zone, x in (("hall", 5), ("yard", 60)):
        stage.zone(zone, x=x, y=-10, width=20, depth=20)
    throw(stage, ada, "smoke_grenade", f"near:{bo}")
    zones = [to_builtins(zone) for zone in stage.state.scene.zones if zone.id != "yard"]
    stage.do("set_scene", scene={"zones": zones})
    context = RuleContext(stage.system, stage.state, Script([]))
    smoke(context, stage[bo].at, 4.0, 5)
    ids = [zone.id for zone in context.state.scene.zones]
    assert len(set(ids)) == len(ids)


def test_patch_is_centered_and_ends_by_the_clock_if_at_all() -> None:
    """On bare ground it is a zone of its own; in a room it is the part of the room that it covers."""
    stage, _, _ = thrown("smoke_grenade")
    stage.zone("hall", x=40, y=-10, width=20, depth=20)
    context, before = RuleContext(stage.system, stage.state, Script([])), stage.state.scene.zones
    lay(context, Point(-30, 7), 2.5, "fire", "Flames", "COS-HAZ-06")
    lay(context, Point(41, 0), 2.5, "fire", "Flames", "COS-HAZ-06", ends_at=0)
    bare, room = (zone for zone in context.state.scene.zones if zone not in before)
    assert (bare.x, bare.y, bare.width, bare.depth, bare.patch) == (-32.5, 4.5, 5, 5, True)
    assert not bare.parts, "nothing limits it"
    assert (room.x, room.y, room.width, room.depth) == (40, -2.5, 3.5, 5)
    assert [at for key, at in context.state.marks.items() if key.startswith("patch:")] == [0]


@pytest.mark.rule("COS-COVER-09", "COS-DEF-03")
def test_smoke_does_not_make_cover_of_one_and_the_same_room() -> None:
    stage, ada, bo = thrown("smoke_grenade")
    stage.zone("crates", x=-5, y=-10, width=40, depth=20, cover="light")
    throw(stage, ada, "smoke_grenade", f"near:{bo}")
    assert look_at(stage.state.scene, stage[ada].at, stage[bo].at, (0, 0), False).cover == "none"


@pytest.mark.rule("COS-COVER-08", "COS-COVER-09")
def test_a_shot_into_smoke_is_at_minus_four() -> None:
    stage, ada, bo = thrown("smoke_grenade")
    throw(stage, ada, "smoke_grenade", f"near:{bo}")
    terms = stage.preview("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol")).modifiers
    assert [t.value for t in terms if t.rule == "COS-COVER-08"] == [-4]


# ---------------------------------------------------------------- smoke between walls

WALL = {"id": "w1", "x1": 16.5, "y1": -20, "x2": 16.5, "y2": 20}
DOOR = {"id": "w1", "x1": 16.5, "y1": -20, "x2": 16.5, "y2": 20, "kind": "door"}


def smoke_by(wall: dict[str, object], **options: object) -> CosmosStage:
    """Smoke 15 m away, beside a wall farther on."""
    stage, ada, bo = thrown("smoke_grenade")
    stage.state = replace(stage.state, options=options)
    stage.zone("hall", x=5, y=-10, width=20, depth=20)
    stage.do("set_map", map={"walls": [wall]})
    throw(stage, ada, "smoke_grenade", f"near:{bo}")
    return stage


@pytest.mark.rule("COS-COVER-09")
@pytest.mark.parametrize("walls", [[], [WALL], [DOOR], [WALL, {**WALL, "id": "w2", "x2": 20}]])
@pytest.mark.parametrize("stops", [True, False])
def test_the_form_draws_the_smoke_that_is_then_laid(walls: list[dict[str, object]], stops: bool) -> None:
    stage = CosmosStage()
    ada, bo, cy = stage.hero(weapons=("smoke_grenade",)), stage.foe(at=(15, 0)), stage.foe("Cy", (18, 0))
    stage.put(ada, "smoke_grenade", "held")
    stage.begin()
    stage.state = replace(stage.state, options={"walls_stop_blasts": stops})
    stage.do("set_map", map={"walls": walls})
    weapon = stage.weapon(ada, "smoke_grenade")
    command = Blast(actor=ada, weapon=weapon, at=f"near:{bo}")
    (shape,), named = find_area(stage.state, command), find_victims(stage.state, command)
    throw(stage, ada, "smoke_grenade", f"near:{bo}")
    (zone,) = stage.state.scene.zones
    assert shape.pieces == (zone.parts or (piece_of(zone),))
    assert set(named) == {who for who in (bo, cy) if conceals(stage, stage[who].at.x, 0) == "heavy"}
    assert (cy in named) == (not walls or not stops)


@pytest.mark.rule("COS-COVER-09")
@pytest.mark.parametrize(
    ("wall", "beyond"),
    [
        (WALL, "none"),
        (DOOR, "none"),
        ({**DOOR, "open": True}, "heavy"),
        ({**WALL, "kind": "window", "blocks_sight": False}, "heavy"),
    ],
)
def test_walls_and_shut_doors_keep_smoke_in(wall: dict[str, object], beyond: str) -> None:
    stage = smoke_by(wall)
    assert (conceals(stage, 16, 0), conceals(stage, 17, 0)) == ("heavy", beyond)
    stage.do("pass_time", minutes=1)
    assert conceals(stage, 16, 0) == "none"
    assert [zone.name for zone in stage.state.scene.zones] == ["hall"]


@pytest.mark.rule("COS-COVER-09")
def test_smoke_passes_walls_where_a_table_lets_blasts_through() -> None:
    assert conceals(smoke_by(WALL, walls_stop_blasts=False), 17, 0) == "heavy"


@pytest.mark.rule("COS-COVER-09", "COS-HAZ-06")
def test_fire_in_smoke_burns_only_where_it_was_laid() -> None:
    """A zone laid over smoke keeps its shape, and takes no more room."""
    stage = smoke_by(WALL)
    context = RuleContext(stage.system, stage.state, Script([]))
    lay(context, Point(16, 0), 1, "fire", "Flames", "COS-HAZ-06")
    burning = [zone for zone in context.state.scene.zones if "fire" in zone.terrain]
    assert {(zone.x, zone.x + zone.width) for zone in burning} == {(15, 17), (15, 16.5)}
