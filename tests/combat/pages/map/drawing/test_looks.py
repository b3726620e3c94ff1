"""The looks of a map, chosen where it is drawn: kinds of things, tints, floors, sky and weather."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.forms import ChoiceField
from django.test import Client
from msgspec import UNSET

from combat.pages.map.zone_form import ZoneForm
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.state.state import State
from tests.combat.pages.map.drawing.test_drawing import done, visit
from tests.combat.visit import Visit, read, state_of

__all__ = ["visit"]


@pytest.mark.slow
def test_looks_are_chosen_and_undone_like_everything_else(visit: Visit) -> None:
    done(visit, "draw", kind="obstacle", points="2,2; 3,4", name="Drum")
    drawn = done(
        visit, "save", shape="obstacles:o1", name="Drum", x=2, y=2, width=1, depth=2, height=1, kind="rock"
    )
    assert drawn.obstacles[0].kind == "rock"
    done(visit, "draw", kind="light", points="0,0; 5,0")
    assert done(visit, "save", shape="lights:l1", x=0, y=0, radius=5, tint="red").lights[0].tint == "red"
    assert done(visit, "map", sky="night", weather="rain").sky == "night"
    page = visit.page()
    assert page.one("g", class_="t-rock")
    assert page.one("g", class_="lamp")["class"] == "lamp glow-red"
    assert page.one(class_="n-night")
    assert done(visit, "undo").sky == ""


def test_zone_gets_a_floor_and_a_place(visit: Visit) -> None:
    zone = state_of(visit.pk).scene.zones[0]
    sides = {"name": zone.name, "x": zone.x, "y": zone.y, "width": zone.width, "depth": zone.depth}
    done(visit, "save", shape=f"zones:{zone.id}", **sides, floor="tile", kind="outdoors")
    assert state_of(visit.pk).scene.zones[0].floor == "tile"
    assert visit.page().one("path", class_="b-tile")
    done(visit, "save", shape=f"zones:{zone.id}", **sides)
    saved = state_of(visit.pk).scene.zones[0]
    assert (saved.floor, saved.kind) == (UNSET, UNSET), "an empty choice is not stored"


def test_editor_says_when_light_is_only_a_look() -> None:
    light, other = (
        ZoneForm(find_system(slug), State(slug)).fields["light"] for slug in ("guardians", "cosmos")
    )
    assert isinstance(light, ChoiceField)
    assert [light.valid_value(key) for key in ("", "dim", "dark", "bright")] == [True, True, True, False]
    assert "no rules of light" in light.help_text
    assert not other.help_text


def test_zone_is_changed_by_chips_with_one_for_nothing(gm_client: Client, gm: User) -> None:
    """Every choice is in sight; a game's own word for no cover is no second chip."""
    made = create_encounter(gm, "cosmos", "Bay")
    zone = {
        "id": "ramp",
        "name": "Ramp",
        "x": 0,
        "y": 0,
        "width": 12,
        "depth": 6,
        "cover": "light",
        "floor": "tile",
    }
    submit(made.pk, Submission("set_scene", {"scene": {"zones": [zone]}}))
    for here in (f"/encounters/{made.pk}/scene/?edit=zones:ramp", f"/encounters/{made.pk}/prep/?edit=ramp"):
        page = read(gm_client.get(here))
        chips = {
            name: [one["value"] for one in page.all("input", type="radio", name=name)]
            for name in ("cover", "light", "floor")
        }
        assert chips["cover"] == ["", "light", "heavy", "total"]
        assert "deck" in chips["floor"]
        lit = [one["value"] for one in page.all("input", type="radio") if "checked" in one.attrs]
        assert {"light", "tile"} <= set(lit)
        assert "12 × 6 m" in page.one(class_="zone-place").text
