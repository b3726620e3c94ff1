"""What the beginning of a fight asks about people, as faces by side: who is surprised, who lies in ambush."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from django.forms import MultipleChoiceField

from characters.display.shapes import Shape
from combat.display.forms.fields import ActionForm
from combat.display.shapes.table_shapes import CombatantView
from combat.rules.core.basics.names import NUMBERED

FEWEST = 3  # of one name, to be chosen together


class Together(Shape, frozen=True):
    """People who are chosen by one tap: a side, or those of a side whose names differ by their number."""

    label: str
    ids: str


class PickSide(Shape, frozen=True):
    """A side: its people as faces, and who of them can be chosen together."""

    together: tuple[Together, ...]
    people: tuple[CombatantView, ...]


class StartPick(Shape, frozen=True):
    """A field of the form that begins a fight, with the people it asks about."""

    name: str
    label: str
    hint: Any
    sides: tuple[PickSide, ...]


def view_start_picks(form: ActionForm, combatants: Mapping[str, CombatantView]) -> tuple[StartPick, ...]:
    """The fields of the form that ask about people; other fields stay as they are."""
    asked = {name: one for name, one in form.fields.items() if isinstance(one, MultipleChoiceField)}
    return tuple(
        StartPick(
            name,
            str(field.label),
            field.help_text,
            _view_sides([combatants[who] for who, _ in field.widget.choices if who in combatants]),
        )
        for name, field in asked.items()
    )


def _view_sides(people: Iterable[CombatantView]) -> tuple[PickSide, ...]:
    by_side = sorted(people, key=lambda one: (one.tone != "is-ally", one.side))
    sides = (tuple(group) for _, group in groupby(by_side, key=lambda one: one.side))
    return tuple(PickSide(tuple(_find_together(side)), side) for side in sides)


def _find_together(side: tuple[CombatantView, ...]) -> list[Together]:
    """The whole side first, then its groups that are not all of it."""
    kinds: dict[str, list[str]] = {}
    for one in side:
        kinds.setdefault(_strip_number(one.name), []).append(one.id)
    groups = [(name, ids) for name, ids in kinds.items() if FEWEST <= len(ids) < len(side)]
    whole = [(f"All {side[0].side}", [one.id for one in side])] if len(side) > 1 else []
    return [Together(f"{label} ({len(ids)})", " ".join(ids)) for label, ids in (*whole, *groups)]


def _strip_number(name: str) -> str:
    found = NUMBERED.fullmatch(name)
    return found["base"] if found else name
