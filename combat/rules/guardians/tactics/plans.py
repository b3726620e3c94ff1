"""Tactics: a sensible legal action for a fighter, and how choices are answered without people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from combat.rules.core.basics.dice import parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.bodies import is_concealed_from
from combat.rules.core.commands.commands import Command
from combat.rules.core.gm.doors import UseDoor, find_shut
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..book.tables import ACTION, PLACES
from ..care.first_aid import Dose, FirstAid, check_first_aid, check_painkillers, find_needs
from ..dice.rolls import find_chance
from ..fight.aim import Attack, attack_terms, check_attack, find_damage_ranks
from ..fight.damage import soak_terms
from ..fight.defense import find_defenses
from ..move.movement import Move, find_way, find_way_to_door
from ..people.sheet import is_able, is_conscious
from ..people.values import BROKEN, find_ranks
from ..turn.doors import find_arm
from ..turn.everyday import Handle, check_draw, check_prone
from ..world.place import are_enemies, count_yards, is_near
from ..world.strides import find_stride

Submission = tuple[str, Command]
HURDLE = 1.0  # points that every hit is worth besides its damage: prone, stunned, knocked out
GOOD_AID = 6  # ranks from which on First Aid comes before fighting


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of a fighter; None when its turn should end."""
    if actor not in state.combatants or not is_able(state[actor]):
        return None
    fighter = state[actor]
    if fighter.budget.get(ACTION, 0) < 1:
        return None
    aid = find_aid(state, fighter)
    if aid:
        return aid
    foes = find_foes(state, fighter)
    return find_deed(state, fighter, foes) if foes else None


def find_foes(state: State, fighter: Combatant) -> list[Combatant]:
    """Enemies still worth attacking, nearest first."""
    foes = [f for f in present(state) if are_enemies(fighter, f) and is_conscious(f)]
    foes = [f for f in foes if not is_concealed_from(state, fighter, f)]
    return sorted(foes, key=lambda foe: count_yards(fighter, foe))


def find_deed(state: State, fighter: Combatant, foes: list[Combatant]) -> Submission | None:
    """Attack, else get up, draw, or go there."""
    best = find_best_attack(state, fighter, foes)
    if best:
        return ("attack", best)
    if _allows(lambda: check_prone(state, fighter.id)):
        return ("stand_up", Command(actor=fighter.id))
    drawn = find_draw(state, fighter)
    return ("draw", drawn) if drawn else find_approach(state, fighter, foes)


# ---------------------------------------------------------------- help for others


def find_aid(state: State, fighter: Combatant) -> Submission | None:
    """[CG-BLEED-03] Who knows First Aid helps those within reach, then goes to those who bleed.

    [CG-TORSO-03] Painkillers for one's own torso come next.
    """
    if find_ranks(state, fighter, "first_aid") < GOOD_AID or has_condition(fighter, "prone"):
        return _find_dose(state, fighter)
    friends = [f for f in present(state) if f.side == fighter.side and find_needs(f)]
    friends = [f for f in friends if not is_concealed_from(state, fighter, f)]
    for friend in sorted(friends, key=lambda one: count_yards(fighter, one)):
        if not is_near(fighter, friend):
            move = Move(actor=fighter.id, to=f"near:{friend.id}")
            return ("move", move) if _allows(partial(_check_move, state, move)) else None
        for place in find_needs(friend):
            aid = FirstAid(actor=fighter.id, target=friend.id, place=place)  # type: ignore[arg-type]  # of find_needs
            if _allows(partial(check_first_aid, state, aid)):
                return ("first_aid", aid)
    return _find_dose(state, fighter)


def _find_dose(state: State, fighter: Combatant) -> Submission | None:
    wants = has_condition(fighter, "torso_wound") and not has_condition(fighter, "painkillers")
    if not wants or not _allows(lambda: check_painkillers(state, fighter.id)):
        return None
    return ("painkillers", Dose(actor=fighter.id, target=fighter.id))


# ---------------------------------------------------------------- attacking


def find_best_attack(state: State, fighter: Combatant, foes: list[Combatant]) -> Attack | None:
    """The legal attack that is worth most."""
    best, most = None, 0.0
    for foe in foes:
        for item in fighter.items:
            if item.kind == "weapon" and item.place == "held":
                command = Attack(actor=fighter.id, target=foe.id, weapon=item.id)
                worth = find_worth(state, command)
                if worth > most:
                    best, most = command, worth
    return best


def find_worth(state: State, command: Attack) -> float:
    """Roughly the points an attack may be expected to do; 0 if it is not legal.

    The chance to hit past the best defense, times what is left of mean damage on an average part.
    """
    try:
        use = check_attack(state, command)
    except Refused:
        return 0.0
    fighter, target = state[command.actor], state[command.target]
    chance = find_chance(state, attack_terms(state, command, use)).highest / 100
    defenses = find_defenses(state, target, use.is_distant)
    warded = max((defense.chance for defense in defenses), default=0) / 100
    dice = parse_dice(use.weapon.damage)
    dealt = dice.count * (dice.sides + 1) / 2 + find_damage_ranks(state, fighter, use)
    soaked = find_mean_soak(state, target)
    return chance * (1 - warded) * (HURDLE + max(0.0, dealt - soaked)) + 0.001 * chance


def _look_at_armor(state: State, target: Combatant) -> Seen:
    parts = (target.sheet, target.tracks, target.conditions, target.items)
    return (state.options, *parts), tuple(
        [mark for mark in target.marks.items() if mark[0].startswith(BROKEN)]
    )


@remember_by(_look_at_armor)
def find_mean_soak(state: State, target: Combatant) -> float:
    """What an average part of the body keeps off, in points."""
    return -sum(term.value for place in PLACES for term in soak_terms(state, target, place)) / len(PLACES)


# ---------------------------------------------------------------- getting ready


def find_draw(state: State, fighter: Combatant) -> Handle | None:
    """The carried weapon with the most ranks that can be drawn, if only the bare hands are ready."""
    if any(i.kind == "weapon" and i.place == "held" and i.data["hands"] for i in fighter.items):
        return None
    found = [i for i in fighter.items if i.kind == "weapon" and i.place == "carried"]
    for item in sorted(found, key=lambda i: -find_ranks(state, fighter, str(i.data["skill"]))):
        command = Handle(actor=fighter.id, item=item.id)
        if _allows(partial(check_draw, state, command)):
            return command
    return None


def find_approach(state: State, fighter: Combatant, foes: list[Combatant]) -> Submission | None:
    """[CG-ACT-03] Towards the nearest foe, as far as a move goes; [CG-ACT-05] else through a door."""
    for foe in foes:
        command = Move(actor=fighter.id, to=f"near:{foe.id}")
        if not is_near(fighter, foe) and _allows(partial(_check_move, state, command)):
            return ("move", command)
    door = find_shut(state, fighter.id, find_arm(state))
    if door:
        return ("door", UseDoor(actor=fighter.id, door=door.id))
    to = find_way_to_door(state, fighter, foes[0].at) if foes else ""
    command = Move(actor=fighter.id, to=to)
    return ("move", command) if to and _allows(partial(_check_move, state, command)) else None


def _check_move(state: State, command: Move) -> None:
    find_way(state, command, find_stride(state, state[command.actor]))


def _allows(check: Callable[[], Any]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True
