"""Fights of every game with a combatant out of sight, and commands of every action a GM has."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from math import hypot
from typing import Any

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, answer_roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Field, read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System, system_of
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.space import Area, BattleMap, Point, Wall, Zone, map_of, plot, with_map
from combat.rules.core.state.state import State, replace
from tests.combat.rules.every_game.wild.wild import pick_value
from tests.combat.rules.every_game.wild.wild_gm import GM_WISHES

GHOST = "Xyloghost"
REASON = "Quuxreason"
FAR = Point(40.0, 40.0)
HIDDEN, AREA, FOG, WAITS = WAYS = ("hidden", "area", "fog", "waits")
OF_RESERVES = ("arrive", "change_arrival", "drop_reserve")
USUAL_ROLLS = 100  # of one command
TRIES, ENOUGH = 40, 3  # commands made up at most, and allowed ones wanted


class Threes:
    """Answers all questions in the same way, so that two worlds can be compared.

    A contest that ties is rolled again: after many rolls the faces go round, so that it ends.
    """

    def __init__(self) -> None:
        self._rolls = 0

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if isinstance(request, ChoiceRequest):
            return answer_choice(request, system_of(context).tactics.decide(request), "policy")
        self._rolls += 1
        dice = parse_dice(request.dice)
        face = 3 if self._rolls <= USUAL_ROLLS else 1 + self._rolls % dice.sides
        return answer_roll(request, (min(face, dice.sides),) * dice.count, "table")


def do(system: System, state: State, name: str, data: dict[str, Any]) -> Done:
    """Run a command; Refused where the rules forbid it."""
    action = find_action(system, name)
    done = run(system, state, action, read_command(action, data), Threes())
    assert isinstance(done, Done)
    return done


def make_world(system: System, way: str, started: bool, is_there: bool = True) -> tuple[State, str]:
    """The demo of a game with a vault that no one sees into, in its first turn or before the fight.

    With `is_there`, someone is in it, out of sight in this way. Also returns their id.
    """
    state = system.begin()
    for step in system.demo.make_first().setup:
        state = do(system, state, step.name, dict(step.command)).state
    state = replace(state, scene=_add_vault(system, state, way))
    ghost = f"f{state.made + 1}"
    block = next(iter(system.book.find_blocks()))
    join = {"block": block, "name": GHOST, "side": "lurkers", "zone": "vault", "hidden": way == HIDDEN}
    with_ghost = do(system, state, "join", join).state
    if way == WAITS:
        plan = {"targets": [ghost], "when": "round", "at_round": 99, "zone": "vault"}
        with_ghost = do(system, with_ghost, "hold_back", plan).state
    state = with_ghost if is_there else replace(state, made=with_ghost.made)
    return (do(system, state, system.actions.start, {}).state if started else state), ghost


def _add_vault(system: System, state: State, way: str) -> Any:
    """The scene with one more zone, far away; with an area or walls around it if these hide it."""
    scene = state.scene
    vault = Zone("vault", "Vault", FAR.x - 4, FAR.y - 4, 8, 8)
    scene = replace(scene, zones=(*scene.zones, vault))
    x, y = plot(FAR.x, FAR.y, system.space.has_hexes(state))
    drawn = map_of(scene)
    if way == AREA:
        drawn = replace(drawn, hidden=(*drawn.hidden, Area("dark", x - 20, y - 20, 40, 40, "Secret vault")))
    if way == FOG:
        corners = [(x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12), (x - 12, y - 12)]
        walls = (Wall(f"v{n}", *a, *b) for n, (a, b) in enumerate(pairwise(corners)))
        drawn = BattleMap((*drawn.walls, *walls), drawn.obstacles, fog=True, remembers=False)
    return with_map(scene, drawn)


def find_names(system: System) -> list[str]:
    """All that a GM may do in a game, except beginning a fight and ending a turn."""
    own = (action.name for action in system.actions.by_name.values() if action.who == "gm")
    return [
        *GM_ACTIONS,
        *(name for name in own if name not in (system.actions.start, system.actions.advance)),
    ]


def find_commands(
    system: System, state: State, ghost: str, name: str
) -> Iterator[tuple[dict[str, Any], Done]]:
    """Commands of this name that the rules allow now, aimed at the unseen wherever possible."""
    made, allowed = set[bytes](), 0
    fields = () if name in GM_ACTIONS else _find_fields(system.action(name), state, ghost)
    for seed in range(TRIES):
        data = _make_command(random.Random(seed), system, state, ghost, name, fields)
        if (key := msgspec.json.encode(data)) in made:
            continue
        made.add(key)
        try:
            done = do(system, state, name, data)
        except Refused:
            continue
        yield data, done
        allowed += 1
        if allowed >= ENOUGH:
            return


def is_about(ghost: str, name: str, data: dict[str, Any]) -> bool:
    """Whether a command concerns the unseen, or someone who joins them."""
    return name in ("join", *OF_RESERVES) or bool(re.search(rf"\b{ghost}\b", json.dumps(data)))


def is_gift(ghost: str, name: str, data: dict[str, Any]) -> bool:
    """Whether the GM hands out what the unseen has, to others."""
    return name == "hand_out" and data["to"] != ghost


def _make_command(
    chance: random.Random, system: System, state: State, ghost: str, name: str, fields: tuple[Field, ...]
) -> dict[str, Any]:
    """A command of this name; `fields` are those of an action of the game's own."""
    if name in GM_ACTIONS:
        alone = replace(state, combatants={ghost: state.combatants[ghost]}, order=(ghost,))
        data = {**GM_WISHES[name](chance, system, alone), "reason": REASON}
    else:
        filled = ((field.name, pick_value(chance, field)) for field in fields)
        data = {name: value for name, value in filled if value}
    if name == "join":
        hidden = state.combatants[ghost].hidden
        data |= {"zone": "vault", "hidden": hidden, "side": "lurkers", "name": GHOST}
    if name == "place":
        data = {"target": data["target"], "zone": "vault"}
    return data


