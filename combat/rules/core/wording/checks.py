"""Checks in words: who does what, and the sum of the roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..basics.words import SELF, Label, Phrase, find_places, say
from ..declaration.tactics import DEFENDED
from ..state import events as e
from ..state.checked import tell_averted
from .pen import Line, Pen


def describe_check(pen: Pen, event: e.Checked) -> Line:
    """The line of a check, with its roll and its sums."""
    key = "check" if event.against is None else "check_against"
    deed, sums = find_words(pen, event)
    return Line(
        pen.write(key, deed=deed, sums=sums, outcome=pen.outcome(event)),
        roll=pen.roll(event.roll),
        terms=pen.terms(event.modifiers),
        total=event.total,
        against=event.against,
        against_label=pen.draw(event.against_label),
        against_terms=pen.terms(event.against_terms),
        tone="good" if event.good else "bad",
        who=event.who,
        sum_label=pen.draw(event.what),
        averts=event.outcome == DEFENDED,
    )


def find_defenses(events: Sequence[e.Event]) -> dict[int, e.Checked]:
    """The defenses that made a successful attack fail, by the place of the attack among the events."""
    found = dict[int, e.Checked]()
    for place, defense in enumerate(events):
        if isinstance(defense, e.Checked) and defense.outcome == DEFENDED:
            for at in range(place - 1, -1, -1):
                attack = events[at]
                if isinstance(attack, e.Checked) and attack.good and attack.target == defense.who:
                    found.setdefault(at, defense)
                    break
    return found


def tell_defended(facts: Iterable[e.Fact]) -> tuple[e.Fact, ...]:
    """The facts, with each attack that a defense made fail as it was told before that: it would hit."""
    facts = tuple(facts)
    averted = find_defenses([fact.event for fact in facts])
    return tuple([tell_averted(fact) if n in averted else fact for n, fact in enumerate(facts)])


def find_words(pen: Pen, event: e.Checked) -> tuple[Phrase, Phrase]:
    """What is done in a check ("Zara attacks Pirate"), and its sum ("21 vs Defense 12")."""
    aim, words = _find_aim(pen, event), find_deed(pen, event)
    sums = say("sums.total", total=event.total)
    if event.against is not None and not event.against_label:
        sums = say("sums.against_unnamed", total=event.total, against=event.against)
    elif event.against is not None:
        sums = say("sums.against", total=event.total, number=event.against_label, against=event.against)
    return words, say("sums.named", what=event.what, sums=sums) if aim else sums


def find_deed(pen: Pen, check: e.Checked) -> Phrase:
    """What is done in a check: "Zara attacks Pirate"."""
    does = _find_aim(pen, check) or _find_deed(pen, check)
    if does:
        return say("deed.does", who=check.who, does=does)
    key = "deed.rolls_on" if check.target in pen.names else "deed.rolls"
    return Phrase(key, {"who": check.who, "what": check.what, "target": check.target})


def _find_aim(pen: Pen, event: e.Checked) -> Label:
    """What a roll is for; empty without words for it, or if they name someone unknown to the reader."""
    purpose = _find_purpose(event.roll.why)
    if purpose.key not in pen.system.words:
        return ""  # typed by a person
    words = pen.system.words.words.get(key := f"aims.{purpose.key.removeprefix('roll.')}")
    if words is None or ("target" in find_places(words) and purpose.args.get("target") not in pen.names):
        return ""
    is_self = purpose.args.get("target") == event.who
    return Phrase(key, {**purpose.args, "target": SELF} if is_self else purpose.args)


def _find_purpose(why: Label) -> Phrase:
    """The innermost reason of a roll: that of a check stands beside its name."""
    inner = why.args.get("why") if isinstance(why, Phrase) else None
    if isinstance(inner, str | Phrase):
        return _find_purpose(inner)
    return why if isinstance(why, Phrase) else Phrase(why)


def _find_deed(pen: Pen, event: e.Checked) -> Label:
    """The deed behind a check, with its target; empty if the words name the check instead.

    The check is named too if the deed has no place for a known target, or has one and no target is known.
    """
    what = event.what if isinstance(event.what, Phrase) else Phrase(event.what)
    target = SELF if event.target == event.who else event.target
    deed = what.key.rpartition(".")[2] if what.key in pen.system.words else ""
    for key in (f"does_to.{deed}", f"does.{deed}"):
        words = pen.system.words.words.get(key)
        if words is not None and ("target" in find_places(words)) == (event.target in pen.names):
            return Phrase(key, {**what.args, "target": target})
    return ""
