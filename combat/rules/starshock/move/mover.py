"""The one door for every change of place in this game: what each way to move asks, by `moving.toml`."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.ways import find_rest
from combat.rules.core.map.bodies import check_room, find_unseen, is_taken
from combat.rules.core.map.moving import Course, Mover, WayToMove, load_ways, shift
from combat.rules.core.space import Point, find_zone, map_of, on_ground, over_ground
from combat.rules.core.state.state import Combatant, State, replace

from ..book.options import find_option
from ..characters.conditions import KINDS, is_down
from ..hazards import count_fall_dice, drop_down, find_deepest
from ..world.paths import count_fall, find_cells, find_grounds, has_edges, is_edge, measure_drop
from ..world.place import has_hexes, is_map
from ..world.sight_lines import find_grid

JUMP = "jump"
BETWEEN_DECKS = ("way", "ladder", "lift")


def name_walk(combatant: Combatant, jumps: bool = False) -> str:
    """The way to move of someone who walks, crawls or jumps."""
    return JUMP if jumps else "crawl" if is_down(combatant) else "walk"


def check_crossing(state: State, combatant: Combatant) -> None:
    """RULING R21: The prone may crawl inside the zone, but not leave it."""
    if find_option(state, "prone_crawl") != "normal":
        KINDS.check(combatant, "crossing")


def _check_stance(state: State, course: Course) -> None:
    """Refuse the prone to leave their zone or their deck, or to jump; perhaps also to crawl.  RULING R21"""
    combatant = state[course.who]
    if course.way == "lift":  # it carries anybody
        return
    if course.way in BETWEEN_DECKS or (is_down(combatant) and _crosses(state, course)):
        check_crossing(state, combatant)
    elif course.way == JUMP and is_down(combatant) and find_option(state, "prone_crawl") != "normal":
        raise Refused("not_allowed", f"{combatant.name} is prone: stand up to jump.")
    elif is_map(state) and find_option(state, "prone_crawl") == "none":
        KINDS.check(combatant, "walking")


def _crosses(state: State, course: Course) -> bool:
    """Whether a course leads to another zone, where zones are played."""
    here, there = (find_zone(state.scene, at) for at in (course.path[0], course.goal))
    return here != there and not is_map(state)


def _check_edges(state: State, course: Course) -> None:
    """Refuse a step into a hole, or down more than what does no harm. [SS-FALL-04]  RULING R45"""
    for here, there in pairwise(find_grounds(state, course.path)) if has_edges(state) else ():
        if here.shift != there.shift:
            raise Refused("out_of_range", "An open hole is there: go round it, or jump down.")
        if is_edge(state, here, there):
            deep = f"{measure_drop(here.z, there.z):g}"
            raise Refused("out_of_range", f"The ground falls {deep} m there: go round, or jump down.")


def _check_fall(state: State, course: Course) -> None:
    """Refuse a jump deeper than one roll can count.  RULING R31"""
    if course.way == JUMP:
        count_fall_dice(state, count_fall(state, course.path), deliberate=True)


def _check_landing(state: State, course: Course) -> None:
    """Refuse a walk to where a large body would overlap another."""
    if is_map(state) and course.way in (JUMP, "walk", "crawl"):
        check_room(state, state[course.who], course.goal, hexes=has_hexes(state))


def _travel(context: RuleContext, course: Course, way: WayToMove) -> None:
    """Go to the end of a path; where someone stands there, to a free place beside them.  RULING R51"""
    state = context.state
    goal = on_ground(state.scene, course.goal) if is_map(state) and not way.willing else course.goal
    if "landing" in way.asks:
        goal = _find_free(state, state[course.who], goal, way)
    shift(context, replace(course, path=(*course.path[:-1], goal)))


def _find_free(state: State, combatant: Combatant, goal: Point, way: WayToMove) -> Point:
    """A place, or the nearest free one if someone stands there; in zones one of the same zone.

    Those whom fog hides give no way to who goes there by their own will.
    """
    grid, comes_out = find_grid(state), way.id in BETWEEN_DECKS
    known = way.willing and not comes_out
    if not comes_out and not is_taken(state, combatant, goal, grid, known):
        return goal
    unseen = find_unseen(state, combatant) if known else ()
    if is_map(state):
        return find_rest(state, combatant, goal, grid, unseen)
    zone = find_zone(state.scene, goal)
    found = find_rest(state, combatant, goal, grid, unseen, lambda at: find_zone(state.scene, at) == zone)
    return found if find_zone(state.scene, found) == zone else goal


def _has_floors(state: State) -> bool:
    """Whether heights count for the pushed: between zones without decks only links do.  RULING R45"""
    return is_map(state) or bool(map_of(state.scene).decks)


def _arrive(context: RuleContext, course: Course, way: WayToMove) -> None:
    """Fall down an edge or to another deck: a jump on purpose, all else not. [SS-FALL-01] [SS-FALL-04]

    RULING R46 R50
    """
    if "falls" not in way.asks or (course.way == "push" and not _has_floors(context.state)):
        return
    jumps, meters = course.way == JUMP, count_fall(context.state, course.path)
    if meters:
        deep = meters if jumps else min(meters, find_deepest(context.state))
        follow(context, drop_down(context, course.who, deep, deliberate=jumps))


def _find_steps(state: State, start: Point, goal: Point) -> tuple[Point, ...]:
    """The cells of a straight way, from its start to its goal. [SS-MAP-04]"""
    between = (over_ground(state.scene, cell) for cell in find_cells(state, (start, goal))[1:-1])
    return (start, *between, goal)


MOVER = Mover(
    ways=load_ways(Path(__file__).parents[1]),
    checks={"stance": _check_stance, "edges": _check_edges, "falls": _check_fall, "landing": _check_landing},
    travel=_travel,
    arrive=_arrive,
    find_grid=lambda state: find_grid(state) if is_map(state) else None,
    find_steps=_find_steps,
)
