"""Tactics: a sensible legal action for a fighter, and how choices are answered without people."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.bodies import is_concealed_from, nearest
from combat.rules.core.commands.commands import Command
from combat.rules.core.gm.doors import find_doorway, find_shut
from combat.rules.core.space import Point, distance
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..book.tables import CRITICAL
from ..environment.surroundings import is_weightless
from ..fight.aim import Attack, Charge
from ..fight.blast import Blast, check_blast
from ..move.climbing import Climb, find_climb, find_climb_height
from ..move.combos import Retreat, check_charge, check_quick_aim, check_retreat
from ..move.movement import Go, Move, check_walk, find_goal, find_path
from ..people.sheet import count_quick, find_speed, health_state, is_able
from ..turn.doors import Door, find_arm
from ..turn.everyday import Handle, check_reload
from ..world.heights import find_wall, span
from ..world.scene import is_melee
from ..world.ways import make_way
from .appraisal import best_attack, best_blast, find_weapons
from .coping import cope
from .rescue import find_rescue
from .shelter import find_shelter

Submission = tuple[str, Command]


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of the active fighter; None when the turn should end."""
    fighter = state[actor]
    if not is_able(fighter):
        return None
    left = fighter.budget
    if has_condition(fighter, "grappled", "pinned"):
        return ("break_free", Command(actor=actor)) if left["standard"] else None
    coped = cope(state, fighter)
    if coped:
        return coped
    saved = find_rescue(state, fighter)
    if saved:
        return saved
    if has_condition(fighter, "prone") and (left["move"] or left["standard"]):
        return ("stand", Command(actor=actor))
    foes = find_foes(state, fighter)
    if not foes:
        return None
    return _offense(state, fighter, foes) if left["standard"] else _take_shelter(state, fighter, foes)


def find_foes(state: State, fighter: Combatant) -> list[Combatant]:
    """Enemies still worth attacking, nearest first."""
    foes = [
        f
        for f in present(state)
        if f.side != fighter.side and is_able(f) and not is_concealed_from(state, fighter, f)
    ]
    return sorted(foes, key=lambda foe: distance(*nearest(fighter, foe)))


def _offense(state: State, fighter: Combatant, foes: list[Combatant]) -> Submission | None:
    """Attack, from cover if that is near; retreat when badly hurt; else get ready for it."""
    worth, attack = best_attack(state, fighter, foes)
    blown, blast = best_blast(state, fighter, foes)
    if blast is not None and blown > worth:
        return _throw(state, blast)
    if health_state(fighter) is CRITICAL:
        saved = _fall_back(state, fighter, foes, attack)
        if saved:
            return saved
    if attack is not None:
        return _shoot_well(state, fighter, foes, attack)
    return _prepare(state, fighter, foes[0])


def _throw(state: State, blast: Blast) -> Submission:
    """[COS-ACT-10] The area weapon into the hand first, if it is not there.  RULING R58"""
    if _allows(check_blast, state, blast):
        return ("blast", blast)
    return ("draw", Handle(actor=blast.actor, item=blast.weapon))


def _shoot_well(state: State, fighter: Combatant, foes: list[Combatant], attack: Attack) -> Submission:
    """Behind cover first, then a quick aim, then the attack."""
    weapon = next(item for item in fighter.items if item.id == attack.weapon)
    if is_melee(weapon):
        return ("attack", attack)
    hidden = _take_shelter(state, fighter, foes)
    if hidden:
        return hidden
    if not attack.aimed and fighter.budget["quick"] and _allows(check_quick_aim, state, fighter.id):
        return ("quick_aim", Command(actor=fighter.id))
    return ("attack", attack)


def _take_shelter(state: State, fighter: Combatant, foes: list[Combatant]) -> Submission | None:
    """[COS-DEF-03] Move behind better cover within Speed that can be shot from."""
    if not fighter.budget["move"]:
        return None
    armed = [w for w in find_weapons(fighter) if w.place == "held" and not is_melee(w) and w.loaded]
    for place in find_shelter(state, fighter, foes, armed):
        move = Move(actor=fighter.id, to=place)
        if _allows(_check_move, state, move):
            return ("move", move)
    return None


