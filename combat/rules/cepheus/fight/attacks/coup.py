"""Coup de grace: killing someone helpless."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, has_condition

from ...body.states import die
from ...book.options import find_option
from ...book.tables import PHYSICAL
from ...dice.focus import lose_aim
from ...people.conditions import HELPLESS, KINDS, is_dead
from ...people.values import is_person
from ...world.economy import pay_significant
from ...world.order import offer_interrupt
from ...world.touch import check_within
from ..aim import MELEE_TYPES
from ..checks import check_ready
from ..weapons import find_weapon, read_arm, use_rounds


class CoupDeGrace(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kill someone helpless with a weapon; `sure` confirms it."""

    target: str
    weapon: str
    sure: bool = False


def is_helpless(combatant: Combatant) -> bool:
    """Whether someone cannot defend themselves at all.  RULING R36"""
    return is_person(combatant) and has_condition(combatant, *HELPLESS)


def check_coup(state: State, command: CoupDeGrace) -> Item:
    """Refuse all but a blade within Close range and a gun from right beside. [CE-ATK-10] [CE-ATK-11]
    RULING R36"""
    if not find_option(state, "coup_de_grace"):
        raise Refused("not_allowed", "This table plays without the coup de grace: attack instead.")
    combatant, target = state[command.actor], state[command.target]
    if target.id == combatant.id or is_dead(target) or not is_helpless(target):
        raise Refused("bad_target", f"{target.name} is not helpless: attack instead.")
    item = find_weapon(state, combatant, command.weapon)
    check_ready(item)
    if item.kind == "grenade" or item.data.get("fires") or item.data.get("radius_m"):
        raise Refused("bad_value", f"{item.name} explodes: choose a blade or a gun.")
    check_within(state, combatant, target)
    is_melee = any(row in MELEE_TYPES for row in read_arm(item).range_types)
    if is_melee:
        KINDS.check(combatant, "melee")
    if item.loaded == 0:
        raise Refused("no_budget", f"{item.name} is empty: reload it.")
    return item


def finish(context: RuleContext, command: CoupDeGrace) -> None:
    """Hit and kill automatically: a significant action, no roll, no reaction. [CE-ATK-12]  RULING R36"""
    item = check_coup(context.state, command)
    if not command.sure:
        name = context.state[command.target].name
        raise Refused("bad_value", f"This kills {name} for good: select “This kills for good”.")
    if offer_interrupt(context, command.actor):
        return
    pay_significant(context, command.actor, "Coup de grace", "CE-ATK-01")
    lose_aim(context, command.actor, "why.does_something_else")
    rates = item.data.get("rate_of_fire") or (1,)
    use_rounds(context, command.actor, item, min(rates), "CE-ATK-11")
    context.emit(e.Said("log.coup_de_grace", command.actor, command.target), "CE-ATK-12")
    for key in PHYSICAL:
        old = context.state[command.target].tracks[key]
        if old:
            told = e.TrackChanged(command.target, key, old, 0, "why.coup_de_grace", by=command.actor)
            context.emit(told, "CE-ATK-12")
    die(context, command.target, "CE-ATK-12")
