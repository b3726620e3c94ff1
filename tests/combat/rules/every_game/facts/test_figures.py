"""Each figure of each table of data does something: with another one the game answers otherwise somewhere."""

from __future__ import annotations

import pytest

from combat.rules.core.declaration.system import System
from tests.combat.rules.every_game.facts.figures import find_figures, find_tables, find_unnoticed
from tests.combat.rules.games import GAMES

WITH_TABLES = [pytest.param(game, id=slug) for slug, game in GAMES.items() if any(find_tables(game))]


@pytest.mark.slow
@pytest.mark.parametrize("system", WITH_TABLES)
def test_another_figure_makes_another_answer(system: System) -> None:
    """An unnoticed figure is a rule that nobody plays: let the rules ask it, or delete it."""
    assert len([*find_figures(system)]) > 200
    unnoticed = [figure.name for figure in find_unnoticed(system)]
    assert not unnoticed, "\n".join(unnoticed)
