"""Planned turns at the table: what waits for a player's turn, what is offered when it comes, the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.http import QueryDict
from msgspec.structs import replace

from combat.display.forms.foe_card import FoeWay
from combat.display.forms.planned import (
    find_others,
    find_planned_way,
    find_standing_way,
    find_ways_to,
    list_places,
    list_standing,
    list_ways,
)
from combat.display.shapes.planned_shapes import AheadChoice, AheadForm, PlannedView, PlannedWay
from combat.display.shapes.table_shapes import CombatantView
from combat.play import planned as play
from combat.play.improvising import PlannedTurn
from combat.play.planned import check_ahead, find_planned
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sides import has_turns
from combat.rules.core.space import zone_named
from combat.rules.core.state.state import is_acting, present
from combat.sharing.viewer_context import ViewerContext

from .rows import view_known

Rows = Mapping[str, CombatantView]
MAX_PLACE = 100  # characters of a place
NOTHING_NAMED = "-"  # in the value of an attack without a weapon, or without a move before it
NO_MOVE = "The move no longer fits: the attack does"
NOBODY = "Nobody is in reach"
NOTHING = "The plan no longer fits"


def find_my_plans(context: ViewerContext) -> tuple[PlannedTurn, ...]:
    """The plans that a viewer may read."""
    return find_planned(context.encounter, context.full_state, context.viewer, context.grant)


def say_planned(context: ViewerContext, rows: Rows) -> dict[str, str]:
    """For the GM, what is planned, by combatant."""
    if not context.viewer.is_gm or context.decoded is not None:
        return {}
    return {plan.who: ", ".join(list_steps(context, plan, rows)) for plan in find_my_plans(context)}


def find_aims(context: ViewerContext) -> tuple[tuple[str, str], ...]:
    """Who means to attack whom, by the plans that a viewer may read."""
    plans = find_my_plans(context) if context.decoded is None else ()
    return tuple((plan.who, plan.target) for plan in plans if plan.target)


def view_planned(context: ViewerContext, rows: Rows) -> tuple[PlannedView, ...]:
    """The plans of a player, and the way to make one for each of their own whose turn is still to come."""
    state = context.known_state
    if not context.viewer.is_seated or state.phase != "fight" or context.decoded is not None:
        return ()
    plans = {plan.who: plan for plan in find_my_plans(context)}
    own = [who for who in rows if who in context.viewer.seats and not rows[who].is_out]
    return tuple(_view_own(context, who, rows, plans) for who in own if who in plans or _waits(context, who))


def may_plan(context: ViewerContext, who: str) -> bool:
    """Whether the viewer can plan someone's next turn: their player, before it comes."""
    is_mine = context.viewer.is_seated and who in context.viewer.seats and context.decoded is None
    return is_mine and context.known_state.phase == "fight" and _waits(context, who)


def _waits(context: ViewerContext, who: str) -> bool:
    """Whether someone has a turn to come."""
    state = context.known_state
    return not is_acting(state, who) and has_turns(context.system, state, state[who])


def _view_own(context: ViewerContext, who: str, rows: Rows, plans: Mapping[str, PlannedTurn]) -> PlannedView:
    plan, name = plans.get(who), rows[who].full_name
    if plan is None:
        return PlannedView(who, name)
    acts, foe = is_acting(context.known_state, who), rows.get(plan.target)
    view = PlannedView(
        who,
        name,
        acts=acts,
        waits=plan.words,
        steps=tuple(list_steps(context, plan, rows, brief=True)),
        chance=plan.chance,
        look=foe.look.plain if foe else None,
        why=_say_change(plan, foe),
    )
    return _ask_again(context, plan, rows, view) if acts and not context.encounter.open_command else view


def _say_change(plan: PlannedTurn, foe: CombatantView | None) -> str:
    """What has become of whom a plan is about; empty if nothing has."""
    if not plan.target:
        return ""
    if foe is None:
        return f"{plan.name} is out of sight"
    return f"{foe.full_name} is down" if foe.is_out else ""


def _ask_again(context: ViewerContext, plan: PlannedTurn, rows: Rows, view: PlannedView) -> PlannedView:
    """What a plan comes to now that the turn is there."""
    why, ways = _ask_attack(context, plan, rows, view.why) if plan.action else ("", [])
    if not ways:
        why, ways = _ask_standing(context, plan, why)
    return replace(view, why=why, ways=tuple(_write_way(way, plan.who, rows) for way in ways))


