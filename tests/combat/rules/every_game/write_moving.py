"""The tables of ways to move as a page of the guide; run as a module, it writes that page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from combat.rules import SYSTEMS, find_system
from combat.rules.core.book.rulebook import find_code_folder
from combat.rules.core.map.moving import ASKS, WayToMove
from tests.combat.rules import BESIDE, MADE_UP

PAGE = Path(__file__).resolve().parents[4] / "combat/rules/MOVING.md"
HEAD = """# Ways to move

Every change of place goes through one door, and asks what its row says: see [the guide](README.md#moving). A
cell has the rule by which a way to move asks something. An empty cell asks nothing, by the ruling that the
game names below; behind a dash stands another rule for that. What flies leads over holes; what is lifted
rises at most 1 m. The rows stand in each game's `moving.toml`; this page is written from them by
`python -m tests.combat.rules.every_game.write_moving`.
"""


def make_page() -> str:
    """The whole page: a table for each game; several texts with one table have one."""
    names: dict[Path, list[str]] = {}
    movers = {}
    for game in (find_system(slug) for slug in SYSTEMS if slug not in (MADE_UP, BESIDE)):
        folder = find_code_folder(game.folder)
        names.setdefault(folder, []).append(game.name)
        movers[folder] = game.turn.mover
    every = dict.fromkeys(way for mover in movers.values() for way in mover.ways)
    tables = [_make_table(" and ".join(named), movers[folder].ways, every) for folder, named in names.items()]
    return "\n".join([HEAD, *tables])


def _make_table(name: str, table: Mapping[str, WayToMove], every: Iterable[str]) -> str:
    ways = list(table.values())
    asked = [ask for ask in ASKS if any(str(ask) in map(str, way.asks) for way in ways)]
    usual = next(iter(Counter(rule for way in ways for rule in way.never.values()).most_common(1)), ("",))[0]
    lines = [f"| way | willing | costs | {' | '.join(asked)} |", "| --- " * (3 + len(asked)) + "|"]
    lines += [_make_row(way, asked, usual) for way in ways]
    told = [f"Empty: asks nothing, by {usual}."] if usual else []
    if never := [ask for ask in ASKS if ask not in asked]:
        told.append(f"No way asks: {', '.join(never)}.")
    if lacking := [way for way in every if way not in table]:
        told.append(f"It lacks: {', '.join(lacking)}.")
    return "\n".join([f"## {name}\n", *lines, f"\n{' '.join(told)}\n"])


def _make_row(way: WayToMove, asked: Iterable[str], usual: str) -> str:
    asks = {str(ask): rule for ask, rule in way.asks.items()}
    never = {str(ask): f"– {rule}" for ask, rule in way.never.items() if rule != usual}
    cells = [asks.get(ask) or never.get(ask, "") for ask in asked]
    marks = "".join(f", {mark}" for mark in ("flies", "lifted") if getattr(way, mark))
    head = f"| {way.id}{marks} | {'yes' if way.willing else 'no'} | {way.cost} ({way.rule})"
    return f"{head} | {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(make_page(), "utf-8")
