"""The games that have sheets, and the combatant that a sheet becomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.data import convert
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import StatBlock
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.kit import furnish, names_things
from combat.rules.core.sheets.sheets import ME, SheetPlan, Stat, find_sheet_problems
from combat.rules.core.state.state import Combatant, State, replace


def find_games() -> list[System]:
    """The games characters can be made for."""
    return [system for slug in SYSTEMS if (system := find_system(slug)).book.sheets]


def choose_game(*slugs: str) -> System:
    """The first of these games that characters can be made for; the first game if there is none."""
    games = {system.slug: system for system in find_games()}
    return next((games[slug] for slug in slugs if slug in games), next(iter(games.values())))


def find_game(slug: str) -> System:
    """The game with this slug; Refused("unknown") if it does not exist or has no sheets."""
    system = find_system(slug)
    if system.book.sheets is None:
        raise Refused("unknown", f"{system.name} has no character sheets yet.")
    return system


def search_blocks(system: System, words: str) -> list[StatBlock]:
    """The stat blocks whose name, tier or summary holds all these words; all of them without words."""
    wanted = words.casefold().split()
    said = [(b, f"{b.name} {b.tier} {b.summary}".casefold()) for b in system.book.find_blocks().values()]
    return [block for block, text in said if all(word in text for word in wanted)]


def plan_of(system: System) -> SheetPlan:
    """The parts of a game's sheets."""
    assert system.book.sheets is not None, system.slug
    return system.book.sheets


def bounds_of(stat: Stat, is_new: bool) -> tuple[int, int]:
    """The least and the most of a number, on the sheet of a new character or on any."""
    return (stat.first_low, stat.first_high) if is_new else (stat.low, stat.high)


def keep_within(stats: Iterable[Stat], values: Mapping[str, int], is_new: bool = False) -> dict[str, int]:
    """Numbers of a sheet, each moved within its bounds."""
    bounds = {stat.key: bounds_of(stat, is_new) for stat in stats}
    return {key: min(bounds[key][1], max(bounds[key][0], value)) for key, value in values.items()}


def find_problems(system: System, sheet: object) -> tuple[Problem, ...]:
    """Everything that is wrong with a sheet."""
    return find_sheet_problems(plan_of(system), system.characters.sheet, sheet)


def check_sheet(system: System, sheet: object) -> dict[str, Any]:
    """A sheet with every field of its game; Refused names everything that is wrong with it."""
    problems = find_problems(system, sheet)
    if problems:
        raise Refused("bad_value", " ".join(f"{problem}." for problem in problems[:20]))
    full: dict[str, Any] = msgspec.to_builtins(convert(sheet, system.characters.sheet))
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(full))
    return made


def furnish_sheet(system: System, sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet with its own copies of what it names by ids; an invalid sheet stays as it is."""
    named, catalogue = plan_of(system).named, system.book.catalogue
    if catalogue is None or not names_things(named, sheet) or find_problems(system, sheet):
        return sheet
    return furnish(catalogue, named, lambda one: make_combatant(system, "", one).items, sheet)


def make_combatant(system: System, name: str, sheet: dict[str, Any]) -> Combatant:
    """The combatant of a sheet, with no one else around. The sheet must be valid."""
    return system.characters.make_combatant(ME, name, "", sheet, {})


def make_state(system: System, name: str, sheet: dict[str, Any]) -> State:
    """A state that holds only the combatant of a sheet, so that its checks can be rolled."""
    combatant = make_combatant(system, name, sheet)
    return replace(system.begin(), combatants={ME: combatant}, phase="fight", order=(ME,))
