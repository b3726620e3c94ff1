"""Tactics: a sensible legal action for a combatant, and automatic answers to choices.

Suggestions are preparations to try before a roll; the engine finds out which are legal and help.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.dice.dice import count_sums
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command, Targeted
from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.gm.doors import UseDoor, find_doorway, find_shut
from combat.rules.core.gm.ways import Step, TakeWay, check_trip, find_next_way
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import Point, distance
from combat.rules.core.state.state import Combatant, Item, State, find_condition

from ..book.options import find_option
from ..book.tables import MAX_AIM
from ..characters.conditions import KINDS, is_busy, is_held
from ..characters.goods.inventory import count_hands
from ..characters.machinery import can_fight, find_speed, find_vehicle
from ..characters.values import find_skill, is_out, is_vehicle
from ..dice.rolls import better_of, modifiers_for_check
from ..fight.aim import Attack, range_rows
from ..fight.aiming import Aim
from ..fight.checks import can_reach
from ..fight.explosives.lobs import can_lob
from ..fight.grapple import BASE_DAMAGE, NATURAL, check_grapple
from ..fight.weapons import Handle, Reload, check_ready_up, check_reload
from ..move.movement import Move, find_path, make_way
from ..move.stance import STANDING, Take, find_stance
from ..move.ways import find_arm
from ..world.bands import PERSONAL, find_band, find_meters
from ..world.economy import MINOR, SIGNIFICANT, count_minors
from ..world.motion import allowed_meters
from .chases import find_driving
from .explosives import find_throw
from .worth import Plan, find_armor, find_most, make_plan, weigh_strays

Submission = tuple[str, Command]
NEAREST = 2  # enemies that are compared
SURE = 0.97  # the chance that aiming cannot improve
TRAINED = 1  # the least level of Natural Weapons at which someone chooses to grab


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
    return bool(combatant.inside) and not is_out(state.combatants[combatant.inside])


def find_step(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Drive, grapple or throw if that is called for; else aim and attack, or prepare."""
    if driving := find_driving(state, combatant, foes):
        return driving
    if combatant.budget.get(SIGNIFICANT, 0) < 1:
        return None
    if is_held(combatant):
        return go_on(combatant)
    best = find_best(state, combatant, foes)
    worth = best.worth if best else 0.0
    throw = find_throw(state, combatant, foes, worth)
    if throw and throw.worth > worth:
        return throw.submission
    if grab := find_grab(state, combatant, foes[:NEAREST], worth):
        return grab
    if best and is_bare(combatant, best) and count_minors(state, combatant.id):
        if ready := get_ready(state, combatant, foes):
            return ready
    if best is None or not best.chance:
        ready = approach(state, combatant, foes[0]) if best else prepare(state, combatant, foes)
        step = ready if count_minors(state, combatant.id) else None
        if step or best is None:
            return step
    return find_first(state, combatant, best) or (("attack", best.command) if best.chance else None)


def find_first(state: State, combatant: Combatant, best: Plan) -> Submission | None:
    """A use of the minor action before an attack: closing in for a blow, or aiming a shot."""
    if not combatant.budget.get(MINOR, 0):
        return None
    if should_close_in(state, best):
        return approach(state, combatant, state.combatants[best.command.target])
    if should_aim(combatant, best):
        return "aim", Aim(actor=combatant.id, target=best.command.target)
    return None


def should_close_in(state: State, plan: Plan) -> bool:
    """Whether a blow would be easier at Personal range. [CE-RANGE-10] [CE-RANGE-12]"""
    if plan.mode != "melee":
        return False
    row = range_rows(state)[plan.row]
    return row[plan.band] < row.get(PERSONAL, 0)


def find_best(state: State, combatant: Combatant, foes: list[Combatant]) -> Plan | None:
    """The attack with the highest expected damage, on the target of an aim if possible."""
    if aim := find_condition(combatant, "aiming"):
        aimed = [foe for foe in foes if aim.marks.get("target") == foe.id]
        if aimed and (best := _find_best_of(state, combatant, aimed)):
            return best
    return _find_best_of(state, combatant, foes[:NEAREST])


