"""The forms of vehicles and drones, filled with what can be done now."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import Field, Targeted, first_open
from combat.rules.core.commands.forms import folded_field, number_field
from combat.rules.core.state.state import Combatant, State, present, replace

from ...book.options import find_option
from ...fight.aim import Attack
from ...fight.attacks import volleys
from ...fight.collisions import ramming
from ...people import machinery
from ...people.values import is_machine, is_person, is_vehicle
from ...vehicles import crew, driving, drones, stunts
from ...vehicles.facing import ARCS, find_facing
from ...world.bands import find_meters
from ...world.economy import check_minor, check_significant
from ..guards import find_reason

STATIONS = tuple(Choice(key, label) for key, label in machinery.STATIONS)
WAYS = (
    Choice(driving.COURSE, "an ordinary course", "a minor action"),
    Choice(driving.OBSTACLE, "between obstacles", "the significant action"),
    Choice(driving.PURSUE, "pursue someone", "the significant action"),
)
AIMS = (
    Choice(stunts.SHOW, "show off, or something else"),
    Choice(stunts.ARC, "a target into one more arc"),
    Choice(stunts.CHAIN, "set up someone's next check"),
    Choice(stunts.MANEUVERS, "up to three maneuvers"),
)
FACINGS = (Choice("0", "up"), Choice("90", "right"), Choice("180", "down"), Choice("270", "left"))
TO_HELP = "ahead, or a place in meters: x,y"
DRIVE_HELP = "ahead (in pursuit: after them, never past them), or a place in meters: x,y"


def choose(
    state: State,
    name: str,
    label: str,
    people: Iterable[Combatant],
    check: Callable[[State, str], object] | None = None,
    rule: str = "",
    required: bool = True,
) -> Field:
    """A field to choose a combatant; those refused are grayed out with the reason."""
    options = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in people)
    if not required:
        options = (Choice("", "nobody"), *options)
    return Field(name, label, "choice", options, first_open(options), rule=rule, required=required)


def find_machines(state: State) -> list[Combatant]:
    """All vehicles and robots."""
    return [one for one in present(state) if is_machine(one)]


def find_vehicles(state: State) -> list[Combatant]:
    """All vehicles."""
    return [one for one in present(state) if is_vehicle(one)]


def find_people(state: State) -> list[Combatant]:
    """All people and animals."""
    return [combatant for combatant in present(state) if is_person(combatant)]


# ---------------------------------------------------------------- obstacles


def may_drive(state: State, actor: str) -> None:
    """Refuse unless at the controls, with an action left and no driving yet this round."""
    driving.check_uncontrolled(state, driving.check_driver(state, actor))
    if not allows(check_minor, state, actor, "driving"):
        check_significant(state, actor, "driving")


def may_drive_hard(state: State, actor: str) -> None:
    """Refuse unless at the controls, with a significant action left and no driving yet this round."""
    driving.check_uncontrolled(state, driving.check_driver(state, actor))
    check_significant(state, actor, "this")


def may_weave(state: State, actor: str) -> None:
    """Refuse a weave without obstacles or a weave to match."""
    stunts.check_weave(state, stunts.Weave(actor=actor))
    check_significant(state, actor, "weaving")


def may_ram(state: State, actor: str) -> None:
    """Refuse a ram unless at the controls and with something to ram."""
    may_drive_hard(state, actor)
    vehicle = driving.check_driver(state, actor)
    if not any(not other.inside and other.id != vehicle.id for other in present(state)):
        raise Refused("not_allowed", "There is nothing to ram.")


def may_enter(state: State, actor: str) -> None:
    """Refuse without a vehicle next to the actor that has a free place."""
    reasons = [
        why_refused(crew.check_enter, state, crew.Enter(actor=actor, target=other.id))
        for other in find_vehicles(state)
    ]
    if not reasons:
        raise Refused("not_allowed", "There is no vehicle here.")
    if all(reasons):
        raise Refused("not_allowed", reasons[0])
    check_minor(state, actor, "getting in")


def may_leave(state: State, actor: str) -> None:
    """Refuse outside of a vehicle."""
    crew.check_inside(state, actor)
    check_minor(state, actor, "this")


def is_seated(state: State, actor: str) -> None:
    """Refuse outside of a vehicle."""
    crew.check_inside(state, actor)


def may_steer(state: State, actor: str) -> None:
    """Refuse without a drone of the actor's own."""
    mine = [f for f in present(state) if f.marks.get(machinery.OPERATED) == actor and machinery.is_drone(f)]
    if not mine:
        raise Refused("not_allowed", f"{state[actor].name} steers no drone.")
    drones.check_steer(state, Targeted(actor=actor, target=mine[0].id))
    check_significant(state, actor, "steering")


