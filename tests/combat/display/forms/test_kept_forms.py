"""Empty forms are drawn once for all who see the same; those with something typed are drawn each time."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.http import QueryDict

from combat.display.drawings import MAX_KEPT, Drawings
from combat.display.forms.fields import JoinForm
from combat.display.map.zone_form import ZoneForm
from combat.rules import find_system
from combat.rules.core.space import Zone
from combat.rules.core.state.state import State
from cosmos_site.base.forms import KeptForm
from tests.combat.visit import SLUG

ZONE = "combat/map/drawing/zone_fields.html"
JOIN = "combat/prep/people/join_fields.html"
SYSTEM = find_system(SLUG)


@pytest.fixture
def drawings() -> Drawings:
    """A memory of drawings, empty as in a new process."""
    return Drawings(MAX_KEPT)


def make_state(*names: str) -> State:
    """A state with these zones."""
    state = State(SLUG)
    zones = tuple(Zone(name.lower(), name, 0, 0, 10, 10) for name in names)
    return msgspec.structs.replace(state, scene=msgspec.structs.replace(state.scene, zones=zones))


def draw(drawings: Drawings, template: str, name: str, form: KeptForm) -> str:
    """The form as the page draws it."""
    given: dict[str, Any] = {name: form, "system": SYSTEM, "editing": None}
    return drawings.draw(template, given).html


def test_empty_forms_are_drawn_once_for_all_who_see_the_same(drawings: Drawings) -> None:
    state = make_state("Lock")
    for _ in range(2):
        draw(drawings, ZONE, "zone_form", ZoneForm(SYSTEM, state.scene, initial={"x": 10}))
        draw(drawings, JOIN, "join", JoinForm(SYSTEM, state))
    assert drawings.drawn == 2


def test_other_first_values_and_other_zones_are_drawn_anew(drawings: Drawings) -> None:
    shown = {
        draw(drawings, ZONE, "zone_form", ZoneForm(SYSTEM, make_state().scene, initial={"x": x}))
        for x in (0, 10, 10.5)
    }
    assert len(shown) == 3
    lists = [draw(drawings, JOIN, "join", JoinForm(SYSTEM, make_state(*names))) for names in ((), ("Lock",))]
    assert ["Lock" in html for html in lists] == [False, True]


def test_words_of_a_search_and_of_a_unit_are_in_the_drawing(drawings: Drawings) -> None:
    state = make_state()
    found, none = (JoinForm(SYSTEM, state, find=words) for words in ("", "no such block"))
    assert "No stat block has these words" not in draw(drawings, JOIN, "join", found)
    assert "No stat block has these words" in draw(drawings, JOIN, "join", none)
    draw(drawings, ZONE, "zone_form", ZoneForm(SYSTEM, state.scene))
    form = ZoneForm(SYSTEM, state.scene)
    form.fields["x"].label = "Left (squares)"
    assert "Left (squares)" in draw(drawings, ZONE, "zone_form", form)


def test_typed_form_is_never_kept(drawings: Drawings) -> None:
    for _ in range(2):
        form = ZoneForm(SYSTEM, make_state().scene, QueryDict("name=A+secret+place"))
        assert "A secret place" in draw(drawings, ZONE, "zone_form", form)
    assert (drawings.drawn, len(drawings.kept)) == (2, 0)
