"""Fights on random maps that the app plays alone: each is won, or the GM is told why it ends.

The seed is that of the day unless it is named. A map has rooms with doors, windows and fences, things in the
way, zones or none, or decks with ways between them, with or without walls; people of the library stand
anywhere on it, some with empty or carried weapons, some lying down. It prints each fight without an end.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from combat.play.autopilot import Lull, play_one
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done
from combat.rules.core.odds.forecast import play_step
from combat.rules.core.sides import find_verdict
from combat.rules.core.state.state import Condition, State, replace
from tests.combat.rules.every_game.autoplay import ALLIES, ENEMIES, find_people
from tests.combat.rules.stage import Stage

LONG = 400  # rounds: more have no end
MAPS = 300
ROOM = 6  # meters across
LEAST_GAP = 1  # meters between people at first
Item = dict[str, Any]


# ---- A map by its seed ----


def draw_rooms(chance: random.Random, left: int, top: int, columns: int, rows: int) -> Iterator[Item]:
    """The walls of rooms: most have a gap or a door to the next one, some doors are shut or locked."""
    for column in range(columns + 1):
        for row in range(rows + 1):
            x, y = left + ROOM * column, top + ROOM * row
            edge = column in (0, columns), row in (0, rows)
            if row < rows:
                yield from _draw_side(chance, (x, y, x, y + ROOM), edge[0])
            if column < columns:
                yield from _draw_side(chance, (x, y, x + ROOM, y), edge[1])


def _draw_side(chance: random.Random, ends: tuple[int, int, int, int], is_outer: bool) -> Iterator[Item]:
    """One side of a room: whole, or with something in its middle."""
    x1, y1, x2, y2 = ends
    kind = chance.choice(("wall", "wall", "none") if is_outer else SIDES)
    if kind == "none":
        return
    if kind in ("wall", "window", "fence"):
        yield {"kind": kind, "x1": x1, "y1": y1, "x2": x2, "y2": y2}
        return
    across, along = (x2 - x1) // ROOM, (y2 - y1) // ROOM
    a = chance.randint(1, ROOM - 3)
    b = a + chance.randint(1, 2)
    yield {"kind": "wall", "x1": x1, "y1": y1, "x2": x1 + a * across, "y2": y1 + a * along}
    yield {"kind": "wall", "x1": x1 + b * across, "y1": y1 + b * along, "x2": x2, "y2": y2}
    if kind != "gap":
        door = {"x1": x1 + a * across, "y1": y1 + a * along, "x2": x1 + b * across, "y2": y1 + b * along}
        yield {"kind": "door", **door, "open": kind == "open", "locked": kind == "locked"}


SIDES = ("wall", "wall", "none", "none", "gap", "gap", "shut", "shut", "open", "locked", "window", "fence")
WAYS = ("ladder", "stairs", "lift", "shaft", "hatch")


def draw_things(chance: random.Random, left: int, top: int, width: int, depth: int) -> list[Item]:
    """Crates and the like."""
    return [
        {
            "x": left + chance.randint(0, width - 3),
            "y": top + chance.randint(0, depth - 3),
            "width": chance.randint(1, 2),
            "depth": chance.randint(1, 2),
            "name": "Crate",
            "height": chance.choice((1.0, 2.5)),
            "blocks_sight": chance.random() < 0.4,
        }
        for _ in range(chance.randint(0, 5))
    ]


@dataclass(frozen=True)
class Ground:
    """A scene: its zones, its map, and the rectangles on which people stand."""

    zones: list[Item]
    drawn: Item
    floors: tuple[tuple[int, int, int, int], ...]


def draw_ground(seed: int) -> Ground:
    """A random scene."""
    chance = random.Random(seed)
    return chance.choice((_draw_house, _draw_house, _draw_yard, _draw_zones, _draw_ship, _draw_ship))(chance)


def _name(items: list[Item], letter: str) -> list[Item]:
    return [{"id": f"{letter}{number}", **one} for number, one in enumerate(items)]


def _draw_house(chance: random.Random) -> Ground:
    columns, rows = chance.randint(2, 4), chance.randint(1, 3)
    walls = _name(list(draw_rooms(chance, 0, 0, columns, rows)), "w")
    width, depth = ROOM * columns, ROOM * rows
    things = _name(draw_things(chance, 0, 0, width, depth), "o")
    zones = [{"id": "z", "name": "House", "x": 0, "y": 0, "width": width, "depth": depth}]
    return Ground(
        zones if chance.random() < 0.5 else [],
        {"walls": walls, "obstacles": things},
        ((0, 0, width, depth),),
    )


def _draw_yard(chance: random.Random) -> Ground:
    """Things alone, or nothing."""
    things = _name(draw_things(chance, 2, 2, 24, 16), "o")
    return Ground([], {"obstacles": things}, ((0, 0, 28, 20),))


STRIP = {"y": 0, "depth": 12}


def _draw_zones(chance: random.Random) -> Ground:
    """Zones side by side, some with a gap between them, with walls here and there."""
    zones, floors, x = list[Item](), list[tuple[int, int, int, int]](), 0
    for number in range(chance.randint(2, 4)):
        width = chance.randint(6, 12)
        zones.append(
            {"id": f"z{number}", "name": f"Room {number}", "x": x, "y": 0, "width": width, "depth": 12}
        )
        floors.append((x, 0, width, 12))
        x += width + chance.choice((0, 0, 3))
    walls = _name(list(draw_rooms(chance, 0, 0, 2, 2)) if chance.random() < 0.5 else [], "w")
    return Ground(zones, {"walls": walls}, tuple(floors))


def _draw_ship(chance: random.Random) -> Ground:
    """Two or three decks with ways between them, with walls or without, with zones or without."""
    decks, ways, walls, things = list[Item](), list[Item](), list[Item](), list[Item]()
    columns, rows = chance.randint(2, 3), chance.randint(1, 2)
    width, depth, has_walls = ROOM * columns, ROOM * rows, chance.random() < 0.6
    for number in range(chance.randint(2, 3)):
        left = number * (width + 4)
        deck = {
            "id": f"d{number}",
            "name": f"Deck {number}",
            "x": left,
            "y": 0,
            "width": width,
            "depth": depth,
        }
        decks.append(deck | ({"height": 3 * number, "shift": left} if number else {}))
        walls += draw_rooms(chance, left, 0, columns, rows) if has_walls else []
        things += draw_things(chance, left, 0, width, depth)
        for _ in range(chance.randint(1, 2) if number else 0):
            kind, x, y = chance.choice(WAYS), chance.randint(1, width - 2), chance.randint(1, depth - 2)
            way = {"kind": kind, "x1": x + left - width - 4, "y1": y, "x2": x + left, "y2": y}
            is_shut = kind in ("lift", "shaft", "hatch") and chance.random() < 0.5
            ways.append({**way, "open": not is_shut, "locked": is_shut and chance.random() < 0.2})
    drawn = {
        "decks": decks,
        "ways": _name(ways, "y"),
        "walls": _name(walls, "w"),
        "obstacles": _name(things, "o"),
    }
    zones = [{key: deck[key] for key in ("x", "y", "width", "depth")} for deck in decks]
    named = [{"id": f"z{n}", "name": f"Zone {n}", **zone, "height": 3 * n} for n, zone in enumerate(zones)]
    floors = tuple((deck["x"], 0, width, depth) for deck in decks)
    return Ground(named if chance.random() < 0.5 else [], drawn, floors)


# ---- A fight on it ----


def set_up(system: System, seed: int) -> State:
    """Two sides of one to three people of the library, anywhere on a random map, before the fight."""
    chance, stage, ground = random.Random(seed), Stage(system), draw_ground(seed)
    stage.stays = False
    settings = dict(system.space.zones.drawn_settings)
    stage.do("set_scene", scene={"zones": ground.zones, "settings": settings})
    stage.do("set_map", map=ground.drawn)
    for side in (ALLIES, ENEMIES):
        for _ in range(chance.randint(1, 3)):
            stage.do("join", block=chance.choice(find_people(system)), side=side)
    for who in stage.state.combatants:
        _put_somewhere(stage, who, ground, chance)
    return hinder(stage.state, chance)


def _put_somewhere(stage: Stage, who: str, ground: Ground, chance: random.Random) -> None:
    """Put someone where nobody is and nothing stands, on any floor; anywhere if none is found soon."""
    for _ in range(40):
        x, y, width, depth = chance.choice(ground.floors)
        at = x + chance.randint(0, width - 1) + 0.5, y + chance.randint(0, depth - 1) + 0.5
        others = [one.at for one in stage.state.combatants.values() if one.id != who]
        if all(abs(one.x - at[0]) >= LEAST_GAP or abs(one.y - at[1]) >= LEAST_GAP for one in others):
            try:
                stage.do("place", target=who, x=at[0], y=at[1])
            except Refused:
                continue
            return


def hinder(state: State, chance: random.Random) -> State:
    """Some weapons are empty or put away, and some people lie down."""
    people = {}
    for who, one in state.combatants.items():
        items = tuple(
            replace(item, loaded=0)
            if item.loaded and chance.random() < 0.15
            else replace(item, place="carried")
            if item.place == "held" and item.kind == "weapon" and chance.random() < 0.2
            else item
            for item in one.items
        )
        low = (Condition(f"{who}-low", "prone", who),) if chance.random() < 0.1 else ()
        people[who] = replace(one, items=items, conditions=(*one.conditions, *low))
    return replace(state, combatants=people)


@dataclass(frozen=True)
class Result:
    """How a fight ended: "won", "told" or "endless", in which round, and what its last steps were."""

    how: str
    rounds: int
    last: tuple[str, ...] = ()


def play(system: System, seed: int, rounds: int = LONG) -> Result:
    """Play the fight of a seed as auto-play does for everybody, until it is decided or the GM is told."""
    auto = AutoDriver(random.Random(seed), tells=False)
    state = play_step(system, set_up(system, seed), system.actions.start, command=None, auto=auto).state
    last, taken, lull = list[str](), 0, Lull()
    while state.round <= rounds:
        if state.phase != "fight" or find_verdict(system, state):
            return Result("won", state.round)
        if state.active not in state.combatants or lull.is_quiet(state) or lull.find_end(state):
            return Result("told", state.round, tuple(last))
        name, done = play_one(system, state, taken, partial(_do, system, state, auto))
        state, last = done.state, [*last[-11:], name]
        is_over = name == system.actions.advance
        lull = lull.after(state, done.facts, is_idle=is_over and not taken, ended=is_over)
        taken = 0 if is_over else taken + 1
    return Result("endless", state.round, tuple(last))


def _do(system: System, state: State, auto: AutoDriver, name: str, command: Command) -> tuple[str, Done]:
    return name, play_step(system, state, name, command, auto)


def find_seed(day: date) -> int:
    """The first seed of a day."""
    return day.toordinal() * 1000


def tell(words: str) -> None:
    """Say it at once: a long run is read while it goes on."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Play the maps of some games or of all; 1 if a fight had no end."""
    reader = argparse.ArgumentParser(description="Auto-play on random maps.")
    reader.add_argument("games", nargs="*", default=list(SYSTEMS))
    reader.add_argument("--maps", type=int, default=MAPS)
    reader.add_argument("--seed", type=int, default=find_seed(datetime.now(tz=UTC).date()))
    asked, wrong = reader.parse_args(arguments), 0
    for slug in asked.games:
        system, ends, rounds = find_system(slug), Counter[str](), 0
        for seed in range(asked.seed, asked.seed + asked.maps):
            found = play(system, seed)
            ends[found.how] += 1
            rounds = max(rounds, found.rounds if found.how != "endless" else 0)
            if found.how == "endless":
                wrong += 1
                tell(f"{slug} --seed {seed} --maps 1: {', '.join(found.last)}")
        tell(f"{slug}: seeds from {asked.seed}: {dict(ends)}; the longest has {rounds} rounds")
    return 1 if wrong else 0
