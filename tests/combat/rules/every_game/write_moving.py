"""The tables of ways to move as a page of the guide; run as a module, it writes that page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from combat.rules import SYSTEMS, find_system
from combat.rules.core.book.rulebook import find_code_folder
from combat.rules.core.map.moving import ASKS, WayToMove
from tests.combat.rules import MADE_UP

PAGE = Path(__file__).resolve().parents[4] / "combat/rules/MOVING.md"
HEAD = """# Ways to move

Every change of place goes through one door, and asks what its row says: see [the guide](README.md#moving). A
cell has the rule by which a way to move asks something, or, behind a dash, the rule or ruling by which it
does not. The rows stand in each game's `moving.toml`; this page is written from them by
`python -m tests.combat.rules.every_game.write_moving`.
"""


def make_page() -> str:
    """The whole page: a table for each game; several texts with one table have one."""
    names: dict[Path, list[str]] = {}
    movers = {}
    for game in (find_system(slug) for slug in SYSTEMS if slug != MADE_UP):
        folder = find_code_folder(game.folder)
        names.setdefault(folder, []).append(game.name)
        movers[folder] = game.turn.mover
    tables = [_make_table(" and ".join(named), movers[folder].ways) for folder, named in names.items()]
    return "\n".join([HEAD, *tables])


def _make_table(name: str, table: Mapping[str, WayToMove]) -> str:
    ways = table.values()
    head = f"| way | willing | costs | {' | '.join(ASKS)} |"
    rows = [_make_row(way) for way in ways if not way.lacks]
    lacking = ", ".join(f"{way.id} ({way.lacks})" for way in ways if way.lacks)
    rule = "| --- " * (3 + len(ASKS)) + "|"
    return "\n".join([f"## {name}\n", head, rule, *rows, f"\nIt lacks: {lacking or 'none'}.\n"])


def _make_row(way: WayToMove) -> str:
    asks = {str(ask): rule for ask, rule in way.asks.items()}
    never = {str(ask): rule for ask, rule in way.never.items()}
    cells = [asks.get(ask) or f"– {never[ask]}" for ask in ASKS]
    return f"| {way.id} | {'yes' if way.willing else 'no'} | {way.cost} ({way.rule}) | {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(make_page(), "utf-8")
