"""An item in someone's hands: what adds up to its attacks, and the chance against two usual foes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.book import StatBlock
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import brief_chance
from combat.rules.core.sheets.catalogue import Entry, Kind, new_thing
from combat.rules.core.sheets.sheets import ME, blank_draft
from combat.rules.core.state.state import replace as state_replace

from ..display.attacks import AttackView
from ..display.sheet_view import view_sheet
from ..games import check_sheet, find_problems, plan_of
from ..guests import Keeper
from ..models import Character
from ..ports import encounters
from .item_service import HELD, catalogue_of

FOE, TIER_OF_STRONG = "foe", 2  # of the kinds of stat blocks
MOST_PEOPLE = 20  # to choose from


@dataclass(frozen=True)
class FoeChance:
    """The chance in percent of an attack with an item on someone of the book."""

    name: str
    chance: int


@dataclass(frozen=True)
class Hands:
    """What an item does in the hands of its holder, or of average numbers without one.

    Both are empty for what is no weapon.
    """

    holder: Character | None
    attacks: tuple[AttackView, ...]
    chances: tuple[FoeChance, ...]


def find_people(keeper: Keeper, system: System) -> list[Character]:
    """Someone's own characters of a game whose sheets its rules accept, the last played first."""
    own = (one for one, _ in encounters.find_own(keeper, system.slug))
    return [*islice((one for one in own if not find_problems(system, one.sheet)), MOST_PEOPLE)]


def choose_holder(people: Sequence[Character], word: str) -> Character | None:
    """The one of these with this number, else the first of them."""
    return next((one for one in people if str(one.pk) == word), people[0] if people else None)


def list_foes(system: System, kind: Kind) -> tuple[str, ...]:
    """Whose chances an item of this kind will show: two usual foes; nobody for what is no weapon."""
    return tuple(foe.name for foe in _find_foes(system)) if kind.ready == HELD else ()


def view_hands(system: System, entry: Entry, holder: Character | None) -> Hands:
    """The attacks with an item, and the chances of the first of them as if its turn came next to each foe."""
    sheet = _hold(system, entry, holder)
    if sheet is None:
        return Hands(holder, (), ())
    view = view_sheet(system, Character(name="Someone", system=system.slug, sheet=sheet))
    attacks = tuple(replace(attack, item="") for attack in view.attacks if attack.name == entry.name)
    found: Iterable[tuple[StatBlock, float | None]] = ()
    if entry.record.get("damage"):
        found = ((foe, _count_chance(system, sheet, entry, foe)) for foe in _find_foes(system))
    chances = (FoeChance(foe.name, round(100 * chance)) for foe, chance in found if chance is not None)
    return Hands(holder, attacks, tuple(chances))


def compare_hands(hands: Sequence[Hands]) -> list[tuple[str, list[str], bool]]:
    """Several items in the same hands line by line: label, words, differs; nothing if none is a weapon."""
    if not any(one.attacks for one in hands):
        return []
    first = [next(iter(one.attacks), None) for one in hands]
    rows = [("to hit", [one.total if one else "" for one in first])]
    rows.append(("damage", [one.damage if one else "" for one in first]))
    for name in dict.fromkeys(foe.name for one in hands for foe in one.chances):
        known = ({foe.name: f"{foe.chance}%" for foe in one.chances} for one in hands)
        rows.append((f"against {name}", [chances.get(name, "") for chances in known]))
    return [(label, words, len(set(words)) > 1) for label, words in rows if any(words)]


def _hold(system: System, entry: Entry, holder: Character | None) -> dict[str, Any] | None:
    """A sheet of the holder, or of average numbers, with the item alone, in hand; None for no weapon."""
    plan, kind = plan_of(system), catalogue_of(system).find_kind(entry.kind)
    if kind is None or kind.ready != HELD:
        return None
    thing = msgspec.structs.replace(new_thing(catalogue_of(system), entry, set()), place=HELD)
    sheet = holder.sheet if holder else check_sheet(system, plan.write({}, blank_draft(plan)))
    return {**sheet, "items": msgspec.to_builtins([thing])}


def _find_foes(system: System) -> list[StatBlock]:
    """Two usual foes: the first of the book, and the first of its third kind."""
    blocks = [block for block in system.book.find_blocks().values() if not block.option]
    tiers = list(dict.fromkeys(block.tier for block in blocks))
    wanted = dict.fromkeys((tiers[0], tiers[min(TIER_OF_STRONG, len(tiers) - 1)])) if tiers else ()
    return [next(block for block in blocks if block.tier == tier) for tier in wanted]


def _count_chance(system: System, sheet: dict[str, Any], entry: Entry, foe: StatBlock) -> float | None:
    begun, make = system.begin(), system.characters.make_combatant
    me = plan_of(system).take_turn(make(ME, "", "allies", sheet, begun.options))
    me = state_replace(me, budget={pool.key: pool.most for pool in system.turn.pools})
    people = {ME: me, FOE: make(FOE, foe.name, "enemies", foe.sheet, begun.options)}
    state = state_replace(begun, combatants=people, phase="fight", order=(ME, FOE), active=ME, round=1)
    weapon = next((item.id for item in me.items if item.name == entry.name), "")
    for action in system.actions.by_name.values():
        try:
            fields = {one.name: one for one in action.find_fields(state, ME)}
            if weapon and {"weapon", "target"} <= fields.keys():
                usual = {name: one.value for name, one in fields.items() if one.kind != "many" and one.value}
                sent = {"actor": ME, **usual, "weapon": weapon, "target": FOE}
                return brief_chance(system, state, action, read_command(action, sent, state))
        except (Refused, TooMany):
            continue
    return None
