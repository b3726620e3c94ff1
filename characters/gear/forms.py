"""The form of a person's own item, built from the columns its game declares for the kind."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
from django import forms
from django.urls import reverse_lazy
from django.utils.html import format_html

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets.catalogue import SPENDS, Column, ItemUse, Kind, value_of
from cosmos_site.base.forms import SearchInput, SiteForm

from ..display.number_fields import CountInput, WholeField

USED_BY = ("radius_m", "mode", "modes", "kind", "group", "range_types")  # figures that tell the use
PILLS = 8  # choices that are all shown at once
KEEPS_THE_LIST = {  # the page of the list, what is compared and whose card is open
    "hx-get": reverse_lazy("gear"),
    "hx-trigger": "input consume",
    "hx-include": "#filters, #list-page, [name=pick], [name=shown]",
}


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
    hands = forms.ChoiceField(label="In the hands of", widget=forms.Select(KEEPS_THE_LIST))


class TakeForm(SiteForm):
    """A character to get an item, and how many."""

    rows = (("character", "count"),)
    character = forms.ChoiceField(label="Character")
    count = forms.CharField(
        label="Quantity", widget=forms.TextInput({"class": "number", "inputmode": "numeric"})
    )


class ManyChips(forms.CheckboxSelectMultiple):
    """Choices to tap: those of the first group at once, the others folded."""

    template_name = "gear/chips.html"


class OneChip(forms.RadioSelect):
    """The same, with one choice at most."""

    template_name = "gear/chips.html"


class OwnItemForm(forms.Form):
    """The figures of one kind of item that its use needs. The game's own schema decides what is valid.

    A new one begins empty, or with the figures of the `record` that someone chose. Its page has the fields of
    every use and shows those of the one that is chosen; what is sent in the others does not count.
    """

    use_required_attribute = False
    name = forms.CharField(label="Name", max_length=60)

    def __init__(
        self, kind: Kind, record: dict[str, Any] | None = None, data: Any = None, asked: str = ""
    ) -> None:
        super().__init__(data, auto_id="own-%s")
        self.kind, self.record = kind, record or {}
        self.fields["name"].initial = self.record.get("name", "")
        self.use = self._find_use(asked)
        self.uses: dict[str, str] = {}  # of fields: the uses that need them, as words; empty for all
        for column in kind.columns:
            field = _make_field(column, kind)
            value = value_of(self.record, column.key) if self.record else self._find_begin(column)
            least = column.low if self.record and column.kind == "number" else None
            found = next((one for one in (value, column.plain, least) if one is not None), None)
            field.initial = int(found) if isinstance(found, float) and found.is_integer() else found
            self.uses[field_name(column.key)] = self._list_uses(column)
            self.fields[field_name(column.key)] = field
        for key in self.use.needs if self.use else ():
            self.fields[field_name(key)] = _make_needed(next(c for c in kind.columns if c.key == key), self)

    def _find_use(self, asked: str) -> ItemUse | None:
        """The use that was chosen; else that of what was sent, or of the record; else the first."""
        sent = {key: str(self.data.get(key, "")).strip("0") for key in USED_BY}
        words = (self.data.get("use") or asked, self.kind.find_use(self.record or sent))
        uses = {use.key: use for use in self.kind.uses}
        return next((uses[word] for word in words if word in uses), next(iter(uses.values()), None))

    def _find_begin(self, column: Column) -> Any:
        """What most new items begin with: those of the chosen use, or of the one that needs the column."""
        uses = [self.use] if self.use else []
        if self.use and column.uses and self.use.key not in column.uses:
            uses = [use for use in self.kind.uses if use.key in column.uses]
        return next((use.begins[column.key] for use in uses if column.key in use.begins), None)

    def _list_uses(self, column: Column) -> str:
        """The uses whose forms show a column, as words; empty for all.

        What an item has besides is never out of sight.
        """
        known = {use.key: use for use in self.kind.uses}
        found = [key for key in column.uses or known if column.key not in known[key].sets]
        value, own = value_of(self.record, column.key), self.kind.find_use(self.record) if self.record else ""
        usual = known[own].sets.get(column.key, column.plain) if own in known else None
        if own in known and own not in found and value is not None and not _is_plain(value, usual):
            found.append(own)
        return "" if len(found) == len(known) else " ".join(found) or "none"

    def counts(self, name: str) -> bool:
        """Whether a field belongs to the use that is chosen."""
        uses = self.uses.get(name, "")
        return self.use is None or not uses or self.use.key in uses.split()

    def clean(self) -> None:
        """Drop what was sent for other uses, and what was wrong with it."""
        for name in self.fields:
            if not self.counts(name):
                self.errors.pop(name, None)
                self.cleaned_data.pop(name, None)

    def make_record(self) -> dict[str, Any]:
        """The record of a valid form: the earlier record with what the use needs as typed."""
        begun = copy.deepcopy(self.record) or _find_unshown(self.kind)
        record = begun | {"name": " ".join(self.cleaned_data["name"].split())}
        sets = self.use.sets if self.use else {}
        for column in self.kind.columns:
            name = field_name(column.key)
            if self.counts(name):
                _put(record, column, self.cleaned_data[name])
            else:
                _put(record, column, sets.get(column.key))
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


def _make_needed(column: Column, form: OwnItemForm) -> forms.Field:
    """The field of a number that cannot be 0 in the use of a form."""
    field = WholeField(min_value=max(1, column.low), max_value=column.high, widget=CountInput)
    old = form.fields[field_name(column.key)]
    field.error_messages["required"] = field.error_messages["min_value"]
    field.label, field.help_text, field.initial = old.label, old.help_text, old.initial or None
    return field


def _find_unshown(kind: Kind) -> dict[str, Any]:
    """What a record of this kind needs and no column shows, such as its group."""
    shown = {"id", "name", *(column.key.partition(".")[0] for column in kind.columns)}
    needed = {one.name for one in msgspec.structs.fields(kind.record) if one.required} - shown
    return {name: value for name, value in _find_example(kind).items() if name in needed}


def _group(column: Column, kind: Kind) -> list[tuple[str, Any]]:
    """The choices of a column; of many, those of the printed items of the kind first."""
    pairs = [(option.value, _explain(option)) for option in column.options]
    if len(pairs) <= PILLS:
        return pairs
    had = set()
    for row in msgspec.to_builtins(tuple(kind.find_rows().values())):
        value = value_of(row, column.key)
        had |= {*value} if isinstance(value, list | tuple) else {value or ""}
    usual = [pair for pair in pairs if pair[0] in had]
    return [("", usual), ("More", [pair for pair in pairs if pair not in usual])] if usual else pairs


def _explain(option: Choice) -> str:
    """The label of a choice, with what it does where the book says so."""
    label = option.label or "none"
    return format_html("<span>{} <small>{}</small></span>", label, option.detail) if option.detail else label


def _make_field(column: Column, kind_of_item: Kind) -> forms.Field:
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
        pairs = _group(column, kind_of_item)
        return forms.MultipleChoiceField(choices=pairs, widget=ManyChips, **shown)
    if column.kind == "choice":
        return forms.ChoiceField(choices=_group(column, kind_of_item), widget=OneChip, **shown)
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
