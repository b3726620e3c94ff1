"""Namesakes told as one, the named before them, and how many are in which state."""

from __future__ import annotations

from combat.audience.viewer import HealthView
from combat.display.combatants.tokens import Look
from combat.display.shapes.kin import count_names, gather, part
from combat.display.shapes.result_shapes import Someone


def make(name: str, word: str = "Healthy", tone: str = "is-foe", given_up: bool = False) -> Someone:
    return Someone(name, Look(tone, badge=name[-1]), HealthView(word, 50, "is-well"), given_up=given_up)


def test_three_namesakes_are_counted_and_two_are_named() -> None:
    names = ["Vox", "Thug 1", "Thug 2", "Guard 1", "Thug 10", "Guard 2"]
    assert count_names(names) == ["Vox", "Guard 1", "Guard 2", "3 × Thug"]
    assert count_names([]) == []


def test_named_come_first_and_then_the_most() -> None:
    people = [
        *(make(f"Pirate {n}") for n in range(1, 4)),
        make("Guard 1"),
        *(make(f"Thug {n}", "Dead" if n < 3 else "Wounded") for n in range(1, 8)),
        make("Thug 8", given_up=True),
        make("Vox"),
    ]
    found = gather(people)
    assert [(one.name, one.count) for one in found] == [
        ("Vox", 1),
        ("Guard 1", 1),
        ("Thug", 8),
        ("Pirate", 3),
    ]
    thugs = found[2]
    assert [(one.count, one.word) for one in thugs.states] == [
        (5, "wounded"),
        (2, "dead"),
        (1, "surrendered"),
    ]
    assert [one.name for one in thugs.members] == [f"Thug {n}" for n in range(1, 9)]
    assert thugs.look.badge == ""


def test_namesakes_of_two_sides_stay_apart() -> None:
    people = [make(f"Thug {n}", tone="is-foe" if n % 2 else "is-ally") for n in range(1, 7)]
    assert [(one.look.tone, one.count) for one in gather(people)] == [("is-foe", 3), ("is-ally", 3)]


def test_health_that_nobody_is_shown_is_in_no_count() -> None:
    hidden = [Someone(f"Thug {n}", Look("is-foe"), HealthView("", 0, "", shown=False)) for n in range(3)]
    (one,) = gather(hidden)
    assert (one.count, one.states) == (3, ())


def test_three_of_one_name_are_a_list_and_others_stand_alone() -> None:
    assert part([1, 2, 3, 4, 5, 6], ["a", "b", "a", "c", "a", "b"]) == [[1, 3, 5], [2], [6], [4]]
    assert part([], []) == []
