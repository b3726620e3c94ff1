"""Getting about in zero gravity: bracing, catching hold, throwing things away, jumping.  RULING R47."""

from __future__ import annotations

from ..core import events as e
from ..core.commands import Command, Field
from ..core.errors import Refused
from ..core.gm import GmCommand
from ..core.requests import Choice
from ..core.space import Point, away_from, distance, find_zone, path_length
from ..core.state import Combatant, State, find_item, has_condition, present, replace
from ..core.table import Table, Then
from ..core.turns import gain, lift_kinds, spend
from .damage import is_droppable
from .drift import set_adrift, turns
from .environment import gravity_of, has_surface, is_weightless
from .movement import find_goal, note_move, pay_move
from .perils import find_place
from .sheet import ability

THROWN_M = 10  # how far a thing pushed away flies before nobody reaches it any more


class Hurl(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Throw a thing away to move the other way; `to` is near:FIGHTER or "x,y" in metres."""

    item: str
    to: str


class Jump(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A jump of so many metres as it would be in normal gravity, to a place within reach."""

    target: str
    metres: int
    to: str = ""


def check_weightless(state: State, actor: str) -> None:
    """These actions are for zero gravity."""
    if not is_weightless(state, state[actor]):
        raise Refused("not_allowed", f"{state[actor].name} has firm ground under its feet.")


def check_surface(state: State, actor: str) -> None:
    """[COS-ZG-07] Something to hold has to be within 1 m."""
    check_weightless(state, actor)
    if not has_surface(state, state[actor].at):
        raise Refused("not_allowed", "Nothing within 1 m to take hold of.")


def check_brace(state: State, actor: str) -> None:
    """Who drifts has to catch hold first."""
    check_surface(state, actor)
    if has_condition(state[actor], "drifting"):
        raise Refused("not_allowed", f"{state[actor].name} drifts: catch hold first.")
    if has_condition(state[actor], "braced"):
        raise Refused("not_allowed", f"{state[actor].name} is braced already.")


def brace(table: Table, command: Command) -> None:
    """[COS-ZG-09] [COS-ZG-10] Wedge in against a surface, a Quick Action: no drift until moving."""
    check_brace(table.state, command.actor)
    spend(table, command.actor, {"quick": 1}, "Bracing", "COS-ZG-09")
    gain(table, command.actor, "braced")


def check_drifting(state: State, actor: str) -> None:
    """Only who drifts catches hold, and only of what is within 1 m.  [COS-ZG-07]"""
    if not has_condition(state[actor], "drifting"):
        raise Refused("not_allowed", f"{state[actor].name} does not drift.")
    check_surface(state, actor)


def catch_hold(table: Table, command: Command) -> Then:
    """[COS-ZG-03] [COS-ZG-05] End a drift at a surface: a Move Action and the Coordination check."""
    check_drifting(table.state, command.actor)
    pay_move(table, command.actor, "Catching hold", "COS-ZG-03")
    return Then(_grab, command.actor)


def _grab(table: Table, who: str) -> None:
    if turns(table, who):
        lift_kinds(table, who, "drifting", why="catches hold", rule="COS-ZG-03")


def hurl(table: Table, command: Hurl) -> None:
    """[COS-ZG-08] Throw a thing away: the thrower drifts the opposite way.  A Move Action."""
    who = command.actor
    check_weightless(table.state, who)
    fighter, item = table.state[who], find_item(table.state[who], command.item)
    if item.place == "worn" or not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} cannot be thrown away.")
    aim = find_place(table.state, command.to)
    if distance(fighter.at, aim) < 0.01:
        raise Refused("bad_value", "Throw it somewhere else, not at oneself.")
    pay_move(table, who, f"Throwing {item.name}", "COS-ZG-08")
    landed = away_from(fighter.at, _opposite(fighter.at, aim), THROWN_M)
    table.tell(e.ItemLost(who, replace(item, place="ground", at=landed), "throws away"), "COS-ZG-08")
    set_adrift(table, who, fighter.at, _opposite(fighter.at, aim), "COS-ZG-08")


def _opposite(here: Point, there: Point) -> Point:
    return Point(2 * here.x - there.x, 2 * here.y - there.y)


def hurl_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: what to throw, and where."""
    fighter = state[actor]
    things = [i for i in fighter.items if i.place != "worn" and is_droppable(i)]
    items = tuple(Choice(i.id, i.name, i.place) for i in things)
    near = tuple(Choice(f"near:{f.id}", f"at {f.name}") for f in present(state) if f.id != actor)
    return (
        Field("item", "What", "choice", items, items[-1].value if items else ""),
        Field("to", "Where", "place", near, near[0].value if near else "", "or x,y in metres"),
    )


# ---------------------------------------------------------------- jumping


def count_jump(state: State, fighter: Combatant, metres: int) -> int:
    """[COS-ENV-05] How far a jump of so many metres goes in this gravity, in metres."""
    low = 2 if gravity_of(state, fighter) == "low" else 1
    return metres * low * (ability(fighter, "jump_multiplier") or 1)


def jump(table: Table, command: Jump) -> None:
    """[COS-ENV-05] The GM grants a jump: the place has to be within what gravity makes of it."""
    fighter = table.state[command.target]
    if not 1 <= command.metres <= 100:
        raise Refused("bad_value", "A jump is 1 to 100 m.")
    reach = count_jump(table.state, fighter, command.metres)
    table.tell(e.Said(f"{{who}} can jump {reach} m here.", fighter.id), "COS-ENV-05")
    if not command.to:
        return
    path = find_goal(table.state, fighter.id, command.to)
    if path_length(path) > reach + 0.01:
        raise Refused("out_of_range", f"Too far: {fighter.name} jumps {reach} m here.")
    zone = find_zone(table.state.scene, path[-1])
    metres = round(path_length(path), 3)
    told = e.Moved(fighter.id, path, metres, 0, "jumps", zone.name if zone else "")
    table.tell(told, "COS-ENV-05")
    note_move(table, fighter.id)
