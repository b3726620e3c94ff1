"""A branch as the table draws it: the branch's state as its owner may see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from combat.audience.secrecy import find_played, forget_orders, obscure_health
from combat.display.log_view import mark_of, view_log, view_step
from combat.display.log_view import names_of as find_names
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import LogStep, TableView
from combat.models import Branch, Encounter, StoredStep
from combat.play.whatif.branches import FULL, is_full, read_steps, state_in, unpack, viewer_of
from combat.play.writing.step_cache import state_at
from combat.rules.core.state.history import Step, go_back
from combat.rules.core.state.state import PAUSED, Combatant, State, encode, with_key
from combat.rules.core.state.state import replace as replace_state
from combat.rules.core.wording import Line
from combat.sharing.viewer_context import ViewerContext

from ..report.replay import look_back
from ..table.shapes import find_standing_steps, view_table

FIRST_NUMBER = 1_000_000  # for ids made in a player's branch: the real count would reveal hidden combatants
PRESENT = "now"
MAX_ROWS = 40  # steps of a branch on its page


# ---- Where a branch begins ----


@dataclass(frozen=True)
class Origin:
    """A step of the log where a branch can begin: its number, its mark for the viewer, its lines."""

    number: int
    mark: str
    round: int
    lines: tuple[Line, ...]

    @property
    def words(self) -> str:
        """The step in one line."""
        told = " ".join(line.text for line in self.lines if line.kind != "round")
        return told if len(told) <= 200 else f"{told[:199].rstrip()}…"


BEFORE_ALL = Origin(0, "0", 0, ())


def find_origin(context: ViewerContext, mark: str) -> Origin | None:
    """The step of the log with this mark; None if the viewer can read no such step.

    "now" is the newest that they can read; "0", for the GM, is before the first.
    """
    rows = find_standing_steps(context)
    if mark == "0" and context.viewer.is_gm:
        return BEFORE_ALL
    if mark == PRESENT:
        newest = rows.order_by("-number").first()
        return view_origin(context, newest) if newest else Origin(context.encounter.steps, PRESENT, 0, ())
    for row in rows.only("encounter_id", "number"):
        if mark_of(row, context.viewer) == mark:
            return view_origin(context, rows.get(pk=row.pk))
    return None


def view_origin(context: ViewerContext, row: StoredStep) -> Origin:
    """A step of the log as the origin of a branch."""
    told = view_log(context, [row])
    lines = tuple(line for step in told for line in step.lines)
    in_round = context.told_later.rounds.get(row.number, row.round)
    return Origin(row.number, mark_of(row, context.viewer), in_round, lines)


def find_origins(context: ViewerContext, branches: Iterable[Branch]) -> dict[int, Origin]:
    """The origins of branches by step number, if the viewer can read those steps today."""
    rows = find_standing_steps(context).filter(number__in={branch.after for branch in branches})
    return {0: BEFORE_ALL} | {row.number: view_origin(context, row) for row in rows}


def find_start(context: ViewerContext, number: int) -> State:
    """The state after a step of the log, as its viewer may know it: the start of a branch.

    For the GM it is the state itself. For a player it lacks what is hidden from them, then or now, and the
    standing orders of others; the health of others is only as exact as it looks.
    """
    encounter, viewer, now = context.encounter, context.viewer, context.full_state
    if viewer.is_gm:
        return go_back(state_at(encounter, number), now)
    newest = find_standing_steps(context).order_by("-number").values_list("number", flat=True).first()
    present = context.unseen_turn.then if context.unseen_turn else now
    then = present if number == newest else state_at(encounter, number)
    known = forget_orders(look_back(then, now, viewer), viewer)
    played = find_played(now, known.combatants)
    return replace_state(obscure_health(context.system, known, viewer), made=FIRST_NUMBER, played=played)


def find_closed(context: ViewerContext, branch: Branch, start: State | None = None) -> str:
    """Why a branch cannot be opened now; empty if it can.

    Its owner must still have their part in the fight, and know of everybody in the branch by their name.
    """
    viewer, eyes = context.viewer, viewer_of(branch)
    if viewer.role != eyes.role or not eyes.seats <= viewer.seats:
        return "You had another part in this fight when you began this branch: begin a new one."
    begun = start or unpack(branch.start)
    if not begun.combatants.keys().isdisjoint(context.unknown):
        return "Someone in this branch is out of your sight: it opens again when you see them."
    disguised = [one for one in context.full_state.combatants.values() if one.alias is not UNSET]
    if not viewer.is_gm and any(_has_other_name(begun, one) for one in disguised):
        return "Someone in this branch has another name now: begin a new one."
    return ""


def _has_other_name(begun: State, now: Combatant) -> bool:
    then = begun.combatants.get(now.id)
    return then is not None and then.name != now.name


# ---- A branch as a table ----


def make_context(context: ViewerContext, branch: Branch) -> ViewerContext:
    """The context of a branch, made for the pages of a table from the branch instead of the fight.

    Its encounter is never saved; it has the number of the fight only for the addresses of pictures. Nobody
    waits in a branch, so the pause of a fight does not reach into it.
    """
    real, state, eyes = context.encounter, _without_pause(unpack(branch.state)), viewer_of(branch)
    version: Any = f"{branch.pk}.{branch.revision}"  # fits no page of another branch, or of the fight
    shadow = Encounter(
        pk=real.pk,
        name=real.name,
        system=real.system,
        owner_id=real.owner_id,
        state=encode(state),
        steps=branch.steps,
        version=version,
        seated=version,
        public=version,
        phase=state.phase,
        round=state.round,
        open_command=branch.waiting,
    )
    look_back = partial(state_in, branch)
    return ViewerContext(shadow, eyes, context.seat, context.name, decoded=state, look_back=look_back)


def _without_pause(state: State) -> State:
    return replace_state(state, marks=with_key(state.marks, PAUSED, None))


def make_rows(branch: Branch, steps: Iterable[Step]) -> list[StoredStep]:
    """Steps of a branch as unsaved rows of a log, newest first."""
    rows = [
        StoredStep(
            encounter_id=branch.encounter_id,
            number=step.number,
            kind=step.kind,
            name=step.name,
            by=step.by,
            record=msgspec.json.encode(step),
        )
        for step in steps
    ]
    return rows[::-1]


def view_branch(branch: Branch, inside: ViewerContext, chosen: str = "") -> TableView:
    """The table of a branch; `inside` is the context of the branch."""
    steps = read_steps(branch)
    table = view_table(inside, chosen, make_rows(branch, steps[-MAX_ROWS:]))
    prompt = table.prompt
    if prompt:  # a branch has no clock and no standing orders
        asked = tuple(replace(question, can_stand=False) for question in prompt.questions)
        prompt = replace(prompt, questions=asked, seconds=None)
    return replace(
        table,
        scene=_keep_still(table.scene) if is_full(branch) else table.scene,
        prompt=prompt,
        waiting=None,
        idle="Between two turns in your sight",
        can_undo=bool(branch.steps or branch.waiting),
        can_redo=False,
        can_end_turn=table.phase == "fight",
    )


def _keep_still(scene: SceneView) -> SceneView:
    """The map of a branch in which no step can follow: nobody can be moved on it."""
    tokens = tuple(replace(one, moves="") for one in scene.tokens)
    return replace(scene, tokens=tokens, no_way=f"No move now: {FULL}")


def view_steps(inside: ViewerContext, steps: Iterable[Step], branch: Branch) -> tuple[LogStep, ...]:
    """Steps of a branch as lines, oldest first."""
    names = find_names(inside.known_state)
    rows = reversed(make_rows(branch, steps))
    return tuple(view_step(inside.system, names, row, inside.viewer) for row in rows)
