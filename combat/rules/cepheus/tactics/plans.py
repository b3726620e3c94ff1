"""Tactics: a sensible legal action for a combatant, and automatic answers to choices.

Suggestions are preparations to try before a roll; the engine finds out which are legal and help.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET

from combat.rules.core.basics.dice.dice import count_sums
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command, Targeted
from combat.rules.core.declaration.parts import Candidate
from combat.rules.core.gm.ways import Step, TakeWay, UseDoor, find_doorway, find_next_way, find_shut
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.map.starts import leads_out
from combat.rules.core.space import FARTHEST, Point, distance
from combat.rules.core.state.state import Combatant, Item, State, find_condition, replace

from ..book.options import find_option
from ..book.tables import MAX_AIM
from ..characters.conditions import KINDS, is_busy, is_held
from ..characters.goods import HAND_USES, HANDS, count_hands, is_gun
from ..characters.machinery import DRIVER, can_fight, check_limbs, find_speed, find_vehicle
from ..characters.values import find_skill, is_out, is_vehicle
from ..dice import better_of, modifiers_for_check
from ..fight.aim import Attack, range_rows
from ..fight.aiming import Aim
from ..fight.checks import can_reach
from ..fight.explosives.lobs import can_lob
from ..fight.grapple import BASE_DAMAGE, NATURAL, check_grapple
from ..fight.weapons import DRAWN, FILLED, INSIDE, Handle, Reload, check_pick_up
from ..move.movement import STANDING, Move, Take, find_path, find_stance, make_way
from ..move.ways import check_way, find_arm
from ..vehicles.fields import find_vehicles
from ..world.bands import CLOSE, PERSONAL, find_band, find_meters
from ..world.economy import MINOR, SIGNIFICANT, count_minors
from ..world.motion import allowed_meters
from .chases import find_driving
from .worth import (
    Plan,
    Throw,
    find_armor,
    find_base,
    find_mark,
    find_most,
    find_throw,
    find_throws,
    make_plan,
    weigh_strays,
)

Submission = tuple[str, Command]
NEAREST = 2  # enemies that are compared
BAND_OF_GUNS, UNREACHED = "short", -99  # where guns are easiest; the DM of a band beyond reach
EVEN = 0.5  # the chance of a shot from which nobody steps back
SURE = 0.97  # the chance that aiming cannot improve
GAIN = 1.25  # how many times as much an attack must be worth after a minor action that is left
DELAYED = 2.0  # the same after preparations that cost the attack of this turn
MINORS_OF_TURN = 3  # with the significant action traded
TRAINED = 1  # the least level of Natural Weapons at which someone chooses to grab
DRIVEN = ("drive", "maneuver", "evade", "ram", "stunt", "weave")  # what only a driver does


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of a combatant; None when its turn should end."""
    combatant = state.combatants.get(actor)
    if combatant is None or combatant.gone:
        return None
    if is_busy(combatant) or KINDS.loses(combatant, "actions"):
        return None
    left = combatant.budget
    if not left.get(SIGNIFICANT, 0) and not (combatant.inside and any(left.values())):
        return None  # on foot, only what leads to an attack this turn is worth a minor action
    foes = find_foes(state, combatant)
    return find_step(state, combatant, foes) if foes else None


def find_foes(state: State, combatant: Combatant) -> list[Combatant]:
    """Enemies worth attacking, nearest first: not people inside a vehicle, but the vehicle while it works and
    someone in it can act."""
    foes = [
        foe
        for foe in state.combatants.values()
        if foe.side != combatant.side
        and not is_inside(state, foe)
        and can_fight(state, foe)
        and not is_concealed_from(state, combatant, foe)
    ]
    return sorted(foes, key=lambda foe: (find_meters(state, combatant, foe), foe.id))


def is_inside(state: State, combatant: Combatant) -> bool:
    """Whether someone is inside a vehicle that still works."""
    return combatant.berth is not UNSET and not is_out(state.combatants[combatant.berth.inside])


