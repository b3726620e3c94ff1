"""Actions of the order of a fight: its beginning, waiting, haste, plans, tasks, free actions."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Action, Command, Field, first_open
from combat.rules.core.gm.decisions import gm_action
from combat.rules.core.gm.doors import UseDoor
from combat.rules.core.state.state import State, present

from ..dice.focus import KILL
from ..turn import doors, everyday, initiative, opening, rounds, tasks, waiting
from .guards import check_able, check_free_to_act, check_unoccupied

FLOW, TURN, WORD = "Flow", "Turn", "Rulings"


# ---------------------------------------------------------------- forms


def name_all(state: State) -> tuple[Choice, ...]:
    """Everybody with turns, by name and side."""
    return tuple(Choice(f.id, f.name, f.side) for f in initiative.find_actors(state))


def anybody(state: State, name: str = "target", label: str = "Who", rule: str = "") -> Field:
    """A field for any combatant."""
    options = tuple(Choice(f.id, f.name, f.side) for f in present(state))
    return Field(name, label, "target", options, options[0].value if options else "", rule=rule)


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-SEQ-02] Who knows that their opponents are there, and what is declared for round 1."""
    people = name_all(state)
    hint = "all or nobody: everyone rolls; else these count as having rolled 12"
    return (
        Field("aware", "Ready for the fight", "many", people, help=hint, rule="CE-SEQ-02", required=False),
        Field("tactics", "Commanders roll Tactics", "flag", rule="CE-INIT-06", required=False),
        Field("hasty", "Hasten in round 1", "many", people, rule="CE-ROUND-14", required=False, more=True),
    )


def avoid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-INIT-05] Who has noticed the others."""
    return (Field("aware", "Have noticed the others", "many", name_all(state), rule="CE-INIT-05"),)


def next_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-ROUND-05] Whose turn ends among those who act at the same moment."""
    acting = [who for who in (state.active, *state.sharing) if who in state.combatants]
    options = (Choice("", "the first"), *(Choice(who, state.combatants[who].name) for who in acting))
    return (
        Field("target", "Whose turn ends", "choice", options, "", rule="CE-ROUND-05", required=False),
        Field("whole", "All who act now", "flag", rule="CE-ROUND-05", required=False),
    )


def lead_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-TACT-04] Whom Leadership helps: others of the side, those out of reach greyed."""
    others = [f for f in initiative.find_actors(state) if f.side == state[actor].side and f.id != actor]
    options = tuple(Choice(f.id, f.name, refused=_why_not(state, actor, f.id)) for f in others)
    first = first_open(options)
    return (Field("target", "Whom", "target", options, first, rule="CE-TACT-05"),)


def _why_not(state: State, actor: str, target: str) -> str:
    return why_refused(initiative.check_lead, state, initiative.Lead(actor=actor, target=target))


def commander_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-TACT-02] Who commands."""
    return (anybody(state, rule="CE-TACT-02"),)


def words_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A few words for the log."""
    return (Field("what", "What", "text", required=False),)


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-OTHER-03] Whom, and which action."""
    pools = (Choice("minor", "a minor action"), Choice("significant", "the significant action"))
    acting = tuple(Choice(w, state.combatants[w].name) for w in (state.active, *state.sharing) if w)
    who = Field("target", "Who", "target", acting, acting[0].value if acting else "")
    return (who, Field("pool", "Costs", "choice", pools, "minor", rule="CE-OTHER-03"))


