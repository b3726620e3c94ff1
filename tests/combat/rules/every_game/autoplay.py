"""Fights that the app plays to their end, and what is odd about the steps that its tactics took."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from combat.play.scenes.ready import find_ready_scene
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver
from combat.rules.core.odds.forecast import is_contested, play_step
from combat.rules.core.odds.proposals import MAX_STEPS_PER_TURN, find_return
from combat.rules.core.sides import is_able
from combat.rules.core.state.state import Scalar, State
from tests.combat.rules.games import find_game
from tests.combat.rules.stage import Stage

ALLIES, ENEMIES = "allies", "enemies"
MOST = 3  # people of a side
MAX_ROUNDS, QUIET_ROUNDS = 60, 3
FIRE = "fire"
OPEN, DOORS, DECKS, ROAD = "", "ship_deck", "free_trader", "toll_bridge"
GROUNDS = (OPEN, DOORS, DECKS, FIRE, ROAD)


@dataclass(frozen=True)
class Move:
    """A step that the tactics proposed: the state before it, and why the rules refused it or "no effect"."""

    before: State
    name: str
    command: Command
    odd: str = ""


@dataclass
class Fight:
    """A fight as the app played it: its steps, its last state, and whether several sides still stood."""

    start: State
    end: State
    moves: list[Move] = field(default_factory=list)
    is_open: bool = False

    @property
    def odd(self) -> list[str]:
        """The steps that were refused or did nothing, in words."""
        return [f"round {m.before.round}: {m.command} {m.name}: {m.odd}" for m in self.moves if m.odd]


def find_people(system: System) -> tuple[str, ...]:
    """The stat blocks that can fight alone, by key."""
    return _find_people(system.slug)


def is_idle(fight: Fight) -> bool:
    """Whether the last rounds changed nothing: nobody can do anything to anybody, which the GM is told."""
    late = [move for move in fight.moves if move.before.round > fight.end.round - QUIET_ROUNDS]
    return not late


@cache
def _find_people(slug: str) -> tuple[str, ...]:
    found, system = [], find_game(slug)
    for key, block in system.book.find_blocks().items():
        stage = Stage(system)
        if not block.option:
            who = stage.add("Alone", block=key)
            found += [key] if is_able(system, stage.state, stage[who]) else []
    return tuple(found)


def set_up(
    system: System, ground: str, seed: int, options: Mapping[str, Scalar] = {}, most: int = MOST
) -> State:
    """Two sides of people drawn from the library on a ground, before the fight."""
    chance, stage, people = random.Random(seed), Stage(system), find_people(system)
    stage.stays = False
    for key, value in options.items():
        stage.do("set_option", key=key, value=value)
    if ground == FIRE:
        stage.do("set_scene", scene=make_fire(system))
    elif ground:
        stage.do("set_scene", scene=msgspec.to_builtins(find_ready_scene(ground).lay_out(system)))
        for key, value in system.space.zones.drawn_settings.items():
            stage.do("set_setting", key=key, value=value)
    for side in (ALLIES, ENEMIES):
        for _ in range(chance.randint(min(2, most), most)):
            stage.do("join", block=chance.choice(people), side=side)
    return stage.state


def make_fire(system: System) -> dict[str, Any]:
    """A street with a strip of fire across: ground that burns where the game has any, else a hazard."""
    burning = [key for key, _ in system.space.terrains if key in (FIRE, "hot", "difficult")]
    zones = [
        {"id": "west", "name": "West", "x": 0, "y": 0, "width": 10, "depth": 10},
        {"id": "fire", "name": "Fire", "x": 10, "y": 0, "width": 4, "depth": 8, "terrain": burning[:1]},
        {"id": "rest", "name": "Past it", "x": 10, "y": 8, "width": 4, "depth": 2},
        {"id": "east", "name": "East", "x": 14, "y": 0, "width": 10, "depth": 10},
    ]
    links = [["west", "fire"], ["fire", "east"], ["west", "rest"], ["rest", "east"]]
    return {"zones": zones, "links": links}


def play(system: System, start: State, seed: int, rounds: int = MAX_ROUNDS) -> Fight:
    """Play a fight to its end by the tactics alone, at most so many rounds."""
    auto = AutoDriver(random.Random(seed), tells=False)
    state = play_step(system, start, system.actions.start, command=None, auto=auto).state
    fight = Fight(start, state)
    while state.phase == "fight" and state.round <= rounds and is_contested(system, start, state):
        for move, after in play_turn(system, state, auto):
            fight.moves += [move] if move else []
            state = after
    fight.end, fight.is_open = state, is_contested(system, start, state)
    return fight


def play_turn(system: System, state: State, auto: AutoDriver) -> Iterator[tuple[Move | None, State]]:
    """The steps of one turn, each with the state after it; the last one ends the turn."""
    actor, since = state.active, [state]
    for _ in range(MAX_STEPS_PER_TURN if actor else 0):
        found = system.tactics.suggest(state, actor)
        if found is None:
            break
        thrown, before = auto.thrown, state
        try:
            state = play_step(system, state, *found, auto).state
        except Refused as refused:
            yield Move(before, *found, refused.message), before
            break
        rolled = auto.thrown > thrown
        back = None if rolled else find_return(since, state)
        yield Move(before, *found, "" if back is None else "no effect"), state
        if back is not None or state.active != actor or state.phase != "fight":
            break
        since = [state] if rolled else [*since, state]
    if state.active == actor and state.phase == "fight":
        yield None, play_step(system, state, system.actions.advance, command=None, auto=auto).state
