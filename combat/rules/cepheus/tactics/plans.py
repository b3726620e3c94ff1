"""Tactics: a sensible legal action for a fighter, and how choices are answered without people."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.bodies import is_concealed_from
from combat.rules.core.commands.commands import Command
from combat.rules.core.gm.doors import UseDoor, find_doorway, find_shut
from combat.rules.core.space import distance
from combat.rules.core.state.state import Combatant, Item, State, find_condition, has_condition

from ..book.tables import MAX_AIM
from ..fight.aim import Attack, range_rows
from ..fight.aiming import Aim
from ..fight.checks import can_reach
from ..fight.lobs import can_lob
from ..fight.weapons import Handle, Reload, check_ready_up, check_reload
from ..move.movement import Move, find_path
from ..move.stance import STANDING, Take, find_stance
from ..people.conditions import HELPLESS
from ..people.machinery import can_fight, find_vehicle
from ..people.values import is_out, is_vehicle
from ..turn.doors import find_arm
from ..world.bands import PERSONAL, find_band, find_metres
from ..world.economy import MINOR, SIGNIFICANT, count_minors
from ..world.motion import find_allowed
from ..world.ways import make_way
from .chases import allows, find_driving
from .explosives import find_throw
from .grapples import find_grab, go_on
from .worth import Plan, find_most, make_plan

Submission = tuple[str, Command]
NEAREST = 2  # foes that are weighed against each other
SURE = 0.97  # a chance that aiming does not improve
IDLE = ("extended_action", *HELPLESS)


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of a fighter; None when its turn should end."""
    fighter = state.combatants.get(actor)
    if fighter is None or is_out(fighter) or has_condition(fighter, *IDLE):
        return None
    if not any(fighter.budget.values()):
        return None
    foes = find_foes(state, fighter)
    return find_step(state, fighter, foes) if foes else None


def find_foes(state: State, fighter: Combatant) -> list[Combatant]:
    """Enemies worth attacking, nearest first: not those inside a vehicle, but the vehicle while it works
    and somebody in it can act."""
    foes = [
        foe
        for foe in state.combatants.values()
        if foe.side != fighter.side
        and not is_concealed_from(state, fighter, foe)
        and not is_out(foe)
        and not is_inside(state, foe)
        and can_fight(state, foe)
    ]
    if len(foes) < 2:
        return foes
    return sorted(foes, key=lambda foe: (find_metres(state, fighter, foe), foe.id))


def is_inside(state: State, fighter: Combatant) -> bool:
    """Whether somebody sits in a vehicle that still works."""
    return bool(fighter.inside) and not is_out(state[fighter.inside])


def find_step(state: State, fighter: Combatant, foes: list[Combatant]) -> Submission | None:
    """Drive, grapple or throw where that is called for; else aim and attack, or get ready for it."""
    if fighter.inside and (driving := find_driving(state, fighter, foes)):
        return driving
    if fighter.budget.get(SIGNIFICANT, 0) < 1:
        return None
    if has_condition(fighter, "grappled"):
        return go_on(fighter)
    best = find_best(state, fighter, foes)
    worth = best.worth if best else 0.0
    throw = find_throw(state, fighter, foes)
    if throw and throw.worth > worth:
        return throw.submission
    if grab := find_grab(state, fighter, foes[:NEAREST], worth):
        return grab
    if best is None:
        return prepare(state, fighter, foes) if count_minors(state, fighter.id) else None
    return find_first(state, fighter, best) or ("attack", best.command)


def find_first(state: State, fighter: Combatant, best: Plan) -> Submission | None:
    """What the minor action is for before an attack: a blow from nearer, a shot that is aimed."""
    if not fighter.budget.get(MINOR, 0):
        return None
    if should_close_in(state, best):
        return approach(state, fighter, best.sight.target)
    if should_aim(fighter, best):
        return "aim", Aim(actor=fighter.id, target=best.command.target)
    return None


def should_close_in(state: State, plan: Plan) -> bool:
    """[CE-RANGE-10] [CE-RANGE-12] Whether a blow would be easier from right beside the target."""
    row = range_rows(state)[plan.sight.row]
    return plan.sight.mode == "melee" and row[plan.sight.band] < row.get(PERSONAL, 0)


def find_best(state: State, fighter: Combatant, foes: list[Combatant]) -> Plan | None:
    """The attack that may be expected to do most; on whom one has aimed at if that is possible."""
    aim = find_condition(fighter, "aiming")
    aimed = [foe for foe in foes if aim and aim.marks.get("target") == foe.id]
    return _find_best_of(state, fighter, aimed) or _find_best_of(state, fighter, foes[:NEAREST])


