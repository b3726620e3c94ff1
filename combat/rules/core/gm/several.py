"""The GM's decisions for several combatants at once, such as a group: one step each."""

from __future__ import annotations

from msgspec import UNSET

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import Combatant, present, replace
from .aliases import check_face, give_alias, real_face, real_name, reveal, set_face
from .decisions import (
    MAX_LENGTH,
    GmCommand,
    Place,
    Target,
    clean_name,
    place,
    put,
    remove,
    set_name,
    set_order,
    zone_id_of,
)
from .spots import free_spot


class Each(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    targets: tuple[str, ...]


class PlaceBySide(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class HideEach(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hidden: bool = True


class Arrange(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is said of each target; what is empty or None stays.

    Several with the same `name` or `alias` get numbers. An empty `alias` reveals those who have one. `face`
    is the key of a drawn face, "" for none.
    """

    name: str = ""
    alias: str | None = None
    side: str = ""
    zone: str = ""
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
        if command.zone and command.zone != zone_id_of(context.state, combatant):
            place(context, Place(target=combatant.id, zone=command.zone, reason=command.reason))
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
