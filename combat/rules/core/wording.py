"""Log lines: every fact as a sentence, with its details. The catalogues hold the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from .basics.dice.dice import Roll
from .basics.modifiers import Derived, Modifier, Modifiers, add_up
from .basics.words import SOMEONE, Label, Phrase, capitalized, find_places, say, say_number
from .commands.commands import Preview
from .declaration.options import TableOption
from .declaration.people import Health
from .declaration.system import System
from .sheets.sheets import Budget
from .state import events as e
from .state.repetitions import gather
from .state.state import State

Names = Mapping[str, str]
NEXT_TELLS = ("gm.condition", "gm.end_condition", "gm.seats", "gm.unseats")  # decisions told by their effect
# Ends of a silent condition that need no line: by the action that it helps, or as the rules always end it
USED_UP = ("why.used", "why.used_by_attack", "why.round_over", "why.turn_over")
UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


class Line(msgspec.Struct, frozen=True):
    """One sentence of the log. `against_terms` explain the number the roll had to reach.

    `sum_label` names the total of the roll and its terms. `tone` is good, bad or plain; `to` says who reads
    the sentence; `mend` is the form that would correct it: "condition", or "mend" for the `points` that a
    `track` gained or lost; `look` is the kind of the event, for its icon, if it has one.
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
    track: str = ""
    points: int = 0
    look: str = ""
    sum_label: str = "Total"

    @property
    def mended(self) -> str:
        """The address of the form that would correct it, after `row=`."""
        return f"{self.mend}&track={self.track}&points={self.points}" if self.track else self.mend

    @property
    def sum(self) -> str:
        """The total of the terms and the dice of a check, in points."""
        return say_number(add_up(self.terms) if self.total is None else self.total)

    @property
    def thrown(self) -> int | None:
        """What the dice add to the sum; None if they count another way or are among the terms."""
        if self.roll is None or self.total is None or self.roll.total + add_up(self.terms) != self.total:
            return None
        return self.roll.total


def describe_facts(system: System, facts: Iterable[e.Fact], names: Names) -> tuple[Line, ...]:
    """The sentences of the facts that have one."""
    found: list[Line] = []
    for fact in gather(facts):
        line = describe(system, fact, names)
        if line and not (found and _says_no_more(fact.event, line, found[-1])):
            found.append(line)
    return tuple(found)


def _says_no_more(event: e.Event, line: Line, last: Line) -> bool:
    """Whether a change without its points reads as the line before: several tracks have one word."""
    return isinstance(event, e.TrackChanged) and bool(event.word) and line.text == last.text


def describe(system: System, fact: e.Fact, names: Names) -> Line | None:
    """The sentence of a fact, or None for bookkeeping."""
    if isinstance(fact.event, e.ConditionChanged) and fact.rule in system.look.silent_rules:
        return None
    words = _WORDS.get(type(fact.event))
    found = words(Pen(system, names), fact.event) if words else None
    if found is None:
        return None
    to = e.EVERYONE if _is_told_alike(system, fact, found.text, names) else fact.to
    look = find_look(system, fact.event)
    return msgspec.structs.replace(found, rule=fact.rule, to=to, look=look)


def _is_told_alike(system: System, fact: e.Fact, text: str, names: Names) -> bool:
    """Whether others read the same words, though the details of the fact are not for them."""
    if not isinstance(fact.twin, e.Said):
        return False
    told = _WORDS[e.Said](Pen(system, names), fact.twin)
    return told is not None and told.text == text


def find_look(system: System, event: e.Event) -> str:
    """The kind of an event; empty if the line of its action already shows it."""
    match event:
        case e.TrackChanged() if event.new != event.old:
            lost = (event.new < event.old) != _rises(system, event.track)
            return system.kinds.of_damage(event.why) if lost else "aid"
        case e.ConditionGained() | e.ConditionChanged():
            return system.kinds.of_condition(event.condition.kind)
        case e.Moved():
            return "move"
        case e.ItemChanged() | e.ItemGained() | e.ItemLost():
            return "item"
        case e.TurnStarted() | e.TurnShared() | e.OrderSet() | e.FightStarted() | e.FightEnded():
            return "wait"
        case e.TimePassed():
            return "time"
        case e.Overruled() | e.OptionSet() | e.SettingSet() | e.RulesMoved():
            return "ruling"
        case (
            e.SceneSet() | e.MapSet() | e.MapChanged() | e.CombatantJoined() | e.CombatantLeft() | e.Renamed()
        ):
            return "ruling"
    return ""


def _rises(system: System, track: str) -> bool:
    return any(t.key == track and t.rises for t in system.people.tracks)


def pen_of(system: System, state: State) -> Pen:
    """A pen for a reader who may know all of a state, such as a redacted one."""
    return Pen(system, {who: combatant.name for who, combatant in state.combatants.items()})