def distract_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-MINOR-09] Whom."""
    return (anybody(state, rule="CE-MINOR-09"),)


# ---------------------------------------------------------------- obstacles


def find_obstacle_start(state: State, actor: str) -> None:
    """A fight begins once, with somebody in it."""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: end it before another one begins.")
    if not initiative.find_actors(state):
        raise Refused("not_allowed", "There is no one to act: add combatants first.")


def find_obstacle_avoid(state: State, actor: str) -> None:
    """[CE-INIT-05] Before the fight, with somebody to stay away from."""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: it can only be ended.")
    if len({f.side for f in present(state)}) < 2:
        raise Refused("not_allowed", "There is nobody to avoid: add the other group first.")


def find_obstacle_next(state: State, actor: str) -> None:
    """Turns end while a fight runs."""
    if state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: roll Initiative first.")


def find_obstacle_distract(state: State, actor: str) -> None:
    """[CE-MINOR-09] Somebody has to aim for the kill."""
    if not any(held.kind == KILL for f in present(state) for held in f.conditions):
        raise Refused("not_allowed", "Nobody is aiming for the kill.")


def find_obstacle_charge(state: State, actor: str) -> None:
    """[CE-OTHER-03] Somebody who acts has to have an action left."""
    acting = [state.combatants[who] for who in (state.active, *state.sharing) if who]
    if not any(n > 0 for f in acting for n in f.budget.values()):
        raise Refused("no_budget", "Nobody who acts now has an action left that could be charged.")


ACTIONS = (
    gm_action(
        "start",
        "Roll Initiative",
        FLOW,
        opening.Start,
        opening.start,
        "CE-INIT-01",
        fields=start_fields,
        check=find_obstacle_start,
    ),
    gm_action(
        "next_turn",
        "Next turn",
        FLOW,
        rounds.Next,
        rounds.next_turn,
        "CE-ROUND-03",
        fields=next_fields,
        check=find_obstacle_next,
    ),
    gm_action(
        "avoid",
        "Avoid the fight",
        FLOW,
        opening.Avoid,
        opening.avoid,
        "CE-INIT-05",
        fields=avoid_fields,
        check=find_obstacle_avoid,
        text="Who has noticed others unseen stays away: no round is played.",
    ),
    gm_action(
        "mark_commander",
        "Commander of a unit",
        WORD,
        initiative.Lead,
        initiative.mark_commander,
        "CE-TACT-02",
        fields=commander_fields,
        text="One of each side; again takes it back.",
    ),
    gm_action(
        "charge",
        "Charge for free actions",
        WORD,
        everyday.Charge,
        everyday.charge,
        "CE-OTHER-03",
        fields=charge_fields,
        check=find_obstacle_charge,
    ),
    gm_action(
        "distract",
        "Distract an aimer",
        WORD,
        everyday.Distract,
        everyday.distract,
        "CE-MINOR-09",
        fields=distract_fields,
        check=find_obstacle_distract,
    ),
    Action(
        name="exchange",
        label="Two minor actions",
        group=TURN,
        type=Command,
        run=everyday.trade,
        rule="CE-SIG-04",
        cost="Significant",
        find_bar=check_free_to_act,
        find_obstacle=everyday.check_exchange,
        text="Instead of the significant one; taken back the same way until the second is used.",
        has_odds=False,
    ),
    Action(
        name="delay",
        label="Delay",
        group=TURN,
        type=Command,
        run=waiting.delay,
        rule="CE-OTHER-11",
        find_bar=check_unoccupied,
        find_obstacle=waiting.check_delay,
        text="Act later in the round, even before what someone else does; or first in the next.",
        has_odds=False,
    ),
    Action(
        name="interrupt",
        label="Act now, before others",
        group=TURN,
        type=Command,
        run=waiting.interrupt,
        rule="CE-OTHER-12",
        find_bar=check_unoccupied,
        find_obstacle=waiting.check_step_in,
        on_turn=False,
        has_odds=False,
        text="After a delay: your turn comes now, before the one under way goes on.",
    ),
    Action(
        name="step_in",
        label="Act after this turn",
        group=TURN,
        type=Command,
        run=waiting.step_in,
        rule="CE-OTHER-12",
        find_bar=check_unoccupied,
        find_obstacle=waiting.check_step_in,
        on_turn=False,
        has_odds=False,
        text="After a delay: your turn comes as soon as the one under way is over.",
    ),
    Action(
        name="hasten",
        label="Hasten now",
        group=TURN,
        type=Command,
        run=opening.hasten,
        rule="CE-ROUND-15",
        cost="DM −1",
        find_bar=check_unoccupied,
        find_obstacle=initiative.check_hasten_now,
        on_turn=False,
        has_odds=False,
        text="Initiative +2 this round, DM −1 on all checks. At the start of a round only.",
    ),
    Action(
        name="hasten_next",
        label="Hasten next round",
        group=TURN,
        type=Command,
        run=initiative.hasten_next,
        rule="CE-ROUND-14",
        cost="DM −1",
        find_bar=check_unoccupied,
        find_obstacle=initiative.check_hasten_next,
        on_turn=False,
        has_odds=False,
        text="Counts when the next round starts; again takes it back.",
    ),
    Action(
        name="tactics",
        label="Tactics check",
        group=TURN,
        type=Command,
        run=initiative.plan_tactics,
        rule="CE-INIT-06",
        find_bar=check_free_to_act,
        find_obstacle=initiative.check_tactics,
        preview=initiative.preview_tactics,
        on_turn=False,
        text="The commander's, once, at the start of combat: its Effect goes onto the unit's Initiative.",
    ),
    Action(
        name="leadership",
        label="Leadership",
        group=TURN,
        type=initiative.Lead,
        run=initiative.lead,
        rule="CE-TACT-05",
        cost="Significant",
        find_bar=check_free_to_act,
        find_obstacle=initiative.check_leadership,
        find_fields=lead_fields,
        preview=initiative.preview_lead,
        text="The Effect goes onto someone else's Initiative.",
    ),
    Action(
        name="check",
        label="Skill check or other act",
        group=TURN,
        type=tasks.Check,
        run=tasks.use_skill,
        rule="CE-SIG-05",
        cost="Significant or Minor",
        find_bar=check_free_to_act,
        find_obstacle=tasks.check_any_action,
        find_fields=tasks.check_fields,
        preview=tasks.preview_check,
        text="Over several rounds it is an extended action: nothing else meanwhile.",
    ),
    Action(
        name="door",
        label="Open or shut a door",
        group=TURN,
        type=UseDoor,
        run=doors.use_door,
        rule="CE-MINOR-20",
        cost="Minor",
        find_bar=check_free_to_act,
        find_obstacle=doors.find_obstacle_door,
        find_fields=doors.use_door_fields,
        has_odds=False,
        text="A door of the map within reach.",
    ),
    Action(
        name="abandon",
        label="Give up the extended action",
        group=TURN,
        type=Command,
        run=tasks.abandon_task,
        rule="CE-OTHER-07",
        cost="Free",
        find_bar=check_able,
        find_obstacle=tasks.check_task,
        on_turn=False,
        has_odds=False,
        text="Leaves what you work on as it is, so that you may do other things.",
    ),
    Action(
        name="free",
        label="Free action",
        group=TURN,
        type=everyday.Words,
        run=everyday.act_freely,
        rule="CE-OTHER-02",
        cost="Free",
        find_bar=check_unoccupied,
        find_fields=words_fields,
        on_turn=False,
        has_odds=False,
        text="A shout, a button, a glance at the watch.",
    ),
)
