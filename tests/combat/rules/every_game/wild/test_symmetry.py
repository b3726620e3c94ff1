"""A fight turned by 90 degrees, mirrored or moved gives the same facts: no direction is special."""

from __future__ import annotations

import random
from importlib import import_module, util
from typing import Any

import msgspec
from hypothesis import event

from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.rulebook import find_code_folder
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, ReplayDriver, find_action, run
from combat.rules.core.space import is_straight
from combat.rules.core.space.rays.sight import is_open
from combat.rules.core.state.events import CombatantJoined, Explored, Fact, Marked, Moved
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State, present
from tests.combat.rules.every_game.wild.turning import (
    TURNS,
    Directions,
    Turn,
    find_differences,
    turn_answer,
    turn_data,
    turn_thing,
)
from tests.combat.rules.every_game.wild.wild import Log, few_wild_fights, pick_action, pick_submission
from tests.combat.rules.every_game.wild.wild_gm import Chance
from tests.combat.rules.games import every_game

ROOM = {
    "walls": [
        {"id": "w1", "x1": 6.5, "y1": -20, "x2": 6.5, "y2": 3},
        {"id": "d1", "x1": 6.5, "y1": 3, "x2": 6.5, "y2": 5, "kind": "door"},
        {"id": "w2", "x1": 6.5, "y1": 5, "x2": 6.5, "y2": 20},
        {"id": "w3", "x1": -3.5, "y1": 8.5, "x2": 6.5, "y2": 8.5, "kind": "window", "blocks_sight": False},
    ],
    "obstacles": [{"id": "o1", "name": "Crate", "x": 2.5, "y": -1.5, "width": 1, "depth": 2}],
}


def find_directions(system: System) -> Directions:
    """A game's values that name a direction, if its tests declare them."""
    name = f"tests.combat.rules.{find_code_folder(system.folder).name}.directions"
    return import_module(name).DIRECTIONS if util.find_spec(name) else Directions()


def do_again(system: System, turned: State, step: Step, turn: Turn, directions: Directions) -> list[str]:
    """The differences when a step is done in the turned scene, with the same dice and choices."""
    action = find_action(system, step.name)
    whole = msgspec.to_builtins(read_command(action, dict(step.command)))  # a default may name a direction
    command = read_command(action, turn_data(turn, directions, whole))
    answers = tuple(turn_answer(turn, directions, answer) for answer in step.answers)
    done = run(system, turned, action, command, ReplayDriver(), answers)
    assert isinstance(done, Done), f"{step.name} asks for more"
    wanted = turn_data(turn, directions, list_plain(step.facts))
    return find_differences(wanted, list_plain(done.facts))


def list_plain(facts: tuple[Fact, ...]) -> list[Any]:
    """Facts as plain data, without the cells a side has seen: their list by rows depends on directions."""
    return [msgspec.to_builtins(fact) for fact in facts if not isinstance(fact.event, Explored)]


def is_of_gm(system: System, name: str) -> bool:
    """Whether only the GM does it: the GM puts people anywhere, such as around the origin."""
    return find_action(system, name).who == "gm" and name not in (
        system.actions.start,
        system.actions.advance,
    )


def has_ties(system: System, step: Step, before: State, directions: Directions) -> bool:
    """Whether the rules choose among equals: a free spot (also for who arrives), a path around or out of one.

    Hexes have no quarter turns.
    """
    spots = [(combatant.at.x, combatant.at.y) for combatant in present(before) if not combatant.inside]
    places = [str(value) for value in step.command.values()]
    is_led_round = "to" in step.command and not is_open(before.scene)
    moves = [fact.event for fact in step.facts if isinstance(fact.event, Moved)]
    marks = [fact.event.key for fact in step.facts if isinstance(fact.event, Marked)]
    return (
        system.space.has_hexes(before)
        or is_led_round
        or len(set(spots)) < len(spots)
        or any(place.startswith(directions.chosen) for place in places)
        or any(move.how in directions.chosen_how or not is_straight(move.path) for move in moves)
        or any(key.startswith(directions.chosen_marks) for key in marks)
        or any(isinstance(fact.event, CombatantJoined) for fact in step.facts)
    )


def begin_crowded(system: System, chance: Chance) -> Log:
    """One of the demo fights with all close together, a room around them, and the first turn begun."""
    log, demo = Log(system), chance.choice(system.demo.make_all())
    for step in demo.setup:
        log.do(step.name, dict(step.command), chance, step.answers)
    side = system.space.cell_meters * chance.choice([1, 2])
    spots = chance.sample([(x, y) for x in range(-3, 4) for y in range(-3, 4)], len(log.state.combatants))
    for combatant, (x, y) in zip(present(log.state), spots, strict=False):
        if not combatant.inside:
            log.do("place", {"target": combatant.id, "x": x * side, "y": y * side}, chance)
    if chance.random() < 0.5:
        log.do("set_map", {"map": ROOM}, chance)
    log.do(system.actions.start, {}, chance)
    return log


def is_exact(turn: Turn, state: State) -> bool:
    """Whether a turn keeps all digits of a place: moved by whole meters, others differ in the last one."""
    places = [part for combatant in present(state) for part in (combatant.at.x, combatant.at.y)]
    return not (turn.right or turn.down) or all((8 * part).is_integer() for part in places)


def show(system: System, state: State, name: str, data: dict[str, Any]) -> list[Any]:
    """A form's view of an action: its sums, its area on the map, and who is inside."""
    action = find_action(system, name)
    try:
        command = read_command(action, data)
        sums = action.preview(state, command) if action.preview else None
        area = action.find_area(state, command) if action.find_area else None
        caught = sorted(action.find_caught(state, command)) if action.find_caught else None
    except Refused as refused:
        return [refused.code]
    shapes = [msgspec.to_builtins(shape) for shape in area or ()]
    for shape in shapes:
        if shape["kind"] in ("circle", "ring"):
            del shape["towards"]  # they name no direction
    return [msgspec.to_builtins(sums), shapes, caught]


def check_shown(
    system: System, state: State, turned: State, turn: Turn, directions: Directions, chance: Chance
) -> None:
    """The form of some action shows the same in the turned scene."""
    submission = pick_action(chance, system, state)
    if submission is None or system.space.has_hexes(state) or not is_exact(turn, state):
        return
    name, data = submission
    shown = show(system, state, name, data)
    again = show(system, turned, name, turn_data(turn, directions, data))
    assert not find_differences(turn_data(turn, directions, shown), again), (turn.name, name, data)


@every_game
@few_wild_fights
def test_a_turned_fight_gives_the_same_facts(system: System, seed: int, length: int) -> None:
    """Repeat each step in a scene with a random turn, so that every fight meets most turns.

    Each step is played twice, and some form is drawn twice before it.
    """
    chance, directions = random.Random(seed), find_directions(system)
    log = begin_crowded(system, chance)
    for _ in range(length):
        before, turn = log.state, chance.choice(TURNS)
        turned = turn_thing(turn, directions, before)
        check_shown(system, before, turned, turn, directions, chance)
        name, data = pick_submission(chance, system, before)
        try:
            log.do(name, data, chance)
        except Refused:
            continue
        step = log.steps[-1]
        if is_of_gm(system, name) or has_ties(system, step, before, directions) or not is_exact(turn, before):
            continue
        event(f"{turn.name}: {name}")
        differences = do_again(system, turned, step, turn, directions)
        assert not differences, (turn.name, name, data, differences[:5])
