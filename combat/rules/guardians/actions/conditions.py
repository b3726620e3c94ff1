"""The GM's rulings on rounds and conditions, and the rolls to call for. [CG-REF-11] The log shows each."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import anybody, form_about, number_field
from combat.rules.core.declaration.system import system_of
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, is_acting, present
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.effects import Effect, write_effect
from ..body.resolve import give_condition, resolve_count
from ..body.states import LASTS, end_of_round, terrify
from ..book.options import find_option
from ..book.tables import ACTION, FEAR_STEEP, SEVEREST_FEAR, STUN_ROUNDS
from ..characters.conditions import KINDS, check_bars
from ..characters.values import name_rank, rank_terms
from ..dice import roll_under
from ..world.acting import REASON, gm

MAX_ROUNDS, MAX_RANKS = 10_000, 20
CLOCKED = KINDS.tagged("clocked")

# ---------------------------------------------------------------- a round


class Toil(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether this round is purely physical for someone. [CG-FAT-01]"""

    physical: bool


toil_fields = form_about(
    Field("physical", "Purely physical", "flag", value="true", rule="CG-FAT-01", required=False), REASON
)


def set_toil(context: RuleContext, command: Toil) -> None:
    """Set whether this round is purely physical for someone. [CG-FAT-01]  RULING R40"""
    target = context.state[command.target]
    if context.state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: there is no round to judge.")
    if target.marks.get("physical", None) is command.physical:
        what = "physical alone" if command.physical else "more than physical"
        raise Refused("not_allowed", f"This round of {target.name} already counts as {what}.")
    overrule(context, "gm.physical" if command.physical else "gm.not_physical", command, target.id)
    context.emit(e.Marked(target.id, "physical", command.physical), "CG-FAT-01", e.GM_ONLY)


# ---------------------------------------------------------------- conditions


class Impose(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition with its length in rounds, including this one; 0 until the GM ends it."""

    kind: str
    rounds: int = 0


CLOCKED_KINDS = tuple(Choice(kind, KINDS[kind].label) for kind in CLOCKED)
impose_fields = form_about(
    Field("kind", "Condition", "choice", options=CLOCKED_KINDS, value=CLOCKED_KINDS[0].value),
    number_field(
        "rounds", "Rounds", 2, low=0, high=MAX_ROUNDS, help="the present one is the first; 0: until ended"
    ),
    REASON,
)


def impose(context: RuleContext, command: Impose) -> None:
    """Give any condition that has a clock, for some rounds. [CG-REF-11]"""
    target = context.state[command.target]
    if command.kind not in CLOCKED:
        raise Refused("unknown", f"Choose one of: {', '.join(KINDS[kind].label for kind in CLOCKED)}.")
    if not 0 <= command.rounds <= MAX_ROUNDS:
        raise Refused("bad_value", f"A length is 0 to {MAX_ROUNDS} rounds; 0 lasts until it is ended.")
    overrule(context, "gm.imposes", command, target.id, what=f"condition.{command.kind}")
    ends = end_of_round(context.state, command.rounds - 1) if command.rounds else None
    remove_conditions(context, target.id, command.kind, why="why.gm", rule="CG-REF-11")
    if ends is None and "brief" in KINDS[command.kind].tags:
        add_condition(context, target.id, command.kind, marks={LASTS: True})
    else:
        give_condition(context, target.id, command.kind, rule=KINDS[command.kind].rule, ends=ends)
    system_of(context).turn.after_change(context, target)


# ---------------------------------------------------------------- rolls


class Fear(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fear roll, made harder by 0 to 6 ranks. [CG-REF-02]"""

    severity: int = 0


fear_fields = form_about(
    number_field("severity", "Severity (ranks)", 0, low=SEVEREST_FEAR, high=0, rule="CG-REF-02"), REASON
)


def call_fear(context: RuleContext, command: Fear) -> None:
    """Roll Spirit: failure frightens, and by far costs the next action. [CG-REF-02]  RULING R32 R44"""
    target = context.state[command.target]
    _check_living(target)
    if find_option(context.state, "fear") == "off":
        raise Refused("not_allowed", "House rule: no fear rolls.")
    if not SEVEREST_FEAR <= command.severity <= 0:
        raise Refused("bad_value", f"The severity is {SEVEREST_FEAR} to 0 ranks.".replace("-", "−"))
    terms = rank_terms(context.state, target, "spirit", "CG-REF-02")
    if command.severity:
        terms = (*terms, Modifier("term.severity", command.severity, "CG-REF-02"))
    result = roll_under(context, target.id, terms, rule="CG-REF-02", what="check.fear", exact=True)
    if result.good:
        return
    rounds = int(find_option(context.state, "fear_rounds"))
    scared = Effect(kind="scare", who=target.id, target=target.id, points=rounds, rule="CG-REF-02")
    resolve_count(context, (write_effect(scared),))
    if result.margin < -FEAR_STEEP:
        terrify(context, target.id, _count_rounds_lost(context, target))


def _count_rounds_lost(context: RuleContext, target: Combatant) -> int:
    """The rounds without an action after this one, so that fear costs only the next action.  RULING R32"""
    if context.state.phase != "fight":
        return STUN_ROUNDS
    if is_acting(context.state, target.id):
        return 0 if target.budget.get(ACTION, 0) else STUN_ROUNDS
    return 0 if not target.acted or has_condition(target, "holding") else STUN_ROUNDS


class CallRoll(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ranks to roll for someone, with more or fewer ranks; it costs nothing. [CG-REF-11]"""

    roll: str
    ranks: int = 0


def call_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant who rolls, and the ranks. [CG-REF-11]"""
    ranks = number_field("ranks", "More or fewer ranks", 0, low=-MAX_RANKS, high=MAX_RANKS)
    return (anybody(state, "Who rolls"), rank_field(state), ranks, REASON)


def rank_field(state: State) -> Field:
    """The ranks that anyone here has."""
    names = dict.fromkeys(name for f in present(state) for name in f.sheet["ranks"])
    options = tuple(Choice(name, name_rank(name)) for name in names)
    return Field("roll", "Roll", "choice", options=options, value=first_open(options), rule="CG-ATK-02")


def call_roll(context: RuleContext, command: CallRoll) -> None:
    """Make a roll that the GM asks for; it takes no action. [CG-REF-11] [CG-ATK-02]  RULING R37"""
    target = context.state[command.target]
    _check_living(target)
    if command.roll not in target.sheet["ranks"]:
        raise Refused("bad_value", f"{target.name} has no ranks in “{command.roll}”: choose what they have.")
    if abs(command.ranks) > MAX_RANKS:
        raise Refused("bad_value", f"It gives or takes at most {MAX_RANKS} ranks.")
    terms = rank_terms(context.state, target, command.roll, "CG-ATK-02")
    if command.ranks:
        terms = (*terms, Modifier("term.situational", command.ranks, "CG-REF-11"))
    roll_under(context, target.id, terms, rule="CG-REF-11", what=name_rank(command.roll))


def _check_living(target: Combatant) -> None:
    check_bars(target, "help", "bad_target")


ACTIONS = (
    gm("impose", impose, fields=impose_fields),
    gm("fear", call_fear, fields=fear_fields),
    gm("call_roll", call_roll, fields=call_fields),
    gm("toil", set_toil, fields=toil_fields),
)
