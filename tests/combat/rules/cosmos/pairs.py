"""The scene of Cosmos Engine for its tables of pairs: in the light, with everything at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from combat.rules.cosmos import SYSTEM
from tests.combat.rules.core.pairs import ADA, BO, Pairs, Try
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.stage import Stage

WEAPONS = ("club", "pistol", "grenade", "sword", "throwing_knife", "unarmed")
GEAR = ("first_aid_kit", "pressure_bandage", "adrenaline", "environment_suit")
SKILLS = {"Medicine": 4, "Athletics": 4, "Command": 4}
GATE = {"id": "d", "kind": "door", "x1": -0.5, "y1": -0.5, "x2": 0.5, "y2": -0.5}


def make() -> CosmosStage:
    """Ada armed, Bo next to her, and a knife on the ground at Bo's feet."""
    stage = CosmosStage()
    stage.hero(weapons=WEAPONS, gear=GEAR, skills=SKILLS)
    stage.foe(weapons=("club", "pistol"), at=(1, 0))
    for who in (ADA, BO):
        hands = ("club", "unarmed") if who == ADA else ("club",)
        items = tuple(
            replace(i, place="held" if i.data.get("id") in hands else "carried") if i.kind == "weapon" else i
            for i in stage[who].items
        )
        stage.edit(who, items=items)
    sword = replace(stage.item(ADA, "sword"), id="g1", place="ground", at=Point(1, 0))
    stage.state = replace(stage.state, ground=(sword,))
    stage.begin(ADA, BO)
    return stage


def wield(weapon: str, **more: Any) -> Callable[[Stage], dict[str, Any]]:
    """Ada has one weapon in hand."""

    def ready(stage: Stage) -> dict[str, Any]:
        _hold(stage, weapon)
        return {"target": BO, "weapon": stage.item(ADA, weapon).id, **more}

    return ready


def _hold(stage: Stage, weapon: str) -> None:
    items = tuple(
        replace(i, place="held" if i.data["id"] == weapon else "carried") if i.kind == "weapon" else i
        for i in stage[ADA].items
    )
    stage.edit(ADA, items=items)


def throw(stage: Stage) -> dict[str, Any]:
    """A grenade in hand, to be thrown at a place three metres behind Bo."""
    _hold(stage, "grenade")
    return {"weapon": stage.item(ADA, "grenade").id, "at": "4,0"}


def befriend(*conditions: str) -> Callable[[Stage], dict[str, Any]]:
    """Bo is on Ada's side, hurt and in this condition."""

    def ready(stage: Stage) -> dict[str, Any]:
        stage.edit(BO, side="heroes")
        stage.set_track(BO, hp=40)
        for kind in conditions:
            stage.give(BO, kind, by="f3")
        return {"target": BO}

    return ready


def helpless(stage: Stage) -> dict[str, Any]:
    """Bo is unconscious, and Ada has a club."""
    for kind in ("unconscious", "helpless"):
        stage.give(BO, kind)
    return wield("club")(stage)


def grapple(stage: Stage) -> dict[str, Any]:
    """Ada holds Bo."""
    _hold(stage, "unarmed")
    stage.give(BO, "grappled", by=ADA)
    return {"target": BO}


def held(stage: Stage) -> None:
    """Bo holds Ada."""
    stage.give(ADA, "grappled", by=BO)


def suffer(kind: str) -> Callable[[Stage], None]:
    """Ada is in this condition."""
    return lambda stage: stage.give(ADA, kind)


def gate(stage: Stage) -> dict[str, Any]:
    """A shut door north of Ada."""
    stage.do("set_map", map={"walls": [GATE]})
    return {"door": "d"}


def own(entry: str) -> Callable[[Stage], dict[str, Any]]:
    """A thing of Ada's."""
    return lambda stage: {"item": stage.item(ADA, entry).id}


def use(entry: str, *conditions: str) -> Callable[[Stage], dict[str, Any]]:
    """A thing of Ada's on Bo, who is a friend."""

    def ready(stage: Stage) -> dict[str, Any]:
        return {**befriend(*conditions)(stage), "item": stage.item(ADA, entry).id}

    return ready


