"""The mover: what each way to move asks before it begins, on the way and on arrival, by `moving.toml`."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.ways import find_rest
from combat.rules.core.map.bodies import check_room, find_other_at, find_unseen, is_taken
from combat.rules.core.map.moving import Course, Mover, WayToMove, load_ways, shift
from combat.rules.core.space import Point, distance, path_length
from combat.rules.core.state.state import Combatant, State, has_condition, replace
from combat.rules.core.turn.turns import add_condition

from ..characters.conditions import KINDS
from ..characters.sheet import find_speed, is_able
from ..environment import find_around, tags_at
from ..fight.overwatch import pass_watchers
from ..hazards.drift import find_hold, float_on, floats_on, steer
from ..hazards.falling import come_down
from ..hazards.ground import Journey, arrive_on, meet_hazards, split
from ..world.heights import check_heights, check_passages, part_at_decks, passage_length, rest_at, settle
from ..world.scene import find_held
from ..world.sight_lines import find_grid, is_within
from .cost import ROUGH, Pace, is_difficult, movement_cost

BARS = {"sprint": "sprint", "charge": "charge", "climb": "climb", "ladder": "climb"}
BETWEEN_DECKS = ("way", "ladder", "lift")
FLUNG = ("throw", "drift")  # those that meet the ground all along their path
JUMP = "jump"
CRAWLS = 2  # times Speed: a Full Move of the prone
STEP_BACK_M = 0.5  # how far a path is cut back at a time, to end beside someone


class Steps(Course, frozen=True, kw_only=True):
    """A course of one's own: the low obstacles on it, whether with care, and the pace of a Move Action."""

    low: int = 0
    careful: bool = False
    pace: Pace = find_speed


# ---------------------------------------------------------------- before


def check_free(state: State, combatant: Combatant) -> None:
    """Refuse to move a held combatant, or one adrift. [COS-COND-22] [COS-ZG-05]"""
    check_unheld(state, combatant)
    adrift = find_hold(state, combatant)
    if adrift:
        raise Refused("not_allowed", adrift)


def check_unheld(state: State, combatant: Combatant) -> None:
    """Refuse to leave a hold. [COS-COND-22]  RULING R32: nor does the holder leave."""
    KINDS.check(combatant, "move")
    held = find_held(state, combatant.id)
    if held:
        names = ", ".join(other.name for other in held)
        raise Refused("not_allowed", f"{combatant.name} holds {names}: let go first, that is free.")


def _check_stance(state: State, course: Course) -> None:
    """Refuse to climb, charge or sprint while prone, and stairs longer than the crawl of a turn.

    [COS-COND-28] [COS-COND-29]  RULING R60
    """
    combatant, bar = state[course.who], BARS.get(course.way)
    if bar:
        KINDS.check(combatant, bar)
    if course.way == "way" and has_condition(combatant, "prone"):
        most = CRAWLS * find_speed(state, combatant)
        if course.cost > most + 0.01:
            text = f"{combatant.name} crawls {most} m a turn: stand up, or take a lift."
            raise Refused("out_of_range", text)


def _check_fear(state: State, course: Course) -> None:
    """Refuse a frightened combatant any move but away from what it fears. [COS-COND-19] [COS-COND-20]"""
    combatant, start, goal = state[course.who], course.path[0], course.goal
    if path_length(course.path) < 0.01:
        return
    for fear, row in KINDS.find_active(combatant):
        source = state.combatants.get(fear.by) if "approach" in row.loses else None
        if source is None or source.gone:
            continue
        if distance(goal, source.at) < distance(start, source.at) + 0.01:
            text = f"Frightened: a move has to lead away from {source.name}."
            raise Refused("not_allowed", text)


def _check_edges(state: State, course: Course) -> None:
    """Refuse to walk up a wall, or over an edge or through a hole too deep to step down.  RULING R49 R60"""
    if isinstance(course, Steps) and course.way != "climb":
        combatant, parts = state[course.who], part_at_decks(state.scene, course.path)
        check_passages(state, combatant, parts)
        for part in parts:
            check_heights(state, combatant, part)


