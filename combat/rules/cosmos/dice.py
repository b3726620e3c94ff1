"""Saves, skill checks and contests: 2d10 and their modifiers."""

from __future__ import annotations

from collections.abc import Iterable

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say, say_typed
from combat.rules.core.commands.commands import Command, Field, Preview, anybody, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, State

from . import environment
from .book.options import find_option
from .book.tables import POOR_LIGHT, abilities
from .characters.conditions import KINDS
from .characters.sheet import (
    ATTRIBUTE_WORDS,
    ATTRIBUTES,
    ability,
    attribute,
    attribute_terms,
    drug_terms,
    half_skill,
    skill,
    state_penalty,
)
from .world.acting import gm

DICE = "2d10"
OUTCOMES = ("outcome.success", "outcome.failure")
TENS, ONES = (10, 10), (1, 1)
PHYSICAL = ("MIG", "COO")
CLEAN_SECONDS = 86_400  # RULING R41: an addict suffers after a day without a dose
RULE = "COS-TERR-07"


def is_natural_20(roll: Roll) -> bool:
    """Whether both dice show 10.  [COS-CRIT-01]  RULING R6."""
    return roll.faces == TENS


def is_natural_2(roll: Roll) -> bool:
    """Whether both dice show 1.  RULING R7."""
    return roll.faces == ONES


def succeeds(roll: Roll, total: int, target: int) -> bool:
    """Whether a total reaches a number; two tens always, two ones never.  RULING R3 R6 R7."""
    return roll.faces == TENS or (total >= target and roll.faces != ONES)


def action_penalties(state: State, combatant: Combatant, physical: bool) -> Modifiers:
    """The penalties of wounds and conditions on all actions.  RULING R40: each cause counts once."""
    what = ("actions", "physical") if physical else ("actions",)
    is_clean = state.clock - int(combatant.marks.get("last_dose", 0)) >= CLEAN_SECONDS
    held = KINDS.causes(combatant, *what, counts=lambda when: when == "clean" and is_clean)
    return (*state_penalty(combatant), *held, *environment.action_terms(state, combatant, physical))


def table_terms(command: Command, rule: str) -> Modifiers:
    """The table's own modifier of a command, with its reason."""
    if not command.adjust:
        return ()
    because = " ".join(command.because.split())[:60]
    return (
        Modifier(
            say("term.situational_why", why=because) if because else "term.situational", command.adjust, rule
        ),
    )


def check_terms(
    state: State,
    combatant: Combatant,
    attribute_key: str,
    skill_name: str = "",
    rule: str = "COS-ACT-03",
) -> Modifiers:
    """The terms of a skill check: attribute, half the skill, penalties.  RULING R5.

    `rule` is the one that calls for the check.
    """
    terms = attribute_terms(combatant, attribute_key, rule)
    points = skill(combatant, skill_name) if skill_name else 0
    if points:
        full = find_option(state, "skill_adds") == "full"
        label = skill_name if full else say("term.half", what=skill_name)
        terms.append(Modifier(label, points if full else half_skill(points, state), rule))
    terms += _help_terms(state, combatant, skill_name, rule)
    return (*terms, *action_penalties(state, combatant, attribute_key in PHYSICAL))


def _help_terms(state: State, combatant: Combatant, skill_name: str, rule: str) -> list[Modifier]:
    """The bonuses of species, gear and drugs to a skill."""
    terms = []
    for row in abilities().values() if skill_name else ():
        born = ability(combatant, row.id) if row.skill == skill_name and not row.note else 0
        if born and (not row.in_the_dark or environment.light_at(state, combatant.at) in POOR_LIGHT):
            terms.append(Modifier("term.species", born, rule))
    kit = next((i for i in combatant.items if skill_name == "Survival" and i.data.get("survival")), None)
    if kit:
        terms.append(Modifier(kit.name, int(kit.data["survival"]), rule))
    return terms + (drug_terms(combatant, "social") if skill_name == "Social" else [])


def describe_some_uses(combatant: Combatant, skill_name: str) -> tuple[Label, ...]:
    """The bonuses of the species to some uses of the skill, which the table may add."""
    rows = (row for row in abilities().values() if row.skill == skill_name and row.note)
    return tuple(say(f"note.{row.note}", n=value) for row in rows if (value := ability(combatant, row.id)))


def find_cuts(terms: Modifiers, *targets: int) -> tuple[int, ...]:
    """The sums of 2d10 at which a result changes: two ones end at 3, two tens are 20."""
    bonus = add_up(terms)
    return (3, *[target - bonus for target in targets], 20)


def save_terms(state: State, combatant: Combatant, attribute_key: str, rule: str) -> Modifiers:
    """The terms of a save: the attribute alone, unless the table counts penalties.  RULING R4."""
    terms: Modifiers = tuple(attribute_terms(combatant, attribute_key, rule))
    if find_option(state, "saves_take_penalties"):
        terms += action_penalties(state, combatant, attribute_key in PHYSICAL)
    return terms