def _find_best_of(state: State, combatant: Combatant, foes: list[Combatant]) -> Plan | None:
    best: Plan | None = None
    weapons = [each for each in find_weapons(state, combatant) if not can_lob(each)]  # grenades are thrown
    for foe in foes:
        band = find_band(state, combatant, foe)
        for weapon in weapons:
            if not can_reach(state, combatant, weapon, band):
                continue
            if best and find_most(foe, weapon) <= best.worth:
                continue
            plan = make_plan(state, Attack(actor=combatant.id, target=foe.id, weapon=weapon.id))
            if plan and plan.beside:
                plan = weigh_strays(state, combatant, foe, weapon=weapon, plan=plan)
            if plan and (best is None or plan.worth > best.worth):
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


def prepare(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Load, draw, get up or close in: the quickest way to an attack."""
    return get_ready(state, combatant, foes) or approach(state, combatant, foes[0])


def get_ready(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Load a weapon in hand, or draw one that reaches the nearest enemy; with bare hands any."""
    for item in find_weapons(state, combatant):
        loading = Reload(actor=combatant.id, weapon=item.id)
        if is_spent(item) and allows(check_reload, state, loading):
            return "reload", loading
    band, armed = find_band(state, combatant, foes[0]), is_armed(combatant)
    for item in combatant.items:
        drawing = Handle(actor=combatant.id, weapon=item.id)
        if item.kind == "weapon" and item.place == "carried" and item.loaded != 0:
            useful = not armed or can_reach(state, combatant, item, band)
            if useful and allows(check_ready_up, state, drawing):
                return "ready", drawing
    return None


def is_spent(item: Item) -> bool:
    """Whether a weapon has too few rounds for any attack."""
    return item.loaded is not None and item.loaded < min(item.data.get("rate_of_fire") or (1,))


def is_bare(combatant: Combatant, plan: Plan) -> bool:
    """Whether an attack is made with a part of the body."""
    used = (item for item in combatant.items if item.id == plan.command.weapon and item.kind == "weapon")
    return not all(map(count_hands, used))


def is_armed(combatant: Combatant) -> bool:
    """Whether someone has a weapon in hand that is no part of the body."""
    return any(
        item.kind == "weapon" and item.place == "held" and count_hands(item) for item in combatant.items
    )


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
    try:
        path = find_path(state, combatant.id, going.to, allowed=allowed_meters(combatant), far=going.far)
    except Refused:
        return _open_door(state, combatant, foe.at)
    nearer = distance(path[-1], foe.at) < distance(combatant.at, foe.at)
    return ("move", going) if nearer else _open_door(state, combatant, foe.at)


def _change_deck(state: State, combatant: Combatant, step: Step) -> Submission | None:
    """Take the way to another deck, or go to it.  RULING R98"""
    way, at = step.trip.way, step.trip.start
    if step.is_near and not count_minors(state, combatant.id):
        return None
    if step.is_near and way.open:
        fits = allows(check_trip, state, combatant.id, way.id, find_arm(state))
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


def go_on(combatant: Combatant) -> Submission | None:
    """Make the next check of a grapple, the only action in one. [CE-GRAP-14]"""
    held = find_condition(combatant, "grappled")
    return ("grapple", Targeted(actor=combatant.id, target=held.by)) if held else None


def find_grab(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Submission | None:
    """A target that a grab would hurt more than the best attack; the untrained grab only without an
    alternative. [CE-GRAP-01]"""
    if worth and find_skill(combatant, NATURAL) < TRAINED:
        return None
    for foe in foes:
        grab = Targeted(actor=combatant.id, target=foe.id)
        if allows(check_grapple, state, grab) and find_worth(state, combatant, foe) > worth:
            return "grapple", grab
    return None


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
    changed = {"rounds": 0, "burst": ""}
    return [
        Candidate(f"Use {item.name} instead", "", {"weapon": item.id, **changed}, "CE-RANGE-09")
        for item in held
    ]
