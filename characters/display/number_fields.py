"""Form fields for numbers: text fields, so that a sign can be typed, read by the rules' one parser."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.http import QueryDict

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_decimal, read_whole, say_no_number, with_true_minus

FACE = re.compile(r"face-([1-9]\d{0,2})", re.ASCII)


class NumberInput(forms.TextInput):
    """A short text field with a number keypad; where a sign is allowed, phones show the whole keyboard."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"class": "number", "inputmode": "text", "autocomplete": "off", **(attrs or {})})

    def format_value(self, value: Any) -> str | None:
        """The value with a true minus, as everywhere else; text that is not a number stays as typed."""
        shown = super().format_value(value)
        return re.sub(r"^-(?=\d)", "−", shown) if shown else shown


class CountInput(NumberInput):
    """The same between two buttons that count: for a mouse or a finger, where the page has scripts."""

    template_name = "cosmos/count.html"


class WholeField(forms.IntegerField):
    """A whole number, also typed as "+3", "−3" or " 3 "; other text is refused with an example that works."""

    widget = NumberInput
    keys = "numeric"

    def __init__(self, **shown: Any) -> None:
        super().__init__(**shown)
        _say_bounds(self)

    def to_python(self, value: Any) -> Any:
        """The typed number; None for an empty field."""
        return _read(value, whole=True)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """The keyboard that a phone shows."""
        low = self.min_value() if callable(self.min_value) else self.min_value
        signed = low is None or low < 0
        shown: dict[str, Any] = {"inputmode": "text" if signed else self.keys}
        if isinstance(widget, CountInput):
            ends = {"data-low": self.min_value, "data-high": self.max_value}
            shown |= {name: end for name, end in ends.items() if isinstance(end, int)}
        return shown


class DecimalField(forms.FloatField):
    """A number with a fraction, read the same way."""

    widget = NumberInput
    keys = "decimal"

    def __init__(self, **shown: Any) -> None:
        super().__init__(**shown)
        _say_bounds(self)

    def to_python(self, value: Any) -> Any:
        """The typed number; None for an empty field."""
        return _read(value, whole=False)

    widget_attrs = WholeField.widget_attrs


def _say_bounds(field: forms.IntegerField) -> None:
    """Make a field name both of its bounds when a number is outside them."""
    ends = (field.min_value, field.max_value)
    low, high = ("" if end is None else with_true_minus(f"{end:,}") for end in ends)
    bounds = f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
    field.error_messages |= dict.fromkeys(("min_value", "max_value"), f"Must be {bounds}.")


def _read(value: Any, whole: bool) -> Any:
    if not isinstance(value, str) or not value.strip():
        return None if isinstance(value, str) else value
    number = read_whole(value) if whole else read_decimal(value)
    if number is None:
        words = say_no_number(value, whole)
        raise forms.ValidationError(words[:1].upper() + words[1:], code="invalid")
    return number


def read_faces(posted: QueryDict) -> tuple[int, ...]:
    """The dice typed into a form, in order; Refused if any are missing or not numbers."""
    typed = {name: str(posted[name]) for name in posted if name.startswith("face-")}
    if not any(word.strip() for word in typed.values()):
        return ()
    faces: dict[int, int] = {}
    for name, word in typed.items():
        place, face = FACE.fullmatch(name), read_whole(word)
        if place is None or face is None:
            raise Refused("bad_dice", "Enter each die, or let the app roll.")
        faces[int(place[1])] = face
    return tuple(faces[place] for place in sorted(faces))
