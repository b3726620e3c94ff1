"""Plans: what mends a wish that the rules refuse now, and then the wish, as parts that are ordinary actions.

The shortest plans are found by trying: each part is played without dice on the state that the one before it
left, as far as its player knows. A plan ends before a question or a roll, since nobody knows what follows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ..basics.dice.requests import Request
from ..basics.errors import Refused, allows
from ..commands.commands import Action, Command, find_refusal, read_command
from ..declaration.parts import Candidate, Handling
from ..declaration.system import System
from ..engine.engine import Spending, TryDriver, Waiting, describe_spending, find_action, run
from ..gm.spots import find_middle
from ..gm.ways import Trip, find_all_trips, find_doorway
from ..map.bodies import is_concealed_from, meters_of
from ..space import (
    BattleMap,
    Passage,
    Point,
    Reach,
    Wall,
    check_goal,
    map_of,
    on_ground,
    plan_distance,
    read_points,
)
from ..space.decks import find_deck
from ..space.grid import make_grid
from ..space.paths import Way, find_shut_door, find_way
from ..state import events as e
from ..state.state import Combatant, Item, State, has_condition, is_acting, present, replace

MOVE = "move"  # the action of every game that leads to a place
DOOR = "door"  # the field of a game's action that names a door of the map
MAX_MENDS, MAX_TRIES, MAX_PLANS = 3, 60, 3
STAND = "Stand up"
MAX_OUTLOOKS = 120  # places within reach that are asked whether they see someone
NEARLY = 0.75  # of a square's side: how far from a path its middle may be
PLENTY = 10  # of each pool, to see what a plan would be with more turns


@dataclass(frozen=True)
class Part:
    """One action of a plan: its fields, its name, its length in meters, its course, and what it takes."""

    do: str
    fields: dict[str, Any]
    label: str
    meters: float = 0.0
    course: tuple[Point, ...] = ()
    pools: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """The parts of a plan, and the state after them; `stopped` is why it ends early, `asked` who is asked.

    `asked` may be a roll of the last part: the wish itself. `barred` is the way to another deck that stops
    it, as a shut one does: more turns would not help. It is `blind` if it ends behind a way whose other end
    is unknown; the state is the one before that way then. Its `wish` is the action that it is for (`do`) with
    its fields.
    """

    parts: tuple[Part, ...]
    after: State
    stopped: str = ""
    asked: tuple[Request, ...] = ()
    barred: Passage | None = None
    blind: bool = False
    wish: Mapping[str, Any] = field(default_factory=dict)

    @property
    def meters(self) -> float:
        """The length of all parts."""
        return round(sum(part.meters for part in self.parts), 1)

    @property
    def is_over(self) -> bool:
        """Whether no part can follow."""
        return bool(self.stopped or self.asked)

    @property
    def key(self) -> str:
        """The names of its parts in order: how a form says which plan it means."""
        return " ".join(part.do for part in self.parts)

    @property
    def rank(self) -> tuple[bool, bool, bool, int, int, float]:
        """Its place among moves by other ways: refused ones are last, before them unfinished ones."""
        passed = sum("way" in part.fields for part in self.parts) if self.stopped else 0
        far = -len(self.parts) if self.stopped else len(self.parts)
        return bool(self.barred), bool(self.stopped), self.blind, -passed, far, self.meters


def find_plans(
    system: System, state: State, action: Action, fields: Mapping[str, Any], most: int = MAX_PLANS
) -> tuple[Plan, ...]:
    """The shortest plans for an action that is refused now; the action alone if it is not.

    Where a turn does not pay for all of it, the part of the plan that it pays for, with the reason why it
    stops. None outside of the actor's turn, and none if nothing mends it.
    """
    wish = _Wish(system, action, dict(fields))
    if action.who == "gm" or not is_acting(state, wish.who):
        return ()
    if not allows(read_command, action, wish.fields, state):
        return ()
    begun = Plan((), state)
    whole, refused = wish.end(begun)
    found: tuple[Plan, ...] = (whole,) if whole else ()
    if refused:
        found = (
            _search(wish, begun, refused)[:most]
            or _find_first_parts(wish, begun, refused)
            or _open_way(wish, begun)
        )
    told = {"do": action.name, **wish.fields}
    return tuple(dataclasses.replace(plan, wish=told) for plan in found)


def find_upright_plan(system: System, state: State, action: Action, fields: Mapping[str, Any]) -> Plan | None:
    """The plan of someone who may move as they lie: to stand up first; None if that is no help.

    It ends there if others may react to that.
    """
    wish, handling = _Wish(system, action, dict(fields)), system.tactics.handling
    if handling is None or not handling.stand or not action.leads_there or wish.who not in state.combatants:
        return None
    if not has_condition(state[wish.who], *handling.low):
        return None
    stood = take(system, Plan((), state), handling.stand, {"actor": wish.who, **handling.standing}, STAND)
    if stood.stopped or not is_acting(stood.after, wish.who):
        return None
    plan = stood if stood.asked else wish.end(stood)[0]
    return dataclasses.replace(plan, wish={"do": action.name, **wish.fields}) if plan else None


def find_place_plans(system: System, state: State, who: str, to: str) -> tuple[Plan, ...]:
    """The best plans that lead someone to a place, by the first action that moves them all the way."""
    found: list[Plan] = []
    for action in find_moves(system):
        if not any(not plan.stopped for plan in found):
            found += find_plans(system, state, action, {"actor": who, "to": to})
    return tuple(sorted(found, key=lambda plan: (bool(plan.stopped), len(plan.parts)))[:MAX_PLANS])


def say_parts(system: System, plan: Plan) -> str:
    """The parts of a plan as a button names them: "Open door 1, then move 7 m"."""
    words = [say_part(system, part) for part in plan.parts]
    return ", then ".join([*words[:1], *(word[:1].lower() + word[1:] for word in words[1:])])


def say_part(system: System, part: Part) -> str:
    """One part, with its length if it moves."""
    return f"{part.label} {part.meters:g} {system.space.unit}" if part.meters else part.label


def say_price(system: System, parts: tuple[Part, ...]) -> str:
    """What parts take from the turn, in words; empty for nothing."""
    pools: dict[str, int] = {}
    for part in parts:
        for pool, points in part.pools.items():
            pools[pool] = pools.get(pool, 0) + points
    shown = {pool.key for pool in system.turn.pools}
    return describe_spending(system, Spending({k: n for k, n in pools.items() if n and k in shown}))


def take(system: System, so_far: Plan, do: str, fields: Mapping[str, Any], label: str = "") -> Plan:
    """A plan with one more part; unchanged but for the reason if that is refused."""
    state, action = so_far.after, find_action(system, do)
    try:
        command = read_command(action, dict(fields), state)
        done = run(system, state, action, command=command, driver=TryDriver())
    except Refused as refused:
        return dataclasses.replace(so_far, stopped=_say_rest(so_far, refused))
    part = _tell(do, fields, label or action.label, command, done.facts)
    parts = (*so_far.parts, part)
    return Plan(parts, state, asked=done.requests) if isinstance(done, Waiting) else Plan(parts, done.state)


def _tell(
    do: str, fields: Mapping[str, Any], label: str, command: Command, facts: tuple[e.Fact, ...]
) -> Part:
    """A part as its facts tell it."""
    pools: dict[str, int] = {}
    course: tuple[Point, ...] = ()
    meters = 0.0
    for event in (fact.event for fact in facts):
        if isinstance(event, e.BudgetSpent) and event.who == command.actor:
            for pool, points in event.pools.items():
                pools[pool] = pools.get(pool, 0) + points
        elif isinstance(event, e.Moved) and event.who == command.actor:
            course = course or event.path
            meters += event.metres
    return Part(do, dict(fields), label, round(meters, 1), course, pools)


# ---------------------------------------------------------------- with what is left of a turn


def find_arming(system: System, state: State, who: str) -> tuple[str, Command] | None:
    """What gets an unarmed combatant a weapon for their next turn, by what is left of this one.

    It is the first part of a plan to attack the nearest enemy; None if they are armed, or reach nobody.
    """
    handling, attack = system.tactics.handling, find_attack(system)
    if handling is None or attack is None or not is_acting(state, who):
        return None
    actor, arming = state[who], {handling.draw, handling.exchange, handling.reload}
    foes = [one for one in present(state) if _is_enemy(system, state, actor, one)]
    foe = min(foes, key=lambda one: plan_distance(actor.at, one.at), default=None)
    ready = [one for one in actor.items if one.kind == "weapon" and one.place == "held" and one.loaded != 0]
    if foe is None or any(is_drawn(system, state, who, one) for one in ready):
        return None
    for weapon in actor.items:
        is_empty = weapon.place == "held" and weapon.loaded == 0
        if weapon.kind != "weapon" or not (is_empty or (weapon.place == "carried" and weapon.loaded != 0)):
            continue
        fields = {"actor": who, "target": foe.id, "weapon": weapon.id}
        for plan in find_plans(system, state, attack, fields, most=1):
            first = plan.parts[0]
            if first.do in arming and weapon.id in _name_items(first):
                return first.do, read_command(find_action(system, first.do), first.fields, state)
    return None


def find_attack(system: System) -> Action | None:
    """The plain attack of a game, with a weapon on a target; None without one."""
    action = system.actions.by_name.get(system.actions.attack)
    named = {"target", "weapon"}
    return action if action and named.issubset(action.type.__struct_fields__) else None


def _is_enemy(system: System, state: State, actor: Combatant, other: Combatant) -> bool:
    """Whether someone sees another who could still fight on another side."""
    is_against = other.side != actor.side and other.side not in system.tactics.neutral
    return is_against and not (
        system.characters.health(other).is_out or is_concealed_from(state, actor, other)
    )


def is_drawn(system: System, state: State, who: str, weapon: Item) -> bool:
    """Whether someone holds a weapon that can be put away: no part of the body can."""
    handling = system.tactics.handling
    if handling is None or weapon.place != "held":
        return False
    actor = state[who]
    rested = replace(actor, budget=dict.fromkeys(actor.budget, PLENTY))
    then = replace(state, combatants={**state.combatants, who: rested})
    fields = {"stow": [weapon.id], "draw": []} if handling.exchange else {handling.field: weapon.id}
    away = take(system, Plan((), then), handling.exchange or handling.put_away, {"actor": who, **fields})
    return not away.stopped


def _name_items(part: Part) -> list[str]:
    """The items that a part handles."""
    values = [part.fields.get(name) for name in ("item", "weapon")]
    return [str(one) for one in (*values, *part.fields.get("draw", ())) if one]


# ---------------------------------------------------------------- the search


@dataclass(frozen=True)
class _Wish:
    """What a player wants in the end: an action with its fields."""

    system: System
    action: Action
    fields: dict[str, Any]

    @property
    def who(self) -> str:
        return str(self.fields.get("actor", ""))

    def end(self, so_far: Plan) -> tuple[Plan | None, Refused | None]:
        """The plan with the wish as its last part, or why it is refused."""
        state = so_far.after
        try:
            command = read_command(self.action, self.fields, state)
            done = run(self.system, state, self.action, command=command, driver=TryDriver())
        except Refused as refused:
            return None, refused
        part = _tell(self.action.name, self.fields, self.action.label, command, done.facts)
        parts = (*so_far.parts, part)
        if isinstance(done, Waiting):
            return Plan(parts, state, asked=done.requests), None
        return Plan(parts, done.state), None


def _search(wish: _Wish, begun: Plan, refused: Refused, looks: bool = True) -> tuple[Plan, ...]:
    """All plans with the fewest parts; a mend that asks someone ends its plan.

    One that `looks` asks the map from where a target can be seen.
    """
    lookout = Lookout(looks)
    edge, asking, tries = [(begun, refused)], list[Plan](), 0
    for _ in range(MAX_MENDS):
        found, longer = list[Plan](), list[tuple[Plan, Refused]]()
        for plan, reason in edge:
            for mend in find_mends(wish.system, plan.after, wish.action, wish.fields, reason.code, lookout):
                tries += 1
                if tries > MAX_TRIES:
                    return tuple(found)
                mended = _mend(wish, plan, mend)
                if mended is None:
                    continue
                if mended.asked:
                    asking.append(mended)
                    continue
                whole, why = wish.end(mended)
                if whole:
                    found.append(whole)
                elif why:
                    longer.append((mended, why))
        if found:
            return tuple({plan.key: plan for plan in reversed(found)}.values())[::-1]
        edge = longer
    return tuple(asking[:1])


def _mend(wish: _Wish, so_far: Plan, mend: Candidate) -> Plan | None:
    """The plan with a mend as its next part; None if it is refused, repeats a part or ends the turn."""
    fields = {"actor": wish.who, **mend.fields}
    if any((part.do, part.fields) == (mend.name, fields) for part in so_far.parts):
        return None
    longer = take(wish.system, so_far, mend.name, fields, mend.label)
    is_on = not longer.stopped and is_acting(longer.after, wish.who)
    return longer if is_on and (longer.asked or longer.after != so_far.after) else None


def _find_first_parts(wish: _Wish, begun: Plan, refused: Refused) -> tuple[Plan, ...]:
    """The parts for this turn of a plan that takes more than is left of it."""
    state = begun.after
    actor = state[wish.who]
    ample = replace(actor, budget=dict.fromkeys(actor.budget, PLENTY))
    then = replace(state, combatants={**state.combatants, wish.who: ample})
    if wish.end(Plan((), then))[0]:
        return ()  # only the turn is spent: nothing has to come first
    for plan in _search(wish, Plan((), then), refused, looks=False)[:1]:
        first = begun
        for part in plan.parts[:-1]:
            first = take(wish.system, first, part.do, part.fields, part.label)
            if first.is_over:
                break
        if first.parts and not first.is_over:
            _, why = wish.end(first)
            first = dataclasses.replace(first, stopped=_say_rest(first, why) if why else "")
        return (first,) if first.parts and first.is_over else ()
    return ()


def _open_way(wish: _Wish, begun: Plan) -> tuple[Plan, ...]:
    """The way through a shut door towards a place that is too far for this turn."""
    so_far, to = begun, str(wish.fields.get("to") or "")
    for _ in range(MAX_MENDS if to else 0):
        mend = next(find_door_mends(wish.system, so_far.after, wish.who, to, Lookout(), stops=True), None)
        longer = _mend(wish, so_far, mend) if mend else None
        if longer is None or longer.asked:
            break
        so_far = longer
    if not so_far.parts:
        return ()
    _, why = wish.end(so_far)
    return (dataclasses.replace(so_far, stopped=_say_rest(so_far, why)),) if why else ()


def _say_rest(so_far: Plan, why: Refused) -> str:
    """Why a plan ends early. What its own parts have spent is said of them: the turn is still full."""
    if why.code != "no_budget" or not so_far.parts:
        return why.message
    spent = why.message
    return f"After {so_far.parts[-1].label}: {spent[:1].lower()}{spent[1:]}"


# ---------------------------------------------------------------- what mends what


@dataclass(frozen=True)
class Lookout:
    """Where moves lead, as first asked at each place; whether mends look for where a target is seen."""

    looks: bool = True
    kept: dict[tuple[str, Point], tuple[Reach, ...]] = field(default_factory=dict)

    def find_reaches(
        self, system: System, state: State, who: str
    ) -> Iterator[tuple[Action, tuple[Reach, ...]]]:
        """The moves that someone can make now, with the places that each leads to."""
        for action in find_moves(system):
            if action.find_reach and not find_refusal(action, state, who):
                key = action.name, state[who].at
                if key not in self.kept:
                    self.kept[key] = tuple(one for one in action.find_reach(state, who) if one.meters)
                if self.kept[key]:
                    yield action, self.kept[key]


def find_mends(
    system: System,
    state: State,
    action: Action,
    fields: Mapping[str, Any],
    code: str = "",
    lookout: Lookout | None = None,
) -> Iterator[Candidate]:
    """What might help against a refusal, by its code: the game's own, hands, stance, doors, a move.

    Of the `lookout` of a search each mend asks where moves lead.
    """
    lookout = lookout or Lookout()
    who, handling = str(fields.get("actor", "")), system.tactics.handling
    if who not in state.combatants:
        return
    yield from _find_own_mends(system, state, action, fields)
    if handling:
        for name in ("weapon", "item"):
            yield from _handle(handling, action, state[who], str(fields.get(name) or ""))
    yield from _stand(system, state, action, who)
    target = str(fields.get("target") or "")
    if trip := _find_trip(state, who, fields):
        yield from filter(None, (find_opening(system, state, who, trip.way.id),))
        yield from find_door_mends(system, state, who, f"{trip.start.x:g},{trip.start.y:g}", lookout)
        yield from _find_walks(system, state, who, trip.start, lookout)
    to = str(fields.get("to") or "") or (f"near:{target}" if target and target != who else "")
    if to and DOOR not in action.type.__struct_fields__:
        yield from find_door_mends(system, state, who, to, lookout)
        if target in state.combatants and target != who and not fields.get("to"):
            yield from _find_approaches(system, state, who, target, code, lookout)


def find_readying(
    system: System, state: State, action: Action, fields: Mapping[str, Any]
) -> Iterator[Candidate]:
    """What someone may have to do before anything else: what their game alone has, and to stand up."""
    yield from _find_own_mends(system, state, action, fields)
    yield from _stand(system, state, action, str(fields["actor"]))


def _find_own_mends(
    system: System, state: State, action: Action, fields: Mapping[str, Any]
) -> Iterable[Candidate]:
    find = system.tactics.find_mends
    return find(state, action.name, fields) if find else ()


def _stand(system: System, state: State, action: Action, who: str) -> Iterator[Candidate]:
    handling = system.tactics.handling
    if handling and handling.stand and handling.stand != action.name:
        if has_condition(state[who], *handling.low):
            yield Candidate(STAND, handling.stand, dict(handling.standing))


def _handle(handling: Handling, action: Action, combatant: Combatant, named: str) -> Iterator[Candidate]:
    """What gets an item into hand and ready: draw it, free the hands for it, load it."""
    item = next((one for one in combatant.items if one.id == named), None)
    draws, takes_away = handling.draw == action.name, (handling.put_away, handling.drop, handling.exchange)
    if item is None or (action.name in takes_away and not draws):
        return
    held = [one for one in combatant.items if one.place == "held" and one.id != item.id]
    if item.place == "held":
        if handling.reload and action.name != handling.reload and item.kind == "weapon":
            yield Candidate(f"Reload {item.name}", handling.reload, {handling.field: item.id})
    elif handling.exchange:
        yield from _exchange(handling, item, held)
    elif not draws:
        yield Candidate(f"Draw {item.name}", handling.draw, {handling.field: item.id})
    yield from _free_hands(handling, held)


def _free_hands(handling: Handling, held: list[Item]) -> Iterator[Candidate]:
    """What puts away or drops each item in hand."""
    if handling.exchange:
        for one in held:
            yield Candidate(f"Put {one.name} away", handling.exchange, {"stow": [one.id], "draw": []})
        return
    for verb, do in (("Put away", handling.put_away), ("Drop", handling.drop)):
        yield from (Candidate(f"{verb} {one.name}", do, {handling.field: one.id}) for one in held)


def _exchange(handling: Handling, item: Item, held: list[Item]) -> Iterator[Candidate]:
    """One action that draws an item, and puts another away before it."""
    yield Candidate(f"Draw {item.name}", handling.exchange, {"draw": [item.id], "stow": []})
    for one in held:
        label = f"Draw {item.name} (puts {one.name} away)"
        yield Candidate(label, handling.exchange, {"draw": [item.id], "stow": [one.id]})


def find_moves(system: System) -> Iterator[Action]:
    """The actions of a combatant that lead to a place, those that take nothing from the turn first."""
    moves = (a for a in system.actions.by_name.values() if a.leads_there and a.who != "gm")
    yield from sorted(moves, key=lambda action: not action.is_free)


def find_usual_move(system: System, state: State, who: str) -> tuple[Action, Refused | None] | None:
    """How someone moves now: the first action open to them, else what fits where they are, with its refusal.

    On foot that is their move, inside a carrier what moves the carrier. None in a game without moves.
    """
    tried = [(action, find_refusal(action, state, who)) for action in find_moves(system)]
    inside = bool(state[who].inside)
    return min(tried, key=lambda one: bool(one[1]) and (1 + ((one[0].name == MOVE) == inside)), default=None)


def _find_trip(state: State, who: str, fields: Mapping[str, Any]) -> Trip | None:
    """The way to another deck that a wish names, from the deck of who wishes; None without one."""
    way = str(fields.get("way") or "")
    trips = find_all_trips(state, state[who].at) if way else []
    return next((one for one in trips if one.way.id == way), None)


def _find_walks(system: System, state: State, who: str, goal: Point, lookout: Lookout) -> Iterator[Candidate]:
    """Walks to the place within reach that is nearest to a goal."""
    for action, reach in lookout.find_reaches(system, state, who):
        near = min(reach, key=lambda one: plan_distance(one.at, goal))
        yield _walk_to(action, near.at)


def _walk_to(action: Action, at: Point) -> Candidate:
    return Candidate(action.label, action.name, {"to": f"{at.x:g},{at.y:g}"})


def _find_approaches(
    system: System, state: State, who: str, target: str, code: str, lookout: Lookout
) -> Iterator[Candidate]:
    """Walks to where a target that is out of reach or out of sight is neither: the shortest such walk, to the
    target, and as near to it as one gets."""
    is_far = code == "out_of_range"
    if not is_far and _is_seen(system, state, state[who], state[target]):
        return
    if is_far:
        yield from (Candidate(a.label, a.name, {"to": f"near:{target}"}) for a in find_moves(system))
    for action, reach in lookout.find_reaches(system, state, who) if lookout.looks else ():
        for spot in _find_outlooks(system, state, who, target, reach):
            yield _walk_to(action, spot)
        if not action.is_free:
            return  # longer ones take the turn


def _find_outlooks(
    system: System, state: State, who: str, target: str, reach: tuple[Reach, ...]
) -> Iterator[Point]:
    """Of the places within reach, the one with the shortest walk and the nearest one that see a target."""
    goal = state[target]
    orders: tuple[Callable[[Reach], float], ...] = (
        lambda one: one.meters,
        lambda one: plan_distance(one.at, goal.at),
    )
    found = list[Point]()
    for order in orders:
        for one in sorted(reach, key=order)[:MAX_OUTLOOKS]:
            there = replace(state[who], at=on_ground(state.scene, one.at))
            if _is_seen(system, state, there, goal):
                found.append(one.at)
                break
    yield from dict.fromkeys(found)


def _is_seen(system: System, state: State, one: Combatant, other: Combatant) -> bool:
    return system.space.sight is None or system.space.sight(state, one, other).seen


def find_door_mends(
    system: System, state: State, who: str, to: str, lookout: Lookout, stops: bool = False
) -> Iterator[Candidate]:
    """The shut door on the shortest way to a place: open it, or go to it, or as near as one gets now; nothing
    if it is locked, and only one that `stops` if no way may lead round it."""
    goal = find_goal(system, state, state[who], to)
    find_door = find_stopping_door if stops else find_shut_on
    door = find_door(system, state, state[who], goal) if goal else None
    if goal is None or door is None or door.locked:
        return
    if opening := find_opening(system, state, who, door.id):
        yield opening
        return
    path = _find_path_to_door(system, state, state[who], goal)
    for action, reach in lookout.find_reaches(system, state, who) if path else ():
        if near := _find_last_on(path, reach):
            yield _walk_to(action, near.at)
            return


def _find_path_to_door(system: System, state: State, combatant: Combatant, goal: Point) -> tuple[Point, ...]:
    """The path to the place before the first shut door on the way to a place; empty if there is none."""
    doorway = find_doorway(state, combatant, goal, _walk_of(system, state, combatant))
    return find_path(system, state, combatant, doorway) if doorway else ()


def find_path(system: System, state: State, combatant: Combatant, goal: Point) -> tuple[Point, ...]:
    """The shortest path of someone to a place of their deck; empty if there is none."""
    try:
        return find_way(map_of(state.scene), _walk_of(system, state, combatant), combatant.at, goal)
    except Refused:
        return ()


def _walk_of(system: System, state: State, combatant: Combatant) -> Way:
    """How someone walks on the map of now."""
    grid = make_grid(map_of(state.scene), system.space.cell_meters, system.space.has_hexes(state))
    return Way(grid, meters=meters_of(combatant))


def _find_last_on(path: tuple[Point, ...], reach: tuple[Reach, ...]) -> Reach | None:
    """The place in reach that is farthest along a path; None if that is where it begins."""
    for a, b in reversed(list(pairwise(path))):
        steps = max(1, round(2 * plan_distance(a, b)))
        for n in range(steps, 0, -1):
            spot = Point(a.x + (b.x - a.x) * n / steps, a.y + (b.y - a.y) * n / steps)
            near = min(reach, key=lambda one: plan_distance(one.at, spot))
            if plan_distance(near.at, spot) <= NEARLY * near.side:
                return near
    return None


def find_goal(system: System, state: State, combatant: Combatant, to: str) -> Point | None:
    """The place that a form names for someone: meters, a zone, or next to another."""
    kind, _, name = to.partition(":")
    if kind == "near":
        return state.combatants[name].at if name in state.combatants else None
    try:
        if kind == "zone":
            walk = _walk_of(system, state, combatant)
            return find_middle(state.scene, check_goal(state.scene, name), walk.grid, walk.meters)
        return read_points(to)[-1]
    except Refused:
        return None


def find_stopping_door(system: System, state: State, combatant: Combatant, goal: Point) -> Wall | None:
    """The shut door that stops someone on the way to a place of their deck; None if none does."""
    found = _find_known_way(system, state, combatant, goal)
    if found is None:
        return None
    drawn, way = found
    if allows(find_way, drawn, way, combatant.at, goal):
        return None
    return find_shut_door(drawn, way, combatant.at, goal)


def find_shut_on(system: System, state: State, combatant: Combatant, goal: Point) -> Wall | None:
    """The first shut door on the shortest way to a place of someone's deck, though a way leads round it."""
    found = _find_known_way(system, state, combatant, goal)
    return find_shut_door(*found, combatant.at, goal) if found else None


