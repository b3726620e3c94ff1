"""Tactics: a sensible legal action for a combatant, and automatic answers to choices.

The worth of an attack is how much of the way to put its target out of the fight it is likely to go.
Suggestions are preparations to try before a roll; the engine finds out which are legal and help.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command, Handle, Targeted
from combat.rules.core.declaration.parts import Candidate
from combat.rules.core.gm.ways import Step, TakeWay, UseDoor, find_next_way, find_shut
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.map.starts import leads_out
from combat.rules.core.odds.harm import Hit, weigh
from combat.rules.core.space import FARTHEST
from combat.rules.core.state.state import Combatant, Item, State, has_condition, replace

from .book.options import find_option
from .book.tables import ACTION, ARMOR_ROW, FALL_ROW, HEAD, PLACES, ROWS, SPECIAL_ROWS, TORSO
from .care import FirstAid, check_first_aid, check_painkillers, find_needs
from .characters.sheet import is_able, is_conscious
from .characters.values import find_armor, find_mp, find_mp_most, find_ranks, sum_ranks
from .dice import count_highest
from .fight.aim import (
    Attack,
    Use,
    between_terms,
    check_ready,
    check_target,
    count_called_ranks,
    damage_ranks,
    is_beyond,
    is_throwable,
    read_use,
)
from .fight.aim import (
    find_way as find_attack_way,
)
from .fight.damage import count_soak, count_toughness
from .fight.defense import find_defenses
from .move import Move, find_way, find_way_to, find_way_to_door
from .turn.deeds import check_prone
from .turn.hands import check_draw, check_pick_up, check_way, find_arm
from .world.reach import NEUTRAL, check_seen, count_approach, count_yards, is_near
from .world.strides import stride_yards

Submission = tuple[str, Command]
GOOD_AID = 6  # the ranks at which First Aid comes before fighting
GAIN = 2.0  # how many times as much an attack must be worth with the weapon: taking it costs a round
HARMED = 0.2  # of the way out of the fight: a lost limb, a fall, a lost weapon
MIN_NAMED = 0.3  # the least chance to hit at which someone names a part of the body
SURELY = (Hit(1.0),)
TINY = 0.001  # the worth of a hit that does nothing
FACES = 12  # of the die for the location: its 9 knocks out, and its 1 may hit the head
# Someone's share of the way out of the fight by the rows that hit no part, [CG-LOC-08] to [CG-LOC-11]
EVENTS = (1 + HARMED * len((ARMOR_ROW, FALL_ROW, *SPECIAL_ROWS))) / FACES
HITS = {place: [*ROWS.values(), HEAD].count(place) / FACES for place in PLACES}


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of a combatant; None to end its turn."""
    combatant = state.combatants.get(actor)
    if combatant is None or combatant.budget.get(ACTION, 0) < 1 or not is_able(combatant):
        return None
    aid = find_aid(state, combatant)
    if aid:
        return aid
    foes = find_foes(state, combatant)
    return find_deed(state, combatant, foes) if foes else None


def find_foes(state: State, combatant: Combatant) -> list[Combatant]:
    """Enemies worth attacking, nearest first."""
    if combatant.side == NEUTRAL:
        return []
    foes = [
        f
        for f in state.combatants.values()
        if f.side not in (combatant.side, NEUTRAL)
        and is_conscious(f)
        and not is_concealed_from(state, combatant, f)
    ]
    return sorted(foes, key=lambda foe: count_yards(combatant, foe))


