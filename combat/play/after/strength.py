"""How strong each side was through a fight, as one viewer knew it.

Strength is what those who can still fight have left: points of health, or percent of each one's health where
the viewer may not know the points. What changed out of sight shows once they see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from combat.audience.map_fog import find_unknown
from combat.audience.secrecy import view_obscured_health
from combat.audience.viewer import Viewer
from combat.rules.core.declaration.system import System
from combat.rules.core.sides import is_able
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import Combatant, State

LEAST_SWING = 2.0  # percentage points of all strength: less is no turning point
WHOLE = 100


@dataclass(frozen=True)
class Stand:
    """The strength of everyone known after a step, by id."""

    number: int
    round: int
    left: Mapping[str, int]


@dataclass(frozen=True)
class Swing:
    """A step that moved the strength of the sides: the share of one side `before` and `after`, in percent.

    `place` is its place among the stands, `fallen` those who fell, the strongest first. `who` is the first of
    them, or the one whose strength changed most if nobody fell.
    """

    place: int
    number: int
    round: int
    before: float
    after: float
    who: str
    fallen: tuple[str, ...] = ()


@dataclass
class Course:
    """The strength of a fight from its first step: `most` that anyone can have, `sides` of all, by id.

    `falls` is the round in which each of those who are out could no longer fight.
    """

    in_points: bool
    stands: list[Stand] = field(default_factory=list)
    most: dict[str, int] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    falls: dict[str, int] = field(default_factory=dict)

    def add_up(self, side: str, stand: Stand) -> int:
        """The strength of a side after a step."""
        return sum(left for who, left in stand.left.items() if self.sides[who] == side)

    def find_most(self, side: str) -> int:
        """The strength of a side that is unhurt."""
        return sum(most for who, most in self.most.items() if self.sides[who] == side)

    def find_share(self, side: str, stand: Stand) -> float:
        """A side's part of the strength of all, in percent; half if nobody has any."""
        whole = sum(stand.left.values())
        return WHOLE * self.add_up(side, stand) / whole if whole else WHOLE / 2


def find_course(system: System, moves: Iterable[tuple[Step, State]], viewer: Viewer, now: State) -> Course:
    """The strength after each step that changed it or began a round; `now` is the present state, all of it.

    Combatants whom the viewer does not know count at no time, and so do steps that they may not read.
    """
    course = Course(viewer.is_gm or system.option(now, "foe_health") == "number")
    unknown, left = find_unknown(now, viewer), dict[str, int]()
    for step, state in moves:
        then = replace(state, options=now.options)
        found = {
            one.id: (one, _measure(system, then, one, viewer=viewer, in_points=course.in_points))
            for one in then.combatants.values()
            if one.id not in unknown and one.side not in system.tactics.neutral
        }
        changed = {who for who, (_, value) in found.items() if left.get(who) != value}
        for who in changed - find_unknown(then, viewer) if changed else ():
            one, value = found[who]
            course.sides[who] = one.side
            most = system.find_health(then, one).most if course.in_points else WHOLE
            course.most[who] = max(value, most)
            if not value and left.get(who):
                course.falls[who] = state.round
            elif value:
                course.falls.pop(who, None)
            left = left | {who: value}
        last = course.stands[-1] if course.stands else None
        if last is None or last.left != left or last.round != state.round:
            course.stands.append(Stand(step.number, state.round, left))
    return course


def _measure(system: System, state: State, one: Combatant, viewer: Viewer, in_points: bool) -> int:
    if not is_able(system, state, one):
        return 0
    health = system.find_health(state, one)
    if in_points:
        return max(1, round(health.most * health.share))
    shown = view_obscured_health(system, state, one, viewer=viewer, health=health)
    return max(1, shown.percent) if shown.shown else WHOLE


def find_swings(course: Course, side: str) -> list[Swing]:
    """The steps that moved a side's part of the strength of all: first those where someone fell."""
    swings = list[Swing]()
    for place, (was, now) in enumerate(zip(course.stands, course.stands[1:], strict=False), start=1):
        if now.left == was.left or not any(was.left.values()):
            continue
        before, after = course.find_share(side, was), course.find_share(side, now)
        if not any(now.left.values()):
            after = before
        moved = {one: abs(left - was.left.get(one, 0)) for one, left in now.left.items()}
        out = [one for one, left in was.left.items() if left and not now.left[one]]
        fallen = tuple(sorted(out, key=lambda one: -moved[one]))
        who = fallen[0] if fallen else max(moved, key=lambda one: moved[one])
        swings.append(Swing(place, now.number, now.round, before=before, after=after, who=who, fallen=fallen))
    found = [swing for swing in swings if swing.fallen or abs(swing.after - swing.before) >= LEAST_SWING]
    return sorted(found, key=lambda swing: (not swing.fallen, -abs(swing.after - swing.before)))
