"""The limits of a turn: the declared number of actions, the cap of one attack, and Rates."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, is_acting
from combat.rules.core.turn.turns import spend

from ..book import tables
from ..book.options import find_option
from ..book.tables import ATTACKS_PER_TURN, MAX_DECLARED, POOL_METERS, TWO_ACTIONS
from ..world.place import is_map

SEPARATOR = "|"


def is_declaring(state: State, combatant: Combatant) -> bool:
    """Whether a turn waits for its number of actions. [SS-ACT-01]  RULING R1 R2

    A turn that began without a declaration goes on without, even if the table changes the option.
    """
    marks = combatant.marks
    if "declared" in marks or "taken" in marks or "lucky" in marks or not is_acting(state, combatant.id):
        return False
    return _undeclared_actions(state) == 0


def check_declared(state: State, actor: str) -> None:
    """Refuse an action before the number of actions is declared. [SS-ACT-01]"""
    if is_declaring(state, state[actor]):
        raise Refused("not_allowed", "Declare first how many actions this turn has (0 to 3).")


def caps_attacks(state: State) -> bool:
    """Whether a turn is capped at one attack, and not only by Rates. [SS-TURN-02]  RULING R1"""
    return bool(find_option(state, "turn_economy") != "declared_three_by_rate")


def find_budget(state: State, declared: int | None = None) -> dict[str, int]:
    """The budget of a turn at its start or after the declaration; nothing carries over.

    [SS-TURN-01] [SS-TURN-02] [SS-TURN-03] [SS-ACT-02] [SS-MAP-06] [SS-MAP-07]
    """
    if declared is None:
        declared = _undeclared_actions(state)
    budget = {"actions": declared}
    if caps_attacks(state):
        budget["attacks"] = ATTACKS_PER_TURN
    if is_map(state):
        budget["metres"] = POOL_METERS
    return budget


def find_most_actions(state: State) -> int:
    """The most actions of a turn: two, or three to declare. [SS-TURN-01] [SS-ACT-02]  RULING R1"""
    return TWO_ACTIONS if find_option(state, "turn_economy") == "two_actions" else MAX_DECLARED


def _undeclared_actions(state: State) -> int:
    """Two actions without a declaration, three for running counts, or none yet. [SS-TURN-01]"""
    if find_option(state, "turn_economy") == "two_actions":
        return TWO_ACTIONS
    return MAX_DECLARED if find_option(state, "declare_mode") == "running" else 0


# ---------------------------------------------------------------- Rates


def name_use(action: str, per: str = "") -> str:
    """The key of a use of an action; `per` is the object, weapon or patient."""
    return f"{action}:{per}".replace(SEPARATOR, "/") if per else action


def count_uses(combatant: Combatant, use: str) -> int:
    """How often a use was made this turn."""
    return str(combatant.marks.get("did", "")).split(SEPARATOR).count(use)


def count_attacks(combatant: Combatant) -> int:
    """How many attacks someone has paid for this turn, with any weapon."""
    uses = str(combatant.marks.get("did", "")).split(SEPARATOR)
    return len([use for use in uses if use.partition(":")[0] == "attack"])


def find_rate(state: State, action: str) -> int:
    """How often an action may be taken in a turn; 0 without a Rate. [SS-RATE-01] [SS-RATE-04]"""
    entry = tables.actions().get(action)
    return int(find_option(state, entry.rate_option)) if entry and entry.rate_option else 0


def check_rate(
    state: State, combatant: Combatant, action: str, per: str = "", more: int = 0, count: int = 1
) -> None:
    """Refuse an action that has reached its Rate this turn. [SS-RATE-01] [SS-RATE-02] [SS-RATE-03]

    `per` is its unit of count, `more` the extra uses allowed, `count` the uses now.
    """
    rate = find_rate(state, action)
    if rate and count_uses(combatant, name_use(action, per)) + count > rate + more:
        label = tables.actions()[action].name
        on = f" on the same {tables.actions()[action].per}" if per else ""
        text = f"{label} has a Rate of {rate}{on}: choose another action this turn."
        raise Refused("no_budget", text)


def check_weapon_rate(state: State, combatant: Combatant, weapon: str) -> None:
    """Refuse another attack with a weapon this turn, where Rates alone limit them. [SS-RATE-03]"""
    if is_acting(state, combatant.id) and not caps_attacks(state):
        check_rate(state, combatant, "attack", per=weapon, more=int(combatant.marks.get("more_attacks", 0)))


def remember_use(context: RuleContext, who: str, use: str, rule: str) -> None:
    """Record a use for this turn."""
    did = str(context.state[who].marks.get("did", ""))
    context.emit(e.Marked(who, "did", f"{did}{SEPARATOR}{use}" if did else use), rule, e.GM_ONLY)


def pay(
    context: RuleContext,
    who: str,
    action: str,
    on: str,
    rule: str,
    *,
    per: str = "",
    count: int = 1,
    attacks: int = 0,
) -> None:
    """Spend declared actions (and attacks of the turn) on an action, within its Rate. [SS-ACT-03]"""
    check_declared(context.state, who)
    cost = {"actions": count}
    if attacks and caps_attacks(context.state):
        cost["attacks"] = attacks
    elif attacks:
        check_weapon_rate(context.state, context.state[who], per)
    else:
        check_rate(context.state, context.state[who], action, per, count=count)
    spend(context, who, cost, on=on, rule=rule)
    taken = int(context.state[who].marks.get("taken", 0))
    context.emit(e.Marked(who, "taken", taken + count), rule, e.GM_ONLY)
    remember_use(context, who, SEPARATOR.join([name_use(action, per)] * count), rule)


def can_afford(state: State, actor: str, attack: bool = False) -> bool:
    """Whether an action, and an attack if wanted, is left this turn."""
    budget = state[actor].budget
    if budget.get("actions", 0) < 1:
        return False
    return not attack or budget.get("attacks", 0) > 0 or not caps_attacks(state)


# ---------------------------------------------------------------- free actions


def has_used_free(combatant: Combatant, action: str) -> bool:
    """Whether a free action was taken since the combatant's last turn began.  [SS-FREE-03]"""
    return action in str(combatant.marks.get("free", "")).split(SEPARATOR)


def check_free(state: State, actor: str, action: str) -> None:
    """Refuse a repeated free action unless an action can be spent on it. [SS-FREE-03] [SS-FREE-04]

    RULING R28: an action can only be spent in the actor's own turn.
    """
    combatant = state[actor]
    if not has_used_free(combatant, action):
        return
    label = tables.free_actions()[action].name
    if not is_acting(state, actor):
        text = f"{label} is free once until {possessive(combatant.name)} next turn: wait for it."
        raise Refused("no_budget", text)
    check_declared(state, actor)
    if not can_afford(state, actor):
        raise Refused("no_budget", f"No action left this turn; {label} again takes one.")


def take_free(context: RuleContext, who: str, action: str, rule: str) -> None:
    """Take a free action [SS-FREE-01]; a repeat in the same cycle costs an action. [SS-FREE-04]"""
    check_free(context.state, who, action)
    if has_used_free(context.state[who], action):
        pay(context, who, action, on=f"{tables.free_actions()[action].name} again", rule="SS-FREE-04")
        return
    remember_free(context, who, action, rule)


def remember_free(context: RuleContext, who: str, action: str, rule: str) -> None:
    """Record a free action for this cycle."""
    used = str(context.state[who].marks.get("free", ""))
    marked = f"{used}{SEPARATOR}{action}" if used else action
    context.emit(e.Marked(who, "free", marked), rule, e.GM_ONLY)
