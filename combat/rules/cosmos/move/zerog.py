"""Moving in zero gravity: bracing, catching hold, throwing things away, jumping.  RULING R47."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Field, anybody, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.space import Point, away_from, path_length, plan_distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..body.damage import is_droppable
from ..characters.conditions import KINDS
from ..characters.sheet import ability
from ..environment import gravity_of, has_surface, is_weightless
from ..hazards.drift import set_adrift, turns
from ..hazards.electricity import find_place
from ..world.acting import act, find_places, gm
from ..world.heights import part_at_decks, settle
from ..world.sight_lines import find_thing, stop_at_walls
from .cost import pay_move
from .moving import JUMP, MOVER, Steps, check_unheld
from .paths import find_goal

THROWN_M = 10  # the distance after which nobody can reach an item pushed away


class Hurl(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Throw an item away to move the other way; `to` is near:COMBATANT or "x,y" in meters."""

    item: str
    to: str


class Jump(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A jump to a place in reach; `metres` is its length in normal gravity."""

    target: str
    metres: int
    to: str = ""


def check_weightless(state: State, actor: str) -> None:
    """Refuse these actions outside zero gravity."""
    if not is_weightless(state, state[actor]):
        raise Refused("not_allowed", f"{state[actor].name} stands on firm ground.")


def check_surface(state: State, actor: str) -> None:
    """Refuse unless there is something to hold within 1 m. [COS-ZG-07]"""
    check_weightless(state, actor)
    if not has_surface(state, state[actor].at):
        raise Refused("not_allowed", "Nothing within 1 m to take hold of.")


def check_brace(state: State, actor: str) -> None:
    """Refuse to brace while drifting: catch hold first."""
    check_surface(state, actor)
    KINDS.check(state[actor], "brace")


def brace(context: RuleContext, command: Command) -> None:
    """Brace against a surface, a Quick Action: no drift until moving. [COS-ZG-09] [COS-ZG-10]"""
    spend(context, command.actor, {"quick": 1}, on="Bracing", rule="COS-ZG-09")
    add_condition(context, command.actor, "braced")


def check_drifting(state: State, actor: str) -> None:
    """Refuse to catch hold unless adrift, with a hold within 1 m.  [COS-ZG-07]"""
    if not has_condition(state[actor], "drifting"):
        raise Refused("not_allowed", f"{state[actor].name} does not drift.")
    check_surface(state, actor)


def catch_hold(context: RuleContext, command: Command) -> Then:
    """End a drift at a surface: a Move Action and the Coordination check. [COS-ZG-03] [COS-ZG-05]"""
    pay_move(context, command.actor, "Catching hold", "COS-ZG-03")
    return Then(_grab, command.actor)


def _grab(context: RuleContext, who: str) -> None:
    if turns(context, who):
        remove_conditions(context, who, "drifting", why="why.catches_hold", rule="COS-ZG-03")


def check_hurl(state: State, actor: str) -> None:
    """Refuse to push off by throwing outside zero gravity, or out of a hold. [COS-COND-22]"""
    check_weightless(state, actor)
    check_unheld(state, state[actor])


def hurl(context: RuleContext, command: Hurl) -> None:
    """Throw an item away: the thrower drifts the opposite way. [COS-ZG-08]  A Move Action."""
    who = command.actor
    combatant, item = context.state[who], find_thing(context.state, who, command.item)
    if item.place == "worn" or not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} cannot be thrown away.")
    aim = find_place(context.state, command.to)
    if plan_distance(combatant.at, aim) < 0.01:
        raise Refused("bad_value", "Throw it somewhere else, not at yourself.")
    pay_move(context, who, f"Throwing {item.name}", "COS-ZG-08")
    landed = away_from(combatant.at, _opposite(combatant.at, aim), THROWN_M)
    landed = settle(context.state.scene, stop_at_walls(context.state, combatant.at, landed))
    context.emit(e.ItemLost(who, replace(item, place="ground", at=landed), "how.throws_away"), "COS-ZG-08")
    set_adrift(context, who, combatant.at, goal=_opposite(combatant.at, aim), rule="COS-ZG-08")


def _opposite(here: Point, there: Point) -> Point:
    return Point(2 * here.x - there.x, 2 * here.y - there.y)


def hurl_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the item to throw, and the direction."""
    combatant = state[actor]
    things = [i for i in combatant.items if i.place != "worn" and is_droppable(i)]
    items = tuple(Choice(i.id, i.name, i.place) for i in things)
    near = tuple(Choice(f"near:{f.id}", f"at {f.name}") for f in present(state) if f.id != actor)
    return (
        Field("item", "What", "choice", options=items, value=items[-1].value if items else ""),
        Field(
            "to", "Where", "place", options=near, value=near[0].value if near else "", help="or x,y in meters"
        ),
    )


# ---------------------------------------------------------------- jumping


def count_jump(state: State, combatant: Combatant, meters: int) -> int:
    """The meters, in this gravity, of a jump of `meters` in normal gravity. [COS-ENV-05]"""
    low = 2 if gravity_of(state, combatant) == "low" else 1
    return meters * low * (ability(combatant, "jump_multiplier") or 1)


def jump(context: RuleContext, command: Jump) -> None:
    """Make a jump that the GM grants: the place must be within its length in this gravity. [COS-ENV-05]

    RULING R28: a meter up counts as a meter along.
    """
    combatant = context.state[command.target]
    if not 1 <= command.metres <= 100:
        raise Refused("bad_value", "A jump is 1 to 100 m.")
    reach = count_jump(context.state, combatant, command.metres)
    context.emit(e.Said("log.can_jump", combatant.id, args={"metres": reach}), "COS-ENV-05")
    if not command.to:
        return
    path = find_goal(context.state, combatant.id, command.to)
    parts = part_at_decks(context.state.scene, path)
    if max(sum(map(path_length, parts)), path[-1].z - path[0].z) > reach + 0.01:
        raise Refused("out_of_range", f"Too far: {combatant.name} jumps {reach} m here.")
    MOVER.go(context, Steps(combatant.id, path, JUMP, "COS-ENV-05", "how.jumps"))


def jump_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant who jumps, and the distance."""
    return (
        anybody(state),
        number_field("metres", "Distance in normal gravity (m)", 2, low=1, high=100, required=False),
        Field(
            "to",
            "Where to",
            "place",
            options=find_places(state),
            value="",
            help="or x,y in meters",
            required=False,
        ),
    )


ACTIONS = (
    act("catch_hold", catch_hold, check_drifting),
    act("hurl", hurl, check_hurl, fields=hurl_fields),
    act("brace", brace, check_brace),
    gm("jump", jump, fields=jump_fields),
)
