"""Hazardous ground and fire: what it does on entering, at each turn begun in it, and on oneself."""

from __future__ import annotations

from ..core import events as e
from ..core.commands import Command
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers
from ..core.space import Point, Zone, find_zone
from ..core.state import Combatant, State, has_condition
from ..core.table import Table, Then
from ..core.turns import gain, lift_kinds, spend
from .damage import armor_points, count_damage, hurt, shield_terms, worn_armor
from .environment import tags_at
from .patches import lay
from .rolls import check_terms, did_succeed, is_natural_2, roll_check
from .scene import is_hazardous

FIRE_DICE = "1d6"  # COS-HAZ-05
EXTINGUISH_TN = 11  # COS-HAZ-07
SQUARE_M = 2  # how far a fire spreads


def meet_hazards(table: Table, who: str, zones: tuple[Zone, ...]) -> None:
    """[COS-TERR-08] Hazards act on entering, one time per turn.  RULING R49.

    [COS-TERR-07] Where a crossing can call for a save, the GM is told.
    """
    for zone in zones:
        if not is_hazardous(zone) or _is_only_weightless(zone):
            continue
        if "fire" in zone.terrain:
            burn(table, who)
        else:
            text = f"{{who}} is in {zone.name}: ask for a save if the hazard calls for one."
            table.tell(e.Said(text, who), "COS-TERR-07", e.GM_ONLY)


def _is_only_weightless(zone: Zone) -> bool:
    """RULING R47: zero gravity is hazardous ground, but its saves have their own moments."""
    return not is_hazardous(Zone("", "", terrain=tuple(t for t in zone.terrain if t != "zero-g")))


def burn(table: Table, who: str) -> None:
    """[COS-HAZ-05] 1d6 energy damage from flames; nobody burns twice in the same turn.

    RULING R45.
    """
    turn = f"{table.state.round}:{table.state.active}"
    if table.state[who].marks.get("burned") == turn:
        return
    table.tell(e.Marked(who, "burned", turn), "COS-TERR-08", e.GM_ONLY)
    roll = table.roll(FIRE_DICE, by=who, rule="COS-HAZ-05", why="fire")
    armor = fire_armor(table.state, table.state[who])
    lost = count_damage(table.state, roll.total, armor)
    terms = (Modifier(f"Fire {FIRE_DICE}", roll.total, "COS-HAZ-05"), *armor)
    hurt(table, who, lost, why="fire", rule="COS-TERR-08", terms=terms, roll=roll)


def fire_armor(state: State, fighter: Combatant) -> Modifiers:
    """[COS-HAZ-08] Sealed or powered armor counts against fire, and what stops energy [COS-DMG-03]."""
    worn, shields = worn_armor(fighter), shield_terms(fighter)
    traits = worn.data["traits"] if worn else ()
    if worn is None or not ("sealed" in traits or "powered" in traits):
        return shields
    return (Modifier(worn.name, -armor_points(state, worn), "COS-HAZ-08"), *shields)


def start_inside(table: Table, who: str) -> None:
    """[COS-TERR-08] The hazard of the zone a turn starts in; [COS-HAZ-05] flames on oneself."""
    zone = find_zone(table.state.scene, table.state[who].at)
    if zone:
        meet_hazards(table, who, (zone,))
    if has_condition(table.state[who], "burning") and not has_condition(table.state[who], "dead"):
        burn(table, who)


def check_burning(state: State, actor: str) -> None:
    """Only who burns can put flames out; amid burning ground it is no use."""
    fighter = state[actor]
    if not has_condition(fighter, "burning"):
        raise Refused("not_allowed", f"{fighter.name} is not on fire.")
    if "fire" in tags_at(state, fighter.at):
        raise Refused("not_allowed", "Leave the burning ground first.")


def extinguish_terms(state: State, fighter: Combatant) -> Modifiers:
    """Coordination and Athletics.  RULING R45."""
    return check_terms(state, fighter, "COO", "Athletics", "COS-HAZ-07")


def extinguish(table: Table, command: Command) -> Then:
    """[COS-HAZ-07] Stop, drop and roll: a Standard Action, prone, Athletics against 11."""
    who = command.actor
    check_burning(table.state, who)
    spend(table, who, {"standard": 1}, "Stop, drop and roll", "COS-HAZ-07")
    if not has_condition(table.state[who], "prone"):
        gain(table, who, "prone", rule="COS-HAZ-07")
    return Then(_roll_in_dust, who)


def _roll_in_dust(table: Table, who: str) -> None:
    """[COS-HAZ-06] Two ones let the fire spread to the ground beside."""
    terms = extinguish_terms(table.state, table.state[who])
    roll = roll_check(table, who, terms, EXTINGUISH_TN, "COS-HAZ-07", "Athletics", "put out the flames")
    if did_succeed(table):
        lift_kinds(table, who, "burning", why="put out", rule="COS-HAZ-07")
    elif is_natural_2(roll):
        spread_fire(table, table.state[who].at)


def spread_fire(table: Table, place: Point) -> None:
    """[COS-HAZ-06] A square beside a place catches fire.  RULING R45."""
    for x, y in ((SQUARE_M, 0), (0, SQUARE_M), (-SQUARE_M, 0), (0, -SQUARE_M)):
        beside = Point(place.x + x, place.y + y, place.z)
        if "fire" not in tags_at(table.state, beside):
            lay(table, beside, SQUARE_M / 2, "fire", "Flames", "COS-HAZ-06")
            table.tell(e.Said("The fire spreads."), "COS-HAZ-06")
            return
