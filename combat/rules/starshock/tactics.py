"""Tactics: a sensible legal action for a combatant, and automatic answers to choices.

Suggestions are preparations to try before a roll; the engine finds out which are legal and help.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.commands.commands import Command
from combat.rules.core.declaration.parts import Candidate
from combat.rules.core.gm.ways import Step, TakeWay, UseDoor, find_doorway, find_next_way, find_shut
from combat.rules.core.map.bodies import is_concealed_from, nearest
from combat.rules.core.map.starts import leads_out
from combat.rules.core.space import FARTHEST, Point, count_steps
from combat.rules.core.state.state import Combatant, Item, State, find_item, replace

from .book.tables import HANDS, MAX_DECLARED, POOL_METERS
from .characters.conditions import is_down
from .characters.sheet import is_able, is_conscious, read_weapon
from .fight.aim import Attack, check_attack, check_grip
from .fight.attack import expected_damage, find_chance
from .move.movement import Go
from .move.ways import Move, check_move, check_walk, count_moves, count_way_moves, lead
from .turn.deeds import check_passage
from .turn.hands import Change, Load, check_change, check_load
from .turn.rounds import Declare
from .world.economy import can_afford, check_rate, check_weapon_rate, find_budget, has_used_free, is_declaring
from .world.paths import make_way
from .world.place import (
    are_enemies,
    count_between,
    count_cells,
    count_zones,
    find_neighbours,
    has_hexes,
    is_map,
    melee_reach,
    zone_id,
)
from .world.sight_lines import find_arm

Submission = tuple[str, Command]
POOR = 0.25  # the chance to hit below which someone goes nearer first


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of a combatant; None to end its turn."""
    combatant = state.combatants.get(actor)
    if combatant is None or not is_able(combatant):
        return None
    declares = is_declaring(state, combatant)
    can_strike = declares or can_afford(state, actor, attack=True)
    foes = find_foes(state, combatant)
    if not foes:
        return None
    if declares:
        actions = count_plan(state, combatant, foes)
        return ("declare", Declare(actor=actor, actions=actions)) if actions else None
    return find_step(state, combatant, foes, can_strike)


def find_foes(state: State, combatant: Combatant) -> list[Combatant]:
    """Enemies worth attacking, nearest first."""
    hexes = has_hexes(state)
    foes = [
        f
        for f in state.combatants.values()
        if is_conscious(f) and are_enemies(combatant, f) and not is_concealed_from(state, combatant, f, hexes)
    ]
    return sorted(foes, key=partial(_distance, state, combatant))


def _distance(state: State, combatant: Combatant, foe: Combatant) -> int:
    return (count_between if is_map(state) else _count_steps)(state, combatant, foe)


def _count_steps(state: State, combatant: Combatant, foe: Combatant) -> int:
    steps = count_zones(state, combatant, foe)
    return 999 if steps is None else steps


def find_step(
    state: State, combatant: Combatant, foes: list[Combatant], can_strike: bool
) -> Submission | None:
    """The next action for the actions that are left; `can_strike` if those allow an attack."""
    left = combatant.budget.get("actions", 0)
    best = _best_attack(state, combatant, foes) if can_strike else None
    if is_down(combatant) and left >= (2 if best else 1):
        return ("stand_up", Command(actor=combatant.id))
    if best:
        return _close_in(state, combatant, best) or ("attack", best)
    return _prepare(state, combatant, foes, left) if can_strike else None


def count_plan(state: State, combatant: Combatant, foes: list[Combatant]) -> int:
    """The number of actions to declare: as few as the attack needs; 0 if none leads on.  [SS-ACT-02]

    What a step costs is asked of the step.
    """
    prone = int(is_down(combatant))
    if _best_attack(state, combatant, foes) or _find_draw(state, combatant, foes):
        return prone + 1
    if _find_reload(state, combatant):
        return prone + 2
    if prone:
        return min(MAX_DECLARED, prone + _count_approach(state, combatant, foes[0]) + 1)
    return next(filter(None, (_count_walk(state, combatant, foe) for foe in foes)), 0)


def _count_walk(state: State, combatant: Combatant, foe: Combatant) -> int:
    """The number of actions that lead nearer to an enemy; 0 if none does."""
    least = min(MAX_DECLARED, _count_approach(state, combatant, foe) + 1)
    for actions in range(least, MAX_DECLARED + 1):
        ready = replace(combatant, budget=find_budget(state, actions))
        later = replace(state, combatants={**state.combatants, combatant.id: ready})
        if _come_closer(later, ready, foe, actions):
            return actions
    return 0