def _fall_back(
    state: State, fighter: Combatant, foes: list[Combatant], attack: Attack | None
) -> Submission | None:
    """[COS-COMBO-06] In Critical state: an attack and half a move away, or all the way out of reach.

    Nobody runs from those who are as badly off: somebody has to end the fight. Nor does anybody
    give way twice to those who follow as fast.
    """
    if not fighter_has_whole_turn(fighter) or is_weightless(state, fighter):
        return None
    away = f"away:{foes[0].id}"
    if attack is not None:
        if has_condition(fighter, "no_sprint") or not _is_pressed(state, fighter, foes):
            return None
        submission = Retreat(
            actor=fighter.id, target=attack.target, weapon=attack.weapon, to=away, flanking=attack.flanking
        )
        return ("retreat", submission) if _allows(check_retreat, state, submission) else None
    chased = any(health_state(foe) is not CRITICAL for foe in foes)
    go = Go(actor=fighter.id, to=away)
    return ("full_move", go) if chased and _allows(_check_run, state, go) else None


def _is_pressed(state: State, fighter: Combatant, foes: list[Combatant]) -> bool:
    """Whether somebody who is better off can be upon a fighter within a turn."""
    return any(
        health_state(foe) is not CRITICAL and distance(*nearest(fighter, foe)) <= 2 * find_speed(state, foe)
        for foe in foes
    )


def _prepare(state: State, fighter: Combatant, foe: Combatant) -> Submission | None:
    """Get ready for an attack: draw, reload, charge or close in."""
    weapons = find_weapons(fighter)
    for weapon in weapons:
        if weapon.place == "held" and is_melee(weapon):
            submission = Charge(actor=fighter.id, target=foe.id, weapon=weapon.id)
            if fighter_has_whole_turn(fighter) and _allows(check_charge, state, submission):
                return ("charge", submission)
    shooting = [w for w in weapons if not is_melee(w)]
    for weapon in shooting:
        empty = weapon.place == "held" and weapon.loaded == 0
        if empty and _allows(lambda s, w: check_reload(s, fighter, w), state, weapon):
            return ("reload", Handle(actor=fighter.id, item=weapon.id))
    stowed = [w for w in shooting if w.place == "carried" and (w.loaded is None or w.loaded)]
    if stowed and not any(w.place == "held" and w.loaded for w in shooting):
        return ("draw", Handle(actor=fighter.id, item=stowed[0].id))
    if find_speed(state, fighter) < 1 or span(*nearest(fighter, foe)) <= 1.01:
        return None
    return _close_in(state, fighter, f"near:{foe.id}")


def _close_in(state: State, fighter: Combatant, to: str) -> Submission | None:
    """Nearer to a place: up what stands in the way, or a move as far as it goes."""
    way = find_goal(state, fighter.id, to)
    if find_wall(state, fighter, way):
        up = Climb(actor=fighter.id, obstacle="high", metres=find_climb_height(state, way), to=to)
        if _allows(find_climb, state, up):
            return ("climb", up)
    closer = Move(actor=fighter.id, to=to, far=True)
    return ("move", closer) if _allows(_check_move, state, closer) else _open_door(state, fighter, way[-1])


def _open_door(state: State, fighter: Combatant, goal: Point) -> Submission | None:
    """[COS-ACT-11] A door within reach, where no way leads on; else towards the one that leads to a place."""
    door = find_shut(state, fighter.id, find_arm(state)) if fighter.budget["move"] else None
    if door:
        return ("door", Door(actor=fighter.id, door=door.id))
    doorway = find_doorway(state, fighter, goal, make_way(state, fighter))
    if doorway is None:
        return None
    closer = Move(actor=fighter.id, to=f"{doorway.x:g},{doorway.y:g}", far=True)
    return ("move", closer) if _allows(_check_move, state, closer) else None


def _check_move(state: State, submission: Move) -> None:
    """Refuse a move of those who fear, hold or are held."""
    allowed = find_speed(state, state[submission.actor])
    check_walk(
        state,
        submission.actor,
        find_path(state, submission.actor, submission.to, allowed, submission.far),
        allowed,
    )


def _check_run(state: State, submission: Go) -> None:
    """The same for a Full Move."""
    allowed = 2 * find_speed(state, state[submission.actor])
    check_walk(
        state,
        submission.actor,
        find_path(state, submission.actor, submission.to, allowed, submission.far),
        allowed,
    )


def _allows(check: Any, state: State, submission: Any) -> bool:
    try:
        check(state, submission)
    except Refused:
        return False
    return True


def fighter_has_whole_turn(fighter: Combatant) -> bool:
    """Whether nothing of the turn has been used yet."""
    left = fighter.budget
    return bool(left["standard"] and left["move"] and left["quick"] >= count_quick(fighter))
