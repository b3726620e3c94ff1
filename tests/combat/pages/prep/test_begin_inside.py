"""People who begin inside vehicles: the chase of the examples, notes at a table, the form of a row."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.pages.prep import starting
from combat.pages.prep.people_view import digest_of
from combat.play.notes.glossary import make_glossary
from combat.play.notes.notes import read_notes
from combat.rules import find_system
from combat.rules.core.passengers import find_carrier
from combat.rules.core.state.state import State, present, replace
from tests.combat.visit import Visit, read, roll_fives, state_of, stored
from tests.typed import Answer

GAME = "cepheus"
CHASE = next(one for one in starting.list_fights(find_system(GAME)) if one.label == "Chase")


def create_fight(gm: User, gm_client: Client, notes: str, scene: str = CHASE.scene) -> Visit:
    said = {"name": "Away", "system": GAME, "notes": notes, "scene": scene}
    assert gm_client.post("/encounters/new/", said).status_code == 303
    return Visit(gm_client, Encounter.objects.get(owner=gm).pk)


def find_places(state: State) -> dict[str, tuple[str, str]]:
    """Inside whom everyone is, and their place there, by name."""
    inside = [(one, find_carrier(state, one.id)) for one in present(state)]
    return {one.name: (carrier.name, one.station) for one, carrier in inside if carrier}


def prepare(visit: Visit, **fields: str) -> Answer:
    return visit.client.post(f"{visit.here}prep/", fields)


TYPED = """ground car called Black car at 40 km/h (allies)
2 infantry soldiers in the black car (allies), 1 vehicle driver driving the black car (allies)
3 street thugs in a ground car at 40 km/h"""
SEATED = {
    CHASE.notes: {
        "Vehicle Driver": ("Ground Car", "driver"),
        "Street Thug 1": ("Ground Car", "passenger"),
        "Street Thug 2": ("Ground Car", "passenger"),
        "Vehicle Driver 2": ("Ground Car 2", "driver"),
        "Infantry Soldier": ("Ground Car 2", "passenger"),
    },
    TYPED: {
        "Vehicle Driver": ("Black car", "driver"),
        "Infantry Soldier 1": ("Black car", "passenger"),
        "Infantry Soldier 2": ("Black car", "passenger"),
        "Street Thug 1": ("Ground Car", "driver"),
        "Street Thug 2": ("Ground Car", "passenger"),
        "Street Thug 3": ("Ground Car", "passenger"),
    },
}


@pytest.mark.parametrize("notes", SEATED, ids=["of the examples", "of notes"])
def test_chase_is_driven_in_round_1(
    gm: User, gm_client: Client, monkeypatch: pytest.MonkeyPatch, notes: str
) -> None:
    roll_fives(monkeypatch)
    visit = create_fight(gm, gm_client, notes)
    assert find_places(state_of(visit.pk)) == SEATED[notes]
    page = visit.client.get(f"{visit.here}prep/").content.decode()
    assert all(f"in {car}</a>" in page for car, _ in SEATED[notes].values())
    prepared, table = read(visit.client.get(f"{visit.here}prep/")), visit.page
    visit.do("start")
    for shown, tag, look in ((prepared, "span", "cast-crew"), (table(), "p", "row-note")):
        crews = [each for each in shown.all(tag, class_=look) if shown.all("span", each, class_="crew")]
        faces = [face.text for crew in crews for face in shown.all("span", crew, class_="crew")]
        assert len(crews) == 2
        assert len(faces) == len(SEATED[notes])
        assert all(any(name in face for face in faces) for name in SEATED[notes]), "each face has its name"
    state = state_of(visit.pk)
    cars = [one for one in present(state) if "speed_kph" in one.marks]
    assert len(cars) == 2
    assert {(one.marks["speed_kph"], one.marks["facing"]) for one in cars} == {(40, 90)}, "along the road"
    while state_of(visit.pk)[state_of(visit.pk).active].station != "driver":
        visit.do("next_turn")
    driver = state_of(visit.pk)[state_of(visit.pk).active]
    row = visit.page().one("section", class_="usual")
    assert row.text.split()[:3] == ["Usual", "now", "Drive"]
    car = state_of(visit.pk)[driver.inside]
    visit.do("drive", combatant=driver.id, why="course", to="ahead")
    assert state_of(visit.pk).round == 1
    assert state_of(visit.pk)[car.id].at.x > car.at.x
    assert state_of(visit.pk)[driver.id].at == state_of(visit.pk)[car.id].at


def test_new_encounter_says_inside_what_they_begin(gm_client: Client) -> None:
    said = {"name": "Away", "system": GAME, "notes": CHASE.notes, "scene": "", "do": "read"}
    shown = read(gm_client.post("/encounters/new/", said)).one("div", id="start-read").text
    assert shown.count("· in Ground Car") == 4
    assert shown.count("· 40 km/h") == 2
    too_fast = {**said, "notes": "1 ground car at 900 km/h, 6 thugs in the ground car"}
    asked = gm_client.post("/encounters/new/", too_fast).content.decode()
    assert "Ground Car goes at most 150 km/h: left out." in asked
    assert "Ground Car has 4 free places for 6: they stand outside." in asked


def test_notes_put_people_into_the_car_that_is_here(gm: User, gm_client: Client) -> None:
    visit = create_fight(gm, gm_client, "ground car called Black car")
    notes = "2 thugs in the black car, 1 vehicle driver driving the car"
    shown = prepare(visit, do="read", notes=notes)
    assert shown.content.decode().count("· in Black car") == 2
    assert prepare(visit, do="people", notes=notes, seen=digest_of(notes)).status_code == 303
    places = find_places(state_of(visit.pk))
    assert places == {
        "Vehicle Driver": ("Black car", "driver"),
        "Street Thug 1": ("Black car", "passenger"),
        "Street Thug 2": ("Black car", "passenger"),
    }
    asked = prepare(visit, do="read", notes="2 pirates in the black car").content.decode()
    assert "Black car has 1 free place for 2: they stand outside." in asked
    later = prepare(
        visit, do="people", notes="1 pirate in the car", seen=digest_of("1 pirate in the car"), later="on"
    )
    assert later.status_code == 409
    assert "Those who arrive later get in when they are here" in later.content.decode()
    assert find_places(state_of(visit.pk)) == places


def test_row_puts_people_inside_and_takes_them_out(gm: User, gm_client: Client) -> None:
    visit = create_fight(gm, gm_client, "1 ground car, 2 thugs")
    car, *thugs = present(state_of(visit.pk))
    page = read(visit.client.get(f"{visit.here}prep/?row={thugs[0].id}"))
    form = page.all("form", class_="cast-form")[0]
    fields = page.fields(form)
    assert f"inside:{car.id}" in [one["value"] for one in page.all("option", inside=form)]
    own = read(visit.client.get(f"{visit.here}prep/?row={car.id}"))
    assert f"inside:{car.id}" not in [
        one["value"] for one in own.all("option", inside=own.all("form", class_="cast-form")[0])
    ]
    targets = [one.id for one in thugs]
    sent = {**fields, "do": "arrange", "targets": targets, "zone": f"inside:{car.id}"}
    before = stored(visit.pk)
    assert visit.client.post(f"{visit.here}prep/", {**sent, "zone": "inside:f99"}).status_code == 422
    assert stored(visit.pk) == before
    assert visit.client.post(f"{visit.here}prep/", sent).status_code == 303
    assert [*find_places(state_of(visit.pk)).values()] == [
        ("Ground Car", "driver"),
        ("Ground Car", "passenger"),
    ]
    again = read(visit.client.get(f"{visit.here}prep/?row={thugs[0].id}"))
    now = again.fields(again.all("form", class_="cast-form")[0])
    assert now["zone"] == f"inside:{car.id}"
    zone = state_of(visit.pk).scene.zones[0].id
    out = {**now, "do": "arrange", "targets": targets[:1], "zone": zone}
    assert visit.client.post(f"{visit.here}prep/", out).status_code == 303
    assert [*find_places(state_of(visit.pk))] == [thugs[1].name]


def test_too_many_for_a_car_are_refused_and_nobody_moves(gm: User, gm_client: Client) -> None:
    visit = create_fight(gm, gm_client, "1 ground car, 6 thugs")
    car, *thugs = present(state_of(visit.pk))
    before = stored(visit.pk)
    sent = {"do": "arrange", "targets": [one.id for one in thugs], "zone": f"inside:{car.id}"}
    refused = visit.client.post(f"{visit.here}prep/", sent)
    assert refused.status_code == 409
    assert "Ground Car is full: it has 4 places." in refused.content.decode()
    assert stored(visit.pk) == before


def test_two_vehicles_of_one_name_are_asked_about_not_offered(gm: User, gm_client: Client) -> None:
    visit = create_fight(gm, gm_client, "2 ground cars (allies)")
    state, system = state_of(visit.pk), find_system(GAME)
    cars = [one for one in present(state) if one.name.startswith("Ground Car")]
    assert len(cars) == 2

    def ask(*names: str) -> tuple[str, list[str], list[str]]:
        named = {one.id: replace(one, name=name) for one, name in zip(cars, names, strict=True)}
        there = replace(state, combatants={**state.combatants, **named})
        reading = read_notes("2 street thugs in the ground car", make_glossary(system, there, "allies"))
        (issue,) = (one for one in reading.issues if "can be several" in one.message)
        (thugs,) = reading.groups
        return issue.message, [used.label for used in issue.suggestions], [thugs.inside]

    said = "“ground car” can be several: say its name. Left out."
    assert ask("Red Ground Car", "Blue Ground Car") == (said, ["Red Ground Car", "Blue Ground Car"], [""])
    assert ask("Ground Car", "Ground Car") == (said, [], [""]), "a name of both is no answer"


def board(notes: str) -> tuple[list[str], list[str]]:
    """Where the groups of notes begin, in the order of the notes, and what is said of that."""
    system = find_system(GAME)
    reading = read_notes(notes, make_glossary(system, system.begin(), "allies"))
    said = [one.message for one in (*reading.issues, *reading.hints)]
    carriers = {id(one): f"{one.title} of {one.side or 'enemies'}" for one in reading.groups}
    return [carriers[id(one.carrier)] if one.carrier else "" for one in reading.groups if not one.issue], said


@pytest.mark.parametrize("first", [2, 3])
def test_places_of_a_car_are_taken_by_one_group_after_the_other(first: int) -> None:
    inside, said = board(f"ground car\n{first} thugs in the ground car\n2 pirates in the ground car")
    fits = first == 2
    assert inside == ["", "Ground Car of enemies", "Ground Car of enemies" * fits]
    assert bool(said) != fits, "it has 4 places"


def test_two_cars_at_once_are_none_to_get_into() -> None:
    inside, said = board("2 ground cars\n2 thugs in the ground car")
    assert inside == ["", ""]
    assert said == ["“ground car” can be several: write each with its people. Left out."]


def test_of_two_cars_each_side_has_its_own() -> None:
    cars, thugs = "1 ground car\n1 ground car (allies)\n", "2 thugs in the ground car\n"
    inside, _ = board(f"{cars}{thugs}2 infantry soldiers in the ground car (allies)")
    assert inside == ["", "Ground Car of enemies", "", "Ground Car of allies"]