def any_machine(state: State, actor: str) -> None:
    """For the GM: refuse without a machine."""
    if not find_machines(state):
        raise Refused("not_allowed", "There is no vehicle and no robot here.")


def any_vehicle(state: State, actor: str) -> None:
    """For the GM: refuse without a vehicle."""
    if not find_vehicles(state):
        raise Refused("not_allowed", "There is no vehicle here.")


def any_ship(state: State, actor: str) -> None:
    """For the GM: refuse without a starship and someone who can fire at it."""
    if not [one for one in present(state) if machinery.STARSHIP in one.sheet.get("tags", ())]:
        raise Refused("not_allowed", "There is no starship here: its sheet has the tag starship.")


# ---------------------------------------------------------------- forms of drivers


def _find_speeds(state: State, actor: str) -> tuple[int, int]:
    """How fast the driver's vehicle goes now, and how fast it can go, in km/h."""
    vehicle = machinery.find_vehicle(state, actor)
    if vehicle is None:
        return 0, 0
    return round(machinery.find_speed(state, vehicle)), int(machinery.find_top_speed(state, vehicle))


def _speed_field(state: State, actor: str) -> Field:
    """The speed; blank: as now, or as the place needs."""
    now, top = _find_speeds(state, actor)
    far = round(machinery.count_round_meters(top))
    told = f"0 to {top}, {far} m a round; blank: as now ({now}), faster if the place needs it"
    return Field(
        "speed", "Speed, km/h", "number", low=0, high=top, help=told, rule="CE-VEH-04", required=False
    )


def _ram_speed_field(state: State, actor: str) -> Field:
    """The speed of a ram: as the vehicle goes now, or from a standstill as fast as it can."""
    now, top = _find_speeds(state, actor)
    told = f"1 to {top}, {round(machinery.count_round_meters(top))} m a round"
    return number_field("speed", "Speed, km/h", now or top, 0, top, help=told, rule="CE-VEH-04")


def _to_field(state: State, actor: str, told: str = TO_HELP) -> Field:
    """The place; its help says if a wall ahead would stop the vehicle, whose speed is then gone."""
    vehicle = machinery.find_vehicle(state, actor)
    meters = driving.find_wall_ahead(state, vehicle) if vehicle else None
    if meters is not None:
        told += f"; straight ahead a wall stops it after {say_number(meters)} m"
    return Field("to", "Where to", "text", value=driving.AHEAD, help=told, rule="CE-VEH-04", required=False)


def drive_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The kind of course, the place, the speed, and the quarry."""
    vehicle = machinery.find_vehicle(state, actor)
    others = [f for f in find_vehicles(state) if vehicle is None or f.id != vehicle.id]
    if not find_option(state, "use_chases"):
        how = Field("why", "How", "choice", WAYS[:-1], driving.COURSE, rule="CE-VEH-05")
        return (how, _to_field(state, actor), _speed_field(state, actor))
    return (
        Field("why", "How", "choice", WAYS, driving.COURSE, rule="CE-VEH-05"),
        _to_field(state, actor, DRIVE_HELP),
        _speed_field(state, actor),
        choose(state, "target", "After whom", others, rule="CE-VEH-06", required=False),
    )


def maneuver_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The place, the speed, and the direction to face."""
    return (_to_field(state, actor), _speed_field(state, actor), _facing_field(state, actor))


