"""Tactics: a sensible legal action for a combatant, and automatic answers to choices.

First what is urgent around it, then the wounded, then attacks from the best cover. Suggestions are
preparations to try before an attack; the engine finds those that are legal and help.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combat.rules.core.basics.errors import allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command, Handle, Targeted
from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.gm.decisions import zone_id_of
from combat.rules.core.gm.doors import find_doorway, find_shut
from combat.rules.core.gm.ways import Step, TakeWay, check_trip, find_next_way
from combat.rules.core.map.bodies import SIZE, is_concealed_from, nearest
from combat.rules.core.space import Point, Scene, plan_distance
from combat.rules.core.state.state import Combatant, Item, Scalar, State, find_item, has_condition, replace

from ..book.options import find_option
from ..book.tables import COVER, CRITICAL
from ..book.traits import has_tag
from ..care.healing import aid_target, aid_terms, count_open_wounds, find_dying
from ..characters.inventory import check_hands, find_in_hands
from ..characters.sheet import count_quick, find_speed, health_state, is_able
from ..environment import SEPARATOR, is_weightless
from ..fight.aim import Attack, Charge, Strike
from ..fight.blast import Blast, check_blast
from ..hazards.exposure.exposure import find_exposures, is_mild
from ..hazards.exposure.vacuum import is_airless
from ..hazards.fire import check_burning
from ..hazards.protection import count_left
from ..move.climbing import Climb, climb_height, find_climb
from ..move.combos import Retreat, check_charge, check_quick_aim, check_retreat
from ..move.cost import make_way
from ..move.movement import Go, Move
from ..move.paths import check_walk, find_goal, find_path
from ..move.zerog import check_drifting
from ..time.gadgets import Apply, check_apply, find_effect
from ..turn.hands import Door, check_reload, find_arm
from ..world.heights import find_wall, span
from ..world.reach import find_thing, is_within
from ..world.scene import find_range, is_hazardous, is_melee, look_at
from ..world.sight_lines import find_between
from .appraisal import best_attack, best_blast, chance_of, find_weapons, is_bare

Submission = tuple[str, Command]
MIN_CHANCE = 0.4  # below this, leave first aid to others
MAX_FOES = 4
Body = tuple[Point, Scalar]  # a place, and the size of who stands there in tenths of a meter


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of the active combatant; None if the turn should end."""
    combatant = state.combatants[actor]
    if not is_able(combatant):
        return None
    left = combatant.budget
    if has_condition(combatant, "grappled", "pinned"):
        return ("break_free", Command(actor=actor)) if left["standard"] else None
    protecting = seek_protection(state, combatant)
    if protecting:
        return protecting
    if not (left["standard"] or left["move"]):
        return None  # whatever follows takes one of them
    saved = find_rescue(state, combatant)
    if saved:
        return saved
    if has_condition(combatant, "prone") and _has_move(state, combatant):
        return ("stand", Command(actor=actor))
    foes = find_foes(state, combatant)
    if not foes:
        return None
    return _offense(state, combatant, foes) if left["standard"] else _take_shelter(state, combatant, foes)


def _has_move(state: State, combatant: Combatant) -> bool:
    """Whether a Move Action is left, or a Standard Action that may be traded for one. [COS-ACT-01]"""
    left = combatant.budget
    return bool(left["move"] or (left["standard"] and find_option(state, "trade_standard_for_move")))


def find_foes(state: State, combatant: Combatant) -> list[Combatant]:
    """Enemies still worth attacking, nearest first."""
    foes = [
        foe
        for foe in state.combatants.values()
        if foe.side != combatant.side and is_able(foe) and not is_concealed_from(state, combatant, foe)
    ]
    return sorted(foes, key=lambda foe: find_between(state, combatant, foe).meters)


