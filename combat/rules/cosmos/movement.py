"""Moving: paths, what they cost, and every action that moves a fighter."""

from __future__ import annotations

from bisect import bisect_right

from ..core import events as e
from ..core.commands import Command, Field
from ..core.errors import Refused
from ..core.requests import Choice
from ..core.space import (
    Point,
    beside,
    distance,
    find_zone,
    is_straight,
    metres_through,
    on_ground,
    path_length,
    read_points,
    towards,
    zone_named,
    zones_crossed,
)
from ..core.state import Combatant, State, Until, find_condition, has_condition, present, replace
from ..core.table import Table
from ..core.turns import gain, lift_kinds, spend
from .drift import find_hold, float_on, steer
from .environment import is_weightless
from .hazards import meet_hazards
from .overwatch import pass_watchers
from .scene import find_held
from .sheet import count_quick, find_speed, half_speed
from .tables import TERRAIN

# RULING R47: in zero gravity pushing replaces walking, so nothing costs double
DIFFICULT = frozenset(tag for tag, ground in TERRAIN.items() if ground.difficult and tag != "zero-g")
LOW_OBSTACLE_M = 2  # COS-TERR-09
STEPPING_IS_ALL = "Stepping over is free only without other movement."


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is here, zone:ID, near:FIGHTER, away:FIGHTER or points "x,y; x,y" in metres.

    `low` counts low obstacles on the way; `far` goes as far as the movement allows.
    """

    to: str
    careful: bool = False
    low: int = 0
    far: bool = False


class Go(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Full Move or a Sprint."""

    to: str
    low: int = 0
    far: bool = False


HERE = "here"
FAR = Field("far", "Go as far as it takes", "flag", value="true")


def find_goal(state: State, actor: str, to: str) -> tuple[Point, ...]:
    """The path from the fighter to the place a command names."""
    fighter = state[actor]
    kind, _, name = to.partition(":")
    if to == HERE:
        return (fighter.at, fighter.at)
    if kind == "zone":
        zone = zone_named(state.scene, name)
        if zone is None:
            raise Refused("unknown", "That zone is not part of the scene.")
        return (fighter.at, _spot_in(state, fighter, zone.centre))
    if kind == "near":
        other = state[name]
        return (fighter.at, on_ground(state.scene, beside(fighter.at, other.at, 1.0)))
    if kind == "away":
        return (fighter.at, on_ground(state.scene, _far_from(fighter.at, state[name].at)))
    return (fighter.at, *(on_ground(state.scene, point) for point in read_points(to)))


def _spot_in(state: State, fighter: Combatant, centre: Point) -> Point:
    """The middle of a zone, or next to it where others stand already; who is hidden gives no way."""
    taken = [f.at for f in present(state) if f.id != fighter.id and not f.hidden]
    rings = [Point(centre.x + x, centre.y + y, centre.z) for y in (0, 2, -2) for x in (0, 2, -2)]
    free = (spot for spot in rings if all(distance(spot, other) >= 1 for other in taken))
    return next(free, centre)


def _far_from(start: Point, danger: Point) -> Point:
    whole = distance(start, danger)
    if whole < 0.01:
        return Point(start.x + 100, start.y)
    scale = 100 / whole
    x, y = start.x + (start.x - danger.x) * scale, start.y + (start.y - danger.y) * scale
    return Point(round(x, 3), round(y, 3))


def find_cost(state: State, path: tuple[Point, ...], low: int = 0, doubled: bool = True) -> float:
    """Movement in metres that a path takes.  [COS-TERR-02] [COS-TERR-06] [COS-TERR-09]"""
    rough = metres_through(state.scene, path, DIFFICULT) if doubled else 0.0
    return round(path_length(path) + rough + LOW_OBSTACLE_M * low, 3)


def shorten(state: State, path: tuple[Point, ...], allowed: float) -> tuple[Point, ...]:
    """The first part of a straight path that the movement pays for, in tenths of a metre."""
    if find_cost(state, path) <= allowed or len(path) != 2:
        return path
    start, goal = path

    def cost(tenths: int) -> float:
        return find_cost(state, (start, towards(start, goal, tenths / 10)))

    most = bisect_right(range(int(path_length(path) * 10) + 1), allowed, key=cost) - 1
    return (start, on_ground(state.scene, towards(start, goal, max(0, most) / 10)))


