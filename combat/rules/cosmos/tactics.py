"""Tactics: the worth of an attack, a sensible legal action, and automatic answers to choices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command, Handle, Targeted
from combat.rules.core.declaration.parts import Candidate
from combat.rules.core.gm.decisions import zone_id_of
from combat.rules.core.gm.ways import Step, TakeWay, find_doorway, find_next_way, find_shut
from combat.rules.core.map.bodies import SIZE, is_concealed_from, nearest
from combat.rules.core.map.starts import leads_out
from combat.rules.core.odds.harm import Hit, find_sums, weigh
from combat.rules.core.space import FARTHEST, Point, Scene, plan_distance
from combat.rules.core.state.state import Combatant, Item, Scalar, State, find_item, has_condition, replace

from .body.damage import armor_against, armor_terms
from .book.options import find_option
from .book.tables import COVER, CRITICAL, SITUATIONS
from .book.traits import count_rounds_between, find_area_row, find_burst, find_traits, has_tag
from .care.healing import aid_target, aid_terms, count_open_wounds, find_dying
from .characters.catalogue import check_hands, find_in_hands
from .characters.conditions import KINDS
from .characters.sheet import attribute, count_quick, find_speed, health_state, is_able, max_hp
from .dice import DICE
from .environment import SEPARATOR, is_weightless
from .fight.aim import (
    Aim,
    Attack,
    Charge,
    Strike,
    check_attack,
    count_attacks,
    defense_against,
    modifiers_for_attack,
)
from .fight.attack import damage_bonus
from .fight.blast import Blast, check_blast, find_caught, has_area
from .hazards.exposure import find_exposures, is_airless, is_mild
from .hazards.ground import check_burning
from .hazards.protection import count_left
from .move.climbing import Climb, climb_height, find_climb
from .move.combos import Retreat, check_charge, check_quick_aim, check_retreat
from .move.cost import make_way
from .move.movement import Go, Move, check_deck_way, find_arm
from .move.paths import check_walk, find_goal, find_path
from .move.zerog import check_drifting
from .time.treatment import Apply, check_apply, find_effect
from .turn.hands import Door, check_reload
from .world.heights import find_wall, span
from .world.scene import find_range, find_reach, is_hazardous, is_melee, look_at
from .world.sight_lines import find_between, find_thing, is_within

FINISHING = 8.0  # extra points for a blow that takes a combatant out
PLENTY = 100  # rounds of a weapon that needs none
Manner = tuple[dict[str, Any], int, int, int]
Fields = dict[str, Any]
Ready = tuple[Item, int]  # a weapon and its reach
_PLAIN: Fields = {}
SURE_MISS, SURE_HIT = -20, -2  # margins beyond which nothing changes
MIN_CHANCE = 0.4  # below this, leave first aid to others
MAX_FOES = 4


def find_hits(margin: int, least: int = 0) -> tuple[Hit, ...]:
    """The ways in which an attack with this margin hits, but for two tens, which do the most that the dice
    can; each does at least so much."""
    chance = CHANCES[min(max(margin, SURE_MISS), SURE_HIT)] - TWO_TENS
    return (Hit(chance, 0, least),) if chance > 0 else ()


def chance_of(margin: int) -> float:
    """The chance that 2d10 and this margin reach 0; two tens always do, two ones never."""
    return CHANCES[min(max(margin, SURE_MISS), SURE_HIT)]


def _count_chance(margin: int) -> float:
    sums = find_sums(DICE)
    return sum(share for total, share in sums if total == 20 or (total > 2 and total + margin >= 0))


CHANCES = {margin: _count_chance(margin) for margin in range(SURE_MISS, SURE_HIT + 1)}
TWO_TENS = CHANCES[SURE_MISS]


def best_attack(state: State, combatant: Combatant, foes: list[Combatant]) -> tuple[float, Attack | None]:
    """The legal attack with the highest expected damage, and that damage; 0 and None if there is none.

    The armed strike with bare hands only if that is worth more and hits more often too.
    """
    armed, bare = _find_ready(combatant)
    worth, chance, attack = _find_best_of(state, combatant, foes, armed)
    struck = _find_best_of(state, combatant, foes, bare)
    return (struck[0], struck[2]) if struck[0] > worth and struck[1] > chance else (worth, attack)


def _find_best_of(
    state: State, combatant: Combatant, foes: list[Combatant], weapons: list[Ready]
) -> tuple[float, float, Attack | None]:
    """The best attack with these weapons: its worth, the chance of its plain form, and the attack."""
    best, sure, chosen = 0.0, 0.0, None
    for foe in foes if weapons else ():
        for weapon, reach in weapons:
            if reach and not is_within(state, combatant, foe, reach):
                continue
            found = _appraise(state, combatant, foe, weapon)
            if found and found[0] > best:
                best, sure, chosen = found[0], found[1], (foe.id, weapon.id, found[2])
    if chosen is None:
        return 0.0, 0.0, None
    target, arm, fields = chosen
    return best, sure, Attack(actor=combatant.id, target=target, weapon=arm, **fields)


def _find_ready(combatant: Combatant) -> tuple[list[Ready], list[Ready]]:
    """The loaded weapons in hand, each with its reach in meters, 0 for shots; then those of the body."""
    held = [weapon for weapon in find_weapons(combatant) if weapon.place == "held" and weapon.loaded != 0]
    ready = [(weapon, find_reach(combatant, weapon) if is_melee(weapon) else 0) for weapon in held]
    bare = [one for one in ready if is_bare(one[0])]
    return [one for one in ready if one not in bare], bare


def is_bare(weapon: Item) -> bool:
    """Whether a weapon is a part of the body, such as a fist."""
    return has_tag(weapon.data, "built in")


def find_weapons(combatant: Combatant) -> list[Item]:
    """The weapons with which a combatant could strike or shoot one target."""
    return [item for item in combatant.items if item.kind == "weapon" and not has_tag(item.data, "area")]


def _appraise(
    state: State, combatant: Combatant, foe: Combatant, weapon: Item
) -> tuple[float, float, Fields] | None:
    """The worth of the best manner of an attack, the chance of the plain one, and the fields; None if it is
    not legal."""
    submission = Attack(actor=combatant.id, target=foe.id, weapon=weapon.id)
    try:
        aim = check_attack(state, submission)
    except Refused:
        return None
    terms, against = modifiers_for_attack(state, submission, aim), defense_against(state, submission, aim)
    margin = add_up(terms) - add_up(against)
    dice, plus, least = _find_dice(state, submission, aim.weapon)
    left = count_points_left(foe, str(aim.weapon.data["type"]))
    best, chosen = 0.0, _PLAIN
    for fields, change, count, more in find_manners(state, aim):
        worth = _weigh(margin + change, dice, plus + more, least=least, left=left, count=count)
        if worth > best:
            best, chosen = worth, fields
    return best, chance_of(margin), chosen


def _find_dice(state: State, submission: Attack, weapon: Item) -> tuple[str, int, int]:
    """The dice of a hit, what is added to them less the armor, and the least that a hit does.  RULING R37"""
    armor = armor_against(state, state.combatants[submission.target], weapon)
    plus = add_up((*damage_bonus(state, submission, weapon), *armor))
    return str(weapon.data["damage"]), plus, 1 if find_option(state, "minimum_damage_1") else 0


def _weigh(margin: int, dice: str, plus: int, least: int, left: int, count: int) -> float:
    """The worth of so many attacks: the points that they take of those left, and more if that is all."""
    if left <= 0:
        return 0.0
    some = weigh(find_hits(margin, least), dice, plus, left)
    most = weigh((Hit(TWO_TENS, 0, least),), str(parse_dice(dice).most), plus, left)
    ends = some.ends + most.ends
    taken = count * (some.mean + most.mean)
    return min(taken, left) + FINISHING * (ends if count == 1 else 1 - (1 - ends) ** count)


def can_harm(state: State, combatant: Combatant, foe: Combatant, weapon: Item) -> bool:
    """Whether the highest roll with a weapon takes a point off someone."""
    attack = Attack(actor=combatant.id, target=foe.id, weapon=weapon.id)
    dice, plus, least = _find_dice(state, attack, weapon)
    most = max(least, parse_dice(dice).most + plus)
    burst = find_burst(find_traits(weapon.data))
    more = burst.burst_damage if burst else 0
    return most + more > 0 and count_points_left(foe, str(weapon.data["type"])) > 0


def count_points_left(target: Combatant, kind: str) -> int:
    """The HP a kind of damage can still take: stun damage stops at a quarter.  [COS-DMG-05]"""
    hp = target.tracks["hp"]
    return max(0, hp - ceil(max_hp(target) / 4) if kind == "stun" else hp)


def find_manners(state: State, aim: Aim) -> list[Manner]:
    """The legal manners of an attack that is legal: fields, margin, attacks, extra damage."""
    found: list[Manner] = [(_PLAIN, 0, 1, 0)]
    each, combatant = SITUATIONS["extra_attack"].value, aim.combatant
    rounds = PLENTY if aim.weapon.loaded is None else aim.weapon.loaded
    several = 1 if count_rounds_between(aim.traits) > 1 else min(rounds, count_attacks(state))
    for count in range(2, several + 1):
        found.append(({"attacks": count}, each * (count - 1), count, 0))
    burst = find_burst(aim.traits)
    if burst and rounds >= burst.burst_rounds:
        found.append(({"burst": True}, 0, 1, burst.burst_damage))
    if not aim.melee and combatant.budget["move"]:
        if not has_condition(combatant, "moved", "quick_aim"):
            found.append(({"aimed": True}, SITUATIONS["aimed_shot"].value, 1, 0))
    return found


# ---------------------------------------------------------------- area weapons


def best_blast(state: State, combatant: Combatant, foes: list[Combatant]) -> tuple[float, Blast | None]:
    """The area weapon and place that harm enemies most, less the harm to allies.

    A carried weapon counts as in hand while a Move Action is left to draw it, and a hand.
    """
    best: tuple[float, Blast | None] = (0.0, None)
    for weapon in filter(has_area, combatant.items):
        draws = combatant.budget["move"] and allows(check_hands, combatant, weapon)
        armed = draw_in_mind(state, combatant, weapon) if draws else state
        for foe in foes:
            submission = Blast(actor=combatant.id, weapon=weapon.id, at=f"near:{foe.id}")
            worth = _blast_worth(armed, combatant, submission)
            if worth > best[0]:
                best = (worth, submission)
    return best


def draw_in_mind(state: State, combatant: Combatant, weapon: Item) -> State:
    """The state with a carried weapon in hand."""
    if weapon.place != "carried":
        return state
    items = tuple(replace(item, place="held") if item.id == weapon.id else item for item in combatant.items)
    return replace(state, combatants={**state.combatants, combatant.id: replace(combatant, items=items)})


def _blast_worth(state: State, combatant: Combatant, submission: Blast) -> float:
    """The expected points of harm to enemies, less twice that to allies; 0 if it is refused."""
    try:
        weapon, centre = check_blast(state, submission)
    except Refused:
        return 0.0
    caught = find_caught(state, weapon, centre)
    harm = [
        (_suffer(state, f, weapon), f.side == combatant.side)
        for f in caught
        if is_able(f) and not is_concealed_from(state, combatant, f)
    ]
    return sum(-2 * points if friend else points for points, friend in harm)


def _suffer(state: State, target: Combatant, weapon: Item) -> float:
    """The expected loss of a combatant in the blast, with its save."""
    effect = weapon.data.get("effect") or {}
    condition = str(effect.get("condition", "")).lower()
    if condition:
        saved = chance_of(attribute(target, str(effect["save"])) - int(effect["tn"]))
        worth = KINDS[condition].worth if condition in KINDS else 0.0
        return 0.0 if has_condition(target, condition) else (worth or 2.0) * (1 - saved)
    area = find_area_row(weapon)
    saved = chance_of(attribute(target, area.save) - area.tn)
    kind = str(weapon.data["type"])
    left, plus = count_points_left(target, kind), add_up(armor_terms(state, target, kind))
    return weigh((Hit(1.0),), str(weapon.data["damage"]), plus, left).mean * (1 - saved / 2)


# Tactics: a sensible legal action for a combatant, and automatic answers to choices. First what is urgent
# around it, then the wounded, then attacks from the best cover. Suggestions are preparations to try before
# an attack; the engine finds those that are legal and help.


Submission = tuple[str, Command]
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
        return (bare and _arm(state, combatant, foes[0])) or _shoot_well(state, combatant, foes, attack)
    return _prepare(state, combatant, foes)


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
        back = Go(actor=combatant.id, to=away, far=True)
        is_free = allows(check_retreat, state, submission) and allows(_check_run, state, back)
        return ("retreat", submission) if is_free else None
    chased = any(health_state(foe) is not CRITICAL for foe in foes)
    go = Go(actor=combatant.id, to=away)
    return ("full_move", go) if chased and allows(_check_run, state, go) else None


def _is_pressed(state: State, combatant: Combatant, foes: list[Combatant]) -> bool:
    """Whether an enemy in better shape can reach a combatant within a turn."""
    return any(
        health_state(foe) is not CRITICAL and span(*nearest(combatant, foe)) <= 2 * find_speed(state, foe)
        for foe in foes
    )


def _prepare(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Prepare an attack on the nearest: charge with a weapon, reload, draw, charge with bare hands; or close
    in on the nearest to whom a way leads."""
    if not _has_move(state, combatant):
        return None
    foe = foes[0]
    held = [w for w in find_weapons(combatant) if w.place == "held" and is_melee(w)]
    melee = [w for w in held if can_harm(state, combatant, foe, w)]
    armed, bare = [w for w in melee if not is_bare(w)], [w for w in melee if is_bare(w)]
    found = (
        _find_charge(state, combatant, foe, armed)
        or _arm(state, combatant, foe)
        or _find_charge(state, combatant, foe, bare)
    )
    if found or find_speed(state, combatant) < 1:
        return found
    return next(filter(None, (_come_near(state, combatant, foe) for foe in foes)), None)


