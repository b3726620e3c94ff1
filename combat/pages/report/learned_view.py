"""What a fight taught about the table's house rules, in words for its GM."""

from __future__ import annotations

from dataclasses import dataclass

from combat.play.after.learned import Learned, RuleCount
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System


@dataclass(frozen=True)
class RuleView:
    """A house rule, its value and the usual one, its ruling, and what came of it."""

    label: str
    value: str
    usual: str
    ruling: str
    told: str


@dataclass(frozen=True)
class LearnedView:
    """The house rules in play, the GM's modifiers as sentences, and comparisons that had no time."""

    rules: tuple[RuleView, ...]
    modifiers: tuple[str, ...]
    left: int


def view_learned(system: System, learned: Learned) -> LearnedView:
    """What a fight taught, for the report."""
    return LearnedView(
        tuple(_view_rule(system, one) for one in learned.rules if _is_known(system, one)),
        tuple(_tell_modifier(*one) for one in learned.modifiers),
        learned.left,
    )


def _is_known(system: System, one: RuleCount) -> bool:
    return any(option.key == one.key for option in system.book.options)


def _view_rule(system: System, one: RuleCount) -> RuleView:
    option = next(option for option in system.book.options if option.key == one.key)
    return RuleView(
        option.label,
        option.describe(one.value),
        option.describe(option.default),
        option.ruling,
        _tell_rule(one),
    )


def _tell_rule(one: RuleCount) -> str:
    """What a house rule changed: "Changed 3 of 42 steps; 1 would have asked another question." """
    steps = f"{one.compared} step{'' if one.compared == 1 else 's'}"
    if not one.different and not one.asks:
        return f"No difference in {steps}."
    parts = [f"changed {one.different} of {steps}"] if one.different else []
    if one.asks:
        of = "" if one.different else f" of {steps}"
        parts.append(f"{one.asks}{of} would have asked another question")
    told = "; ".join(parts)
    return f"{told[:1].upper()}{told[1:]}."


def _tell_modifier(why: str, points: int, times: int) -> str:
    count = "once" if times == 1 else f"{times} times"
    return f"{say_number(points, signed=True)} {why or 'without a reason'}: {count}"
