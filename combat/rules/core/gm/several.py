"""The GM's decisions for several combatants at once, such as a group: one step each."""

from __future__ import annotations

import re

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import Combatant, State, present, replace
from .decisions import (
    FACE,
    GROUP,
    MAX_LENGTH,
    GmCommand,
    Place,
    Target,
    clean_name,
    place,
    put,
    remove,
    set_order,
    zone_id_of,
)
from .spots import free_spot

FACE_KEY = re.compile(r"[a-z0-9_-]{1,20}")


class Each(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    targets: tuple[str, ...]


class PlaceBySide(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class HideEach(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hidden: bool = True


class Arrange(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is said of each target; what is empty or None stays.

    Several with the same `name` get numbers. `face` is the key of a drawn face, "" for none.
    """

    name: str = ""
    side: str = ""
    zone: str = ""
    hidden: bool | None = None
    face: str | None = None


def find_group(state: State, combatant: Combatant) -> tuple[Combatant, ...]:
    """The group of a combatant that is still here, itself included; nobody without a group."""
    mark = combatant.marks.get(GROUP)
    return tuple(one for one in present(state) if one.marks.get(GROUP) == mark) if mark else ()


def _find_targets(context: RuleContext, command: Each) -> list[Combatant]:
    """The named combatants, each once; Refused if there is none, or one is not here."""
    if not command.targets:
        raise Refused("bad_target", "Select combatants first.")
    return [context.state[who] for who in dict.fromkeys(command.targets)]


def remove_each(context: RuleContext, command: Each) -> None:
    """Remove several combatants, with what is bound to them."""
    for combatant in _find_targets(context, command):
        remove(context, Target(target=combatant.id, reason=command.reason))


def hide_each(context: RuleContext, command: HideEach) -> None:
    """Hide several combatants from everyone but the GM, or reveal them. Those already so are skipped."""
    others = [one for one in _find_targets(context, command) if one.hidden != command.hidden]
    if not others:
        raise Refused("not_allowed", f"They are all {'hidden' if command.hidden else 'visible'} already.")
    for combatant in others:
        context.emit(e.HiddenSet(combatant.id, command.hidden))


def arrange(context: RuleContext, command: Arrange) -> None:
    """Change names, side, zone, face and whether hidden of one or several, in one step."""
    if command.face and not FACE_KEY.fullmatch(command.face):
        raise Refused("bad_value", "There is no such face: choose one from the list.")
    told, targets = len(context.facts), _find_targets(context, command)
    for number, combatant in enumerate(targets, 1):
        _rename(context, command, combatant, number if len(targets) > 1 else 0)
        if command.zone and command.zone != zone_id_of(context.state, combatant):
            place(context, Place(target=combatant.id, zone=command.zone, reason=command.reason))
        if command.hidden is not None and command.hidden != combatant.hidden:
            context.emit(e.HiddenSet(combatant.id, command.hidden))
        if command.face is not None and command.face != combatant.marks.get(FACE, ""):
            context.emit(e.Marked(combatant.id, FACE, command.face or None))
    if len(context.facts) == told:
        raise Refused("not_allowed", "Nothing would change: choose another side, zone, name or face.")


def _rename(context: RuleContext, command: Arrange, combatant: Combatant, number: int) -> None:
    """Give a combatant the name and the side, if they are others; a name with a number for several."""
    name = clean_name(command.name) if command.name else combatant.name
    if command.name and number:
        ending = f" {number}"
        name = f"{name[: MAX_LENGTH - len(ending)]}{ending}"
    side = clean_name(command.side) if command.side else combatant.side
    if (name, side) != (combatant.name, combatant.side):
        context.emit(e.Renamed(combatant.id, name, side))


def place_by_side(context: RuleContext, command: PlaceBySide) -> None:
    """Put everyone back into the start of their side."""
    if not context.state.scene.starts:
        raise Refused("not_allowed", "This scene names no starts: drag people to their places.")
    if not put_by_side(context):
        raise Refused("not_allowed", "Everyone is in the start of their side already.")


def put_by_side(context: RuleContext) -> bool:
    """Put everyone into the start of their side, those inside others with them; whether anyone has moved."""
    state = context.state
    people = [one for one in present(state) if not one.inside]
    played = {one.side for one in people if one.pc}
    sides = sorted(dict.fromkeys(one.side for one in people), key=lambda side: side not in played)
    placed = replace(state, combatants={})
    for combatant in sorted(people, key=lambda one: sides.index(one.side)):
        goal = free_spot(context, "", combatant, placed)
        there = replace(combatant, at=goal)
        placed = replace(placed, combatants={**placed.combatants, combatant.id: there})
    moved = [one for one in people if placed.combatants[one.id].at != one.at]
    for combatant in moved:
        put(context, context.state[combatant.id], placed.combatants[combatant.id].at)
    return bool(moved)


def gather(context: RuleContext, command: Each) -> None:
    """Put several combatants right after the first of them in the order of turns, in their present order."""
    wanted, order = {one.id for one in _find_targets(context, command)}, context.state.order
    together = tuple(who for who in order if who in wanted)
    if len(together) < 2:
        raise Refused("not_allowed", "Fewer than two of them are in the turn order: start the fight first.")
    spot = order.index(together[0])
    behind = (who for who in order[spot:] if who not in wanted)
    fresh = (*order[:spot], *together, *behind)
    if fresh == order:
        raise Refused("not_allowed", "They follow one another already.")
    set_order(context, fresh, command, together[0])
