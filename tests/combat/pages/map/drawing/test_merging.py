"""What two people changed of one form at the same time, in words."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.http import QueryDict

from combat.pages.map.editor import check_both, merge
from combat.rules.core.basics.errors import Refused


class Shape(forms.Form):
    """A name, whether something is open, and a choice."""

    name = forms.CharField(label="Name", required=False)
    open = forms.BooleanField(label="Open", required=False)
    kind = forms.ChoiceField(label="Kind", choices=[("w", "Wall"), ("d", "Door")], required=False)


def send(was: dict[str, str], mine: dict[str, str]) -> QueryDict:
    """What a browser sends that was shown `was` and in which `mine` was typed."""
    sent = QueryDict(mutable=True)
    sent.update({"was": "1", **{f"was-{name}": word for name, word in was.items()}, **mine})
    return sent


WAS = {"name": "Hall", "kind": "w"}


@pytest.mark.parametrize(
    ("now", "mine", "said"),
    [
        ({"name": "Nave", "kind": "w"}, {"name": "Dome", "kind": "w"}, "Name is “Nave” now"),
        ({"name": "", "kind": "w"}, {"name": "Dome", "kind": "w"}, "Name is empty now"),
        ({"name": "Hall", "kind": "d"}, {"name": "Hall", "kind": ""}, "Kind is “Door” now"),
        ({"name": "Nave", "kind": "w"}, {"name": "Nave", "kind": "w"}, ""),  # both typed the same
        ({"name": "Nave", "kind": "w"}, {"name": "Hall", "kind": "d"}, ""),  # each changed another field
    ],
)
def test_only_two_different_changes_of_a_field_are_told(now: Any, mine: Any, said: str) -> None:
    if said:
        with pytest.raises(Refused, match=said):
            check_both(send(WAS, mine), Shape(initial=now))
    else:
        check_both(send(WAS, mine), Shape(initial=now))


@pytest.mark.parametrize(
    ("now", "said"), [(True, "Open is selected now"), (False, "Open is not selected now")]
)
def test_box_is_told_as_selected_or_not(now: bool, said: str) -> None:
    """Someone saw a third state: the box did not tell yet."""
    sent = send({**WAS, "open": "?"}, {**WAS, **({} if now else {"open": "on"})})
    with pytest.raises(Refused, match=said):
        check_both(sent, Shape(initial={**WAS, "open": now}))


def test_field_that_the_sender_left_has_its_present_value() -> None:
    merged = merge(send(WAS, {"name": "Dome", "kind": "w"}), Shape(initial={"name": "Nave", "kind": "d"}))
    assert (merged["name"], merged["kind"]) == ("Dome", "d")
