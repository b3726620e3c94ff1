"""Tables of pairs for every game: condition and action, barrier and action, ground and move.

The tables are stored in each game's folder, to be checked against its rules. If a rule has changed them,
check the difference, and write them again: python -m tests.combat.rules.every_game.write_pairs [game]
"""

from __future__ import annotations

from difflib import unified_diff

import pytest

from combat.rules import SYSTEMS
from tests.combat.rules.every_game.pairs.pair_lines import fold, write
from tests.combat.rules.every_game.pairs.pairs import GAMES, MAX_LINES, TABLES, find_file, load_pairs
from tests.thinning import thin

FIRST = next(iter(SYSTEMS))


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("game", thin(GAMES, FIRST))
def test_the_table_of_a_game_is_as_stored(game: str, name: str) -> None:
    stored = find_file(game, name).read_text(encoding="utf-8")
    made = write(TABLES[name](load_pairs(game)))
    changes = unified_diff(stored.splitlines(), made.splitlines(), "stored", "made", lineterm="", n=2)
    why = (
        f"{game} {name} changed; if that is right: python -m tests.combat.rules.every_game.write_pairs {game}"
    )
    assert made == stored, "\n".join((why, *changes))
    assert len(made.splitlines()) <= MAX_LINES, "more than a person reads"


def test_every_game_has_its_tables() -> None:
    assert {slug.partition("_")[0] for slug in SYSTEMS} <= set(GAMES)


def test_names_with_the_same_text_share_a_line() -> None:
    texts = {"stand": "no", "move": "no", "draw": "yes"}
    assert fold(texts, texts) == (("stand, move", "no"), ("draw", "yes"))
    assert fold(dict.fromkeys("abc", "no"), "abcd") == (("all but d", "no"),)
    assert fold(dict.fromkeys("ab", "no"), "ab") == (("all", "no"),)
