"""Moving."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.map.moving import Course
from combat.rules.core.space import Point, beside, plan_distance, towards, zone_named
from combat.rules.core.state.state import State, present
from combat.rules.core.turn.turns import spend
from tests.combat.rules.tiny.world import MOVER, TABLE

STEP_M = 6


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go to zone:ID or near:COMBATANT, or `far`: that way as far as a step goes."""

    to: str
    far: bool = False


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a step: zones, and places beside others."""
    zones = [Choice(f"zone:{zone.id}", zone.name) for zone in state.scene.zones]
    near = [Choice(f"near:{one.id}", f"next to {one.name}") for one in present(state) if one.id != actor]
    options = (*zones, *near)
    value = options[0].value if options else ""
    return (
        Field("to", "Where to", "place", options, value),
        Field("far", "As far as it goes", "flag", value="true"),
    )


def move(context: RuleContext, command: Move) -> None:
    """Take a step, perhaps instead of the act. [TINY-MOVE-01] [TINY-MOVE-02]"""
    state, who = context.state, command.actor
    slippery = context.system.setting(state, "ground") == "slippery"
    here, most = state[who].at, STEP_M / 2 if slippery else float(STEP_M)
    goal = find_goal(state, who, command.to)
    if command.far:
        goal = towards(here, goal, most)
    meters = round(plan_distance(here, goal), 3)
    if meters > most + 0.01:
        raise Refused("out_of_range", f"That is {meters:g} m away, a step is {most:g} m.")
    spend(context, who, {"step": 1}, "A step", "TINY-MOVE-01", step=("act",))
    rule = "TINY-MOVE-02" if slippery else "TINY-MOVE-01"
    MOVER.go(context, Course(who, (here, goal), "walk", rule, "how.steps", cost=meters))


def find_goal(state: State, who: str, to: str) -> Point:
    """The place that a command names."""
    kind, _, name = to.partition(":")
    zone = zone_named(state.scene, name)
    if kind == "near":
        return beside(state[who].at, state[name].at, 1.0)
    if kind == "zone" and zone:
        return zone.centre
    raise Refused("bad_value", "Choose where to go.")


ACTIONS = (
    TABLE.act("move", move, fields=move_fields, brief=lambda words, state, one: words.format(metres=STEP_M)),
)