class Pen:
    """Writes sentences of one game for a reader who knows these names."""

    def __init__(self, system: System, names: Names) -> None:
        self.system = system
        self.names = names

    def draw(self, label: Label) -> str:
        """The words of a label."""
        return self.system.draw(label, self.names)

    def write(self, key: str, /, **args: Any) -> str:
        """The sentence of a key; labels among the arguments are drawn too."""
        return self.say(Phrase(f"log.{key}", args))

    def say(self, phrase: Phrase) -> str:
        """The sentence of a phrase, capitalized unless it begins with a name."""
        words = self.system.draw(phrase, self.names)
        return capitalized(words) if words.startswith(SOMEONE) else words

    def either(self, key: str, why: Label, /, **args: Any) -> str:
        """The sentence with its reason, or the shorter one if there is no reason."""
        return self.write(f"{key}_why", why=why, **args) if why else self.write(key, **args)

    def terms(self, terms: Modifiers) -> Modifiers:
        """Terms of a sum with their labels drawn."""
        return tuple(Modifier(self.system.draw(t.label, self.names), t.value, t.rule) for t in terms)

    def derived(self, numbers: Iterable[Derived]) -> tuple[Derived, ...]:
        """Numbers with the labels of their terms drawn."""
        return tuple(msgspec.structs.replace(n, terms=self.terms(n.terms)) for n in numbers)

    def budget(self, budget: Budget) -> Budget:
        """A budget of creation with the labels of its terms drawn."""
        return msgspec.structs.replace(budget, terms=self.terms(budget.terms))

    def health(self, health: Health) -> Health:
        """The health of a combatant, with its word drawn."""
        return msgspec.structs.replace(health, word=self.system.draw(health.word))

    def preview(self, preview: Preview) -> Preview:
        """The sums of a command with their words drawn."""
        return msgspec.structs.replace(
            preview,
            modifiers=self.terms(preview.modifiers),
            against=self.terms(preview.against),
            against_label=self.system.draw(preview.against_label, self.names),
            notes=tuple(self.system.draw(note, self.names) for note in preview.notes),
        )

    def outcome(self, check: e.Checked) -> str:
        """The outcome of a check; `told` has words for the outcome of one kind of check, if they differ."""
        kind = (check.what.key if isinstance(check.what, Phrase) else check.what).removeprefix("check.")
        own = f"told.{kind}_{check.outcome.removeprefix('outcome.')}"
        return self.draw(own if own in self.system.words else check.outcome)

    def roll(self, roll: Roll | None) -> Roll | None:
        """A roll with its reason drawn."""
        return msgspec.structs.replace(roll, why=self.system.draw(roll.why, self.names)) if roll else None


def _checked(pen: Pen, event: e.Checked) -> Line:
    number = pen.system.draw(event.against_label, pen.names)
    deed = _find_deed(pen, event)
    key = "deed" if deed else "check_on" if event.target in pen.names else "check"
    text = pen.write(
        key if event.against is None else f"{key}_against",
        who=event.who,
        target=event.target,
        what=event.what,
        does=deed,
        total=event.total,
        number=number,
        against=event.against or 0,
        outcome=pen.outcome(event),
    )
    return Line(
        text,
        roll=pen.roll(event.roll),
        terms=pen.terms(event.modifiers),
        total=event.total,
        against=event.against,
        against_label=number,
        against_terms=pen.terms(event.against_terms),
        tone="good" if event.good else "bad",
        who=event.who,
        sum_label=pen.draw(event.what),
    )


def _find_deed(pen: Pen, event: e.Checked) -> Label:
    """The deed behind a check, with its target; empty if the words name the check instead.

    The check is named too if the deed has no place for a known target, or has one and no target is known.
    """
    what = event.what if isinstance(event.what, Phrase) else Phrase(event.what)
    deed = what.key.removeprefix("check.")
    for key in (f"does_to.{deed}", f"does.{deed}"):
        words = pen.system.words.words.get(key)
        if words is not None and ("target" in find_places(words)) == (event.target in pen.names):
            return Phrase(key, {**what.args, "target": event.target})
    return ""


TRACK_VERBS = {False: ("loses", "gains"), True: ("recovers", "takes")}


