"""The one way in which anybody changes place: on foot, driven, thrown, dragged. Holds and aims follow.

`moving.toml` says what each way to move asks; `MOVER` answers it.
"""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Args, say_needed
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.ways import find_landing, find_rest
from combat.rules.core.map.bodies import SAME_SPOT, find_unseen, is_taken
from combat.rules.core.map.moving import Course, Mover, WayToMove, load_ways
from combat.rules.core.map.moving import shift as change_place
from combat.rules.core.passengers import find_aboard
from combat.rules.core.space import Point, map_of, on_ground, path_length
from combat.rules.core.space.decks import find_deck
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present, replace
from combat.rules.core.turn.turns import remove_condition

from ..characters import machinery
from ..characters.conditions import crawls, limps
from ..characters.values import is_vehicle
from ..dice import is_weightless, lose_sight
from ..world.acting import check_free_hands
from ..world.bands import is_grid
from ..world.motion import CRAWL_METERS, allowed_meters, note_moved
from ..world.order import mark
from ..world.sight_lines import find_grid, is_within

CRAWL = "crawl"
ON_FOOT = ("walk", CRAWL)  # they choose where they end: `end_beside` in move/movement.py
THROWN = ("push", "drag", "throw", "escape")  # straight, by someone's strength
STILL = ("lid", "placed", "alight")  # no movement that affects shots at them  RULING R49
EDGE = 0.01  # meters
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))  # meters from someone whom another holds while both fall

# ---------------------------------------------------------------- before


def check_free_to_ride(state: State, who: str) -> None:
    """Refuse those who are held, sit in something, or are driven. [CE-GRAP-14]"""
    combatant = state[who]
    check_free_hands(combatant)
    if is_vehicle(combatant):
        raise Refused("not_allowed", f"{combatant.name} is driven: its driver acts for it.")
    if combatant.inside:
        raise Refused(
            "not_allowed", f"{combatant.name} is inside {state[combatant.inside].name}: get out first."
        )


def check_free_to_move(state: State, who: str) -> None:
    """Refuse their movement, and that of those whose wounds allow no more of it. [CE-GRAP-14] [CE-INJ-04]"""
    combatant = state[who]
    check_free_to_ride(state, who)
    if limps(combatant) and allowed_meters(combatant) < EDGE:
        raise Refused("not_allowed", "The seriously wounded move 1.5 m a round, and that is done.")


def check_holders(state: State, course: Course) -> None:
    """Refuse a move of one's own to those who are not free; a lift carries the wounded."""
    check = check_free_to_ride if course.way == "lift" else check_free_to_move
    check(state, course.who)


def check_stance(state: State, course: Course) -> None:
    """Refuse the prone stairs that are longer than a crawl; a lift carries anybody.  RULING R35 R98"""
    combatant = state[course.who]
    if course.way not in (CRAWL, "lift") and crawls(combatant) and course.cost > CRAWL_METERS + EDGE:
        text = f"{combatant.name} is prone and crawls {CRAWL_METERS:g} m: stand up first."
        raise Refused("not_allowed", text)


def check_wounds(state: State, course: Course) -> None:
    """Refuse the seriously wounded what is longer than the 1.5 m of a round. [CE-INJ-04]  RULING R35"""
    combatant = state[course.who]
    if limps(combatant) and course.cost > (left := allowed_meters(combatant)) + EDGE:
        needed = say_needed(course.cost)
        text = f"Too far for the seriously wounded: that takes {needed} m, {combatant.name} has {left:g} m."
        raise Refused("out_of_range", text)


def check_arms(state: State, course: Course) -> None:
    """Refuse a climb to a robot whose limbs are all destroyed. [CE-VLOC-40]"""
    machinery.check_limbs(state, state[course.who])


# ---------------------------------------------------------------- on the way


def travel(context: RuleContext, course: Course, way: WayToMove) -> None:
    """Move someone along a course, with everyone inside; a fall ends it on the deck below.

    Its length is remembered because it affects shots at the mover. [CE-MOD-06]
    """
    if way.id in THROWN:
        course = _cut_short(context, course)
        if len(course.path) < 2:
            return
    end = find_end(context.state, course, way)
    meters = round(path_length(course.path), 3) if course.meters is None else course.meters
    change_place(context, replace(course, path=(*course.path[:-1], end), meters=meters))
    if way.id not in STILL:
        note_moved(context, course.who, meters)
    if has_fallen(context.state, course, end):
        fallen: Args = {"metres": round(course.goal.z - end.z, 1)}
        context.emit(e.Said("log.falls_below", course.who, args=fallen), course.rule)


def _cut_short(context: RuleContext, course: Course) -> Course:
    """The part of a straight course before the next wall; none of it in a closed vehicle, out of an open one
    they come.  RULING R97"""
    who, combatant = course.who, context.state[course.who]
    if machinery.find_shell(context.state, combatant):
        return replace(course, path=())
    if combatant.inside:
        context.emit(e.Boarded(who, "", ""), course.rule)
        mark(context, who, machinery.SECURED, value=None, rule="CE-COLL-07")
    free = find_stop(context.state, combatant, course.goal, course.way)
    return replace(course, path=(combatant.at, free) if free != combatant.at else ())


