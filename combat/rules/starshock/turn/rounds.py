"""Initiative, rounds and turns: single players, and the GM's one turn for a whole side."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, Next
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import folded_field, form_of, form_of_next, number_field
from combat.rules.core.engine.engine import follow
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.turns import (
    begin_fight,
    count_down_at,
    find_ending,
    find_next,
    forget,
    open_round,
    remove_conditions,
    skip_departed,
)

from ..body.doses import burn_down, finish_lasting, heal_each_turn
from ..book import tables
from ..book.options import find_option
from ..book.tables import GM_MODIFIER_MAX, INITIATIVE_DIFFICULTY, MAX_DECLARED, SKILL_BONUS
from ..characters.conditions import KINDS
from ..characters.sheet import attribute_terms, has_skill, is_able
from ..dice import DICE, pass_or_fail, roll_check
from ..time import count_from_now, pass_clock
from ..world.acting import TABLE, gm
from ..world.economy import find_budget, is_declaring
from .seating_order import (
    WAYS,
    find_direction,
    find_early,
    find_gm_side,
    find_round_order,
    find_seats,
    has_rolls,
)

TURN_MARKS = ("declared", "taken", "did", "free", "malus", "more_attacks", "lucky")


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The start of a fight; `adjust` is the GM's modifier for everyone, -3 to 3.

    [SS-INIT-11] RULING R6: `ambushers` have +1 and the `surprised` -1 besides; `skill` helps if the table
    allows it.
    """

    ambushers: tuple[str, ...] = ()
    surprised: tuple[str, ...] = ()
    skill: str = ""


