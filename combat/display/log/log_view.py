"""The log as one viewer may read it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.crypto import salted_hmac

from combat.audience.viewer import Viewer
from combat.models import StoredStep
from combat.play.writing.kept_steps import find_rows
from combat.play.writing.verification import read_step
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember, remember_by
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.state import events as e
from combat.rules.core.state.history import CANCEL, COMMAND, REDO, UNDO, Step
from combat.rules.core.state.state import State
from combat.rules.core.wording import Line, describe_facts
from combat.sharing.viewer_context import ViewerContext

from ..shapes.table_shapes import LogStep

MAX_VIEWS = 8  # kept for each step
Names = tuple[tuple[str, str], ...]  # ids and names


def names_of(state: State) -> dict[str, str]:
    """The names of all combatants, including those who left."""
    return {who: combatant.name for who, combatant in state.combatants.items()}


def view_log(context: ViewerContext, rows: Iterable[StoredStep]) -> tuple[LogStep, ...]:
    """Steps as lines, each step's facts filtered by their audience; undone ones only if dice fell in them."""
    names, viewer = names_of(context.known_state), context.viewer
    is_gm, system = viewer.is_gm, context.system
    seen = [row for row in rows if is_gm or row.dice or not row.struck]
    targets = find_targets(context, seen) if is_gm else {}
    eyes = _find_eyes(viewer, tuple(names.items()))
    steps = [
        row.__dict__.get("views", {}).get((row.struck, eyes))
        or _view_anew(system, names, row, viewer, eyes, targets.get(row.target))
        for row in seen
    ]
    return tuple([step for step in steps if step.lines or (is_gm and step.kind != COMMAND)])


@lru_cache(maxsize=1024)
def _find_eyes(viewer: Viewer, names: tuple[tuple[str, str], ...]) -> object:
    """One object for all who see the same: each step compares it at once, not all these names."""
    return object()


def find_targets(context: ViewerContext, rows: Iterable[StoredStep]) -> dict[int, StoredStep]:
    """The steps that an undo strikes or a redo restores, by their numbers."""
    rows = list(rows)
    wanted = {row.target for row in rows if row.target}
    if not wanted:
        return {}
    known = {row.number: row for row in rows if row.number in wanted}
    if missing := wanted - known.keys():
        found = find_rows(context.encounter.log.filter(number__in=missing))
        known |= {row.number: row for row in found}
    return known


def _view_anew(
    system: System,
    names: dict[str, str],
    row: StoredStep,
    viewer: Viewer,
    eyes: object,
    target: StoredStep | None,
) -> LogStep:
    """A step as lines; kept with its row for viewers who see the same."""
    views: dict[Any, LogStep] = row.__dict__.setdefault("views", {})
    if len(views) >= MAX_VIEWS:
        views.clear()
    view = views[row.struck, eyes] = view_step(system, names, row, viewer, target)
    return view


def view_step(
    system: System, names: dict[str, str], row: StoredStep, viewer: Viewer, target: StoredStep | None = None
) -> LogStep:
    """One step of the log; `target` is the step that it undoes or redoes."""
    step, look = read_step(row), ""
    if step.kind in (UNDO, REDO):
        lines = _flow_lines(step, _say_what(system, names, target, viewer)) if viewer.is_gm else ()
    else:
        _, lines, look = tell_step(system, viewer, step, _find_known(step, names, viewer))
    label = _name_action(system, step.name) if step.kind == CANCEL else ""
    return LogStep(mark_of(row, viewer), row.kind, lines, row.struck, row.by, label, row.round, look)


def _find_known(step: Step, names: dict[str, str], viewer: Viewer) -> Names:
    """The names that a step may tell; to the GM also those of combatants that an undo took away again."""
    events = [fact.event for fact in step.facts]
    joined = [one.combatant for one in events if isinstance(one, e.CombatantJoined)] if viewer.is_gm else []
    return tuple(({one.id: one.name for one in joined} | names if joined else names).items())


class Told(NamedTuple):
    """The facts of a step that a viewer may see, as lines of the log, and the kind of its action."""

    facts: tuple[e.Fact, ...]
    lines: tuple[Line, ...]
    look: str