def find_stop(state: State, combatant: Combatant, goal: Point, way: str) -> Point:
    """The last place on a straight way: before the next wall, and before the rim of an open hole if that way
    to move asks for edges; what is thrown flies over holes.  RULING R98"""
    return MOVER.find_stop(state, combatant.id, combatant.at, goal, way)


def find_end(state: State, course: Course, way: WayToMove) -> Point:
    """Where a course ends: on the ground, below an open hole, and beside those who stand there.

    RULING R98 R100
    """
    combatant = state[course.who]
    is_afloat = "falls" in way.asks and floats(state, course.who)
    end = course.goal if is_afloat else on_ground(state.scene, course.goal)
    if "landing" not in way.asks:
        return end
    if way.id != "lid" and is_vehicle(combatant) and not has_fallen(state, course, end):
        return end
    grid = find_grid(state)
    if way.id in ON_FOOT:
        is_free = is_grid(state) or not is_taken(state, combatant, end, grid, known=True)
        return end if is_free else find_rest(state, combatant, end, grid, find_unseen(state, combatant))
    held = [held.by for held in combatant.conditions if held.kind == "grappled"]
    partners = [state[who] for who in held if way.id == "lid" and who in state.combatants]
    bound = [other for other in partners if other.at.shift == end.shift]

    def is_held(at: Point) -> bool:
        apart = all(max(abs(at.x - one.at.x), abs(at.y - one.at.y)) >= SAME_SPOT for one in bound)
        return apart and all(
            is_within(state, replace(combatant, at=at), other, closely=True) for other in bound
        )

    sides = [Point(one.at.x + x, one.at.y + y) for one in bound for x, y in SIDES]
    spots = (on_ground(state.scene, place) for place in sides)
    found = (find_landing(state, combatant, at, grid, held, is_held) for at in (end, *spots)) if bound else ()
    return next(filter(None, found), None) or find_rest(state, combatant, end, grid, held, is_held)


def has_fallen(state: State, course: Course, end: Point) -> bool:
    """Whether the end of a course lies on another deck than its goal, below an open hole."""
    decks = map_of(state.scene).decks if course.goal != end else ()
    return bool(decks) and find_deck(decks, course.goal.x, course.goal.y) != find_deck(decks, end.x, end.y)


def floats(state: State, who: str) -> bool:
    """Whether someone does not fall: without weight."""
    return is_weightless(state, state[who])


# ---------------------------------------------------------------- after


def arrive(context: RuleContext, course: Course, way: WayToMove) -> None:
    """End the holds and aims that the new place rules out."""
    settle_place(context, course.who)


MOVER = Mover(
    ways=load_ways(Path(__file__).parents[1]),
    checks={
        "stance": check_stance,
        "wounds": check_wounds,
        "arms": check_arms,
        "holders": check_holders,
    },
    travel=travel,
    arrive=arrive,
    floats=floats,
    find_grid=find_grid,
)


def stand_beside(context: RuleContext, who: str, rule: str) -> None:
    """Bring someone who got out of a vehicle to a free place beside it.  RULING R100"""
    at = context.state[who].at
    MOVER.carry(context, Course(who, (at, at), "alight", rule, "how.steps_out", meters=0.0))


def settle_place(context: RuleContext, *movers: str) -> None:
    """End the holds that no longer reach and the aims that no longer see, of all who moved or were carried.

    [CE-GRAP-02] [CE-MINOR-04]
    """
    moved = find_carried(context.state, movers)
    for who in moved:
        end_far_holds(context, who)
    lose_sight(context, moved)


def find_carried(state: State, movers: tuple[str, ...]) -> tuple[str, ...]:
    """These and everyone inside them, at any depth."""
    found = list(dict.fromkeys(movers))
    for who in found:  # it grows
        found += [rider.id for rider in find_aboard(state, who) if rider.id not in found]
    return tuple(found)


def let_go(context: RuleContext, one: str, other: str, rule: str) -> None:
    """Take the hold off both combatants."""
    for who, by in ((one, other), (other, one)):
        for held in context.state[who].conditions:
            if held.kind == "grappled" and held.by == by:
                remove_condition(context, who, held, why="why.let_go", rule=rule)


def end_far_holds(context: RuleContext, who: str) -> None:
    """End the holds of those who no longer reach each other. [CE-GRAP-02]"""
    for held in context.state[who].conditions:
        other = context.state.combatants.get(held.by) if held.kind == "grappled" else None
        if other and not is_within(context.state, context.state[who], other, closely=True):
            let_go(context, who, other.id, "CE-GRAP-02")


def end_out_of_reach(context: RuleContext, before: State) -> None:
    """End all holds that a move, a door or a wall has put out of reach, the GM's too. [CE-GRAP-02]"""
    for combatant in present(context.state):
        if combatant.conditions:
            end_far_holds(context, combatant.id)