class Declare(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of actions this turn will have."""

    actions: int


# ---------------------------------------------------------------- initiative


def start(context: RuleContext, command: Start) -> Then:
    """Roll once for every player, then begin round 1. [SS-INIT-01] [SS-INIT-02]

    The enemies never roll; there may be none. [SS-INIT-08]
    """
    if context.state.phase == "fight":
        raise Refused("not_allowed", "The fight has already started.")
    if not present(context.state):
        raise Refused("not_allowed", "There is no one to act: add combatants first.")
    if abs(command.adjust) > GM_MODIFIER_MAX:
        raise Refused(
            "bad_value", f"The GM's modifier is \N{MINUS SIGN}{GM_MODIFIER_MAX} to +{GM_MODIFIER_MAX}."
        )
    if begin_fight(context):
        forget_last_fight(context)
    return call_for_rolls(context, command, tuple(find_seats(context.state)), passed=0)


def call_for_rolls(context: RuleContext, command: Start, seats: tuple[str, ...], passed: int) -> Then:
    """Announce the rolls of these players: all of them, or by house rule the first for all.  RULING R6"""
    rolling = seats[:1] if find_option(context.state, "players_roll") == "together" else seats
    context.predict_rolls(DICE, rolling, rule="SS-INIT-01", why="check.initiative")
    return Then(roll_initiative, command, seats, passed)


def forget_last_fight(context: RuleContext) -> None:
    """Clear what turns of an earlier fight left behind.

    [SS-INIT-04] [SS-INIT-10] [SS-FREE-03] [SS-OTHER-22]
    """
    for key in ("direction", "gm_turn"):
        if key in context.state.marks:
            context.emit(e.Marked("", key, None), "SS-INIT-10", e.GM_ONLY)
    for combatant in present(context.state):
        forget(context, combatant.id, *TURN_MARKS, "free_round")
        remove_conditions(context, combatant.id, *KINDS.ended_by("new_fight"), why="why.new_fight")
        if any(combatant.budget.values()):
            context.emit(e.BudgetSet(combatant.id, {}), to=e.GM_ONLY)


def roll_initiative(context: RuleContext, command: Start, left: tuple[str, ...], passed: int) -> Then | None:
    """Roll a Dex check against 10, without a skill. [SS-INIT-01] [SS-INIT-03]"""
    if not left:
        begin_round(context)
        return Then(open_next, passed)
    who = left[0]
    terms = initiative_terms(context.state, context.state[who], command)
    result = roll_check(
        context,
        who,
        terms,
        INITIATIVE_DIFFICULTY,
        rule="SS-INIT-01",
        what="check.initiative",
        grade=pass_or_fail,
        again="dex",
    )
    score = result.margin + INITIATIVE_DIFFICULTY
    context.emit(e.InitiativeSet(who, score), "SS-INIT-03", e.GM_ONLY)
    if find_option(context.state, "players_roll") == "each":
        return Then(roll_initiative, command, left[1:], passed)
    for other in left[1:]:
        own = initiative_terms(context.state, context.state[other], command)
        shared = score - add_up(terms) + add_up(own)
        context.emit(e.InitiativeSet(other, shared), "SS-INIT-03", e.GM_ONLY)
    return Then(roll_initiative, command, (), passed)


def initiative_terms(state: State, combatant: Combatant, command: Start) -> Modifiers:
    """Dex [SS-INIT-01]; the GM's modifier. [SS-INIT-11]  RULING R6"""
    terms = list(attribute_terms(combatant, "dex", "SS-INIT-01"))
    if find_option(state, "initiative_skill") == "gm_may_allow" and has_skill(combatant, command.skill):
        terms.append(Modifier(command.skill, SKILL_BONUS, "SS-INIT-11"))
    if command.adjust:
        label = say("term.gm_why", why=command.because) if command.because else "term.gm"
        terms.append(Modifier(label, command.adjust, "SS-INIT-11"))
    if combatant.id in command.ambushers:
        terms.append(Modifier("term.ambush", 1, "SS-INIT-11"))
    if combatant.id in command.surprised:
        terms.append(Modifier("term.surprised", -1, "SS-INIT-11"))
    return tuple(terms)


# ---------------------------------------------------------------- rounds


def begin_round(context: RuleContext) -> None:
    """Begin the next ten seconds, in the other direction around the table. [SS-INIT-09] [SS-INIT-10]"""
    count_from_now(context)
    open_round(context)
    pass_clock(context)
    state = context.state
    order = find_round_order(state, state.round)
    direction = find_direction(state, state.round)
    rule = "SS-INIT-10" if state.round > 1 else "SS-INIT-04"
    context.emit(e.OrderSet(order, WAYS[direction]), rule)
    turned = state.marks.get("direction") not in (None, direction)
    context.emit(e.Marked("", "direction", direction), "SS-INIT-10", e.GM_ONLY)
    if turned:
        context.emit(e.Said("log.direction", args={"way": say(WAYS[direction])}), "SS-INIT-10")


def open_next_round(context: RuleContext, passed: int) -> Then:
    """Begin the next round with the same initiative, or by house rule with new rolls.  RULING R6"""
    if find_option(context.state, "initiative_each") == "round":
        able = tuple(who for who in find_seats(context.state) if is_able(context.state[who]))
        return call_for_rolls(context, Start(), able, passed)
    begin_round(context)
    return Then(open_next, passed)


def reseat(context: RuleContext, who: str, why: Label) -> None:
    """Move a player in the order after the GM set their score. [SS-INIT-03] [SS-INIT-06]

    In a round with rolls the score puts them before or after the enemies; in others scores do not count.
    """
    state = context.state
    order = find_round_order(state, state.round)
    if has_rolls(state, state.round) and order != state.order:
        context.emit(e.OrderSet(order, why), "SS-INIT-04")


def next_turn(context: RuleContext, command: Next) -> Then | None:
    """End the current turn and begin the next one that someone can use.

    [SS-INIT-05] Those who act together end one by one, or all at once.
    """
    refusal = "No fight is running: roll initiative first."
    for who in find_ending(context.state, command, refusal):
        end_turn(context, who)
    return None if context.state.active else Then(open_next, 0)


def end_turn(context: RuleContext, who: str) -> None:
    """End one combatant's turn, and the conditions that run out with it.  [SS-COND-02]"""
    burn_down(context, who)
    context.emit(e.TurnEnded(who))
    wear_off(context, who, "end")


def wear_off(context: RuleContext, who: str, edge: str) -> None:
    """End the conditions tied to this start or end of a turn, and apply their ends."""
    for whose, held in count_down_at(context, who, edge):
        if held.kind in tables.lasting() and not context.state.combatants[whose].gone:
            follow(context, finish_lasting(context, whose, held))


# ---------------------------------------------------------------- turns


def open_next(context: RuleContext, passed: int) -> Then | None:
    """Begin the next turn: a player's, or the GM's for all enemies.  [SS-INIT-05]"""
    state = context.state
    if passed > 2 * len(state.order) + 2:
        context.emit(e.Said("log.nobody"))
        return None
    side = find_gm_side(state)
    if not side and is_gm_slot(state):
        context.emit(e.Marked("", "gm_turn", state.round), "SS-INIT-02", e.GM_ONLY)
        context.emit(e.Said("log.gm_turn"), "SS-INIT-02")
        return None
    who = find_next(state)
    if who is None:
        return open_next_round(context, passed + 1)
    if state.combatants[who].gone:
        skip_departed(context, who)
        return Then(open_next, passed + 1)
    together = find_together(state, who, side)
    if who in side and state.marks.get("gm_turn") != state.round:
        context.emit(e.Marked("", "gm_turn", state.round), "SS-INIT-05", e.GM_ONLY)
    return Then(begin, together, passed)


def find_together(state: State, who: str, side: tuple[str, ...]) -> tuple[str, ...]:
    """The combatants who begin a turn together: the GM's whole `side`, or one player alone."""
    if who not in side:
        return (who,)
    return tuple(w for w in state.order if w in side and not state.combatants[w].acted)


def is_gm_slot(state: State) -> bool:
    """Whether the GM's turn is due, for a side without anyone: an empty slot. [SS-INIT-02]"""
    if state.marks.get("gm_turn") == state.round:
        return False
    return all(state.combatants[who].acted for who in find_early(state, state.round))


def begin(context: RuleContext, queue: tuple[str, ...], passed: int) -> Then | None:
    """Begin the turns of a queue; those who cannot act are skipped. [SS-ACT-01]

    Conditions that last until a turn begins end now, for them as well. [SS-UNC-07] [SS-OTHER-22]
    """
    if not queue:
        return None if context.state.active else Then(open_next, passed + 1)
    who, rest = queue[0], queue[1:]
    forget(context, who, *TURN_MARKS)
    wear_off(context, who, "start")
    heal_each_turn(context, who)
    if is_able(context.state[who]):
        kind = e.TurnShared if context.state.active else e.TurnStarted
        context.emit(kind(who, find_budget(context.state)), "SS-ACT-01")
        return Then(begin, rest, passed)
    if not has_condition(context.state[who], "dead"):
        lost = KINDS.find_loss(context.state[who], "actions")
        context.emit(e.Said("log.idle", who), lost[1] if lost else "SS-UNC-07")
    burn_down(context, who)
    context.emit(e.TurnEnded(who), "SS-UNC-07", e.GM_ONLY)
    wear_off(context, who, "end")
    return Then(begin, rest, passed + 1)


def enter(context: RuleContext, who: str) -> None:
    """Give a combatant who joins a running fight a seat, and a first turn next round.  RULING R5"""
    context.emit(e.OrderSet((*context.state.order, who), "why.joins"), "SS-INIT-05")
    context.emit(e.TurnEnded(who), to=e.GM_ONLY)


# ---------------------------------------------------------------- declaring


def declare(context: RuleContext, command: Declare) -> None:
    """Declare the number of actions of the turn: 0 to 3. [SS-ACT-01]  RULING R2: it binds."""
    who = command.actor
    if not 0 <= command.actions <= MAX_DECLARED:
        raise Refused("bad_value", f"Declare 0 to {MAX_DECLARED} actions.")  # SS-ACT-02
    context.emit(e.Marked(who, "declared", command.actions), "SS-ACT-01", e.GM_ONLY)
    budget = {**context.state[who].budget, "actions": command.actions}
    context.emit(e.BudgetSet(who, budget), "SS-ACT-02")
    context.emit(e.Said("log.declares", who, args={"n": command.actions}), "SS-ACT-01")


def check_declaring(state: State, actor: str) -> None:
    """Refuse a declaration except once, at the start of the turn."""
    if not is_declaring(state, state[actor]):
        raise Refused("not_allowed", "This turn's number of actions is settled.")


def act_by_luck(context: RuleContext, command: Command) -> None:
    """RULING R47: Spend a point of luck for one more action this turn."""
    who = command.actor
    combatant = context.state[who]
    luck = combatant.tracks["luck"]
    context.emit(e.TrackChanged(who, "luck", luck, new=luck - 1, why="why.extra_action"), "SS-ACT-02")
    context.emit(e.Marked(who, "lucky", True), "SS-ACT-02", e.GM_ONLY)
    budget = {**combatant.budget, "actions": combatant.budget.get("actions", 0) + 1}
    context.emit(e.BudgetSet(who, budget), "SS-ACT-02")
    if context.option("luck_action_adds_penalty") == "yes" and "declared" in combatant.marks:
        context.emit(e.Marked(who, "declared", int(combatant.marks["declared"]) + 1), "SS-ACT-02", e.GM_ONLY)


def check_luck(state: State, actor: str) -> None:
    """Refuse an action by luck except once a turn, after declaring."""
    combatant = state[actor]
    if find_option(state, "luck") == "off" or combatant.tracks["luck"] < 1:
        spent = find_option(state, "luck") != "off" and combatant.sheet["luck"]
        text = "Luck is used up this session: the GM can start a new session."
        raise Refused("no_budget", text if spent else f"{combatant.name} has no luck to spend.")
    if combatant.marks.get("lucky"):
        raise Refused("not_allowed", "Luck gives one extra action a turn, and this turn has had it.")
    if is_declaring(state, combatant):
        raise Refused("not_allowed", "Declare first how many actions this turn has (0 to 3).")


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The modifiers of the initiative checks. [SS-INIT-11]"""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    skills = (Choice("", "none"), *(Choice(name, name) for name in tables.skills()))
    return (
        number_field(
            "adjust", "Initiative of everyone", 0, low=-3, high=3, rule="SS-INIT-11", required=False
        ),
        Field("ambushers", "In ambush (+1)", "many", seats, rule="SS-INIT-11", required=False),
        Field("surprised", "Surprised (\N{MINUS SIGN}1)", "many", seats, rule="SS-INIT-11", required=False),
        folded_field("skill", "Skill that helps", "choice", options=skills, value=""),
    )


next_fields = form_of_next("SS-INIT-05", "The whole side's turn")


declare_fields = form_of(  # [SS-ACT-01]
    number_field(
        "actions",
        "Actions",
        1,
        low=0,
        high=MAX_DECLARED,
        help="−1 to rolls per extra action",
        rule="SS-ACT-02",
    )
)


ACTIONS = (
    TABLE.act("declare", declare, check_declaring, fields=declare_fields, first=True),
    TABLE.act("luck", act_by_luck, check_luck),
    gm("start", start, fields=start_fields),
    gm("next_turn", next_turn, fields=next_fields),
)