def _look_at_step(system: System, viewer: Viewer, step: Step, names: Names) -> Seen:
    return (step, system), (viewer.role, viewer.seats, names)


@remember_by(_look_at_step)
def tell_step(system: System, viewer: Viewer, step: Step, names: Names) -> Told:
    """What a step tells a viewer who knows these names: the same in the log and on a card."""
    facts = _select_known(system, viewer, step, names)
    return Told(facts, describe_facts(system, facts, dict(names)), find_look(system, step, facts, viewer))


def _select_known(system: System, viewer: Viewer, step: Step, names: Names) -> tuple[e.Fact, ...]:
    """The facts of a step for a viewer who knows these names.

    A GM's decision about someone whom they do not know, or no longer, is not told: neither who was hidden
    nor that someone was.
    """
    facts = tuple(viewer.select(step.facts))
    if viewer.is_gm or step.name not in find_decisions(system):
        return facts
    known = {who for who, _ in names}
    return tuple([fact for fact in facts if known.issuperset(_find_decided(fact.event))])


@remember
def find_decisions(system: System) -> frozenset[str]:
    """The names of what a GM decides, besides beginning a fight and ending a turn."""
    own = {action.name for action in system.actions.by_name.values() if action.who == "gm"}
    return frozenset(own | GM_ACTIONS.keys()) - {system.actions.start, system.actions.advance}


def find_silent(context: ViewerContext) -> list[int]:
    """The numbers of decisions that everybody could read, until the GM hid all those in them."""
    if not context.unknown:
        return []
    decided = context.encounter.log.filter(kind=COMMAND, dice=False, name__in=find_decisions(context.system))
    return [row.number for row in find_rows(decided) if is_silent(context, row)]


def is_silent(context: ViewerContext, row: StoredStep) -> bool:
    """Whether a step is a decision of which the viewer can read nothing now."""
    is_told = row.dice or row.kind != COMMAND or row.name not in find_decisions(context.system)
    return not is_told and not view_log(context, [row])


def _find_decided(event: e.Event) -> tuple[str, ...]:
    """Those of whom the sentence of an event tells first; it can tell of the others as "someone"."""
    if isinstance(event, e.CombatantJoined | e.Overruled):
        return e.subjects_of(event)
    who = getattr(event, "who", "")
    return (who,) if who else ()


def find_look(system: System, step: Step, seen: Iterable[e.Fact], viewer: Viewer) -> str:
    """The kind of a step's action, if what the viewer has `seen` shows who acted; else empty.

    So it reveals nothing that they cannot see. Everybody sees the beginning of a fight.
    """
    actor, told = step.command.get("actor", ""), [fact.event for fact in seen]
    in_sight = bool(actor) and any(getattr(event, "who", "") == actor for event in told)
    in_sight = in_sight or any(isinstance(event, e.FightStarted) for event in told)
    is_shown = step.kind == COMMAND and (viewer.is_gm or in_sight)
    return system.kinds.of_action(step.name) if is_shown else ""


def _name_action(system: System, name: str) -> str:
    """The label of an action; its key, if the game no longer has it."""
    try:
        return system.draw(find_action(system, name).label)
    except Refused:
        return name


def mark_of(row: StoredStep, viewer: Viewer) -> str:
    """The name of a step: its number for the GM; for others a code that hides how many there were."""
    if viewer.is_gm:
        return str(row.number)
    return salted_hmac("combat.step", f"{row.encounter_id}:{row.number}").hexdigest()[:12]


def _flow_lines(step: Step, what: str) -> tuple[Line, ...]:
    word = "Undone" if step.kind == UNDO else "Redone"
    return (Line(f"{word}: {what or f'step {step.target}.'}", to=e.GM_ONLY),)


def _say_what(system: System, names: dict[str, str], row: StoredStep | None, viewer: Viewer) -> str:
    """A step in one sentence: its roll, else what happened first, else its name."""
    if row is None:
        return ""
    lines = view_step(system, names, row, viewer).lines
    told = next((line for line in lines if line.total is not None), next(iter(lines), None))
    return told.text if told else f"{_name_action(system, row.name)}."
