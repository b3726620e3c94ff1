"""Conditions in words: how each begins, changes and ends, also by the GM."""

from __future__ import annotations

from ..basics.words import Label, Phrase
from ..declaration.system import System
from ..state import events as e
from ..state.state import Condition
from .pen import Line, Pen

# Decisions told by their effect
EFFECT_TELLS = ("gm.condition", "gm.end_condition", "gm.seats", "gm.unseats", "gm.leaves")
WHY_TELLS = ("gm.track", "gm.end_condition")  # the effect gives their reason too
# Ends of a silent condition that need no line: by the action that it helps, or as the rules always end it
USED_UP = ("why.used", "why.used_by_attack", "why.round_over", "why.turn_over", "why.fight_over")
DOUBLED = "why.one_is_enough"  # the second of a kind is dropped, and the first goes on


def describe_gain(pen: Pen, event: e.ConditionGained) -> Line | None:
    """The line of a condition that begins; None if another line tells it."""
    held, words = event.condition, pen.system.words
    known, name = pen.system.characters.describe_condition(held.kind), _name(held.label)
    own, gets = f"gained.{name}", f"gets.{name}"
    if not known.for_gm or (known.silent and gets not in words):
        return None
    args = held.label.args if isinstance(held.label, Phrase) else {}
    if held.level > 1:
        text = _tell_level(pen, event.who, held)
    elif own in words:
        text = pen.say(Phrase(own, {**args, "who": event.who}))
    elif gets in words:
        text = pen.write("condition_is", who=event.who, gets=Phrase(gets, args))
    else:
        text = pen.write("condition", who=event.who, label=held.label)
    return Line(_add_turns(pen, event, text), who=event.who, correction="condition")


def _add_turns(pen: Pen, event: e.ConditionGained, text: str) -> str:
    """The sentence with how many turns it lasts, if several; one under way is told apart, as on its chip."""
    until, what = event.condition.until, text.removesuffix(".")
    if until is None or until.count < 2:
        return text
    if not event.in_turn:
        return pen.write("for_turns", what=what, n=until.count)
    if until.count == 2:
        return pen.write("for_next_turn", what=what, who=until.who)
    return pen.write("for_later_turns", what=what, n=until.count - 1)


def describe_change(pen: Pen, event: e.ConditionChanged) -> Line | None:
    """The line of a condition with another level."""
    held = event.condition
    if held.level < 2 or pen.system.characters.describe_condition(held.kind).silent:
        return None
    return Line(_tell_level(pen, event.who, held), who=event.who)


def _tell_level(pen: Pen, who: str, held: Condition) -> str:
    """The sentence of a level above the first: the game's own, or one with the label."""
    worse = f"worse.{_name(held.label)}"
    if worse in pen.system.words:
        args = held.label.args if isinstance(held.label, Phrase) else {}
        return pen.say(Phrase(worse, {**args, "who": who, "level": held.level}))
    return pen.write("condition_level", who=who, label=held.label, level=held.level)


def describe_end(pen: Pen, event: e.ConditionEnded) -> Line | None:
    """The line of a condition that ends; None if it only goes the way of all of its kind."""
    words, label = pen.system.words, event.label
    is_used_up = event.why in USED_UP and _is_silent(pen.system, label)
    if not _is_told(pen.system, label) or is_used_up or event.why == DOUBLED:
        return None
    own, over = f"ended.{_name(label)}", f"over.{_name(label)}"
    args = label.args if isinstance(label, Phrase) else {}
    why = "" if over in words and event.why == "why.expired" else event.why
    if own in words:
        return Line(pen.either("ends", why, what=Phrase(own, {**args, "who": event.who})), who=event.who)
    key = "condition_over" if over in words else "condition_ends"
    text = pen.either(key, why, who=event.who, label=label, over=Phrase(over, args))
    return Line(text, who=event.who)


def _name(label: Label) -> str:
    """The name of a condition in the keys of its words: "prone", "limb_severed"."""
    key = label.key if isinstance(label, Phrase) else label
    return key.removeprefix("condition.").replace(".", "_")


def _is_silent(system: System, label: Label) -> bool:
    """Whether another line tells of such a condition."""
    kind = label.removeprefix("condition.") if isinstance(label, str) else ""
    return system.characters.describe_condition(kind).silent


def _is_told(system: System, label: Label) -> bool:
    """Whether the log tells the start of such a condition; bookkeeping has no line."""
    kind = label.removeprefix("condition.") if isinstance(label, str) else ""
    return system.characters.describe_condition(kind).for_gm


def describe_decision(pen: Pen, event: e.Overruled) -> Line | None:
    """The line of a decision of the GM: only its reason if the next line tells the effect, or none."""
    key, args = (event.what.key, event.what.args) if isinstance(event.what, Phrase) else (event.what, {})
    what, reason, words = args.get("what", ""), event.reason.rstrip("."), pen.system.words
    is_told = not isinstance(what, int | float) and (
        not _is_silent(pen.system, what) or (key == "gm.condition" and f"gets.{_name(what)}" in words)
    )
    if is_told and (key in WHY_TELLS or (key in EFFECT_TELLS and not reason)):
        return None
    if is_told and key in EFFECT_TELLS:
        return Line(pen.write("gm", what=reason))
    return Line(pen.either("gm", reason, what=event.what))
