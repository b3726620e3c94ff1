"""2d6 and their modifiers: checks, the Action Penalty, help, and second chances."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Sums
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, State, is_acting
from combat.rules.core.turn.turns import remove_condition

from .book import tables
from .book.options import find_option
from .book.tables import ASSIST_BONUS, MAX_DECLARED, PHYSICAL, SKILL_BONUS, UNTRAINED_SPECIALIST
from .characters.conditions import KINDS, terms_of
from .characters.sheet import attribute_terms, features_of, has_skill
from .world.place import zone_of

DICE = "2d6"
BOXCARS, SNAKE_EYES = 12, 2
KEEP = "keep"
USED_UP = KINDS.ended_by("roll")


class Result(msgspec.Struct, frozen=True):
    """A finished check: the dice, the margin, and the outcome."""

    roll: Roll
    margin: int
    outcome: str
    good: bool


Grade = Callable[[int, Roll], tuple[str, bool]]


def only_total(margin: int, roll: Roll) -> tuple[str, bool]:
    """The outcome of a roll without a number to reach."""
    return "outcome.rolled", True


def pass_or_fail(margin: int, roll: Roll) -> tuple[str, bool]:
    """The outcome of a roll against a number; equaling it succeeds."""
    return ("outcome.success", True) if margin >= 0 else ("outcome.failure", False)


# ---------------------------------------------------------------- the Action Penalty


def count_turn_actions(state: State, combatant: Combatant, paid: bool = True) -> int:
    """The number of actions that the penalty counts this turn.  [SS-PEN-01]  RULING R2 R47

    `paid` says that the current action is already paid for; one by luck may not count. A turn that began
    without a declaration counts its actions as they come.
    """
    if find_option(state, "declare_mode") == "running" or "declared" not in combatant.marks:
        taken = int(combatant.marks.get("taken", 0)) + (0 if paid else 1)
        spared = combatant.marks.get("lucky") and find_option(state, "luck_action_adds_penalty") == "no"
        return min(taken, MAX_DECLARED) if spared else taken
    return int(combatant.marks.get("declared", 0))


def action_penalty(state: State, combatant: Combatant, paid: bool = True) -> Modifiers:
    """-1 for each further action of the turn. [SS-PEN-01] [SS-PEN-02] [SS-PEN-03] [SS-PEN-05]

    It is one separate term. There is none outside the combatant's turn, nor with two fixed actions (RULING
    R1).
    """
    if find_option(state, "turn_economy") == "two_actions" or not is_acting(state, combatant.id):
        return ()
    extra = count_turn_actions(state, combatant, paid) - 1
    if extra <= 0:
        return ()
    points = max(0, extra - add_up(terms_of(combatant, "action_penalty")))
    return (Modifier("term.action_penalty", -points, "SS-PEN-05"),) if points else ()


# ---------------------------------------------------------------- terms


def check_terms(
    state: State,
    combatant: Combatant,
    key: str,
    skill: str = "",
    rule: str = "",
    *,
    hindered: str = "",
) -> Modifiers:
    """Attribute, skill, and the effects of conditions and zone on a check.

    `hindered` overrides what hinders the check: the numbers of conditions, such as "physical" and "sight",
    with a space between, or "none".  [SS-PRONE-02] [SS-BLIND-02]
    """
    terms = [*attribute_terms(combatant, key, rule), *skill_terms(combatant, skill)]
    terms += [*training_terms(combatant, key, rule), *item_terms(combatant, skill)]
    words = hindered.split() if hindered else find_hindrances(key, skill)
    terms += [term for word in words for term in terms_of(combatant, word)]
    return (*terms, *made_up_terms(state, combatant))


def training_terms(combatant: Combatant, key: str, rule: str) -> list[Modifier]:
    """The bonus of features to checks of an attribute that are not attacks."""
    found = [
        (one.name, name, points) for one in features_of(combatant) for name, points in one.checks.items()
    ]
    return [Modifier(feature, points, rule) for feature, name, points in found if name == key]


def item_terms(combatant: Combatant, skill: str) -> list[Modifier]:
    """+1 for an item that helps with a skill; a second one adds nothing.  RULING R49"""
    helping = (item for item in combatant.items if skill in item.data.get("bonus_skills", ()))
    return [Modifier(item.name, SKILL_BONUS, "SS-OTHER-01") for item in helping][:1]


def skill_terms(combatant: Combatant, *names: str) -> list[Modifier]:
    """+1 for a skill; no penalty for lacking one, unless it is a specialist skill. [SS-ATK-05]"""
    has = has_skill(combatant, *names)
    if has:
        return [Modifier(has, SKILL_BONUS, "SS-ATK-05")]
    untrained = [name for name in names if name in tables.skills() and tables.skills()[name].specialist]
    if not untrained:
        return []
    return [Modifier(say("term.untrained", skill=untrained[0]), UNTRAINED_SPECIALIST, "SS-ATK-05")]


def find_hindrances(key: str, skill: str) -> list[str]:
    """The conditions that hinder a check, by number.  RULING R38: being prone, Dex and Str checks."""
    known = tables.skills().get(skill)
    words = ["physical"] if key in PHYSICAL else []
    return [*words, "sight"] if known and known.needs_sight else words


def made_up_terms(state: State, combatant: Combatant) -> list[Modifier]:
    """Conditions on all checks, and the GM's own zone properties. [SS-COND-01] [SS-ZONE-11]"""
    terms = terms_of(combatant, "checks")
    zone = zone_of(state, combatant)
    for found in zone.properties if zone else ():
        if found.inside:
            terms.append(Modifier(found.name, found.inside, "SS-ZONE-11"))
    return terms