def walk(
    table: Table,
    who: str,
    path: tuple[Point, ...],
    allowed: int,
    *,
    how: str,
    rule: str,
    low: int = 0,
    careful: bool = False,
) -> float:
    """Go along a path of at most `allowed` metres of movement; returns the metres gone.

    [COS-MOVE-02] [COS-TERR-04] [COS-TERR-06] [COS-TERR-08]
    """
    state = table.state
    check_walk(state, who, path, allowed, low)
    path = steer(table, who, path)

    def go(part: tuple[Point, ...]) -> None:
        metres, cost = round(path_length(part), 3), find_cost(state, part, low)
        zone = find_zone(state.scene, part[-1])
        table.tell(e.Moved(who, part, metres, cost, how, zone.name if zone else ""), rule)

    path = pass_watchers(table, who, path, go)
    note_move(table, who)
    crossed = zones_crossed(state.scene, path)
    if is_rough(state, who, path) and not careful:
        lift_kinds(table, who, "rough_going")
        gain(table, who, "rough_going", until=Until(who, "start"))
    float_on(table, who, path)
    meet_hazards(table, who, crossed)
    return round(path_length(path), 3)


def is_rough(state: State, who: str, path: tuple[Point, ...]) -> bool:
    """[COS-TERR-04] Whether a way costs Defense; in zero gravity every way does.  RULING R47."""
    return is_weightless(state, state[who]) or metres_through(state.scene, path, DIFFICULT) > 0


def note_move(table: Table, who: str) -> None:
    """Remember to the end of the turn that the fighter has moved: no aimed shot any more."""
    if not has_condition(table.state[who], "moved"):
        gain(table, who, "moved", until=Until(who, "end"))


def check_walk(state: State, who: str, path: tuple[Point, ...], allowed: int, low: int = 0) -> None:
    """Refuse a way that is too long, of those held or holding, or nearer to what is feared."""
    fighter = state[who]
    check_free(state, fighter)
    cost = find_cost(state, path, low)
    if cost > allowed + 0.01:
        text = f"Too far: that way takes {cost:g} m of movement, {fighter.name} has {allowed} m."
        raise Refused("out_of_range", text)
    check_fear(state, fighter, path)


def check_free(state: State, fighter: Combatant) -> None:
    """[COS-COND-22] Refuse to move a held fighter.  RULING R32: nor one that holds another.

    [COS-TERR-09] Nor one that has stepped over an obstacle freely this turn.
    """
    if has_condition(fighter, "grappled"):
        raise Refused("not_allowed", f"{fighter.name} is grappled: break free first.")
    held = find_held(state, fighter.id)
    if held:
        names = ", ".join(other.name for other in held)
        raise Refused("not_allowed", f"{fighter.name} holds {names}: let go first, that is free.")
    adrift = find_hold(state, fighter)
    if adrift:
        raise Refused("not_allowed", adrift)
    moved = find_condition(fighter, "moved")
    if moved and moved.marks.get("freely"):  # RULING R49
        raise Refused("not_allowed", STEPPING_IS_ALL)


def check_fear(state: State, fighter: Combatant, path: tuple[Point, ...]) -> None:
    """[COS-COND-19] [COS-COND-20] A frightened fighter moves away from what it fears, or not at all."""
    if has_condition(fighter, "steeled") or path_length(path) < 0.01:
        return
    for fear in fighter.conditions:
        source = state.combatants.get(fear.by) if fear.kind == "frightened" else None
        if source is None or source.gone:
            continue
        if distance(path[-1], source.at) < distance(path[0], source.at) + 0.01:
            text = f"Frightened: a move has to lead away from {source.name}."
            raise Refused("not_allowed", text)


