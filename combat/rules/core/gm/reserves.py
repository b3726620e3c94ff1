"""Reinforcements: combatants whom the GM holds back, and who arrive later, together.

They are `gone` and `hidden`, so rules, odds, verdicts and pages leave them out; a `Reserve` of the state says
when and where they arrive. After each command `bring_due` brings in those whose round has begun, whose clock
is full or whose door is open, in the same step, as the game lets someone join a running fight.
"""

from __future__ import annotations

from msgspec import UNSET

from ..basics.errors import Refused
from ..basics.names import name_copy
from ..basics.words import Label, say, say_people
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..space import Point, Zone, map_of, name_zone, plot, zone_named
from ..space.battle_map import DOOR
from ..space.ground import has_ground
from ..state import events as e
from ..state.state import Combatant, Reserve, State, is_acting, present, replace
from ..turn.turns import count_down_at, end_with_source
from . import decisions
from .battle_map import find_door, name_door
from .bosses import name_boss
from .clocks import find_clock
from .decisions import MAX_LENGTH, MAX_NUMBER, GmCommand, Join
from .several import find_targets
from .spots import find_bounds, find_strip, free_spot

HAND, ROUND, CLOCK, DOOR_OPENS = "hand", "round", "clock", "door"  # when they arrive
EDGES = ("north", "east", "south", "west")  # of the map, as it is drawn
MAX_RESERVES, MAX_ROUND = 20, 99
AROUND = 6.0  # meters: the side of the square around a point of arrival


