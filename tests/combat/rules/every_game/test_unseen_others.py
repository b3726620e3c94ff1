"""What a player may do never depends on whom they may not know, in wild fights of every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from combat.audience.secrecy import find_free, forget_unknown, redact
from combat.audience.viewer import Viewer
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.state.state import State, present, replace
from tests.combat.rules.every_game.wild.wild import few_wild_fights, fill, find_legal, play
from tests.combat.rules.games import every_game

ASKED = 4  # actions tried in each state


def hide_one(chance: random.Random, state: State) -> tuple[State, str]:
    """The state with one of the people hidden, whatever they have done, and another whom a person plays."""
    ghost, player = chance.sample([one.id for one in present(state)], 2)
    people = {**state.combatants, ghost: replace(state[ghost], hidden=True)}
    people[player] = replace(people[player], pc=True, hidden=False)
    return replace(state, combatants=people), player


def find_possible(
    chance: random.Random, system: System, known: State, player: str
) -> Iterator[tuple[Action, dict[str, Any]]]:
    """Some actions of a player with their fields, possible on what they know."""
    legal = [action for who, action in find_legal(system, known) if who == player]
    for action in chance.sample(legal, min(ASKED, len(legal))):
        data = fill(chance, action, known, player)
        try:
            run(system, known, action, read_command(action, data, known), TryDriver())
        except (Refused, msgspec.ValidationError):
            continue
        yield action, data


@every_game
@few_wild_fights
def test_what_is_possible_on_what_a_player_knows_is_possible(system: System, seed: int, length: int) -> None:
    chance = random.Random(seed)
    for log, _ in play(system, seed, length):
        if log.state.phase != "fight" or len(list(present(log.state))) < 2:
            continue
        state, player = hide_one(chance, log.state)
        viewer = Viewer("seat", frozenset([player]))
        for action, data in find_possible(chance, system, redact(state, viewer), player):
            told = forget_unknown(data, find_free(action), state, viewer)
            run(system, state, action, read_command(action, told, state), TryDriver())  # Refused would tell
