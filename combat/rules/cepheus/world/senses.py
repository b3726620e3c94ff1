"""Seeing: light, smoke and weather on a line of fire, the effect of sensors, and awareness."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book.options import (
    CLEAR,
    DARK,
    EXTREME,
    JAMMED,
    LIGHT,
    LOW_LIGHT,
    SMOKE,
    THICK_SMOKE,
    find_option,
    find_setting,
)
from ..characters.machinery import is_blind
from ..characters.values import is_person
from .bands import find_combatant
from .scene import HOT, find_light, find_smoke, has_terrain
from .sight_lines import look_between

INFRARED, INTENSIFIER = "infrared", "light_intensification"
WARM = "warm"  # mark of the GM: True or False
LIGHT_DM = {LOW_LIGHT: (-1, "CE-COND-01"), DARK: (-4, "CE-COND-02")}
SMOKE_DM = {SMOKE: (-1, "CE-COND-04"), THICK_SMOKE: (-2, "CE-COND-05")}
WEATHER_DM = -1  # twice: for sight, and for interference


def has_sensor(combatant: Combatant, *kinds: str) -> bool:
    """Whether someone carries a sensor of one of the kinds that is not switched off.

    Carried goggles and hand-held sensors are in use: the chapter requires no action for it.
    """
    return any(item.data.get("sensor") in kinds and not item.marks.get("off") for item in combatant.items)


def is_warm(combatant: Combatant) -> bool:
    """Whether infra-red shows someone: the living are warm and machines cold, unless the GM says otherwise.
    [CE-SENS-02]"""
    told = combatant.marks.get(WARM)
    return bool(told) if told is not None else is_person(combatant)


def sees_heat(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether someone sees a target by its heat.

    [CE-SENS-02] [CE-SENS-03] [CE-SENS-04] A strong heat source jams infra-red.  RULING R61
    """
    if not find_option(state, "use_conditions") or not has_sensor(seer, INFRARED) or not is_warm(target):
        return False
    return find_setting(state, "heat") != JAMMED and not has_terrain(state, target, HOT)


def modifiers_for_sight(
    state: State,
    attacker: Combatant,
    target: Combatant,
    laser: bool = False,
    laser_sight: bool = False,
) -> Modifiers:
    """The DMs of light, smoke and weather on a ranged attack.  [CE-MOD-03]

    `laser` means that the weapon is one, `laser_sight` that it has laser-assisted targeting. RULING R45:
    light, smoke and weather add up; the two kinds of each do not.
    """
    if not find_option(state, "use_conditions"):
        return ()
    light, smoke = find_light(state, target.at), find_smoke(state, attacker.at, target.at)
    if light == LIGHT and smoke == CLEAR and find_setting(state, "weather") != EXTREME:
        return ()
    heat = sees_heat(state, attacker, target)
    return (
        *_light_terms(state, attacker, light, heat or laser_sight),
        *(() if heat else _smoke_terms(smoke, laser)),
        *_weather_terms(state, heat),
    )


def _light_terms(state: State, seer: Combatant, light: str, sensor: bool) -> Modifiers:
    """The DM of the light at the target. [CE-COND-01] [CE-COND-02] [CE-COND-03] [CE-SENS-07] [CE-SENS-08]"""
    if light == LIGHT or sensor or _intensifies(state, seer, light):
        return ()
    points, rule = LIGHT_DM[light]
    return (Modifier(f"term.{light}", points, rule),)


def _intensifies(state: State, seer: Combatant, light: str) -> bool:
    """RULING R45: whether a light intensifier helps; in complete darkness by table option. [CE-SENS-08]"""
    both = find_option(state, "light_intensification") == "both"
    return has_sensor(seer, INTENSIFIER) and (both or light == LOW_LIGHT)


def _smoke_terms(smoke: str, laser: bool) -> Modifiers:
    """The DM of smoke in between [CE-COND-04] [CE-COND-05], twice as bad for lasers. [CE-COND-06]"""
    if smoke == CLEAR:
        return ()
    points, rule = SMOKE_DM[smoke]
    if laser:
        return (Modifier(f"term.{smoke}_laser", 2 * points, "CE-COND-06"),)
    return (Modifier(f"term.{smoke}", points, rule),)


def _weather_terms(state: State, heat: bool) -> Modifiers:
    """The DM of extreme weather [CE-COND-07]; sensors remove its visibility part only. [CE-COND-08]"""
    if find_setting(state, "weather") != EXTREME:
        return ()
    interference = Modifier("term.interference", WEATHER_DM, "CE-COND-07")
    if heat:
        return (interference,)
    return (Modifier("term.visibility", WEATHER_DM, "CE-COND-07"), interference)


# ---------------------------------------------------------------- sight and awareness


def can_see(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether someone sees another: not a machine without sensors. [CE-VLOC-32]"""
    return not is_blind(state, seer) and is_in_view(state, seer, target)


def is_in_view(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether no zone that blocks sight and no wall of the map is between two combatants.

    Combatants inside such a zone see out of it.
    """
    found = look_between(state, seer, target)
    return found.is_seen and found.is_clear


def is_aware(state: State, who: Combatant | str, of: Combatant | str) -> bool:
    """Whether a combatant is aware of another, and so can react to it.

    [CE-REACT-07] RULING R37: not of combatants whom the GM hides or marks as unknown; the surprised are not
    aware of those who were ready for them, until these have acted. [CE-VLOC-32] Nor is a machine without
    sensors, of anyone.
    """
    one, other = find_combatant(state, who), find_combatant(state, of)
    if is_blind(state, one) or is_concealed_from(state, one, other) or is_unaware_of(one, other.id):
        return False
    if has_condition(one, "surprised") and one.side != other.side:
        return other.acted or has_condition(other, "surprised")
    return True


def is_unaware_of(combatant: Combatant, other: str) -> bool:
    """Whether the GM marked that someone does not know of another."""
    return any(held.kind == "unaware" and held.by == other for held in combatant.conditions)
