"""The scene of Cosmos Engine for its tables of pairs: in the light, with everything at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from combat.rules.cosmos import SYSTEM
from tests.combat.rules.cosmos.figures import CosmosStage
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

WEAPONS = ("club", "pistol", "grenade", "sword", "throwing_knife", "unarmed")
GEAR = ("first_aid_kit", "pressure_bandage", "adrenaline", "environment_suit")
SKILLS = {"Medicine": 4, "Athletics": 4, "Command": 4}


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
    return stage.begin(ADA, BO)


def wield(weapon: str, **more: Any) -> Callable[[Stage], dict[str, Any]]:
    """Give Ada one weapon in hand."""

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
    """Take a grenade in hand, to be thrown at a place three meters behind Bo."""
    _hold(stage, "grenade")
    return {"weapon": stage.item(ADA, "grenade").id, "at": "4,0"}


def befriend(*conditions: str) -> Callable[[Stage], dict[str, Any]]:
    """Put Bo on Ada's side, hurt and with this condition."""

    def ready(stage: Stage) -> dict[str, Any]:
        stage.edit(BO, side="allies")
        stage.set_track(BO, hp=40)
        for kind in conditions:
            stage.give(BO, kind, by="f3")
        return {"target": BO}

    return ready


def helpless(stage: Stage) -> dict[str, Any]:
    """Make Bo unconscious, and give Ada a club."""
    for kind in ("unconscious", "helpless"):
        stage.give(BO, kind)
    return wield("club")(stage)


def grapple(stage: Stage) -> dict[str, Any]:
    """Let Ada hold Bo."""
    _hold(stage, "unarmed")
    stage.give(BO, "grappled", by=ADA)
    return {"target": BO}


def held(stage: Stage) -> None:
    """Let Bo hold Ada."""
    stage.give(ADA, "grappled", by=BO)


def suffer(kind: str) -> Callable[[Stage], None]:
    """Give Ada this condition."""
    return lambda stage: stage.give(ADA, kind)


def own(entry: str) -> Callable[[Stage], dict[str, Any]]:
    """Choose an item of Ada's."""
    return lambda stage: {"item": stage.item(ADA, entry).id}


def use(entry: str, *conditions: str) -> Callable[[Stage], dict[str, Any]]:
    """Choose an item of Ada's for Bo, who is an ally."""

    def ready(stage: Stage) -> dict[str, Any]:
        return {**befriend(*conditions)(stage), "item": stage.item(ADA, entry).id}

    return ready


def empty(stage: Stage) -> dict[str, Any]:
    """Empty the pistol in hand."""
    _hold(stage, "pistol")
    return {"item": stage.change_item(ADA, "pistol", loaded=0)}


def armed_in_space(stage: Stage) -> dict[str, Any]:
    """Let Ada float with a club to throw."""
    weightless(stage)
    return {"item": stage.item(ADA, "club").id, "to": "3,0"}


def weightless(stage: Stage) -> None:
    """Turn gravity off."""
    stage.do("set_setting", key="gravity", value="zero")


def adrift(stage: Stage) -> None:
    """Let Ada drift without weight, near a wall."""
    weightless(stage)
    stage.give(ADA, "drifting", marks={"x": 0.0, "y": 1.0})


def far(stage: Stage) -> dict[str, Any]:
    """Put Bo eight meters away, for a charge."""
    stage.edit(BO, at=Point(8, 0))
    return wield("club")(stage)


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
    Try("pass_item", use("adrenaline")),
    Try("climb", lambda stage: {"obstacle": "medium", "to": "0,2"}),
    Try("door", gate),
    Try("way", stairs),
    Try("charge", far),
    Try("retreat", lambda stage: {**wield("club")(stage), "to": "0,2"}),
    Try("quick_aim", lambda stage: wield("pistol")(stage) and None),
    Try("drop", own("club")),
    Try("let_go", lambda stage: stage.give(BO, "grappled", by=ADA)),
    Try("step_in", waiting),
    Try("interrupt", bo_acts),
    Try("overwatch", lambda stage: wield("pistol")(stage) and {"weapon": stage.item(ADA, "pistol").id}),
    Try("extinguish", suffer("burning")),
    Try("catch_hold", adrift),
    Try("hurl", armed_in_space),
    Try("brace", weightless),
    Try("suit", own("environment_suit")),
    Try("speak", lambda stage: {"what": "Down!"}),
    Try("say", lambda stage: {"what": "Down!"}),
)


def raise_bo(stage: Stage) -> None:
    """Stand Bo on something two meters high."""
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
