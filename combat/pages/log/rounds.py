"""The log as rounds and turns: what one viewer reads of it, step by step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from urllib.parse import urlencode

from msgspec.structs import replace

from combat.audience.viewer import Viewer
from combat.display.combatants.tokens import Look
from combat.display.dice import view_faces
from combat.display.log_view import CRITICAL, UNDONE, mark_of, names_of
from combat.display.shapes.result_shapes import Face
from combat.display.shapes.table_shapes import CombatantView, LogStep
from combat.models import StoredStep
from combat.play.writing.step_cache import state_after
from combat.rules.core.state import events as e
from combat.rules.core.wording import Line
from combat.sharing.viewer_context import ViewerContext

from ..table.shapes import describe_time, find_standing_steps, find_steps

ROUND, TURN, CANCEL = "round", "turn", "cancel"  # kinds of lines, and of a step
MINE, ROLLS, PRIVATE, ALL = "mine", "rolls", "private", "all"
KINDS = {
    "attacks": ("attack", "explosive", "grapple"),
    "moves": ("move", "vehicle"),
    "aid": ("aid", "repair"),
    "notes": ("talk",),
}
ICONS = {"attacks": "attack", "moves": "move", "aid": "aid", "notes": "talk"}


@dataclass(frozen=True)
class Part:
    """A part of the log: a round, or what came before the first. `first` counts its steps before it.

    `place` numbers the parts from 0, `at` is the number of its first step.
    """

    place: int
    round: int
    at: int
    first: int
    count: int


@dataclass(frozen=True)
class LogLine:
    """A line with its step, its place in it from 1, and the dice as drawn.

    `at` is the number of the step in a replay; None if it has none there.
    """

    step: LogStep
    line: Line
    place: int
    faces: tuple[Face, ...]
    is_last: bool
    at: int | None = None

    @property
    def is_critical(self) -> bool:
        """Whether it is the roll that made its step a critical one."""
        return CRITICAL in self.step.marks and self.line.total is not None and self.line.tone == "good"

    @property
    def classes(self) -> str:
        """The CSS classes of what it is besides a line."""
        said = {
            "is-undone": self.step.is_undone,
            "is-private": self.line.to != e.EVERYONE,
            "is-crit": self.is_critical,
        }
        return " ".join(name for name, is_so in said.items() if is_so)


@dataclass
class LogTurn:
    """What one combatant did, or what happened while nobody is known to act: then without name and token."""

    who: str
    name: str = ""
    look: Look | None = None
    lines: list[LogLine] = field(default_factory=list)

    @property
    def marks(self) -> tuple[str, ...]:
        """What its steps came to, in order; an undone one is only that."""
        steps = [next(lines).step for _, lines in groupby(self.lines, lambda one: one.step.number)]
        return tuple(mark for step in steps for mark in ((UNDONE,) if step.is_undone else step.marks))


@dataclass
class LogRound:
    """A part of the log with its turns, oldest first; `time` is how long the fight has lasted.

    `is_now`: it is the round under way.
    """

    part: Part
    turns: list[LogTurn] = field(default_factory=list)
    time: str = ""
    is_now: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """What its steps came to, in order."""
        return tuple(mark for turn in self.turns for mark in turn.marks)


def find_parts(context: ViewerContext) -> tuple[Part, ...]:
    """The parts of the log that a viewer can read, oldest first. One query."""
    stored, known = find_steps(context).order_by("number"), context.told_later.rounds
    numbers = [(number, known.get(number, n)) for number, n in stored.values_list("number", "round")]
    found: list[Part] = []
    for round_, group in groupby(numbers, lambda one: one[1]):
        steps = [number for number, _ in group]
        first = found[-1].first + found[-1].count if found else 0
        found.append(Part(len(found), round_, steps[0], first=first, count=len(steps)))
    return tuple(found)


def find_rounds(
    context: ViewerContext,
    parts: Sequence[Part],
    rows: Iterable[StoredStep],
    log: Iterable[LogStep],
    combatants: Mapping[str, CombatantView],
) -> list[LogRound]:
    """The lines of these steps, oldest first, by rounds and turns."""
    places, names = _find_places(context, parts, rows), names_of(context.known_state)
    found: list[LogRound] = []
    for step in log:
        part, at = places[step.number]
        lines = _find_lines(step, at)
        opens = not found or found[-1].part != part
        if opens and not (found and any(one.line.kind == ROUND for one in lines)):
            found.append(LogRound(part))
        for n, one in enumerate(lines):
            if one.line.kind == ROUND:
                if found[-1].part != part:
                    found.append(LogRound(part))
                continue
            turns = found[-1].turns
            who = _find_whose(one, lines[n - 1].line if n else None, turns[-1].who if turns else "")
            if not turns or turns[-1].who != who:
                look = replace(combatants[who].look, active=False) if who in combatants else None
                turns.append(LogTurn(who, names.get(who, ""), look))
            turns[-1].lines.append(one)
    return [one for one in found if one.turns]


def find_standing(context: ViewerContext) -> list[int]:
    """The steps of a replay for those who are not the GM, in order: their places are all they learn."""
    return list(find_standing_steps(context).order_by("number").values_list("number", flat=True))


def _find_places(
    context: ViewerContext, parts: Sequence[Part], rows: Iterable[StoredStep]
) -> dict[str, tuple[Part, int | None]]:
    """The part of each step and its number in a replay, by its name for the viewer."""
    is_gm, found, left = context.viewer.is_gm, dict[str, tuple[Part, int | None]](), list(parts)
    standing = {} if is_gm else {number: n for n, number in enumerate(find_standing(context), 1)}
    for row in sorted(rows, key=lambda row: row.number):
        while len(left) > 1 and left[1].at <= row.number:
            left.pop(0)
        at = row.number if is_gm else standing.get(row.number)
        found[mark_of(row, context.viewer)] = left[0], at
    return found


def _find_lines(step: LogStep, at: int | None) -> list[LogLine]:
    lines = step.lines
    if step.kind == CANCEL:
        lines = (*lines, Line(f"Canceled: {step.label}"))
    last = len(lines)
    return [
        LogLine(step, line, n, faces=view_faces(line.roll) if line.roll else (), is_last=n == last, at=at)
        for n, line in enumerate(lines, 1)
    ]


def _find_whose(one: LogLine, before: Line | None, now: str) -> str:
    """Whose turn a line belongs to: theirs who begin it, else theirs who act, else as the line before it.

    Of several whose turns begin together, the first: the others come by what they do.
    """
    if one.line.kind == TURN and one.line.who:
        begins_together = before is not None and before.kind == TURN
        return now if begins_together else one.line.who
    return one.step.actor or now


def tell_times(context: ViewerContext, rounds: Iterable[LogRound]) -> None:
    """Say when each round began, in the time of the game. One query."""
    first = {one.part.at: one for one in rounds if one.part.round}
    for row in context.encounter.log.filter(number__in=first).only("encounter", "number", "after"):
        first[row.number].time = describe_time(state_after(row).clock)


def keep_lines(rounds: Iterable[LogRound], wanted: Collection[str]) -> list[LogRound]:
    """Only the lines of the wanted steps, without turns and rounds that have none."""
    found = []
    for one in rounds:
        for turn in one.turns:
            turn.lines = [line for line in turn.lines if line.step.number in wanted]
        one.turns = [turn for turn in one.turns if turn.lines]
        found += [one] if one.turns else []
    return found


@dataclass(frozen=True)
class RailRound:
    """A part of the log in the rail: its address, and what its steps came to. `is_now`: it is on top."""

    part: Part
    address: str
    is_now: bool
    marks: tuple[str, ...]


def view_rail(parts: Iterable[Part], rounds: Iterable[LogRound], per_page: int) -> tuple[RailRound, ...]:
    """The parts of the log, the newest first; with a filter, which has no pages (0), only those shown."""
    shown, total, found = {one.part.place: one for one in rounds}, 0, list[RailRound]()
    top = max(shown, default=-1)
    for part in reversed(tuple(parts)):
        total += part.count
        here = shown.get(part.place)
        page = f"?page={(total - part.count) // per_page + 1}" if per_page else "?"
        address = f"#part-{part.place}" if here else f"{page}#part-{part.place}"
        if here or per_page:
            found.append(RailRound(part, address, part.place == top, here.marks if here else ()))
    return tuple(found)


# What a log may be narrowed to: one combatant or one's own, and a kind of step.


@dataclass(frozen=True)
class Filter:
    """A link that narrows the log; `look` is a token, `icon` a kind."""

    label: str
    query: str
    current: bool
    look: Look | None = None
    icon: str = ""


@dataclass(frozen=True)
class Filters:
    """Which steps of a log are wanted: those of `whom` (an id, or "mine"), and of a kind."""

    whom: str = ""
    kind: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nothing is left out."""
        return not (self.whom or self.kind)

    @property
    def is_my_rolls(self) -> bool:
        """Whether a player asks for the rolls of their own."""
        return (self.whom, self.kind) == (MINE, ROLLS)

    def query(self, **changes: object) -> str:
        """An address of the log with these changes; "?" for all of it."""
        fields = {"who": self.whom, "show": self.kind, **changes}
        return f"?{urlencode({name: value for name, value in fields.items() if value})}"

    def takes(self, step: LogStep, seats: frozenset[str]) -> bool:
        """Whether a step belongs to what is asked."""
        looks = {step.look, *(line.look for line in step.lines)}
        if self.kind == ROLLS and not any(line.roll for line in step.lines):
            return False
        if self.kind == PRIVATE and all(line.to == ALL for line in step.lines):
            return False
        if self.kind in KINDS and looks.isdisjoint(KINDS[self.kind]):
            return False
        wanted = seats if self.whom == MINE else {self.whom}
        people = {step.actor, *(line.who for line in step.lines)}
        return not self.whom or not people.isdisjoint(wanted)