def _find_known_way(
    system: System, state: State, combatant: Combatant, goal: Point
) -> tuple[BattleMap, Way] | None:
    """The map with how someone walks on it; None without walls, or to another deck."""
    drawn = map_of(state.scene)
    here, there = (find_deck(drawn.decks, at.x, at.y) for at in (combatant.at, goal))
    if not drawn.walls or here != there:
        return None
    grid = make_grid(drawn, system.space.cell_meters, system.space.has_hexes(state))
    return drawn, Way(grid, meters=meters_of(combatant))


def find_opening(system: System, state: State, who: str, door: str) -> Candidate | None:
    """The action that opens a door, or the cover of a way, from here and now; None if none does."""
    for action in system.actions.by_name.values():
        if action.who == "gm" or DOOR not in action.type.__struct_fields__:
            continue
        if find_refusal(action, state, who):
            return None
        drawn = map_of(state.scene)
        opened = {one.id for one in drawn.walls if one.open} | {one.id for one in drawn.ways if one.open}
        fields = (one for one in action.find_fields(state, who) if one.name == DOOR)
        options = (option for one in fields for option in one.options)
        option = next((one for one in options if one.value == door and not one.refused), None)
        return Candidate(option.label, action.name, {DOOR: door}) if option and door not in opened else None
    return None
