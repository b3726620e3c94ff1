"""What a house rule does: two usual attacks of the game's demo with each of its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import msgspec
from django.contrib.auth.models import User

from combat.display.forms.odds_panel import COUNTER, percent
from combat.display.forms.usual_odds import ATTACK, find_usual, strikes
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import TableOption
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.state.state import State, is_acting

from ..home.pictures import play_steps
from .rule_rows import list_values

MAX_LOOKS = 3000  # while counting an attack; one that takes more is not an example
SHOWN = 2  # attacks


@dataclass(frozen=True)
class Chance:
    """What an attack is with one value of a rule: percent, and loss on average; blank if refused."""

    words: str
    percent: str
    mean: str
    is_now: bool
    is_book: bool


@dataclass(frozen=True)
class Effect:
    """What a rule does to one attack, by its values; `harm` is what a hit takes."""

    words: str
    harm: str
    chances: tuple[Chance, ...]

    @property
    def is_same(self) -> bool:
        """Whether the rule leaves the attack as it is."""
        return len({(one.percent, one.mean) for one in self.chances}) == 1


@dataclass(frozen=True)
class Attack:
    """A moment of the game's demo in which someone can attack."""

    state: State
    who: str
    action: str
    target: str


def ask_effects(
    person: User, system: System, options: Mapping[str, Any], asked: TableOption
) -> dict[str, Any]:
    """What a rule does, counted in turn with the odds of all tables; why not, if there is no room now."""
    try:
        with COUNTER.count(f"rules of {person.pk}"):
            return {"effects": find_effects(system, options, asked)}
    except Refused as refused:
        return {"effects": (), "busy": refused.message}


def find_effects(system: System, options: Mapping[str, Any], option: TableOption) -> tuple[Effect, ...]:
    """Two usual attacks of the game's demo with each value of a rule, those first that it changes.

    The other house rules are those given. None if the demo has no attack that can be counted.
    """
    now = options.get(option.key, option.default)
    found = (_count_attack(system, options, option, attack, now=now) for attack in find_attacks(system.slug))
    effects = [effect for effect in found if effect]
    return tuple(sorted(effects, key=lambda one: one.is_same)[:SHOWN])


def find_attacks(slug: str) -> tuple[Attack, ...]:
    """The attacks that people make in the first demo of a game, each at the first moment it is possible."""
    system = find_system(slug)
    demo, found = system.demo.make_first(), dict[tuple[str, str, str], Attack]()
    names = [one.name for one in system.actions.by_name.values() if one.who != "gm" and strikes(one)]
    names = [name for name in names if system.kinds.of_action(name) == ATTACK]
    for state, _ in play_steps(system, (*demo.setup, *demo.script)):
        for attack in _list_attacks(system, state, names):
            found.setdefault((attack.who, attack.action, attack.target), attack)
    return tuple(found.values())


def _list_attacks(system: System, state: State, names: list[str]) -> Iterator[Attack]:
    for who in state.combatants if state.phase == "fight" else ():
        for name in names if is_acting(state, who) else ():
            usual = find_usual(system, state, who, name)
            if usual and usual.is_legal:
                yield Attack(state, who, name, usual.target)


def _count_attack(
    system: System, options: Mapping[str, Any], option: TableOption, attack: Attack, now: Any
) -> Effect | None:
    """What a rule does to an attack; None if that has no chance, or is too much to count."""
    chances = []
    for value in list_values(option, now):
        played = {**attack.state.options, **options, option.key: value}
        try:
            chance, mean = _count(system, msgspec.structs.replace(attack.state, options=played), attack)
        except TooMany:
            return None
        words = option.describe(value)
        chances.append(Chance(words, chance, mean, is_now=value == now, is_book=value == option.default))
    if not any(one.percent for one in chances):
        return None
    actor, target = attack.state[attack.who], attack.state[attack.target]
    words = f"{system.action(attack.action).label}: {actor.name} against {target.name}"
    return Effect(words, system.characters.health(target).label, tuple(chances))


def _count(system: System, state: State, attack: Attack) -> tuple[str, str]:
    """The chance of an attack in percent, and what its target loses on average; blank if it is refused."""
    try:
        usual = find_usual(system, state, attack.who, attack.action)
        if usual is None or usual.command is None:
            return "", ""
        command = msgspec.structs.replace(usual.command, target=attack.target)
        give_up = chain(repeat(False, MAX_LOOKS), repeat(True)).__next__
        odds = find_odds(system, state, usual.action, command, give_up)
    except Refused:
        return "", ""
    chance = odds.after if odds.after is not None else odds.headline.chance if odds.headline else None
    lost = sum(one.mean for one in odds.distributions if one.who == attack.target)
    return ("" if chance is None else percent(chance)), f"{lost:.1f}"