def find_deed(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Take a weapon in hand if that pays, attack, else get up or close in; or rest, if nothing but Fatigue
    keeps someone from hitting anybody. [CG-FAT-03] [CG-FAT-06]"""
    best = find_best(state, combatant, foes)
    if best is None and is_worn_out(state, combatant, foes):
        return None
    if best is None and allows(check_prone, state, combatant.id):
        return ("stand_up", Command(actor=combatant.id))
    if arming := find_arming(state, combatant, foes, best.worth if best else 0.0):
        return arming
    return ("attack", best.command) if best else find_approach(state, combatant, foes)


def is_worn_out(state: State, combatant: Combatant, foes: list[Combatant]) -> bool:
    """Whether someone too tired to hit with any weapon of theirs could do so when rested. [CG-FAT-03]"""
    if not combatant.tracks["fatigue"]:
        return False
    skills = {str(item.data["skill"]) for item in combatant.items if item.kind == "weapon"}
    rested = replace(combatant, tracks={**combatant.tracks, "fatigue": 0})
    then = replace(state, combatants={**state.combatants, combatant.id: rested})

    def can_hit(now: State, who: Combatant) -> bool:
        return any(count_highest(now, sum_ranks(now, who, skill)) > 0 for skill in skills)

    return can_hit(then, rested) and not can_hit(state, combatant)


# ---------------------------------------------------------------- help for others


def find_aid(state: State, combatant: Combatant) -> Submission | None:
    """First Aid for someone in reach, else a move to someone who bleeds. [CG-BLEED-03]

    Painkillers for the combatant's own torso come next. [CG-TORSO-03]
    """
    friends = [f for f in state.combatants.values() if f.conditions and f.side == combatant.side]
    if not friends:
        return None
    if find_ranks(state, combatant, "first_aid") < GOOD_AID or has_condition(combatant, "prone"):
        return _find_dose(state, combatant)
    friends = [f for f in friends if not f.gone and find_needs(f)]
    friends = [f for f in friends if not is_concealed_from(state, combatant, f)]
    for friend in sorted(friends, key=lambda one: count_yards(combatant, one)):
        if not is_near(combatant, friend):
            move = Move(actor=combatant.id, to=f"near:{friend.id}")
            return ("move", move) if allows(_check_move, state, move) else None
        for place in find_needs(friend):
            aid = FirstAid(actor=combatant.id, target=friend.id, place=place)  # type: ignore[arg-type]  # of find_needs
            if allows(check_first_aid, state, aid):
                return ("first_aid", aid)
    return _find_dose(state, combatant)


def _find_dose(state: State, combatant: Combatant) -> Submission | None:
    wants = has_condition(combatant, "torso_wound") and not has_condition(combatant, "painkillers")
    if not wants or not allows(check_painkillers, state, combatant.id):
        return None
    return ("painkillers", Targeted(actor=combatant.id, target=combatant.id))


# ---------------------------------------------------------------- preparing


def find_approach(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """A move to the nearest enemy to whom a way leads, as far as it goes [CG-ACT-03]; else through a door.
    [CG-ACT-05]"""
    if foes and (step := _take_way(state, combatant, foes[0])):
        return step
    for foe in foes:
        command = Move(actor=combatant.id, to=f"near:{foe.id}")
        if not is_near(combatant, foe) and allows(_check_move, state, command):
            return ("move", command)
    door = find_shut(state, combatant.id, find_arm(state))
    if door:
        return ("door", UseDoor(actor=combatant.id, door=door.id))
    for foe in foes:
        command = Move(actor=combatant.id, to=find_way_to_door(state, combatant, foe.at))
        if command.to and allows(_check_move, state, command):
            return ("move", command)
    return next(filter(None, (_take_way(state, combatant, foe) for foe in foes[1:])), None)


def _take_way(state: State, combatant: Combatant, foe: Combatant) -> Submission | None:
    """The next step by a way between decks toward an enemy; None if none leads there."""
    step = find_next_way(state, combatant, foe.at, find_arm(state))
    return _change_deck(state, combatant, step) if step else None


def _change_deck(state: State, combatant: Combatant, step: Step) -> Submission | None:
    """Take the way to another deck, or go to it, through doors.  RULING R48"""
    way, at = step.trip.way, step.trip.start
    if step.is_near and way.open:
        fits = allows(check_way, state, combatant.id, way.id)
        return ("way", TakeWay(actor=combatant.id, way=way.id)) if fits else None
    if step.is_near:
        return "door", UseDoor(actor=combatant.id, door=way.id)
    command = Move(actor=combatant.id, to=find_way_to(state, combatant, at))
    if command.to and allows(_check_move, state, command):
        return "move", command
    door = find_shut(state, combatant.id, find_arm(state))
    if door:
        return "door", UseDoor(actor=combatant.id, door=door.id)
    command = Move(actor=combatant.id, to=find_way_to_door(state, combatant, at))
    return ("move", command) if command.to and allows(_check_move, state, command) else None


def _check_move(state: State, command: Move) -> None:
    """Refuse a move that the rules refuse, and one that leads out of the drawn place."""
    path, _ = find_way(state, command, stride_yards(state, state[command.actor]))
    kind, _, other = command.to.partition(":")
    goal = state[other].at if kind == "near" else None
    if leads_out(state.scene, path, lambda: find_way(state, command, FARTHEST)[0], goal):
        raise Refused("not_allowed", "That leads out of the scene: nobody is sent there.")


def is_armed(combatant: Combatant) -> bool:
    """Whether someone holds a weapon that is no part of the body."""
    return any(i.kind == "weapon" and i.place == "held" and i.data["hands"] for i in combatant.items)


def find_arming(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Submission | None:
    """Draw a weapon, pick one up, or go to one that lies on the ground. [CG-ACT-05]

    Only with bare hands, and only if the weapon makes an attack worth GAIN times as much as it is now.
    """
    if is_armed(combatant):
        return None
    carried = tuple(item for item in combatant.items if item.place == "carried")
    for item in (*_sort(state, combatant, carried), *_sort(state, combatant, state.ground)):
        if worth and _count_worth(state, combatant, item, foes) < GAIN * worth:
            continue
        if way := _find_way(state, combatant, item):
            return way
    return None


def _find_way(state: State, combatant: Combatant, item: Item) -> Submission | None:
    """The legal way to a weapon, carried or on the ground."""
    handle = Handle(actor=combatant.id, item=item.id)
    if item.place == "carried":
        return ("draw", handle) if allows(check_draw, state, handle) else None
    if allows(check_pick_up, state, handle):
        return ("pick_up", handle)
    move = Move(actor=combatant.id, to=f"{item.at.x:g},{item.at.y:g}") if item.at else None
    return ("move", move) if move and allows(_check_move, state, move) else None


def _sort(state: State, combatant: Combatant, items: tuple[Item, ...]) -> list[Item]:
    """The weapons among these that someone has ranks for, the most ranks first."""
    weapons = [item for item in items if item.kind == "weapon"]
    ranks = {item.id: find_ranks(state, combatant, str(item.data["skill"])) for item in weapons}
    return sorted((item for item in weapons if ranks[item.id]), key=lambda item: -ranks[item.id])


def _count_worth(state: State, combatant: Combatant, item: Item, foes: list[Combatant]) -> float:
    """What an attack would be worth with a weapon in hand."""
    held = replace(item, place="held", at=None)
    plan = find_best(state, combatant, foes, (held,))
    return plan.worth if plan else 0.0


# ---------------------------------------------------------------- suggestions


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Name no part or an easier one, use another weapon, ease a torso wound, rest, come closer.

    [CG-REF-04] [CG-ATK-01] [CG-TORSO-03] [CG-FAT-05] [CG-REF-05]
    """
    if isinstance(command, FirstAid):
        return _ease(state[command.actor])
    if not isinstance(command, Attack):
        return ()
    combatant = state[command.actor]
    return (
        *_call_easier(command),
        *_other_weapons(combatant, command),
        *_ease(combatant),
        *_get_up(combatant),
    )


def _call_easier(command: Attack) -> list[Candidate]:
    """Name no part or an easier one: naming a part costs ranks. [CG-REF-04]"""
    if not command.called:
        return []
    found = [Candidate("Name no part", "", {"called": ""}, "CG-REF-04")]
    if command.called != TORSO:
        found.append(Candidate("Name the torso instead", "", {"called": TORSO}, "CG-REF-04"))
    return found


def _other_weapons(combatant: Combatant, command: Attack) -> list[Candidate]:
    """Other weapons in hand, and throwing those that can be thrown. [CG-ATK-01]"""
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held"]
    found = [
        Candidate(f"Use {item.name} instead", "", {"weapon": item.id, "thrown": False}, "CG-ATK-01")
        for item in held
        if item.id != command.weapon
    ]
    throwable = next((i for i in held if i.id == command.weapon and is_throwable(i)), None)
    if throwable:
        label = f"Use {throwable.name} in hand" if command.thrown else f"Throw {throwable.name}"
        found.append(Candidate(label, "", {"thrown": not command.thrown}, "CG-ATK-01"))
    return found


def _ease(combatant: Combatant) -> tuple[Candidate, ...]:
    """Painkillers, at the cost of this round's action. [CG-TORSO-03]"""
    if not has_condition(combatant, "torso_wound") or has_condition(combatant, "painkillers"):
        return ()
    return (Candidate("Take painkillers first", "painkillers", {"target": combatant.id}, "CG-TORSO-03"),)


def _get_up(combatant: Combatant) -> list[Candidate]:
    """Get up: the prone cannot attack. [CG-PRONE-01]"""
    return (
        [Candidate("Get up first", "stand_up", {}, "CG-PRONE-01")]
        if has_condition(combatant, "prone")
        else []
    )


# ---------------------------------------------------------------- worth


class Plan(msgspec.Struct, frozen=True):
    """An attack and its worth, from 0 to 1."""

    command: Attack
    worth: float


class Frailty(msgspec.Struct, frozen=True):
    """The soak of a part of the body, the points until it gives way, and what that does: 1 ends the fight."""

    soak: int
    left: int
    share: float


class Arm(msgspec.Struct, frozen=True):
    """A ready weapon, with its ranks and the points added to its dice, against any target."""

    use: Use
    ranks: int
    added: int


def find_best(
    state: State, combatant: Combatant, foes: Iterable[Combatant], weapons: tuple[Item, ...] = ()
) -> Plan | None:
    """The best legal attack on one of the enemies, with one of the weapons or with those in hand."""
    held = [item for item in combatant.items if item.kind == "weapon" and item.place == "held"]
    uses = [read_use(item, False) for item in weapons or held]
    arms = [_make_arm(state, combatant, use) for use in uses if allows(check_ready, combatant, use)]
    half = stride_yards(state, combatant, melee=True)
    plans = (
        [plan for foe in foes for plan in _make_plans(state, combatant, foe, arms=arms, half=half)]
        if arms
        else []
    )
    best = max(plans, key=lambda plan: plan.worth, default=None)
    return best if best and best.worth else None


def _make_arm(state: State, combatant: Combatant, use: Use) -> Arm:
    return Arm(use, sum_ranks(state, combatant, use.skill), damage_ranks(state, combatant, use))


def _make_plans(
    state: State, combatant: Combatant, foe: Combatant, arms: list[Arm], half: float
) -> list[Plan]:
    """The best attack on an enemy with each weapon that reaches them, at most half a move away."""
    near = [
        arm
        for arm in arms
        if arm.use.is_distant or not is_beyond(count_approach(combatant, foe, arm.use.reach), half)
    ]
    if not near or not allows(check_target, combatant, foe) or not allows(check_seen, state, combatant, foe):
        return []
    legal = [arm for arm in near if allows(find_attack_way, state, combatant, foe, arm.use)]
    if not legal:
        return []
    frailties = find_frailties(state, foe)
    passing = {distant: _find_passing(state, foe, distant) for distant in {a.use.is_distant for a in legal}}
    return [
        _make_plan(state, combatant, foe, arm=arm, passing=passing[arm.use.is_distant], frailties=frailties)
        for arm in legal
    ]


def _find_passing(state: State, foe: Combatant, distant: bool) -> float:
    """The chance that a successful attack gets past the best defense."""
    defenses = find_defenses(state, foe, distant)
    return 1 - defenses[0].chance / 100 if defenses else 1.0


def _make_plan(
    state: State,
    combatant: Combatant,
    foe: Combatant,
    arm: Arm,
    passing: float,
    frailties: dict[str, Frailty],
) -> Plan:
    """The best attack with a weapon that reaches an enemy, with or without naming a part."""
    ranks = arm.ranks + add_up(between_terms(state, combatant, foe, arm.use))
    shares = find_shares(state, arm.use.weapon.damage, arm.added, frailties)
    worths = {}
    for called, share in shares.items():
        if called and share <= shares[""]:
            continue
        chance = count_highest(state, ranks + count_called_ranks(state, called)) / 100
        if not called or chance >= MIN_NAMED:
            worths[called] = chance * (passing * share + TINY)
    best = max(worths, key=worths.__getitem__)
    attack = Attack(actor=combatant.id, target=foe.id, weapon=arm.use.item.id, called=best)  # type: ignore[arg-type]  # of find_shares
    return Plan(attack, worths[best])


def find_shares(state: State, dice: str, added: int, frailties: dict[str, Frailty]) -> dict[str, float]:
    """How far a hit puts someone out of the fight, 0 to 1, by the part that is named; "" names none.

    It deals these dice and the added points. [CG-LOC-01] Without a name all rows of the d12 count,
    [CG-LOC-10] also the one that knocks out.
    """
    shares, rolled = {HEAD: 1.0, TORSO: 1.0}, 0.0
    for place, part in frailties.items():
        harm = weigh(SURELY, dice, added - part.soak, part.left)
        shares[place] = part.share * harm.mean / part.left
        rolled += HITS[place] * shares[place]
    named = {} if find_option(state, "called_shots") == "off" else {HEAD: shares[HEAD], TORSO: shares[TORSO]}
    return {"": rolled + EVENTS, **named}


def find_frailties(state: State, target: Combatant) -> dict[str, Frailty]:
    """How well each part of the body that still counts resists.

    [CG-HEAD-01] [CG-LIMB-01] A head or a limb gives way at half of its points, [CG-TORSO-04] the torso at 0.
    """
    found, tough, how = {}, count_toughness(state, target), find_option(state, "soak")
    for place in PLACES:
        now = find_mp(target, place)
        left = now if place == TORSO else now - find_mp_most(target, place) // 2
        if left > 0:
            soak = sum(count_soak(how, find_armor(target, place), tough))
            found[place] = Frailty(soak, left, 1.0 if place in (HEAD, TORSO) else HARMED)
    return found
