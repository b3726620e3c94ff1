"""Sensors in active use: what each finds, and for whom."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label, joined, say
from combat.rules.core.commands.commands import Field, Handle
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import find_zone
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_item, present

from ..book.options import JAMMED, find_option, find_setting
from ..characters.conditions import is_dead
from ..characters.machinery import check_sensors
from ..characters.values import find_dm, is_person
from ..dice import lose_aim
from ..world.acting import act
from ..world.bands import find_meters
from ..world.economy import check_minor, pay_minor
from ..world.motion import find_mover, has_moved_now
from ..world.scene import CHEMICAL, HOT, PATHOGEN, has_terrain
from ..world.senses import INFRARED, can_see, is_warm

USUAL_REACH_M = 50  # the default range: the Medium band
SHIELDED = "shielded"  # mark of an item whose electrics are not found
Finds = Callable[[State, Combatant, Combatant], bool]


class Sensor(msgspec.Struct, frozen=True):
    """The finds of a kind of sensor: combatants, or bad air; with its rule."""

    rule: str
    finds: Finds | None = None
    hazards: tuple[str, ...] = ()
    grades: bool = False


def shows_heat(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether someone is a warm body in sight [CE-SENS-02]; never if a strong heat source jams infra-red.
    [CE-SENS-04]"""
    hot = find_setting(state, "heat") == JAMMED or has_terrain(state, target, HOT)
    return is_warm(target) and not hot and can_see(state, seer, target)


def is_powered(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether someone carries unshielded high-power electrics: gauss weapons, transmitters. [CE-SENS-06]"""
    return any(not item.marks.get(SHIELDED) for item in find_electric(target.items))


def find_electric(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The things with high-power electrics, shielded or not. [CE-SENS-06]"""
    return tuple(item for item in items if is_electric(item))


def is_electric(item: Item) -> bool:
    """Whether something has high-power electrics, shielded or not. [CE-SENS-06]"""
    return bool(item.data.get("electric")) or item.data.get("comms") == "radio"


def has_moved(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether someone moved or was driven in this round. [CE-SENS-09]  RULING R80"""
    return has_moved_now(state, find_mover(state, target))


def has_brain(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether someone is alive, conscious or not. [CE-SENS-10]"""
    return is_person(target) and not is_dead(target)


SENSORS = {
    INFRARED: Sensor("CE-SENS-02", shows_heat),
    "densitometer": Sensor("CE-SENS-05", lambda state, seer, target: True),  # anything with a body
    "electromagnetic": Sensor("CE-SENS-06", is_powered),
    "motion": Sensor("CE-SENS-09", has_moved),
    "neural": Sensor("CE-SENS-10", has_brain, grades=True),
    "bioscanner": Sensor("CE-SENS-01", hazards=(PATHOGEN, CHEMICAL)),
}


def find_scanners(combatant: Combatant) -> list[Item]:
    """The sensors someone can search with."""
    return [item for item in combatant.items if item.data.get("sensor") in SENSORS]


def check_scan(state: State, actor: str) -> None:
    """Refuse to scan without a sensor or an action."""
    if not find_option(state, "use_conditions"):
        raise Refused("not_allowed", "This table plays without sensors: the GM can switch them on.")
    check_sensors(state, actor)
    if not find_scanners(state[actor]):
        raise Refused("not_allowed", f"{state[actor].name} has no sensor to search with.")
    check_minor(state, actor, "Using a sensor")


def scan(context: RuleContext, command: Handle) -> None:
    """Search with a sensor, as a minor action: it is handled with little attention."""
    who = command.actor
    item = find_item(context.state[who], command.item)
    sensor = SENSORS.get(str(item.data.get("sensor")))
    if sensor is None:
        raise Refused("bad_value", f"{item.name} finds nobody: choose a sensor that does.")
    pay_minor(context, who, "Using a sensor", sensor.rule)
    lose_aim(context, who, "why.does_else")
    if sensor.finds:
        reveal(context, who, item, sensor)
    else:
        smell(context, who, item, sensor)


def find_reach(item: Item) -> float:
    """The range of a sensor in meters, from its entry."""
    return float(item.data.get("reach_m") or USUAL_REACH_M)


def reveal(context: RuleContext, who: str, item: Item, sensor: Sensor) -> None:
    """Reveal hidden combatants that a sensor finds; only its user learns the details.

    [CE-SENS-02] [CE-SENS-05] [CE-SENS-06] [CE-SENS-09] [CE-SENS-10]
    """
    assert sensor.finds is not None
    state, seer = context.state, context.state[who]
    near = [f for f in present(state) if f.id != who and find_meters(state, seer, f) <= find_reach(item)]
    found = [f for f in near if sensor.finds(state, seer, f)]
    for combatant in found:
        if combatant.hidden:
            context.emit(e.HiddenSet(combatant.id, False), sensor.rule)
    told: Label = joined(_describe(f, sensor) for f in found) if found else "words.nobody"
    said = e.Said("log.scans", who, args={"item": item.name, "found": told})
    context.emit(said, sensor.rule, e.for_seat(who))


def _describe(combatant: Combatant, sensor: Sensor) -> Label:
    """The description of a find; for a brain with its complexity.  [CE-SENS-10]"""
    if sensor.grades:
        return say("note.brain", target=combatant.id, grade=say(find_grade(combatant)))
    return say("words.person", who=combatant.id)


def find_grade(combatant: Combatant) -> str:
    """The complexity of a brain's activity, by its Intelligence.  [CE-SENS-10]"""
    dm = find_dm(combatant, "int")
    return "note.brain_low" if dm < 0 else "note.brain_high" if dm > 0 else "note.brain_usual"


def smell(context: RuleContext, who: str, item: Item, sensor: Sensor) -> None:
    """Tell the user what is in the air around them, if anything. [CE-SENS-01]"""
    zone = find_zone(context.state.scene, context.state[who].at)
    found = [f"note.{tag}" for tag in sensor.hazards if zone and tag in zone.terrain]
    told = joined(found) if found else "note.clean_air"
    said = e.Said("log.scans", who, args={"item": item.name, "found": told})
    context.emit(said, sensor.rule, e.for_seat(who))


def scan_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the sensor."""
    options = tuple(Choice(item.id, item.name) for item in find_scanners(state[actor]))
    return (Field("item", "Sensor", "choice", options=options, value=options[0].value if options else ""),)


ACTIONS = (act("scan", scan, check_scan, fields=scan_fields, has_odds=False),)
