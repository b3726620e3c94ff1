"""A fight step by step, and its log as a file: each as one viewer may read it."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as replace_view
from typing import Literal

import msgspec

from combat.audience.map_fog import find_unknown
from combat.audience.picture_secrecy import find_clip
from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.play.encounter_service import state_at
from combat.rules.core.space import Scene, map_of, with_map
from combat.rules.core.state.state import State, present, replace
from combat.rules.core.wording import Line
from combat.sharing.viewer_context import ViewerContext

from .cover import uncover
from .log_view import view_log
from .map import view_scene
from .shapes import FighterView, LogStep, SceneView
from .table_view import find_standing_steps, find_steps, view_fighter


class StoryLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the log, without what it has nothing of."""

    round: int
    text: str
    rule: str = ""
    dice: str = ""
    faces: tuple[int, ...] = ()
    undone: bool = False


class Story(msgspec.Struct, frozen=True):
    """The log as everyone but the GM exports it; `rules` is the version of the game's rules."""

    format: Literal["cosmos-table-story"]
    version: Literal[1]
    name: str
    game: str
    rules: int
    lines: tuple[StoryLine, ...]


@dataclass(frozen=True)
class Moment:
    """The fight as it was after a step, and what that step told.

    The GM's steps are all there are. Everybody else's are those that they can read, counted from 1:
    how many there are besides is nothing they may know.
    """

    number: int
    last: int
    round: int
    fighters: tuple[FighterView, ...]
    lines: tuple[Line, ...]
    scene: SceneView

    @property
    def earlier(self) -> int:
        """The step before."""
        return self.number - 1

    @property
    def later(self) -> int:
        """The step after."""
        return self.number + 1


def find_moment(context: ViewerContext, number: int | None) -> Moment | None:
    """The fight after a step, as a viewer may see it today; before the first step for 0. None without it."""
    encounter, viewer = context.encounter, context.viewer
    rows = find_standing_steps(context).order_by("number")
    last = encounter.steps if viewer.is_gm else rows.count()
    if number is None or number > last:
        return None
    row = rows[number - 1] if number else None
    state = look_back(state_at(encounter, row.number if row else 0), context.full_state, viewer)
    told = view_log(context, [row] if row else [])
    places = {who: place for place, who in enumerate(state.order)}
    fighters = [view_fighter(context.system, state, fighter, viewer) for fighter in present(state)]
    fighters.sort(key=lambda view: places.get(view.id, len(places)))
    lines = tuple(line for step in told for line in step.lines)
    return Moment(number, last, state.round, tuple(fighters), lines, _view_ground(context, state, fighters))


def _view_ground(context: ViewerContext, state: State, fighters: list[FighterView]) -> SceneView:
    """The map of a former state; the picture under it only if its viewer is shown the same of it today."""
    scene = view_scene(context.system, state, {fighter.id: fighter for fighter in fighters})
    scene, now = uncover(scene, state, context.viewer), find_clip(context.full_state, context.viewer)
    if now and now.shown == scene.plan.picture:
        return scene
    return replace_view(scene, plan=replace_view(scene.plan, picture=None))


def look_back(then: State, now: State, viewer: Viewer) -> State:
    """A former state as a viewer may know it today: without what was hidden then, or is now."""
    if viewer.is_gm:
        return then
    unknown = find_unknown(now, viewer)
    people = {w: replace(f, hidden=True) if w in unknown else f for w, f in then.combatants.items()}
    scene = _hide_as_now(then.scene, now.scene)
    return redact(replace(then, combatants=people, options=now.options, scene=scene), viewer)


def _hide_as_now(then: Scene, now: Scene) -> Scene:
    """A former scene under its own fog and hidden areas, and those of today: they may be newer than it."""
    old, new = map_of(then), map_of(now)
    areas = tuple(area for area in new.hidden if area not in old.hidden)
    if not areas and (old.fog or not new.fog):
        return then
    return with_map(then, msgspec.structs.replace(old, fog=old.fog or new.fog, hidden=(*old.hidden, *areas)))


def find_log_view(context: ViewerContext) -> tuple[LogStep, ...]:
    """All that a viewer can read of the log, oldest first."""
    return view_log(context, find_steps(context).order_by("number"))


def write_log(context: ViewerContext) -> bytes:
    """The log as JSON: every line with its round, its dice and its rule."""
    story = Story(
        format="cosmos-table-story",
        version=1,
        name=context.encounter.name,
        game=context.system.name,
        rules=context.known_state.rules,
        lines=tuple(_tell(line, step) for step in find_log_view(context) for line in step.lines),
    )
    return msgspec.json.format(msgspec.json.encode(story), indent=2)


def _tell(line: Line, step: LogStep) -> StoryLine:
    dice, faces = (line.roll.dice, line.roll.faces) if line.roll else ("", ())
    return StoryLine(step.round, line.text, line.rule, dice, faces, step.is_undone)


def export_text(context: ViewerContext) -> str:
    """The log as plain text, a line for each sentence."""
    rules = f"version {context.known_state.rules} of its rules"
    told = [f"{context.encounter.name} ({context.system.name}, {rules})"]
    for step in find_log_view(context):
        for line in step.lines:
            mark = " (undone)" if step.is_undone else ""
            told.append(f"\n{line.text}" if line.kind == "round" else f"  {line.text}{_dice(line)}{mark}")
    return "\n".join(told) + "\n"


def _dice(line: Line) -> str:
    faces = line.roll.faces if line.roll else ()
    return f" [{line.roll.dice}: {', '.join(map(str, faces))}]" if line.roll and faces else ""
