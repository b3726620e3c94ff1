"""The start of a fight: awareness, Initiative, the commander's Tactics; then Leadership and haste."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted, adjusted, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import form_about
from combat.rules.core.state import events as e
from combat.rules.core.state.checked import make_checked
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import add_condition, find_group

from ..body import drugs
from ..body.states import bring_in_line
from ..book.options import check_used, find_option
from ..book.tables import AWARE_ROLL, HASTE
from ..characters.conditions import is_lifeless
from ..characters.values import find_dm, find_score, has_skill, is_conscious, is_vehicle
from ..dice.focus import lose_aim
from ..dice.rolls import modifiers_for_check, roll_check
from ..world.acting import act, check_unoccupied, gm
from ..world.comms import COMMANDER, find_commander, is_linked
from ..world.economy import check_significant, find_budget, pay_significant
from ..world.order import (
    BASE,
    TACTICS,
    change_initiative,
    mark,
    resort,
    set_score,
    sort_order,
)
from .links import take_tactics

DICE = "2d6"
HASTEN_NEXT, HASTENED_ONCE = "hasten_next", "hastened_once"
PLANNED = "planned"  # mark: this commander has used the one Tactics check


# ---------------------------------------------------------------- rolling


def find_actors(state: State) -> list[Combatant]:
    """Everyone who has turns: all but vehicles, which move with their drivers.  [CE-VEH-04]"""
    return [f for f in present(state) if not is_vehicle(f)]


def initiative_terms(combatant: Combatant) -> Modifiers:
    """The Dexterity DM, and the DMs of active drugs. [CE-INIT-01]"""
    return (Modifier("term.dex", find_dm(combatant, "dex"), "CE-INIT-01"), *drugs.initiative_terms(combatant))


def roll_initiative(context: RuleContext, who: str, ready: bool = False) -> None:
    """Roll 2D6 + Dexterity DM [CE-INIT-01]; the ready count as having rolled 12. [CE-SEQ-03] [CE-INIT-04]"""
    terms = initiative_terms(context.state[who])
    if ready:
        score = AWARE_ROLL + add_up(terms)
        context.emit(e.Said("log.ready", who, args={"n": score}), "CE-SEQ-03")
    else:
        roll = context.roll(DICE, by=who, rule="CE-INIT-01", why="check.initiative")
        told = make_checked(who, "check.initiative", roll, terms)
        score = told.total
        context.emit(told, "CE-INIT-01")
    _set_start(context, who, score)


def _set_start(context: RuleContext, who: str, score: int) -> None:
    mark(context, who, BASE, value=score, rule="CE-INIT-01")
    context.emit(e.InitiativeSet(who, score), "CE-INIT-01", e.GM_ONLY)


def find_leader(state: State, who: str, ready: tuple[str, ...] = ()) -> str:
    """The combatant whose dice count for someone: the first of identical opponents, by house rule; the ready
    roll nothing.  RULING R4"""
    if who in ready or not find_option(state, "group_initiative"):
        return who
    group = find_group(state[who])
    mates = (f.id for f in find_actors(state) if find_group(f) == group and not is_lifeless(f))
    return next((mate for mate in mates if mate not in ready), who)


def predict_initiative(context: RuleContext, rolling: tuple[str, ...]) -> None:
    """Announce the rolls of these: one for each group."""
    leaders = dict.fromkeys(find_leader(context.state, who) for who in rolling)
    context.predict_rolls(DICE, tuple(leaders), rule="CE-INIT-01", why="check.initiative")


def roll_or_share(context: RuleContext, who: str, ready: tuple[str, ...] = ()) -> None:
    """Roll, or take the dice of the leader of one's group with one's own DMs. [CE-INIT-01]  RULING R4"""
    leader = find_leader(context.state, who, ready)
    if leader == who:
        roll_initiative(context, who, who in ready)
        return
    rolled = int(context.state[leader].marks.get(BASE, 0)) - add_up(initiative_terms(context.state[leader]))
    _set_start(context, who, rolled + add_up(initiative_terms(context.state[who])))


def enter(context: RuleContext, who: str) -> None:
    """Roll for someone who joins a running fight, and place them in the order; vehicles come with their
    drivers."""
    bring_in_line(context, who)
    if is_vehicle(context.state[who]):
        return
    roll_initiative(context, who)
    context.emit(
        e.OrderSet(sort_order(context.state, (*context.state.order, who)), "why.joins"), "CE-INIT-02"
    )


def reseat(context: RuleContext, who: str, why: Label) -> None:
    """Make a score that the GM sets the new base, and apply it at once.  RULING R4"""
    combatant = context.state[who]
    own = (combatant.initiative or 0) - int(combatant.marks.get(TACTICS, 0))
    mark(context, who, BASE, value=own, rule="CE-ROUND-09")
    resort(context, why)


# ---------------------------------------------------------------- Tactics and Leadership


def can_plan(state: State, combatant: Combatant) -> bool:
    """Whether someone commands a unit and still has its one Tactics check."""
    return allows(check_tactics, state, combatant.id) and has_skill(combatant, "tactics")


def check_tactics(state: State, actor: str) -> None:
    """Refuse Tactics except once, by the marked commander, before anyone has acted in round 1. [CE-TACT-01]
    [CE-TACT-02]"""
    combatant = state[actor]
    check_used(state, "use_tactics", "Tactics")
    if not combatant.marks.get(COMMANDER):
        raise Refused("not_allowed", f"{combatant.name} does not command the unit: the GM marks who does.")
    if combatant.marks.get(PLANNED):
        raise Refused("not_allowed", "The unit's Tactics check has been made.")
    if state.round > 1 or not is_round_fresh(state):
        raise Refused("not_allowed", "Tactics is for the start of combat: use Leadership now.")


def plan_tactics(context: RuleContext, command: Command) -> None:
    """Make the commander's Tactics check on its own. [CE-INIT-06]"""
    roll_tactics(context, command.actor, adjusted(command, ()))


