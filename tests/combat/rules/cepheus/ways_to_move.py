"""Trials of what each way to move asks: every_game/test_moving.py compares them with `moving.toml`.

Each trial moves Ada twice, once plainly and once where its question matters, and compares what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from combat.rules import find_system
from combat.rules.cepheus.characters.goods import make_weapon
from combat.rules.cepheus.characters.machinery import find_limbs
from combat.rules.cepheus.world.motion import MOVED_M
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, answer_roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import sheet
from tests.combat.rules.cepheus.vehicles.garage import ROBOT, Garage
from tests.combat.rules.every_game import bounds
from tests.combat.rules.every_game.decks import HEIGHT, SHIFT, make_ship

KINDS = {"way": "stairs", "ladder": "ladder", "lift": "lift"}  # of ways to another deck
DRIVEN = ("drive", "coast", "ride")
GRAPPLED = ("push", "drag", "throw", "escape")
# Where Ada and Bo stand, on the upper deck but for ways up; the hole is at 37 to 40
PLACES = {"walk": (32.0, 30.0), "crawl": (36.0, 30.0), "push": (35.0, 34.0), "drag": (35.0, 36.0)}
PLACES |= {"throw": (35.0, 34.0), "escape": (32.0, 31.0), "lid": (38.5, 30.0), "placed": (30.0, 28.0)}
PLACES["alight"] = (42.0, 30.0)
PLACES |= {"scatter": (30.0, 28.0), **dict.fromkeys(DRIVEN, (30.0, 30.0)), **dict.fromkeys(KINDS, (4.0, 8.0))}
Y = 6.5


class Result(msgspec.Struct, frozen=True):
    """What came of a move: where it ended and what it took, or why it was refused."""

    refused: str = ""
    at: Point = Point()
    budget: tuple[tuple[str, int], ...] = ()
    health: tuple[tuple[str, int], ...] = ()
    rolls: int = 0
    asked: int = 0

    @property
    def is_below(self) -> bool:
        """Whether it ended on the lower deck."""
        return not self.refused and self.at.x < SHIFT - 1


class Easy:
    """Answers rolls with these faces, then with threes, and choices as wanted, else by their default."""

    def __init__(self, faces: tuple[Any, ...], wanted: Mapping[str, str]) -> None:
        self.faces, self.wanted, self.rolls = list(faces), wanted, 0
        self.asked: list[str] = []

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if isinstance(request, ChoiceRequest):
            self.asked.append(request.who)
            if request.split is not None:
                return answer_choice(request, request.default, "gm")
            value = self.wanted.get(request.rule, request.default)
            option = next((one for one in request.options if one.value == value), None)
            if option is None or option.refused:
                raise Refused("unknown" if option is None else "not_allowed", f"{value} is not to be had")
            return answer_choice(request, value, "gm")
        self.rolls += 1
        count = parse_dice(request.dice).count
        is_next = bool(self.faces) and len(self.faces[0]) == count
        faces = self.faces.pop(0) if is_next else (3,) * count
        return answer_roll(request, faces, "table")


class Yard(Garage):
    """Ada on the quarters' deck of a ship, about to be moved one way; Bo does it, Cy is an enemy nearby."""

    def __init__(self, game: str, way: str, robot: bool = False, hole: bool = False, *terrain: str) -> None:
        super().__init__(find_system(game), use_grapple=True, vehicle_damage="locations")
        self.way, self.goal = way, 37.5 if way == "crawl" else 38.0
        self.ada, self.bo = self.person("Ada", robot), self.person("Bo")
        self.cy = self.person("Cy", side="enemies")
        self.car = self.vehicle(metres=2, at=(0, 0))
        self.draw(hole, terrain)
        here, there = PLACES[way]
        self.put(self.ada, here, 9.5 if way == "scatter" else Y)
        self.put(self.bo, there, 9.5 if way in ("drive", "coast") else Y)
        self.put(self.cy, 30, Y if way == "scatter" else 11.5)
        self.put(self.car, 30 if way in DRIVEN else 42, Y if way in DRIVEN else 0.5)
        self.begin(self.ada, self.bo, self.cy)
        self.pose()

    def person(self, name: str, robot: bool = False, side: str = "allies") -> str:
        """Someone with Natural Weapons and Wheeled Vehicle."""
        skills = {"natural_weapons": 2, "wheeled_vehicle": 2}
        made: dict[str, Any] = {**ROBOT, "skills": skills} if robot else sheet(skills=skills)
        return self.add(name, side, (0, 0), made, pc=True)

    def put(self, who: str, x: float, y: float = Y) -> None:
        """Put someone on the ground there, over a shut lid too."""
        self.edit(who, at=on_ground(self.state.scene, Point(x, y)))

    def draw(self, hole: bool, terrain: tuple[str, ...]) -> None:
        """Draw the ship; its hole is shut unless it should be open."""
        pit = {"id": "pit", "kind": "hatch", "x1": 12, "y1": 11, "x2": 36, "y2": 11, "hole": [37, 5, 3, 3]}
        up = {"id": "up", "kind": KINDS.get(self.way, "ladder"), "x1": 4, "y1": Y, "x2": 4 + SHIFT, "y2": Y}
        is_open = hole and self.way != "lid"
        if terrain:
            kinds = [kind for kind in terrain if kind != "plain"]
            ahead = 33 if self.way in DRIVEN else 23  # an obstacle in which a vehicle stands is none
            zones = [("low", -1, 22, 0), ("high", ahead, 45 - ahead, HEIGHT)]
            self.do("set_scene", scene={"zones": [
                {"id": name, "name": name, "x": x, "y": -1, "width": width, "depth": 14, "height": height,
                 "terrain": kinds} for name, x, width, height in zones
            ]})  # fmt: skip
        self.do("set_map", map=make_ship(up, {**pit, "open": is_open}))

    def pose(self) -> None:
        """Hold, seat or lay down those whom the way to move wants so."""
        if self.way in GRAPPLED:
            self.hold(self.ada, self.bo)
        if self.way in DRIVEN:
            self.seat(self.driver, self.car, "driver")
            self.moving(self.car, 6 if self.way == "coast" else 30, facing=90)
        if self.way in ("ride", "alight"):
            self.seat(self.ada, self.car)
        if self.way == "crawl":
            self.give(self.ada, "prone")
        if self.way == "scatter":
            self.edit(self.bo, items=(replace(make_weapon("dagger"), id="w", place="held"),))
        self.turn(self.ada if self.way in ("drive", "coast") else self.actor)

    @property
    def driver(self) -> str:
        """Who drives: Ada, but for a ride."""
        return self.bo if self.way == "ride" else self.ada

    @property
    def actor(self) -> str:
        """Who acts: Ada, or Bo if he moves her."""
        return self.bo if self.way in ("push", "throw", "scatter", "ride") else self.ada

    def hold(self, one: str, other: str) -> None:
        """Let two grapple each other."""
        self.give(one, "grappled", by=other)
        self.give(other, "grappled", by=one)

    def go(self) -> Result:
        """Move Ada, and say what came of it: in an escape as far as is offered."""
        for far in ("east-6", "east-3", "east-1.5", "stay") if self.way == "escape" else ("east-3",):
            found = self.try_out(far)
            if found.refused != "unknown":
                return found
        raise AssertionError("nothing is offered")

    def try_out(self, far: str) -> Result:
        """The result of one way to answer the questions of the move."""
        chosen = "drag" if self.way == "push" else self.way
        wanted = {**dict.fromkeys(("CE-GRAP-07", "CE-GRAP-08", "CE-GRAP-11"), far), "CE-GRAP-04": chosen}
        faces = ((6, 6), (1, 1)) if self.way in GRAPPLED else ((4, 5), (1,)) if self.way == "scatter" else ()
        name, data = self.find_command()
        driver, action = Easy(faces, wanted), find_action(self.system, name)
        try:
            done = run(self.system, self.state, action, read_command(action, data), driver)
        except Refused as refused:
            return Result(refused.code)
        assert isinstance(done, Done)
        after = done.state
        moved = after[self.car if self.way in ("drive", "coast") else self.ada]
        at = after.ground[0].at if self.way == "scatter" and after.ground else moved.at
        budget = () if self.way == "coast" else tuple(sorted(after[self.ada].budget.items()))
        health = tuple(sorted(after[self.ada].tracks.items()))
        return Result("", at or Point(), budget, health, driver.rolls, driver.asked.count(self.cy))

    def find_command(self) -> tuple[str, dict[str, Any]]:
        """The command that moves Ada."""
        ada, bo = self.ada, self.bo
        drive = ("drive", {"actor": self.driver, "to": f"38,{Y}"})
        commands: dict[str, tuple[str, dict[str, Any]]] = {
            **dict.fromkeys(("walk", "crawl"), ("move", {"actor": ada, "to": f"{self.goal:g},{Y}"})),
            **dict.fromkeys(KINDS, ("way", {"actor": ada, "way": "up"})),
            **dict.fromkeys(("drive", "ride"), drive),
            "coast": ("next_turn", {}),
            "alight": ("seat", {"target": ada, "vehicle": ""}),
            **dict.fromkeys(("push", "throw"), ("grapple", {"actor": bo, "target": ada})),
            **dict.fromkeys(("drag", "escape"), ("grapple", {"actor": ada, "target": bo})),
            "scatter": ("attack", {"actor": bo, "target": self.cy, "weapon": "w", "mode": "thrown"}),
            "lid": ("set_door", {"door": "pit", "open": True}),
            "placed": ("place", {"target": ada, "x": 38, "y": Y}),
        }
        return commands[self.way]