class Arrival(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When and where combatants arrive.

    `when` is "hand", "round" (`at_round`), "clock" or "door" (the id in `of`). The place is a zone, an edge
    of the map, or a point in meters; without one it is the door they wait for, or where their side is.
    """

    when: str = HAND
    at_round: int = 0
    of: str = ""
    zone: str = ""
    edge: str = ""
    x: float | None = None
    y: float | None = None


class HoldBack(Arrival, frozen=True, kw_only=True, forbid_unknown_fields=True):
    targets: tuple[str, ...]


class ChangeArrival(Arrival, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reserve: str


class OneReserve(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reserve: str


def join(context: RuleContext, command: Join) -> None:
    """Add combatants. Those who come later wait from the start: only the GM knows of them."""
    before = frozenset(context.state.combatants)
    decisions.join(context, command)
    who = tuple(one for one in context.state.combatants if one not in before)
    if command.boss:
        name_boss(context, who[0])
    if command.later:
        waiting = _number(context.state, who, who if command.hidden else ())
        if command.at_round:
            waiting = replace(waiting, when=ROUND, at_round=_check_round(context.state, command.at_round))
        context.emit(e.ReserveSet(waiting), to=e.GM_ONLY)


def hold_back(context: RuleContext, command: HoldBack) -> None:
    """Hold combatants back: they leave, and arrive together. Only the GM knows of them until then."""
    people = find_targets(context, command.targets)
    who = tuple(one.id for one in people)
    hidden = tuple(one.id for one in people if one.hidden)
    reserve = _plan(context, command, _number(context.state, who, hidden))
    for one in who:
        if is_acting(context.state, one):
            context.emit(e.TurnEnded(one))
            count_down_at(context, one, "end")
    context.emit(e.ReserveSet(reserve), to=e.GM_ONLY)
    for one in who:
        end_with_source(context, one, say("why.gone", who=one))
    if context.state.phase != "fight":
        _drop_places(context, who)


def change_arrival(context: RuleContext, command: ChangeArrival) -> None:
    """Change when and where those who wait arrive."""
    old = find_reserve(context.state, command.reserve)
    new = _plan(context, command, Reserve(old.id, old.who, old.hidden))
    if new == old:
        raise Refused("not_allowed", "They arrive like that already: change something.")
    context.emit(e.ReserveSet(new), to=e.GM_ONLY)


def drop_reserve(context: RuleContext, command: OneReserve) -> None:
    """Remove combatants who wait: they never arrive."""
    reserve = find_reserve(context.state, command.reserve)
    context.emit(e.ReserveSet(reserve, e.NEVER), to=e.GM_ONLY)


def arrive(context: RuleContext, command: OneReserve) -> None:
    """Bring those who wait in now; before a fight, they are there from its start."""
    _bring_in(context, find_reserve(context.state, command.reserve))


def bring_due(context: RuleContext) -> None:
    """Bring in all whose round has begun, whose clock is full or whose door is open, in a fight."""
    if context.state.reserves is UNSET or context.state.phase != "fight":
        return
    for reserve in context.state.all_reserves:
        if _is_due(context.state, reserve):
            _bring_in(context, reserve)


def find_reserve(state: State, reserve_id: str) -> Reserve:
    """Those who wait, by the id of their record; Refused("unknown") if there is none."""
    found = next((one for one in state.all_reserves if one.id == reserve_id), None)
    if found is None:
        raise Refused("unknown", "They do not wait any longer: reload the page.")
    return found


def plan_reserves(state: State, at_round: int | None) -> State:
    """The state for a forecast: all who wait arrive in this round; at 0 as planned; at None nobody does.

    Those whom the GM brings in by hand never arrive as planned.
    """
    if state.reserves is UNSET:
        return state
    if at_round == 0:
        return replace(state, reserves=tuple(one for one in state.all_reserves if one.when != HAND) or UNSET)
    if at_round is None:
        return replace(state, reserves=UNSET)
    moved = (replace(one, when=ROUND, at_round=at_round) for one in state.all_reserves)
    return replace(state, reserves=tuple(moved))


# ---------------------------------------------------------------- when and where


def _number(state: State, who: tuple[str, ...], hidden: tuple[str, ...]) -> Reserve:
    """A new record of those who wait; Refused if there are too many groups."""
    known = state.all_reserves
    if len(known) >= MAX_RESERVES:
        raise Refused("not_allowed", f"Up to {MAX_RESERVES} groups wait at a time: bring one in first.")
    number = 1 + max((int(one.id.removeprefix("r")) for one in known), default=0)
    return Reserve(f"r{number}", who, hidden)


def _plan(context: RuleContext, command: Arrival, reserve: Reserve) -> Reserve:
    """Those who wait, with when and where they arrive; Refused for what is impossible or has happened."""
    state = context.state
    reserve = replace(reserve, when=command.when, zone=command.zone, edge=command.edge)
    if command.when == ROUND:
        reserve = replace(reserve, at_round=_check_round(state, command.at_round))
    elif command.when == CLOCK:
        reserve = replace(reserve, of=_check_clock(state, command.of))
    elif command.when == DOOR_OPENS:
        reserve = replace(reserve, of=_check_door(state, command.of))
    elif command.when != HAND:
        raise Refused("bad_value", "Choose when they arrive: by hand, in a round, by a clock or a door.")
    if command.edge not in ("", *EDGES):
        raise Refused("bad_value", f"The edges of the map are {', '.join(EDGES)}.")
    if command.x is None or command.y is None:
        return reserve
    if not (abs(command.x) <= MAX_NUMBER and abs(command.y) <= MAX_NUMBER):
        raise Refused("bad_value", f"Enter meters from −{MAX_NUMBER} to {MAX_NUMBER}.")
    _check_on_map(context, command.x, command.y)
    return replace(reserve, at=Point(round(command.x, 3), round(command.y, 3)))


def _check_on_map(context: RuleContext, x: float, y: float) -> None:
    """Refuse a place outside all zones and all that is drawn: they would arrive elsewhere."""
    scene, drawn = context.state.scene, map_of(context.state.scene)
    if drawn.picture or not has_ground(scene):
        return  # a picture and open ground may go on
    left, top, right, low = find_bounds(context)
    across, down = plot(x, y, system_of(context).space.has_hexes(context.state))
    if max(left - across, across - right, top - down, down - low) > AROUND / 2:
        raise Refused("bad_value", "That place is off the map: choose one on it, or an edge.")


def _check_round(state: State, number: int) -> int:
    first = state.round + 1 if state.phase == "fight" else 2
    if not first <= number <= MAX_ROUND:
        raise Refused("bad_value", f"Choose a round from {first} to {MAX_ROUND}.")
    return number


def _check_clock(state: State, clock_id: str) -> str:
    clock = find_clock(state, clock_id)
    if clock.is_full:
        raise Refused("bad_value", f"{clock.name} is full already: choose another clock.")
    return clock.id


def _check_door(state: State, door_id: str) -> str:
    door = find_door(map_of(state.scene), door_id)
    if door.open:
        raise Refused("bad_value", f"{name_door(door)} stands open already: choose one that is shut.")
    return door.id


def _is_due(state: State, reserve: Reserve) -> bool:
    if reserve.when == ROUND:
        return state.round >= reserve.at_round
    if reserve.when == CLOCK:
        return any(clock.id == reserve.of and clock.is_full for clock in state.all_clocks)
    doors = (wall for wall in map_of(state.scene).walls if wall.kind == DOOR and wall.open)
    return reserve.when == DOOR_OPENS and any(door.id == reserve.of for door in doors)


def _find_place(context: RuleContext, reserve: Reserve) -> Zone | None:
    """Where they arrive; None: where their side begins, or stands."""
    scene, hexes = context.state.scene, system_of(context).space.has_hexes(context.state)
    if reserve.at is not None:
        spot = plot(reserve.at.x, reserve.at.y, hexes)
    elif reserve.edge:
        return find_strip(context, reserve.edge)
    elif reserve.zone or reserve.when != DOOR_OPENS:
        return zone_named(scene, reserve.zone)
    else:
        doors = (wall for wall in map_of(scene).walls if wall.id == reserve.of)
        door = next(doors, None)
        if door is None:
            return None
        spot = (door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2
    corner = spot[0] - AROUND / 2, spot[1] - AROUND / 2
    return Zone("", "", *corner, AROUND, AROUND, upright=hexes or UNSET)


# ---------------------------------------------------------------- the arrival


def _bring_in(context: RuleContext, reserve: Reserve) -> None:
    """Those who wait join, each as one who joins now; who carries others comes before them."""
    context.emit(e.ReserveSet(reserve, e.ARRIVES), to=e.GM_ONLY)
    _drop_places(context, reserve.who)
    place = _find_place(context, reserve)
    people = sorted(reserve.who, key=lambda who: _count_carriers(context.state, who))
    for who in people:
        _join(context, who, who in reserve.hidden, place)
    _tell(context, people, reserve.edge)
    if context.state.phase == "fight":
        for who in people:
            system_of(context).turn.enter(context, who)


def _drop_places(context: RuleContext, who: tuple[str, ...]) -> None:
    """Take them out of the order of turns, where some may have kept an empty place."""
    order = tuple(one for one in context.state.order if one not in who)
    if order != context.state.order:
        context.emit(e.OrderSet(order), to=e.GM_ONLY)


def _count_carriers(state: State, who: str) -> int:
    inside = state.combatants[who].inside
    return 1 + _count_carriers(state, inside) if inside else 0


def _join(context: RuleContext, who: str, hidden: bool, place: Zone | None) -> None:
    state = context.state
    away = state.combatants[who]
    others = {one: combatant for one, combatant in state.combatants.items() if one != who}
    taken = {one.name for one in present(state)}
    name = name_copy(away.name, taken, MAX_LENGTH) if away.name in taken else away.name
    fresh = replace(away, name=name, hidden=hidden, gone=False, acted=False, budget={}, initiative=None)
    if fresh.inside:
        at = state.combatants[fresh.inside].at
    else:
        at = free_spot(context, "", fresh, placed=replace(state, combatants=others), place=place)
    joined = e.CombatantJoined(replace(fresh, at=at), arrives=True)
    context.emit(joined, to=e.GM_ONLY)  # with all that their sheet and conditions tell


def _tell(context: RuleContext, people: list[str], edge: str) -> None:
    """Tell of the arrival, in one sentence of all whom the same players see."""
    state = context.state
    seen: dict[frozenset[str] | None, list[Combatant]] = {}
    for who in people:
        seen.setdefault(context.system.find_witnesses(state, (who,)), []).append(state.combatants[who])
    for group in seen.values():
        place: Label = f"words.edge_{edge}" if edge else name_zone(state.scene, group[0].at)
        listed = say_people(one.id for one in group)
        key = "reinforcements_at" if place else "reinforcements"
        key = "from_the_start" if state.phase == "prep" else key
        context.emit(e.Said(f"log.{key}", args={"listed": listed, "n": len(group), "place": place}))
