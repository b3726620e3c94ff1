"""What a plan for someone's next turn comes to: asked as the turn asks it, as far as its player knows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from combat.audience.secrecy import mask_names
from combat.play.improvising import PlannedTurn
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, find_reasons
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.next_turn import find_leads
from combat.rules.core.odds.planner import MOVE, Plan, take
from combat.rules.core.space import find_zone, plan_distance
from combat.rules.core.state.state import State, present
from combat.sharing.viewer_context import Ahead, ViewerContext

from ..shapes.table_shapes import CombatantView
from .fields import prefill, prefilled
from .foe_card import FoeWay, FoeWays, find_foe_ways, find_way

Rows = Mapping[str, CombatantView]
MAX_FOES = 5  # the nearest ones are asked
MAX_OTHERS = 3  # offered in place of a target
MAX_WAYS = 2  # of each target in the form: its best weapons
# The kinds of what someone does without a target, if nobody is in reach
STANDING = ("reload", "watch", "guard", "aim", "focus", "prone", "wait")


def look_ahead(context: ViewerContext, who: str, to: str = "") -> ViewerContext:
    """The context as it will be in someone's next turn, or is in this one, after a move `to` a place."""
    return dataclasses.replace(context, ahead=Ahead(who, to))


def find_planned_way(context: ViewerContext, plan: PlannedTurn, target: str = "") -> FoeWay | None:
    """How the attack of a plan can be done now, at its target or another; None if there is none.

    With another weapon if its own cannot.
    """
    ahead, whom = look_ahead(context, plan.who, plan.to), target or plan.target
    if plan.weapon:
        chosen = find_foe_ways(ahead, plan.who, whom, plan.weapon, only=True).chosen
        if chosen and chosen.action == plan.action and chosen.is_possible:
            return chosen
    return find_foe_ways(ahead, plan.who, whom, plan.weapon).chosen


def list_foes(context: ViewerContext, rows: Rows, who: str, *, but: str = "") -> list[str]:
    """The nearest of those whom someone may fight, as far as their player knows."""
    state, neutral = context.obscured_state, context.system.tactics.neutral
    actor = state[who]
    foes = [
        one
        for one in present(state)
        if one.side != actor.side and one.side not in neutral and one.id in rows and one.id != but
    ]
    near = sorted(foes, key=lambda one: plan_distance(actor.at, one.at))
    return [one.id for one in near if not rows[one.id].is_out][:MAX_FOES]


def find_others(context: ViewerContext, plan: PlannedTurn, rows: Rows) -> list[FoeWay]:
    """The best ways to attack someone else than was planned."""
    foes = list_foes(context, rows, plan.who, but=plan.target)
    asked = [find_planned_way(context, plan, foe) for foe in foes]
    ways = [way for way in asked if way and way.is_possible]
    return sorted(ways, key=lambda way: way.rank, reverse=True)[:MAX_OTHERS]


def list_ways(context: ViewerContext, rows: Rows, who: str) -> Iterator[tuple[FoeWay, str]]:
    """The attacks that can be planned: the best of each of the nearest foes; and where the move before leads.

    Who is out of reach is tried from beside them, and from their zone.
    """
    for foe in list_foes(context, rows, who):
        ways = [(way, "") for way in find_foe_ways(look_ahead(context, who), who, foe).ways if way.is_offered]
        for to in () if ways else _list_approaches(context, who, foe):
            found = find_foe_ways(look_ahead(context, who, to), who, foe).ways
            if ways := [(way, to) for way in found if way.is_possible]:
                break
        yield from ways[:MAX_WAYS]


def _list_approaches(context: ViewerContext, who: str, foe: str) -> list[str]:
    """The places of the move that lead to someone."""
    state = context.obscured_state
    zone = find_zone(state.scene, state[foe].at)
    wanted = {f"near:{foe}", f"zone:{zone.id}" if zone else ""}
    return [to for to, _ in list_places(context, who) if to in wanted]


def find_ways_to(context: ViewerContext, who: str, target: str, weapon: str = "") -> FoeWays:
    """How someone could attack a target in their next turn."""
    return find_foe_ways(look_ahead(context, who), who, target, weapon)


def list_places(context: ViewerContext, who: str) -> tuple[tuple[str, str], ...]:
    """Where someone can move first in their next turn, with words; none without such a move."""
    ahead = look_ahead(context, who)
    action = ahead.system.actions.by_name.get(MOVE)
    state = _begin(ahead, who)
    if action is None or who not in state.combatants:
        return ()
    try:
        fields = action.find_fields(state, who)
    except Refused:
        return ()
    options = next((field.options for field in fields if field.name == "to"), ())
    return tuple((one.value, one.label) for one in options if ":" in one.value and not one.refused)


def list_standing(context: ViewerContext, who: str) -> tuple[tuple[str, str], ...]:
    """What someone can do in their next turn without a target, by the names of the actions."""
    ahead = look_ahead(context, who)
    state, system = _begin(ahead, who), ahead.system
    known = [one for one in system.actions.by_name.values() if system.kinds.of_action(one.name) in STANDING]
    usual = [
        one for one in known if one.who != "gm" and one.on_turn and not one.first and one.has_place(state)
    ]
    reasons = find_reasons(tuple(usual), state, who)
    ready = [one for one, reason in zip(usual, reasons, strict=True) if not reason]
    return tuple((one.name, one.label) for one in ready if _stands_alone(system, state, one, who))


def _stands_alone(system: System, state: State, action: Action, who: str) -> bool:
    """Whether an action needs nobody, and the rules allow it as its form begins."""
    try:
        fields = action.find_fields(state, who)
        data, _ = prefill(state, action, who, fields)
    except Refused:
        return False
    if any(field.name == "target" for field in fields):
        return False
    return not take(system, Plan((), state), action.name, {**data, "actor": who}).stopped


def _begin(context: ViewerContext, who: str) -> State:
    """The state once a turn has begun with what it has to begin with."""
    state = context.obscured_state
    begun = next((plan for plan in find_leads(context.system, state, who) if not plan.is_over), None)
    return begun.after if begun else state


def find_standing_way(context: ViewerContext, plan: PlannedTurn) -> FoeWay | None:
    """How the standing word of a plan can be done now; None without one."""
    ahead = look_ahead(context, plan.who)
    action = ahead.system.actions.by_name.get(plan.otherwise)
    if action is None:
        return None
    try:
        data = prefilled(action, _begin(ahead, plan.who), plan.who)
    except Refused as refused:
        return FoeWay(action.name, action.label, "", refused=mask_names(refused.message, ahead.secret_names))
    return find_way(ahead, action, {**data, "actor": plan.who}, None)
