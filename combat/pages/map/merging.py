"""Forms of the scene that two GMs have open at once: what only the other one changed stays as it is now.

A form sends back what it showed when it was opened: `was-NAME` beside each field, as rows of the roster do.
"""

from __future__ import annotations

from django import forms
from django.forms.widgets import ChoiceWidget
from django.http import QueryDict
from msgspec import UNSET

from combat.rules.core.basics.errors import Refused

WAS = "was"  # sent by each form that tells what it showed


def list_was(now: forms.Form) -> list[tuple[str, str]]:
    """The hidden fields that tell what a form shows: their names and words."""
    words = _list_words(now).items()
    return [(WAS, "1"), *((f"{WAS}-{name}", word) for name, shown in words for word in shown)]


def merge(sent: QueryDict, now: forms.Form) -> QueryDict:
    """What was sent; a field that the sender left as it was has its present value."""
    merged = sent.copy()
    for name, words in _list_words(now).items() if WAS in sent else ():
        if sent.getlist(name) == sent.getlist(f"{WAS}-{name}"):
            merged.setlist(name, words)
    return merged


def check_both(sent: QueryDict, now: forms.Form) -> None:
    """Refuse what would replace, unread, another person's change of the same field."""
    both = []
    for name, words in _list_words(now).items() if WAS in sent else ():
        mine, was = sent.getlist(name), sent.getlist(f"{WAS}-{name}")
        if was not in (mine, words) and mine != words:
            both.append(f"{now.fields[name].label} is {_say(now.fields[name], words)}")
    if both:
        text = f"Someone changed this meanwhile: {', '.join(both)} now. Compare, then save to replace it."
        raise Refused("stale", text)


def _list_words(form: forms.Form) -> dict[str, list[str]]:
    """What a browser sends for each field of a form in which nothing is changed."""
    return {bound.name: _find_words(bound) for bound in form}


def _find_words(bound: forms.BoundField) -> list[str]:
    value, field = bound.value(), bound.field
    if isinstance(field, forms.BooleanField):
        return ["on"] if value else []
    words = field.widget.format_value(None if value is UNSET else value)
    return [word or "" for word in words] if isinstance(words, list) else [words or ""]


def _say(field: forms.Field, words: list[str]) -> str:
    if isinstance(field, forms.BooleanField):
        return "selected" if words else "not selected"
    names = dict(field.widget.choices) if isinstance(field.widget, ChoiceWidget) else {}
    said = ", ".join(str(names.get(word, word)) for word in words if names or word)
    return f"“{said}”" if said else "empty"
