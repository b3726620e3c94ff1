"""Who can do something: the total of a check for each of several sheets, as each sheet itself shows it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from django.http import QueryDict

from combat.rules.core.basics.folding import fold_text
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import Stat
from combat.rules.core.state.state import State

from ..access import TRACKS
from ..games import make_state, plan_of
from ..models import Character
from .rolls import open_form
from .sheet_view import view_stat

AGAINST = ("tn", "difficulty")  # the fields of a check that name the number to reach
MOST_NAMED = 12  # skills that the same words may mean
LEAST = 3  # letters of a word that begins the name of a skill


@dataclass(frozen=True)
class Total:
    """What a check adds to the dice: in words, as a number, by which attribute, and whether it was learned.

    `chance` is in percent, if a number to reach is known.
    """

    shown: str
    number: int
    via: str
    is_trained: bool
    chance: str = ""


def list_stats(system: System) -> tuple[Stat, ...]:
    """The skills and attributes of a game that can be rolled, skills first."""
    plan = plan_of(system)
    return tuple(stat for stat in (*plan.skills, *plan.attributes) if stat.offers)


def find_stats(system: System, words: str) -> tuple[Stat, ...]:
    """The skills and attributes that words may mean: by their name, its beginning, or a part of it."""
    known, wanted = list_stats(system), fold_text(words).casefold()
    if not wanted:
        return ()
    names, meant = (
        {stat.key: fold_text(stat.label).casefold() for stat in known},
        plan_of(system).find_skills(words),
    )
    parts = [word for word in wanted.split() if len(word) >= LEAST]
    same = [one for one in known if names[one.key] == wanted]
    near = [one for one in known if one.key in meant or _names(names[one.key], wanted, parts)]
    return tuple(same or near)[:MOST_NAMED]


def _names(label: str, wanted: str, parts: Collection[str]) -> bool:
    """Whether words mean a skill of this name: they have it in them, or a word of them begins or ends it."""
    return label in wanted or any(label.startswith(word) or word in label.split() for word in parts)


def rest(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet as if its owner were unhurt: wounds and conditions are no part of what is compared."""
    return {**sheet, **{name: type(sheet[name])() for name in TRACKS if name in sheet}}


@dataclass(frozen=True)
class Tried:
    """A sheet whose checks are looked at: its name, the rested sheet, its values, a state with it alone."""

    name: str
    sheet: dict[str, Any]
    values: dict[str, int]
    state: State


def try_sheet(system: System, name: str, sheet: Mapping[str, Any]) -> Tried:
    """A sheet ready for several looks."""
    rested = rest(sheet)
    draft = plan_of(system).read(rested)
    return Tried(name, rested, {**draft.attributes, **draft.skills}, make_state(system, name, rested))


def find_total(system: System, tried: Tried, stat: Stat, against: str = "") -> Total | None:
    """The best total of a sheet for a skill or an attribute, with the chance `against` a number of the game.

    None if the sheet has no such check.
    """
    view = view_stat(system, tried.state, stat, tried.values.get(stat.key, stat.usual))
    best = view.best
    if best is None or best.total is None:
        return None
    via = best.label if len(stat.offers) > 1 else ""
    chance = _find_chance(system, Character(name=tried.name, sheet=tried.sheet), best.query, against)
    return Total(best.shown, best.total, via, not view.is_untrained, chance)


def list_trained(system: System, people: Iterable[Tried]) -> list[Stat]:
    """The skills that at least one of these has learned."""
    known = list(people)
    skills = (stat for stat in plan_of(system).skills if stat.offers)
    return [one for one in skills if any(each.values.get(one.key, one.usual) != one.usual for each in known)]


def _find_chance(system: System, character: Character, query: str, against: str) -> str:
    """The chance of a check against a number, as the sheet's own form counts it."""
    asked, data = dict(parse_qsl(query, keep_blank_values=True)), QueryDict(mutable=True)
    data.update(asked)
    field = find_against(system, asked.get("roll", "")) if against else ""
    if not field:
        return ""
    data[field] = against
    return open_form(system, character, asked["roll"], data).chance


def find_against(system: System, check: str) -> str:
    """The field of a check that names the number to reach; empty if it has none."""
    action = plan_of(system).checks.get(check)
    fields = action.type.__struct_fields__ if action else ()
    return next((name for name in AGAINST if name in fields), "")
