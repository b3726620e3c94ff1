"""Tactics: a sensible legal action for a fighter, and how choices are answered without people."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from combat.rules.core.basics.dice import count_sums
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.bodies import is_concealed_from, metres_of
from combat.rules.core.commands.commands import Command
from combat.rules.core.gm.doors import UseDoor, find_doorway, find_shut
from combat.rules.core.space import count_steps
from combat.rules.core.state.state import (
    Combatant,
    Item,
    State,
    has_condition,
    present,
    replace,
)

from ..book.tables import MAX_DECLARED, POOL_METRES
from ..fight.aim import (
    Attack,
    Swing,
    check_attack,
    mean_damage,
    modifiers_for_attack,
    penalty_terms,
    value_against,
)
from ..fight.economy import can_afford, has_used_free, is_declaring
from ..fight.items import Change, Load, check_change, check_load
from ..move.movement import Go, Move, check_move, check_walk, count_moves
from ..people.sheet import is_able, is_conscious, read_weapon
from ..turn.doors import find_arm
from ..turn.rounds import Declare
from ..world.place import (
    are_enemies,
    count_between,
    count_metres,
    count_zones,
    find_neighbours,
    has_hexes,
    is_map,
    melee_reach,
    zone_id,
)
from ..world.ways import make_way

Submission = tuple[str, Command]
CHANCES = count_sums(2, 6)


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of a fighter; None when its turn should end."""
    if actor not in state.combatants or not is_able(state[actor]):
        return None
    fighter = state[actor]
    foes = find_foes(state, fighter)
    if not foes:
        return None
    if is_declaring(state, fighter):
        return ("declare", Declare(actor=actor, actions=count_plan(state, fighter, foes)))
    return find_step(state, fighter, foes)


def find_foes(state: State, fighter: Combatant) -> list[Combatant]:
    """Enemies still worth attacking, nearest first."""
    foes = [f for f in present(state) if are_enemies(fighter, f) and is_conscious(f)]
    foes = [f for f in foes if not is_concealed_from(state, fighter, f, has_hexes(state))]
    return sorted(foes, key=lambda foe: _distance(state, fighter, foe))


def _distance(state: State, fighter: Combatant, foe: Combatant) -> int:
    if is_map(state):
        return count_between(state, fighter, foe)
    steps = count_zones(state, fighter, foe)
    return 999 if steps is None else steps


def find_step(state: State, fighter: Combatant, foes: list[Combatant]) -> Submission | None:
    """What to do now with the actions that are left."""
    left = fighter.budget.get("actions", 0)
    can_strike = can_afford(state, fighter.id, attack=True)
    best = _best_attack(state, fighter, foes) if can_strike else None
    if has_condition(fighter, "prone") and left >= (2 if best else 1):
        return ("stand_up", Command(actor=fighter.id))
    if best:
        return ("attack", best)
    return _prepare(state, fighter, foes[0], left) if can_strike else None


def count_plan(state: State, fighter: Combatant, foes: list[Combatant]) -> int:
    """How many actions to declare: as few as the attack needs.  [SS-ACT-02]"""
    prone = int(has_condition(fighter, "prone"))
    if _can_attack(state, fighter, foes) or _find_draw(state, fighter, foes):
        return prone + 1
    if _find_reload(state, fighter):
        return prone + 2
    moves = _count_approach(state, fighter, foes[0])
    return min(MAX_DECLARED, prone + moves + 1)


