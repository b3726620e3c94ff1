"""The scene of Cepheus for its tables of pairs: on squares, with everything at hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.characters.goods import make_gear, make_weapon
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.every_game.pairs.pairs import (
    ADA,
    BO,
    Pairs,
    Try,
    bo_acts,
    gate,
    set_scene,
    stairs,
    waiting,
)
from tests.combat.rules.stage import Stage

CELL = 1.0
GEAR = (
    "medical_kit",
    "stim_drugs",
    "motion_sensor",
    "personal_communicator",
    "mechanical_toolkit",
    "plastic",
)
SKILLS = dict.fromkeys(
    (
        "slug_pistol",
        "slug_rifle",
        "slashing_weapons",
        "athletics",
        "natural_weapons",
        "medicine",
        "leadership",
        "tactics",
        "demolitions",
        "wheeled_vehicle",
        "mechanics",
    ),
    1,
)
CAR = "f3"


class YardStage(Garage, RangeStage):
    """A stage with machines and weapons."""


def make(system: System | None = None, **options: Any) -> YardStage:
    """Ada armed, Bo next to her, a dagger on the ground at Bo's feet, and an empty car behind Ada."""
    stage = YardStage(system, **options)
    stage.hero("Ada", skills=SKILLS)
    stage.foe("Bo", skills=SKILLS, at=(CELL, 0))
    stage.vehicle(at=(-CELL, 0), side="allies")
    stage.arm(BO, "cudgel")
    _arm(stage, "sword", "auto_pistol")
    dagger = replace(make_weapon("dagger"), id="g1", place="ground", at=Point(CELL, 0))
    stage.state = replace(stage.state, ground=(dagger,))
    return stage.begin(ADA, BO)


def _arm(stage: Stage, *weapons: str, place: str = "held") -> None:
    """Give Ada these weapons in that place, and her gear."""
    assert isinstance(stage, YardStage)
    stage.arm(ADA, *weapons)
    items = tuple(
        replace(item, place=place) if item.id.startswith("f1-w") else item for item in stage[ADA].items
    )
    gear = tuple(replace(make_gear(name), id=f"f1-g{n}") for n, name in enumerate(GEAR))
    stage.edit(ADA, items=(*items, *gear))


def wield(weapon: str, **more: Any) -> Callable[[Stage], dict[str, Any]]:
    """Give Ada one weapon in hand."""

    def ready(stage: Stage) -> dict[str, Any]:
        _arm(stage, weapon)
        return {"target": BO, "weapon": "f1-w1", **more}

    return ready


def own(entry: str, place: str = "held", **more: Any) -> Callable[[Stage], dict[str, Any]]:
    """Choose a weapon of Ada's."""

    def ready(stage: Stage) -> dict[str, Any]:
        _arm(stage, entry, place=place)
        return {"weapon": "f1-w1", **more}

    return ready


def thing(entry: str) -> Callable[[Stage], dict[str, Any]]:
    """Choose an item of Ada's, for herself or for Bo, who is an ally."""

    def ready(stage: Stage) -> dict[str, Any]:
        befriend(stage)
        return {"item": f"f1-g{GEAR.index(entry)}"}

    return ready


def befriend(stage: Stage) -> dict[str, Any]:
    """Put Bo on Ada's side, and hurt."""
    stage.edit(BO, side="allies")
    assert isinstance(stage, YardStage)
    stage.hit(BO, 4)
    return {"target": BO}


def empty(stage: Stage) -> dict[str, Any]:
    """Empty the pistol in hand."""
    _arm(stage, "auto_pistol")
    first, *rest = stage[ADA].items
    stage.edit(ADA, items=(replace(first, loaded=0, spares=2), *rest))
    return {"weapon": "f1-w1"}


def bare(stage: Stage) -> None:
    """Empty Ada's hands."""
    _arm(stage, "unarmed_strike")


def free_hands(stage: Stage) -> dict[str, Any]:
    """Empty Ada's hands for what lies on the ground."""
    bare(stage)
    return {"weapon": "g1"}


def grapple(stage: Stage) -> dict[str, Any]:
    """Let Ada and Bo hold each other."""
    _arm(stage, "unarmed_strike")
    stage.give(ADA, "grappled", by=BO)
    stage.give(BO, "grappled", by=ADA)
    return {"target": BO}


