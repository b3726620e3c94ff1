"""Forms whose choices are known only when they are shown."""

from collections.abc import Iterable
from typing import Any

from django import forms


def set_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Give a choice field of a form its choices: value and label, or heading and such pairs."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)
