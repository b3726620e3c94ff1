"""Rolls to detect, avoid, endure and escape hazards; checks against the surroundings that the GM asks for."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Command, Field, Preview, form_about, form_of, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state.state import (
    Combatant,
    State,
    replace,
)
from combat.rules.core.turn.turns import spend

from ..book.tables import HazardLevel, hazard_levels, skills
from ..characters.sheet import ATTRIBUTES
from ..dice import DICE, check_terms, default_tn, roll_check, table_terms
from ..world.acting import act, gm
from .exposure import endure, endure_terms, face_level, tire

Approach = Literal["detect", "avoid", "endure", "escape"]
APPROACHES = {  # for each kind: its rule, what it rolls, and its name
    "detect": ("COS-HAZ-22", "AWA", "Survival", "check.detect"),
    "avoid": ("COS-HAZ-23", "COO", "Athletics", "check.avoid"),
    "endure": ("COS-HAZ-24", "", "", "check.endure"),
    "escape": ("COS-HAZ-25", "", "", "check.escape"),
}
WAYS = (
    Choice("detect", "Detect: Awareness and Survival"),
    Choice("avoid", "Avoid: Coordination and Athletics"),
    Choice("endure", "Endure: Might or Resolve, and Survival"),
    Choice("escape", "Escape: as the hazard says"),
)
KEYS = (Choice("", "–"), *(Choice(key, name) for key, name in ATTRIBUTES.items()))
KNOWN = (Choice("", "none"), *(Choice(name, name) for name in sorted(skills())))
NAVIGATE = (  # the form of a roll about a hazard
    Field("approach", "What for", "choice", options=WAYS, value="detect", rule="COS-HAZ-22"),
    Field("attribute", "Attribute to escape", "choice", options=KEYS, value="", required=False),
    Field("skill", "Skill to escape", "choice", options=KNOWN, value="", required=False),
    number_field("tn", "Target number, 0: default", 0, low=0, high=60, required=False),
)
EXPOSURES = (
    Choice("radiation", "Radiation"),
    Choice("toxic", "Toxic air"),
    Choice("heat", "Heat"),
    Choice("cold", "Cold"),
    Choice("gravity", "High gravity"),
)
NAMES = dict.fromkeys(row.level for row in hazard_levels().values())
LEVELS = (Choice("", "–"), *(Choice(name, name) for name in NAMES))


class Navigate(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roll about a hazard. Escaping needs an attribute and may name a skill; `tn` 0: the default."""

    approach: Approach
    attribute: str = ""
    skill: str = ""
    tn: int = 0


class HazardCheck(Navigate, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same roll, which the GM may ask of anyone at any time."""

    target: str


def navigate_terms(state: State, combatant: Combatant, command: Navigate) -> Modifiers:
    """The modifiers of a roll about a hazard. [COS-HAZ-22] [COS-HAZ-23] [COS-HAZ-24] [COS-HAZ-25]

    RULING R5: half the skill.
    """
    rule, key, skill_name, _ = APPROACHES[command.approach]
    if command.approach == "endure":
        terms = endure_terms(state, combatant)
    else:
        key, skill_name = key or command.attribute, skill_name or command.skill
        terms = check_terms(state, combatant, key, skill_name=skill_name, rule=rule)
    return (*terms, *table_terms(command, rule))


def check_navigate(command: Navigate) -> None:
    """Refuse an escape without an attribute, unknown skills and impossible numbers."""
    if command.approach == "escape" and command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", "Escaping depends on the hazard: choose the attribute it takes.")
    if command.skill and command.skill not in skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    if not (command.tn == 0 or 2 <= command.tn <= 60):
        raise Refused("bad_value", "A target number is 2 to 60.")


def navigate(context: RuleContext, command: Navigate) -> Then:
    """In a fight, a full use of a skill: a Standard Action. [COS-ACT-03]"""
    check_navigate(command)
    spend(context, command.actor, {"standard": 1}, on="Full skill use", rule="COS-ACT-03")
    return Then(_roll_way, command.actor, command)


def check_hazard(context: RuleContext, command: HazardCheck) -> Then:
    """Make the roll that the GM asks for; it costs nothing."""
    check_navigate(command)
    return Then(_roll_way, context.state[command.target].id, command)


def _roll_way(context: RuleContext, who: str, command: Navigate) -> None:
    terms = navigate_terms(context.state, context.state[who], command)
    tn = command.tn or default_tn(context.state)
    rule = APPROACHES[command.approach][0]
    roll_check(context, who, terms, target=tn, rule=rule, what=APPROACHES[command.approach][3])


def preview_navigate(state: State, command: Navigate) -> Preview:
    """The sums of the roll."""
    check_navigate(command)
    tn, rule = command.tn or default_tn(state), APPROACHES[command.approach][0]
    terms = navigate_terms(state, state[command.actor], command)
    return Preview(terms, (Modifier("term.target_number", tn, rule),), "against.tn", DICE)


class Expose(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check against the surroundings now, whatever the clock says.

    `tn` and `damage` replace the figures of the level.
    """

    target: str
    hazard: Literal["radiation", "toxic", "heat", "cold", "gravity"]
    level: str = ""
    tn: int = 0
    damage: str = ""


def expose(context: RuleContext, command: Expose) -> Then | None:
    """Make the check that the GM asks for.  RULING R43: its figures may differ."""
    who = context.state[command.target].id
    if command.hazard == "gravity":
        tire(context, who)
        return None
    if command.hazard in ("heat", "cold"):
        return Then(endure, who, command.hazard)
    return Then(face_level, who, find_figures(command))


def find_figures(command: Expose) -> HazardLevel:
    """The hazard level of the table, changed by the GM's figures."""
    level = hazard_levels().get(f"{command.hazard}_{command.level}")
    if level is None:
        names = [lv.level for lv in hazard_levels().values() if lv.hazard == command.hazard]
        raise Refused("bad_value", f"Levels of {command.hazard}: {', '.join(names)}.")
    if not 0 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")
    return replace(level, tn=command.tn or level.tn, damage=_read_dice(command.damage) or level.damage)


def _read_dice(words: str) -> str:
    if not words:
        return ""
    try:
        dice = parse_dice(words)
    except ValueError:
        raise Refused("bad_value", "Write damage like 2d6 or 1d10+2.") from None
    return str(dice)


check_fields = form_about(*NAVIGATE)


expose_fields = form_about(
    Field("hazard", "What", "choice", options=EXPOSURES, value="radiation", rule="COS-HAZ-15"),
    Field("level", "Level", "choice", options=LEVELS, value="moderate", required=False),
    number_field("tn", "TN, 0: as the level", 0, low=0, high=60, required=False),
    Field("damage", "Other damage", "text", help="such as 2d6", required=False),
)


ACTIONS = (
    act("navigate", navigate, fields=form_of(*NAVIGATE), preview=preview_navigate),
    gm("hazard_check", check_hazard, fields=check_fields),
    gm("expose", expose, fields=expose_fields),
)
