"""One door for every change of place: each way to move, in each game, asks what the game's table says.

A game tries its ways out in `ways_to_move.py` beside its tests: `TRIALS` has for each question a function
that gets a way to move, makes a fight in which the question matters, moves someone by that way, and returns
whether it was asked: they were refused, paid more, were shot at, burned, fell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

import pytest

from combat.rules import SYSTEMS
from combat.rules.core.basics.data import DataError
from combat.rules.core.declaration.system import System
from combat.rules.core.map.moving import ASKS, FILE, WAYS, load_ways
from tests.combat.rules.every_game import bounds
from tests.combat.rules.every_game.write_moving import PAGE, make_page
from tests.combat.rules.games import GAMES, every_game, lack

ROOT = Path(__file__).resolve().parents[4]
MADE = re.compile(r"(?<!class )\bMoved\((?!\))")


every_way = pytest.mark.parametrize(
    ("slug", "way"), [(slug, way) for slug, game in GAMES.items() for way in game.turn.mover.ways]
)


def find_trials(slug: str) -> Mapping[str, Callable[[str], bool]]:
    """The trials of a game, by question."""
    folder = f"tests.{SYSTEMS[slug].removeprefix('tests.')}"
    found = import_module(f"{folder}.ways_to_move")
    trials: Mapping[str, Callable[[str], bool]] = found.TRIALS
    return trials


def test_only_the_mover_changes_places() -> None:
    made = [
        str(file.relative_to(ROOT))
        for file in sorted((ROOT / "combat").rglob("*.py"))
        if MADE.search(file.read_text("utf-8"))
    ]
    assert made == ["combat/rules/core/map/moving.py"]


@every_game
def test_each_way_to_move_has_its_rules(system: System) -> None:
    """Each cell of the table names a rule or a ruling of the game."""
    known = system.rulebook.ids | set(system.rulebook.rulings)
    ways = system.turn.mover.ways
    assert set(ways) >= set(WAYS), lack(system, f"has no row for some ways to move in {FILE}")
    for way in ways.values():
        cited = {way.rule, *way.asks.values(), *way.never.values()}
        assert cited <= known, lack(system, f"cites {cited - known} for {way.id} in {FILE}")
        assert way.cost, lack(system, f"says not what {way.id} costs in {FILE}")


@every_way
def test_a_way_to_move_asks_what_its_row_says(slug: str, way: str) -> None:
    row, trials = GAMES[slug].turn.mover.ways[way], find_trials(slug)
    asked = {ask: trials[ask](way) for ask in ASKS if ask in row.asks or ask in trials}
    odd = [
        f"{ask}: {'asked' if is_asked else 'not asked'}"
        for ask, is_asked in asked.items()
        if is_asked != (ask in row.asks)
    ]
    assert not odd, lack(
        GAMES[slug], f"moves by {way} otherwise than its row in {FILE} says ({', '.join(odd)})"
    )


@every_way
def test_a_made_up_way_is_bounded_as_the_row_that_it_borrows(slug: str, way: str) -> None:
    trials = {ask: trial for ask, trial in find_trials(slug).items() if ask in bounds.ASKED}
    made_up = {ask: trial(bounds.MADE_UP + way) for ask, trial in trials.items()}
    assert made_up == {ask: trial(way) for ask, trial in trials.items()}


def test_guide_has_the_tables_of_today() -> None:
    again = "python -m tests.combat.rules.every_game.write_moving"
    assert PAGE.read_text("utf-8") == make_page(), f"a table of ways to move changed: {again}"


def test_a_new_way_to_move_has_to_decide_each_question(tmp_path: Path) -> None:
    text = (ROOT / "combat/rules/starshock" / FILE).read_text("utf-8")
    made_up = '\n[[way]]\nid = "teleport"\nrule = "R2"\ncost = "nothing"\n[way.asks]\nfear = "R2"\n'
    (tmp_path / FILE).write_text(text + made_up, "utf-8")
    with pytest.raises(DataError, match="teleport neither asks nor excludes stance"):
        load_ways(tmp_path)
    (tmp_path / FILE).write_text('else = "R3"\n' + text + made_up, "utf-8")
    teleport = load_ways(tmp_path)["teleport"]
    assert (teleport.asks, teleport.never["stance"]) == ({"fear": "R2"}, "R3")
    assert "fear" not in teleport.never
    other = tmp_path / "other"
    other.mkdir()
    (other / FILE).write_text(text.replace('id = "lid"', 'id = "trapdoor"'), "utf-8")
    with pytest.raises(DataError, match="no row for lid"):
        load_ways(other)


@every_game
def test_a_way_to_move_without_a_row_is_no_way(system: System) -> None:
    with pytest.raises(DataError, match="teleport"):
        system.turn.mover.find("teleport")
