"""What the GM says about someone: cover, knowledge, warmth, traits; free actions and their price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive, say
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Words,
    anybody,
    first_open,
    form_about,
    name_everyone,
    words_fields,
)
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import GmCommand, Target
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, is_acting, present, replace
from combat.rules.core.turn.turns import add_condition, remove_condition, say_words

from ..book.options import check_used, find_option
from ..book.tables import MINORS_FOR_SIGNIFICANT, nerves
from ..characters.values import is_person
from ..dice import KILL, lose_aim
from ..world.acting import act, check_unoccupied, gm
from ..world.cover import MARK, rank
from ..world.economy import MINOR, SIGNIFICANT, can_exchange, exchange
from ..world.order import mark
from ..world.scene import COVER_CHOICES
from ..world.senses import WARM
from .sensing import SHIELDED, find_electric

COVERS = (Choice("", "none of their own"), *(Choice(key, label) for key, label in COVER_CHOICES))
YES_NO = (Choice("as_usual", "as usual"), Choice("yes", "warm"), Choice("no", "cold"))
USUAL = "as_usual"
NERVES = (Choice(USUAL, "as the sheet has it"), *(Choice(row.id, row.name) for row in nerves().values()))


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


# Free actions, and the significant action in exchange for two minor ones.


def act_freely(context: RuleContext, command: Words) -> None:
    """Take a free action, such as a shout, a button or a glance, as often as the actor likes.
    [CE-OTHER-02]"""
    say_words(context, command, "log.free", so="log.free_so", rule="CE-OTHER-02")


def check_exchange(state: State, actor: str) -> None:
    """Refuse an exchange without the significant action, or if the table forbids it. [CE-SIG-04]"""
    if can_take_back(state, actor):
        return
    if not can_exchange(state, state[actor]):
        raise Refused("no_budget", "The significant action is spent, or cannot be traded here.")


def can_take_back(state: State, actor: str) -> bool:
    """RULING R10: whether an exchange can be taken back: until its second minor action is used."""
    budget = state[actor].budget
    traded = SIGNIFICANT in budget and budget[SIGNIFICANT] == 0
    return traded and budget.get(MINOR, 0) >= MINORS_FOR_SIGNIFICANT


def trade(context: RuleContext, command: Command) -> None:
    """Trade the significant action for two minor ones, or take that back. [CE-SIG-03] [CE-SIG-04]
    RULING R10"""
    who = command.actor
    budget = context.state[who].budget
    if not can_take_back(context.state, who):
        exchange(context, who)
        return
    back = {**budget, MINOR: budget[MINOR] - MINORS_FOR_SIGNIFICANT, SIGNIFICANT: 1}
    context.emit(e.BudgetSet(who, back), "CE-SIG-04")
    context.emit(e.Said("log.takes_back", who), "CE-SIG-04")


# What the GM says about traits that no sheet has: nerves of steel, shielded electrics.


class SetNerve(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether someone ignores suppression fire, and why."""

    target: str
    nerve: str = USUAL


