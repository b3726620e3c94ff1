"""An own item while it is typed: the card as it will be, and what would be right where a field is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from django import forms
from django.http import QueryDict

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.numbers import read_whole, with_true_minus
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import (
    OWN,
    Column,
    Entry,
    Kind,
    find_record_problems,
    value_of,
)

from ..models import Character
from .catalogue import CatalogueItem, compare, find_similar, picture_of
from .forms import OwnItemForm, field_name
from .hands import Hands, list_foes, view_hands
from .item_service import catalogue_of
from .lists import find_average

SIMILAR = 3  # printed items beside an own one
STEPS, MOST_LINES = (1, 2, 5, 10, 20, 50, 100, 200, 500), 6  # meters of a grid; its lines within a radius


@dataclass(frozen=True)
class Fault:
    """What is wrong with a field, and the value that would do, if one is known."""

    field: str
    label: str
    words: str
    fix: str = ""

    @property
    def taken(self) -> str:
        """The fix as people read it."""
        return with_true_minus(self.fix)


@dataclass(frozen=True)
class Bar:
    """What an item's damage dice add up to on average, in points; `most` is the longest bar beside it."""

    name: str
    points: float
    most: float


@dataclass(frozen=True)
class Known:
    """A field of an unfinished item, and what was chosen in it; empty words for nothing yet."""

    label: str
    words: str
    unit: str = ""


@dataclass(frozen=True)
class Blast:
    """A blast from above: its radii in meters, the largest first, and the meters between the grid's lines.

    `half` is half of the width shown, in meters; `lines` are where the grid is drawn.
    """

    radii: tuple[float, ...]
    grid: int
    half: float
    lines: tuple[float, ...]

    @property
    def wide(self) -> float:
        """The whole width shown, in meters."""
        return 2 * self.half


@dataclass(frozen=True)
class LiveItem:
    """An item as the catalogue and a sheet will show it; faulty fields keep their last good value.

    `hands` are those of an own character, or of average numbers.
    `missing` names the fields that still need something; until they have it, `known` is what was chosen so
    far, field by field, and `foes` are those whose chances follow. `beside` are its figures and those of
    similar printed items, whose `names` follow its own; `bars` compare their damage, where it is dice.
    `blast` draws the area of what has one.
    """

    entry: Entry | None
    picture: str
    traits: tuple[Choice, ...]
    faults: tuple[Fault, ...]
    hands: Hands | None = None
    missing: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    beside: tuple[tuple[Column, list[str]], ...] = ()
    blast: Blast | None = None
    name: str = ""
    known: tuple[Known, ...] = ()
    foes: tuple[str, ...] = ()


def draw_blast(record: Mapping[str, Any]) -> Blast | None:
    """The area of a record with a radius in meters, or with rings of damage; None without one."""
    rings = [ring.get("to_m") for ring in record.get("rings") or () if isinstance(ring, dict)]
    sizes = {
        float(one) for one in (record.get("radius_m"), *rings) if isinstance(one, int | float) and one > 0
    }
    if not sizes:
        return None
    most = max(sizes)
    grid = next(step for step in STEPS if most / step <= MOST_LINES)
    half = grid * (ceil(most / grid) + 1)
    lines = tuple(float(place) for place in range(-half, half + 1, grid))
    return Blast(tuple(sorted(sizes, reverse=True)), grid, half, lines)


def take_fix(data: QueryDict) -> QueryDict:
    """What was sent, with the value that was tapped ("field=value") in its field."""
    name, _, value = data.get("take", "").partition("=")
    fixed = data.copy()
    fixed[name] = value
    return fixed


def view_live(system: System, kind: Kind, form: OwnItemForm, holder: Character | None = None) -> LiveItem:
    """The item of a bound form, valid or not, or of a fresh one; in the hands of the `holder`, if any."""
    entry, found = _read(system, kind, form)
    faults = tuple(fault for fault in found if form.data.get(fault.field, "").strip())
    missing = _list_missing(form, found)
    if set(missing) - {form.fields["name"].label}:
        entry = None  # nothing is shown that nobody chose
    catalogue = catalogue_of(system)
    names, beside = _compare(system, entry) if entry else ((), ())
    bars = _draw_bars(system, entry) if entry else ()
    return LiveItem(
        entry,
        picture=picture_of(system, kind.key, entry.name if entry else ""),
        traits=tuple(catalogue.traits[trait] for trait in entry.traits) if entry else (),
        hands=view_hands(system, entry, holder) if entry else None,
        faults=faults,
        missing=missing,
        names=names,
        bars=bars,
        beside=beside,
        blast=draw_blast(entry.record) if entry else None,
        name=str(form["name"].value() or ""),
        known=() if entry else _list_known(kind, form, missing),
        foes=() if entry else list_foes(system, kind),
    )