def read_filters(fields: Mapping[str, str], viewer: Viewer, combatants: Iterable[str]) -> Filters:
    """What is asked, without what there is not for this viewer."""
    whom, kind = fields.get("who", ""), fields.get("show", "")
    known = {*combatants, *((MINE,) if viewer.is_seated else ())}
    return Filters(whom if whom in known else "", kind if kind in list_kinds(viewer) else "")


def list_kinds(viewer: Viewer) -> tuple[str, ...]:
    """The kinds of steps to choose from; only the GM reads what is private to others."""
    return (*KINDS, ROLLS, *((PRIVATE,) if viewer.is_gm else ()))


def view_people(
    filters: Filters, viewer: Viewer, combatants: Mapping[str, CombatantView]
) -> tuple[Filter, ...]:
    """The links to everyone's steps, one's own, and each combatant's."""
    found = [Filter("All", filters.query(who=""), not filters.whom)]
    if viewer.is_seated:
        found.append(Filter("Mine", filters.query(who=MINE), filters.whom == MINE))
    for who, one in combatants.items():
        label, look = one.full_name, replace(one.look, active=False)
        found.append(Filter(label, filters.query(who=who), filters.whom == who, look))
    return tuple(found)


def view_kinds(filters: Filters, viewer: Viewer) -> tuple[Filter, ...]:
    """The links to kinds of steps; that of the chosen one leads back to all."""
    return tuple(
        Filter(
            kind.capitalize(),
            filters.query(show="" if filters.kind == kind else kind),
            filters.kind == kind,
            icon=ICONS.get(kind, ""),
        )
        for kind in list_kinds(viewer)
    )