def helpless(stage: Stage) -> dict[str, Any]:
    """Bind Bo, and give Ada a sword."""
    stage.give(BO, "helpless")
    return {**wield("sword")(stage), "sure": True}


def drive(**more: Any) -> Callable[[Stage], dict[str, Any]]:
    """Let Ada drive the car at 60 km/h, on a set course where one is needed."""

    def ready(stage: Stage) -> dict[str, Any]:
        assert isinstance(stage, YardStage)
        stage.seat(ADA, CAR, "driver")
        stage.moving(CAR, 60)
        return dict(more)

    return ready


def aboard(stage: Stage) -> None:
    """Put Ada into the car, which stands."""
    assert isinstance(stage, YardStage)
    stage.seat(ADA, CAR)


def explosive(stage: Stage) -> dict[str, Any]:
    """Give Ada a charge to carry."""
    return {"weapon": f"f1-g{GEAR.index('plastic')}"}


def charge(stage: Stage) -> dict[str, Any]:
    """Let Ada set a charge, and give her a fresh turn."""
    stage.do("set_charge", ADA, dice=((6, 6),), **explosive(stage))
    stage.turn(ADA)
    lying = next(item for item in stage.state.ground if item.id != "g1")
    return {"weapon": lying.id}


def commanding(stage: Stage) -> None:
    """Let Ada command, with Bo on her side."""
    stage.edit(BO, side="allies")
    stage.do("mark_commander", target=ADA)


TRIES = (
    Try("attack", wield("sword"), "sword"),
    Try("attack", wield("auto_pistol"), "pistol"),
    Try("attack", wield("unarmed_strike"), "unarmed"),
    Try("lob", own("grenade_frag", to="10.5,0")),
    Try("aim", lambda stage: {"target": BO, "actions": 1}),
    Try("aim_to_kill", lambda stage: {"target": BO, "actions": 1}),
    Try("suppress", wield("auto_rifle")),
    Try("panic_fire", wield("auto_pistol")),
    Try("blind_fire", wield("auto_pistol")),
    Try("blind_lob", own("grenade_frag", to="10.5,0")),
    Try("grapple", bare, "grab"),
    Try("grapple", grapple, "go on"),
    Try("coup_de_grace", helpless),
    Try("drive", drive()),
    Try("maneuver", drive(to="30,0", speed=60)),
    Try("evade", drive()),
    Try("ram", drive(target=BO)),
    Try("stunt", drive(why="on two wheels")),
    Try("weave", drive(number=3)),
    Try("break_off", drive()),
    Try("ready", own("auto_pistol", "carried")),
    Try("reload", empty),
    Try("put_away", own("sword")),
    Try("drop", own("sword")),
    Try("pick_up", free_hands),
    Try("pass_item", thing("stim_drugs")),
    Try("set_charge", explosive),
    Try("set_off", charge),
    Try("first_aid", befriend),
    Try("take_drug", thing("stim_drugs")),
    Try("move", lambda stage: {"to": "0,3"}),
    Try("stance", lambda stage: {"stance": "crouched"}),
    Try("scan", lambda stage: {"item": f"f1-g{GEAR.index('motion_sensor')}"}),
    Try("delay"),
    Try("interrupt", waiting),
    Try("step_in", waiting),
    Try("hasten", bo_acts),
    Try("leadership", commanding),
    Try("tactics", commanding),
    Try("door", partial(gate, cell=CELL)),
    Try("way", partial(stairs, cell=CELL)),
    Try("get_in", lambda stage: {"target": CAR}),
    Try("get_out", aboard),
    Try("change_place", aboard),
    Try("strap_in", aboard),
)


def put_inside(stage: Stage) -> None:
    """Put Bo into the car, which stands at their place."""
    stage.edit(CAR, at=stage[BO].at)
    assert isinstance(stage, YardStage)
    stage.put_inside(BO, CAR)


PAIRS = Pairs(
    SYSTEM,
    make,
    tries=TRIES,
    square=CELL,
    moves=(Try("move"), Try("move", lambda stage: {"actions": 2}, "two actions")),
    between={
        "inside a closed car": put_inside,
        "the dark": set_scene("light", "dark"),
        "thick smoke": set_scene("smoke", "thick_smoke"),
    },
    counted={"in squares": set_scene("distances", "squares")},
)