def _check_landing(state: State, course: Course) -> None:
    """Refuse those who choose their way to end where someone else stands.  RULING R61"""
    if not isinstance(course, Steps):
        return
    combatant = state[course.who]
    if course.way in BETWEEN_DECKS:  # it has room at its end, or `check_trip` refuses it
        return
    check_room(state, combatant, course.goal)
    other = find_other_at(state, combatant, course.goal)
    if other and course.path[0] != course.goal:
        raise Refused("not_allowed", f"{other.name} is there: choose a place beside them.")


# ---------------------------------------------------------------- on the way


def end_alone(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A path on one deck up to the last place on it where nobody else stands; else the whole path."""
    left, cut, end = path_length(path), path, path[-1]
    while find_other_at(state, combatant, end):
        left -= STEP_BACK_M
        if left <= 0 or len(part_at_decks(state.scene, path)) > 1:
            return path
        cut = split(path, left)[0]
        end = settle(state.scene, cut[-1])
    return path if cut is path else (*cut[:-1], end)


def _find_rest(state: State, who: str, at: Point, way: WayToMove) -> Point:
    """Where someone who did not choose it comes to rest: there, or beside who stands there.  RULING R61

    Those whom fog hides give no way to who goes by their own will.
    """
    combatant, grid = state[who], find_grid(state)
    bound = _find_bound(state, combatant, at) if way.id == "lid" else []

    def is_held(spot: Point) -> bool:
        return all(is_within(state, replace(combatant, at=spot), other) for other in bound)

    if not is_taken(state, combatant, at, grid, known=way.willing) and is_held(at):
        return at
    unseen = find_unseen(state, combatant) if way.willing else ()
    return find_rest(state, combatant, at, grid, unseen, is_held)


def _find_bound(state: State, combatant: Combatant, at: Point) -> list[Combatant]:
    """Those who hold someone or whom they hold, on the deck where they land.  RULING R32"""
    holders = {held.by for held in combatant.conditions if held.kind == "grappled"}
    found = [*(state[who] for who in holders if who in state.combatants), *find_held(state, combatant.id)]
    return [other for other in found if other.at.shift == at.shift]


def is_rough(state: State, who: str, path: tuple[Point, ...]) -> bool:
    """Whether a path costs Defense; in zero gravity every path does. [COS-TERR-04]  RULING R47."""
    return floats_on(state, state.combatants[who], path) or is_difficult(state.scene, path)


def note_move(context: RuleContext, who: str) -> None:
    """Record the move until the end of the turn: it rules out an aimed shot."""
    if not has_condition(context.state.combatants[who], "moved"):
        add_condition(context, who, "moved")


def travel(context: RuleContext, course: Course, way: WayToMove) -> None:
    """Move along a course: those who want to pass watchers and meet the ground, others just come along."""
    if way.willing and isinstance(course, Steps):
        _go(context, course, way)
        return
    path = (*course.path[:-1], *rest_at(context.state.scene, course.goal))
    if "landing" in way.asks:
        path = (*path[:-1], _find_rest(context.state, course.who, path[-1], way))
    shift(context, replace(course, path=path))


def _go(context: RuleContext, course: Steps, way: WayToMove) -> None:
    """Move deck by deck, as far as the mover gets. [COS-MANV-17] [COS-TERR-04]"""
    state, who = context.state, course.who
    parts = part_at_decks(state.scene, course.path)
    stepping = course
    if course.way in BETWEEN_DECKS:
        stepping = replace(course, how="how.moves", rule="COS-MOVE-02")
    for n, part in enumerate(parts):
        if n:
            length = passage_length(parts[n - 1][-1], part[0])
            if course.way in BETWEEN_DECKS:
                part = (find_rest(context.state, context.state[who], part[0], find_grid(state)),)
            _change_deck(context, state, course, parts[n - 1][-1], part[0], length)
        gone = _go_on(
            context, stepping, part, way, parts=len(parts), leads_on=stepping is not course and n == 0
        )
        if gone[-1] != part[-1] or not is_able(context.state[who]):
            at = context.state[who].at
            rest = _find_rest(context.state, who, at, way)
            if rest != at:
                shift(context, replace(course, path=(at, rest), how="how.placed", meters=0.0, cost=0.0))
            break
    float_on(context, who, gone)


def _change_deck(
    context: RuleContext, before: State, course: Steps, start: Point, end: Point, length: float
) -> None:
    """Come out on the next deck by what leads there; what the parts on decks have not cost, this does."""
    who, here = course.who, context.state[course.who].at
    parts = part_at_decks(before.scene, course.path)
    walked = sum(movement_cost(before, who, part, pace=course.pace) for part in parts)
    left = movement_cost(before, who, (here, start)) if here != start else 0.0
    cost = round(max(0.0, course.cost - walked + left), 3)
    meters = round(abs(here.z - end.z), 3) if course.way == "climb" else length
    shift(context, replace(course, path=(here, end), meters=meters, cost=cost))


def _go_on(
    context: RuleContext,
    course: Steps,
    part: tuple[Point, ...],
    way: WayToMove,
    parts: int,
    leads_on: bool,
) -> tuple[Point, ...]:
    """Move over a part of a path on one deck; returns the path covered.

    The last meters to a way between decks are told with the way itself.

    The ground covered so far hampers a mover who is shot at; at the ends of a way between decks, so does that
    at its foot and its top.
    """
    state, who, lows = context.state, course.who, iter((course.low,))
    path = steer(context, who, part) if len(part) > 1 else (*part, *part)
    path = path if path == part else end_alone(state, state[who], path)

    def hamper(gone: tuple[Point, ...]) -> None:
        if course.careful or "terrain" not in way.asks or has_condition(context.state[who], "rough_going"):
            return
        ends = () if parts == 1 else (gone[0], gone[-1])
        if is_rough(state, who, gone) or any(ROUGH.intersection(tags_at(state, end)) for end in ends):
            add_condition(context, who, "rough_going")

    def tell(done: tuple[Point, ...]) -> None:
        if parts == 1 or path_length(done) > 0:
            spent = movement_cost(state, who, done, next(lows, 0), pace=course.pace) if course.cost else 0.0
            shift(context, replace(course, meters=None, cost=spent), done)

    journey = Journey(context, who, path, tell, airborne=course.way == JUMP, leads_on=leads_on)
    gone = pass_watchers(context, journey, hamper)
    if course.way != JUMP or context.state.active == who:
        note_move(context, who)
    hamper(gone)
    return gone


# ---------------------------------------------------------------- on arrival


def arrive(context: RuleContext, course: Course, way: WayToMove) -> None:
    """What follows a move: the ground that one is flung over, a fall, and the ground below. [COS-TERR-08]

    RULING R32 R60
    """
    who = course.who
    if way.willing and course.way != JUMP:
        return
    if course.way in FLUNG:
        meet_hazards(context, who, part_at_decks(context.state.scene, course.path)[0])
    elif course.way == JUMP:
        _come_to_ground(context, course)
    if "falls" in way.asks:
        come_down(context, who, course.path[0])
    arrive_on(context, who)


def _come_to_ground(context: RuleContext, course: Course) -> None:
    """Bring down one who was shot in mid-air."""
    at = context.state[course.who].at
    ground = settle(context.state.scene, at)
    if ground != at:
        shift(context, replace(course, meters=None, path=(at, ground)))


def _floats(state: State, who: str) -> bool:
    """Whether a combatant is where nothing falls. [COS-ENV-03]"""
    return find_around(state.scene, state[who].at).gravity == "zero"


MOVER = Mover(
    ways=load_ways(Path(__file__).parents[1]),
    checks={
        "holders": lambda state, course: check_free(state, state[course.who]),
        "stance": _check_stance,
        "edges": _check_edges,
        "fear": _check_fear,
        "landing": _check_landing,
    },
    travel=travel,
    arrive=arrive,
    floats=_floats,
    find_grid=find_grid,
)
