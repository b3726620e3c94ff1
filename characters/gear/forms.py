"""The form of a person's own item, built from the columns its game declares for the kind."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
from django import forms

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.data import as_plain
from combat.rules.core.sheets.catalogue import SPENDS, Column, Kind, value_of
from cosmos_site.base.forms import SearchInput, SiteForm

from ..display.number_fields import CountInput, WholeField

PILLS = 8  # choices that are all shown at once


class PlainInteger(WholeField):
    """A whole number that takes its default where nothing was typed."""

    def clean(self, value: Any) -> Any:
        """The number; 0 for an empty field."""
        return super().clean(0 if value in ("", None) else value)


def field_name(key: str) -> str:
    """The field name of a column: without dots, which have another meaning in forms."""
    return key.replace(".", "__")


class KindForm(SiteForm):
    """The game and kind of a new own item."""

    game = forms.ChoiceField(label="Game")
    kind = forms.ChoiceField(label="Kind")


class FilterForm(KindForm):
    """The words and filters of a search."""

    q = forms.CharField(label="Search", widget=SearchInput("Name, trait, damage…"))
    age = forms.ChoiceField()
    trait = forms.ChoiceField(label="Trait")
    most = WholeField(label="Max price")
    own = forms.BooleanField(label="Only my items")


class TakeForm(SiteForm):
    """A character to get an item, and how many."""

    rows = (("character", "count"),)
    character = forms.ChoiceField(label="Character")
    count = forms.CharField(
        label="Quantity", widget=forms.TextInput({"class": "number", "inputmode": "numeric"})
    )


class OwnItemForm(forms.Form):
    """All figures of one kind of item. The game's own schema decides what is valid.

    A new one begins with the figures of the first printed item of its kind, so that it is valid as it stands.
    """

    use_required_attribute = False
    name = forms.CharField(label="Name", max_length=60)

    def __init__(self, kind: Kind, record: dict[str, Any] | None = None, data: Any = None) -> None:
        super().__init__(data, auto_id="own-%s")
        self.kind, self.record = kind, record or {}
        self.fields["name"].initial = self.record.get("name", "")
        shown = self.record or _find_example(kind)
        for column in kind.columns:
            field = _make_field(column)
            value = value_of(shown, column.key)
            least = column.low if column.required and column.kind == "number" else None
            field.initial = next((one for one in (value, column.plain, least) if one is not None), None)
            self.fields[field_name(column.key)] = field

    def make_record(self) -> dict[str, Any]:
        """The record of a valid form: the earlier record with every column as typed."""
        begun = copy.deepcopy(self.record) or _find_unshown(self.kind)
        record = begun | {"name": " ".join(self.cleaned_data["name"].split())}
        for column in self.kind.columns:
            _put(record, column, self.cleaned_data[field_name(column.key)])
        return _without_plain(record, self.kind)

    def show(self, problems: tuple[Problem, ...]) -> None:
        """Show each problem of the schema at the field it concerns."""
        for problem in problems:
            place, message = self._find_place(problem)
            name = field_name(place)
            words = message[:1].upper() + message[1:] + "."
            if name in self.fields:
                self.add_error(name, words)
            else:
                self.add_error(None, f"{place}: {words}" if place else words)

    def _find_place(self, problem: Problem) -> tuple[str, str]:
        """The field and words of a problem; words about the whole may begin with the field they mean."""
        first, _, rest = problem.message.partition(" ")
        return (
            (first, rest) if not problem.place and first in self.fields else (problem.place, problem.message)
        )


def _find_example(kind: Kind) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(next(iter(kind.find_rows().values()), {}))
    return found


def _find_unshown(kind: Kind) -> dict[str, Any]:
    """What a record of this kind needs and no column shows, such as its group."""
    shown = {"id", "name", *(column.key.partition(".")[0] for column in kind.columns)}
    needed = {one.name for one in msgspec.structs.fields(kind.record) if one.required} - shown
    return {name: value for name, value in _find_example(kind).items() if name in needed}


def _make_field(column: Column) -> forms.Field:
    """A field for a column; an empty field means the default."""
    shown: dict[str, Any] = {
        "label": f"{column.label} ({column.unit})" if column.unit else column.label,
        "help_text": column.help,
        "required": column.required,
    }
    if column.kind == "number":
        kind = WholeField if column.plain is None else PlainInteger
        shown |= {"required": True, "widget": CountInput}
        return kind(min_value=column.low, max_value=column.high, **shown)
    if column.kind == "flag":
        return forms.BooleanField(**shown | {"required": False})
    if column.kind == "many":
        pairs = [(option.value, option.label) for option in column.options]
        widget = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=pairs, widget=widget, **shown | {"required": False})
    if column.kind == "choice":
        pairs = [(option.value, option.label or "none") for option in column.options]
        picker = forms.RadioSelect if len(pairs) <= PILLS else forms.Select
        return forms.ChoiceField(choices=pairs, widget=picker, **shown)
    return forms.CharField(max_length=20 if column.kind == "dice" else 200, **shown)


def _put(record: dict[str, Any], column: Column, value: Any) -> None:
    """Write a typed value into the record, and create the inner table it belongs to if needed."""
    *way, last = column.key.split(".")
    for part in way:
        inner = record.get(part)
        record[part] = inner if isinstance(inner, dict) else {}
        record = record[part]
    record[last] = column.plain if value is None else value


def _without_plain(record: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """The record without empty inner tables, where the schema allows that, and without an empty counter."""
    optional = {field.name for field in msgspec.structs.fields(kind.record) if not field.required}
    plain = {column.key: column.plain for column in kind.columns}
    kept = {}
    for name, value in record.items():
        if name == SPENDS.key and not value:
            continue
        if isinstance(value, dict) and name in optional:
            keys = {f"{name}.{key}": inner for key, inner in value.items()}
            if all(_is_plain(inner, plain.get(key)) for key, inner in keys.items()):
                continue
        kept[name] = value
    return as_plain(kept)


def _is_plain(value: Any, plain: Any) -> bool:
    return value == plain or (not value and not plain)
