"""Planned turns: what players mean to do in their next turn, chosen while others act.

A plan costs nothing and promises nothing, so it is no step of the log: it waits beside the wishes in the row
of its encounter, for its player and the GM. It is gone once it is done, or once the turn has passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.dispatch import receiver
from msgspec.structs import replace

from combat.audience.changes import count_change, find_players
from combat.audience.rights import Grant
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.rules.core.basics.errors import Refused
from combat.rules.core.state import events as e
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State, is_acting

from .improvising import MAX_DONE, PlannedTurn, Wishes, playing, read_wishes
from .writing.encounter_service import step_stored, steps_turned
from .writing.locking import locked

NONE_LEFT = "No plan is there: it was done or dropped."
SAVED = ("version", "wishes")  # not when the encounter changed: lists of others would tell that


def find_planned(
    encounter: Encounter, state: State, viewer: Viewer, grant: Grant | None
) -> tuple[PlannedTurn, ...]:
    """The plans that a viewer may read: those of their seat, or for the GM all of those who play."""
    if viewer.is_spectator or not encounter.wishes or state.phase != "fight":
        return ()
    plans = read_wishes(encounter).plans
    here = [one for one in plans if one.who in state.combatants and not state.combatants[one.who].gone]
    if not here:
        return ()
    if viewer.is_gm:
        seats = {(seat.pk, who) for seat in find_players(encounter.pk) for who in seat.combatants}
        return tuple(one for one in here if (one.seat, one.who) in seats)
    mine = grant.seat if grant else 0
    return tuple(one for one in here if one.seat == mine and viewer.plays(one.who))


def keep_plan(encounter_id: int, plan: PlannedTurn, *, grant: Grant | None = None) -> None:
    """Keep a plan for someone's next turn, in place of the one before."""
    with playing(encounter_id, plan.who, grant) as (encounter, _, state):
        check_ahead(state, plan.who)
        wishes = read_wishes(encounter)
        fresh = replace(plan, seat=grant.seat if grant else 0)
        _save(encounter, _without(wishes, fresh), fresh.seat, fresh)


def check_ahead(state: State, who: str) -> None:
    """Refuse a plan for someone who has no turn to come, or whose turn it is."""
    if state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: plan once it has begun.")
    if is_acting(state, who):
        raise Refused("not_allowed", "It is your turn: choose what you do now.")


def drop_plan(encounter_id: int, who: str, *, grant: Grant | None = None) -> None:
    """Drop the plan for someone's next turn."""
    with playing(encounter_id, who, grant) as (encounter, _, __):
        wishes, seat = read_wishes(encounter), grant.seat if grant else 0
        if not any((one.seat, one.who) == (seat, who) for one in wishes.plans):
            raise Refused("stale", NONE_LEFT)
        _save(encounter, _without(wishes, PlannedTurn(who, seat)), seat)


def _without(wishes: Wishes, *gone: PlannedTurn) -> Wishes:
    """The wishes without the plans of these seats for these combatants."""
    keys = {(one.seat, one.who) for one in gone}
    return replace(wishes, plans=tuple(one for one in wishes.plans if (one.seat, one.who) not in keys))


def _save(encounter: Encounter, wishes: Wishes, seat: int, *fresh: PlannedTurn) -> None:
    """Write the plans, and tell the GM and this seat."""
    encounter.wishes = msgspec.json.encode(replace(wishes, plans=(*wishes.plans, *fresh)))
    count_change(encounter, seats=(seat,))
    encounter.save(update_fields=SAVED)


@receiver(step_stored, dispatch_uid="combat.end_plans")
def end_plans(encounter: Encounter, step: Step, before: State, **_: Any) -> None:
    """End the plans that a step does, and those of turns that it ends; with a fight all end."""
    if not encounter.wishes or step.target:  # a step that is done again after an overruled roll ends none
        return
    wishes = read_wishes(encounter)
    done = tuple(one for one in wishes.plans if _ends(one, step, before))
    if done:
        noted = {**wishes.planned, str(step.number): done}
        wishes = replace(_without(wishes, *done), planned=dict(list(noted.items())[-MAX_DONE:]))
        encounter.wishes = msgspec.json.encode(wishes)
        count_change(encounter, seats={one.seat for one in done})
        encounter.save(update_fields=SAVED)


def _ends(plan: PlannedTurn, step: Step, before: State) -> bool:
    """Whether a step does what was planned, or ends the turn that it was planned for."""
    if step.name in (plan.action, plan.otherwise) and step.command.get("actor") == plan.who:
        return is_acting(before, plan.who)
    events = [fact.event for fact in step.facts]
    return any(
        isinstance(one, e.FightEnded) or (isinstance(one, e.TurnEnded) and one.who == plan.who)
        for one in events
    )


@receiver(steps_turned, dispatch_uid="combat.turn_plans")
def bring_plans_back(encounter_id: int, numbers: Sequence[int], **_: Any) -> None:
    """Undone steps bring back the plans that they ended; redone they end them. A newer plan stays."""
    planned = read_wishes(Encounter.objects.only("wishes").get(pk=encounter_id)).planned
    turned = [number for number in numbers if str(number) in planned]
    if not turned:
        return
    with locked(encounter_id) as encounter:
        for step in encounter.log.filter(number__in=turned).order_by("-number"):
            wishes = read_wishes(encounter)
            kept = {(one.seat, one.who) for one in wishes.plans}
            ended = wishes.planned[str(step.number)]
            back = tuple(one for one in ended if step.struck and (one.seat, one.who) not in kept)
            wishes = wishes if step.struck else _without(wishes, *ended)
            encounter.wishes = msgspec.json.encode(replace(wishes, plans=(*wishes.plans, *back)))
            count_change(encounter, seats={one.seat for one in ended})
            encounter.save(update_fields=SAVED)
