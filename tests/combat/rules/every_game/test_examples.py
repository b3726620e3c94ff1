"""Every worked example of every rulebook comes out as it says."""

from __future__ import annotations

import random

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.book.examples import Example, load_examples
from combat.rules.core.engine.playing import can_roll, roll_again
from tests.combat.rules.every_game.acting import Acting
from tests.combat.rules.games import every_slug

EXAMPLES = [
    pytest.param(
        slug, example, marks=pytest.mark.rule(*example.rules), id=f"{slug}-{number}-{example.rules[0]}"
    )
    for slug in SYSTEMS
    for number, example in enumerate(load_examples(find_system(slug).folder).example, 1)
]


@pytest.mark.parametrize(("slug", "example"), EXAMPLES)
def test_an_example_comes_out_as_the_rulebook_says(slug: str, example: Example) -> None:
    system = find_system(slug)
    stage = Acting(system, load_examples(system.folder), example)
    for deed in example.do:
        outcome = stage.try_out(deed)
        assert outcome.refused == deed.refused
        if deed.why is not None or deed.log is not None:
            assert outcome.why == (deed.why or ())
            assert outcome.log == (deed.log or ())
        assert outcome.cites >= {*deed.cites}
        assert outcome.costs == (deed.costs or outcome.costs)
    known = stage.numbers() if example.numbers else set()
    assert set(example.numbers) <= known, "\n".join(sorted(known))


@every_slug
def test_an_example_that_rolls_is_rolled_again_by_the_same_rules(slug: str) -> None:
    system = find_system(slug)
    examples = load_examples(system.folder)
    rolling = [example for example in examples.example if can_roll(example)]
    same = 0
    for example in rolling:
        again = roll_again(system, examples, example, random.Random(7))
        assert again.people == example.people, example.rules
        assert again.do[:-1] == example.do[:-1], example.rules
        (*_, old), (*_, new) = example.do, again.do
        assert new.log, example.rules
        assert any(not isinstance(die, str) for die in new.dice), example.rules
        same += new.dice == old.dice
    assert same < len(rolling) / 2 or not rolling


def test_new_dice_are_those_of_the_chance_and_make_the_sum() -> None:
    system = find_system("cosmos")
    examples = load_examples(system.folder)
    attack = examples.find_about("COS-ATK-02")[1]
    assert attack.title == "One less misses"
    rolls = [roll_again(system, examples, attack, random.Random(seed)) for seed in range(20)]
    assert rolls[3] == roll_again(system, examples, attack, random.Random(3))
    for rolled in rolls:
        (deed,) = rolled.do
        faces = deed.dice[0]
        assert isinstance(faces, tuple)
        total = sum(faces) + 9  # Coordination +6, Half Combat +2, Pistol +1
        assert rolled.title == ""  # what it said was about the old dice
        assert deed.log
        assert deed.log[0].startswith(f"Ada attacks Bo ({total} vs Defense 18): ")
    assert {"miss." in (rolled.do[0].log or ("",))[0] for rolled in rolls} == {True, False}


@pytest.mark.parametrize(
    ("rule", "number", "why"),
    [("COS-ATK-05", 2, "it is refused"), ("COS-DEF-08", 0, "it shows numbers of a card")],
)
def test_what_throws_no_dice_is_not_rolled_again(rule: str, number: int, why: str) -> None:
    assert not can_roll(load_examples(find_system("cosmos").folder).find_about(rule)[number]), why
