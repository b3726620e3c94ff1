"""Names beside tokens on narrow maps: none over another, none over a token, shorter in a crowd."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.display.combatants.tokens import Look
from combat.display.map.scene import lay_out, place_near_names
from combat.display.plane.callouts import (
    Body,
    Callout,
    box_of,
    count_words,
    find_badge,
    find_forms,
    find_initials,
    measure_gap,
    place_callouts,
)
from combat.display.plane.land import list_ranks
from combat.display.plane.names import Box
from combat.display.shapes.scene_shapes import Token

FONT, HALF = 1.0, 1.6
WIDE: Box = (-50, -50, 50, 50)
SPOTS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8, unique=True)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def place(people: dict[str, tuple[float, float]], edge: Box = WIDE) -> dict[str, Callout]:
    bodies = {name: Body(spot, HALF) for name, spot in people.items()}
    named = [(name, name, body) for name, body in bodies.items()]
    around = list(bodies.values())
    return place_callouts(named, [body.box for body in around], FONT, edge, bodies=around)


@pytest.mark.parametrize(
    ("name", "initials"),
    [("Zara Chen", "ZC"), ("Pirate 12", "P12"), ("El de la Vega", "ED")],
)
def test_initials_keep_the_number(name: str, initials: str) -> None:
    assert find_initials(name) == initials
    assert find_forms(name)[-1] == initials


@pytest.mark.parametrize("name", ["Pirate captain", "Gena Marsh"])
def test_initials_are_no_abbreviation_of_the_table(name: str) -> None:
    """A PC is a player character, and a GM leads the table."""
    assert find_initials(name) == name[0]
    assert find_forms(name, count_words(("Pirate Marsh captain Gena", name))) == (name,)


def test_badges_of_all_have_two_letters_or_a_number() -> None:
    names = ("Pirate captain", "Gena Marsh", "Combat medic", "Medic", "Vela", "Pirate 12", "Q")
    assert [find_badge(name) for name in names] == ["PI", "GE", "CM", "ME", "VE", "P12", "Q"]


@pytest.mark.parametrize(("word", "is_rank"), [("captain", True), ("zara", False), ("chen", False)])
def test_words_of_persons_among_stat_blocks_are_names(word: str, is_rank: bool) -> None:
    assert (word in list_ranks("cosmos")) is is_rank


def test_one_letter_alone_is_no_name() -> None:
    assert find_forms("Vela") == ("Vela",)


def test_name_without_room_beside_its_token_is_a_line_away() -> None:
    body = Body((0.0, 0.0), HALF)
    level = [(-50.0, 1.65, 50.0, 1.75), (-50.0, -1.8, 50.0, -1.75)]
    upright = [(1.75, -0.6, 1.85, 0.3), (-1.85, -0.6, -1.75, 0.3)]
    found = place_callouts([("vela", "Vela", body)], [body.box, *level, *upright], FONT, WIDE)["vela"]
    assert (found.label, found.across) == ("Vela", 0)
    assert found.down > HALF + FONT


def test_name_alone_stands_below_its_token() -> None:
    found = place({"Rook": (0, 0)})["Rook"]
    assert (found.label, found.across) == ("Rook", 0)
    assert found.down > HALF


def test_name_between_others_is_shortened_then_left_out() -> None:
    zara = Body((0.0, 0.0), HALF)
    above, below = (-50.0, -50.0, 50.0, -HALF), (-50.0, 3.0, 50.0, 50.0)
    left, right = (-50.0, -9.0, -1.0, 9.0), (1.0, -9.0, 50.0, 9.0)
    walls = [zara.box, above, below, left, right]
    found = place_callouts([("zara", "Zara Chen", zara)], walls, FONT, WIDE)
    assert found["zara"].label == "ZC"
    assert place_callouts([("zara", "Zara Chen", zara)], [*walls, (-1.0, HALF, 1.0, 3.0)], FONT, WIDE) == {}


def test_name_at_the_edge_stays_on_the_map() -> None:
    edge = (-2.0, -2.0, 40.0, 2.0)
    found = place({"Rook": (0, 0)}, edge)["Rook"]
    assert found.across > HALF
    left, top, right, low = box_of(found, (0, 0), FONT)
    assert left >= edge[0]
    assert right <= edge[2]
    assert edge[1] <= top < low <= edge[3]


@given(SPOTS)
def test_no_name_covers_a_name_or_a_token(spots: list[tuple[int, int]]) -> None:
    people = {f"Person {n}": (float(x), float(y)) for n, (x, y) in enumerate(spots)}
    found = place(people)
    boxes = [box_of(one, people[name], FONT) for name, one in found.items()]
    bodies = [Body(spot, HALF).box for spot in people.values()]
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    assert not any(overlap(one, body) for one in boxes for body in bodies)
    for name, one in found.items():
        box, near = box_of(one, people[name], FONT), {who: Body(at, HALF) for who, at in people.items()}
        assert min(near, key=lambda who: measure_gap(box, near[who])) == name, "it is nobody else's"


def test_names_of_the_played_stay_whoever_acts() -> None:
    """A turn passes without moving a name: patches stay small."""

    def draw(active: str) -> dict[str, Callout | None]:
        tokens = tuple(
            Token(
                who,
                who,
                x,
                5.0,
                who == active,
                False,
                (x, 5.0),
                Look("is-ally", "person"),
                played=who != "Thug",
            )
            for who, x in (("Ines", 5.0), ("Rook", 7.0), ("Thug", 9.0))
        )
        drawn = place_near_names(lay_out(tokens, 1.0), 1.2, (0, 0, 30, 20))
        return {one.id: one.near for one in drawn}

    assert draw("Ines") == draw("Rook")
    assert [who for who, near in sorted(draw("Rook").items()) if near] == ["Ines", "Rook"]


def test_name_of_spaces_has_no_form_with_letters() -> None:
    assert "".join(find_forms("  ")).strip() == ""


def test_enemy_close_to_a_hero_has_a_name_too() -> None:
    tokens = tuple(
        Token(who, who, x, 5.0, False, False, (x, 5.0), Look("is-foe", "person"), played=who == "Zara")
        for who, x in (("Zara", 5.0), ("Pirate", 6.5))
    )
    assert {one.label for one in lay_out(tokens, 1.0)} == {"Zara", "Pirate"}


@pytest.mark.parametrize(
    ("name", "others", "form"),
    [
        ("Zara Chen", ("Marcus",), "Zara"),
        ("Zara Chen", ("Zara Holt",), "Chen"),
        ("Lady Vex", (), "Vex"),
        ("Captain Vox", ("Captain Ada",), "Vox"),
        ("Street Samurai", ("Street",), "Samurai"),
        ("Street thug", ("Street",), ""),
        ("Pirate captain", (), ""),
        ("Pirate 12", (), ""),
        ("Old Tom", ("Tom",), ""),
        ("Gang Leader", list_ranks("starshock"), ""),
        ("Zara Leader", list_ranks("starshock"), "Zara"),
    ],
)
def test_one_word_never_stands_for_something_else(name: str, others: Iterable[str], form: str) -> None:
    """Titles, words of other names and of zones, what many are, and words of stat blocks."""
    initials = find_initials(name)
    forms = (name, form, initials if len(initials) > 1 else "")
    assert find_forms(name, count_words((name, *others))) == tuple(filter(None, forms))


@given(SPOTS)
def test_everybody_in_a_crowd_is_named_beside_or_on_their_token(spots: list[tuple[int, int]]) -> None:
    names = (
        "Zara Chen",
        "Lady Vex",
        "Street Samurai",
        "Pirate captain",
        "Rook",
        "Pirate 2",
        "Old Tom",
        "Vox",
    )
    tokens = tuple(
        Token(
            name,
            name,
            x,
            y,
            False,
            False,
            (float(x), float(y)),
            Look("is-foe", "person"),
            played=name == "Rook",
        )
        for name, (x, y) in zip(names, spots, strict=False)
    )
    for one in lay_out(tokens, 1.0, (), ("Street", "Dock")):
        said = one.label or one.look.badge
        assert (
            said in find_forms(one.name, count_words((*names, "Street", "Dock")))
            or said == "R"
            or said == "V"
        )