def empty(stage: Stage) -> dict[str, Any]:
    """The pistol in hand is empty."""
    _hold(stage, "pistol")
    gun = stage.item(ADA, "pistol")
    stage.edit(ADA, items=tuple(replace(i, loaded=0) if i.id == gun.id else i for i in stage[ADA].items))
    return {"item": gun.id}


def weightless(stage: Stage) -> None:
    """Nobody has any weight."""
    stage.do("set_setting", key="gravity", value="zero")


def adrift(stage: Stage) -> None:
    """Ada drifts without weight, near a wall."""
    weightless(stage)
    stage.give(ADA, "drifting", marks={"x": 0.0, "y": 1.0})


def far(stage: Stage) -> dict[str, Any]:
    """Bo eight metres away, for a charge."""
    stage.edit(BO, at=Point(8, 0))
    return wield("club")(stage)


def waiting(stage: Stage) -> None:
    """Ada has delayed, and Bo acts."""
    stage.do("delay", ADA)


def not_acting(stage: Stage) -> None:
    """Bo acts."""
    stage.turn(BO)


TRIES = (
    Try("attack", wield("club"), "club"),
    Try("attack", wield("pistol"), "pistol"),
    Try("attack", wield("throwing_knife"), "knife thrown"),
    Try("blast", throw),
    Try("grapple", lambda stage: _hold(stage, "unarmed")),
    Try("squeeze", grapple),
    Try("break_free", held),
    Try("disarm", lambda stage: {**wield("club")(stage), "item": stage.item(BO, "club").id}),
    Try("coup_de_grace", helpless),
    Try("first_aid", befriend("bleeding")),
    Try("field_medicine", befriend("injury")),
    Try("rally", befriend("frightened")),
    Try("press", befriend("bleeding")),
    Try("apply", use("pressure_bandage", "bleeding")),
    Try("drug", use("adrenaline")),
    Try("move", lambda stage: {"to": "0,2"}),
    Try("full_move", lambda stage: {"to": "0,2"}),
    Try("sprint", lambda stage: {"to": "0,2"}),
    Try("stand", suffer("prone")),
    Try("draw", own("pistol")),
    Try("reload", empty),
    Try("pick_up", lambda stage: {"item": "g1"}),
    Try("climb", lambda stage: {"obstacle": "medium", "to": "0,2"}),
    Try("door", gate),
    Try("charge", far),
    Try("retreat", lambda stage: {**wield("club")(stage), "to": "0,2"}),
    Try("quick_aim", lambda stage: wield("pistol")(stage) and None),
    Try("drop", own("club")),
    Try("let_go", lambda stage: stage.give(BO, "grappled", by=ADA)),
    Try("step_in", waiting),
    Try("interrupt", not_acting),
    Try("overwatch", lambda stage: wield("pistol")(stage) and {"weapon": stage.item(ADA, "pistol").id}),
    Try("extinguish", suffer("burning")),
    Try("catch_hold", adrift),
    Try("hurl", lambda stage: weightless(stage) or {"item": stage.item(ADA, "club").id, "to": "3,0"}),
    Try("brace", weightless),
    Try("suit", own("environment_suit")),
    Try("speak", lambda stage: {"what": "Down!"}),
    Try("say", lambda stage: {"what": "Down!"}),
)


def set_scene(key: str, value: str) -> Callable[[Stage], None]:
    """A setting of the scene."""
    return lambda stage: stage.do("set_setting", key=key, value=value) and None


def raise_bo(stage: Stage) -> None:
    """Bo stands on something two metres high."""
    stage.edit(BO, at=Point(1, 0, 2))


PAIRS = Pairs(
    SYSTEM,
    make,
    tries=TRIES,
    moves=(
        Try("move"),
        Try("move", lambda stage: {"careful": True}, "careful"),
        Try("full_move"),
        Try("sprint"),
    ),
    between={
        "the dark": set_scene("light", "dark"),
        "no gravity": set_scene("gravity", "zero"),
        "2 m of height": raise_bo,
    },
)
