"""Whether the combatant whose turn it is can move to a zone now, checked before anybody tries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from combat.rules.core.basics.errors import why_refused
from combat.rules.core.commands.commands import find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.state.state import State

from ..shapes.scene_shapes import NoWay, SceneView
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
    check_way = system.space.zones.check_way or partial(try_way, system)
    why = {
        zone.id: why_refused(check_way, state, actor, f"zone:{zone.id}")
        for zone in scene.zones
        if not zone.here
    }
    notes = {note.why: note for note in _share_reasons(scene, why)}
    zones = [
        replace(zone, refused=said, refused_at=notes[said].id if said in notes else "")
        if (said := why.get(zone.id))
        else zone
        for zone in scene.zones
    ]
    return replace(scene, zones=tuple(zones), no_ways=tuple(notes.values()))


def _share_reasons(scene: SceneView, why: dict[str, str]) -> Iterator[NoWay]:
    """The reasons that keep the combatant out of more than one zone, with the names of these zones."""
    for number, said in enumerate(dict.fromkeys(filter(None, why.values())), 1):
        names = tuple(zone.name for zone in scene.zones if why.get(zone.id) == said)
        if len(names) > 1:
            yield NoWay(f"no-ways-{number}", names, said)


def try_way(system: System, state: State, actor: str, to: str) -> None:
    """Run the move to a place that the form starts with; Refused if the rules do not allow it."""
    action = system.action(MOVE)
    command = read_command(action, {"actor": actor, **prefilled(action, state, actor), "to": to})
    run(system, state, action, command=command, driver=TryDriver())
