"""What a log may be narrowed to: one combatant or one's own, and a kind of step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from msgspec.structs import replace

from combat.audience.viewer import Viewer
from combat.display.combatants.tokens import Look
from combat.display.shapes.table_shapes import CombatantView, LogStep

MINE, ROLLS, PRIVATE, ALL = "mine", "rolls", "private", "all"
KINDS = {
    "attacks": ("attack", "explosive", "grapple"),
    "moves": ("move", "vehicle"),
    "aid": ("aid", "repair"),
    "notes": ("talk",),
}
ICONS = {"attacks": "attack", "moves": "move", "aid": "aid", "notes": "talk"}


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
