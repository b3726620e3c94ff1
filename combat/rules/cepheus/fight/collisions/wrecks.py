"""Vehicles that explode, with everyone inside and near."""

from __future__ import annotations

from typing import Any

from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, has_condition

from ...body.machines import on_explosion
from ...characters.conditions import is_dead
from ...characters.values import is_vehicle
from ...world.bands import EDGE, find_meters
from ...world.blast_areas import is_open_to
from ..explosives.blasts import Blast, explode, is_shut_in

INNER, OUTER = (6.0, "4d6"), (12.0, "2d6")  # meters and dice  [CE-VLOC-17] [CE-VLOC-18]
WHY = "why.explosion"


@on_explosion
def blow_up(context: RuleContext, who: str, by: str) -> Then | None:
    """Deal 4D6 to everyone within 6 m and inside [CE-VLOC-17], 2D6 to those within 12 m. [CE-VLOC-18]

    One roll for each ring; armor counts.  RULING R48. In a closed vehicle no one can dodge or dive
    [CE-VLOC-19]; in an open one they can. [CE-VLOC-20]
    """
    near = find_near(context.state, who, 0, INNER[0])
    inside = tuple(rider.id for rider in find_aboard(context.state, who) if not is_dead(rider))
    far = find_near(context.state, who, INNER[0], OUTER[0])
    then: tuple[Any, ...] = (_empty, who)
    first = (*inside, *near)
    alone = not any(is_vehicle(context.state[one]) for one in (*first, *far))
    if far:
        then = (explode, _make_blast(context.state, who, OUTER, only=far, alone=alone), then)
    if first:
        return Then(explode, _make_blast(context.state, who, INNER, only=first, alone=alone), then)
    step, *args = then
    return Then(step, *args)


def find_near(state: State, who: str, beyond: float, within: float) -> tuple[str, ...]:
    """Those within a number of meters of a wreck, in the open or in an open vehicle."""
    return tuple(
        other.id
        for other in state.combatants.values()
        if not other.gone
        and other.id != who
        and other.inside != who
        and not has_condition(other, "dead", "destroyed")
        and not is_shut_in(state, other)
        and (beyond + EDGE < find_meters(state, who, other) or not beyond)
        and find_meters(state, who, other) <= within + EDGE
        and is_open_to(state, state[who].at, other)
    )


def _make_blast(state: State, who: str, ring: tuple[float, str], only: tuple[str, ...], alone: bool) -> Blast:
    return Blast(by="", at=state[who].at, weapon=WHY, rings=(ring,), only=only, alone=alone, midst=True)


def _empty(context: RuleContext, who: str) -> None:
    """Move everyone out of a wreck that no longer exists."""
    for rider in find_aboard(context.state, who):
        context.emit(e.Boarded(rider.id, "", ""), "CE-VLOC-17")