def _facing_field(state: State, actor: str) -> Field:
    vehicle = machinery.find_vehicle(state, actor)
    now = str(round(find_facing(vehicle))) if vehicle else "0"
    known = FACINGS if any(option.value == now for option in FACINGS) else (*FACINGS, Choice(now, f"{now}°"))
    return Field("facing", "Facing", "choice", known, now, rule="CE-VACT-11")


def evade_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The place and the speed meanwhile."""
    return (_to_field(state, actor), _speed_field(state, actor))


def stunt_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The purpose, and the other combatant in it."""
    arcs = tuple(Choice(arc, arc) for arc in ARCS)
    return (
        Field("aim", "For what", "choice", AIMS, stunts.SHOW, rule="CE-VACT-15"),
        choose(state, "target", "For whom or at whom", present(state), rule="CE-VACT-16", required=False),
        Field("arc", "Arc", "choice", (Choice("", "none"), *arcs), "", rule="CE-VACT-16", required=False),
        _to_field(state, actor),
        _speed_field(state, actor),
        _facing_field(state, actor),
        folded_field("why", "What it looks like", "text"),
    )


def weave_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The number; a pursuer has to take the quarry's."""
    vehicle = machinery.find_vehicle(state, actor)
    low, high = 1, max(1, stunts.find_most(state, vehicle)) if vehicle else 1
    told, to = f"1 to {high}: one for every 20 km/h", TO_HELP
    if vehicle and driving.MUST_WEAVE in vehicle.marks:
        low = high = stunts.find_number(vehicle, stunts.Weave(actor=actor))
        told, to = f"{low}, as the quarry", DRIVE_HELP
    number = number_field("number", "Weaving number", low, low, high, help=told, rule="CE-VACT-21")
    return (number, _to_field(state, actor, to))


def ram_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, and the speed."""

    def check(state: State, who: str) -> None:
        speed = round(machinery.find_top_speed(state, driving.check_driver(state, actor)))
        ramming.check_ram(state, ramming.Ram(actor=actor, target=who, speed=speed))

    others = [f for f in present(state) if f.id not in (actor, state[actor].inside)]
    others.sort(key=lambda f: find_meters(state, state[actor], f))
    whom = choose(state, "target", "Whom", others, check, "CE-VACT-12")
    return (whom, _ram_speed_field(state, actor))


# ---------------------------------------------------------------- forms of crews


def enter_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The vehicle, the station, and whether strapped in."""

    def check(state: State, who: str) -> None:
        crew.check_enter(state, crew.Enter(actor=actor, target=who))

    vehicles = choose(state, "target", "Vehicle", find_vehicles(state), check, crew.RULE)
    options = tuple(replace(o, detail=crew.describe_jump(state, state[o.value])) for o in vehicles.options)
    return (
        replace(vehicles, options=options),
        Field("station", "As", "choice", STATIONS, machinery.PASSENGER),
        Field("secured", "Strapped in", "flag", value="true", rule="CE-COLL-07", required=False),
    )


def place_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The new place."""
    now, vehicle = state[actor].station, machinery.find_vehicle(state, actor)

    def check(station: str) -> None:
        if vehicle:
            crew.check_place(state, vehicle, actor, station)

    options = tuple(
        msgspec.structs.replace(option, refused=why_refused(check, option.value))
        for option in STATIONS
        if option.value != now
    )
    return (Field("station", "As", "choice", options, first_open(options)),)


def strap_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Into or out of the belt."""
    now = bool(state[actor].marks.get(machinery.SECURED))
    return (Field("secured", "Strapped in", "flag", value="" if now else "true", required=False),)


def steer_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The drone."""

    def check(state: State, who: str) -> None:
        drones.check_steer(state, Targeted(actor=actor, target=who))

    return (choose(state, "target", "Drone", filter(machinery.is_drone, present(state)), check),)


# ---------------------------------------------------------------- forms of the GM


def seat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person, the vehicle, and the station."""
    people = [f for f in present(state) if not is_vehicle(f)]
    return (
        choose(state, "target", "Who", people),
        _vehicle_field(state),
        Field("station", "As", "choice", STATIONS, machinery.PASSENGER),
        Field("secured", "Strapped in", "flag", value="true", rule="CE-COLL-07", required=False),
    )