def _list_missing(form: OwnItemForm, found: tuple[Fault, ...]) -> tuple[str, ...]:
    """The labels of the fields that are empty and must not be."""
    if form.is_bound:
        return tuple(one.label for one in found if not form.data.get(one.field, "").strip())
    needed = ((name, field) for name, field in form.fields.items() if field.required and form.counts(name))
    return tuple(str(field.label) for name, field in needed if field.initial in ("", None, ()))


def _list_known(kind: Kind, form: OwnItemForm, missing: tuple[str, ...]) -> tuple[Known, ...]:
    """What an item has so far, and what it still needs; plain values are not worth a line."""
    shown = []
    for column in kind.columns:
        name = field_name(column.key)
        value = None if name in form.errors else form[name].value()
        is_empty = value in ("", None, (), [])
        is_needed = form.fields[name].label in missing
        if form.counts(name) and (is_needed if is_empty else str(value) != str(column.plain)):
            shown.append(Known(column.label, "" if is_empty else _name_value(column, value), column.unit))
    return tuple(shown)


def _name_value(column: Column, value: Any) -> str:
    """A value of a form as people read it."""
    labels = {option.value: option.label for option in column.options}
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(labels.get(str(one), str(one)) for one in values)


def _compare(system: System, entry: Entry) -> tuple[tuple[str, ...], tuple[tuple[Column, list[str]], ...]]:
    """The figures of an item beside those of similar ones, as far as they differ."""
    item = CatalogueItem(system, entry)
    items = [item, *find_similar(item, SIMILAR)]
    figures = [row for row in compare(items) if row[0].kind in ("number", "dice") and row[2]]
    return tuple(one.entry.name for one in items), tuple((column, values) for column, values, _ in figures)


def _draw_bars(system: System, entry: Entry) -> tuple[Bar, ...]:
    """The average damage of an item and of similar ones; none for a kind without dice."""
    item = CatalogueItem(system, entry)
    column = next((one for one in item.kind.columns if one.kind == "dice"), None)
    if column is None:
        return ()
    items = [item, *find_similar(item, SIMILAR)]
    points = [(one.entry.name, find_average(value_of(one.entry.record, column.key))) for one in items]
    most = max(average for _, average in points)
    return tuple(Bar(name, average, most) for name, average in points) if most > 0 else ()


def _read(system: System, kind: Kind, form: OwnItemForm) -> tuple[Entry | None, tuple[Fault, ...]]:
    """The entry, if the figures make one, and what is wrong in the form."""
    if not form.is_bound:
        form.cleaned_data = {}
        _fill(form, set(form.fields))
        return _describe(system, kind, form), ()
    form.full_clean()
    _fill(form, set(form.errors))
    record = form.make_record()
    problems = find_record_problems(catalogue_of(system), kind.key, {**record, "id": OWN, "origin": OWN})
    form.show(problems)
    faults = tuple(_make_fault(form, name) for name in form.errors if name in form.fields)
    _fill(form, set(form.errors))
    return _describe(system, kind, form), faults


def _fill(form: OwnItemForm, names: set[str]) -> None:
    """Give fields without a good value the one that they began with, or else the least there is."""
    for name in names & set(form.fields) - {"name"}:
        field = form.fields[name]
        is_empty = field.initial in (None, "", ()) and field.required
        form.cleaned_data[name] = _find_least(field) if is_empty else field.initial
    form.cleaned_data["name"] = form.cleaned_data.get("name") or form.fields["name"].initial or "New item"


def _find_least(field: forms.Field) -> Any:
    """A value for the card while a field is empty."""
    if isinstance(field, forms.IntegerField):
        return max(0, field.min_value) if isinstance(field.min_value, int) else 0
    if isinstance(field, forms.ChoiceField):
        first = next((pair for pair in flatten(field.choices)), "")
        return [first] if isinstance(field, forms.MultipleChoiceField) else first
    return "0"


def flatten(choices: Any) -> list[str]:
    """The values of choices, also of those in groups."""
    return [
        value
        for key, label in choices
        for value in ([one for one, _ in label] if isinstance(label, list | tuple) else [key])
    ]


def _describe(system: System, kind: Kind, form: OwnItemForm) -> Entry | None:
    record = {**form.make_record(), "id": OWN, "origin": OWN}
    catalogue = catalogue_of(system)
    return None if find_record_problems(catalogue, kind.key, record) else catalogue.describe(kind.key, record)


def _make_fault(form: OwnItemForm, name: str) -> Fault:
    field, typed = form.fields[name], form.data.get(name, "")
    words = str(next(iter(form.errors[name])))
    return Fault(name, str(field.label), words, find_fix(field, typed))


def find_fix(field: forms.Field, typed: str) -> str:
    """The nearest number within a field's bounds, else what the field began with."""
    number = read_whole(typed)
    if isinstance(field, forms.IntegerField) and number is not None:
        low = field.min_value if isinstance(field.min_value, int) else number
        high = field.max_value if isinstance(field.max_value, int) else number
        return str(max(low, min(high, number)))
    began: Any = field.initial
    return str(began) if isinstance(began, (int, str)) and began not in ("", typed) else ""