def _come_near(state: State, combatant: Combatant, foe: Combatant) -> Submission | None:
    if span(*nearest(combatant, foe)) > 1.01:
        return _close_in(state, combatant, f"near:{foe.id}")
    return None if is_within(state, combatant, foe) else _open_door(state, combatant, foe.at)


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


def _arm(state: State, combatant: Combatant, foe: Combatant) -> Submission | None:
    """Load the gun in hand; else draw a gun, or another weapon with nothing in hand: of use against an enemy.
    [COS-ACT-10]"""
    weapons = [w for w in find_weapons(combatant) if not is_bare(w) and can_harm(state, combatant, foe, w)]
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
        return ("way", trip) if allows(check_deck_way, state, combatant.id, way.id) else None
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
    """Refuse a move to combatants who fear, hold or are held, and one that leads out of the drawn place."""
    _check_way(state, submission, find_speed(state, state.combatants[submission.actor]))


def _check_run(state: State, submission: Go) -> None:
    """Refuse a run of twice that length likewise."""
    _check_way(state, submission, 2 * find_speed(state, state.combatants[submission.actor]))


def _check_way(state: State, submission: Move | Go, allowed: int) -> None:
    path = find_path(state, submission.actor, submission.to, allowed=allowed, far=submission.far)
    check_walk(state, submission.actor, path, allowed)
    kind, _, other = submission.to.partition(":")
    goal = state[other].at if kind == "near" else None
    whole = partial(find_path, state, submission.actor, submission.to, allowed=FARTHEST, far=submission.far)
    if leads_out(state.scene, path, whole, goal):
        raise Refused("not_allowed", "That leads out of the scene: nobody is sent there.")


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