# ---------------------------------------------------------------- trials


def is_stopped(yards: tuple[Yard, Yard]) -> bool:
    """Whether Ada ends elsewhere in the first of two yards, or only there is refused."""
    result, plain = (yard.go() for yard in yards)
    return (result.refused, result.at) != (plain.refused, plain.at)


def ask_stance(game: str, way: str) -> bool:
    if way == "crawl":  # it is what walking is to the prone
        yard = Yard(game, way)
        yard.goal += 1.5
        return bool(yard.go().refused)
    low, plain = Yard(game, way), Yard(game, way)
    low.give(low.ada, "crouched" if way == "walk" else "prone")
    return low.go() != plain.go()


def ask_wounds(game: str, way: str) -> bool:
    hurt, plain = yards = Yard(game, way), Yard(game, way)
    for yard in yards if way == "crawl" else ():  # the 1.5 m of the round are done
        yard.edit(yard.ada, marks={MOVED_M: "1.50"})
    hurt.wounded(hurt.ada, 6, 6, 6)
    hurt.edit(hurt.ada, budget={**hurt[hurt.ada].budget, "minor": 0})
    return hurt.go().budget != plain.go().budget if way == "drive" else is_stopped(yards)


def ask_arms(game: str, way: str) -> bool:
    broken, whole = Yard(game, way, robot=True), Yard(game, way, robot=True)
    for limb in find_limbs(broken[broken.ada]):
        broken.hurt(broken.ada, "limb", 2, limb)
    return is_stopped((broken, whole))


