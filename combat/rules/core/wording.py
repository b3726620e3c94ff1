"""Log lines: every fact as a sentence, with what it opens to. Games give the nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from . import events as e
from .dice import Roll
from .modifiers import Modifiers
from .state import Scalar
from .system import System

Names = Mapping[str, str]
UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


class Line(msgspec.Struct, frozen=True):
    """One sentence of the log. `against_terms` explain the number the roll had to reach.

    `tone` is good, bad or plain; `to` the audience of the fact; `mend` what the GM would correct it
    with: "heal", "damage" or "condition".
    """

    text: str
    rule: str = ""
    to: str = e.EVERYONE
    roll: Roll | None = None
    terms: Modifiers = ()
    total: int | None = None
    against: int | None = None
    against_label: str = ""
    against_terms: Modifiers = ()
    tone: str = "plain"
    kind: str = "line"
    who: str = ""
    mend: str = ""


def describe_facts(system: System, facts: Iterable[e.Fact], names: Names) -> tuple[Line, ...]:
    """The sentences of facts that are worth one."""
    lines = (describe(system, fact, names) for fact in facts)
    return tuple(line for line in lines if line is not None)


def describe(system: System, fact: e.Fact, names: Names) -> Line | None:
    """The sentence of one fact, or None for bookkeeping."""
    words = _WORDS.get(type(fact.event))
    found = words(system, fact.event, names) if words else None
    if found is None:
        return None
    return msgspec.structs.replace(found, rule=fact.rule, to=fact.to)


def _name(names: Names, who: str) -> str:
    return names.get(who, "somebody")


def _checked(system: System, event: e.Checked, names: Names) -> Line:
    who, target = _name(names, event.who), names.get(event.target, "")
    at = f" on {target}" if target else ""
    if event.against is None:
        text = f"{who}: {event.what}{at} {event.total}."
    else:
        number = f"{event.total} against {event.against_label} {event.against}"
        text = f"{who}: {event.what}{at}, {number}: {event.outcome}."
    return Line(
        text,
        roll=event.roll,
        terms=event.modifiers,
        total=event.total,
        against=event.against,
        against_label=event.against_label,
        against_terms=event.against_terms,
        tone="good" if event.good else "bad",
        who=event.who,
    )


TRACK_VERBS = {False: ("loses", "gains"), True: ("recovers", "takes")}


def _track(system: System, event: e.TrackChanged, names: Names) -> Line:
    label = next((t.label for t in system.tracks if t.key == event.track), event.track)
    change = event.new - event.old
    rises = any(t.key == event.track and t.rises for t in system.tracks)
    if not change:
        text = f"{_name(names, event.who)} takes no harm from {event.why}."
    else:
        verb = TRACK_VERBS[rises][change > 0]
        text = f"{_name(names, event.who)} {verb} {abs(change)} {label}"
        shown = event.word or f"{event.old} → {event.new}"
        text += f" ({shown}){': ' + event.why if event.why else ''}."
    tone = ("good" if (change > 0) != rises else "bad") if change else "plain"
    mend = {"bad": "heal", "good": "damage"}.get(tone, "")
    return Line(text, roll=event.roll, terms=event.terms, tone=tone, who=event.who, mend=mend)


def _earned(system: System, event: e.Earned, names: Names) -> Line | None:
    if not event.count:
        return None
    return Line(f"{_name(names, event.who)} earns {event.what}: {event.count}.", who=event.who)


def _gained(system: System, event: e.ConditionGained, names: Names) -> Line | None:
    known = system.describe_condition(event.condition.kind)
    if not known.for_gm:
        return None
    level = f" {event.condition.level}" if event.condition.level > 1 else ""
    return Line(
        f"{_name(names, event.who)}: {event.condition.label}{level}.", who=event.who, mend="condition"
    )


def _changed(system: System, event: e.ConditionChanged, names: Names) -> Line | None:
    text = f"{_name(names, event.who)}: {event.condition.label} {event.condition.level}."
    return Line(text, who=event.who) if event.condition.level > 1 else None


def _ended(system: System, event: e.ConditionEnded, names: Names) -> Line | None:
    why = f": {event.why}" if event.why else ""
    return Line(f"{_name(names, event.who)} is no longer {event.label.lower()}{why}.", who=event.who)


def _moved(system: System, event: e.Moved, names: Names) -> Line:
    there = f" to {event.zone}" if event.zone else ""
    metres = f" {event.metres:g} m" if event.metres else ""
    differs = event.cost and abs(event.cost - event.metres) >= 0.05
    cost = f", {event.cost:g} m of movement" if differs else ""
    return Line(f"{_name(names, event.who)} {event.how}{metres}{there}{cost}.", who=event.who)


def _item(system: System, event: Any, names: Names) -> Line | None:
    if not event.how:
        return None
    who, item = _name(names, event.who), event.item.name
    if event.how.startswith(("is ", "jams", "takes ")):
        return Line(f"{who}'s {item} {event.how}.", who=event.who)
    return Line(f"{who} {event.how}: {item}.", who=event.who)


def _said(system: System, event: e.Said, names: Names) -> Line:
    text = event.text.replace("{who}", _name(names, event.who))
    return Line(text.replace("{target}", _name(names, event.target)), who=event.who)


def _joined(system: System, event: e.CombatantJoined, names: Names) -> Line:
    return Line(f"{event.combatant.name} joins ({event.combatant.side}).", who=event.combatant.id)


def _left(system: System, event: e.CombatantLeft, names: Names) -> Line:
    return Line(f"{_name(names, event.who)} leaves the encounter.", who=event.who)


def _order(system: System, event: e.OrderSet, names: Names) -> Line | None:
    if not event.why:
        return None
    listed = ", ".join(names[who] for who in event.order if who in names)
    return Line(f"Order: {listed} ({event.why}).")


def _turn(system: System, event: e.TurnStarted, names: Names) -> Line:
    return Line(f"{_name(names, event.who)}'s turn.", kind="turn", who=event.who)


def _overruled(system: System, event: e.Overruled, names: Names) -> Line:
    reason = f": {event.reason}" if event.reason else ""
    return Line(f"The GM decides on {event.what}{reason}.")


def say_choice(value: Scalar) -> str:
    """What a table option is set to, in words: yes, no, or its key without underscores."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def _option(system: System, event: e.OptionSet, names: Names) -> Line:
    label = next((o.label for o in system.all_options if o.key == event.key), event.key)
    return Line(f"Table option: {label}: {say_choice(event.value)}.")


