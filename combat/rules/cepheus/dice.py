"""2D6 and its modifiers: checks, opposed checks, penalties of a round; aim and tasks, and what ends them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Literal

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Label, say, say_typed
from combat.rules.core.commands.context import RuleContext, Sums
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, Condition, State, find_condition, replace
from combat.rules.core.turn.turns import remove_condition, remove_conditions

from .book.options import ZERO_G, find_option, find_setting
from .book.tables import EXCEPTIONAL, PHYSICAL, TARGET, difficulties, skills
from .characters.conditions import ADDS_UP, KINDS
from .characters.machinery import find_skilled, handling_terms, sensor_terms
from .characters.values import find_dm, find_score, find_skill
from .world.scene import WEIGHTLESS, has_terrain
from .world.senses import can_see

AIMING, KILL = "aiming", "aiming_kill"
DONE, NEED, SPOILED = "done", "need", "spoiled"
DICE, BLIND_DICE = "2d6", "3d6"
BLIND_KEPT = 2  # dice; the highest is dropped
LOWEST, HIGHEST = 2, 12  # the possible sums of two dice
SUCCESS, FAILURE = "outcome.success", "outcome.failure"
CHECK_RULE, ATTACK_RULE = "CE-SIG-05", "CE-ATK-04"  # of a skill check, and of one that attacks


def lose_aim(context: RuleContext, who: str, why: Label) -> int:
    """Lose all aim; returns how many aims were lost. [CE-MINOR-04] [CE-MINOR-08]

    Call this for moving, drawing, loading, another stance, checks, reactions and extended actions, never for
    free actions or delaying.  RULING R8 R71 R88
    """
    return remove_conditions(context, who, *_find_breakable(context.state), why=why, rule="CE-MINOR-04")


def _find_breakable(state: State) -> tuple[str, ...]:
    """The kinds of aim that end by more than the next attack or a change of target.  RULING R71 R88"""
    return (AIMING, KILL) if find_option(state, "aim_breaks") else (KILL,)


def be_hit(context: RuleContext, who: str) -> int:
    """Lose aim for the kill by being hit, even for no damage. [CE-MINOR-09]  RULING R8 R9"""
    if not context.state.combatants[who].conditions:
        return 0
    kinds = (AIMING, KILL) if find_option(context.state, "wound_breaks_aim") else (KILL,)
    return remove_conditions(context, who, *kinds, why="why.hit", rule="CE-MINOR-09")


def use_aim(context: RuleContext, who: str) -> None:
    """Use up aim by an attack, on the target of the aim or on anyone else."""
    remove_conditions(context, who, AIMING, KILL, why="why.used", rule="CE-MINOR-03")


def lose_sight(context: RuleContext, moved: Collection[str]) -> None:
    """Lose the aim at a target out of sight after it or the one who aims has moved or was carried, if aim
    breaks then. [CE-MINOR-04]  RULING R8 R71"""
    state = context.state
    kinds = _find_breakable(state)
    for who, combatant in tuple(state.combatants.items()):
        for held in combatant.conditions:
            target = state.combatants.get(str(held.marks.get("target")))
            if held.kind not in kinds or target is None or (who not in moved and target.id not in moved):
                continue
            if not can_see(state, combatant, target):
                remove_condition(context, who, held, why="why.out_of_sight", rule="CE-MINOR-04")


# Extended actions: being hit while busy with a task longer than a round.


def disturb_task(context: RuleContext, who: str, damage: int) -> None:
    """Roll for the extended action of someone who is hit, less the damage after armor.

    [CE-OTHER-08] [CE-OTHER-09] On a failure this round does not count. [CE-OTHER-10] A failure by 6 or more
    ruins the task. RULING R42: without damage there is no check, and a ruined task restarts only by choice.
    """
    held = find_condition(context.state[who], "extended_action")
    if held is None or damage < 1:
        return
    effect = roll_check(
        context,
        who,
        what="check.keep_working",
        skill=str(held.marks.get("skill", "")),
        characteristic=str(held.marks.get("characteristic", "")),
        terms=(Modifier("term.damage_taken", -damage, "CE-OTHER-08"),),
        rule="CE-OTHER-08",
    )
    if effect >= 0:
        return
    if effect <= -EXCEPTIONAL:
        remove_condition(context, who, held, why="why.ruined", rule="CE-OTHER-10")
        context.emit(e.Said("log.work_ruined", who), "CE-OTHER-10")
        return
    marks = {**held.marks, SPOILED: True}
    context.emit(e.ConditionChanged(who, replace(held, marks=marks)), "CE-OTHER-09")
    context.emit(e.Said("log.work_delayed", who), "CE-OTHER-09")


# 2D6 and its modifiers: checks against 8, opposed checks, the penalties of a round. The Effect of a check
# is its total less 8: 0 or more succeeds, 6 or more is exceptional, -6 or less an exceptional failure.


Matters = Literal["all", "success", "none"]


# ---------------------------------------------------------------- terms


def modifiers_for_check(
    state: State, who: str, skill: str, characteristic: str, *, fights: bool = False
) -> Modifiers:
    """The terms of a check: the skill, the DM of the characteristic, and hindrances; without `skill` a bare
    characteristic check, without `characteristic` a bare skill check. `fights` marks an attack."""
    combatant = state[who]
    if fights:
        terms = combat_skill_terms(state, combatant, skill)
    else:
        terms = skill_terms(find_skilled(state, combatant), skill)
    rule = ATTACK_RULE if fights else CHECK_RULE
    terms = (
        *terms,
        *characteristic_terms(combatant, characteristic, rule),
        *hindrances(state, combatant, skill),
    )
    if characteristic in PHYSICAL:
        terms = (*terms, *suit_terms(combatant))
    return without_zeros((*terms, *sensor_terms(state, who, skill), *handling_terms(state, combatant, skill)))


def combat_skill_terms(state: State, combatant: Combatant, skill: str, rule: str = ATTACK_RULE) -> Modifiers:
    """The level of a skill in a fight; in zero gravity no more than that of Zero-G. [CE-ZG-01] [CE-ZG-02]

    RULING R43: for all attacks, also melee and grappling.
    """
    able = find_skilled(state, combatant)
    if not is_weightless(state, combatant):
        return skill_terms(able, skill, rule)
    level, floating = find_skill(able, skill), find_skill(able, "zero_g")
    if level <= floating:
        return skill_terms(able, skill, rule)
    return (Modifier("term.zero_g", floating, "CE-ZG-01" if floating >= 0 else "CE-ZG-02"),)


def is_weightless(state: State, combatant: Combatant) -> bool:
    """Whether someone fights in zero gravity, of the scene or their zone, if the table uses that rule.

    [CE-ZG-01]
    """
    if not find_option(state, "use_zero_gravity"):
        return False
    return find_setting(state, "gravity") == ZERO_G or has_terrain(state, combatant, WEIGHTLESS)


def skill_terms(combatant: Combatant, skill: str, rule: str = CHECK_RULE) -> Modifiers:
    """The level of a skill, -3 without it; `rule` asks for it."""
    if not skill:
        return ()
    return (Modifier(name_skill(skill), find_skill(combatant, skill), rule),)


def name_skill(skill: str) -> str:
    """The printed name of a skill."""
    known = skills().get(skill)
    return known.name if known else skill


def characteristic_terms(combatant: Combatant, characteristic: str, rule: str = CHECK_RULE) -> Modifiers:
    """The DM of the current score of a characteristic; `rule` asks for it.  RULING R1"""
    if not characteristic:
        return ()
    return (Modifier(f"term.{characteristic}", find_dm(combatant, characteristic), rule),)


def suit_terms(combatant: Combatant) -> Modifiers:
    """-3 on physical checks in armor whose skill the wearer lacks, as for every missing skill.  RULING R75"""
    worst = 0
    for item in combatant.items:
        if item.kind == "armor" and item.place == "worn" and item.data.get("required_skill"):
            worst = min(worst, find_skill(combatant, str(item.data["required_skill"])))
    return (Modifier("term.strange_armor", worst, "R75"),) if worst < 0 else ()


def hindrances(state: State, combatant: Combatant, skill: str) -> list[Modifier]:
    """The penalties on a check from this round and the body.

    [CE-FAT-02] -2 for the fatigued, on all checks.  [CE-ROUND-16] -1 for those who act hastily. [CE-REACT-03]
    [CE-REACT-06] [CE-REACT-09] [CE-REACT-13] -1 for each reaction of this round. [CE-SUPP-06] -1 for the
    suppressed.  RULING R41: fatigue does not add to itself. RULING R82: reactions and suppression affect
    skill checks, not bare characteristics; by table option reactions affect all.
    """
    terms: list[Modifier] = []
    kinds = set()
    for held in combatant.conditions:
        row = KINDS.find_row(held)
        term = row.terms.get("checks") if row else None
        if row and term and (held.kind not in kinds or ADDS_UP in row.tags):
            points = term.value * _count_times(state, held, term.when, skill)
            terms.append(Modifier(term.label or f"condition.{held.kind}", points, term.rule))
        elif held.marks.get("checks"):
            terms.append(Modifier(held.label, int(held.marks["checks"]), held.rule))
        kinds.add(held.kind)
    return [term for term in terms if term.value]


def _count_times(state: State, held: Condition, when: str, skill: str) -> int:
    """How often the term of a condition counts, by the `when` of its row.  RULING R82"""
    if when == "skill":
        return int(bool(skill))
    if when == "each_reaction":
        return held.level if skill or find_option(state, "reaction_penalty_on") == "all_checks" else 0
    return 1


def difficulty_terms(difficulty: str, rule: str = "") -> Modifiers:
    """The DM of a difficulty: none for Average, -2 for Difficult and so on."""
    points = difficulties()[difficulty].dm
    return (Modifier(f"difficulty.{difficulty}", points, rule),) if points else ()


# ---------------------------------------------------------------- rolling


def roll_check(
    context: RuleContext,
    who: str,
    *,
    what: Label,
    skill: str,
    characteristic: str,
    difficulty: str = "average",
    terms: Modifiers = (),
    rule: str,
    target: str = "",
    why: Label = "",
    matters: Matters = "all",
) -> int:
    """Roll 2D6 with skill, characteristic, difficulty and more terms against 8; returns the Effect.

    `matters` says which Effects have different results: all, those of a success, or only success and failure.
    The odds count the others as equal.
    """
    own = modifiers_for_check(context.state, who, skill, characteristic)
    every = (*own, *difficulty_terms(difficulty, rule), *terms)
    cuts = partial(find_cuts, every, matters)
    return roll_terms(context, who, every, what=what, rule=rule, target=target, why=why, cuts=cuts)


def say_check(what: Label, words: str) -> Label:
    """The purpose of a check with what someone typed it is for; empty without words."""
    typed = say_typed(words)
    return say("roll.check", what=what, why=typed) if typed else ""


def find_cuts(terms: Iterable[Modifier], matters: Matters) -> tuple[int, ...]:
    """The sums of two dice at which a check with these terms starts to end differently."""
    need = TARGET - add_up(terms)
    if matters == "none":
        return (need,)
    low = max(need, LOWEST) if matters == "success" else LOWEST + 1
    return tuple(range(low, HIGHEST + 1)) or (need,)


def roll_terms(
    context: RuleContext,
    who: str,
    terms: Modifiers,
    *,
    what: Label,
    rule: str,
    target: str = "",
    why: Label = "",
    cuts: Sums = (),
    outcomes: tuple[str, str] = (SUCCESS, FAILURE),
) -> int:
    """Roll 2D6 with known terms and log it; returns the Effect."""
    bonus = add_up(terms)
    need = (TARGET - bonus,)
    roll = context.roll(DICE, by=who, rule=rule, why=why or what, cuts=cuts, verdict=need)
    told = tell_roll(who, what, roll, terms, target=target, words=outcomes)
    context.emit(told, rule)
    return told.total - TARGET


def tell_roll(
    who: str, what: Label, roll: Roll, terms: Modifiers, *, target: str, words: tuple[str, str]
) -> e.Checked:
    """A roll with its terms against 8, which succeeds. [CE-ATK-04]"""
    return make_checked(
        who, what, roll, terms, against=TARGET, against_label="against.eight", target=target, words=words
    )


def roll_blind(context: RuleContext, who: str, terms: Modifiers, target: str, why: Label) -> int:
    """Roll three dice with terms and drop the highest; returns the Effect. [CE-BLIND-03]"""
    roll = context.roll(BLIND_DICE, by=who, rule="CE-BLIND-03", why=why, look="set")
    roll = msgspec.structs.replace(roll, total=sum(sorted(roll.faces)[:BLIND_KEPT]))
    told = tell_roll(who, "check.blind", roll, terms, target=target, words=("outcome.hit", "outcome.miss"))
    context.emit(told, "CE-BLIND-03")
    return told.total - TARGET


# ---------------------------------------------------------------- opposed checks


class Contest(msgspec.Struct, frozen=True):
    """The winner of an opposed check, if any, the margin, and the Effect of their own check."""

    winner: str
    margin: int
    effect: int


def better_of(combatant: Combatant, *characteristics: str) -> str:
    """The characteristic with the higher score, whose DM is never lower; the first of equals."""
    return max(characteristics, key=lambda key: (find_dm(combatant, key), find_score(combatant, key)))


def opposed_check(
    context: RuleContext,
    one: str,
    other: str,
    *,
    what: Label,
    skill: str,
    characteristics: tuple[str, ...],
    rule: str,
    terms: Modifiers = (),
    fights: bool = False,
) -> Contest:
    """Roll 2D6 for both, with skill and the better of the characteristics.

    `terms` apply to `one` alone; `fights` marks an attack.  RULING R59: equal totals go to the higher current
    score, by 0; if those are equal too, no one wins and both roll again.
    """
    keys = {who: better_of(context.state[who], *characteristics) for who in (one, other)}
    scores = {who: find_score(context.state[who], keys[who]) for who in (one, other)}
    takes_ties = scores[other] > scores[one]
    totals: dict[str, int] = {}
    for who, against, more in ((one, other, terms), (other, one, ())):
        own = (*modifiers_for_check(context.state, who, skill, keys[who], fights=fights), *more)
        roll = context.roll(DICE, by=who, rule=rule, why=what)
        totals[who] = roll.total + add_up(own)
        context.emit(
            _tell_side(who, against, what, roll=roll, own=own, totals=totals, takes_ties=takes_ties), rule
        )
    margin = totals[one] - totals[other]
    if margin:
        winner = one if margin > 0 else other
        return Contest(winner, abs(margin), totals[winner] - TARGET)
    if scores[one] == scores[other]:
        return Contest("", 0, 0)
    winner = max(scores, key=lambda who: scores[who])
    return Contest(winner, 0, totals[winner] - TARGET)


def _tell_side(
    who: str,
    against: str,
    what: Label,
    roll: Roll,
    own: Modifiers,
    totals: dict[str, int],
    takes_ties: bool,
) -> e.Checked:
    """Log one side of an opposed check; the second one against the total of the first."""
    first = totals.get(against)
    good = first is None or totals[who] > first or (takes_ties and totals[who] == first)
    return make_checked(
        who,
        what,
        roll,
        own,
        against=first,
        against_label="against.other",
        target=against,
        good=good,
        words=(SUCCESS, FAILURE),
        outcome="outcome.rolled" if first is None else "",
    )