class SetShield(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the electrics of a carried item are shielded."""

    item: str
    shielded: bool = False


# ---------------------------------------------------------------- nerve


def set_nerve(context: RuleContext, command: SetNerve) -> None:
    """Set whether someone is immune to suppression fire [CE-SUPP-11]: zealots [CE-SUPP-13], androids
    [CE-SUPP-14], the suicidal. [CE-SUPP-16] Players learn it when suppression fire does nothing."""
    target = context.state[command.target]
    row = nerves().get(command.nerve)
    if row is None and command.nerve != USUAL:
        raise Refused("bad_value", "Choose from the list what they are.")
    wanted = {e.UNTOLD_MARK + tag: True if tag == command.nerve else None for tag in nerves()}
    if all(target.marks.get(tag) == value for tag, value in wanted.items()):
        raise Refused("not_allowed", f"{target.name} is so already: choose something else.")
    rule = row.rule if row else "CE-SUPP-11"
    for tag, value in wanted.items():
        mark(context, target.id, tag, value=value, rule=rule)
    told = say("gm.nerve", who=target.id, what=row.name) if row else say("gm.nerve_as_usual", who=target.id)
    context.emit(e.Overruled(told, command.reason), rule, e.GM_ONLY)


def find_nerve(combatant: Combatant) -> str:
    """What the GM says about someone's nerve."""
    return next((tag for tag in nerves() if combatant.marks.get(e.UNTOLD_MARK + tag)), USUAL)


def check_nerve(state: State, actor: str) -> None:
    """Refuse without people: machines are always immune. RULING R87: by the summary nobody's nerve counts."""
    if find_option(state, "suppression_effect") == "next_action":
        text = "By the house rules suppression fire works on everyone here: the GM can change that."
        raise Refused("not_allowed", text)
    if not any(is_person(combatant) for combatant in present(state)):
        raise Refused("not_allowed", "Nobody here is a person: machines never mind suppression fire.")


def nerve_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person, and the reason for their immunity. [CE-SUPP-11]"""
    known = {choice.value: choice.label for choice in NERVES}
    people = [f for f in present(state) if is_person(f)]
    options = tuple(Choice(f.id, f.name, known[find_nerve(f)]) for f in people)
    return (
        Field("target", "Who", "target", options=options, value=first_open(options), rule="CE-SUPP-11"),
        Field("nerve", "Is", "choice", options=NERVES, value="zealot", rule="CE-SUPP-11"),
    )


# ---------------------------------------------------------------- shielding


def set_shield(context: RuleContext, command: SetShield) -> None:
    """Shield an item from electromagnetic detectors; its owner knows. [CE-SENS-06]"""
    found = next((pair for pair in find_electrics(context.state) if pair[1].id == command.item), None)
    if found is None:
        raise Refused("bad_value", "Choose one of the things with high-power electrics.")
    who, item = found
    if bool(item.marks.get(SHIELDED)) == command.shielded:
        raise Refused("not_allowed", f"{item.name} is so already: choose the other.")
    marks = {key: value for key, value in item.marks.items() if key != SHIELDED}
    now = replace(item, marks={**marks, SHIELDED: True} if command.shielded else marks)
    context.emit(e.ItemChanged(who.id, now, ""), "CE-SENS-06", e.GM_ONLY)
    key = "gm.shielded" if command.shielded else "gm.unshielded"
    told = e.Overruled(say(key, who=who.id, item=item.name), command.reason)
    context.emit(told, "CE-SENS-06", e.for_seat(who.id))


def find_electrics(state: State) -> Iterator[tuple[Combatant, Item]]:
    """The items that electromagnetic detectors find unless shielded, with their owners."""
    return ((f, item) for f in present(state) for item in find_electric(f.items))


def check_shield(state: State, actor: str) -> None:
    """Refuse without anything to shield, or without sensors in play."""
    check_used(state, "use_conditions", "sensors", "them")
    if next(find_electrics(state), None) is None:
        raise Refused("not_allowed", "Nobody here has a gauss weapon or a transmitter.")


def shield_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item, with its owner. [CE-SENS-06]"""
    options = tuple(
        Choice(item.id, f"{item.name}, {who.name}", "shielded" if item.marks.get(SHIELDED) else "")
        for who, item in find_electrics(state)
    )
    first = next((o.value for o in options if not o.detail), options[0].value if options else "")
    return (
        Field("item", "What", "choice", options=options, value=first, rule="CE-SENS-06"),
        Field("shielded", "Shielded", "flag", value="true", required=False),
    )


ACTIONS = (
    gm("set_cover", set_cover, fields=cover_fields),
    gm("set_aware", set_aware, fields=aware_fields),
    gm("set_warm", set_warm, check_sensors_used, fields=warm_fields),
    gm("charge", charge, check_charge_now, fields=charge_fields),
    gm("distract", distract, check_distract_now, fields=distract_fields),
    act("exchange", trade, check_exchange, has_odds=False),
    act("free", act_freely, bar=check_unoccupied, fields=words_fields, on_turn=False, has_odds=False),
    gm("set_shield", set_shield, check_shield, fields=shield_fields),
    gm("set_nerve", set_nerve, check_nerve, fields=nerve_fields),
)
