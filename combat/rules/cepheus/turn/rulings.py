"""What the GM says about someone: cover, what they know of, warmth; and the price of free actions."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import anybody, form_about, name_everyone
from combat.rules.core.gm.decisions import GmCommand, Target
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_acting, present
from combat.rules.core.turn.turns import add_condition, remove_condition

from ..book.options import check_used
from ..dice.focus import KILL, lose_aim
from ..world.acting import gm
from ..world.cover import MARK, rank
from ..world.order import mark
from ..world.scene import COVER_CHOICES
from ..world.senses import WARM


class SetCover(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Someone's cover wherever they stand; empty: none."""

    target: str
    cover: str = ""


class SetAware(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether `target` is aware of the combatant `of`."""

    target: str
    of: str
    aware: bool = False


class SetWarm(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether infra-red shows someone."""

    target: str
    warm: Literal["as_usual", "yes", "no"] = "as_usual"


def set_cover(context: RuleContext, command: SetCover) -> None:
    """Set the cover that someone has. [CE-COVER-01]"""
    target = context.state[command.target]
    if command.cover and command.cover not in dict(COVER_CHOICES):
        raise Refused("bad_value", "Choose a kind of cover from the list.")
    if rank(command.cover) == rank(str(target.marks.get(MARK, ""))):
        raise Refused("not_allowed", f"{target.name} has that cover already.")
    mark(context, target.id, MARK, value=command.cover or None, rule="CE-COVER-01")
    key, what = ("log.takes_cover", f"cover.{command.cover}") if command.cover else ("log.leaves_cover", "")
    context.emit(e.Said(key, target.id, args={"cover": what} if what else {}), "CE-COVER-01")


COVERS = (Choice("", "none of their own"), *(Choice(key, label) for key, label in COVER_CHOICES))
cover_fields = form_about(Field("cover", "Cover", "choice", options=COVERS, value="half", rule="CE-COVER-01"))


def set_aware(context: RuleContext, command: SetAware) -> None:
    """Set whether someone is aware of another. [CE-REACT-07]"""
    target, of = context.state[command.target], context.state[command.of]
    if target.id == of.id:
        raise Refused("bad_target", "Everybody knows of themselves: choose another.")
    held = next((c for c in target.conditions if c.kind == "unaware" and c.by == of.id), None)
    if (held is None) == command.aware:
        raise Refused("not_allowed", f"{target.name} is so already: choose the other.")
    if held:
        remove_condition(context, target.id, held, why="why.notices", rule="CE-REACT-07")
    else:
        add_condition(context, target.id, "unaware", by=of.id)


def aware_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The observer, the observed, and whether the observer knows of them. [CE-REACT-07]"""
    options = name_everyone(state)
    other = options[-1].value if options else ""
    return (
        anybody(state),
        Field("of", "Of whom", "target", options=options, value=other, rule="CE-REACT-07"),
        Field("aware", "Knows of them", "flag", required=False),
    )


def set_warm(context: RuleContext, command: SetWarm) -> None:
    """Set whether someone shows up in infra-red. [CE-SENS-02]"""
    target = context.state[command.target]
    value = {"as_usual": None, "yes": True, "no": False}[command.warm]
    mark(context, target.id, WARM, value=value, rule="CE-SENS-02")


def check_sensors_used(state: State, actor: str) -> None:
    """Refuse what matters only to sensors, if the table plays without. RULING R61"""
    check_used(state, "use_conditions", "sensors", "them")


YES_NO = (Choice("as_usual", "as usual"), Choice("yes", "warm"), Choice("no", "cold"))
warm_fields = form_about(
    Field("warm", "In infra-red", "choice", options=YES_NO, value="as_usual", rule="CE-SENS-02")
)


def distract(context: RuleContext, command: Target) -> None:
    """Distract an aimer. [CE-MINOR-09]"""
    target = context.state[command.target]
    if not any(held.kind == KILL for held in target.conditions):
        raise Refused("not_allowed", f"{target.name} is not aiming for the kill.")
    lose_aim(context, target.id, "why.distracted")


distract_fields = form_about(rule="CE-MINOR-09")


def check_distract_now(state: State, actor: str) -> None:
    """Refuse if no one aims for the kill. [CE-MINOR-09]"""
    if not any(held.kind == KILL for f in present(state) for held in f.conditions):
        raise Refused("not_allowed", "Nobody is aiming for the kill.")


class Charge(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The price of too many free actions."""

    target: str
    pool: Literal["minor", "significant"] = "minor"


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant, and the action to charge. [CE-OTHER-03]"""
    pools = (Choice("minor", "a minor action"), Choice("significant", "the significant action"))
    acting = tuple(Choice(w, state.combatants[w].name) for w in (state.active, *state.sharing) if w)
    who = Field("target", "Who", "target", options=acting, value=acting[0].value if acting else "")
    return (who, Field("pool", "Costs", "choice", options=pools, value="minor", rule="CE-OTHER-03"))


def check_charge_now(state: State, actor: str) -> None:
    """Refuse if no acting combatant has an action left. [CE-OTHER-03]"""
    acting = [state.combatants[who] for who in (state.active, *state.sharing) if who]
    if not any(n > 0 for f in acting for n in f.budget.values()):
        raise Refused("no_budget", "Nobody who acts now has an action left that could be charged.")


def charge(context: RuleContext, command: Charge) -> None:
    """Charge an action for too many free ones, during the actor's turn. [CE-OTHER-03]"""
    target = context.state[command.target]
    if not is_acting(context.state, target.id):
        raise Refused("not_your_turn", f"It is not {possessive(target.name)} turn: charge those who act now.")
    if target.budget.get(command.pool, 0) < 1:
        raise Refused("no_budget", f"{target.name} has no {command.pool} action left to charge.")
    context.emit(e.BudgetSpent(target.id, {command.pool: 1}), "CE-OTHER-03")
    context.emit(e.Said("log.charged", target.id, args={"pool": f"pool.{command.pool}"}), "CE-OTHER-03")


ACTIONS = (
    gm("set_cover", set_cover, fields=cover_fields),
    gm("set_aware", set_aware, fields=aware_fields),
    gm("set_warm", set_warm, check_sensors_used, fields=warm_fields),
    gm("charge", charge, check_charge_now, fields=charge_fields),
    gm("distract", distract, check_distract_now, fields=distract_fields),
)
