"""A fight step by step, and its log as a file, each as one viewer may read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
from django.db.models import QuerySet
from msgspec import UNSET

from combat.audience.map_fog import find_clip, find_unknown
from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.display.log_view import view_log
from combat.display.map.scene import add_decks, uncover, view_scene
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import CombatantView, LogStep
from combat.models import StoredStep
from combat.play.writing.step_cache import state_at
from combat.play.writing.unseen_turn import find_unseen_turn, is_unseen, keep_acting
from combat.rules.core.space import Scene, map_of, with_map
from combat.rules.core.state.state import FACE, REVEALED, Combatant, State, replace, with_key
from combat.rules.core.wording import Line
from combat.sharing.viewer_context import ViewerContext

from ..table.rows import add_sheets, view_combatants
from ..table.shapes import find_standing_steps, find_steps


class StoryLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the log; empty fields are left out."""

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
    """The fight after a step, and the lines of that step; `row` is the step, None before the first.

    For the GM, all steps are counted; for others only those that they can read, from 1, which hides how many
    there are in all. `before` is the state before it as the viewer may know it.
    """

    number: int
    last: int
    round: int
    combatants: tuple[CombatantView, ...]
    lines: tuple[Line, ...]
    scene: SceneView
    row: StoredStep | None
    state: State
    before: State

    @property
    def earlier(self) -> int:
        """The number of the step before."""
        return self.number - 1

    @property
    def later(self) -> int:
        """The number of the step after."""
        return self.number + 1


def find_moment(context: ViewerContext, number: int | None) -> Moment | None:
    """The fight after step `number` as a viewer may see it today; None if there is no such step.

    0 is before the first step.
    """
    encounter, viewer = context.encounter, context.viewer
    rows = find_standing_steps(context).order_by("number")
    last = encounter.steps if viewer.is_gm else rows.count()
    if number is None or number > last:
        return None
    earlier, row = _find_pair(rows, number)
    before, state = (_find_known(context, one.number if one else 0) for one in (earlier, row))
    told = view_log(context, [row] if row else [])
    places = {who: place for place, who in enumerate(state.order)}
    views = add_sheets(context, view_combatants(context.system, state, viewer)).values()
    combatants = sorted(views, key=lambda view: places.get(view.id, len(places)))
    lines = tuple(line for step in told for line in step.lines)
    ground = _view_ground(context, state, combatants)
    return Moment(
        number,
        last,
        state.round,
        combatants=tuple(combatants),
        lines=lines,
        scene=ground,
        row=row,
        state=state,
        before=before,
    )


def find_beginning(context: ViewerContext) -> int:
    """The step of a replay to begin at: the one that begins the first fight, or before all steps."""
    rows = find_standing_steps(context).order_by("number")
    first = rows.filter(round__gt=0).values_list("number", flat=True).first()
    if first is None:
        return 0
    return first if context.viewer.is_gm else rows.filter(number__lte=first).count()


def _find_pair(rows: QuerySet[StoredStep], number: int) -> tuple[StoredStep | None, StoredStep | None]:
    """The steps before and at a number of a replay; None before the first."""
    found = [None, None, *rows[max(0, number - 2) : number]] if number else [None, None]
    return found[-2], found[-1]


def _find_known(context: ViewerContext, number: int) -> State:
    """The state after a step as the viewer may know it today; in a hidden turn the last visible one acts."""
    encounter, viewer, now = context.encounter, context.viewer, context.full_state
    full = state_at(encounter, number)
    known = look_back(full, now, viewer)
    if not number or not is_unseen(full, known):
        return known
    turn = find_unseen_turn(encounter, viewer, full, number)
    return keep_acting(look_back(turn.then, now, viewer), viewer, turn.ended)


def _view_ground(context: ViewerContext, state: State, combatants: list[CombatantView]) -> SceneView:
    """The map of a past state; with its picture only if the viewer sees the same part of it today."""
    scene = view_scene(context.system, state, {combatant.id: combatant for combatant in combatants})
    scene, now = (
        add_decks(state, uncover(scene, state, context.viewer)),
        find_clip(context.full_state, context.viewer),
    )
    if now and now.shown == scene.plan.picture:
        return scene
    return replace(scene, plan=msgspec.structs.replace(scene.plan, picture=None))


def look_back(then: State, now: State, viewer: Viewer) -> State:
    """A past state as a viewer may know it today: without what was hidden then, or is now.

    An alias also counts for the time before it was given.
    """
    if viewer.is_gm:
        return redact(then, viewer)
    unknown = find_unknown(now, viewer)
    people = {w: replace(f, hidden=True) if w in unknown else f for w, f in then.combatants.items()}
    people = {w: _name_as_now(f, now.combatants.get(w)) for w, f in people.items()}
    scene = _hide_as_now(then.scene, now.scene)
    return redact(replace(then, combatants=people, options=now.options, scene=scene), viewer)


def _name_as_now(then: Combatant, now: Combatant | None) -> Combatant:
    """A combatant by their alias of today, or by the one they had when they were revealed later."""
    if now is None or then.alias is not UNSET or REVEALED in then.marks:
        return then
    if now.alias is not UNSET:
        marks = with_key(then.marks, FACE, now.marks.get(FACE))
        return replace(then, name=now.name, alias=now.alias, marks=marks)
    if REVEALED in now.marks:
        return replace(then, name=str(now.marks[REVEALED]), marks=with_key(then.marks, FACE, None))
    return then


def _hide_as_now(then: Scene, now: Scene) -> Scene:
    """A past scene with its own fog and hidden areas plus those of today, which may be newer."""
    old, new = map_of(then), map_of(now)
    areas = tuple(area for area in new.hidden if area not in old.hidden)
    if not areas and (old.fog or not new.fog):
        return then
    return with_map(then, msgspec.structs.replace(old, fog=old.fog or new.fog, hidden=(*old.hidden, *areas)))


def find_log_view(context: ViewerContext) -> tuple[LogStep, ...]:
    """Everything that a viewer can read of the log, oldest first."""
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
    return StoryLine(step.round, line.text, line.rule, dice=dice, faces=faces, undone=step.is_undone)


def export_text(context: ViewerContext) -> str:
    """The log as plain text, one sentence per line."""
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