def preview_tactics(state: State, command: Command) -> Preview:
    """The sums of the commander's check."""
    check_tactics(state, command.actor)
    own = modifiers_for_check(state, command.actor, "tactics", "int")
    return Preview(adjusted(command, own), (), "against.eight", DICE)


def roll_tactics(context: RuleContext, who: str, terms: Modifiers = ()) -> None:
    """The Effect raises the starting Initiative of every linked member of the unit.

    [CE-INIT-06] [CE-INIT-07] [CE-TACT-01] [CE-TACT-02] [CE-TACT-03] RULING R30: Intelligence, once, for the
    whole combat; an Effect below 0 counts as 0.
    """
    effect = roll_check(
        context,
        who,
        what="check.tactics",
        skill="tactics",
        characteristic="int",
        terms=terms,
        rule="CE-INIT-06",
        matters="success",
    )
    mark(context, who, PLANNED, value=max(0, effect), rule="CE-TACT-02")
    for combatant in find_actors(context.state):
        if combatant.side == context.state[who].side:
            take_tactics(context, combatant.id, effect)


def find_lead_key(combatant: Combatant) -> str:
    """RULING R30: Social Standing or Intelligence, whichever is higher. [CE-TACT-05]"""
    return max(("soc", "int"), key=lambda key: (find_dm(combatant, key), find_score(combatant, key)))


def check_lead(state: State, command: Targeted) -> Combatant:
    """Refuse to lead anyone but another member of the unit [CE-COMMS-01] with a link. [CE-TACT-04]"""
    check_used(state, "use_tactics", "Leadership")
    leader, target = state[command.actor], state[command.target]
    if target.id == leader.id or target.side != leader.side or not is_conscious(target):
        raise Refused("bad_target", "Leadership is for someone else of the same side who can act.")
    if find_option(state, "use_comms") and not is_linked(state, leader, target):
        raise Refused("not_allowed", f"{target.name} is out of communication: restore the link first.")
    return target


def check_leadership(state: State, actor: str) -> None:
    """Refuse Leadership without a significant action and someone to lead. [CE-TACT-06]"""
    check_used(state, "use_tactics", "Leadership")
    others = (f for f in present(state) if f.side == state[actor].side and f.id != actor)
    if not any(is_conscious(other) and not is_vehicle(other) for other in others):
        raise Refused("bad_target", "Nobody else of this side is here to lead.")
    check_significant(state, actor, "Leadership")


def lead(context: RuleContext, command: Targeted) -> Then:
    """Use Leadership as a significant action. [CE-TACT-04] [CE-TACT-06]"""
    check_lead(context.state, command)
    pay_significant(context, command.actor, "Leadership", "CE-TACT-06")
    lose_aim(context, command.actor, "why.does_something_else")
    return Then(_lead, command)


def preview_lead(state: State, command: Targeted) -> Preview:
    """The sums of a Leadership check."""
    check_lead(state, command)
    own = modifiers_for_check(state, command.actor, "leadership", find_lead_key(state[command.actor]))
    return Preview(adjusted(command, own), (), "against.eight", DICE)


def _lead(context: RuleContext, command: Targeted) -> None:
    """Add the Effect to the target's Initiative, for a round or for the combat. [CE-TACT-05]

    RULING R30
    """
    who, target = command.actor, command.target
    effect = roll_check(
        context,
        who,
        what="check.leadership",
        skill="leadership",
        characteristic=find_lead_key(context.state[who]),
        terms=adjusted(command, ()),
        rule="CE-TACT-05",
        target=target,
        matters="success",
    )
    if effect < 1:
        return
    if find_option(context.state, "leadership_lasts") == "combat":
        combatant = context.state[target]
        mark(context, target, BASE, value=int(combatant.marks.get(BASE, 0)) + effect, rule="CE-TACT-05")
        set_score(context, target, (combatant.initiative or 0) + effect, why="why.led", rule="CE-TACT-05")
        return
    change_initiative(context, target, effect, why="why.led", rule="CE-TACT-05")