def _ask_attack(context: ViewerContext, plan: PlannedTurn, rows: Rows, why: str) -> tuple[str, list[FoeWay]]:
    """The attack of a plan as it can be done now, or without its move, or at others; why it differs."""
    stays = replace(plan, to="")
    for one in () if why else dict.fromkeys((plan, stays)):
        way = find_planned_way(context, one)
        if way and way.is_possible:
            return "" if one == plan else NO_MOVE, [way]
    if not why:
        way = find_planned_way(context, stays)
        why = (way.refused if way else "") or f"{plan.name} cannot be hit now"
    others = (find_others(context, one, rows) for one in dict.fromkeys((plan, stays)))
    return why, next(filter(None, others), [])


def _ask_standing(context: ViewerContext, plan: PlannedTurn, why: str) -> tuple[str, list[FoeWay]]:
    """The standing word of a plan, if it can be done now; why it is its turn, or why nothing is left."""
    way = find_standing_way(context, plan)
    said = NOBODY if plan.action else ""
    if way is None:
        return f"{NOBODY}: {why[:1].lower()}{why[1:]}" if why else NOTHING, []
    if way.refused or way.chance == "0":
        return f"{said or NOTHING}: {way.refused or way.label}", []
    return said, [way]


def _write_way(way: FoeWay, actor: str, rows: Rows) -> PlannedWay:
    """A way with the fields that the usual button of it sends."""
    foe, plan = rows.get(way.target), way.plan
    return PlannedWay(
        way.words,
        tuple(way.sends(actor).items()),
        way.chance,
        way.price,
        foe.full_name if foe else "",
        foe.look.plain if foe else None,
        way.name,
        plan.parts if plan else (),
        plan.reaction if plan else "",
    )


def list_steps(
    context: ViewerContext, plan: PlannedTurn, rows: Rows, *, brief: bool = False
) -> Iterator[str]:
    """A plan in words, step by step; `brief` below the words that name the attack."""
    if plan.to:
        yield f"Move {_say_place(context, plan.to, rows)}"
    if plan.action:
        weapon = next(
            (item.name for item in context.known_state[plan.who].items if item.id == plan.weapon), ""
        )
        foe = rows.get(plan.target)
        label = context.system.action(plan.action).label
        named = "" if brief else f"{label} {foe.full_name if foe else plan.name}"
        yield ", ".join(filter(None, (named, weapon)))
    if action := context.system.actions.by_name.get(plan.otherwise):
        yield f"If nobody is in reach: {action.label}" if plan.action else action.label


def _say_place(context: ViewerContext, to: str, rows: Rows) -> str:
    """A place of a move in words."""
    kind, _, whose = to.partition(":")
    if kind == "zone":
        zone = zone_named(context.known_state.scene, whose)
        return f"to {zone.name}" if zone else "to a place"
    row = rows.get(whose)
    name = row.full_name if row else "someone"
    return f"away from {name}" if kind == "away" else f"next to {name}"


# ---------------------------------------------------------------- the form


def open_planning(context: ViewerContext, asked: QueryDict, rows: Rows) -> AheadForm | None:
    """The form of a plan that an address asks for, filled in with the plan that is there."""
    who = asked.get("plan", "")
    if who not in rows or not may_plan(context, who):
        return None
    plan = next((one for one in find_my_plans(context) if one.who == who), PlannedTurn(who))
    attacks = tuple(_view_choices(list_ways(context, rows, who), rows))
    return AheadForm(
        who,
        rows[who].full_name,
        attacks=attacks,
        places=list_places(context, who),
        others=list_standing(context, who),
        chosen=_name(plan.action, plan.target, plan.weapon, plan.to) or _choose_first(attacks, plan),
        to=plan.to,
        otherwise=plan.otherwise,
    )


def _view_choices(ways: Iterable[tuple[FoeWay, str]], rows: Rows) -> Iterator[AheadChoice]:
    for way, to in ways:
        foe, value = rows[way.target], _name(way.action, way.target, way.weapon, to)
        words = way.plan.words if way.plan else ""
        yield AheadChoice(value, foe.full_name, way.name, way.chance, way.price, foe.look.plain, words)


