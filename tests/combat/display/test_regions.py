"""Regions: drawn once for equal values, told apart by what they show, and filled in when they are sent."""

from __future__ import annotations

import pytest
from django import forms
from msgspec.structs import replace

from combat.display import regions
from combat.display.regions import Reader, draw, fill_in
from combat.pages.table.region_shapes import BarClock, BarName
from tests.combat.visit import SLUG

NAME = "combat/table/bar_name.html"
CLOCK = "combat/table/bar_clock.html"
GM = Reader(is_gm=True, is_seated=False, is_spectator=False)
FIGHT = BarName(7, SLUG, GM, "/encounters/7/", False, False, "Dock")
TIME = BarClock(7, SLUG, GM, "/encounters/7/", False, False, 2, "6 s", "", (), "Ada's", None)


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> regions.RegionCache:
    """What a new process keeps."""
    monkeypatch.setattr(regions, "CACHE", fresh := regions.RegionCache())
    return fresh


def test_equal_values_are_drawn_once() -> None:
    assert draw(NAME, FIGHT) is draw(NAME, replace(FIGHT))
    assert (
        draw(NAME, FIGHT).html
        == f'<h1 id="bar-name" data-v="{draw(NAME, FIGHT).version}" tabindex="-1">Dock</h1>'
    )


@pytest.mark.parametrize(
    "changed", [{"round": 3}, {"elapsed": "9 s"}, {"turn_of": "Bo's"}, {"way": "clockwise"}]
)
def test_every_field_that_is_shown_makes_another_version(changed: dict[str, object]) -> None:
    assert draw(CLOCK, replace(TIME, **changed)).version != draw(CLOCK, TIME).version


def test_field_that_is_not_shown_makes_no_other_version() -> None:
    """A version tells no more than the page: a value may hold what its template does not show this viewer."""
    assert draw(NAME, replace(FIGHT, owns=True)).version == draw(NAME, FIGHT).version


class NameWithForm(BarName, frozen=True):
    """A value without a digest."""

    form: forms.Form


def test_value_with_a_form_is_drawn_anew_with_the_same_version(kept: regions.RegionCache) -> None:
    shape = NameWithForm(7, SLUG, GM, "/encounters/7/", False, False, "Dock", forms.Form())
    first, second = draw(NAME, shape), draw(NAME, shape)
    assert first is not second
    assert first == second == draw(NAME, FIGHT)
    assert list(kept.regions.values()) == [first]


def test_oldest_are_dropped(kept: regions.RegionCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regions, "MOST_CACHED", 150)  # characters
    drawn = [draw(NAME, replace(FIGHT, name=name)) for name in ("Dock", "Bay", "Lock")]
    assert list(kept.regions.values()) == drawn[1:]
    assert kept.size == sum(len(one.html) for one in drawn[1:])


def test_token_and_version_are_filled_only_into_forms() -> None:
    typed = draw(NAME, replace(FIGHT, name='name="version" value="-" data-v="-"')).html
    assert fill_in(typed, "v2", lambda: pytest.fail("made a token")) == typed
    form = '<input name="version" value="-"><input name="csrfmiddlewaretoken" value="-">'
    whole = '<input name="version" value="v2"><input name="csrfmiddlewaretoken" value="secret">'
    assert fill_in(form, "v2", lambda: "secret") == whole
