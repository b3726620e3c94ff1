"""Health looks the same on every page: a bar shows what is left, also where a game counts harm."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.audience.secrecy import view_health
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.characters import Health
from combat.rules.core.state.state import present
from tests.combat.cast import gather
from tests.combat.markup import Element, Page
from tests.combat.visit import Visit, begun, read, state_of
from tests.thinning import thin

RISING = [slug for slug in SYSTEMS if find_system(slug).characters.tracks[0].rises]


@pytest.fixture(params=thin(SYSTEMS, next(iter(SYSTEMS))))
def fight(request: pytest.FixtureRequest, gm: User) -> Encounter:
    """The demo fight of a game, initiative rolled."""
    return begun(gm, request.param)


def widths(page: Page, inside: Element) -> list[str]:
    """The filled share of the bars of health inside an element: those of a body's parts are thinner."""
    bars = [svg for svg in page.all("svg", inside=inside) if "figure-bar" not in svg["class"].split()]
    return [rect["width"] for svg in bars for rect in page.all("rect", inside=svg)]


def row_of(page: Page, name: str) -> Element:
    return next(row for row in page.all("li", class_="row") if name in row.text)


def harm(fight: Encounter, who: str, points: int) -> None:
    """Hurt someone, however the game counts it."""
    track = find_system(fight.system).characters.tracks[0]
    by = points if track.rises else -points
    submit(fight.pk, Submission("adjust", {"target": who, "track": track.key, "by": by}))


@pytest.mark.parametrize(
    ("health", "bar", "number"),
    [
        (Health(80, 80, "", 1.0, 0, False), 100, "80 / 80"),
        (Health(20, 80, "", 0.25, 3, False), 25, "20 / 80"),
        (Health(-1, 80, "", 0.0, 4, True), 0, "\N{MINUS SIGN}1 / 80"),
        (Health(0, 13, "", 1.0, 0, False, False, "damage", True), 100, "0 of 13 damage"),
        (Health(10, 13, "", 3 / 13, 3, False, False, "damage", True), 23, "10 of 13 damage"),
        (Health(20, 13, "", 0.0, 4, True, False, "damage", True), 0, "20 of 13 damage"),
    ],
)
def test_a_bar_shows_what_is_left(health: Health, bar: int, number: str) -> None:
    assert (health.bar, health.number) == (bar, number)


def test_bar_and_number_agree_on_the_table(gm_client: Client, fight: Encounter) -> None:
    system, state = find_system(fight.system), state_of(fight.pk)
    page = Visit(gm_client, fight.pk).page()
    for combatant in present(state):
        row, health = row_of(page, combatant.name), system.characters.health(combatant)
        assert widths(page, row)[0] == str(health.bar) == "100"
        assert health.number in row.text
        assert system.draw(health.word) in row.text
        assert "health." not in row.text, "words, not their keys"
        assert health.rises or f"{view_health(system, health).number} {health.label}" in row.text, (
            "the unit is read aloud"
        )


def test_forms_of_a_row_and_preparation_say_it_the_same_way(gm_client: Client, fight: Encounter) -> None:
    visit, system = Visit(gm_client, fight.pk), find_system(fight.system)
    combatant = next(iter(present(state_of(fight.pk))))
    harm(fight, combatant.id, 3)
    number = view_health(system, system.characters.health(state_of(fight.pk)[combatant.id])).number
    for do in ["damage", "heal"]:
        page = visit.page(row=do, combatant=combatant.id)
        assert f"{combatant.name} now: {number}" in page.one("form", id=f"form-{combatant.id}").text, do
        assert number in read(gm_client.get(f"{visit.here}prep/")).one(id="main").text, do


@pytest.mark.slow
def test_what_others_see_of_enemies_goes_the_same_way(fight: Encounter) -> None:
    state = state_of(fight.pk)
    heroes = [one.id for one in present(state) if one.pc]
    foe = next(one for one in present(state) if not one.pc)
    player = gather(fight, heroes[0], heroes[-1] if heroes[1:] else "").player
    rises, label = fight.system in RISING, find_system(fight.system).characters.health(foe).label
    spoken = {"bar": "about 100% left" if rises else f"about 100% {label} left", "word": ""}
    for shown in ("bar", "word", "nothing"):
        submit(fight.pk, Submission("set_option", {"key": "foe_health", "value": shown}))
        page = read(player.get(f"/encounters/{fight.pk}/"))
        row = row_of(page, foe.name)
        if shown == "nothing":
            assert widths(page, row) == []
            continue
        assert widths(page, row) == ["100"]
        (picture,) = [svg for svg in page.all("svg", inside=row) if svg["viewbox"] == "0 0 100 8"]
        assert picture["aria-label"] == spoken[shown]


def test_bar_of_a_part_stands_beside_the_points_of_that_part(gm_client: Client, gm: User) -> None:
    """A head at a quarter beside nine tenths of all points said two things at once."""
    fight = begun(gm, "guardians")
    characters = find_system("guardians").characters
    who = next(one.id for one in present(state_of(fight.pk)) if one.pc)
    submit(fight.pk, Submission("adjust", {"target": who, "track": "mp.head", "by": -6}))
    one = state_of(fight.pk).combatants[who]
    health = characters.health(one)
    assert health.part is not None
    _, now, most = health.part
    assert health.bar == round(100 * now / most)
    row = row_of(Visit(gm_client, fight.pk).page(), one.name)
    assert f"Head {now} / {most}" in row.text
    assert health.number not in row.text
