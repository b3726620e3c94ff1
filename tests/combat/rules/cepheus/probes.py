"""What this game does in play with a record of each table, for the test that changes every figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from combat.rules.cepheus.body.damage import wound_person
from combat.rules.cepheus.body.drugs import find_due, pass_drugs, take_dose
from combat.rules.cepheus.body.machines import Barrage, take_hit
from combat.rules.cepheus.book.tables import (
    EXTREME,
    Accessory,
    Ammunition,
    Dose,
    Grenade,
    Hazard,
    HitTables,
    VehicleWeapon,
    Weapon,
    find_hits,
    find_location,
)
from combat.rules.cepheus.characters.machinery import find_top_speed, is_blind, limb_terms, sensor_terms
from combat.rules.cepheus.fight.aim import Attack, find_sight
from combat.rules.cepheus.fight.checks import check_rounds
from combat.rules.cepheus.fight.clouds import raise_cloud
from combat.rules.cepheus.fight.explosives.lobs import find_back_blast, make_flight
from combat.rules.cepheus.fight.shots import aerosol_terms, make_blow
from combat.rules.cepheus.fight.weapons import FLECHETTE
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.vehicles.driving import control_terms
from combat.rules.cepheus.vehicles.figure import make_machine_figure
from combat.rules.cepheus.vehicles.gunnery import damage_terms
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Answer, Request, RollRequest, answer_roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Point
from combat.rules.core.state.state import replace

from .fight.range import RangeStage, duel, posed
from .figures import ADA, BO
from .vehicles.garage import Garage

CAR = {"kind": "vehicle", "attributes": {"hull": 2, "structure": 2, "armor": 6}, "open": True}
NO_RATE = 999


def play(stage: RangeStage, action: str, actor: str = "", **fields: Any) -> Any:
    """What happens, or why it is refused."""
    try:
        facts = stage.do(action, actor, **fields)
    except Refused as refusal:
        return refusal.message
    return [fact.event for fact in facts]


def look_at_shot(stage: RangeStage, weapon: str) -> Any:
    """A shot as it will be fired: its rates, its damage beyond all ranges, its blasts ahead and behind."""
    command = Attack(actor=ADA, target=BO, weapon=weapon)
    sight = find_sight(stage.state, command)
    rates = ""
    try:
        check_rounds(replace(sight, rounds=NO_RATE), 1)
    except Refused as refusal:
        rates = refusal.message
    blow = make_blow(stage.state, replace(sight, band=EXTREME), sight.arm.damage)
    rings = make_flight(stage.state, command, sight, ()).rings
    return rates, blow.halved, rings, find_back_blast(stage.state, sight)


def fire_weapon(row: Weapon) -> Any:
    """Get a weapon ready, and fire it with someone behind."""
    stage = duel(row.id)
    stage.join("Cy", -1)
    weapon = stage[ADA].items[0].id
    shot = look_at_shot(stage, weapon)
    stage.edit(ADA, items=(replace(stage[ADA].items[0], place="carried"),))
    return shot, play(stage, "ready", ADA, weapon=weapon)


def fire_mount(row: VehicleWeapon) -> Any:
    """Fire the weapon of a car from its seat."""
    stage = duel("rifle")
    car = stage.machine("Car", (0, 0), {**CAR, "mounts": [{"weapon": row.id, "mount": "turret"}]})
    stage.put_inside(ADA, car)
    return look_at_shot(stage, stage[car].items[0].id)


def throw(row: Grenade) -> Any:
    """Throw a grenade; let its cloud rise; fire a laser through aerosol."""
    thrown = duel(row.id)
    shot = look_at_shot(thrown, thrown[ADA].items[0].id)
    if not row.rounds_dice:
        return shot
    thrown.run(lambda context: raise_cloud(context, ADA, row, Point(9, 0)), [(4,)])
    stage = duel("laser_rifle")
    stage.zone("cloud", x=9, y=-5, width=2, depth=10, terrain=["aerosol"])
    sight = find_sight(stage.state, Attack(actor=ADA, target=BO, weapon=stage[ADA].items[0].id))
    return shot, thrown.state.marks, aerosol_terms(stage.state, sight)


def load(row: Ammunition) -> Any:
    """Fire a shotgun loaded with these shells."""
    if row.kind != FLECHETTE:
        return None
    stage = duel(row.weapon, 30)
    stage.arm(ADA, row.weapon, load=row.kind)
    return stage.terms()


def fit(row: Accessory) -> Any:
    """Aim with an accessory in the dark; load a launcher with it."""
    aims = [posed("rifle", fit=row.id, aim=level, light="dark").terms() for level in range(7)]
    stage = duel("rifle")
    stage.fit(ADA, row.id)
    gun, fitted = stage[ADA].items
    stage.edit(ADA, items=(gun, replace(fitted, loaded=0 if row.grenades else None, spares=1)))
    loads = [play(stage, "reload", ADA, weapon=fitted.id)]
    stage.turn(ADA)
    return aims, loads, play(stage, "reload", ADA, weapon=fitted.id)


def expose(row: Hazard) -> Any:
    """Let a hazard strike someone who has the antidote."""
    stage = duel()
    stage.give(BO, "antidote")
    return stage.odds("hazard", target=BO, hazard=row.id)


def dose(row: Dose) -> Any:
    """Take a drug, and wait until it begins and ends."""
    stage = duel()
    stage.run(lambda context: take_dose(context, ADA, row.id))
    said: list[Any] = [find_due(stage.state)]
    for _ in range(2):
        stage.wait((find_due(stage.state) or 0) - stage.state.clock)
        stage.run(
            lambda context: pass_drugs(context, ADA), [(1,) * 2] if row.afterwards and len(said) > 1 else ()
        )
        said += [find_due(stage.state), *stage.asked]
    return said


class Ones:
    """Rolls 1 on every die."""

    def answer(self, context: RuleContext, request: Request) -> Answer:
        assert isinstance(request, RollRequest)
        return answer_roll(request, (1,) * parse_dice(request.dice).count, "table")


def hit_machines(_: HitTables) -> Any:
    """Hit a vehicle and a robot everywhere, as often as it can be hit, by each table."""
    tables = [("locations", 9), ("locations", 0), ("flat", 9)]
    return [find_hits(points) for points in range(40)], [
        hit_machine(way, hull, add, row)
        for way, hull in tables
        for add in (add_car, add_robot)
        for row in range(2, 13)
    ]


def add_car(stage: Garage) -> str:
    car = stage.vehicle(mounts=[{"weapon": "triple_laser", "mount": "turret"}])
    stage.crew(car)
    return car


def add_robot(stage: Garage) -> str:
    return stage.robot(limbs=1)


def hit_machine(way: str, hull: int, add: Callable[[Garage], str], place: int) -> Any:
    """What each further hit on a place says, and what it leaves of the machine."""
    stage = Garage(vehicle_damage=way)
    machine = add(stage)
    stage.set_track(machine, hull=hull)
    said: list[Any] = []
    for _ in range(4):
        context = RuleContext(QUICK if way == "flat" else stage.system, stage.state, Ones())
        barrage = Barrage(target=machine, groups=(1,), structure=2, hurt=wound_person)
        said.append(take_hit(context, barrage, find_location(place)))
        stage.state = context.state
        said += [[(fact.rule, fact.event) for fact in context.facts], list(find_sums(stage, machine))]
    return said


def find_sums(stage: Garage, machine: str) -> Iterator[Any]:
    """What damage to its parts makes of a machine."""
    state, combatant = stage.state, stage[machine]
    yield make_machine_figure(state, combatant), find_top_speed(state, combatant)
    yield is_blind(state, combatant), sensor_terms(state, machine, "comms"), limb_terms(state, combatant)
    yield control_terms(state, combatant), [damage_terms(state, combatant, item) for item in combatant.items]


PROBES: dict[str, Callable[[Any], Any]] = {
    "weapons": fire_weapon,
    "vehicle_weapons": fire_mount,
    "grenades": throw,
    "ammo": load,
    "accessories": fit,
    "hazards": expose,
    "doses": dose,
    "TABLES": hit_machines,
}
