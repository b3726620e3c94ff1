"""The log as one viewer may read it, and its steps as small marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from combat.audience.viewer import Viewer
from combat.models import StoredStep
from combat.play.writing.step_cache import find_last, find_rows, find_undone
from combat.play.writing.unseen_turn import ToldLater
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.declaration.parts import Actions
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action, find_verdicts
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.gm.improvising import ACT
from combat.rules.core.gm.rulings import USE
from combat.rules.core.report.story import CRITICAL_OUTCOME
from combat.rules.core.state import events as e
from combat.rules.core.state.history import CANCEL, COMMAND, REDO, SEATS, UNDO, Step
from combat.rules.core.state.state import State
from combat.rules.core.wording import Line, describe_facts, find_defenses
from combat.sharing.viewer_context import ViewerContext

from .shapes.table_shapes import LogStep

HIT, CRITICAL, MISS, FALL, AID, UNDONE = "hit", "critical", "miss", "fall", "aid", "undone"
MARKS = {HIT: "hit", CRITICAL: "critical", MISS: "miss", FALL: "falls", AID: "aid", UNDONE: "undone"}
STRIKES = ("attack", "explosive", "grapple", "")  # kinds of actions; of someone unseen it is unknown
FALLS = ("unconscious", "dying", "dead")  # kinds of conditions
MOST = 4  # of one step
Names = tuple[tuple[str, str], ...]  # ids and names


def names_of(state: State) -> dict[str, str]:
    """The names of all combatants, including those who left."""
    return {who: combatant.name for who, combatant in state.combatants.items()}


def view_log(
    context: ViewerContext, rows: Iterable[StoredStep], told: ToldLater | None = None
) -> tuple[LogStep, ...]:
    """Steps as lines, each step's facts filtered by their audience; undone ones only if dice fell in them.

    `told` is what is read later than it happened; None for all of the fight.
    """
    told = context.told_later if told is None else told
    viewer, find_names = context.viewer, _name_as_then(context)
    is_gm, system = viewer.is_gm, context.system
    seen = [row for row in add_held(context, list(rows), told) if is_gm or row.dice or not row.struck]
    targets = find_targets(context, seen) if is_gm else {}
    steps = {
        row.number: view_step(system, find_names(row), row, viewer=viewer, target=targets.get(row.target))
        for row in seen
    }
    for row in seen:
        if row.kind in (UNDO, REDO) and row.target in steps:
            steps[row.number] = replace(steps[row.number], is_told_below=True)
    if is_gm:
        steps |= _mark_private(context, seen, steps)
        steps |= _mark_checks(context, seen, steps)
    for number in steps.keys() & told.rounds.keys():
        steps[number] = replace(steps[number], round=told.rounds[number])
    shown = _tell_later(steps, told)
    return tuple([step for step in shown if step.lines or (is_gm and step.kind not in (COMMAND, SEATS))])


def _mark_private(
    context: ViewerContext, rows: Iterable[StoredStep], steps: dict[int, LogStep]
) -> Iterator[tuple[int, LogStep]]:
    """The decisions that only the GM reads now, since they are about those of whom others do not know."""
    system, unknown = context.system, context.system.find_unknown(context.full_state)
    decisions = find_decisions(system) if unknown else frozenset[str]()
    known = tuple((who, name) for who, name in names_of(context.known_state).items() if who not in unknown)
    for row in rows:
        if row.name in decisions and not row.dice and row.kind == COMMAND:
            if not _select_known(system, Viewer(), read_step(row), known):
                lines = tuple([replace(line, to=e.GM_ONLY) for line in steps[row.number].lines])
                yield row.number, replace(steps[row.number], lines=lines)


def _mark_checks(
    context: ViewerContext, rows: Iterable[StoredStep], steps: dict[int, LogStep]
) -> Iterator[tuple[int, LogStep]]:
    """The steps of this round with the numbers of those checks that the GM may overrule now."""
    state, system = context.known_state, context.system
    if context.pending or state.phase != "fight":
        return
    for row in rows:
        if row.pk and row.kind == COMMAND and row.dice and not row.struck and row.round == state.round:
            open_rolls = [
                (number, verdict.check.who, verdict.check.roll.faces, verdict.check.total)
                for number, verdict in enumerate(find_verdicts(system, *_find_rolled(row)))
                if verdict
            ]
            yield row.number, replace(steps[row.number], lines=_number_lines(steps[row.number], open_rolls))


def _find_rolled(row: StoredStep) -> tuple[tuple[e.Fact, ...], tuple[Answer, ...]]:
    step = read_step(row)
    return step.facts, step.answers


def _number_lines(step: LogStep, open_rolls: list[tuple[int, str, tuple[int, ...], int]]) -> tuple[Line, ...]:
    """The lines of a step, those of the open rolls with their numbers; each roll has one line."""
    lines = list[Line]()
    for line in step.lines:
        found = next((one for one in open_rolls if line.roll and one[1:] == _read_roll(line)), None)
        if found:
            open_rolls.remove(found)
        lines.append(replace(line, check=found[0]) if found else line)
    return tuple(lines)


def _read_roll(line: Line) -> tuple[str, tuple[int, ...], int | None]:
    return line.who, line.roll.faces if line.roll else (), line.total


def add_held(context: ViewerContext, rows: list[StoredStep], told: ToldLater) -> list[StoredStep]:
    """These steps in their order, with those that the viewer reads with one of them."""
    shown = {row.number for row in rows}
    missing = [held for held, later in told.steps.items() if later in shown and held not in shown]
    if not missing:
        return rows
    found = find_rows(StoredStep.objects.filter(encounter=context.encounter, number__in=missing))
    newest_first = rows[0].number > rows[-1].number
    return sorted([*rows, *found], key=lambda row: row.number, reverse=newest_first)


def _tell_later(steps: dict[int, LogStep], told: ToldLater) -> Iterator[LogStep]:
    """The steps, each with what was held back until it: as without the turns out of sight between them."""
    found = dict(steps)
    for held, later in told.steps.items():  # newest first
        if held in found and later in found:
            first, last = found.pop(held), found[later]
            marks = (*first.marks, *last.marks)[:MOST]
            found[later] = replace(last, lines=(*first.lines, *last.lines), marks=marks)
    yield from found.values()


def _name_as_then(context: ViewerContext) -> Callable[[StoredStep], dict[str, str]]:
    """The names in the lines of a step: of those who were revealed later, the alias that was known then."""
    names = names_of(context.known_state)
    if context.viewer.is_gm or not context.reveals:
        return lambda row: names
    return lambda row: names | {one.who: one.was for number, one in context.reveals if number > row.number}


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


def view_step(
    system: System, names: dict[str, str], row: StoredStep, viewer: Viewer, target: StoredStep | None = None
) -> LogStep:
    """One step of the log; `target` is the step that it undoes or redoes."""
    step = read_step(row)
    if step.kind in (UNDO, REDO):
        word = "Undone" if step.kind == UNDO else "Redone"
        what = _say_what(system, names, target, viewer) or f"step {step.target}."
        lines = (Line(f"{word}: {what}", to=e.GM_ONLY),) if viewer.is_gm else ()
        return LogStep(mark_of(row, viewer), row.kind, lines, struck=row.struck, by=row.by, round=row.round)
    told = tell_step(step, system.slug, viewer, _find_known(step, names, viewer))
    label = _name_action(system, step.name) if step.kind == CANCEL else ""
    by = "" if step.name == Actions.advance and not viewer.is_gm else row.by  # of a turn out of sight
    shown = (mark_of(row, viewer), row.kind, told.lines, row.struck, by, label, row.round)
    is_again = step.kind == COMMAND and bool(step.target)
    quotes = step.name in (ACT, USE)
    return LogStep(*shown, told.look, told.actor, told.marks, quotes=quotes, is_again=is_again)


def _find_known(step: Step, names: dict[str, str], viewer: Viewer) -> Names:
    """The names that a step may tell; to the GM also those of combatants that an undo took away again."""
    joined = dict[str, str]()
    for fact in step.facts:
        if isinstance(fact.event, e.CombatantJoined) and viewer.is_gm:
            joined[fact.event.combatant.id] = fact.event.combatant.name
    return tuple((joined | names if joined else names).items())


class VisibleStep(NamedTuple):
    """The facts of a step that a viewer may see, as lines of the log, the kind of its action, and its marks.

    `actor` is who acted, if the viewer saw them.
    """

    facts: tuple[e.Fact, ...]
    lines: tuple[Line, ...]
    look: str
    actor: str
    marks: tuple[str, ...]


@remember_each
def tell_step(step: Step, slug: str, viewer: Viewer, names: Names) -> VisibleStep:
    """What a step of the game `slug` tells a viewer who knows these names, in the log and on a card.

    Cached, since a page shows forty steps and all but one were on the page before.
    """
    system = find_system(slug)
    facts = _select_known(system, viewer, step, names)
    lines, look = describe_facts(system, facts, dict(names)), find_look(system, step, facts, viewer)
    return VisibleStep(
        facts, lines, look, actor=_find_actor(step, facts, viewer), marks=find_marks(system, facts, look)
    )


def _select_known(system: System, viewer: Viewer, step: Step, names: Names) -> tuple[e.Fact, ...]:
    """The facts of a step for a viewer who knows these names.

    A GM's decision about someone whom they do not know, or no longer, is not told: neither who was hidden
    nor that someone was.
    """
    facts = tuple([fact for fact in viewer.select(step.facts) if _is_current(fact.event, names, viewer)])
    if viewer.is_gm or step.name not in find_decisions(system):
        return facts
    known = {who for who, _ in names}
    return tuple([fact for fact in facts if known.issuperset(_find_decided(fact.event))])


def _is_current(event: e.Event, names: Names, viewer: Viewer) -> bool:
    """Whether a new name, if it is one, is that which the viewer reads: an older one may be secret by now."""
    if viewer.is_gm or not isinstance(event, e.Renamed) or event.only_side:
        return True
    return (event.who, event.name) in names


def find_decisions(system: System) -> frozenset[str]:
    """The names of what a GM decides, besides beginning a fight and ending a turn."""
    own = {action.name for action in system.actions.by_name.values() if action.who == "gm"}
    return frozenset(own | GM_ACTIONS.keys()) - {system.actions.start, system.actions.advance}


def find_silent(context: ViewerContext) -> list[int]:
    """The numbers of decisions that everybody could read, until the GM hid all those in them."""
    has_alias = any(one.alias is not UNSET for one in context.full_state.combatants.values())
    if not (context.unknown or has_alias or context.reveals):
        return []
    decided = context.encounter.log.filter(kind=COMMAND, dice=False, name__in=find_decisions(context.system))
    return [row.number for row in find_rows(decided) if is_silent(context, row)]


def is_silent(context: ViewerContext, row: StoredStep) -> bool:
    """Whether a step is a decision of which the viewer can read nothing now."""
    is_told = row.dice or row.kind != COMMAND or row.name not in find_decisions(context.system)
    return not is_told and not view_log(context, [row], ToldLater())


def _find_decided(event: e.Event) -> tuple[str, ...]:
    """Those of whom the sentence of an event tells first; it can tell of the others as "someone"."""
    if isinstance(event, e.CombatantJoined | e.Overruled):
        return e.subjects_of(event)
    who = getattr(event, "who", "")
    return (who,) if who else ()


def _find_actor(step: Step, seen: Iterable[e.Fact], viewer: Viewer) -> str:
    """Who acted in a step, if what the viewer has `seen` shows it; else empty."""
    actor = str(step.command.get("actor", ""))
    return actor if viewer.is_gm or any(getattr(fact.event, "who", "") == actor for fact in seen) else ""


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
    return str(row.number) if viewer.is_gm else row.code


def _say_what(system: System, names: dict[str, str], row: StoredStep | None, viewer: Viewer) -> str:
    """A step in one sentence: its roll, else what happened first, else its name."""
    if row is None:
        return ""
    return view_step(system, names, row, viewer).brief or f"{_name_action(system, row.name)}."


def say_undoes(context: ViewerContext) -> str:
    """What the GM's Undo takes back, in brief; empty if there is nothing.

    With an overruled roll go the steps that were done again after it: it is named by the roll.
    """
    row = next(iter(find_last(context.encounter)), None)
    if row and row.target:
        row = find_undone(context.encounter)
    return _say_what(context.system, names_of(context.full_state), row, context.viewer)


def find_marks(system: System, seen: Iterable[e.Fact], look: str) -> tuple[str, ...]:
    """The marks of a step whose facts the viewer has `seen`; `look` is the kind of its action, if known."""
    return tuple(_find_marks(system, [fact.event for fact in seen], look))[:MOST]


def _find_marks(system: System, seen: list[e.Event], look: str) -> Iterator[str]:
    checks = [event for event in seen if isinstance(event, e.Checked)]
    defended = find_defenses(checks)
    rolls = [(one, n in defended) for n, one in enumerate(checks) if one.who == checks[0].who]
    if look == AID:
        yield AID if not rolls or any(one.good for one, _ in rolls) else MISS
        return
    for one, fails in rolls:
        if one.outcome == CRITICAL_OUTCOME:
            yield CRITICAL
        elif one.target not in ("", one.who) and look in STRIKES:
            yield HIT if one.good and not fails else MISS
    gained = (event.condition.kind for event in seen if isinstance(event, e.ConditionGained))
    if any(system.kinds.of_condition(kind) in FALLS for kind in gained):
        yield FALL
