"""Whether the one who acts can move to a zone now, as the rules say before anybody tries."""

from __future__ import annotations

from dataclasses import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import find_refusal, read_command
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.state.state import State
from combat.rules.core.system import System

from .forms import prefilled
from .shapes import SceneView, TurnView, ZoneView

MOVE = "move"


def mark_ways(system: System, state: State, scene: SceneView, turn: TurnView | None) -> SceneView:
    """The scene with the reason why a zone, or every zone, is out of reach for whose turn it is."""
    action = system.actions.get(MOVE)
    if turn is None or not turn.is_active or action is None:
        return scene
    actor = turn.fighter.id
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