def _track(pen: Pen, event: e.TrackChanged) -> Line:
    change = event.new - event.old
    rises = _rises(pen.system, event.track)
    if not change:
        key = "no_damage" if event.why else "no_damage_at_all"
        text = pen.write(key, who=event.who, why=event.why)
    else:
        verb = TRACK_VERBS[rises][change > 0]
        if event.word and event.word != e.UNTOLD:
            track = f"track.{event.track}"
            text = pen.either(f"{verb}_word", event.why, who=event.who, track=track, shown=event.word)
        else:
            text = pen.either(verb, event.why, who=event.who, amount=_amount(event))
    tone = ("good" if (change > 0) != rises else "bad") if change else "plain"
    mend = {"mend": "mend", "track": event.track, "points": change} if change else {}
    line = Line(text, roll=pen.roll(event.roll), terms=pen.terms(event.terms), tone=tone, who=event.who)
    return msgspec.structs.replace(line, **mend)


def _amount(event: e.TrackChanged) -> Label:
    """The points lost or gained, unless the table hides them."""
    label = f"track.{event.track}"
    if event.word == e.UNTOLD:
        return label
    shown = say("log.from_to", old=event.old, new=event.new)
    return say("log.amount", n=abs(event.new - event.old), track=label, shown=shown)


def _earned(pen: Pen, event: e.Earned) -> Line | None:
    if not event.count:
        return None
    return Line(pen.write("earns", who=event.who, what=say(event.what, n=event.count)), who=event.who)


def _gained(pen: Pen, event: e.ConditionGained) -> Line | None:
    held = event.condition
    known = pen.system.people.describe_condition(held.kind)
    key, gets = ("condition_level" if held.level > 1 else "condition"), f"gets.{held.kind}"
    if not known.for_gm or (known.silent and gets not in pen.system.words):
        return None
    if held.level < 2 and held.label == f"condition.{held.kind}" and gets in pen.system.words:
        key = "condition_is"
    text = pen.write(key, who=event.who, label=held.label, level=held.level, gets=gets)
    return Line(text, who=event.who, mend="condition")


def _changed(pen: Pen, event: e.ConditionChanged) -> Line | None:
    held = event.condition
    if held.level < 2 or pen.system.people.describe_condition(held.kind).silent:
        return None
    return Line(
        pen.write("condition_level", who=event.who, label=held.label, level=held.level), who=event.who
    )


def _ended(pen: Pen, event: e.ConditionEnded) -> Line | None:
    if not _is_told(pen.system, event.label) or (
        event.why in USED_UP and _is_silent(pen.system, event.label)
    ):
        return None
    over = f"over.{event.label.removeprefix('condition.')}" if isinstance(event.label, str) else ""
    key = "condition_over" if over in pen.system.words else "condition_ends"
    why = "" if key == "condition_over" and event.why == "why.expired" else event.why
    return Line(pen.either(key, why, who=event.who, label=event.label, over=over), who=event.who)


def _is_silent(system: System, label: Label) -> bool:
    kind = label.removeprefix("condition.") if isinstance(label, str) else ""
    return system.people.describe_condition(kind).silent


def _is_told(system: System, label: Label) -> bool:
    """Whether the log tells the start of such a condition; bookkeeping has no line."""
    kind = label.removeprefix("condition.") if isinstance(label, str) else ""
    return system.people.describe_condition(kind).for_gm


def _moved(pen: Pen, event: e.Moved) -> Line:
    if event.how == "how.placed" and event.zone:
        return Line(pen.write("placed", who=event.who, zone=event.zone), who=event.who)
    differs = event.cost and abs(event.cost - event.metres) >= 0.05
    parts = ("_cost" if differs else "_metres" if event.metres else "") + ("_to" if event.zone else "")
    args = {"how": event.how, "metres": event.metres, "zone": event.zone, "cost": event.cost}
    return Line(pen.write(f"moves{parts}", who=event.who, **args), who=event.who)


def _boarded(pen: Pen, event: e.Boarded) -> Line:
    if not event.inside:
        return Line(pen.write("gets_out", who=event.who), who=event.who)
    station = f"station.{event.station}" if event.station else ""
    text = pen.write("boards_as" if station else "boards", who=event.who, other=event.inside, station=station)
    return Line(text, who=event.who)


def _item(pen: Pen, event: Any) -> Line | None:
    if not event.how:
        return None
    key = event.how if isinstance(event.how, str) else event.how.key
    section, _, name = key.partition(".")
    own = f"said.item_{name}"
    sentence = own if own in pen.system.words else "log.item_is" if section == "item_is" else "log.item"
    args = {"who": event.who, "how": event.how, "item": event.item.name}
    return Line(pen.say(Phrase(sentence, args)), who=event.who)


def _said(pen: Pen, event: e.Said) -> Line:
    people = {"who": event.who, "target": event.target}
    return Line(pen.say(Phrase(_find_sentence(pen, event), {**event.args, **people})), who=event.who)