def find_step(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Drive, grapple or throw if that is called for; else get ready, aim and attack, or close in.

    What can do nothing is never proposed: then someone aims until it can, or comes closer.
    """
    if driving := find_driving(state, combatant, foes):
        return driving
    if combatant.budget.get(SIGNIFICANT, 0) < 1:
        return None
    if is_held(combatant):
        return go_on(state, combatant)
    best = find_best(state, combatant, foes)
    worth = best.worth if best else 0.0
    throw = find_throw(state, combatant, foes, worth)
    if throw and throw.worth > worth:
        return throw.submission
    grab, gripped = find_grab(state, combatant, foes[:NEAREST], worth)
    ready = find_arming(state, combatant, foes, max(worth, gripped))
    if ready or (grab and not (best and best.hope > gripped)):
        return ready or grab
    if not (best and worth):
        return prepare(state, combatant, foes, best) if count_minors(state, combatant.id) else None
    return find_first(state, combatant, foes, best) or ("attack", best.command)


def prepare(
    state: State, combatant: Combatant, foes: list[Combatant], hope: Plan | None
) -> Submission | None:
    """Aim for an attack that can do nothing yet, step out of the own blast, or come closer: first what cannot
    even hit."""
    aim: Submission | None = None
    if hope and hope.mode != "melee":
        aim = "aim", Aim(actor=combatant.id, target=hope.command.target)
    if aim and hope and hope.chance:
        return aim
    return leave_blast(state, combatant, foes) or approach_any(state, combatant, foes) or aim


def leave_blast(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """A move away from an enemy who is too near for what is in hand and would explode; None if that is no
    help. [CE-EXPL-01]"""
    if not any(item.place == "held" and can_lob(item) and not is_spent(item) for item in combatant.items):
        return None
    retreat = _find_retreat(state, combatant, foes)
    if retreat is None:
        return None
    going, later, moved = retreat
    then = find_throw(later, moved, foes, 0.0)
    return ("move", going) if then and then.worth else None


def find_first(state: State, combatant: Combatant, foes: list[Combatant], best: Plan) -> Submission | None:
    """A use of the minor action before an attack: closing in for a blow, a step back with a gun, or aiming a
    shot."""
    if not combatant.budget.get(MINOR, 0):
        return None
    if should_close_in(state, best):
        return approach(state, combatant, state.combatants[best.command.target])
    if back := step_back(state, combatant, foes, best):
        return back
    if should_aim(combatant, best):
        return "aim", Aim(actor=combatant.id, target=best.command.target)
    return None


def step_back(state: State, combatant: Combatant, foes: list[Combatant], best: Plan) -> Submission | None:
    """A move away from an enemy at arm's length, if a gun in hand is worth much more from there.
    [CE-RANGE-15]"""
    foe = foes[0]
    band = find_band(state, combatant, foe)
    if band not in (PERSONAL, CLOSE) or combatant.inside or is_vehicle(combatant):
        return None
    if best.mode != "melee" and best.chance >= EVEN:
        return None
    guns = [
        item
        for item in find_weapons(state, combatant)
        if is_gun(item) and is_easier(state, item, band) and not (can_lob(item) or is_spent(item))
    ]
    if guns:
        mark, base = find_mark(foe), find_base(combatant)
        guns = [item for item in guns if find_most(combatant, mark, item, base) > GAIN * best.worth]
    if not guns:
        return None
    retreat = _find_retreat(state, combatant, foes)
    if retreat is None:
        return None
    going, later, moved = retreat
    then = _find_best_of(later, moved, [foe], guns)
    return ("move", going) if then and then.worth > GAIN * best.worth else None


def _find_retreat(
    state: State, combatant: Combatant, foes: list[Combatant]
) -> tuple[Move, State, Combatant] | None:
    """A move away from the nearest enemy, and the state after it; None if it leads nearer to another one, or
    nowhere."""
    foe = foes[0]
    if is_held(combatant) or combatant.inside or is_vehicle(combatant):
        return None
    going = Move(actor=combatant.id, to=f"away:{foe.id}")
    path = _find_walk(state, going)
    if not path or any(distance(path[-1], one.at) < distance(combatant.at, foe.at) for one in foes):
        return None
    return going, *with_combatant(state, replace(combatant, at=path[-1]))


def should_close_in(state: State, plan: Plan) -> bool:
    """Whether a blow would be easier at Personal range. [CE-RANGE-10] [CE-RANGE-12]"""
    if plan.mode != "melee":
        return False
    row = range_rows(state)[plan.row]
    return row[plan.band] < row.get(PERSONAL, 0)


def is_easier(state: State, item: Item, band: str) -> bool:
    """Whether shots with a gun are easier at Short range than in this band. [CE-RANGE-09]"""
    rows = [range_rows(state)[row] for row in item.data["range_types"] if row not in HAND_USES]
    return any(BAND_OF_GUNS in row and row[BAND_OF_GUNS] > row.get(band, UNREACHED) for row in rows)


def find_best(state: State, combatant: Combatant, foes: list[Combatant]) -> Plan | None:
    """The attack with the highest expected damage, on the target of an aim if possible."""
    if aim := find_condition(combatant, "aiming"):
        aimed = [foe for foe in foes if aim.marks.get("target") == foe.id]
        if aimed and (best := _find_best_of(state, combatant, aimed)):
            return best
    return _find_best_of(state, combatant, foes[:NEAREST])


def _find_best_of(
    state: State, combatant: Combatant, foes: list[Combatant], weapons: list[Item] | None = None
) -> Plan | None:
    """The best attack with these weapons, or with those that are ready."""
    best: Plan | None = None
    if weapons is None:
        weapons = find_weapons(state, combatant)
    weapons = [each for each in weapons if not can_lob(each)]  # grenades are thrown
    has_laser = any(each.data.get("laser") for each in weapons)
    base: int | None = None
    for foe in foes:
        band, mark = find_band(state, combatant, foe), find_mark(foe, has_laser)
        for weapon in weapons:
            if not can_reach(state, combatant, weapon, band):
                continue
            if best and best.worth:
                base = find_base(combatant) if base is None else base
                if find_most(combatant, mark, weapon, base) <= best.worth:
                    continue
            plan = make_plan(state, Attack(actor=combatant.id, target=foe.id, weapon=weapon.id), mark)
            if plan and plan.beside:
                plan = weigh_strays(state, combatant, foe, weapon=weapon, plan=plan)
            if plan and (best is None or (plan.worth, plan.hope) > (best.worth, best.hope)):
                best = plan
    return best


def find_weapons(state: State, combatant: Combatant) -> list[Item]:
    """The weapons ready for an attack: those in hand, and those of the vehicle at whose guns the actor
    sits."""
    own = [item for item in combatant.items if item.kind in ("weapon", "mount") and item.place == "held"]
    vehicle = find_vehicle(state, combatant.id)
    return [*own, *(item for item in vehicle.items if item.kind == "mount")] if vehicle else own


def should_aim(combatant: Combatant, plan: Plan) -> bool:
    """Whether to aim with a minor action: yes for a shot that may miss. [CE-MINOR-03]"""
    held = find_condition(combatant, "aiming")
    return plan.mode != "melee" and plan.chance < SURE and (held is None or held.level < MAX_AIM)


# ---------------------------------------------------------------- getting ready


def find_arming(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Submission | None:
    """The next step to a weapon whose attack is worth more than so many points, once it is ready: put away or
    drop what takes the hands, draw it or pick it up, load it.  [CE-MINOR-12] [CE-MINOR-13] [CE-MINOR-14]
    [CE-OTHER-01]

    It must be worth much more if that costs the attack of this turn.
    """
    spare, chosen = combatant.budget.get(MINOR, 0), None
    if not spare and not count_minors(state, combatant.id):
        return None
    full = [item for item in combatant.items if item.place == "held" and count_hands(item)]
    lying = () if any(item.kind == "weapon" for item in full) else state.ground
    for item in (*combatant.items, *lying):
        is_free = item.place == "held" and (len(full) < HANDS or not item.data.get("two_handed"))
        if item.kind != "weapon" or (is_free and not is_spent(item)):
            continue
        is_thrown = can_lob(item) and not is_spent(item)  # `find_throw` draws it
        steps = None if is_thrown else find_steps(state, combatant, item, spare)
        if steps is None:
            continue
        gain = GAIN if steps.minors <= spare else DELAYED * -(-steps.minors // MINORS_OF_TURN)
        later, ready = with_combatant(state, replace(combatant, items=steps.items))
        found = [each for each in find_weapons(later, ready) if each.id == item.id]
        plan: Plan | Throw | None
        if can_lob(item):
            throws = [one for each in found for one in find_throws(later, ready.id, each, foes, 0.0)]
            plan = max(throws, key=lambda one: one.worth, default=None)
        else:
            plan = _find_best_of(later, ready, foes[:NEAREST], found) if found else None
        if plan and plan.worth > gain * worth:
            worth, chosen = plan.worth / gain, steps.first
    return chosen


class Steps(msgspec.Struct, frozen=True):
    """How a weapon gets ready: the first step, the minor actions of all, and the items afterwards."""

    first: Submission
    minors: int
    items: tuple[Item, ...]


def find_steps(state: State, combatant: Combatant, item: Item, spare: int) -> Steps | None:
    """How to get a weapon ready for an attack, with so many minor actions besides that; None if it is ready
    already, or cannot be."""
    who, steps, minors, items = combatant.id, list[Submission](), 0, {one.id: one for one in combatant.items}
    for other in _find_in_the_way(combatant, item):
        drops = is_spent(other) or not spare
        minors += 0 if drops else 1
        items[other.id] = replace(other, place="ground" if drops else "carried")
        steps.append(("drop" if drops else "put_away", Handle(actor=who, weapon=other.id)))
    if item.place == "ground":
        fetching = _fetch(state, combatant, item)
        if fetching is None:
            return None
        minors += 1 if fetching[0] == "pick_up" else MINORS_OF_TURN
        items[item.id] = replace(item, place="held", at=None)
        steps.append(fetching)
    elif item.place != "held":
        minors += max(0, int(item.data.get("draw_minor", 1)) - int(item.marks.get(DRAWN, 0)))
        items[item.id] = replace(items[item.id], place="held")
        steps.append(("ready", Handle(actor=who, weapon=item.id)))
    if is_spent(item):
        if item.spares < 1:
            return None
        minors += max(0, int(item.data.get("reload_minor", 1)) - int(item.marks.get(FILLED, 0)))
        items[item.id] = replace(items[item.id], loaded=int(item.data["magazine"]))
        steps.append(("reload", Reload(actor=who, weapon=item.id)))
    if not steps or not allows(check_limbs, state, combatant):
        return None
    return Steps(steps[0], max(1, minors), tuple(items.values()))


def _fetch(state: State, combatant: Combatant, item: Item) -> Submission | None:
    """Pick up what lies within reach, else go to it; None if no way leads there, or it lies inside something.
    [CE-MINOR-14]"""
    picking = Handle(actor=combatant.id, weapon=item.id)
    if allows(check_pick_up, state, picking):
        return "pick_up", picking
    if item.at is None or item.marks.get(INSIDE) or combatant.inside or is_vehicle(combatant):
        return None
    going = Move(actor=combatant.id, to=f"{item.at.x:g},{item.at.y:g}", far=True)
    return ("move", going) if _find_walk(state, going) else None


def _find_in_the_way(combatant: Combatant, item: Item) -> list[Item]:
    """What to take out of the hands before a weapon can be used: everything else for a two-handed one, all
    but one thing if it is to be drawn for one hand; first what is of no more use."""
    hands = count_hands(item)
    others = [i for i in combatant.items if i.place == "held" and i.id != item.id and count_hands(i)]
    others.sort(key=is_spent, reverse=True)
    if hands == HANDS:
        return others
    return others[: len(others) - 1] if hands and len(others) >= HANDS and item.place != "held" else []


def with_combatant(state: State, combatant: Combatant) -> tuple[State, Combatant]:
    """A state to think of, in which someone is different."""
    return replace(state, combatants={**state.combatants, combatant.id: combatant}), combatant


def is_spent(item: Item) -> bool:
    """Whether a weapon has too few rounds for any attack."""
    loaded = item.loaded
    return loaded is not None and loaded < min(item.data.get("rate_of_fire") or (1,))


def approach_any(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Move nearer to the nearest enemy to whom a way leads. [CE-MINOR-15]"""
    return next(filter(None, (approach(state, combatant, foe) for foe in foes)), None)


def approach(state: State, combatant: Combatant, foe: Combatant) -> Submission | None:
    """Move nearer to an enemy on foot; None if that is impossible, or if the enemy drives. [CE-MINOR-15]"""
    if is_vehicle(foe) and find_speed(state, foe) > 0:
        return None
    if combatant.inside and not is_inside(state, combatant):
        return "get_out", Command(actor=combatant.id)
    if is_held(combatant) or combatant.inside or is_vehicle(combatant):
        return None
    if find_stance(combatant) != STANDING:
        return "stance", Take(actor=combatant.id, stance=STANDING)
    if step := find_next_way(state, combatant, foe.at, find_arm(state)):
        return _change_deck(state, combatant, step)
    going = Move(actor=combatant.id, to=f"near:{foe.id}", far=True)
    path = _find_walk(state, going, foe.at)
    nearer = path and distance(path[-1], foe.at) < distance(combatant.at, foe.at)
    return ("move", going) if nearer else _open_door(state, combatant, foe.at)


def _find_walk(state: State, going: Move, goal: Point | None = None) -> tuple[Point, ...]:
    """The path of one move toward a place; empty if none leads there, or out of the drawn place."""
    find = partial(find_path, state, going.actor, going.to, far=going.far)
    try:
        path = find(allowed=allowed_meters(state[going.actor]))
        is_out = leads_out(state.scene, path, partial(find, allowed=FARTHEST), goal)
    except Refused:
        return ()
    return () if is_out else path


def _change_deck(state: State, combatant: Combatant, step: Step) -> Submission | None:
    """Take the way to another deck, or go to it.  RULING R98"""
    way, at = step.trip.way, step.trip.start
    if step.is_near and not count_minors(state, combatant.id):
        return None
    if step.is_near and way.open:
        fits = allows(check_way, state, combatant.id, way.id)
        return ("way", TakeWay(actor=combatant.id, way=way.id)) if fits else None
    if step.is_near:
        return "door", UseDoor(actor=combatant.id, door=way.id)
    going = Move(actor=combatant.id, to=f"{at.x:g},{at.y:g}", far=True)
    is_led = allows(find_path, state, combatant.id, going.to, allowed_meters(combatant), going.far)
    return ("move", going) if is_led else _open_door(state, combatant, at)


def _open_door(state: State, combatant: Combatant, goal: Point) -> Submission | None:
    """Open a door within reach if no path leads on; else go to the one that leads to an enemy.
    [CE-MINOR-20]"""
    door = find_shut(state, combatant.id, find_arm(state)) if count_minors(state, combatant.id) else None
    if door:
        return ("door", UseDoor(actor=combatant.id, door=door.id))
    doorway = find_doorway(state, combatant, goal, make_way(state, combatant))
    if doorway is None:
        return None
    going = Move(actor=combatant.id, to=f"{doorway.x:g},{doorway.y:g}", far=True)
    is_open = allows(find_path, state, combatant.id, going.to, allowed_meters(combatant), going.far)
    return ("move", going) if is_open else None


def go_on(state: State, combatant: Combatant) -> Submission | None:
    """Make the next check of a grapple, the only action in one [CE-GRAP-14]; None without a limb for it."""
    held = find_condition(combatant, "grappled")
    check = Targeted(actor=combatant.id, target=held.by) if held else None
    return ("grapple", check) if check and allows(check_grapple, state, check) else None


def find_grab(
    state: State, combatant: Combatant, foes: list[Combatant], worth: float
) -> tuple[Submission | None, float]:
    """A target that a grab would hurt more than the best attack, and its expected points; the untrained grab
    only without an alternative. [CE-GRAP-01]"""
    if worth and find_skill(combatant, NATURAL) < TRAINED:
        return None, 0.0
    for foe in foes:
        grab = Targeted(actor=combatant.id, target=foe.id)
        if allows(check_grapple, state, grab) and (points := find_worth(state, combatant, foe)) > worth:
            return ("grapple", grab), points
    return None, 0.0


def find_worth(state: State, combatant: Combatant, foe: Combatant) -> float:
    """The expected points of one check whose winner inflicts damage.  [CE-GRAP-09]"""
    edge = _sum(state, combatant) - _sum(state, foe)
    armor = find_armor(foe, is_laser=False) if find_option(state, "grapple_armor") else 0
    return weigh_contest(edge, armor)


def _sum(state: State, combatant: Combatant) -> int:
    key = better_of(combatant, "str", "dex")
    return add_up(modifiers_for_check(state, combatant.id, NATURAL, key, fights=True))


def weigh_contest(edge: int, armor: int) -> float:
    """The mean points of a check; a lost one counts 0."""
    sums = count_sums(2, 6)
    return sum(
        mine * theirs * max(0, BASE_DAMAGE + a + edge - b - armor)
        for a, mine in sums.items()
        for b, theirs in sums.items()
        if a + edge > b
    ) / (36 * 36)


# ---------------------------------------------------------------- plans


def find_mends(state: State, name: str, fields: Mapping[str, Any]) -> Iterator[Candidate]:
    """The controls of a vehicle beside someone, for what only its driver does.  [CE-VEH-08]"""
    who = str(fields.get("actor", ""))
    if name not in DRIVEN or who not in state.combatants or state[who].inside:
        return
    for vehicle in find_vehicles(state):
        seat = {"target": vehicle.id, "station": DRIVER}
        yield Candidate(f"Get into {vehicle.name}", "get_in", seat, "CE-VEH-08")


# ---------------------------------------------------------------- suggestions


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Aim first, a burst, another weapon in hand."""
    if not isinstance(command, Attack):
        return ()
    return (*_aims(state, command), *_bursts(state, command), *_weapons(state[command.actor], command))


def _aims(state: State, command: Attack) -> list[Candidate]:
    """Aim with the minor actions left, except those that the attack is traded for. [CE-MINOR-03]"""
    minors = state[command.actor].budget.get(MINOR, 0)
    target = {"target": command.target}
    return [Candidate("Aim first", "aim", target, "CE-MINOR-03")] if minors else []


def _bursts(state: State, command: Attack) -> list[Candidate]:
    """Sprays at each of the weapon's burst rates. [CE-BURST-02]"""
    item = next((i for i in state[command.actor].items if i.id == command.weapon), None)
    rates = item.data.get("rate_of_fire", ()) if item else ()
    return [
        Candidate(f"Spray {n} rounds", "", {"rounds": n, "burst": "spray"}, "CE-BURST-02")
        for n in rates
        if n > 1 and (n, "spray") != (command.rounds, command.burst)
    ]


def _weapons(combatant: Combatant, command: Attack) -> list[Candidate]:
    """Another weapon in hand, at this range. [CE-RANGE-09]"""
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held" and i.id != command.weapon]
    changed = {"rounds": 0, "burst": "spray"}  # as the form begins
    return [
        Candidate(f"Use {item.name} instead", "", {"weapon": item.id, **changed}, "CE-RANGE-09")
        for item in held
    ]
