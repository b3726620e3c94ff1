"""d100 against ranks times five: chances, the rolls under them, and the table's modifiers."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.commands.commands import adjusted as _adjusted
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import State

from .book.options import find_option
from .book.tables import PERCENT_PER_RANK, SKILL_DIE, SKILL_MOST

MIN_CHANCE, MAX_CHANCE = 5, 95  # limits of chances, RULING R36


class Chance(msgspec.Struct, frozen=True):
    """The number to roll under: the chance in points, the highest roll that succeeds, the terms."""

    points: int
    highest: int
    terms: Modifiers


class Result(msgspec.Struct, frozen=True):
    """A finished roll: whether it succeeded, and by how many points it was under its chance."""

    roll: Roll
    good: bool
    margin: int


def find_chance(state: State, ranks: Modifiers) -> Chance:
    """Five points for each rank; 0 ranks always fail, 20 always succeed. [CG-ATK-02]  RULING R1 R36 R38

    The chance is shown as 0 to 100.
    """
    total = add_up(ranks)
    points = PERCENT_PER_RANK * max(0, total)
    terms = tuple(Modifier(term.label, PERCENT_PER_RANK * term.value, term.rule) for term in ranks)
    if total < 0:
        terms = (*terms, Modifier("term.floor", -PERCENT_PER_RANK * total, "CG-ATK-02"))
    if points > SKILL_MOST:
        terms, points = (*terms, Modifier("term.ceiling", SKILL_MOST - points, "CG-ATK-02")), SKILL_MOST
    kept = count_points(state, total)
    if kept != points:
        terms, points = (*terms, Modifier("term.clamp", kept - points, "CG-ATK-02")), kept
    return Chance(points, count_highest(state, total), terms)


def count_points(state: State, total: int) -> int:
    """The chance of so many ranks, in points, by the limits of the table. [CG-ATK-02]"""
    points = PERCENT_PER_RANK * total if total > 0 else 0
    if points > SKILL_MOST:
        points = SKILL_MOST
    if find_option(state, "chance_clamp") == "5_to_95":
        return min(MAX_CHANCE, max(MIN_CHANCE, points))
    return points


def count_highest(state: State, total: int) -> int:
    """The highest roll of d100 that succeeds with so many ranks. [CG-ATK-02]  RULING R1 R36 R38"""
    points = count_points(state, total)
    if points == SKILL_MOST:
        return SKILL_MOST
    return points - 1 if points and find_option(state, "success") == "strictly_under" else points


def roll_under(
    context: RuleContext,
    who: str,
    ranks: Modifiers,
    *,
    rule: str,
    what: Label,
    target: str = "",
    why: Label = "",
    words: tuple[str, str] = ("outcome.success", "outcome.failure"),
    exact: bool = False,
    least: int = 0,
) -> Result:
    """Roll d100 against ranks and emit the result. `words` are those of success and failure.

    `exact` is for rolls whose margin matters; `least` is a margin that success also needs.
    """
    chance = find_chance(context.state, ranks)
    highest = chance.highest - least
    cuts = () if exact else (max(1, highest + 1),)
    label = say("roll.check", what=what, why=why) if why else what
    roll = context.roll(SKILL_DIE, by=who, rule=rule, why=label, cuts=cuts)
    good = roll.total <= highest
    told = make_checked(
        who,
        what,
        roll,
        words=words,
        against=chance.points,
        against_terms=chance.terms,
        against_label="against.chance",
        target=target,
        good=good,
    )
    context.emit(told, rule)
    return Result(roll, good, chance.highest - roll.total)


def adjusted(command: Command, ranks: Modifiers, rule: str = "") -> Modifiers:
    """The ranks, but for zeros after the first, with the table's own modifier, also in ranks.  [CG-REF-11]"""
    return _adjusted(command, (*ranks[:1], *without_zeros(ranks[1:])), rule or "CG-REF-11")


def preview_chance(state: State, ranks: Modifiers, *notes: Label) -> Preview:
    """The chance of a roll as a form shows it: the terms that change it, or the first if none does."""
    terms = find_chance(state, ranks).terms
    return Preview((), without_zeros(terms) or terms[:1], "against.chance", dice=SKILL_DIE, notes=notes)
