"""The forms of a sheet and of its checks: their fields, choices and first values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import pytest
from django import forms

from characters.display.forms import AboutForm, ConditionForm
from characters.display.number_fields import WholeField
from characters.display.rolls import make_form
from characters.games import plan_of
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.sheets.sheets import Option, Selection, blank_draft
from combat.rules.core.state.state import replace


def choices_of(form: forms.Form, name: str) -> list[tuple[str, str]]:
    """The values of a list, each with its label."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    return [(str(value), str(label)) for value, label in cast(Iterable[tuple[str, str]], field.choices)]


@pytest.mark.parametrize(
    ("is_required", "value", "first"),
    [
        (False, "a", [("", "none"), ("a", "Alpha")]),
        (True, "a", [("a", "Alpha"), ("b", "Beta")]),
        (False, "", [("", "none"), ("a", "Alpha")]),
        (True, "own", [("own", "own"), ("a", "Alpha")]),
        (False, "own", [("", "none"), ("own", "own")]),
    ],
)
def test_choice_that_is_not_needed_can_be_taken_back(
    is_required: bool, value: str, first: list[tuple[str, str]]
) -> None:
    options = (Option(key="a", label="Alpha"), Option(key="b", label="Beta"))
    selection = Selection(key="rank", label="Rank", options=options, required=is_required)
    plan = replace(plan_of(find_system("cosmos")), selections=(selection,))
    draft = replace(blank_draft(plan), chosen={"rank": value})
    assert choices_of(AboutForm(plan, "Ann", 1.0, draft), "chosen-rank")[:2] == first


def test_lasting_condition_has_level_1_and_a_list_of_kinds() -> None:
    system = find_system("cosmos")
    form = ConditionForm(system, {})
    level = form.fields["level"]
    assert isinstance(level, WholeField)
    assert (level.min_value, level.max_value, level.initial) == (1, 20, 1)
    kinds = choices_of(form, "kind")
    assert ("bleeding", "Bleeding") in kinds
    assert dict(kinds) == form.labels


def test_field_of_a_check_is_of_its_kind() -> None:
    fields = (
        Field("adjust", "Adjust", "number", low=-5, high=5, value="2"),
        Field("again", "Again", "flag", required=False),
        Field("skill", "Skill", options=(Choice("a", "Alpha"),)),
        Field("why", "Why", "text"),
    )
    form = make_form(fields, {"why": "the canyon"})
    made = form.fields
    assert [type(made[field.name]) for field in fields] == [
        WholeField,
        forms.BooleanField,
        forms.ChoiceField,
        forms.CharField,
    ]
    number = made["adjust"]
    assert isinstance(number, WholeField)
    assert (number.min_value, number.max_value, form.initial["adjust"]) == (-5, 5, "2")
    assert (form.initial["why"], made["again"].required, made["why"].required) == ("the canyon", False, True)
    assert choices_of(form, "skill") == [("a", "Alpha")]
