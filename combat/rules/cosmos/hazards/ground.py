"""Hazardous ground and fire: the harm on entry and at each turn in it, and how to put a fire out."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import (
    Point,
    Scene,
    Zone,
    find_stretches,
    find_zone,
    on_ground,
    path_length,
    plan_distance,
    towards,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..body.damage import armor_points, count_damage, hurt, shield_terms, worn_armor
from ..characters.sheet import is_able
from ..dice import check_terms, did_succeed, is_natural_2, roll_check
from ..environment import base_id, lay, tags_at
from ..world.acting import act
from ..world.heights import settle
from ..world.scene import is_hazardous
from .protection import suit_record

Path = tuple[Point, ...]
INSIDE_M = 0.1  # how far inside the flames, in meters, a combatant lies who goes down on entering them
FIRE_DICE = "1d6"  # COS-HAZ-05
EXTINGUISH_TN = 11  # COS-HAZ-07
SQUARE_M = 2  # how far a fire spreads, in meters


def find_entries(scene: Scene, path: Path) -> tuple[tuple[float, Zone], ...]:
    """Where a path enters hazardous ground: meters from its start, in order, with the zone. [COS-TERR-08]

    Ground at the start of the path is entered at 0 m, as is that of a path without length; ground left and
    entered again counts once.
    """
    if path[0] == path[-1] and path_length(path) == 0:
        ground = _find_ground(scene, path[0])
        return ((0.0, ground),) if ground else ()
    found: dict[tuple[str, bool], tuple[float, Zone]] = {}
    for stretch in find_stretches(scene, path):
        if stretch.zone and _acts(stretch.zone):
            key = (base_id(stretch.zone), _burns(stretch.zone))
            found.setdefault(key, (stretch.begin, stretch.zone))
    return tuple(found.values())


def _acts(zone: Zone) -> bool:
    """Whether ground harms combatants who enter it.

    RULING R47: zero gravity is hazardous ground, but its saves come at other times.
    """
    return is_hazardous(Zone("", "", terrain=tuple(tag for tag in zone.terrain if tag != "zero-g")))


def _burns(zone: Zone) -> bool:
    return "fire" in zone.terrain


def meet_hazards(context: RuleContext, who: str, path: Path) -> None:
    """Apply the hazards along a path that a combatant drifts or is thrown, in order. [COS-TERR-08]

    RULING R49: once per turn.
    """
    for _, zone in find_entries(context.state.scene, path):
        meet(context, who, zone)


def _find_ground(scene: Scene, place: Point) -> Zone | None:
    zone = find_zone(scene, place)
    return zone if zone and _acts(zone) else None


def meet(context: RuleContext, who: str, zone: Zone | None) -> None:
    """Apply the ground to a combatant who enters it or begins a turn on it. [COS-TERR-08]

    If a crossing can call for a save, the GM sees a notice. [COS-TERR-07] The dead are not affected.
    """
    if zone is None or not _acts(zone) or has_condition(context.state[who], "dead"):
        return
    if _burns(zone):
        burn(context, who)
    else:
        context.emit(e.Said("log.in_hazard", who, args={"zone": zone.name}), "COS-TERR-07", e.GM_ONLY)


def arrive_on(context: RuleContext, who: str) -> None:
    """Apply the ground to a combatant placed on it. [COS-TERR-08]"""
    ground = _find_ground(context.state.scene, context.state.combatants[who].at)
    if ground is not None:
        meet(context, who, ground)


def start_inside(context: RuleContext, who: str) -> None:
    """The hazard of the zone where a turn starts [COS-TERR-08]; the combatant's own flames. [COS-HAZ-05]"""
    arrive_on(context, who)
    combatant = context.state.combatants[who]
    if has_condition(combatant, "burning") and not has_condition(combatant, "dead"):
        burn(context, who)


class Journey:
    """A move along a path on one deck, part by part.  [COS-TERR-08]

    Hazardous ground acts where it begins, unless the mover is `airborne`, and one who goes down there stops.
    `tell` emits the fact of a part of the path, but not of the last part of one that `leads_on` elsewhere.
    """

    def __init__(
        self,
        context: RuleContext,
        who: str,
        path: Path,
        tell: Callable[[Path], None],
        airborne: bool = False,
        leads_on: bool = False,
    ) -> None:
        self.context, self.who, self.tell = context, who, tell
        self.airborne, self.leads_on = airborne, leads_on
        self.path, self.left = path, path
        self.gone: Path = path[:1]
        self.meters = 0.0
        self.entries = [] if airborne else list(find_entries(context.state.scene, path))

    def find_spot(self, meters: float) -> Point:
        """The place at `meters` from the start."""
        return self._settle(split(self.path, meters)[0][-1])

    def burns_before(self, meters: float) -> bool:
        """Whether flames act on the way to `meters` from the start."""
        fires = (at for at, zone in self.entries if _burns(zone))
        return not has_burned(self.context.state, self.who) and any(at < meters for at in fires)

    def go(self, meters: float) -> bool:
        """Walk to `meters` from the start; whether the combatant can go farther."""
        while self.entries and self.entries[0][0] < meters:
            at, zone = self.entries.pop(0)
            if _burns(zone) and not has_burned(self.context.state, self.who):
                self._step(min(at + INSIDE_M, meters) if at > 0 else 0.0)
            meet(self.context, self.who, zone)
            if not is_able(self.context.state[self.who]):
                return False
        self._step(meters)
        return True

    def finish(self) -> None:
        """Walk to the end; a path of no length is also logged."""
        if self.go(float("inf")) and len(self.gone) == 1:
            self.tell(self.left)
            self.gone = (*self.gone, *self.left[1:])

    def _settle(self, place: Point) -> Point:
        return place if self.airborne else settle(self.context.state.scene, place)

    def _step(self, meters: float) -> None:
        part, rest = split(self.left, meters - self.meters)
        if len(part) < 2:
            return
        ground = (part[0], *[self._settle(place) for place in part[1:]])
        if not (self.leads_on and meters == float("inf")):
            self.tell(ground)
        self.gone, self.meters = (*self.gone, *ground[1:]), meters
        self.left = (ground[-1], *rest[1:])