def ask_holders(game: str, way: str) -> bool:
    held, free = Yard(game, way), Yard(game, way)
    holder = held.person("Eve", side="enemies")
    held.edit(holder, at=held[held.ada].at)
    held.hold(held.ada, holder)
    return is_stopped((held, free))


def ask_fear(game: str, way: str) -> bool:
    """Suppressing fire is what this game has for fear."""
    afraid, calm = Yard(game, way), Yard(game, way)
    for kind in ("suppressed", "ducking"):
        afraid.give(afraid.ada, kind)
    return is_stopped((afraid, calm))


def ask_watchers(game: str, way: str) -> bool:
    watched, alone = Yard(game, way), Yard(game, way)
    watched.give(watched.cy, "delaying")
    return watched.go().asked > alone.go().asked


def ask_hazards(game: str, way: str) -> bool:
    hot, cold = Yard(game, way, False, False, "chemical", "hot"), Yard(game, way, False, False, "plain")
    return hot.go() != cold.go()


def ask_terrain(game: str, way: str) -> bool:
    rough, plain = yards = (
        Yard(game, way, False, False, "difficult", "obstacles"),
        Yard(game, way, False, False, "plain"),
    )
    for yard in yards if way in KINDS else ():
        yard.give(yard.ada, "crouched")  # 3 m up are one action, 6 m two
    result, usual = rough.go(), plain.go()
    return (result.refused, result.at, result.budget) != (usual.refused, usual.at, usual.budget)


def ask_edges(game: str, way: str) -> bool:
    result = Yard(game, way, hole=True).go()
    return not result.is_below and result != Yard(game, way).go()


def ask_falls(game: str, way: str) -> bool:
    return Yard(game, way, hole=True).go().is_below


def ask_landing(game: str, way: str) -> bool:
    plain, yard = Yard(game, way).go(), Yard(game, way)
    yard.edit(yard.person("Dee", side="enemies"), at=plain.at)
    result = yard.go()
    return (result.refused, result.at, result.rolls) != (plain.refused, plain.at, plain.rolls)


ASKED: dict[str, Callable[[str, str], bool]] = {
    "stance": ask_stance,
    "wounds": ask_wounds,
    "arms": ask_arms,
    "holders": ask_holders,
    "fear": ask_fear,
    "watchers": ask_watchers,
    "hazards": ask_hazards,
    "terrain": ask_terrain,
    "edges": ask_edges,
    "falls": ask_falls,
    "landing": ask_landing,
}


def make_trials(game: str) -> dict[str, Callable[[str], bool]]:
    """The trials of the full or the quick rules."""
    trials = {ask: partial(trial, game) for ask, trial in ASKED.items()}
    return {**trials, **bounds.make_trials(partial(Yard, game, "walk"))}


TRIALS = make_trials("cepheus")
