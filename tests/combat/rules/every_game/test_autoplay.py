"""Fights that the app plays alone, under each house rule on each kind of ground: they end, and every step of
them is legal and does something."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from combat.rules.core.declaration.book import TableOption
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import Scalar
from tests.combat.rules.every_game.autoplay import GROUNDS, is_idle, play, set_up
from tests.combat.rules.games import GAMES

LONG = 600  # rounds: some fights are slow
OTHERS = 2  # other values of a number without choices: its ends
Case = tuple[str, str, Scalar, str]  # a game, a house rule, its value, a ground


def find_values(option: TableOption) -> tuple[Scalar, ...]:
    """The values of a house rule besides its default."""
    if isinstance(option.default, bool):
        return (not option.default,)
    others = option.choices or (option.number or ())[:OTHERS]
    return tuple(value for value in others if value != option.default)


def list_costs(system: System) -> Iterator[tuple[str, Scalar]]:
    """The house rules that change what a turn or an action costs, each with its other values: those about
    turns, and all whose words speak of actions or moves."""
    for option in system.book.options:
        words = f"{option.label} {' '.join(option.labels)}".lower()
        if option.topic == "turns" or any(word in words for word in COSTS):
            for value in find_values(option):
                yield option.key, value


COSTS = ("action", "move", "moves", "turn", "take", "free", "ladder", "crawl")
CASES = [
    (slug, key, value, ground)
    for slug, system in GAMES.items()
    for key, value in list_costs(system)
    for ground in GROUNDS
]
QUICK = [case for number, case in enumerate(CASES) if number % 40 == 0]


def check(slug: str, key: str, value: Scalar, ground: str) -> None:
    """Play a fight with one house rule changed: it ends, or nobody does anything any longer."""
    system, seed = GAMES[slug], CASES.index((slug, key, value, ground))
    fight = play(system, set_up(system, ground, seed, {key: value}, most=2), seed, LONG)
    assert not fight.odd
    assert not fight.is_open or is_idle(fight), f"still fighting in round {fight.end.round}"


def test_house_rules_that_change_a_cost_are_found_in_the_data() -> None:
    found = {(slug, key) for slug, key, *_ in CASES}
    known = {
        ("starshock", "slow_ladders"),
        ("cosmos", "trade_standard_for_move"),
        ("guardians", "draw_weapon"),
    }
    assert known | {("cepheus", "three_minors"), ("cepheus_quick", "slow_ladders")} <= found


@pytest.mark.parametrize("case", QUICK, ids=str)
def test_some_fights_end_under_house_rules(case: Case) -> None:
    check(*case)


@pytest.mark.slow
@pytest.mark.parametrize("slug", GAMES)
def test_fights_end_under_every_house_rule_that_changes_a_cost(slug: str) -> None:
    wrong = []
    for case in CASES:
        if case[0] == slug:
            try:
                check(*case)
            except AssertionError as failed:
                wrong.append(f"{case}: {failed}")
    assert not wrong, "\n".join(wrong)
