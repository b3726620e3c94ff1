"""Write the tables of pairs again: python -m tests.combat.rules.every_game.write_pairs [game]"""

from __future__ import annotations

import sys

from tests.combat.rules.every_game.pairs.pair_lines import write
from tests.combat.rules.every_game.pairs.pairs import GAMES, TABLES, find_file, load_pairs


def write_all(*games: str) -> None:
    """Write the tables of these games, or of all."""
    for game in games or GAMES:
        for name, make in TABLES.items():
            file = find_file(game, name)
            file.parent.mkdir(exist_ok=True)
            file.write_text(write(make(load_pairs(game))), encoding="utf-8")
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    write_all(*sys.argv[1:])