def check_commander_now(state: State, actor: str) -> None:
    """Refuse a commander at a table without Tactics, where nothing depends on one. [CE-TACT-02]"""
    check_used(state, "use_tactics", "Tactics")


def mark_commander(context: RuleContext, command: Targeted) -> None:
    """Mark the commander of a unit: one per side. [CE-TACT-02]"""
    target = context.state[command.target]
    former = find_commander(context.state, target.side)
    if former and former.id != target.id:
        mark(context, former.id, COMMANDER, value=None, rule="CE-TACT-02")
    is_now = not target.marks.get(COMMANDER)
    mark(context, target.id, COMMANDER, value=is_now or None, rule="CE-TACT-02")
    context.emit(e.Said("log.commands" if is_now else "log.commands_no_more", target.id), "CE-TACT-02")


# ---------------------------------------------------------------- haste


def is_round_fresh(state: State) -> bool:
    """Whether no one has acted in this round: its first turn is untouched."""
    if any(state.combatants[who].acted for who in state.order):
        return False
    acting = [w for w in (state.active, *state.sharing) if w]
    return all(state[who].budget == find_budget(state, state[who]) for who in acting)


def check_hasten(state: State, actor: str) -> None:
    """Refuse haste that was used in this round, or by table option in this combat. [CE-ROUND-14]
    [CE-ROUND-17]

    RULING R6
    """
    combatant = state[actor]
    check_used(state, "use_hasten", "hastening")
    if HASTENED_ONCE in combatant.marks and combatant.marks[HASTENED_ONCE] in _spent_rounds(state):
        raise Refused("not_allowed", f"{combatant.name} has hastened already.")


def _spent_rounds(state: State) -> range:
    """The rounds of earlier haste that forbid it now."""
    first = 1 if find_option(state, "hasten") == "once_a_combat" else state.round
    return range(first, state.round + 1)


def check_hasten_now(state: State, actor: str) -> None:
    """Refuse haste that was used, and haste after the start of the round."""
    check_hasten(state, actor)
    if not is_round_fresh(state):
        text = "Hastening is declared at the start of a round: declare it for the next one."
        raise Refused("not_allowed", text)


def be_hasty(context: RuleContext, who: str) -> None:
    """Act hastily: Initiative +2 for this round, DM -1 on all checks. [CE-ROUND-15] [CE-ROUND-16]"""
    add_condition(context, who, "hastened")
    mark(context, who, HASTENED_ONCE, value=context.state.round, rule="CE-ROUND-17")
    score = (context.state[who].initiative or 0) + HASTE
    set_score(context, who, score, why="why.hastens", rule="CE-ROUND-15")


def hasten_next(context: RuleContext, command: Command) -> None:
    """Declare haste for the start of the next round; a second time takes it back. [CE-ROUND-14]"""
    combatant = context.state[command.actor]
    wanted = not combatant.marks.get(HASTEN_NEXT)
    mark(context, combatant.id, HASTEN_NEXT, value=wanted or None, rule="CE-ROUND-14")
    key = "log.will_hasten" if wanted else "log.will_not_hasten"
    context.emit(e.Said(key, combatant.id), "CE-ROUND-14", e.for_seat(combatant.id))


def check_hasten_next(state: State, actor: str) -> None:
    """Refuse haste in the next round if it was used in this combat. [CE-ROUND-17] RULING R6: the option “once
    a round” allows it."""
    check_used(state, "use_hasten", "hastening")
    once = find_option(state, "hasten") == "once_a_combat"
    if once and HASTENED_ONCE in state[actor].marks:
        raise Refused("not_allowed", f"{state[actor].name} has hastened in this combat.")


def hasten_declared(context: RuleContext) -> None:
    """Apply haste at the start of a round to those who declared it. [CE-ROUND-14]"""
    for combatant in present(context.state):
        if combatant.marks.get(HASTEN_NEXT):
            mark(context, combatant.id, HASTEN_NEXT, value=None, rule="CE-ROUND-14")
            if is_conscious(combatant):
                be_hasty(context, combatant.id)


# ---------------------------------------------------------------- forms


def lead_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to lead: others of the side; those out of reach are grayed out. [CE-TACT-04]"""
    others = [f for f in find_actors(state) if f.side == state[actor].side and f.id != actor]
    asked = [(f, Targeted(actor=actor, target=f.id)) for f in others]
    options = tuple(Choice(f.id, f.name, refused=why_refused(check_lead, state, lead)) for f, lead in asked)
    first = first_open(options)
    return (Field("target", "Whom", "target", options=options, value=first, rule="CE-TACT-05"),)


commander_fields = form_about(rule="CE-TACT-02")


ACTIONS = (
    gm("mark_commander", mark_commander, check_commander_now, fields=commander_fields),
    act("hasten_next", hasten_next, check_hasten_next, bar=check_unoccupied, on_turn=False, has_odds=False),
    act("tactics", plan_tactics, check_tactics, preview=preview_tactics, on_turn=False),
    act("leadership", lead, check_leadership, fields=lead_fields, preview=preview_lead),
)
