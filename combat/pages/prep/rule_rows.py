"""A house rule as a row of chips: on the page of a campaign, and where an encounter is prepared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms

from combat.rules.core.declaration.book import TABLE_OPTIONS, TableOption

from .forms import OptionsForm


@dataclass(frozen=True)
class RuleChoice:
    """A value of a house rule as a chip: as it is sent, in words, whether it is chosen and the book's."""

    value: Any
    words: str
    is_on: bool
    is_book: bool


@dataclass(frozen=True)
class RuleRow:
    """A house rule: what it is about, its choices, and the book's way if it differs; or one of the table."""

    key: str
    label: str
    about: str
    ruling: str
    field: forms.BoundField
    choices: tuple[RuleChoice, ...]
    book: str = ""
    of_table: bool = False


def view_rules(form: OptionsForm) -> list[dict[str, Any]]:
    """The groups of house rules of an encounter, each with the rows of its fields."""
    return [{**group, "rows": [view_row(form, one) for one in group["fields"]]} for group in form.groups]


def view_row(form: OptionsForm, field: forms.BoundField) -> RuleRow:
    """A field of the form, with the choices of its rule and the book's way."""
    system, key = form.system, field.html_name.removeprefix("option-")
    option = next(one for one in system.book.all_options if one.key == key)
    now, chosen = system.option(form.state, key), str(field.value())
    ruling = system.rulebook.rulings.get(option.ruling)
    return RuleRow(
        key,
        option.label,
        option.help if option in TABLE_OPTIONS else ruling.title if ruling else option.help,
        option.ruling,
        field,
        choices=tuple(
            RuleChoice(value, option.describe(value), str(value) == chosen, value == option.default)
            for value in list_values(option, now)
        ),
        book="" if now == option.default else option.describe(option.default),
        of_table=option in TABLE_OPTIONS,
    )


def list_values(option: TableOption, now: Any) -> tuple[Any, ...]:
    """The values that a rule can have, and the one that it has now."""
    if isinstance(option.default, bool):
        return (True, False)
    return tuple(dict.fromkeys((*option.choices, now)))