def _find_sentence(pen: Pen, event: e.Said) -> str:
    """The key of a sentence; if one of its labels has a section with a sentence of its own, of that.

    `said.location_place` is how to say `log.location` with a label such as `place.head`.
    """
    name = event.key.removeprefix("log.")
    sections = (label.partition(".")[0] for label in event.args.values() if isinstance(label, str))
    keys = (f"said.{name}_{section}" for section in sections)
    return next((key for key in keys if key in pen.system.words), event.key)


def _joined(pen: Pen, event: e.CombatantJoined) -> Line:
    who = event.combatant
    return Line(Pen(pen.system, {who.id: who.name}).write("joins", who=who.id, side=who.side), who=who.id)


def _left(pen: Pen, event: e.CombatantLeft) -> Line:
    return Line(pen.either("leaves", event.why, who=event.who), who=event.who)


def _order(pen: Pen, event: e.OrderSet) -> Line | None:
    if not event.why:
        return None
    listed = ", ".join(pen.names[who] for who in event.order if who in pen.names)
    return Line(pen.write("order", listed=listed, why=event.why))


def _turn(pen: Pen, event: e.TurnStarted) -> Line:
    return Line(pen.write("turn", who=event.who), kind="turn", who=event.who)


def _overruled(pen: Pen, event: e.Overruled) -> Line | None:
    key, args = (event.what.key, event.what.args) if isinstance(event.what, Phrase) else (event.what, {})
    if key == "gm.track" or (key in NEXT_TELLS and not event.reason):
        what = args.get("what", "")
        silent = not isinstance(what, int | float) and _is_silent(pen.system, what)
        if not silent:
            return None  # the next line tells the change, with its reason
    return Line(pen.either("gm", event.reason.rstrip("."), what=event.what))


def _option(pen: Pen, event: e.OptionSet) -> Line:
    option = next(
        (o for o in pen.system.book.all_options if o.key == event.key), TableOption(event.key, event.key, "")
    )
    return Line(pen.write("option", label=option.label, value=option.describe(event.value)))


def _setting(pen: Pen, event: e.SettingSet) -> Line:
    known = next((s for s in pen.system.book.settings if s.key == event.key), None)
    label, choices = (known.label, dict(known.choices)) if known else (event.key, {})
    return Line(pen.write("setting", label=label, value=choices.get(event.value, event.value)))


def _clock(pen: Pen, event: e.ClockSet) -> Line | None:
    clock = event.clock
    if event.old is None:
        return Line(pen.write("clock_new", name=clock.name, n=clock.size))
    if event.old == clock.filled:
        return None  # only the GM sees what changed: how much fills with each round
    key = "clock_full" if clock.is_full else "clock_ticks"
    return Line(pen.write(key, name=clock.name, n=clock.filled, of=clock.size))


def _time(pen: Pen, event: e.TimePassed) -> Line:
    return Line(pen.either("later", event.why, span=say_span(event.seconds)), kind="turn")


def _over(pen: Pen, event: e.FightEnded) -> Line:
    why = event.why.rstrip(".") if isinstance(event.why, str) else event.why
    return Line(pen.either("over", why), kind="turn")


def _scene(pen: Pen, event: e.SceneSet) -> Line:
    return Line(pen.write("scene", name=event.scene.name or "new zones"))


def _renamed(pen: Pen, event: e.Renamed) -> Line:
    key = "changes_side" if event.only_side else "renamed"
    return Line(pen.write(key, who=event.who, name=event.name, side=event.side))


def say_span(seconds: int) -> str:
    """A span of time in full: 5 400 seconds are 1 hour 30 minutes."""
    parts, left = [], seconds
    for size, unit in UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count != 1 else ''}")
    return " ".join(parts) or "0 seconds"


_WORDS: dict[type, Callable[[Pen, Any], Line | None]] = {
    e.Checked: _checked,
    e.Earned: _earned,
    e.TrackChanged: _track,
    e.ConditionGained: _gained,
    e.ConditionChanged: _changed,
    e.ConditionEnded: _ended,
    e.Moved: _moved,
    e.Boarded: _boarded,
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
    e.SettingSet: _setting,
    e.ClockSet: _clock,
    e.ClockRemoved: lambda pen, event: Line(pen.write("clock_removed", name=event.name)),
    e.RulesMoved: lambda pen, event: Line(pen.write("rules_moved", old=event.old, new=event.new)),
    e.SceneSet: _scene,
    e.MapSet: lambda pen, event: Line(pen.write("map")),
    e.MapChanged: lambda pen, event: Line(pen.write("map")),
    e.FightStarted: lambda pen, event: Line(pen.write("begins"), kind="turn"),
    e.FightEnded: _over,
    e.RoundStarted: lambda pen, event: Line(pen.write("round", n=event.round), kind="round"),
    e.HiddenSet: lambda pen, event: Line(pen.write("hidden" if event.hidden else "revealed", who=event.who)),
    e.Renamed: _renamed,
}
