"""An own item while it is typed: the card as it will be, and what would be right where a field is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django import forms
from django.http import QueryDict

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.numbers import read_whole, with_true_minus
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import (
    OWN,
    Column,
    Entry,
    Kind,
    find_record_problems,
    new_thing,
    value_of,
)
from combat.rules.core.sheets.sheets import blank_draft

from ..display.attacks import AttackView
from ..display.sheet_view import view_sheet
from ..games import check_sheet, plan_of
from ..models import Character
from .catalogue import CatalogueItem, compare, find_similar, picture_of
from .forms import OwnItemForm
from .item_service import catalogue_of

SIMILAR = 3  # printed items beside an own one


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
class LiveItem:
    """An item as the catalogue and a sheet will show it; faulty fields keep their last good value.

    `beside` are its figures and those of similar printed items, whose `names` follow its own; `bars` compare
    their damage, where it is dice.
    """

    entry: Entry | None
    picture: str
    traits: tuple[Choice, ...]
    attacks: tuple[AttackView, ...]
    faults: tuple[Fault, ...]
    names: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    beside: tuple[tuple[Column, list[str]], ...] = ()


def take_fix(data: QueryDict) -> QueryDict:
    """What was sent, with the value that was tapped ("field=value") in its field."""
    name, _, value = data.get("take", "").partition("=")
    fixed = data.copy()
    fixed[name] = value
    return fixed


def view_live(system: System, kind: Kind, form: OwnItemForm) -> LiveItem:
    """The item of a bound form, valid or not, or of a fresh one."""
    entry, faults = _read(system, kind, form)
    catalogue = catalogue_of(system)
    names, beside = _compare(system, entry) if entry else ((), ())
    bars = _draw_bars(system, entry) if entry else ()
    return LiveItem(
        entry,
        picture=picture_of(system, kind.key, entry.name if entry else ""),
        traits=tuple(catalogue.traits[trait] for trait in entry.traits) if entry else (),
        attacks=_view_attacks(system, entry) if entry else (),
        faults=faults,
        names=names,
        bars=bars,
        beside=beside,
    )


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
    points = [(one.entry.name, _average(value_of(one.entry.record, column.key))) for one in items]
    most = max(average for _, average in points)
    return tuple(Bar(name, average, most) for name, average in points) if most > 0 else ()


def _average(notation: object) -> float:
    """The average of dice in points; 0 for none."""
    if not isinstance(notation, str) or not notation:
        return 0
    dice = parse_dice(notation)
    return dice.count * (dice.sides + 1) / 2 + dice.plus


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
    known = set(form.errors)
    form.show(problems)
    faults = tuple(_make_fault(form, name) for name in form.errors if name in form.fields)
    _fill(form, set(form.errors) - known)
    return _describe(system, kind, form), faults


def _fill(form: OwnItemForm, names: set[str]) -> None:
    """Give fields without a good value the one that they began with."""
    for name in names & set(form.fields):
        form.cleaned_data[name] = form.fields[name].initial
    form.cleaned_data["name"] = form.cleaned_data.get("name") or "New item"


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


def _view_attacks(system: System, entry: Entry) -> tuple[AttackView, ...]:
    """The lines of the item on a sheet of average numbers, in hand."""
    plan, kind = plan_of(system), catalogue_of(system).find_kind(entry.kind)
    if kind is None or kind.ready != "held":
        return ()
    thing = msgspec.structs.replace(new_thing(catalogue_of(system), entry, set()), place=kind.ready)
    sheet = {**check_sheet(system, plan.write({}, blank_draft(plan))), "items": msgspec.to_builtins([thing])}
    view = view_sheet(system, Character(name="Someone", system=system.slug, sheet=sheet))
    return tuple(replace(attack, item="") for attack in view.attacks if attack.name == entry.name)
