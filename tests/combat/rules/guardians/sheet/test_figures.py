"""The body part by part: level, word, armor, the offers of a tap."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.declaration.parts import Part
from combat.rules.core.state.state import Condition, Scalar, replace
from combat.rules.guardians.book.tables import PLACES
from combat.rules.guardians.sheet import make_figure
from tests.combat.rules.guardians.characters.test_values import make, state_with
from tests.combat.rules.reading import find_part
from tests.typed import sure


def part_of(
    place: str, options: dict[str, Scalar] | None = None, bleeds: bool = False, how: str = "", **more: Any
) -> Part:
    combatant = make(**more)
    held = tuple(
        replace(c, marks={**c.marks, "how": how}) if how and c.kind == "destroyed" else c
        for c in combatant.conditions
    )
    if bleeds:
        held = (*held, Condition("b", "bleeding", "condition.bleeding", marks={"part": place}))
    combatant = replace(combatant, conditions=held)
    figure = sure(make_figure(state_with(combatant, **(options or {})), combatant))
    return sure(find_part(figure, place))


def test_six_parts_of_a_body_have_points_and_tracks_of_their_own() -> None:
    combatant = make()
    figure = make_figure(state_with(combatant), combatant)
    assert figure
    assert [part.key for part in figure.parts] == list(PLACES)
    assert [part.track for part in figure.parts] == [f"mp.{place}" for place in PLACES]
    assert all(part.now == part.most == combatant.tracks[part.track] for part in figure.parts)
    assert {(part.level, part.word) for part in figure.parts} == {(0, "part.whole")}


@pytest.mark.parametrize(
    ("place", "left", "level", "word"),
    [
        ("head", 9, 1, "part.hurt"),
        ("head", 5, 3, "part.half"),
        ("head", 0, 4, "part.destroyed"),
        ("torso", 10, 3, "part.half"),
        ("left_arm", 6, 1, "part.hurt"),
        ("left_arm", 5, 2, "part.disabled"),
        ("left_arm", 0, 4, "part.crushed"),
        ("right_leg", 0, 4, "part.crushed"),
    ],
)
@pytest.mark.rule("CG-LIMB-01")
@pytest.mark.rule("CG-LIMB-03")
@pytest.mark.rule("CG-HEAD-01")
def test_a_part_says_how_it_is(place: str, left: int, level: int, word: str) -> None:
    part = part_of(place, tracks={f"mp.{place}": left})
    assert (part.now, part.level, part.word) == (left, level, word)


def test_severed_limb_that_bleeds_says_both_and_offers_first_aid() -> None:
    part = part_of("left_arm", bleeds=True, how="severed", tracks={"mp.left_arm": 0})
    assert part.word == "part.severed_bleeding"
    assert "first_aid" in [name for name, _ in part.actions]
    stanched = part_of("left_arm", how="severed", tracks={"mp.left_arm": 0})
    assert stanched.word == "part.severed"
    assert "first_aid" not in [name for name, _ in stanched.actions]


@pytest.mark.rule("CG-REF-04")
def test_a_called_shot_is_offered_where_the_table_plays_it() -> None:
    assert ("attack", {"target": "", "called": "head"}) in part_of("head").actions
    assert "attack" not in [name for name, _ in part_of("head", {"called_shots": "off"}).actions]


def test_a_typed_value_says_so_wherever_it_is_shown() -> None:
    assert "typed by the table" in part_of("torso", mortality={"torso": 12}).text
    assert "typed by the table" not in part_of("torso").text


def test_armor_is_told_by_part() -> None:
    assert part_of("torso", wears=["kevlar_vest"]).armor == "armor 5"
    assert part_of("head", wears=["kevlar_vest"]).armor == "no armor"
