"""The games that have sheets, and a sheet as the fighter it becomes."""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import convert
from combat.rules.core.sheets.documents import find_sheet_problems
from combat.rules.core.sheets.furnishing import furnish, names_things
from combat.rules.core.sheets.sheets import ME, SheetPlan
from combat.rules.core.state.state import Combatant, State, replace
from combat.rules.core.system import StatBlock, System


def find_games() -> list[System]:
    """The games characters can be made for."""
    return [system for slug in SYSTEMS if (system := find_system(slug)).sheets]


def choose_game(*slugs: str) -> System:
    """The first of these games that characters can be made for; the first of all if none of them is there."""
    games = {system.slug: system for system in find_games()}
    return next((games[slug] for slug in slugs if slug in games), next(iter(games.values())))


def find_game(slug: str) -> System:
    """The game of this name; Refused("unknown") if it has no sheets or is not there."""
    system = find_system(slug)
    if system.sheets is None:
        raise Refused("unknown", f"{system.name} has no character sheets yet.")
    return system


def search_blocks(system: System, words: str) -> list[StatBlock]:
    """The stat blocks in whose name, tier or summary all these words stand; all of them without words."""
    wanted = words.casefold().split()
    said = [(b, f"{b.name} {b.tier} {b.summary}".casefold()) for b in system.find_blocks().values()]
    return [block for block, text in said if all(word in text for word in wanted)]


def plan_of(system: System) -> SheetPlan:
    """What the sheets of a game are made of."""
    assert system.sheets is not None, system.slug
    return system.sheets


def find_problems(system: System, sheet: object) -> tuple[Problem, ...]:
    """All that is wrong with a sheet at once."""
    return find_sheet_problems(plan_of(system), system.sheet, sheet)


def check_sheet(system: System, sheet: object) -> dict[str, Any]:
    """A sheet with every field of its game; Refused names all that is wrong with it."""
    problems = find_problems(system, sheet)
    if problems:
        raise Refused("bad_value", " ".join(f"{problem}." for problem in problems[:20]))
    full: dict[str, Any] = msgspec.to_builtins(convert(sheet, system.sheet))
    return msgspec.json.decode(msgspec.json.encode(full))


def furnish_sheet(system: System, sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet with what it names by ids as things of its own; one that is not sound stays as it is."""
    named, catalogue = plan_of(system).named, system.catalogue
    if catalogue is None or not names_things(named, sheet) or find_problems(system, sheet):
        return sheet
    return furnish(catalogue, named, lambda one: make_fighter(system, "", one).items, sheet)


def make_fighter(system: System, name: str, sheet: dict[str, Any]) -> Combatant:
    """The fighter a sheet becomes, all by itself. The sheet must be sound."""
    return system.make_combatant(ME, name, "", sheet, {})


def make_state(system: System, name: str, sheet: dict[str, Any]) -> State:
    """A state with nobody in it but the fighter of a sheet, so that its checks can be rolled."""
    fighter = make_fighter(system, name, sheet)
    return replace(system.begin(), combatants={ME: fighter}, phase="fight", order=(ME,))