def assist_terms(state: State, combatant: Combatant, key: str, *skills: str) -> Modifiers:
    """Help for this check. [SS-OTHER-09]  RULING R22: one Assist unless the table lets them add up."""
    terms = tuple(
        Modifier(held.label, ASSIST_BONUS, "SS-OTHER-09")
        for held in combatant.conditions
        if held.kind == "assisted" and _fits(held.marks, key, skills)
    )
    return terms if find_option(state, "assist_stacks") == "yes" else terms[:1]


def _fits(marks: dict[str, bool | int | str], key: str, skills: tuple[str, ...]) -> bool:
    skill = marks.get("skill", "")
    return marks.get("attribute", key) == key and (not skill or skill in skills)


def use_assist(context: RuleContext, who: str, key: str, *skills: str) -> None:
    """Use up the help for a check; help that did not count stays.  RULING R22"""
    fitting = [
        c for c in context.state[who].conditions if c.kind == "assisted" and _fits(c.marks, key, skills)
    ]
    for held in fitting if context.option("assist_stacks") == "yes" else fitting[:1]:
        remove_condition(context, who, held, why="why.used", rule="SS-OTHER-09")


# ---------------------------------------------------------------- rolling


def roll_check(
    context: RuleContext,
    who: str,
    terms: Modifiers,
    number: int | None,
    *,
    rule: str,
    what: Label,
    why: Label = "",
    against: str = "against.difficulty",
    against_terms: Modifiers = (),
    target: str = "",
    grade: Grade = pass_or_fail,
    also: Sums = (),
    again: str = "",
    dice: str = DICE,
    secret: bool = False,
    special: bool = False,
    chances: bool = True,
) -> Result:
    """Roll 2d6 with the terms against a number and emit the result.

    `grade` turns a margin into an outcome, and `also` names further margins where the outcome changes; it may
    be a function, as for `RuleContext.roll`.
    `again` is what a feature must name to give a second chance ("attack", or the attribute). Without a
    number, the margin is the total. A `secret` number gives away a combatant's health, so only those who may
    know it see it. `special` says that two ones or two sixes matter to the grade; without `chances` no one is
    asked about luck.
    """
    bonus = add_up(terms)
    goal = number or 0
    cuts: Sums = () if number is None else partial(_find_cuts, goal - bonus, also, special)
    roll = _throw(
        context, who, rule, why=say("roll.check", what=what, why=why) if why else what, dice=dice, cuts=cuts
    )
    roll = second_chance(context, who, roll, rule=rule, again=again) if chances else roll
    margin = roll.total + bonus - goal
    word, good = grade(margin, roll)
    told = make_checked(
        who,
        what,
        roll,
        terms,
        outcome=word,
        against=number,
        against_terms=against_terms,
        against_label=against,
        target=target,
        good=good,
    )
    to = e.for_player_of(context.state, context.state[who])
    if secret and to != e.EVERYONE and context.option("foe_health") != "number":
        context.emit(told, rule, to, msgspec.structs.replace(told, against=None))
    else:
        context.emit(told, rule)
    _use_hindrance(context, who, terms)
    if what != "check.attack":
        _flag(context, who, roll, margin)
    return Result(roll, margin, word, good)


def _find_cuts(even: int, also: Sums, special: bool) -> tuple[int, ...]:
    """The sums of faces where the outcome changes; `even` is the one with a margin of 0."""
    naturals = (SNAKE_EYES + 1, BOXCARS) if special else ()
    margins = also() if callable(also) else also
    return tuple(sorted({even, *[even + margin for margin in margins], *naturals}))


