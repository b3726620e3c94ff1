"""The actions of a turn: one minor and one significant, and the trades between them."""

from __future__ import annotations

from collections.abc import Sequence

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, is_acting, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..book.options import find_option
from ..book.tables import MINORS_FOR_SIGNIFICANT
from ..characters.conditions import KINDS, takes
from ..characters.machinery import is_acting_anew, is_drone, is_stalled
from ..characters.values import MACHINES

MINOR, SIGNIFICANT = "minor", "significant"
LOST = "lost_significant"  # mark: the next significant action is lost, for this reason
INTERRUPTED = "interrupted"  # mark of the fight: those whose turns wait, the innermost last


def find_budget(state: State, combatant: Combatant) -> dict[str, int]:
    """The actions a turn starts with.  [CE-ROUND-02] [CE-SIG-02]

    [CE-INJ-05] The seriously wounded and the grappled have no minor action; machines that are shut down have
    no action.
    """
    is_machine = combatant.sheet["kind"] in MACHINES
    is_idle = is_drone(combatant) and not has_condition(combatant, "steered")  # RULING R74
    if is_machine and (is_idle or is_stalled(state, combatant)):
        return {MINOR: 0, SIGNIFICANT: 0}
    minor = 0 if any(takes(held, MINOR) for held in combatant.conditions) else 1
    return {MINOR: minor, SIGNIFICANT: 0 if combatant.marks.get(LOST) else 1}


def can_exchange(state: State, combatant: Combatant) -> bool:
    """Whether the significant action can still be traded for two minor ones.

    [CE-MINOR-02] [CE-SIG-03] [CE-SIG-04] RULING R10 R86. In a grapple the only action is the next check.
    """
    if combatant.budget.get(SIGNIFICANT, 0) < 1:
        return False
    if KINDS.loses(combatant, "trades"):
        return False
    return bool(find_option(state, "three_minors"))


def count_minors(state: State, who: str) -> int:
    """How many minor actions someone can still take this turn, traded ones included."""
    combatant = state.combatants[who]
    left = combatant.budget.get(MINOR, 0)
    return left + MINORS_FOR_SIGNIFICANT if can_exchange(state, combatant) else left


def count_in_turn(state: State, who: str) -> int:
    """How many minor actions a whole turn of someone has, traded ones included."""
    return count_minors(_rest(state, who), who)


def _rest(state: State, who: str) -> State:
    """The same with nothing spent of someone's turn."""
    combatant = state[who]
    rested = replace(combatant, budget=find_budget(state, combatant))
    return replace(state, combatants={**state.combatants, who: rested})


def exchange(context: RuleContext, who: str) -> None:
    """Give up the significant action for two minor ones.  [CE-SIG-03] [CE-SIG-04]"""
    budget = context.state[who].budget
    traded = {**budget, MINOR: budget.get(MINOR, 0) + MINORS_FOR_SIGNIFICANT, SIGNIFICANT: 0}
    context.emit(e.BudgetSet(who, traded), "CE-SIG-04")
    context.emit(e.Said("log.exchanges", who), "CE-SIG-04")


def pay_minor(context: RuleContext, who: str, on: str, rule: str, n: int = 1) -> None:
    """Spend minor actions; trade the significant one first if they are too few.

    [CE-MINOR-02] [CE-SIG-04] Refused("no_budget") when both are gone.
    """
    if context.state.combatants[who].budget.get(MINOR, 0) < n:
        left = count_minors(context.state, who)
        if 0 < left < n:
            raise Refused("no_budget", _say_short(on, n, left))
        if n <= left and context.trades:
            exchange(context, who)
    spend(context, who, {MINOR: n}, on=on, rule=rule)
    _end_evasion(context, who)


def pay_significant(context: RuleContext, who: str, on: str, rule: str) -> None:
    """Spend the significant action.  [CE-SIG-02]"""
    spend(context, who, {SIGNIFICANT: 1}, on=on, rule=rule)
    _end_evasion(context, who)


def pay_whole_turn(context: RuleContext, who: str, on: str, rule: str) -> None:
    """Spend all minor actions of a turn, and the significant one unless it is traded for them.  RULING R98"""
    pay_minor(context, who, on, rule, n=count_in_turn(context.state, who))
    if context.state[who].budget.get(SIGNIFICANT):
        pay_significant(context, who, on, rule)


