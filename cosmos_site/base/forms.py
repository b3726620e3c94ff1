"""Forms whose choices are known only when they are shown, and forms whose drawings can be kept."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.forms.widgets import ChoiceWidget


def set_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Give a choice field its choices: pairs of value and label, or a heading with such pairs."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


class KeptForm(forms.Form):
    """A form whose drawing can be kept: until something is typed, it is drawn from its fields alone."""

    def find_drawn(self) -> list[Any]:
        """Everything that an empty form is drawn from; TypeError if something was typed into it."""
        if self.is_bound:
            raise TypeError("a form with what was typed")
        return [type(self).__qualname__, self.auto_id, *map(_find_drawn, self)]


def _find_drawn(bound: forms.BoundField) -> tuple[Any, ...]:
    field = bound.field
    choices = list(field.widget.choices) if isinstance(field.widget, ChoiceWidget) else []
    return (
        bound.name,
        bound.label,
        bound.help_text,
        field.required,
        field.widget.attrs,
        choices,
        bound.value(),
    )
