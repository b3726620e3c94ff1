"""The start areas of an own picture: moved and sized, each with the people of its side."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.space import Piece
from combat.rules.core.state.state import Combatant, present
from tests.combat.pages.prep.test_own_map import create, draw_paper
from tests.combat.visit import read, state_of, stored


@pytest.fixture
def paper(gm: User, gm_client: Client) -> Encounter:
    """Three allies and four enemies on a picture of 30 by 18.75 m: their areas are 7.5 m wide."""
    return create(gm_client, own=draw_paper())


def arrange(client: Client, fight: Encounter, number: int, **said: str) -> int:
    sent = {"do": "start_area", "start": str(number), **said}
    return client.post(f"/encounters/{fight.pk}/prep/", sent).status_code


def find_side(fight: Encounter, side: str) -> list[Combatant]:
    return [one for one in present(state_of(fight.pk)) if one.side == side]


def find_starts(fight: Encounter) -> tuple[Piece, ...]:
    return state_of(fight.pk).scene.starts or ()


def are_in(people: list[Combatant], start: Piece) -> Iterator[bool]:
    for one in people:
        inside = start.x <= one.at.x <= start.x + start.width
        yield inside and start.y <= one.at.y <= start.y + start.depth


def test_area_is_sized_and_takes_in_who_would_stand_outside(gm_client: Client, paper: Encounter) -> None:
    enemies = {one.id: one.at for one in find_side(paper, "enemies")}
    assert arrange(gm_client, paper, 0, x="2", y="1", width="4", depth="5") == 303
    first, second = find_starts(paper)
    assert first == Piece(2, 1, 4, 5)
    assert second == Piece(22.5, 0, 7.5, 18.75)
    assert all(are_in(find_side(paper, "allies"), first))
    assert {one.id: one.at for one in find_side(paper, "enemies")} == enemies


def test_who_stands_in_a_larger_area_stays(gm_client: Client, paper: Encounter) -> None:
    before = state_of(paper.pk).combatants
    assert arrange(gm_client, paper, 0, x="0", y="0", width="9", depth="18.75") == 303
    assert find_starts(paper)[0].width == 9
    assert state_of(paper.pk).combatants == before


def test_moved_area_leaves_alone_whom_the_gm_has_put_elsewhere(gm_client: Client, paper: Encounter) -> None:
    away, *rest = find_side(paper, "allies")
    submit(paper.pk, Submission("place", {"target": away.id, "x": 14, "y": 9}))
    far, *_ = find_side(paper, "enemies")
    submit(paper.pk, Submission("place", {"target": far.id, "x": 18, "y": 9}))
    kept = [state_of(paper.pk).combatants[one.id].at for one in (away, far)]
    assert arrange(gm_client, paper, 0, x="10", y="0") == 303
    now = state_of(paper.pk).combatants
    assert [now[one.id].at for one in (away, far)] == kept
    assert all(are_in([now[one.id] for one in rest], find_starts(paper)[0])), "they go along"


def test_joiners_stand_in_the_area_of_their_side_as_it_is_now(gm_client: Client, paper: Encounter) -> None:
    arrange(gm_client, paper, 0, x="10", y="10", width="6", depth="6")
    arrange(gm_client, paper, 1, x="20", y="1", width="5", depth="5")
    for side in ("allies", "enemies"):
        submit(paper.pk, Submission("join", {"block": "pirate", "side": side, "count": 2}))
    first, second = find_starts(paper)
    assert len(find_side(paper, "allies")) == 5
    assert all(are_in(find_side(paper, "allies"), first))
    assert all(are_in(find_side(paper, "enemies"), second))
    gm_client.post(f"/encounters/{paper.pk}/prep/", {"do": "start"})
    submit(paper.pk, Submission("join", {"block": "pirate", "side": "enemies", "count": 1}))
    assert all(are_in(find_side(paper, "enemies"), second)), "reinforcements too"


def test_third_side_begins_apart_beside_areas_that_were_moved(gm_client: Client, paper: Encounter) -> None:
    arrange(gm_client, paper, 0, x="1", y="0")
    submit(paper.pk, Submission("join", {"block": "pirate", "side": "smugglers", "count": 2}))
    areas = [
        one for one in read(gm_client.get(f"/encounters/{paper.pk}/prep/")).all("g") if one["data-start"]
    ]
    sides = [one["aria-label"].split(":")[0] for one in areas]
    assert sides.count("Start area of smugglers") == 1
    assert len(areas) > 2
    assert not any(any(are_in(find_side(paper, "smugglers"), start)) for start in find_starts(paper))
    number = sides.index("Start area of smugglers")
    x, y = map(float, areas[number]["data-at"].split())
    assert arrange(gm_client, paper, number, x=str(x), y=str(y), width="3", depth="3") == 303
    assert all(are_in(find_side(paper, "smugglers"), find_starts(paper)[number]))


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        ({"x": "40", "y": "0"}, 422, "beside the map"),
        ({"x": "-7.5", "y": "0"}, 422, "beside the map"),
        ({"x": "20", "y": "0"}, 422, "Another side begins there"),
        ({"x": "0", "y": "0", "width": "0.5", "depth": "3"}, 422, "1"),
        ({"x": "0", "y": "0", "width": "3", "depth": "1001"}, 422, "1000"),
        ({"x": "0", "y": "0", "width": "nan", "depth": "3"}, 422, "number"),
        ({"x": "0"}, 422, ""),
    ],
)
def test_area_that_cannot_be_changes_nothing(
    gm_client: Client, paper: Encounter, said: dict[str, str], status: int, why: str
) -> None:
    before = stored(paper.pk)
    sent = {"do": "start_area", "start": "0", **said}
    answer = gm_client.post(f"/encounters/{paper.pk}/prep/", sent)
    assert answer.status_code == status
    assert why in answer.content.decode()
    assert stored(paper.pk) == before


def test_undo_brings_an_area_and_its_people_back(gm_client: Client, paper: Encounter) -> None:
    before = state_of(paper.pk)
    arrange(gm_client, paper, 1, x="15", y="0", width="6", depth="6")
    gm_client.post(f"/encounters/{paper.pk}/", {"do": "undo"})
    after = state_of(paper.pk)
    assert (after.scene, after.combatants) == (before.scene, before.combatants)