def move(table: Table, command: Move) -> None:
    """[COS-ACT-08] A Move Action up to Speed; [COS-MOVE-08] [COS-MOVE-09] careful at half."""
    state, who = table.state, command.actor
    fighter = state[who]
    check_low(command.low)
    check_free(state, fighter)
    if command.low == 1 and path_length(find_goal(state, who, command.to)) < 0.01:
        _step_over(table, who)
        return
    allowed = half_speed(state, fighter) if command.careful else find_speed(state, fighter)
    path = find_path(state, who, command.to, allowed, command.far, command.low)
    pay_move(table, who, "Moving", "COS-ACT-08")
    how = "moves carefully" if command.careful else "moves"
    rule = "COS-MOVE-08" if command.careful else "COS-MOVE-02"
    walk(table, who, path, allowed, how=how, rule=rule, low=command.low, careful=command.careful)


def check_low(low: int) -> None:
    """Refuse impossible numbers of obstacles."""
    if not 0 <= low <= 20:
        raise Refused("bad_value", "Cross 0 to 20 low obstacles at a time.")


def find_path(
    state: State, who: str, to: str, allowed: int, far: bool = False, low: int = 0
) -> tuple[Point, ...]:
    """The way to go, with `far` only as far as the movement allows; Refused if it leads nowhere."""
    name = state[who].name
    if allowed < 1:
        raise Refused("out_of_range", f"{name} cannot move: Speed {allowed} m.")
    path = find_goal(state, who, to)
    if path_length(path) < 0.01:
        raise Refused("bad_value", f"{name} is there already: choose another place.")
    far = far or to.startswith("away:")
    return shorten(state, path, allowed - LOW_OBSTACLE_M * low) if far else path


def _step_over(table: Table, who: str) -> None:
    """[COS-TERR-09] Over a low obstacle as a free action, with no other movement."""
    if has_condition(table.state[who], "moved"):
        raise Refused("not_allowed", STEPPING_IS_ALL)
    gain(table, who, "moved", until=Until(who, "end"), marks={"freely": True})
    table.tell(e.Said("{who} steps over a low obstacle.", who), "COS-TERR-09")


def pay_move(table: Table, who: str, on: str, rule: str) -> None:
    """Spend a Move Action, or trade the Standard for it.  RULING R24."""
    instead = ("standard",) if table.option("trade_standard_for_move") else ()
    spend(table, who, {"move": 1}, on, rule, move=instead)


def pay_whole_turn(table: Table, who: str, on: str, rule: str) -> None:
    """Spend Standard and Move, and leave no Quick Action before or after.  RULING R24."""
    check_whole_turn(table.state, who)
    quick = table.state[who].budget.get("quick", 0)
    spend(table, who, {"standard": 1, "move": 1}, on, rule)
    if quick:
        table.tell(e.BudgetSpent(who, {"quick": quick}, on), rule)


def check_whole_turn(state: State, who: str) -> None:
    """[COS-MOVE-03] Nothing else fits into a turn of running.  RULING R24."""
    fighter = state[who]
    if fighter.budget.get("quick", 0) < count_quick(fighter):
        raise Refused("no_budget", "That takes the whole turn; a Quick Action has been taken already.")


def full_move(table: Table, command: Go) -> None:
    """[COS-MOVE-03] Up to twice Speed, [COS-MOVE-04] and nothing else this turn."""
    allowed = 2 * find_speed(table.state, table.state[command.actor])
    _run(table, command, allowed, "Full Move", "COS-MOVE-03")


def _run(table: Table, command: Go, allowed: int, on: str, rule: str) -> None:
    who = command.actor
    check_low(command.low)
    check_free(table.state, table.state[who])
    path = find_path(table.state, who, command.to, allowed, command.far, command.low)
    pay_whole_turn(table, who, on, rule)
    how = "runs" if on == "Full Move" else "sprints"
    walk(table, who, path, allowed, how=how, rule=rule, low=command.low)


