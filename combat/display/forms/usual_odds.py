"""The chance on the tile of a usual attack or aid: "Pirate · 72%", and on those of other targets."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat

import msgspec
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command
from combat.rules.core.commands.forms import find_fields_once
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import brief_chance
from combat.rules.core.state.state import State, present

from ..combatants.namesakes import name_fully
from ..shapes.chips import OtherTarget
from ..shapes.table_shapes import ActionView
from .fields import prefilled, read_prefilled
from .odds_panel import percent

ATTACK, AID = "attack", "aid"  # the kinds of actions with a chance on their tile
MAX_LOOKS = 40  # while counting: a tile shows no chance that takes more; the demos take 18 at most, in 0.5 ms
MAX_OTHERS = 2  # further targets of an attack, each with its own chance


def add_chance(system: System, state: State, who: str, lists: Iterable[list[ActionView]]) -> None:
    """Give the first attack and the first aid in these lists of possible actions a target and its chance.

    The chance is after any defense. The attack names the target that its form starts with, and a few more,
    unless only allies are in its reach; aid names the one who is hurt most. A tile gets none if its form
    has no target, or if there is too much to count. The limit is a number, since two pages of one state must
    not differ by how busy the machine is.
    """
    wanted = {ATTACK, AID}
    for views in lists:
        for n, view in enumerate(views):
            if view.look in wanted:
                wanted.remove(view.look)
                views[n] = _add_to(system, state, who, view)


class Usual(msgspec.Struct, frozen=True):
    """An action as its form starts: its target, and the command; None if something is missing in it."""

    action: Action
    target: str
    command: Command | None


def _add_to(system: System, state: State, who: str, view: ActionView) -> ActionView:
    if view.look == AID:
        return _add_aid(system, state, who, view)
    usual = find_usual(system, state, who, view.name)
    if usual is None:
        return view
    if _is_ally(state, who, usual.target) and find_foes(state, who):
        return replace(view, target="any enemy", chance="0")
    target, chance = find_chance(system, state, usual)
    others = find_others(system, state, who, usual) if target else ()
    return replace(view, target=target, chance=chance, others=others, foe=usual.target if chance else "")


def _add_aid(system: System, state: State, who: str, view: ActionView) -> ActionView:
    hurt = find_hurt(system, state, system.action(view.name), who)
    usual = find_usual(system, state, who, view.name) if hurt else None
    if usual is None:
        return view
    chance = _count(system, state, usual, hurt)
    name = name_fully(state, state[hurt]) if chance else ""
    return replace(view, target=name, chance=chance, aim=hurt if chance else "")


def is_pointless(system: System, state: State, who: str, name: str, look: str) -> bool:
    """Whether an attack reaches no enemy, or an aid helps nobody."""
    if look == AID:
        hurt = find_hurt(system, state, system.action(name), who)
        usual = find_usual(system, state, who, name) if hurt else None
        return not hurt or (usual is not None and _count(system, state, usual, hurt) == "0")
    usual = find_usual(system, state, who, name) if look == ATTACK else None
    if usual is None:
        return False
    if usual.command is None or _is_ally(state, who, usual.target):
        return True
    foes = dict.fromkeys((usual.target, *_find_targets(usual.action, state, who)))
    return all(_is_refused(system, state, usual, foe) for foe in foes if not _is_ally(state, who, foe))


def _is_refused(system: System, state: State, usual: Usual, target: str) -> bool:
    """Whether an action with its usual choices cannot be done to someone, such as one out of its reach."""
    assert usual.command
    try:
        say_chance(system, state, usual.action, replace(usual.command, target=target), checked=True)
    except Refused:
        return True
    return False


def find_hurt(system: System, state: State, action: Action, who: str) -> str:
    """The ally (or the actor) hurt most, among those an action can name; empty if nobody is hurt."""
    side, levels = state[who].side, dict[str, int]()
    for one in state.combatants.values():  # in every turn: no calls for enemies
        if one.side == side and not one.gone:
            health = system.people.health(one)
            if health.level and not health.dead:
                levels[one.id] = health.level
    hurt = [value for value in _find_targets(action, state, who) if value in levels] if levels else []
    return max(hurt, key=lambda value: levels[value], default="")


def find_foes(state: State, who: str) -> list[str]:
    """Those on other sides."""
    return [one.id for one in present(state) if not _is_ally(state, who, one.id)]


def _is_ally(state: State, who: str, value: str) -> bool:
    return value in state.combatants and state[value].side == state[who].side


def _find_targets(action: Action, state: State, who: str) -> list[str]:
    """Those whom an action can name as its target now, in the order of its form."""
    target = next((field for field in find_fields_once(action, state, who) if field.name == "target"), None)
    return [one.value for one in target.options if not one.refused] if target else []


def find_usual(system: System, state: State, who: str, name: str) -> Usual | None:
    """An action as its form starts; None without odds or without a target."""
    action = system.action(name)
    if not system.actions.has_odds(action):
        return None
    try:
        target = prefilled(action, state, who).get("target", "")
    except Refused:
        return None
    if target not in state.combatants:
        return None
    try:
        return Usual(action, target, read_prefilled(action, state, who))
    except Refused:
        return Usual(action, target, None)


def find_chance(system: System, state: State, usual: Usual) -> tuple[str, str]:
    """The name of the target of a usual action, and the chance in percent; both empty if it has none."""
    chance = _count(system, state, usual, usual.target)
    return (name_fully(state, state[usual.target]), chance) if chance else ("", "")


def find_others(system: System, state: State, who: str, usual: Usual) -> tuple[OtherTarget, ...]:
    """The next targets of an attack with the same weapon, in the order of its form, and their chances."""
    options = _find_targets(usual.action, state, who)
    foes = [value for value in options if _is_other(state, usual.target, value)][:MAX_OTHERS]
    chances = {foe: _count(system, state, usual, foe) for foe in foes}
    return tuple(
        [OtherTarget(foe, name_fully(state, state[foe]), chance) for foe, chance in chances.items() if chance]
    )


def _is_other(state: State, first: str, value: str) -> bool:
    """Whether it is another combatant on the side of the first target."""
    one, known = state.combatants.get(value), state.combatants.get(first)
    return value != first and one is not None and known is not None and one.side == known.side


def _count(system: System, state: State, usual: Usual, target: str) -> str:
    """The chance of a possible action at a target; empty if it has none, or if there is too much to count."""
    if usual.command is None:
        return ""
    try:
        return say_chance(system, state, usual.action, replace(usual.command, target=target), checked=True)
    except Refused:
        return ""


def say_chance(system: System, state: State, action: Action, command: Command, checked: bool = False) -> str:
    """The chance of a command after any defense, in percent; empty if that is too much to count.

    The guards of a `checked` action have let it pass already. Raises Refused if the command is not legal.
    """
    give_up = chain(repeat(False, MAX_LOOKS), repeat(True)).__next__
    try:
        return percent(brief_chance(system, state, action, command, give_up, checked))
    except TooMany:
        return ""
