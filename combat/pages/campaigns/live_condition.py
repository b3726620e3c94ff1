"""A condition of the GM's own while it is typed: as rows and cards will show it, and what would be right."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from characters.display.shapes import Shape
from combat.display.forms.own_conditions import LINES
from combat.display.shapes.chips import Chip
from combat.play.campaigns.own_conditions import read_condition
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import MAX_TURNS
from combat.rules.core.state.state import OwnCondition

from .example_odds import Effect, view_effects

NAMELESS = "New condition"
FIELDS = ("name", "turns", "points")  # that a tap may fill


class LiveFault(Shape, frozen=True):
    """What is wrong at a field, by its place on the page, and the value that would do, as it is sent."""

    place: str
    words: str
    take: str = ""
    taken: str = ""


class LiveCondition(Shape, frozen=True):
    """The chip as the table draws it, the sentence beside it, what it does to odds, and the faults."""

    chip: Chip
    effects: tuple[Effect, ...] = ()
    faults: tuple[LiveFault, ...] = ()
    lines: int = LINES

    @property
    def places(self) -> list[str]:
        """The fields of the form that may have a fault."""
        return ["own-name", "own-turns", *(f"own-points-{number}" for number in range(1, self.lines + 1))]

    @property
    def chips(self) -> tuple[Chip, ...]:
        """As rows list them."""
        return (self.chip,)


def show_condition(system: System, own: OwnCondition) -> LiveCondition:
    """A condition as it is stored, or the fresh one."""
    return LiveCondition(_make_chip(system, own), view_effects(system, own))


def view_typed(system: System, posted: QueryDict) -> LiveCondition:
    """What is typed so far: a faulty field counts with the value that would do, or not at all."""
    changes, faults = _read_changes(system, posted)
    turns = read_whole(posted.get("turns", "") or "0")
    if turns is None or not 0 <= turns <= MAX_TURNS:
        good = 0 if turns is None or turns < 0 else MAX_TURNS
        faults.append(_make_fault("own-turns", f"0 to {MAX_TURNS} turns", f"turns={good}", str(good)))
        turns = good
    known = system.characters.own_conditions.effects
    fields: dict[str, Any] = {
        "sign": posted.get("sign", "ruling"),
        "changes": changes,
        "effects": [key for key in posted.getlist("effects") if key in known],
        "turns": turns,
        "note": posted.get("note", "")[:200],
    }
    name = posted.get("name", "").strip() or NAMELESS
    try:
        own = read_condition(system, {**fields, "name": name})
    except Refused as refused:
        other = f"{name} (ours)"[:60]
        faults.append(_make_fault("own-name", refused.message, f"name={other}", other))
        own = OwnCondition("", NAMELESS, changes=changes, effects=tuple(fields["effects"]), turns=turns)
    count = max(LINES, len(posted.getlist("points")[:50]))
    effects = view_effects(system, own)
    return LiveCondition(_make_chip(system, own), effects, faults=tuple(faults), lines=count)


def _read_changes(system: System, posted: QueryDict) -> tuple[dict[str, int], list[LiveFault]]:
    """The changes by number, each once and within bounds, and what is wrong with the lines."""
    rules, changes, faults = system.characters.own_conditions, dict[str, int](), list[LiveFault]()
    lines = zip(posted.getlist("change"), posted.getlist("points"), strict=False)
    for number, (key, word) in enumerate(lines, 1):
        points, place = read_whole(word), f"own-points-{number}"
        if not key or key not in rules.changes or key in changes:
            continue
        if points is None or points == 0:
            faults.append(_make_fault(place, "By how much, such as −2?", f"points.{number}=-2", "−2"))
        elif abs(points) > rules.most:
            points = rules.most if points > 0 else -rules.most
            shown = say_number(points, signed=True)
            words = f"−{rules.most} to +{rules.most}"
            faults.append(_make_fault(place, words, f"points.{number}={points}", shown))
        if points:
            changes[key] = points
    return changes, faults


def _make_fault(place: str, words: str, take: str, taken: str) -> LiveFault:
    return LiveFault(place, words, take=take, taken=taken)


def take_fix(posted: QueryDict) -> QueryDict:
    """What was sent, with the value that was tapped in its field: "name=…", or "points.2=…" for a line."""
    place, _, value = posted.get("take", "").partition("=")
    name, _, line = place.partition(".")
    fixed, number = posted.copy(), read_whole(line) or 1
    values = fixed.getlist(name)
    if name in FIELDS and 0 < number <= len(values):
        values[number - 1] = value
        fixed.setlist(name, values)
    return fixed


def _make_chip(system: System, own: OwnCondition) -> Chip:
    ends = f"{own.turns} turn{'s' if own.turns != 1 else ''}" if own.turns else "until removed"
    return Chip(
        "live",
        own.name or NAMELESS,
        ends=ends,
        text=system.characters.own_conditions.describe(own) or "Changes nothing yet.",
        rule="",
        look=own.sign or "ruling",
        count=str(own.turns or ""),
    )
