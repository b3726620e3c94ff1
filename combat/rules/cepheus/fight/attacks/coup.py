"""Coup de grace: killing someone helpless."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ...body.states import die
from ...book.options import find_option
from ...book.tables import PHYSICAL
from ...characters.conditions import HELPLESS, KINDS, is_dead
from ...characters.values import is_person
from ...dice.focus import lose_aim
from ...vehicles.gunnery import check_fire
from ...world.acting import act
from ...world.economy import check_significant, pay_significant
from ...world.order import offer_interrupt
from ...world.reach import check_within
from ..aim import Sight, Strike, find_sight
from ..checks import check_rounds, check_seen, check_weapon
from ..fields import strike_fields
from ..weapons import use_rounds


class CoupDeGrace(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kill someone helpless with a weapon; `sure` confirms it."""

    target: str
    weapon: str
    sure: bool = False


def is_helpless(combatant: Combatant) -> bool:
    """Whether someone cannot defend themselves at all.  RULING R36"""
    return is_person(combatant) and has_condition(combatant, *HELPLESS)


def check_coup(state: State, command: CoupDeGrace) -> Sight:
    """Refuse all but a blade within Close range and a gun from right beside, that could attack as usual.
    [CE-ATK-10] [CE-ATK-11]  RULING R15 R36"""
    if not find_option(state, "coup_de_grace"):
        raise Refused("not_allowed", "This table plays without the coup de grace: attack instead.")
    combatant, target = state[command.actor], state[command.target]
    if target.id == combatant.id or is_dead(target) or not is_helpless(target):
        raise Refused("bad_target", f"{target.name} is not helpless: attack instead.")
    sight = find_sight(state, Strike(actor=command.actor, target=command.target, weapon=command.weapon))
    item = sight.item
    if item.kind == "grenade" or item.data.get("fires") or item.data.get("radius_m"):
        raise Refused("bad_value", f"{item.name} explodes: choose a blade or a gun.")
    check_within(state, combatant, target)
    check_weapon(combatant, item)
    check_fire(state, combatant, item, target)
    check_seen(state, combatant, target, item)
    if sight.mode == "melee":
        KINDS.check(combatant, "melee")
    else:
        check_rounds(sight, sight.rounds)
    return sight


def finish(context: RuleContext, command: CoupDeGrace) -> None:
    """Hit and kill automatically: a significant action, no roll, no reaction. [CE-ATK-12]  RULING R36"""
    sight = check_coup(context.state, command)
    if not command.sure:
        name = context.state[command.target].name
        raise Refused("bad_value", f"This kills {name} for good: select “This kills for good”.")
    if offer_interrupt(context, command.actor):
        return
    pay_significant(context, command.actor, "Coup de grace", "CE-ATK-01")
    lose_aim(context, command.actor, "why.does_something_else")
    use_rounds(context, command.actor, sight.item, rounds=sight.rounds, rule="CE-ATK-11")
    context.emit(e.Said("log.coup_de_grace", command.actor, command.target), "CE-ATK-12")
    for key in PHYSICAL:
        old = context.state[command.target].tracks[key]
        if old:
            told = e.TrackChanged(command.target, key, old, new=0, why="why.coup_de_grace", by=command.actor)
            context.emit(told, "CE-ATK-12")
    die(context, command.target, "CE-ATK-12")


def coup_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The victim, an enemy, and the weapon, with a box to confirm. [CE-ATK-10]"""

    def check(target: str, weapon: str) -> None:
        if state[target].side == state[actor].side:
            raise Refused("bad_target", f"{state[target].name} is on the same side.")
        check_coup(state, CoupDeGrace(actor=actor, target=target, weapon=weapon))

    sure = Field("sure", "This kills for good", "flag", rule="CE-ATK-12")
    return (*strike_fields(state, actor, check), sure)


def check_coup_now(state: State, actor: str) -> None:
    """Refuse a coup de grace with no one helpless next to the actor."""
    if not any(is_helpless(f) and not is_dead(f) for f in present(state)):
        raise Refused("not_allowed", "Nobody here is helpless.")
    options = coup_fields(state, actor)[0].options
    if all(option.refused for option in options):
        raise Refused("not_allowed", options[0].refused if options else "Nobody here is helpless.")
    check_significant(state, actor, "a coup de grace")


ACTIONS = (act("coup_de_grace", finish, check_coup_now, fields=coup_fields),)
