"""Actions of the order of a fight: its start, waiting, haste, plans, tasks, free actions."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import Field, Targeted, first_open
from combat.rules.core.commands.forms import folded_field, form_about, form_of_next, words_fields
from combat.rules.core.state.state import State, present

from ..book.options import find_option
from ..dice.focus import KILL
from ..turn import basic_actions, initiative, opening, rounds, tasks
from .guards import TABLE, check_able, check_unoccupied

# ---------------------------------------------------------------- forms


def name_all(state: State) -> tuple[Choice, ...]:
    """Everyone who has turns, by name and side."""
    return tuple(Choice(f.id, f.name, f.side) for f in initiative.find_actors(state))


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who knows that their opponents are there, and who declares haste for round 1. [CE-SEQ-02]

    RULING R61: nothing about rules that the table does not use.
    """
    people = name_all(state)
    hint = "selected people need not roll: they count as 12"
    fields = [
        Field("aware", "Ready for the fight", "many", people, help=hint, rule="CE-SEQ-02", required=False)
    ]
    if find_option(state, "use_tactics"):
        fields.append(Field("tactics", "Commanders roll Tactics", "flag", rule="CE-INIT-06", required=False))
    if find_option(state, "use_hasten"):
        fields.append(folded_field("hasty", "Hasten in round 1", "many", people, rule="CE-ROUND-14"))
    return tuple(fields)


def avoid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatants who have noticed the others. [CE-INIT-05]"""
    return (Field("aware", "Have noticed the others", "many", name_all(state), rule="CE-INIT-05"),)


next_fields = form_of_next("CE-ROUND-05")


def lead_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to lead: others of the side; those out of reach are grayed out. [CE-TACT-04]"""
    others = [f for f in initiative.find_actors(state) if f.side == state[actor].side and f.id != actor]
    asked = [(f, Targeted(actor=actor, target=f.id)) for f in others]
    options = tuple(
        Choice(f.id, f.name, refused=why_refused(initiative.check_lead, state, lead)) for f, lead in asked
    )
    first = first_open(options)
    return (Field("target", "Whom", "target", options, first, rule="CE-TACT-05"),)


commander_fields = form_about(rule="CE-TACT-02")


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant, and the action to charge. [CE-OTHER-03]"""
    pools = (Choice("minor", "a minor action"), Choice("significant", "the significant action"))
    acting = tuple(Choice(w, state.combatants[w].name) for w in (state.active, *state.sharing) if w)
    who = Field("target", "Who", "target", acting, acting[0].value if acting else "")
    return (who, Field("pool", "Costs", "choice", pools, "minor", rule="CE-OTHER-03"))


distract_fields = form_about(rule="CE-MINOR-09")


# ---------------------------------------------------------------- obstacles


def check_start_now(state: State, actor: str) -> None:
    """Refuse to start a running fight, or one with no combatants."""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: end it before another one begins.")
    if not initiative.find_actors(state):
        raise Refused("not_allowed", "There is no one to act: add combatants first.")


def check_avoid_now(state: State, actor: str) -> None:
    """Refuse during a fight, or with no one to avoid. [CE-INIT-05]"""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: it can only be ended.")
    if len({f.side for f in present(state)}) < 2:
        raise Refused("not_allowed", "There is no one to avoid: add the other group first.")


def check_next_now(state: State, actor: str) -> None:
    """Refuse to end a turn when no fight is running."""
    if state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: roll Initiative first.")


def check_distract_now(state: State, actor: str) -> None:
    """Refuse if no one aims for the kill. [CE-MINOR-09]"""
    if not any(held.kind == KILL for f in present(state) for held in f.conditions):
        raise Refused("not_allowed", "Nobody is aiming for the kill.")


def check_charge_now(state: State, actor: str) -> None:
    """Refuse if no acting combatant has an action left. [CE-OTHER-03]"""
    acting = [state.combatants[who] for who in (state.active, *state.sharing) if who]
    if not any(n > 0 for f in acting for n in f.budget.values()):
        raise Refused("no_budget", "Nobody who acts now has an action left that could be charged.")


ACTIONS = (
    TABLE.gm("start", opening.start, check_start_now, fields=start_fields),
    TABLE.gm("next_turn", rounds.next_turn, check_next_now, fields=next_fields),
    TABLE.gm("avoid", opening.avoid, check_avoid_now, fields=avoid_fields),
    TABLE.gm(
        "mark_commander", initiative.mark_commander, initiative.check_commander_now, fields=commander_fields
    ),
    TABLE.gm("charge", basic_actions.charge, check_charge_now, fields=charge_fields),
    TABLE.gm("distract", basic_actions.distract, check_distract_now, fields=distract_fields),
    TABLE.act("exchange", basic_actions.trade, basic_actions.check_exchange, has_odds=False),
    TABLE.act("delay", rounds.delay, rounds.check_delay, bar=check_unoccupied, has_odds=False),
    TABLE.act(
        "interrupt",
        rounds.interrupt,
        rounds.check_step_in,
        bar=check_unoccupied,
        on_turn=False,
        has_odds=False,
    ),
    TABLE.act(
        "step_in", rounds.step_in, rounds.check_step_in, bar=check_unoccupied, on_turn=False, has_odds=False
    ),
    TABLE.act(
        "hasten",
        opening.hasten,
        initiative.check_hasten_now,
        bar=check_unoccupied,
        on_turn=False,
        has_odds=False,
    ),
    TABLE.act(
        "hasten_next",
        initiative.hasten_next,
        initiative.check_hasten_next,
        bar=check_unoccupied,
        on_turn=False,
        has_odds=False,
    ),
    TABLE.act(
        "tactics",
        initiative.plan_tactics,
        initiative.check_tactics,
        preview=initiative.preview_tactics,
        on_turn=False,
    ),
    TABLE.act(
        "leadership",
        initiative.lead,
        initiative.check_leadership,
        fields=lead_fields,
        preview=initiative.preview_lead,
    ),
    TABLE.act(
        "check",
        tasks.use_skill,
        tasks.check_any_action,
        fields=tasks.check_fields,
        preview=tasks.preview_check,
    ),
    TABLE.act(
        "door",
        basic_actions.use_door,
        basic_actions.check_door_now,
        fields=basic_actions.use_door_fields,
        has_odds=False,
    ),
    TABLE.act("abandon", tasks.abandon_task, tasks.check_task, bar=check_able, on_turn=False, has_odds=False),
    TABLE.act(
        "free",
        basic_actions.act_freely,
        bar=check_unoccupied,
        fields=words_fields,
        on_turn=False,
        has_odds=False,
    ),
)
