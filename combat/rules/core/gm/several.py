"""The GM's decisions for several combatants at once, such as a group: one step each."""

from __future__ import annotations

from math import ceil, sqrt

from msgspec import UNSET

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..map.starts import find_start, list_starts
from ..space import Scene, Zone
from ..space.ground import has_ground
from ..space.plane import holds
from ..state import events as e
from ..state.state import Combatant, State, is_played, present, replace
from .aliases import check_face, give_alias, real_face, real_name, reveal, set_face
from .decisions import (
    MAX_LENGTH,
    GmCommand,
    Place,
    Target,
    clean_name,
    get_inside,
    place,
    put,
    remove,
    set_name,
    set_order,
    zone_id_of,
)
from .spots import PREP, STEP, free_spot


class Each(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    targets: tuple[str, ...]


class PlaceBySide(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put the targets into the start of their side; everyone if none is named."""

    targets: tuple[str, ...] = ()


class PlaceEach(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put the targets at and around a point, in meters."""

    x: float
    y: float


class HideEach(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hidden: bool = True


class Arrange(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is said of each target; what is empty or None stays.

    Several with the same `name` or `alias` get numbers. An empty `alias` reveals those who have one. `face`
    is the key of a drawn face, "" for none. They get `inside` the combatant of this id.
    """

    name: str = ""
    alias: str | None = None
    side: str = ""
    zone: str = ""
    inside: str = ""
    hidden: bool | None = None
    face: str | None = None


def find_targets(context: RuleContext, targets: tuple[str, ...]) -> list[Combatant]:
    """The named combatants, each once; Refused if there is none, or one is not here."""
    if not targets:
        raise Refused("bad_target", "Select combatants first.")
    return [context.state[who] for who in dict.fromkeys(targets)]


def remove_each(context: RuleContext, command: Each) -> None:
    """Remove several combatants, with what is bound to them."""
    for combatant in find_targets(context, command.targets):
        remove(context, Target(target=combatant.id, reason=command.reason))


def hide_each(context: RuleContext, command: HideEach) -> None:
    """Hide several combatants from everyone but the GM, or reveal them. Those already so are skipped."""
    others = [one for one in find_targets(context, command.targets) if one.hidden != command.hidden]
    if not others:
        raise Refused("not_allowed", f"They are all {'hidden' if command.hidden else 'visible'} already.")
    for combatant in others:
        context.emit(e.HiddenSet(combatant.id, command.hidden))


def arrange(context: RuleContext, command: Arrange) -> None:
    """Change names, side, zone, face and whether hidden of one or several, in one step."""
    check_face(command.face)
    told, targets = len(context.facts), find_targets(context, command.targets)
    for number, combatant in enumerate(targets, 1):
        _rename(context, command, combatant, number if len(targets) > 1 else 0)
        if command.face is not None and command.face != real_face(combatant):
            set_face(context, context.state[combatant.id], command.face)
        if command.zone and (combatant.inside or command.zone != zone_id_of(context.state, combatant)):
            place(context, Place(target=combatant.id, zone=command.zone, reason=command.reason))
        if command.inside and command.inside != combatant.inside:
            get_inside(context, combatant.id, command.inside)
        if command.hidden is not None and command.hidden != combatant.hidden:
            context.emit(e.HiddenSet(combatant.id, command.hidden))
    if len(context.facts) == told:
        raise Refused("not_allowed", "Nothing would change: choose another side, zone, name or face.")


def _rename(context: RuleContext, command: Arrange, combatant: Combatant, number: int) -> None:
    """Give a combatant the name, the alias and the side that are said."""
    name = _number(command.name, number) if command.name else real_name(combatant)
    side = clean_name(command.side) if command.side else combatant.side
    set_name(context, combatant, name, side)
    if command.alias == "" and combatant.alias is not UNSET:
        reveal(context, context.state[combatant.id])
    if command.alias and (alias := _number(command.alias, number)) != combatant.name:
        give_alias(context, context.state[combatant.id], alias)


def _number(name: str, number: int) -> str:
    """A name with a number, one of several; 0 for none."""
    ending = f" {number}" if number else ""
    return f"{clean_name(name)[: MAX_LENGTH - len(ending)]}{ending}"


def place_each(context: RuleContext, command: PlaceEach) -> None:
    """Put the first target at a point and the others on free spots around it, in one step."""
    first, *others = [one.id for one in find_targets(context, command.targets)]
    place(context, Place(target=first, x=command.x, y=command.y, reason=command.reason))
    middle, side = context.state[first].at, STEP * (2 * ceil(sqrt(1 + len(others)) / 2) + 1)
    around = Zone("", "", middle.x - side / 2, y=middle.y - side / 2, width=side, depth=side)
    for number, who in enumerate(others):
        state = context.state
        there = {one: state.combatants[one] for one in state.combatants if one not in others[number:]}
        placed = replace(state, combatants=there)
        put(context, state[who], free_spot(context, "", state[who], placed=placed, place=around))


def place_by_side(context: RuleContext, command: PlaceBySide) -> None:
    """Put everyone, or the targets, into the start of their side, or to its end of the ground."""
    if not (context.state.scene.starts or has_ground(context.state.scene)):
        raise Refused("not_allowed", "There is no map and no zone: choose a scene, or draw one.")
    who = tuple(one.id for one in find_targets(context, command.targets)) if command.targets else ()
    if not put_by_side(context, who):
        whose = "They are" if who else "Everyone is"
        raise Refused("not_allowed", f"{whose} in the start of their side already.")


def put_by_side(context: RuleContext, who: tuple[str, ...] = ()) -> bool:
    """Put everyone, or those named, into the start of their side, those inside others with them.

    Returns whether anyone has moved.
    """
    state, hexes = context.state, system_of(context).space.has_hexes(context.state)
    everyone = _find_placeable(context)
    people = [one for one in everyone if one.id in who] if who else everyone
    others = {one.id: one for one in everyone if one not in people}
    played = {one.side for one in people if is_played(state, one)}
    sides = sorted(dict.fromkeys(one.side for one in people), key=lambda side: side not in played)
    placed = replace(state, combatants=others)
    for combatant in sorted(people, key=lambda one: sides.index(one.side)):
        end = None if state.scene.starts else find_start(state, placed, combatant, hexes, ends=True)
        goal = free_spot(context, "", combatant, placed=placed, place=end)
        there = replace(combatant, at=goal)
        placed = replace(placed, combatants={**placed.combatants, combatant.id: there})
    moved = [one for one in people if placed.combatants[one.id].at != one.at]
    for combatant in moved:
        put(context, context.state[combatant.id], placed.combatants[combatant.id].at)
    return bool(moved)


def follow_ground(context: RuleContext, before: Scene) -> bool:
    """Put everyone by side where a map or zones appear or grow before a fight; whether that was done.

    Nobody is moved whom the GM has put elsewhere: it is done where there was no ground `before`, or all
    stand in the starts that it had.
    """
    state, hexes = context.state, system_of(context).space.has_hexes(context.state)
    old = replace(state, scene=before)
    if state.phase != PREP or not has_ground(state.scene):
        return False
    if has_ground(before):
        is_same = list_starts(old, hexes) == list_starts(state, hexes)
        if is_same or not all(_is_at_start(old, one, hexes) for one in _find_placeable(context)):
            return False
    put_by_side(context)
    return True


def follow_starts(context: RuleContext, before: Scene) -> bool:
    """Take along the people in starts that are moved or sized before a fight; whether only that happened.

    A start that is moved takes along everyone in it, one that is sized those who are then outside.
    """
    state, hexes = context.state, system_of(context).space.has_hexes(context.state)
    old = replace(state, scene=before)
    was, now = list_starts(old, hexes), list_starts(state, hexes)
    if state.phase != PREP or before.zones != state.scene.zones or len(was) != len(now):
        return False
    goals: dict[str, Zone] = {}
    for one in _find_placeable(context):
        start = find_start(old, old, one, hexes, ends=True)
        if start not in was or not holds(start, one.at.x, one.at.y):
            continue
        goal = now[was.index(start)]
        is_sized = (goal.width, goal.depth) != (start.width, start.depth)
        if goal != start and not (is_sized and holds(goal, one.at.x, one.at.y)):
            goals[one.id] = goal
    placed = replace(
        state, combatants={who: one for who, one in state.combatants.items() if who not in goals}
    )
    for who, goal in goals.items():
        there = replace(state.combatants[who], at=free_spot(context, "", state.combatants[who], placed, goal))
        placed = replace(placed, combatants={**placed.combatants, who: there})
        put(context, context.state[who], there.at)
    return True


def _is_at_start(state: State, combatant: Combatant, hexes: bool) -> bool:
    start = find_start(state, state, combatant, hexes, ends=True)
    return start is not None and holds(start, combatant.at.x, combatant.at.y)


def _find_placeable(context: RuleContext) -> list[Combatant]:
    return [one for one in present(context.state) if not one.inside]


def gather(context: RuleContext, command: Each) -> None:
    """Put several combatants right after the first of them in the order of turns, in their present order."""
    wanted, order = {one.id for one in find_targets(context, command.targets)}, context.state.order
    together = tuple(who for who in order if who in wanted)
    if len(together) < 2:
        raise Refused("not_allowed", "Fewer than two of them are in the turn order: start the fight first.")
    spot = order.index(together[0])
    behind = (who for who in order[spot:] if who not in wanted)
    fresh = (*order[:spot], *together, *behind)
    if fresh == order:
        raise Refused("not_allowed", "They follow one another already.")
    set_order(context, fresh, command, together[0])
