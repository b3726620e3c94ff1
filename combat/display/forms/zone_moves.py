"""Whether the combatant whose turn it is can move to a zone now, checked before anybody tries."""

from __future__ import annotations

from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.state.state import State

from ..shapes.scene_shapes import SceneView, ZoneView
from ..shapes.table_shapes import TurnView
from .fields import prefilled

MOVE = "move"


def mark_ways(system: System, state: State, scene: SceneView, turn: TurnView | None) -> SceneView:
    """The scene with the reasons why zones, or all of them, are out of reach in this turn."""
    action = system.actions.by_name.get(MOVE)
    if turn is None or not turn.is_active or action is None:
        return scene
    actor = turn.combatant.id
    if refused := find_refusal(action, state, actor):
        return replace(scene, no_way=refused.message)
    usual = {"actor": actor, **prefilled(action, state, actor)}

    def mark(zone: ZoneView) -> ZoneView:
        if zone.here:
            return zone
        try:
            command = read_command(action, {**usual, "to": f"zone:{zone.id}"})
            run(system, state, action, command, TryDriver())
        except Refused as refused:
            return replace(zone, refused=refused.message)
        return zone

    return replace(scene, zones=tuple(mark(zone) for zone in scene.zones))
