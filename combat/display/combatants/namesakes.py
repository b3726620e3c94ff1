"""Combatants with the same name: how people tell them apart where they choose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import Combatant, State, present

PARTS = re.compile("[:/]")  # between the parts of a choice's value


def tell_apart(state: State) -> dict[str, str]:
    """The words after the name of each combatant that shares it, by id.

    The side or the zone if these tell all of them apart, else a number in the order of the rows.
    """
    names = [one.name for one in state.combatants.values() if not one.gone]
    if len(set(names)) == len(names):  # most fights, in every turn
        return {}
    places = {who: place for place, who in enumerate(state.order)}
    combatants = sorted(present(state), key=lambda f: places.get(f.id, len(places)))
    shared = {name for name, count in Counter(names).items() if count > 1}
    found: dict[str, str] = {}
    for name in shared:
        namesakes = [f for f in combatants if f.name == name]
        found |= zip((f.id for f in namesakes), _find_words(state, namesakes), strict=True)
    return found


def _find_words(state: State, namesakes: list[Combatant]) -> list[str]:
    zones = (find_zone(state.scene, f.at) for f in namesakes)
    for words in ([f.side for f in namesakes], [zone.name if zone else "" for zone in zones]):
        if len(set(filter(None, words))) == len(namesakes):
            return words
    return [str(number) for number in range(1, len(namesakes) + 1)]


def number_namesakes(state: State) -> dict[str, str]:
    """The number of each combatant that shares its name on its side, in joining order, by id.

    Namesakes on different sides look different anyway.
    """
    names = Counter((f.name, f.side) for f in present(state))
    counted: Counter[tuple[str, str]] = Counter()
    found = {}
    for combatant in present(state):
        key = combatant.name, combatant.side
        if names[key] > 1:
            counted[key] += 1
            found[combatant.id] = str(counted[key])
    return found


def name_fully(state: State, combatant: Combatant) -> str:
    """The name of a combatant, with a word to tell it from its namesakes."""
    words = tell_apart(state).get(combatant.id)
    return f"{combatant.name} ({words})" if words else combatant.name


def name_people(state: State, people: Iterable[str]) -> str:
    """The full names of those of these combatants that are in the state: "Vega or Oslo"."""
    known = (state.combatants[who] for who in people if who in state.combatants)
    return " or ".join(name_fully(state, combatant) for combatant in known)


def say_fully(state: State, who: str, words: str) -> str:
    """A text with a combatant's name, plus the word that tells it apart; in brackets after a comma."""
    told = tell_apart(state).get(who, "")
    if not told:
        return words
    name = state.combatants[who].name
    if f"({name})" in words:
        return words.replace(f"({name})", f"({name}, {told})", 1)
    return words.replace(name, f"{name} ({told})", 1)


def name_choices(state: State, options: Iterable[Choice]) -> tuple[Choice, ...]:
    """Choices of combatants, their items or places beside them, with namesakes told apart."""
    words, options = tell_apart(state), tuple(options)
    if not words:
        return options
    owners = {item.id: who for who in words for item in state.combatants[who].items} | {w: w for w in words}
    return tuple(_name_choice(state, words, owners, option) for option in options)


def _name_choice(state: State, words: dict[str, str], owners: dict[str, str], option: Choice) -> Choice:
    """A choice with the owner told apart; its value is like "f2", "near:f2", "f2/f2-1"."""
    who = next((owners[part] for part in PARTS.split(option.value) if part in owners), "")
    if not who or words[who] == option.detail:
        return option
    return msgspec.structs.replace(option, label=say_fully(state, who, option.label))