def split(path: Path, meters: float) -> tuple[Path, Path]:
    """A path cut in two at `meters`; a part of no length is one place."""
    done: list[Point] = [path[0]]
    left = meters
    for n, (a, b) in enumerate(itertools.pairwise(path)):
        length = plan_distance(a, b)
        if left < length - 0.001:
            if left < 0.01:
                return tuple(done), path[n:]
            spot = towards(a, b, left)
            return (*done, spot), (spot, *path[n + 1 :])
        left -= length
        done.append(b)
    return tuple(done), (path[-1],)


# Fire: its damage, and how to put it out.


def burn(context: RuleContext, who: str) -> None:
    """1d6 energy damage from flames; nobody burns twice in the same turn. [COS-HAZ-05]

    RULING R45.
    """
    if has_burned(context.state, who):
        return
    context.emit(e.Marked(who, "burned", _name_turn(context.state)), "COS-TERR-08", e.GM_ONLY)
    roll = context.roll(FIRE_DICE, by=who, rule="COS-HAZ-05", why="roll.fire")
    armor = fire_armor(context.state, context.state[who])
    lost = count_damage(context.state, roll.total, armor)
    terms = (Modifier(say("term.fire", dice=FIRE_DICE), roll.total, "COS-HAZ-05"), *armor)
    hurt(context, who, lost, why="why.fire", rule="COS-TERR-08", terms=terms, roll=roll)


def has_burned(state: State, who: str) -> bool:
    """Whether flames have already hurt a combatant this turn. [COS-TERR-08]"""
    return state[who].marks.get("burned") == _name_turn(state)


def _name_turn(state: State) -> str:
    return f"{state.clock}:{state.active}"


def fire_armor(state: State, combatant: Combatant) -> Modifiers:
    """Sealed or powered armor counts against fire, as does armor against energy [COS-DMG-03]. [COS-HAZ-08]"""
    worn, shields = worn_armor(combatant), shield_terms(combatant)
    if worn is None or not suit_record(worn):
        return shields
    return (Modifier(worn.name, -armor_points(state, worn), "COS-HAZ-08"), *shields)


def check_burning(state: State, actor: str) -> None:
    """Refuse to put out flames if the combatant does not burn or stands on burning ground."""
    combatant = state[actor]
    if not has_condition(combatant, "burning"):
        raise Refused("not_allowed", f"{combatant.name} is not on fire.")
    if "fire" in tags_at(state, combatant.at):
        raise Refused("not_allowed", "Leave the burning ground first.")


def extinguish(context: RuleContext, command: Command) -> Then:
    """Stop, drop and roll: a Standard Action, prone, Athletics against 11. [COS-HAZ-07]"""
    who = command.actor
    spend(context, who, {"standard": 1}, on="Stop, drop and roll", rule="COS-HAZ-07")
    if not has_condition(context.state[who], "prone"):
        add_condition(context, who, "prone", rule="COS-HAZ-07")
    return Then(_roll_in_dust, who)


def _roll_in_dust(context: RuleContext, who: str) -> None:
    """Two ones let the fire spread to the ground beside the combatant. [COS-HAZ-06]  RULING R45."""
    terms = check_terms(context.state, context.state[who], "COO", skill_name="Athletics", rule="COS-HAZ-07")
    roll = roll_check(
        context,
        who,
        terms,
        target=EXTINGUISH_TN,
        rule="COS-HAZ-07",
        what="Athletics",
        why="roll.put_out_the_flames",
    )
    if did_succeed(context):
        remove_conditions(context, who, "burning", why="why.put_out", rule="COS-HAZ-07")
    elif is_natural_2(roll):
        spread_fire(context, context.state[who].at)


def spread_fire(context: RuleContext, place: Point) -> None:
    """Set a square beside a place on fire. [COS-HAZ-06]  RULING R45."""
    for x, y in ((SQUARE_M, 0), (0, SQUARE_M), (-SQUARE_M, 0), (0, -SQUARE_M)):
        beside = on_ground(context.state.scene, Point(place.x + x, place.y + y))
        if abs(beside.z - place.z) <= SQUARE_M and "fire" not in tags_at(context.state, beside):
            lay(context, beside, SQUARE_M / 2, tag="fire", label="Flames", rule="COS-HAZ-06")
            context.emit(e.Said("log.fire_spreads"), "COS-HAZ-06")
            return


ACTIONS = (act("extinguish", extinguish, check_burning),)