def _count_approach(state: State, combatant: Combatant, foe: Combatant) -> int:
    far = _distance(state, combatant, foe)
    if is_map(state):
        left = far - melee_reach(state) - combatant.budget.get("metres", 0)
        return max(0, -(-left // POOL_METERS))
    return far


# ---------------------------------------------------------------- attacking


def _best_attack(state: State, combatant: Combatant, foes: list[Combatant]) -> Attack | None:
    """The legal attack with the highest expected damage, in points."""
    best, most = None, 0.0
    ready = [
        item
        for item in combatant.items
        if _is_ready(state, combatant, item) and allows(check_weapon_rate, state, combatant, item.id)
    ]
    for foe in foes:
        for item in ready:
            attack = Attack(actor=combatant.id, target=foe.id, weapon=item.id)
            worth = expected_damage(state, attack, read_weapon(item))
            if worth > most:
                best, most = attack, worth
    return best


def _is_ready(state: State, combatant: Combatant, item: Item) -> bool:
    if item.kind != "weapon" or item.place != "held" or item.loaded == 0:
        return False
    return item.data["hands"] < HANDS or allows(check_grip, state, combatant, item)


def _close_in(state: State, combatant: Combatant, attack: Attack) -> Submission | None:
    """Before a poor attack, a walk toward its target by the rest of the pool. [SS-MAP-07] [SS-RANGE-04]"""
    weapon = read_weapon(find_item(combatant, attack.weapon))
    if not is_map(state) or find_chance(state, attack, weapon) >= POOR:
        return None
    return _find_walk(state, combatant, f"near:{attack.target}", 0)


# ---------------------------------------------------------------- preparing


def _prepare(state: State, combatant: Combatant, foes: list[Combatant], left: int) -> Submission | None:
    """Prepare an attack: draw, reload, or close in on the nearest enemy to whom a way leads."""
    drawn = _find_draw(state, combatant, foes[:1])
    if drawn:
        return ("change_items", drawn)
    loading = _find_reload(state, combatant)
    if loading and left:
        return ("reload", loading)
    return next(filter(None, (_come_closer(state, combatant, foe, left) for foe in foes)), None)


def _find_draw(state: State, combatant: Combatant, foes: list[Combatant]) -> Change | None:
    """A weapon to draw and use at once, if drawing is still free."""
    if has_used_free(combatant, "change_items"):
        return None
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held" and i.data["hands"]]
    for item in combatant.items:
        if item.kind != "weapon" or item.place != "carried" or item.loaded == 0:
            continue
        for stow in ((), *((i.id,) for i in held)):
            submission = Change(actor=combatant.id, stow=stow, draw=(item.id,))
            if allows(check_change, state, submission) and _would_reach(state, combatant, item, foes):
                return submission
    return None


def _would_reach(state: State, combatant: Combatant, item: Item, foes: list[Combatant]) -> bool:
    items = tuple(replace(i, place="held") if i.id == item.id else i for i in combatant.items)
    later = replace(state, combatants={**state.combatants, combatant.id: replace(combatant, items=items)})
    attacks, weapon = (
        (Attack(actor=combatant.id, target=f.id, weapon=item.id) for f in foes),
        read_weapon(item),
    )
    return any(allows(check_attack, later, each) and find_chance(later, each, weapon) for each in attacks)


def _find_reload(state: State, combatant: Combatant) -> Load | None:
    for item in combatant.items:
        submission = Load(actor=combatant.id, item=item.id)
        if item.kind == "weapon" and item.place == "held" and item.loaded == 0:
            if allows(check_load, state, submission):
                return submission
    return None


def _come_closer(state: State, combatant: Combatant, foe: Combatant, left: int) -> Submission | None:
    """A step toward an enemy with so many actions; None if none leads there."""
    find = _approach_on_map if is_map(state) else _approach
    return find(state, combatant, foe, left)


def _approach(state: State, combatant: Combatant, foe: Combatant, left: int) -> Submission | None:
    """Move into the next zone on the shortest path. [SS-OTHER-05]"""
    there = zone_id(state, foe)
    near = find_neighbours(state.scene, zone_id(state, combatant))
    ways = {name: count_steps(state.scene, name, there) for name in near}
    open_ways = {name: steps for name, steps in ways.items() if steps is not None}
    if not open_ways:
        return None
    submission = Move(actor=combatant.id, to=f"zone:{min(open_ways, key=lambda name: open_ways[name])}")
    if not allows(check_move, state, submission):
        return None
    if not _can_pay(state, combatant, count_moves(state, submission), left):
        return None
    return ("move", submission)


def _approach_on_map(state: State, combatant: Combatant, foe: Combatant, left: int) -> Submission | None:
    """Go on to an enemy, or open a door; else go to the door on the way. [SS-MAP-07] [SS-MAP-08]"""
    if up := find_next_way(state, combatant, foe.at, find_arm(state)):
        return _change_deck(state, combatant, up, left)
    step = _find_walk(state, combatant, f"near:{foe.id}", left)
    door = find_shut(state, combatant.id, find_arm(state)) if left else None
    if door and not _gets_nearer(state, combatant, foe):
        return ("door", UseDoor(actor=combatant.id, door=door.id))
    if step:
        return step
    doorway = find_doorway(state, combatant, foe.at, make_way(state, combatant))
    return _find_walk(state, combatant, f"{doorway.x:g},{doorway.y:g}", left) if doorway else None


def _change_deck(state: State, combatant: Combatant, step: Step, left: int) -> Submission | None:
    """Take the way to another deck, or go to it, through doors.  RULING R50"""
    way, at = step.trip.way, step.trip.start
    if step.is_near and way.open:
        fits = allows(check_passage, state, combatant.id, way.id)
        fits = fits and _can_pay(state, combatant, count_way_moves(state, step.trip), left)
        return ("way", TakeWay(actor=combatant.id, way=way.id)) if fits else None
    if step.is_near:
        return ("door", UseDoor(actor=combatant.id, door=way.id)) if left else None
    if walk := _find_walk(state, combatant, f"{at.x:g},{at.y:g}", left):
        return walk
    door = find_shut(state, combatant.id, find_arm(state)) if left else None
    if door:
        return ("door", UseDoor(actor=combatant.id, door=door.id))
    doorway = find_doorway(state, combatant, at, make_way(state, combatant))
    return _find_walk(state, combatant, f"{doorway.x:g},{doorway.y:g}", left) if doorway else None


def _can_pay(state: State, combatant: Combatant, moves: int, left: int) -> bool:
    """Whether the actions left, and the Rate of a Move, pay for so many Moves.  [SS-RATE-01]"""
    rated = is_declaring(state, combatant) or allows(check_rate, state, combatant, "move", "", 0, moves)
    return moves <= left and rated


def _find_walk(state: State, combatant: Combatant, to: str, left: int) -> Submission | None:
    """A walk toward a place by the pool, or by the meters of an action; None if neither leads on."""
    if _find_end(state, combatant, to):
        return ("free_move", Go(actor=combatant.id, to=to, far=True))
    budget = {**combatant.budget, "metres": combatant.budget.get("metres", 0) + POOL_METERS}
    paid = replace(combatant, budget=budget)
    later = replace(state, combatants={**state.combatants, combatant.id: paid})
    if _can_pay(state, combatant, 1, left) and _find_end(later, paid, to):
        return ("move", Move(actor=combatant.id, to=to, far=True))
    return None


def _find_end(state: State, combatant: Combatant, to: str) -> Point | None:
    """The end of a walk toward a place that the pool pays for; None if it leads to no other cell, or out of
    the drawn place."""
    walk = Move(actor=combatant.id, to=to, far=True)
    kind, _, other = to.partition(":")
    goal = state[other].at if kind == "near" else None
    rested = replace(combatant, budget={**combatant.budget, "metres": FARTHEST})
    later = replace(state, combatants={**state.combatants, combatant.id: rested})
    try:
        path = check_walk(state, walk)
        is_out = leads_out(state.scene, path, partial(lead, later, walk), goal, hexes=has_hexes(state))
    except Refused:
        return None
    return None if is_out else path[-1]


def _gets_nearer(state: State, combatant: Combatant, foe: Combatant) -> bool:
    """Whether the pool leads straight toward an enemy."""
    goal = _find_end(state, combatant, f"near:{foe.id}")
    here, there = nearest(combatant, foe, hexes=has_hexes(state))
    return goal is not None and count_cells(state, goal, foe.at) < count_cells(state, here, there)


# ---------------------------------------------------------------- plans


def find_mends(state: State, name: str, fields: Mapping[str, Any]) -> Iterator[Candidate]:
    """Each number of actions to declare, the fewest first, while the turn waits for it.  [SS-ACT-01]"""
    who = str(fields.get("actor", ""))
    if name == "declare" or who not in state.combatants or not is_declaring(state, state[who]):
        return
    for actions in range(1, MAX_DECLARED + 1):
        label = f"Declare {actions} action{'s' * (actions > 1)}"
        yield Candidate(label, "declare", {"actions": actions}, "SS-ACT-01")


# ---------------------------------------------------------------- suggestions


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Stand up, use another weapon in hand, or go where the shot is better.

    [SS-PRONE-01] [SS-ATK-04] [SS-ZONE-13] [SS-RANGE-03]
    """
    if not isinstance(command, Attack):
        return ()
    combatant = state[command.actor]
    found = [Candidate("Stand up first", "stand_up", {}, "SS-PRONE-01")] if is_down(combatant) else []
    return (*found, *_weapons(combatant, command), *_places(state, combatant, command))


def _weapons(combatant: Combatant, command: Attack) -> list[Candidate]:
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held" and i.id != command.weapon]
    return [Candidate(f"Use {item.name} instead", "", {"weapon": item.id}, "SS-ATK-04") for item in held]


def _places(state: State, combatant: Combatant, command: Attack) -> list[Candidate]:
    """The zones next to the combatant's own, or places nearer to the target on a map."""
    if is_map(state):
        name = state[command.target].name
        near = {"to": f"near:{command.target}", "far": True}
        return [Candidate(f"Move closer to {name} first", "free_move", near, "SS-RANGE-04")]
    names = {zone.id: zone.name for zone in state.scene.zones}
    near_by = find_neighbours(state.scene, zone_id(state, combatant))
    return [
        Candidate(f"Move to {names[zone]} first", "move", {"to": f"zone:{zone}"}, "SS-RANGE-03")
        for zone in near_by
    ]
