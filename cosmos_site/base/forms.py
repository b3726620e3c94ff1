"""Forms whose choices are known only when they are shown."""

from collections.abc import Iterable
from typing import Any

from django import forms


def set_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Give a choice field its choices: pairs of value and label, or a heading with such pairs."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)