def _vehicle_field(state: State) -> Field:
    """The vehicles, and "none" to get out of the one they are in."""
    options = tuple(Choice(f.id, f.name) for f in find_vehicles(state))
    out = Choice("", "none: they get out")
    return Field("vehicle", "Vehicle", "choice", (*options, out), first_open(options), required=False)


def motion_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The vehicle, its speed, and its direction."""
    return (
        choose(state, "target", "Vehicle", find_vehicles(state)),
        number_field("speed", "Speed, km/h", 0, 0, 100_000, rule="CE-VEH-04"),
        Field("facing", "Facing", "choice", FACINGS, "0", rule="CE-VEH-02"),
    )


def crash_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The vehicle, what it runs into, and whether that is solid."""
    vehicles = find_vehicles(state)
    return (
        choose(state, "target", "Vehicle", vehicles),
        choose(state, "struck", "Into whom", present(state), required=False),
        number_field("speed", "Speed, km/h", 50, 1, 100_000, rule="CE-COLL-02"),
        Field("solid", "Solid enough to damage it", "flag", value="true", rule="CE-COLL-04", required=False),
    )


def rule_ram_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, and whether a ram can miss it."""
    return (
        choose(state, "target", "What", present(state)),
        Field("sure", "So large that a ram cannot miss", "flag", value="true", required=False),
    )


def volley_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The firers, their weapons, and the ship."""
    ships = [f for f in present(state) if machinery.is_starship(f)]
    shots = [(f, shot) for f in present(state) if f not in ships for shot in volleys.find_shots(state, f.id)]
    firers = tuple(_name_firer(state, f, shot, ships) for f, shot in shots)
    return (
        choose(state, "target", "Ship", ships, rule="CE-SHIP-01"),
        Field("firers", "Who fires what", "many", firers, help="one weapon each", rule="CE-SHIP-03"),
    )


def _name_firer(state: State, combatant: Combatant, shot: Attack, ships: list[Combatant]) -> Choice:
    """One way for someone to fire in a volley, grayed out if it reaches no ship."""

    def check(ship: Combatant) -> None:
        firer = volleys.name_shot(combatant.id, shot.weapon, shot.rounds, shot.burst)
        volleys.check_volley(state, volleys.Volley(target=ship.id, firers=(firer,)))

    reasons = [why_refused(check, ship) for ship in ships]
    item = next(i for i in volleys.find_guns(state, combatant.id) if i.id == shot.weapon)
    burst = f"{shot.rounds} rounds, {'sprayed' if shot.burst == 'spray' else 'grouped'}" if shot.burst else ""
    value = volleys.name_shot(combatant.id, shot.weapon, shot.rounds, shot.burst)
    refused = reasons[0] if reasons and all(reasons) else ""
    return Choice(value, f"{combatant.name}: {item.name}", burst, refused)


def assign_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The drone, and its operator."""
    found = [f for f in present(state) if machinery.is_drone(f)]
    return (
        choose(state, "target", "Drone", found),
        choose(state, "operator", "Steered by", find_people(state), required=False),
    )


def find_hit_cargo(state: State) -> dict[str, tuple[str, str]]:
    """Cargo that was hit: item -> its owner and its name."""
    return {
        item.id: (machine.id, item.name)
        for machine in find_machines(state)
        for item in machinery.find_cargo(machine)
        if item.marks.get("hit")
    }


def cargo_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The piece of cargo, and whether it is destroyed."""
    found = find_hit_cargo(state)
    owners = [f for f in find_machines(state) if any(owner == f.id for owner, _ in found.values())]
    options = tuple(Choice(key, name) for key, (_, name) in found.items())
    return (
        choose(state, "target", "Vehicle", owners),
        Field("item", "Cargo", "choice", options, first_open(options), rule="CE-VLOC-45"),
        Field("destroyed", "Destroyed", "flag", value="true", required=False),
    )