def sprint(table: Table, command: Go) -> None:
    """[COS-MOVE-05] Up to three times Speed, [COS-MOVE-06] straight, [COS-MOVE-07] -2 Defense.

    [COS-TERR-03] Not through difficult terrain; [COS-COND-16] not while fatigued.
    """
    who = command.actor
    check_sprint(table.state, who)
    allowed = 3 * find_speed(table.state, table.state[who])
    check_low(command.low)
    check_free(table.state, table.state[who])
    path = find_path(table.state, who, command.to, allowed, command.far, command.low)
    if not is_straight(path):
        raise Refused("not_allowed", "A sprint follows one straight line.")
    if metres_through(table.state.scene, path, DIFFICULT) > 0:
        raise Refused("not_allowed", "No sprinting through difficult terrain.")
    _run(table, command, allowed, "Sprint", "COS-MOVE-05")
    gain(table, who, "sprinting", until=Until(who, "start"))


def check_sprint(state: State, who: str) -> None:
    """Refuse a sprint of the tired, the prone, and after a fighting retreat."""
    fighter = state[who]
    if has_condition(fighter, "fatigued"):
        raise Refused("not_allowed", "Fatigued characters cannot sprint.")
    if has_condition(fighter, "no_sprint"):
        raise Refused("not_allowed", "No sprint after a fighting retreat until next turn's end.")
    if has_condition(fighter, "prone"):
        raise Refused("not_allowed", "Stand up before sprinting.")
    if is_weightless(state, fighter):
        raise Refused("not_allowed", "No sprinting without gravity: push off instead.")


def stand(table: Table, command: Command) -> None:
    """[COS-ACT-09] [COS-COND-29] Stand up from prone."""
    pay_move(table, command.actor, "Standing up", "COS-ACT-09")
    lift_kinds(table, command.actor, "prone", why="stands up", rule="COS-COND-29")


def check_prone(state: State, actor: str) -> None:
    """Only the prone can stand up."""
    if not has_condition(state[actor], "prone"):
        raise Refused("not_allowed", f"{state[actor].name} is on its feet.")


def fall_prone(table: Table, command: Command) -> None:
    """[COS-ACT-16] [COS-COND-25] Drop prone as a Quick Action."""
    spend(table, command.actor, {"quick": 1}, "Falling prone", "COS-ACT-16")
    gain(table, command.actor, "prone")


def check_standing(state: State, actor: str) -> None:
    """Only who stands can drop prone."""
    if has_condition(state[actor], "prone"):
        raise Refused("not_allowed", f"{state[actor].name} is prone already.")


def places(state: State, actor: str) -> tuple[Choice, ...]:
    """Where a fighter may want to go, with the metres to it."""
    fighter = state[actor]
    zones = [Choice(f"zone:{z.id}", z.name, _metres(fighter, z.centre)) for z in state.scene.zones]
    others = [other for other in present(state) if other.id != actor]
    near = [Choice(f"near:{o.id}", f"next to {o.name}", _metres(fighter, o.at)) for o in others]
    foes = [o for o in others if o.side != fighter.side]
    away = [Choice(f"away:{o.id}", f"away from {o.name}", _metres(fighter, o.at)) for o in foes]
    return (*zones, *near, *away)


def _metres(fighter: Combatant, place: Point) -> str:
    return f"{distance(fighter.at, place):.0f} m"


def place_field(state: State, actor: str, hint: str = "", required: bool = True) -> Field:
    """The form field for a destination."""
    options = places(state, actor)
    value = options[0].value if options and required else ""
    return Field("to", "Where to", "place", options, value, hint, required=required)


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Move Action."""
    speed = find_speed(state, state[actor])
    where = place_field(state, actor, f"up to {speed} m; difficult terrain counts double")
    stay = Choice(HERE, "nowhere else", "to step over one low obstacle")
    return (
        replace(where, options=(*where.options, stay)),
        FAR,
        Field("careful", "Careful: half Speed, no Defense penalty", "flag", rule="COS-MOVE-08"),
        Field("low", "Low obstacles on the way", "number", value="0", low=0, high=20, rule="COS-TERR-09"),
    )


def go_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Full Move or Sprint."""
    speed = find_speed(state, state[actor])
    return (
        place_field(state, actor, f"Speed {speed} m: Full Move {2 * speed} m, Sprint {3 * speed} m"),
        FAR,
        Field("low", "Low obstacles on the way", "number", value="0", low=0, high=20),
    )