def _choose_first(attacks: tuple[AheadChoice, ...], plan: PlannedTurn) -> str:
    """The attack that a new plan begins with: the likeliest; none for a plan without one."""
    best = max(attacks, key=lambda one: float(one.chance or 0), default=None)
    return best.value if best and not plan.otherwise else ""


def _name(action: str, *more: str) -> str:
    """An attack as the form's value names it."""
    return " ".join((action, *(one or NOTHING_NAMED for one in more))) if action else ""


# ---------------------------------------------------------------- what is posted


def keep_plan(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Keep what a player chose: an attack as a card or form shows it, a move before it, a standing word."""
    who = posted.get("combatant", "")
    play.keep_plan(context.encounter.pk, _read_plan(posted, context, who), grant=context.grant)


def _read_plan(posted: QueryDict, context: ViewerContext, who: str) -> PlannedTurn:
    """The plan that a form names, priced as it is now; Refused for what its player could not choose."""
    if (
        not context.viewer.is_seated
        or who not in context.viewer.seats
        or who not in context.known_state.combatants
    ):
        raise Refused("not_allowed", "You don't control that combatant.")
    check_ahead(context.known_state, who)
    action, target, weapon, to = _read_attack(posted)
    to, otherwise = posted.get("to", "")[:MAX_PLACE] or to, posted.get("otherwise", "")[:MAX_PLACE]
    if to and to not in {value for value, _ in list_places(context, who)}:
        raise Refused("bad_value", "That place is not among those of the move: choose one of the list.")
    if otherwise and otherwise not in {name for name, _ in list_standing(context, who)}:
        raise Refused("bad_value", "That cannot be done in the next turn: choose one of the list.")
    plan = PlannedTurn(who, action=action, target=target, weapon=weapon, to=to, otherwise=otherwise)
    if not action:
        if not otherwise:
            raise Refused("bad_value", "Choose an attack, or what to do if nobody is in reach.")
        return replace(plan, to="", words=context.system.action(otherwise).label)
    return _price(context, plan)


def _read_attack(posted: QueryDict) -> tuple[str, str, str, str]:
    """The action, the target, the weapon and the move before: each alone, or of the form in one value."""
    if attack := posted.get("attack", ""):
        named = (*attack[:MAX_PLACE].split(), "", "", "", "")[:4]
        action, target, weapon, to = ("" if one == NOTHING_NAMED else one for one in named)
    else:
        known = (posted.get(name, "")[:MAX_PLACE] for name in ("action", "target", "weapon"))
        action, target, weapon, to = *known, ""
    return action, target, weapon, to


def _price(context: ViewerContext, plan: PlannedTurn) -> PlannedTurn:
    """A plan with its words and its chance; Refused if it could not be done now either."""
    if plan.target not in {one.id for one in present(context.known_state)}:
        raise Refused("unknown", "That combatant is not in this encounter.")
    offered = find_ways_to(context, plan.who, plan.target).ways
    way = next((one for one in offered if (one.action, one.weapon) == (plan.action, plan.weapon)), None)
    if way is None:
        raise Refused("bad_value", "No such attack can be planned: choose one that is offered.")
    if plan.to:
        way = find_planned_way(context, plan)
    if way is None or not way.is_offered:
        raise Refused(
            "not_allowed", (way.refused if way else "") or "That attack cannot hit them: choose another."
        )
    name = context.known_state[plan.target].name
    return replace(plan, name=name, chance=way.chance, words=f"{way.label} {name}")


def drop_plan(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Drop a plan."""
    play.drop_plan(context.encounter.pk, posted.get("combatant", ""), grant=context.grant)


FOR_PLAYERS = {"keep_plan": keep_plan, "drop_plan": drop_plan}


def find_ready(posted: QueryDict, context: ViewerContext) -> QueryDict:
    """The form that does what was planned, as the turn offers it now: the first way, or that at a `target`.

    Refused if nothing of it can be done now.
    """
    who, target = posted.get("combatant", ""), posted.get("target", "")
    plans = {one.who: one for one in view_planned(context, view_known(context))}
    ways = [dict(way.fields) for way in plans[who].ways] if who in plans else []
    fields = next((one for one in ways if not target or one.get("target") == target), None)
    if fields is None:
        why = plans[who].why if who in plans and plans[who].acts else ""
        raise Refused("stale", f"{why}: choose what you do now." if why else play.NONE_LEFT)
    made = posted.copy()
    made.update(fields)
    made["do"] = fields["do"]
    return made
