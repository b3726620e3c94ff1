"""Tactics: a sensible legal action for a combatant, and automatic answers to choices.

Suggestions are preparations to try before a roll; the engine finds out which are legal and help.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from combat.rules.core.basics.dice.dice import count_sums
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.gm.doors import UseDoor, find_doorway, find_shut
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import count_steps
from combat.rules.core.state.state import Combatant, Item, State, replace

from .book.records import Weapon
from .book.tables import HANDS, MAX_DECLARED, POOL_METERS
from .fight.aim import Attack, Swing, check_attack, check_grip, check_way, mean_damage, modifiers_for_attack
from .fight.economy import can_afford, check_weapon_rate, has_used_free, is_declaring
from .fight.items import Change, Load, check_change, check_load
from .move.movement import Go, Move, check_move, check_walk, count_moves
from .people.conditions import is_down
from .people.sheet import is_able, is_conscious, read_weapon
from .people.values import value_terms
from .turn.basic_actions import find_arm
from .turn.rounds import Declare
from .world.place import (
    are_enemies,
    count_between,
    count_meters,
    count_zones,
    find_neighbours,
    has_hexes,
    is_map,
    melee_reach,
    zone_id,
)
from .world.wall_paths import make_way

Submission = tuple[str, Command]
CHANCES = {  # of reaching each number with 2d6
    needed: sum(weight for total, weight in count_sums(2, 6).items() if total >= needed) / 36
    for needed in range(2, 13)
}


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
        return ("declare", Declare(actor=actor, actions=count_plan(state, combatant, foes)))
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
        return ("attack", best)
    return _prepare(state, combatant, foes[0], left) if can_strike else None


def count_plan(state: State, combatant: Combatant, foes: list[Combatant]) -> int:
    """The number of actions to declare: as few as the attack needs.  [SS-ACT-02]"""
    prone = int(is_down(combatant))
    if _best_attack(state, combatant, foes) or _find_draw(state, combatant, foes):
        return prone + 1
    if _find_reload(state, combatant):
        return prone + 2
    moves = _count_approach(state, combatant, foes[0])
    return min(MAX_DECLARED, prone + moves + 1)


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
            worth = _expected_damage(state, attack, read_weapon(item))
            if worth > most:
                best, most = attack, worth
    return best


def _is_ready(state: State, combatant: Combatant, item: Item) -> bool:
    """Whether an item is a weapon that can attack at once."""
    if item.kind != "weapon" or item.place != "held" or item.loaded == 0:
        return False
    return item.data["hands"] < HANDS or allows(check_grip, state, combatant, item)


def _expected_damage(state: State, attack: Attack, weapon: Weapon) -> float:
    """The damage to expect of an attack with a ready weapon, in points; 0 if it does not reach."""
    combatant, foe = state[attack.actor], state[attack.target]
    if not allows(check_way, state, combatant, foe, weapon):
        return 0.0
    terms = modifiers_for_attack(state, Swing(command=attack), weapon, paid=False)
    needed = add_up(value_terms(state, foe, weapon.versus)) - add_up(terms)
    return chance_of(needed) * mean_damage(weapon.damage)


def chance_of(needed: int) -> float:
    """The chance that 2d6 reach a number, at least 1%."""
    return CHANCES.get(max(2, needed), 0.01)


# ---------------------------------------------------------------- preparing


def _prepare(state: State, combatant: Combatant, foe: Combatant, left: int) -> Submission | None:
    """Prepare an attack: draw, reload, or close in."""
    drawn = _find_draw(state, combatant, [foe])
    if drawn:
        return ("change_items", drawn)
    loading = _find_reload(state, combatant)
    if loading and left:
        return ("reload", loading)
    return (
        _approach_on_map(state, combatant, foe, left)
        if is_map(state)
        else _approach(state, combatant, foe, left)
    )


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
    submissions = (Attack(actor=combatant.id, target=foe.id, weapon=item.id) for foe in foes)
    return any(allows(check_attack, later, submission) for submission in submissions)


def _find_reload(state: State, combatant: Combatant) -> Load | None:
    for item in combatant.items:
        submission = Load(actor=combatant.id, item=item.id)
        if item.kind == "weapon" and item.place == "held" and item.loaded == 0:
            if allows(check_load, state, submission):
                return submission
    return None


def _approach(state: State, combatant: Combatant, foe: Combatant, left: int) -> Submission | None:
    """Move into the next zone on the shortest path. [SS-OTHER-05]"""
    there = zone_id(state, foe)
    near = find_neighbours(state.scene, zone_id(state, combatant))
    ways = {name: count_steps(state.scene, name, there) for name in near}
    open_ways = {name: steps for name, steps in ways.items() if steps is not None}
    if not open_ways:
        return None
    submission = Move(actor=combatant.id, to=f"zone:{min(open_ways, key=lambda name: open_ways[name])}")
    if not allows(check_move, state, submission) or count_moves(state, submission) > left:
        return None
    return ("move", submission)


def _approach_on_map(state: State, combatant: Combatant, foe: Combatant, left: int) -> Submission | None:
    """Move by the pool first, then by spending an action. [SS-MAP-07] [SS-MAP-08]"""
    if count_between(state, combatant, foe) <= melee_reach(state):
        return None
    to = f"near:{foe.id}"
    if combatant.budget.get("metres", 0) and _gets_nearer(state, combatant, foe, to):
        return ("free_move", Go(actor=combatant.id, to=to, far=True))
    door = find_shut(state, combatant.id, find_arm(state)) if left else None
    if door and not _gets_nearer(state, combatant, foe, to):
        return ("door", UseDoor(actor=combatant.id, door=door.id))
    way = make_way(state, combatant)
    doorway = None if _leads(state, combatant, to) else find_doorway(state, combatant, foe.at, way)
    if doorway is not None:
        to = f"{doorway.x:g},{doorway.y:g}"
        if combatant.budget.get("metres", 0) and _leads(state, combatant, to):
            return ("free_move", Go(actor=combatant.id, to=to, far=True))
    return ("move", Move(actor=combatant.id, to=to, far=True)) if left else None


def _leads(state: State, combatant: Combatant, to: str) -> bool:
    """Whether a path leads to a place now."""
    return allows(check_walk, state, Move(actor=combatant.id, to=to, far=True))


def _gets_nearer(state: State, combatant: Combatant, foe: Combatant, to: str) -> bool:
    try:
        goal = check_walk(state, Move(actor=combatant.id, to=to, far=True))[-1]
    except Refused:
        return False
    return count_meters(state, goal, foe.at) < count_between(state, combatant, foe)


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