def _time(system: System, event: e.TimePassed, names: Names) -> Line:
    why = f": {event.why}" if event.why else ""
    return Line(f"{say_span(event.seconds)} later{why}.", kind="turn")


def say_span(seconds: int) -> str:
    """A span of time in full: 5 400 seconds are 1 hour 30 minutes."""
    parts, left = [], seconds
    for size, unit in UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count != 1 else ''}")
    return " ".join(parts) or "0 seconds"


_WORDS: dict[type, Callable[[System, Any, Names], Line | None]] = {
    e.Checked: _checked,
    e.Earned: _earned,
    e.TrackChanged: _track,
    e.ConditionGained: _gained,
    e.ConditionChanged: _changed,
    e.ConditionEnded: _ended,
    e.Moved: _moved,
    e.ItemChanged: _item,
    e.ItemGained: _item,
    e.ItemLost: _item,
    e.Said: _said,
    e.CombatantJoined: _joined,
    e.CombatantLeft: _left,
    e.OrderSet: _order,
    e.TimePassed: _time,
    e.TurnStarted: _turn,
    e.TurnShared: _turn,
    e.Overruled: _overruled,
    e.OptionSet: _option,
    e.SettingSet: lambda s, v, n: Line(f"{v.label or v.key + ': ' + v.value}."),
    e.SceneSet: lambda s, v, n: Line(f"The scene is set: {v.scene.name or 'new zones'}."),
    e.FightStarted: lambda s, v, n: Line("The fight begins.", kind="turn"),
    e.FightEnded: lambda s, v, n: Line(f"The fight is over{': ' + v.why if v.why else ''}.", kind="turn"),
    e.RoundStarted: lambda s, v, n: Line(f"Round {v.round}", kind="round"),
    e.HiddenSet: lambda s, v, n: Line(f"{_name(n, v.who)} is {'hidden' if v.hidden else 'revealed'}."),
    e.Renamed: lambda s, v, n: Line(f"{_name(n, v.who)} is now {v.name} ({v.side})."),
}
