"""The scene of Cosmic Guardians for its tables of pairs: everything at hand, in yards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.characters.sheet import weapon_item
from tests.combat.rules.every_game.pairs.pairs import ADA, BO, Pairs, Try, gate, stairs
from tests.combat.rules.guardians.stage import GuardStage, lone
from tests.combat.rules.stage import Stage

SKILLS: dict[str, Any] = {"blades": 12, "running": 10, "pistols": 12, "thrown_weapons": 12, "first_aid": 12}


def make() -> GuardStage:
    """Ada armed, Bo next to her, and a club on the ground at Bo's feet."""
    stage = lone("long_sword", "knife", gear=("first_aid_kit", "painkillers"), **SKILLS)
    stage.foe("Bo", **SKILLS)
    club = replace(weapon_item("club"), id="g1", place="ground", at=Point(1, 0))
    stage.state = replace(stage.state, ground=(club,))
    return stage.begin(ADA, BO)


def wield(weapon: str, **more: Any) -> Callable[[Stage], dict[str, Any]]:
    """Give Ada one weapon in hand."""

    def ready(stage: Stage) -> dict[str, Any]:
        assert isinstance(stage, GuardStage)
        stage.hold_things(ADA, weapon)
        return {"target": BO, "weapon": stage.item(ADA, weapon).id, **more}

    return ready


def bleed(stage: Stage) -> dict[str, Any]:
    """Make Bo's arm bleed."""
    stage.give(BO, "bleeding", marks={"part": "left_arm"})
    return {"target": BO, "place": "left_arm"}


def faint(stage: Stage) -> dict[str, Any]:
    """Make Bo faint."""
    stage.give(BO, "unconscious")
    return {"target": BO, "place": ""}


def lie(stage: Stage) -> None:
    """Lay Ada on the ground."""
    stage.give(ADA, "prone")


def holding(stage: Stage) -> None:
    """Let Ada hold her action, and Bo act."""
    stage.do("hold", ADA)


def item(entry: str, place: str) -> Callable[[Stage], dict[str, Any]]:
    """Put an item of Ada's in this place."""

    def ready(stage: Stage) -> dict[str, Any]:
        assert isinstance(stage, GuardStage)
        stage.hold_things(ADA)
        made = replace(weapon_item(entry), id="w9", place=place)
        stage.edit(ADA, items=(made, *stage[ADA].items))
        return {"item": "w9"}

    return ready


def give(stage: Stage) -> dict[str, Any]:
    """Put Bo on Ada's side, and choose a knife for them."""
    stage.edit(BO, side="allies")
    return {**item("knife", "carried")(stage), "target": BO}


def walked(stage: Stage) -> dict[str, Any]:
    """Let Ada walk part of her way."""
    stage.do("move", ADA, to="0,2")
    return {"to": "0,3"}


def part(kind: str, place: str) -> Callable[[Stage, str], None]:
    """Give a condition of a part of the body."""
    return lambda stage, who: stage.give(who, kind, marks={"part": place})


TRIES = (
    Try("attack", wield("long_sword"), "sword"),
    Try("attack", wield("heavy_pistol"), "pistol"),
    Try("attack", wield("knife", thrown=True), "knife thrown"),
    Try("stand_up", lie),
    Try("move", lambda stage: {"to": "0,2"}),
    Try("walk_on", walked),
    Try("act_now", holding),
    Try("first_aid", bleed, "stanch"),
    Try("first_aid", faint, "wake"),
    Try("painkillers", lambda stage: {"target": BO}),
    Try("draw", item("knife", "carried")),
    Try("put_away", item("knife", "held")),
    Try("let_go", item("knife", "held")),
    Try("pick_up", lambda stage: {"item": "g1"}),
    Try("pass_item", give),
    Try("door", gate),
    Try("way", stairs),
    Try("other", lambda stage: {"roll": "body"}),
)

PAIRS = Pairs(
    SYSTEM,
    make,
    tries=TRIES,
    moves=(Try("move"),),
    give={
        "disabled": part("disabled", "right_arm"),
        "destroyed": part("destroyed", "right_leg"),
        "bleeding": part("bleeding", "right_arm"),
    },
)
