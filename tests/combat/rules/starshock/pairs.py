"""The scene of Star Shock for its tables of pairs: on a map of squares, with everything at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.characters.sheet import weapon_item
from combat.rules.starshock.world.place import is_map
from tests.combat.rules.every_game.pairs.pairs import (
    ADA,
    BO,
    Pairs,
    Try,
    gate,
    name_point,
    name_zone,
    set_scene,
    stairs,
)
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.figures import StarStage

GEAR = ("medical_kit", "regenerative_enzymes", "nerve_agent_capsule")
ATTRIBUTES: dict[str, Any] = {"str": 3, "dex": 3, "int": 3, "prs": 3}


def make() -> StarStage:
    """Ada with three actions declared, Bo next to her, and a baton on the ground at Bo's feet."""
    stage = StarStage()
    stage.map()
    stage.hero("Ada", "electric_baton", "titanium_revolver", gear=GEAR, skills=("Medicate",), **ATTRIBUTES)
    stage.foe("Bo", at=(1, 0))
    stage.hold(ADA, "electric_baton")
    baton = replace(weapon_item("baton"), id="g1", place="ground", at=Point(1, 0))
    stage.state = replace(stage.state, ground=(baton,))
    return stage.begin(ADA, BO, actions=3)


def befriend(stage: Stage) -> None:
    """Put Bo on Ada's side, and hurt."""
    stage.edit(BO, side="allies")
    stage.set_track(BO, damage=3)


def wield(weapon: str, **more: Any) -> Callable[[Stage], dict[str, Any]]:
    """Give Ada one weapon in hand."""

    def ready(stage: Stage) -> dict[str, Any]:
        assert isinstance(stage, StarStage)
        stage.hold(ADA, weapon)
        return {"target": BO, "weapon": stage.weapon(ADA, weapon), **more}

    return ready


def use(entry: str, *conditions: str) -> Callable[[Stage], dict[str, Any]]:
    """Make Bo an ally in this condition; Ada uses an item on them."""

    def ready(stage: Stage) -> dict[str, Any]:
        befriend(stage)
        for kind in conditions:
            stage.give(BO, kind)
        return {"target": BO, "item": stage.item(ADA, entry).id}

    return ready


def help_bo(*conditions: str, **marks: int) -> Callable[[Stage], dict[str, Any]]:
    """Make Bo an ally in this condition."""

    def ready(stage: Stage) -> dict[str, Any]:
        befriend(stage)
        for kind in conditions:
            stage.give(BO, kind, marks=marks)
        return {"target": BO}

    return ready


def undeclared(stage: Stage) -> dict[str, Any]:
    """Leave open how many actions Ada's turn has."""
    assert isinstance(stage, StarStage)
    stage.turn(ADA, None)
    return {}


def challenge(stage: Stage) -> dict[str, Any]:
    """Open a Skill Challenge."""
    stage.do("open_challenge", name="repairs")
    return {}


def spent(stage: Stage) -> dict[str, Any]:
    """Empty the crossbow."""
    assert isinstance(stage, StarStage)
    stage.hold(ADA, "aluminum_crossbow")
    return {"item": stage.change_item(ADA, "aluminum_crossbow", loaded=0)}


def stow(stage: Stage) -> dict[str, Any]:
    """Take a baton in hand, to be put away."""
    assert isinstance(stage, StarStage)
    stage.hold(ADA, "electric_baton")
    return {"stow": [stage.weapon(ADA, "electric_baton")]}


def lie(stage: Stage) -> dict[str, Any]:
    """Lay Ada on the ground."""
    stage.give(ADA, "prone")
    return {}


TRIES = (
    Try("declare", undeclared),
    Try("attack", wield("electric_baton"), "baton"),
    Try("attack", wield("titanium_revolver"), "revolver"),
    Try("attack", wield("dagger", mode="thrown"), "dagger thrown"),
    Try("move", lambda stage: {"to": "0,2"}),
    Try("free_move", lambda stage: {"to": "0,2"}),
    Try("stand_up", lie),
    Try("raise_up", help_bo("prone", stand=9)),
    Try("assist", help_bo()),
    Try("emergency_medicate", help_bo()),
    Try("rouse", help_bo("unconscious")),
    Try("use_consumable", use("regenerative_enzymes")),
    Try("use_device", lambda stage: {"target": BO, "item": stage.item(ADA, "nerve_agent_capsule").id}),
    Try("door", gate),
    Try("way", stairs),
    Try("pick_up", lambda stage: {"item": "g1"}),
    Try("pass_item", use("regenerative_enzymes")),
    Try("reload", spent),
    Try("skill_challenge", challenge),
    Try("change_items", stow),
)


def in_zones(stage: Stage) -> None:
    """Put Bo in another zone, adjacent to Ada's, in play by zones."""
    zones = [
        {"id": z, "name": z, "x": 5 * n - 2, "y": -2, "width": 5, "depth": 5} for n, z in enumerate("ab")
    ]
    stage.do("set_scene", scene={"zones": zones, "settings": {}})
    there = Point(5, 0)
    stage.edit(BO, at=there)
    stage.state = replace(stage.state, ground=tuple(replace(i, at=there) for i in stage.state.ground))


def by_zones(stage: Stage) -> None:
    """Play by zones, which the book describes first."""
    stage.do("set_setting", key="positioning", value="zones")


def alternate(stage: Stage) -> None:
    """Count every second diagonal as 2 m."""
    stage.state = replace(stage.state, options={**stage.state.options, "diagonal": "five_ten_alternate"})


def name_place(stage: Stage, x: float) -> str:
    """A square, or in play by zones a zone."""
    return name_point(stage, x) if is_map(stage.state) else name_zone(stage, x)


PAIRS = Pairs(
    SYSTEM,
    make,
    tries=TRIES,
    moves=(
        Try("move"),
        Try("free_move"),
        Try("move", by_zones, "by zones"),
        Try("free_move", by_zones, "by zones"),
    ),
    name_place=name_place,
    between={"the next zone": in_zones},
    counted={"in hexes": set_scene("positioning", "hexes"), "alternate diagonals": alternate},
)
