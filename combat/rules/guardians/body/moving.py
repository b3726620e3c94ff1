"""The one door for every change of place in this game.  RULING R48 R50"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.ways import find_rest
from combat.rules.core.map.bodies import is_taken
from combat.rules.core.map.moving import Course, Mover, WayToMove, load_ways, shift
from combat.rules.core.space import Point, map_of, on_ground, plan_distance
from combat.rules.core.space.decks import fall_in
from combat.rules.core.space.paths import is_open
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, replace

from ..book.options import find_option
from ..world.reach import SLACK, check_arm, find_grid
from ..world.strides import is_crawling, stride_yards

STEP, BESIDE = 0.5, 6  # yards, and such steps around a place that is taken, where a free one is looked for
BETWEEN_DECKS = ("way", "ladder", "lift")


def check_stance(state: State, course: Course) -> None:
    """Refuse the prone, and those without a sound leg, to climb, to jump, and stairs that are longer than a
    crawl. [CG-PRONE-01]  RULING R22 R48

    On other ways they crawl: `stride_yards` has the yard of it. A lift carries anybody.
    """
    combatant = state[course.who]
    if not is_crawling(combatant):
        return
    if course.way in ("ladder", "jump"):
        what = "climb" if course.way == "ladder" else "jump"
        raise Refused("not_allowed", f"{combatant.name} can only crawl: stand up to {what}.")
    crawl = stride_yards(state, combatant)
    if course.way == "way" and course.cost > crawl + SLACK:
        text = f"{combatant.name} can only crawl, {crawl:g} yd: stand up, or take a lift."
        raise Refused("not_allowed", text)


def check_arms(state: State, course: Course) -> None:
    """Refuse to climb without a usable arm, unless the table lets people. [CG-LIMB-02]  RULING R48"""
    if find_option(state, "ladders_take_arms"):
        check_arm(state[course.who])


def check_edges(state: State, course: Course) -> None:
    """Refuse to walk into an open hole: that takes a jump.  RULING R48"""
    ways = map_of(state.scene).ways
    for a, b in pairwise(course.path):
        if a.shift == b.shift and fall_in(ways, (a.x, a.y), (b.x, b.y)):
            raise Refused("out_of_range", "An open hole is there: go round it, or jump down.")


def arrive(context: RuleContext, course: Course, way: WayToMove) -> None:
    """Tell the GM of a fall, whose damage is theirs to give.  RULING R48"""
    yards = round(course.path[0].z - context.state[course.who].at.z, 1)
    if "falls" in way.asks and yards > 0:
        context.emit(e.Said("log.falls", course.who, args={"yards": yards}), "CG-REF-11", e.GM_ONLY)


def travel(context: RuleContext, course: Course, way: WayToMove) -> None:
    """Go to the end of a path; where someone stands there, to a free place beside them.  RULING R50"""
    goal = on_ground(context.state.scene, course.goal)
    if "landing" in way.asks:
        goal = find_clear(context.state, context.state[course.who], goal, way)
    shift(context, replace(course, path=(*course.path[:-1], goal)))


def find_clear(state: State, combatant: Combatant, goal: Point, way: WayToMove) -> Point:
    """A place, or the nearest one to which a step leads where nobody stands; the place if there is none.

    Those whom fog hides give no way to who goes there by their own will.
    """
    battle_map, grid = map_of(state.scene), find_grid(state)
    if way.id in BETWEEN_DECKS:
        return find_rest(state, combatant, goal, grid)
    if not is_taken(state, combatant, goal, grid, known=way.willing):
        return goal
    steps = [n * STEP for n in range(-BESIDE, BESIDE + 1)]
    around = (on_ground(state.scene, Point(goal.x + x, goal.y + y)) for x in steps for y in steps)
    level = [at for at in around if (at.z, at.shift) == (goal.z, goal.shift)]
    near = sorted(level, key=lambda at: (plan_distance(goal, at), plan_distance(combatant.at, at)))
    free = (at for at in near if not is_taken(state, combatant, at, grid, known=way.willing))
    found = next((at for at in free if is_open(battle_map, grid, goal, b=at)), None)
    return found or find_rest(state, combatant, goal, grid)


MOVER = Mover(
    ways=load_ways(Path(__file__).parents[1]),
    checks={"stance": check_stance, "arms": check_arms, "edges": check_edges},
    travel=travel,
    arrive=arrive,
    find_grid=find_grid,
)
