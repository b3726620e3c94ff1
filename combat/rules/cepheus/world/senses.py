"""Seeing: light, smoke and weather on a line of fire, what sensors do about them, and who knows of whom."""

from __future__ import annotations

from combat.rules.core.basics.memory import Seen, remember, remember_by
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.bodies import is_concealed_from
from combat.rules.core.space import Point, Scene, Zone, find_zone, metres_inside
from combat.rules.core.space.sight import is_open
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book.options import (
    CLEAR,
    DARK,
    EXTREME,
    FAIR,
    JAMMED,
    LIGHT,
    LOW_LIGHT,
    SMOKE,
    THICK_SMOKE,
    find_option,
    find_setting,
)
from ..people.values import is_person
from .bands import find_fighter
from .lines import find_lines
from .scene import HOT, WALL, find_light, find_smoke, has_terrain

INFRARED, INTENSIFIER = "infrared", "light_intensification"
WARM = "warm"  # the Referee's mark: True or False
LIGHT_DM = {LOW_LIGHT: (-1, "CE-COND-01"), DARK: (-4, "CE-COND-02")}
SMOKE_DM = {SMOKE: (-1, "CE-COND-04"), THICK_SMOKE: (-2, "CE-COND-05")}
SMOKES = frozenset(SMOKE_DM)
WEATHER_DM = -1  # twice: for sight, and for interference


def has_sensor(fighter: Combatant, *kinds: str) -> bool:
    """Whether somebody has a sensor of one of the kinds with them, and not switched off.

    Goggles and hand-held sensors that are carried are in use: the chapter asks no action for that.
    """
    return any(item.data.get("sensor") in kinds and not item.marks.get("off") for item in fighter.items)


def is_warm(fighter: Combatant) -> bool:
    """Whether infra-red shows somebody: the living are warm, machines cold, unless the Referee says
    otherwise.  [CE-SENS-02]"""
    told = fighter.marks.get(WARM)
    return bool(told) if told is not None else is_person(fighter)


def sees_heat(state: State, seer: Combatant, target: Combatant) -> bool:
    """Whether somebody aims by the heat of a target.

    [CE-SENS-02] [CE-SENS-03] [CE-SENS-04] A strong heat source jams infra-red.
    """
    if not has_sensor(seer, INFRARED) or not is_warm(target):
        return False
    return find_setting(state, "heat") != JAMMED and not has_terrain(state, target, HOT)


def modifiers_for_sight(
    state: State,
    attacker: Combatant | str,
    target: Combatant | str,
    laser: bool = False,
    laser_sight: bool = False,
) -> Modifiers:
    """What light, smoke and weather take off a ranged attack.  [CE-MOD-03]

    `laser` says that the weapon is one, `laser_sight` that it has laser-assisted targeting.
    RULING R45: light, smoke and weather add up; the two kinds of each do not.
    """
    if is_clear_day(state.scene) or not find_option(state, "use_conditions"):
        return ()
    one, other = find_fighter(state, attacker), find_fighter(state, target)
    light, smoke = find_light(state, other.at), find_smoke(state, one.at, other.at)
    if light == LIGHT and smoke == CLEAR and find_setting(state, "weather") != EXTREME:
        return ()
    heat = sees_heat(state, one, other)
    return (
        *_light_terms(state, one, light, heat or laser_sight),
        *(() if heat else _smoke_terms(smoke, laser)),
        *_weather_terms(state, heat),
    )


@remember
def is_clear_day(scene: Scene) -> bool:
    """Whether light, smoke and weather hinder nobody anywhere.  [CE-COND-01] [CE-COND-04] [CE-COND-07]"""
    usual = {"light": LIGHT, "smoke": CLEAR, "weather": FAIR}
    if any(scene.settings.get(key, value) != value for key, value in usual.items()):
        return False
    return not any(
        zone.light not in ("", LIGHT) or not SMOKES.isdisjoint(zone.terrain) for zone in scene.zones
    )