def _count_approach(state: State, fighter: Combatant, foe: Combatant) -> int:
    far = _distance(state, fighter, foe)
    if is_map(state):
        left = far - melee_reach(state) - fighter.budget.get("metres", 0)
        return max(0, -(-left // POOL_METRES))
    return far


# ---------------------------------------------------------------- attacking


def _best_attack(state: State, fighter: Combatant, foes: list[Combatant]) -> Attack | None:
    """The legal attack with the highest expected damage."""
    best, most = None, 0.0
    for submission, worth in _find_attacks(state, fighter, foes):
        if worth > most:
            best, most = submission, worth
    return best


def _find_attacks(state: State, fighter: Combatant, foes: list[Combatant]) -> Iterator[tuple[Attack, float]]:
    """Every legal attack on one of these, with roughly the damage it may be expected to do, in points."""
    weapons = [item for item in fighter.items if item.kind == "weapon"]
    penalties: dict[str, int] = {}  # the same for every foe
    for foe in foes:
        for item in weapons:
            submission = Attack(actor=fighter.id, target=foe.id, weapon=item.id)
            needed = _find_needed(state, submission, item)
            if needed is None:
                continue
            if item.id not in penalties:
                swing = Swing(command=submission)
                penalties[item.id] = add_up(penalty_terms(state, swing, read_weapon(item), paid=False))
            yield submission, chance_of(needed - penalties[item.id]) * mean_damage(item)


def _can_attack(state: State, fighter: Combatant, foes: list[Combatant]) -> bool:
    """Whether some attack is worth anything, however good it is."""
    return any(worth > 0 for _, worth in _find_attacks(state, fighter, foes))


@cache
def chance_of(needed: int) -> float:
    """The chance that 2d6 show so much, at least a hundredth."""
    return max(0.01, sum(weight for total, weight in CHANCES.items() if total >= needed) / 36)


def _look_at_attack(state: State, submission: Attack, item: Item) -> Seen:
    """All that a plain attack rests on besides what was done in this turn."""
    fighter, target = state[submission.actor], state[submission.target]
    lies = item.id in [fallen.id for fallen in state.ground] if state.ground else False
    parts = state.scene, state.options, fighter.sheet, fighter.items, fighter.conditions
    sizes = metres_of(fighter), metres_of(target)
    words = fighter.id, target.id, item.id, fighter.at, target.at, *sizes, lies
    return (*parts, target.sheet, target.items, target.conditions), words


@remember_by(_look_at_attack)
def _find_needed(state: State, submission: Attack, item: Item) -> int | None:
    """What the dice have to show for a plain attack without an Action Penalty; None if it is not legal."""
    try:
        check_attack(state, submission)
    except Refused:
        return None
    terms = modifiers_for_attack(state, Swing(command=submission, free=True), paid=False)
    return add_up(value_against(state, submission)) - add_up(terms)


# ---------------------------------------------------------------- getting ready


def _prepare(state: State, fighter: Combatant, foe: Combatant, left: int) -> Submission | None:
    """Get ready for an attack: draw, reload, or close in."""
    drawn = _find_draw(state, fighter, [foe])
    if drawn:
        return ("change_items", drawn)
    loading = _find_reload(state, fighter)
    if loading and left:
        return ("reload", loading)
    return (
        _approach_on_map(state, fighter, foe, left) if is_map(state) else _approach(state, fighter, foe, left)
    )


def _find_draw(state: State, fighter: Combatant, foes: list[Combatant]) -> Change | None:
    """A weapon to draw that could be used at once, if drawing is still free."""
    if has_used_free(fighter, "change_items"):
        return None
    held = [i for i in fighter.items if i.kind == "weapon" and i.place == "held" and i.data["hands"]]
    for item in fighter.items:
        if item.kind != "weapon" or item.place != "carried" or item.loaded == 0:
            continue
        for stow in ((), *((i.id,) for i in held)):
            submission = Change(actor=fighter.id, stow=stow, draw=(item.id,))
            if _allows(check_change, state, submission) and _would_reach(state, fighter, item, foes):
                return submission
    return None


def _would_reach(state: State, fighter: Combatant, item: Item, foes: list[Combatant]) -> bool:
    items = tuple(replace(i, place="held") if i.id == item.id else i for i in fighter.items)
    later = replace(state, combatants={**state.combatants, fighter.id: replace(fighter, items=items)})
    submissions = (Attack(actor=fighter.id, target=foe.id, weapon=item.id) for foe in foes)
    return any(_allows(check_attack, later, submission) for submission in submissions)


def _find_reload(state: State, fighter: Combatant) -> Load | None:
    for item in fighter.items:
        submission = Load(actor=fighter.id, item=item.id)
        if item.kind == "weapon" and item.place == "held" and item.loaded == 0:
            if _allows(check_load, state, submission):
                return submission
    return None


def _approach(state: State, fighter: Combatant, foe: Combatant, left: int) -> Submission | None:
    """[SS-OTHER-05] Into the next zone on the shortest way."""
    there = zone_id(state, foe)
    near = find_neighbours(state.scene, zone_id(state, fighter))
    ways = {name: count_steps(state.scene, name, there) for name in near}
    open_ways = {name: steps for name, steps in ways.items() if steps is not None}
    if not open_ways:
        return None
    submission = Move(actor=fighter.id, to=f"zone:{min(open_ways, key=lambda name: open_ways[name])}")
    if not _allows(check_move, state, submission) or count_moves(state, submission) > left:
        return None
    return ("move", submission)


def _approach_on_map(state: State, fighter: Combatant, foe: Combatant, left: int) -> Submission | None:
    """[SS-MAP-07] [SS-MAP-08] From the pool first, then by spending an action."""
    if count_between(state, fighter, foe) <= melee_reach(state):
        return None
    to = f"near:{foe.id}"
    if fighter.budget.get("metres", 0) and _gets_nearer(state, fighter, foe, to):
        return ("free_move", Go(actor=fighter.id, to=to, far=True))
    door = find_shut(state, fighter.id, find_arm(state)) if left else None
    if door and not _gets_nearer(state, fighter, foe, to):
        return ("door", UseDoor(actor=fighter.id, door=door.id))
    way = make_way(state, fighter)
    doorway = None if _leads(state, fighter, to) else find_doorway(state, fighter, foe.at, way)
    if doorway is not None:
        to = f"{doorway.x:g},{doorway.y:g}"
        if fighter.budget.get("metres", 0) and _leads(state, fighter, to):
            return ("free_move", Go(actor=fighter.id, to=to, far=True))
    return ("move", Move(actor=fighter.id, to=to, far=True)) if left else None


def _leads(state: State, fighter: Combatant, to: str) -> bool:
    """Whether any way leads to a place now."""
    return _allows(check_walk, state, Move(actor=fighter.id, to=to, far=True))


def _gets_nearer(state: State, fighter: Combatant, foe: Combatant, to: str) -> bool:
    try:
        goal = check_walk(state, Move(actor=fighter.id, to=to, far=True))[-1]
    except Refused:
        return False
    return count_metres(state, goal, foe.at) < count_between(state, fighter, foe)


def _allows(check: Any, state: State, submission: Command) -> bool:
    try:
        check(state, submission)
    except Refused:
        return False
    return True