def _find_best_of(state: State, fighter: Combatant, foes: list[Combatant]) -> Plan | None:
    best: Plan | None = None
    for foe in foes:
        for weapon in find_reaching(state, fighter, find_band(state, fighter, foe)):
            if best and find_most(foe, weapon) <= best.worth:
                continue
            plan = make_plan(state, Attack(actor=fighter.id, target=foe.id, weapon=weapon.id))
            if plan and (best is None or plan.worth > best.worth):
                best = plan
    return best


def _look_at_weapons(state: State, fighter: Combatant, band: str) -> Seen:
    vehicle = find_vehicle(state, fighter.id) if fighter.inside else None
    return (state.options, fighter.items, vehicle), (state.system, band)


@remember_by(_look_at_weapons)
def find_reaching(state: State, fighter: Combatant, band: str) -> tuple[Item, ...]:
    """What of it reaches so far: for all else no attack is worth a look; grenades are thrown."""
    weapons = [item for item in find_weapons(state, fighter) if not can_lob(item)]
    return tuple([item for item in weapons if can_reach(state, fighter, item, band)])


def find_weapons(state: State, fighter: Combatant) -> list[Item]:
    """What one could attack with now: weapons in hand, and those of the vehicle at whose guns one sits."""
    own = [item for item in fighter.items if item.kind in ("weapon", "mount") and item.place == "held"]
    vehicle = find_vehicle(state, fighter.id) if fighter.inside else None
    return [*own, *(item for item in vehicle.items if item.kind == "mount")] if vehicle else own


def should_aim(fighter: Combatant, plan: Plan) -> bool:
    """[CE-MINOR-03] Whether a minor action is well spent on aiming: at a shot that may miss."""
    held = find_condition(fighter, "aiming")
    return plan.sight.mode != "melee" and plan.chance < SURE and (held is None or held.level < MAX_AIM)


# ---------------------------------------------------------------- getting ready


def prepare(state: State, fighter: Combatant, foes: list[Combatant]) -> Submission | None:
    """Load, draw, get up or close in: whatever lets one attack soonest."""
    for item in find_weapons(state, fighter):
        loading = Reload(actor=fighter.id, weapon=item.id)
        if item.loaded == 0 and allows(check_reload, state, loading):
            return "reload", loading
    for item in fighter.items:
        drawing = Handle(actor=fighter.id, weapon=item.id)
        if item.kind == "weapon" and item.place == "carried" and item.loaded != 0:
            if allows(check_ready_up, state, drawing):
                return "ready", drawing
    return approach(state, fighter, foes[0])


def approach(state: State, fighter: Combatant, foe: Combatant) -> Submission | None:
    """[CE-MINOR-15] Nearer to a foe, on one's feet; None where there is no getting nearer."""
    if fighter.inside and not is_inside(state, fighter):
        return "get_out", Command(actor=fighter.id)
    if has_condition(fighter, "grappled") or fighter.inside or is_vehicle(fighter):
        return None
    if find_stance(fighter) != STANDING:
        return "stance", Take(actor=fighter.id, stance=STANDING)
    going = Move(actor=fighter.id, to=f"near:{foe.id}", far=True)
    try:
        path = find_path(state, fighter.id, going.to, find_allowed(fighter), going.far)
    except Refused:
        return _open_door(state, fighter, foe)
    nearer = distance(path[-1], foe.at) < distance(fighter.at, foe.at)
    return ("move", going) if nearer else _open_door(state, fighter, foe)


def _open_door(state: State, fighter: Combatant, foe: Combatant) -> Submission | None:
    """[CE-MINOR-20] A door within reach, where no way leads on; else towards the one that leads to a foe."""
    door = find_shut(state, fighter.id, find_arm(state)) if count_minors(state, fighter.id) else None
    if door:
        return ("door", UseDoor(actor=fighter.id, door=door.id))
    doorway = find_doorway(state, fighter, foe.at, make_way(state, fighter))
    if doorway is None:
        return None
    going = Move(actor=fighter.id, to=f"{doorway.x:g},{doorway.y:g}", far=True)
    return ("move", going) if allows(_check_going, state, going) else None


def _check_going(state: State, going: Move) -> None:
    find_path(state, going.actor, going.to, find_allowed(state[going.actor]), going.far)