def _find_fields(action: Action, state: State, ghost: str) -> tuple[Field, ...]:
    """The fields of an action's form, with the unseen wherever they may be chosen."""
    fields = []
    for field in action.find_fields(state, ""):
        own = tuple(option for option in field.options if is_about(ghost, "", {"": option.value}))
        fields.append(replace(field, options=own or field.options))
    return tuple(fields)


def make_ambush(system: System, way: str, is_there: bool = True) -> tuple[State, str]:
    """The first turn of a demo, with or without the unseen beside the acting one and amid each zone.

    They are hidden, or in small areas that the GM has not revealed. Also returns the id of the acting one.
    """
    state, ghost = make_world(system, HIDDEN, started=True)
    acting = replace(state[state.active], pc=True)
    middles = [zone.centre for zone in state.scene.zones if hypot(*_part(zone.centre, acting.at)) > 1]
    spots = [replace(acting.at, x=acting.at.x + 1.5), *middles]
    lurkers = [replace(state[ghost], id=f"f{state.made + n}", at=at) for n, at in enumerate(spots, 1)]
    if way == AREA:
        lurkers = [replace(lurker, hidden=False) for lurker in lurkers]
        plotted = [plot(at.x, at.y, system.space.has_hexes(state)) for at in spots]
        areas = tuple(Area(f"dark{n}", x - 0.7, y - 0.7, 1.4, 1.4) for n, (x, y) in enumerate(plotted))
        state = replace(state, scene=with_map(state.scene, replace(map_of(state.scene), hidden=areas)))
    people = {who: combatant for who, combatant in state.combatants.items() if who != ghost} | {
        acting.id: acting
    }
    people |= {lurker.id: lurker for lurker in lurkers if is_there}
    order = tuple(who for who in state.order if who in people)
    return replace(state, combatants=people, order=order, made=state.made + len(lurkers)), acting.id


def _part(one: Point, other: Point) -> tuple[float, float]:
    return one.x - other.x, one.y - other.y


def find_own_actions(system: System) -> list[Action]:
    """All that combatants may do in a game, except beginning a fight and ending a turn."""
    flow = (system.actions.start, system.actions.advance)
    return [a for a in system.actions.by_name.values() if a.who != "gm" and a.name not in flow]


def find_own_commands(system: System, state: State, who: str) -> Iterator[tuple[str, dict[str, Any], Done]]:
    """All that someone may do now as far as they know, each action a few times."""
    for action in find_own_actions(system):
        made, allowed = set[bytes](), 0
        fields = action.find_fields(state, who)
        for seed in range(TRIES // 4):
            chance = random.Random(seed)
            filled = ((f.name, pick_value(chance, f)) for f in fields)
            data = {"actor": who, **{name: value for name, value in filled if value}}
            if (key := msgspec.json.encode(data)) in made:
                continue
            made.add(key)
            try:
                done = do(system, state, action.name, data)
            except (Refused, msgspec.ValidationError):
                continue
            yield action.name, data, done
            allowed += 1
            if allowed >= ENOUGH:
                break