def _light_terms(state: State, seer: Combatant, light: str, sensor: bool) -> Modifiers:
    """[CE-COND-01] [CE-COND-02] [CE-COND-03] [CE-SENS-07] [CE-SENS-08] The light where the target is."""
    if light == LIGHT or sensor or _intensifies(state, seer, light):
        return ()
    points, rule = LIGHT_DM[light]
    return (Modifier(f"term.{light}", points, rule),)


def _intensifies(state: State, seer: Combatant, light: str) -> bool:
    """[CE-SENS-08] RULING R45: whether nothing is left to magnify in the dark is an option."""
    both = find_option(state, "light_intensification") == "both"
    return has_sensor(seer, INTENSIFIER) and (both or light == LOW_LIGHT)


def _smoke_terms(smoke: str, laser: bool) -> Modifiers:
    """[CE-COND-04] [CE-COND-05] Smoke in between; [CE-COND-06] twice as bad for lasers."""
    if smoke == CLEAR:
        return ()
    points, rule = SMOKE_DM[smoke]
    if laser:
        return (Modifier(f"term.{smoke}_laser", 2 * points, "CE-COND-06"),)
    return (Modifier(f"term.{smoke}", points, rule),)


def _weather_terms(state: State, heat: bool) -> Modifiers:
    """[CE-COND-07] Extreme weather; [CE-COND-08] sensors remove its visibility part only."""
    if find_setting(state, "weather") != EXTREME:
        return ()
    interference = Modifier("term.interference", WEATHER_DM, "CE-COND-07")
    if heat:
        return (interference,)
    return (Modifier("term.visibility", WEATHER_DM, "CE-COND-07"), interference)


# ---------------------------------------------------------------- who sees and knows of whom


def can_see(state: State, seer: Combatant | str, target: Combatant | str) -> bool:
    """Whether nothing solid stands between two combatants: zones that block sight, or walls of the map.

    Who stands in such a zone looks out of it.
    """
    if _is_bare(state.scene):
        return True
    one, other = find_fighter(state, seer), find_fighter(state, target)
    return find_lines(state, one, other).are_seen and _is_clear(state.scene, one.at, other.at)


@remember
def _is_bare(scene: Scene) -> bool:
    """Whether nothing solid stands anywhere."""
    return is_open(scene) and not _find_walls(scene)


def _is_clear(scene: Scene, a: Point, b: Point) -> bool:
    walls = _find_walls(scene)
    return not walls or _is_clear_of(scene, walls, a, b)


@remember
def _find_walls(scene: Scene) -> tuple[Zone, ...]:
    return tuple(zone for zone in scene.zones if WALL in zone.terrain)


def _look_along(scene: Scene, walls: tuple[Zone, ...], a: Point, b: Point) -> Seen:
    return (scene, a, b), None


@remember_by(_look_along)
def _is_clear_of(scene: Scene, walls: tuple[Zone, ...], a: Point, b: Point) -> bool:
    ends = {zone.id for zone in (find_zone(scene, a), find_zone(scene, b)) if zone}
    return not any(metres_inside(zone, a, b) > 0.01 for zone in walls if zone.id not in ends)


def is_aware(state: State, who: Combatant | str, of: Combatant | str) -> bool:
    """Whether a combatant knows of another one, and so can react to it.

    [CE-REACT-07] RULING R37: not of those whom the GM conceals, nor of whom the Referee says so; the
    surprised not of those who were ready for them, until that one has acted.
    """
    one, other = find_fighter(state, who), find_fighter(state, of)
    if is_concealed_from(state, one, other) or is_unaware_of(one, other.id):
        return False
    if has_condition(one, "surprised") and one.side != other.side:
        return other.acted or has_condition(other, "surprised")
    return True


def is_unaware_of(fighter: Combatant, other: str) -> bool:
    """Whether the Referee said that somebody does not know of another."""
    return any(held.kind == "unaware" and held.by == other for held in fighter.conditions)