def _use_hindrance(context: RuleContext, who: str, terms: Modifiers) -> None:
    """End a hindrance of the next roll once it counted in a roll. [SS-COND-02]  RULING R12"""
    for held in context.state[who].conditions:
        if held.kind in USED_UP and any(term.label == held.label for term in terms):
            remove_condition(context, who, held, "why.used")


def _throw(context: RuleContext, who: str, rule: str, why: Label, dice: str, cuts: Sums) -> Roll:
    if dice == DICE:
        return context.roll(DICE, by=who, rule=rule, why=why, cuts=cuts)
    roll = context.roll(dice, by=who, rule=rule, why=why, look="faces")
    lowest = sum(sorted(roll.faces)[:2])  # RULING R24: three dice, the two lowest count
    return msgspec.structs.replace(roll, total=lowest)


def _flag(context: RuleContext, who: str, roll: Roll, margin: int) -> None:
    """RULING R10: Point out ties, two ones and two sixes where no rule counts them."""
    if margin == 0 and context.option("marginal_success") == "flag":
        context.emit(e.Said("log.marginal", who))
    if roll.faces in ((1, 1), (6, 6)) and roll.source != "odds":
        context.emit(e.Said("log.two_ones" if roll.faces == (1, 1) else "log.two_sixes", who))


# ---------------------------------------------------------------- second chances


def second_chance(context: RuleContext, who: str, roll: Roll, rule: str, again: str) -> Roll:
    """Luck and features that roll again or add to the roll afterwards.  RULING R47"""
    while True:
        combatant = context.state[who]
        if combatant.tracks["luck"] <= 0 and not features_of(combatant):
            return roll
        question = f"The dice show {' and '.join(map(str, roll.faces))}. Keep them?"
        options = partial(_list_chances, context.state, combatant, roll, again)
        chosen = context.ask(who, question, options, rule=rule, default=KEEP)
        if chosen == KEEP:
            return roll
        roll = _use_chance(context, who, roll, rule=rule, chosen=chosen)


def _list_chances(state: State, combatant: Combatant, roll: Roll, again: str) -> tuple[Choice, ...]:
    """Keeping the dice, and the second chances; nothing if there are none."""
    found = _find_chances(state, combatant, roll, again)
    return (Choice(KEEP, "Keep these dice"), *found) if found else ()


def _find_chances(state: State, combatant: Combatant, roll: Roll, again: str) -> tuple[Choice, ...]:
    found = []
    if combatant.tracks["luck"] > 0 and find_option(state, "luck") == "on" and len(roll.faces) == 2:
        dice = [n for n, face in enumerate(roll.faces) if face < 6]
        found += [Choice(f"die{n}", f"Luck: reroll the {roll.faces[n]}") for n in dice]
    for feature in features_of(combatant):
        if combatant.marks.get(f"used {feature.id}"):
            continue
        if feature.again and feature.again == again:
            found.append(Choice(feature.id, f"{feature.name}: reroll both dice"))
        if feature.adds and roll.total < BOXCARS:
            found.append(Choice(feature.id, f"{feature.name}: add {feature.adds.capitalize()}"))
    return tuple(found)


def _use_chance(context: RuleContext, who: str, roll: Roll, rule: str, chosen: str) -> Roll:
    if chosen.startswith("die") and chosen[3:].isdigit():
        return _roll_die_again(context, who, roll, rule=rule, place=int(chosen[3:]))
    feature = tables.features()[chosen]
    context.emit(e.Marked(who, f"used {feature.id}", True), rule, e.GM_ONLY)
    context.emit(e.Said("log.uses", who, args={"item": feature.name}), rule)
    if feature.again:
        again = _throw(context, who, rule, why=feature.name, dice=roll.dice, cuts=())
        return msgspec.structs.replace(again, total=again.total + _count_added(roll))
    points = sum(term.value for term in attribute_terms(context.state[who], feature.adds, ""))
    return msgspec.structs.replace(roll, total=roll.total + points)


def _roll_die_again(context: RuleContext, who: str, roll: Roll, rule: str, place: int) -> Roll:
    luck = context.state[who].tracks["luck"]
    context.emit(e.TrackChanged(who, "luck", luck, new=luck - 1, why="why.reroll"), rule)
    die = context.roll("1d6", by=who, rule=rule, why="roll.luck")
    faces = tuple(die.total if n == place else face for n, face in enumerate(roll.faces))
    return msgspec.structs.replace(roll, faces=faces, total=sum(faces) + _count_added(roll))


def _count_added(roll: Roll) -> int:
    """The points that a feature added to the counted dice."""
    return roll.total - sum(sorted(roll.faces)[:2])
