"""Combatants of the same name are told apart where people choose among them."""

from __future__ import annotations

import pytest

from combat.display.combatants.tokens import name_choices, name_people, number_namesakes, tell_apart
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.state.state import replace
from tests.combat.cast import Cast, gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, read, state_of


@pytest.fixture
def third(started: Encounter) -> str:
    """A second combatant of the pirates called Pirate, in the zone of the first."""
    who = f"f{state_of(started.pk).made + 1}"
    submit(started.pk, Submission("join", {"block": "pirate_example", "side": "pirates"}, by="gm"))
    for target in (who, PIRATE):
        submit(started.pk, Submission("place", {"target": target, "zone": "floor"}, by="gm"))
    submit(started.pk, Submission("rename", {"target": who, "name": "Pirate"}, by="gm"))
    return who


def change(encounter: Encounter, name: str, /, **fields: str) -> None:
    submit(encounter.pk, Submission(name, fields, by="gm"))


def test_side_or_zone_or_number_tells_them_apart(started: Encounter, third: str) -> None:
    assert tell_apart(state_of(started.pk)) == {PIRATE: "1", third: "2"}
    change(started, "place", target=third, zone="ramp")
    assert tell_apart(state_of(started.pk)) == {PIRATE: "Bay floor", third: "Loading ramp"}
    change(started, "rename", target=third, name="Pirate", side="crew")
    assert tell_apart(state_of(started.pk)) == {PIRATE: "pirates", third: "crew"}
    change(started, "rename", target=third, name="Brine")
    assert tell_apart(state_of(started.pk)) == {}


def test_badge_has_the_number_of_the_lists_in_any_order_of_turns(started: Encounter, third: str) -> None:
    """Both count in joining order, over all sides: a badge 2 is “Pirate (2)” where targets are chosen."""
    fourth = f"f{state_of(started.pk).made + 1}"
    change(started, "join", block="pirate_example", side="crew")
    change(started, "place", target=fourth, zone="floor")
    change(started, "rename", target=fourth, name="Pirate")
    ids = [*state_of(started.pk).order]
    for order in (ids, ids[::-1]):
        state = replace(state_of(started.pk), order=tuple(order))
        assert tell_apart(state) == {PIRATE: "1", third: "2", fourth: "3"}
        assert number_namesakes(state) == {PIRATE: "1", third: "2"}


def test_targets_and_places_name_them_in_full(visit: Visit, started: Encounter, third: str) -> None:
    change(started, "place", target=third, zone="ramp")
    page = visit.page(combatant=ZARA, do="attack")
    form = page.one("form", id="form-attack")
    tiles = page.all("label", inside=form, class_="tile-one")
    told = {page.one("input", inside=one)["value"]: one["data-says"] for one in tiles}
    assert told[PIRATE].startswith("Pirate (Bay floor)")
    assert told[third].startswith("Pirate (Loading ramp)")
    assert "(" not in told[MARCUS]
    pinged = page.one("select", id="ping-place").text
    assert "Pirate (Bay floor)" in pinged
    assert "Pirate (Loading ramp)" in pinged


def test_things_are_told_apart_by_whose_they_are(started: Encounter, third: str) -> None:
    """Lists of many people's gear or weapons name the owners; a combatant's own list does not."""
    change(started, "place", target=third, zone="ramp")
    state = state_of(started.pk)
    one, other = state[PIRATE].items[0], state[third].items[0]
    assert one.name == other.name
    listed = (Choice(one.id, f"Pirate: {one.name}"), Choice(f"{third}/{other.id}", f"{one.name} of Pirate"))
    told = [choice.label for choice in name_choices(state, (*listed, Choice(one.id, one.name)))]
    assert told == [f"Pirate (Bay floor): {one.name}", f"{one.name} of Pirate (Loading ramp)", one.name]
    assert name_people(state, (PIRATE, "f99", third)) == "Pirate (Bay floor) or Pirate (Loading ramp)"


def test_lists_of_people_on_other_pages_name_them_in_full(
    visit: Visit, started: Encounter, third: str
) -> None:
    change(started, "place", target=third, zone="ramp")
    share = read(visit.client.get(f"/encounters/{started.pk}/share/")).one(id="hands").text
    prep = read(visit.client.get(f"/encounters/{started.pk}/prep/")).one(id="order").text
    words = read(visit.client.get(f"/encounters/{started.pk}/dice/")).one("main").text
    table = " ".join(e["aria-label"] for e in visit.page().all("input", name="targets"))
    for told in (share, prep, words, table):
        assert "Pirate (Bay floor)" in told
        assert "Pirate (Loading ramp)" in told


def test_a_hidden_namesake_is_not_told_of(started: Encounter, third: str) -> None:
    change(started, "hide", target=third, hidden="true")
    cast: Cast = gather(started, ZARA, MARCUS)
    page = read(cast.player.get(f"/encounters/{started.pk}/?combatant={ZARA}&do=attack"))
    tiles = page.all("label", class_="tile-one", inside=page.one("form", id="form-attack"))
    assert [one["data-says"].partition(",")[0] for one in tiles].count("Pirate") == 1
    assert "Pirate (" not in page.one(id="ping-place").text