def name_save(attribute_key: str) -> Label:
    """The name of a save of an attribute."""
    return say("check.save", attribute=ATTRIBUTE_WORDS[attribute_key])


def roll_check(
    context: RuleContext,
    who: str,
    terms: Modifiers,
    target: int,
    rule: str,
    what: Label,
    why: Label = "",
    lesser: tuple[int, str] | None = None,
) -> Roll:
    """Roll 2d10 with the terms against a number and log the result.

    `lesser` is a lower number with its outcome: a total of only that much neither succeeds nor fails.
    """
    cuts = find_cuts(terms, target, *([lesser[0]] if lesser else []))
    reason = say("roll.check", what=what, why=why) if why else what
    roll = context.roll(DICE, by=who, rule=rule, why=reason, cuts=cuts)
    total = roll.total + add_up(terms)
    good = succeeds(roll, total, target)
    outcome = lesser[1] if lesser and not good and succeeds(roll, total, lesser[0]) else ""
    told = make_checked(
        who,
        what,
        roll,
        terms,
        against=target,
        against_label="against.tn",
        good=good,
        words=OUTCOMES,
        outcome=outcome,
    )
    context.emit(told, rule)
    return roll


def did_succeed(context: RuleContext) -> bool:
    """Whether the last check in the log succeeded."""
    checks = (fact.event for fact in reversed(context.facts) if isinstance(fact.event, e.Checked))
    return next(checks).good


def save(
    context: RuleContext,
    who: str,
    attribute_key: str,
    target: int,
    rule: str,
    why: Label,
    plus: Modifiers = (),
) -> bool:
    """Roll a save and return whether it succeeded. `plus` is the bonus of gear or species."""
    terms = (*save_terms(context.state, context.state[who], attribute_key, rule), *plus)
    roll_check(context, who, terms, target=target, rule=rule, what=name_save(attribute_key), why=why)
    return did_succeed(context)


def predict_saves(
    context: RuleContext, who: Iterable[str], attribute_key: str, rule: str, why: Label
) -> None:
    """Ask for the dice of everyone who rolls this save next, all together."""
    context.predict_rolls(DICE, who, rule=rule, why=say("roll.check", what=name_save(attribute_key), why=why))


def default_tn(state: State) -> int:
    """The target number if the book names none.  RULING R52."""
    return int(find_option(state, "default_tn"))


def initiative_terms(combatant: Combatant) -> Modifiers:
    """Awareness and the other modifiers of initiative, in points.  [COS-INIT-01]  RULING R21."""
    terms = [Modifier("attribute.AWA", attribute(combatant, "AWA"), "COS-INIT-01")]
    if ability(combatant, "initiative"):
        terms.append(Modifier("term.species", ability(combatant, "initiative"), "COS-INIT-01"))
    return (*terms, *passing_initiative(combatant))


def passing_initiative(combatant: Combatant) -> Modifiers:
    """The temporary modifiers of initiative.  [COS-COND-10] [COS-DRUG-01]"""
    return (*drug_terms(combatant, "initiative"), *KINDS.causes(combatant, "initiative"))


class AskSave(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A save of `target` with an attribute; `tn` 0 is the table's usual number."""

    target: str
    attribute: str = "COO"
    tn: int = 0
    why: str = ""


def ask_save(context: RuleContext, command: AskSave) -> Then:
    """2d10 + attribute against a number the GM names. [COS-TERR-07]  RULING R4 R52."""
    check_save(context.state, command)
    return Then(_roll, command)


def check_save(state: State, command: AskSave) -> None:
    """Refuse unknown attributes and impossible numbers."""
    combatant = state[command.target]
    if command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", f"{combatant.name} saves with one of {', '.join(ATTRIBUTES)}.")
    if command.tn and not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60, or 0 for the usual one.")


def asked_terms(state: State, command: AskSave) -> Modifiers:
    """The attribute and the table's own modifier."""
    terms = save_terms(state, state[command.target], command.attribute, RULE)
    return (*terms, *table_terms(command, RULE))


def _roll(context: RuleContext, command: AskSave) -> None:
    why = say_typed(command.why, "typed_against")
    what = name_save(command.attribute)
    tn = command.tn or default_tn(context.state)
    roll_check(
        context, command.target, asked_terms(context.state, command), target=tn, rule=RULE, what=what, why=why
    )


def preview_save(state: State, command: AskSave) -> Preview:
    """The sums of the save."""
    check_save(state, command)
    target = (Modifier("term.target_number", command.tn or default_tn(state), RULE),)
    return Preview(asked_terms(state, command), target, "against.tn", DICE)


def save_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a save."""
    attributes = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    usual = f"0: default ({default_tn(state)})"
    return (
        anybody(state),
        Field("attribute", "Attribute", "choice", options=attributes, value="COO", rule=RULE),
        number_field("tn", "Target number", 0, low=0, high=60, help=usual, required=False),
        Field("why", "Against what", "text", required=False),
    )


ACTIONS = (gm("save", ask_save, fields=save_fields, preview=preview_save),)
