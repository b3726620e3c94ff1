"""Combatants of one name: what tells them apart where people choose among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from combat.rules.core.basics.memory import remember_latest
from combat.rules.core.basics.requests import Choice
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import Combatant, State, present


@remember_latest
def tell_apart(state: State) -> dict[str, str]:
    """What stands behind the name of each combatant that shares it, by id.

    That is the side or the zone where these tell all of them apart, else their number from above in the rows.
    It rests on nothing but the state given, and each row asks for it.
    """
    places = {who: place for place, who in enumerate(state.order)}
    fighters = sorted(present(state), key=lambda f: places.get(f.id, len(places)))
    shared = {name for name, count in Counter(f.name for f in fighters).items() if count > 1}
    found: dict[str, str] = {}
    for name in shared:
        namesakes = [f for f in fighters if f.name == name]
        found |= zip((f.id for f in namesakes), _find_words(state, namesakes), strict=True)
    return found


def _find_words(state: State, namesakes: list[Combatant]) -> list[str]:
    zones = (find_zone(state.scene, f.at) for f in namesakes)
    for words in ([f.side for f in namesakes], [zone.name if zone else "" for zone in zones]):
        if len(set(filter(None, words))) == len(namesakes):
            return words
    return [str(number) for number in range(1, len(namesakes) + 1)]


def name_fully(state: State, fighter: Combatant) -> str:
    """The name of a combatant, with what tells it apart from others of that name."""
    words = tell_apart(state).get(fighter.id)
    return f"{fighter.name} ({words})" if words else fighter.name


def name_choices(state: State, options: Iterable[Choice]) -> tuple[Choice, ...]:
    """Choices among combatants, or of places by them, with what tells those of one name apart."""
    words, options = tell_apart(state), tuple(options)
    return tuple(_name_choice(state, words, option) for option in options) if words else options


def _name_choice(state: State, words: dict[str, str], option: Choice) -> Choice:
    who = option.value.rpartition(":")[2]
    told, name = words.get(who, ""), state.combatants[who].name if who in words else ""
    if not told or name not in option.label or told == option.detail:
        return option
    return msgspec.structs.replace(option, label=option.label.replace(name, f"{name} ({told})", 1))