def _offense(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Attack, from nearby cover if possible; retreat when badly hurt; else prepare an attack."""
    worth, attack = best_attack(state, combatant, foes)
    blown, blast = best_blast(state, combatant, foes)
    if blast is not None and blown > worth:
        return _throw(state, blast)
    if health_state(combatant) is CRITICAL:
        saved = _fall_back(state, combatant, foes, attack)
        if saved:
            return saved
    if attack is not None:
        bare = combatant.budget["move"] and is_bare(find_item(combatant, attack.weapon))
        return (bare and _arm(state, combatant)) or _shoot_well(state, combatant, foes, attack)
    return _prepare(state, combatant, foes[0])


def _throw(state: State, blast: Blast) -> Submission:
    """Throw the area weapon, or draw it first. [COS-ACT-10]  RULING R58"""
    if allows(check_blast, state, blast):
        return ("blast", blast)
    return ("draw", Handle(actor=blast.actor, item=blast.weapon))


def _shoot_well(state: State, combatant: Combatant, foes: list[Combatant], attack: Attack) -> Submission:
    """Move behind cover first, then aim quickly, then attack."""
    if is_melee(find_item(combatant, attack.weapon)):
        return ("attack", attack)
    hidden = _take_shelter(state, combatant, foes)
    if hidden:
        return hidden
    if not attack.aimed and combatant.budget["quick"] and allows(check_quick_aim, state, combatant.id):
        return ("quick_aim", Command(actor=combatant.id))
    return ("attack", attack)


def _take_shelter(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Move within Speed to better cover that allows a shot. [COS-DEF-03]"""
    if not combatant.budget["move"]:
        return None
    armed = [w for w in find_weapons(combatant) if w.loaded and w.place == "held" and not is_melee(w)]
    for place in find_shelter(state, combatant, foes, armed):
        move = Move(actor=combatant.id, to=place)
        if allows(_check_move, state, move):
            return ("move", move)
    return None


def _fall_back(
    state: State, combatant: Combatant, foes: list[Combatant], attack: Attack | None
) -> Submission | None:
    """In Critical state: attack and move half a move away, or run out of reach. [COS-COMBO-06]

    Nobody runs from enemies who are as badly off, since someone has to end the fight, or twice from pursuers
    who are as fast.
    """
    if not combatant_has_whole_turn(combatant) or is_weightless(state, combatant):
        return None
    away = f"away:{foes[0].id}"
    if attack is not None:
        if has_condition(combatant, "no_sprint") or not _is_pressed(state, combatant, foes):
            return None
        submission = Retreat(
            actor=combatant.id, target=attack.target, weapon=attack.weapon, to=away, flanking=attack.flanking
        )
        return ("retreat", submission) if allows(check_retreat, state, submission) else None
    chased = any(health_state(foe) is not CRITICAL for foe in foes)
    go = Go(actor=combatant.id, to=away)
    return ("full_move", go) if chased and allows(_check_run, state, go) else None


def _is_pressed(state: State, combatant: Combatant, foes: list[Combatant]) -> bool:
    """Whether an enemy in better shape can reach a combatant within a turn."""
    return any(
        health_state(foe) is not CRITICAL and span(*nearest(combatant, foe)) <= 2 * find_speed(state, foe)
        for foe in foes
    )


def _prepare(state: State, combatant: Combatant, foe: Combatant) -> Submission | None:
    """Prepare an attack: charge with a weapon, reload, draw, charge with bare hands, or close in."""
    if not _has_move(state, combatant):
        return None
    melee = [w for w in find_weapons(combatant) if w.place == "held" and is_melee(w)]
    armed, bare = [w for w in melee if not is_bare(w)], [w for w in melee if is_bare(w)]
    found = (
        _find_charge(state, combatant, foe, armed)
        or _arm(state, combatant)
        or _find_charge(state, combatant, foe, bare)
    )
    if found or find_speed(state, combatant) < 1 or span(*nearest(combatant, foe)) <= 1.01:
        return found
    return _close_in(state, combatant, f"near:{foe.id}")


def _find_charge(
    state: State, combatant: Combatant, foe: Combatant, weapons: list[Item]
) -> Submission | None:
    if not combatant_has_whole_turn(combatant):
        return None
    for weapon in weapons:
        submission = Charge(actor=combatant.id, target=foe.id, weapon=weapon.id)
        if allows(check_charge, state, submission):
            return ("charge", submission)
    return None


def _arm(state: State, combatant: Combatant) -> Submission | None:
    """Load the gun in hand; else draw a gun, or another weapon if nothing is in hand. [COS-ACT-10]"""
    weapons = [w for w in find_weapons(combatant) if not is_bare(w)]
    shooting = [w for w in weapons if not is_melee(w)]
    for weapon in shooting:
        useless = weapon.place == "held" and (weapon.loaded == 0 or weapon.marks.get("jammed"))
        if useless and allows(lambda s, w: check_reload(s, combatant, w), state, weapon):
            return ("reload", Handle(actor=combatant.id, item=weapon.id))
    held = [w for w in weapons if w.place == "held" and w.loaded != 0]
    choice = weapons if not held else () if not all(map(is_melee, held)) else shooting
    carried = [w for w in choice if w.place == "carried" and w.loaded != 0]
    drawn = next(iter(sorted(carried, key=is_melee)), None)
    return _draw(combatant, drawn) if drawn else None


def _draw(combatant: Combatant, weapon: Item) -> Submission | None:
    """Draw a weapon; first drop what is spent, or put away what else takes the hands.  RULING R59"""
    if allows(check_hands, combatant, weapon):
        return ("draw", Handle(actor=combatant.id, item=weapon.id))
    for held in find_in_hands(combatant):
        spent = held.loaded == 0 and combatant.budget["quick"]
        return ("drop" if spent else "draw", Handle(actor=combatant.id, item=held.id))
    return None


def _close_in(state: State, combatant: Combatant, to: str) -> Submission | None:
    """Approach a place: climb the obstacle in the way, or move as far as possible."""
    kind, _, other = to.partition(":")
    if kind == "near" and (step := find_next_way(state, combatant, state[other].at, find_arm(state))):
        return _change_deck(state, combatant, step)
    way = find_goal(state, combatant.id, to)
    if find_wall(state, combatant, way):
        up = Climb(actor=combatant.id, obstacle="high", metres=climb_height(state, way), to=to)
        if allows(find_climb, state, up):
            return ("climb", up)
    closer = Move(actor=combatant.id, to=to, far=True)
    return ("move", closer) if allows(_check_move, state, closer) else _open_door(state, combatant, way[-1])


def _change_deck(state: State, combatant: Combatant, step: Step) -> Submission | None:
    """Take the way to another deck, or go to it.  RULING R60"""
    way, at = step.trip.way, step.trip.start
    if step.is_near and way.open:
        trip = TakeWay(actor=combatant.id, way=way.id)
        fits = allows(check_trip, state, combatant.id, way.id, find_arm(state))
        return ("way", trip) if fits and combatant.budget["move"] else None
    if step.is_near:
        return ("door", Door(actor=combatant.id, door=way.id)) if combatant.budget["move"] else None
    closer = Move(actor=combatant.id, to=f"{at.x:g},{at.y:g}", far=True)
    return ("move", closer) if allows(_check_move, state, closer) else _open_door(state, combatant, at)


def _open_door(state: State, combatant: Combatant, goal: Point) -> Submission | None:
    """Open a door within reach if no path leads on, or move towards the right door. [COS-ACT-11]"""
    door = find_shut(state, combatant.id, find_arm(state)) if combatant.budget["move"] else None
    if door:
        return ("door", Door(actor=combatant.id, door=door.id))
    doorway = find_doorway(state, combatant, goal, make_way(state, combatant))
    if doorway is None:
        return None
    closer = Move(actor=combatant.id, to=f"{doorway.x:g},{doorway.y:g}", far=True)
    return ("move", closer) if allows(_check_move, state, closer) else None


def _check_move(state: State, submission: Move) -> None:
    """Refuse a move to combatants who fear, hold or are held."""
    allowed = find_speed(state, state.combatants[submission.actor])
    check_walk(
        state,
        submission.actor,
        find_path(state, submission.actor, submission.to, allowed=allowed, far=submission.far),
        allowed,
    )


def _check_run(state: State, submission: Go) -> None:
    allowed = 2 * find_speed(state, state.combatants[submission.actor])
    check_walk(
        state,
        submission.actor,
        find_path(state, submission.actor, submission.to, allowed=allowed, far=submission.far),
        allowed,
    )


def combatant_has_whole_turn(combatant: Combatant) -> bool:
    """Whether the turn is still unused."""
    left = combatant.budget
    return bool(left["standard"] and left["move"] and left["quick"] >= count_quick(combatant))


# ---------------------------------------------------------------- surroundings


def seek_protection(state: State, combatant: Combatant) -> Submission | None:
    """Put on a needed suit, put out flames, or catch hold; None if nothing is urgent."""
    left, who = combatant.budget, combatant.id
    suit = None
    if left["quick"] and not is_mild(state.scene, combatant.at):
        suit = find_needed_suit(state, combatant)
    if suit:
        return ("suit", Handle(actor=who, item=suit.id))
    if not combatant.conditions:
        return None
    if left["standard"] and has_condition(combatant, "burning") and allows(check_burning, state, who):
        return ("extinguish", Command(actor=who))
    if left["move"] and has_condition(combatant, "drifting") and allows(check_drifting, state, who):
        return ("catch_hold", Command(actor=who))
    return None


def find_needed_suit(state: State, combatant: Combatant) -> Item | None:
    """A suit at hand that would keep out more of the combatant's exposures."""
    if not is_airless(state, combatant) and not find_exposures(state, combatant):
        return None
    worst = _count_harms(state, combatant)
    for item in combatant.items:
        if item.kind == "suit" and item.place != "worn" and count_left(state, item) != 0:
            on = replace(item, place="worn", marks={**item.marks, "since": state.clock})
            items = tuple(on if held.id == item.id else held for held in combatant.items)
            if _count_harms(state, replace(combatant, items=items)) < worst:
                return item
    return None


def _count_harms(state: State, combatant: Combatant) -> int:
    return len(find_exposures(state, combatant)) + (1 if is_airless(state, combatant) else 0)


# ---------------------------------------------------------------- the wounded


def find_rescue(state: State, combatant: Combatant) -> Submission | None:
    """A dose or a bandage for itself, a patch or first aid for a dying neighbor; None otherwise."""
    left = combatant.budget
    if left["move"]:
        if health_state(combatant) is CRITICAL and (
            submission := _apply(state, combatant, "heals", combatant)
        ):
            return submission
        if (
            combatant.conditions
            and count_open_wounds(state, combatant)
            and (submission := _apply(state, combatant, "presses", combatant))
        ):
            return submission
    for comrade in find_dying(state, combatant):
        if not is_within(state, combatant, comrade):
            continue
        if left["move"] and (submission := _apply(state, combatant, "stabilizes", comrade)):
            return submission
        aid = Targeted(actor=combatant.id, target=comrade.id)
        margin = add_up(aid_terms(state, combatant, comrade)) - aid_target(state, comrade)
        if left["standard"] and chance_of(margin) >= MIN_CHANCE:
            return ("first_aid", aid)  # COS-DEATH-07
    return None


def _apply(state: State, combatant: Combatant, effect: str, patient: Combatant) -> Submission | None:
    """Use an item with this effect, if one is carried and allowed."""
    for item in combatant.items:
        submission = Apply(actor=combatant.id, item=item.id, target=patient.id)
        if find_effect(item) == effect and allows(check_apply, state, submission):
            return ("apply", submission)
    return None


# ---------------------------------------------------------------- cover


def find_shelter(state: State, combatant: Combatant, foes: list[Combatant], armed: list[Item]) -> list[str]:
    """Places within Speed with better cover than here and in range for a weapon, best first.

    Places with total cover do not count: they allow no shots.
    """
    if not armed:
        return []
    scene, here, nearest, speed = state.scene, combatant.at, foes[:MAX_FOES], find_speed(state, combatant)
    near = [(zone, spot) for zone, spot in _find_spots(scene) if plan_distance(here, spot) <= speed]
    if not near:
        return []
    reach = max(find_range(here, nearest[0].at, weapon) for weapon in armed)
    against, size = [(foe.at, foe.marks.get(SIZE, 0)) for foe in nearest], combatant.marks.get(SIZE, 0)
    now = rate_cover(scene, here, size, against)
    gained = [
        (rate_cover(scene, spot, size, against) - now, f"zone:{zone}")
        for zone, spot in near
        if span(spot, nearest[0].at) <= reach
    ]
    return [place for gain, place in sorted(gained, reverse=True) if gain > 0]


def rate_cover(scene: Scene, here: Point, size: Scalar, foes: Sequence[Body]) -> float:
    """The average bonus of cover to Defense, in points, against shots at a place."""
    points = 0
    for there, theirs in foes:
        aspect = look_at(scene, there, here, (theirs, size), False)
        points += min(COVER[aspect.cover].value or 0, 4)
    return points / len(foes)


def _find_spots(scene: Scene) -> list[tuple[str, Point]]:
    """The ids and middles of the zones where someone may look for cover; none if no zone gives any."""
    if not any(zone.cover or zone.terrain for zone in scene.zones):
        return []
    return [
        (zone.id, zone.centre)
        for zone in scene.zones
        if SEPARATOR not in zone.id and not is_hazardous(zone) and zone.cover != "total"
    ]


# ---------------------------------------------------------------- suggestions


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Aim, another weapon, higher or clearer ground, and a safer way to fight.

    [COS-MOD-08] [COS-EX-07] [COS-POS-01] [COS-COVER-06]
    """
    if not isinstance(command, Strike):
        return ()
    found = [Candidate("Quick aim first, a Quick Action", "quick_aim", {}, "COS-EX-07")]
    if isinstance(command, Attack):
        found.append(Candidate("Aimed shot: the whole turn", "", {"aimed": True}, "COS-MOD-08"))
        if command.attacks > 1:
            found.append(Candidate("One attack only", "", {"attacks": 1}, "COS-MOD-09"))
        found += _weapons(state, command)
    return (*found, *_places(state, command))


def _weapons(state: State, command: Attack) -> list[Candidate]:
    combatant = state[command.actor]
    others = [i for i in combatant.items if i.kind == "weapon" and i.id != command.weapon]
    held = [i for i in others if i.place == "held" and not has_tag(i.data, "area")]
    return [Candidate(f"{item.name} instead", "", {"weapon": item.id}, "COS-ATK-03") for item in held]


def _places(state: State, command: Strike) -> list[Candidate]:
    """Moves to each zone, and next to the target for melee attackers."""
    here = zone_id_of(state, state[command.actor])
    moves = [
        Candidate(
            f"Move {'within' if zone.id == here else 'to'} {zone.name} first",
            "move",
            {"to": f"zone:{zone.id}"},
            "COS-POS-01",
        )
        for zone in state.scene.zones[:6]
    ]
    weapon = find_thing(state, command.actor, command.weapon)
    near = {"to": f"near:{command.target}", "far": True}
    if is_melee(weapon):
        name = state[command.target].name
        moves.insert(0, Candidate(f"Move next to {name} first", "move", near, "COS-ATK-05"))
    return moves