def _end_evasion(context: RuleContext, who: str) -> None:
    """End the evasive driving of the driver's last turn, whatever the next action is. [CE-VACT-07]"""
    if is_acting_anew(context.state, who):
        ended = KINDS.ended_by("driver's action")
        remove_conditions(context, context.state[who].inside, *ended, rule="CE-VACT-07")


def check_minor(state: State, who: str, on: str, n: int = 1) -> None:
    """Refuse an action that takes more minor actions than are left."""
    if state.combatants[who].budget.get(MINOR, 0) >= n:
        return
    left = count_minors(state, who)
    if left < n:
        text = f"No minor action left this turn; {on} needs {n}." if not left else _say_short(on, n, left)
        raise Refused("no_budget", text)


def check_whole_turn(state: State, who: str, on: str) -> None:
    """Refuse what takes a whole turn once some of it is spent.  RULING R98"""
    whole = _rest(state, who)
    minors = count_minors(whole, who) - count_minors(state, who)
    significant = whole[who].budget[SIGNIFICANT] - state[who].budget.get(SIGNIFICANT, 0)
    if minors > 0 or (significant > 0 and not can_exchange(whole, whole[who])):
        raise Refused("no_budget", f"{on} takes a whole turn: begin a turn with it.")


def _say_short(on: str, n: int, left: int) -> str:
    return f"{on} needs {n} minor actions; this turn has {left} left."


def check_quiet(state: State) -> None:
    """Refuse, during a fight, an action that is too long for one."""
    if state.phase == "fight":
        raise Refused("not_allowed", "End the fight before that: it takes longer than a round.")


def check_significant(state: State, who: str, on: str) -> None:
    """Refuse an action whose significant action is gone."""
    if state.combatants[who].budget.get(SIGNIFICANT, 0) < 1:
        raise Refused("no_budget", f"No significant action left this turn; {on} needs 1.")


def find_interrupted(state: State) -> tuple[tuple[str, ...], ...]:
    """Those whose turns wait for an interrupt to end, by groups that act together, the innermost last.

    [CE-OTHER-12]
    """
    told = str(state.marks.get(INTERRUPTED, ""))
    return tuple(tuple(group.split(",")) for group in told.split(";")) if told else ()


def write_interrupted(groups: Sequence[tuple[str, ...]]) -> str | None:
    """The same as the value of its mark; None without any."""
    return ";".join(",".join(group) for group in groups) or None


def has_turn(state: State, who: str) -> bool:
    """Whether someone's turn is under way, also if it waits for an interrupt to end."""
    return is_acting(state, who) or any(who in group for group in find_interrupted(state))


def lose_minor(context: RuleContext, who: str) -> None:
    """Take the minor action of a turn under way; traded ones stay.

    [CE-INJ-05] [CE-SIG-04] Two or more next to a spent significant action are traded ones.
    """
    budget = context.state[who].budget
    left = budget.get(MINOR, 0)
    traded = left >= MINORS_FOR_SIGNIFICANT and not budget.get(SIGNIFICANT)
    kept = MINORS_FOR_SIGNIFICANT if traded else 0
    if left > kept and has_turn(context.state, who):
        context.emit(e.BudgetSet(who, {**budget, MINOR: kept}), "CE-INJ-05")


def lose_significant(context: RuleContext, who: str, kind: str, rule: str) -> None:
    """Take the next unspent significant action, this turn's or the next one's.

    `kind` is the condition for it, which ends with the turn that lacked the action. It is not `due` during a
    turn, interrupted or not, that has already spent it. [CE-EXPL-06]  RULING R19 R64
    """
    combatant = context.state[who]
    acting = has_turn(context.state, who)
    left = combatant.budget.get(SIGNIFICANT, 0)
    add_condition(context, who, kind, rule=rule, marks={"due": not acting or left > 0})
    if acting and left:
        context.emit(e.BudgetSet(who, {**combatant.budget, SIGNIFICANT: 0}), rule)
    else:
        context.emit(e.Marked(who, LOST, True), rule, e.GM_ONLY)
