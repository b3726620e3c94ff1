"""What a forecast costs, in Python calls: no machine's pace changes them."""

from __future__ import annotations

import pytest

from combat.rules.core.odds.forecast import play_many
from tests.combat.rules.games import GAMES
from tests.thinning import thin
from tests.tools.speed.rules import SEED, count, set_up

DEMOS = [(slug, number) for slug, system in GAMES.items() for number in range(len(system.demo.make_all()))]
FIGHTS, BEFORE = 20, 20  # the first ones also load tables and maps
MOST = 600  # calls a command: a guard against accidents, no goal


@pytest.mark.parametrize("demo", thin(DEMOS, DEMOS[0]), ids=str)
def test_a_command_of_a_forecast_takes_few_calls(demo: tuple[str, int]) -> None:
    slug, number = demo
    system = GAMES[slug]
    state = set_up(system, system.demo.make_all()[number])
    assert list(play_many(system, state, BEFORE, SEED + 1))
    assert count(system, state, FIGHTS).each <= MOST
