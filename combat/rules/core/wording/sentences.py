"""Log lines: every fact as a sentence, with its details. The catalogues hold the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from ..basics.dice.throws import parse_throw
from ..basics.words import MINUS, SELF, Label, Phrase, find_places, joined, say, say_people
from ..declaration.book import TableOption
from ..declaration.parts import DEFENDED
from ..declaration.system import System
from ..state import events as e
from ..state.events import tell_averted
from ..state.state import Condition
from .pen import Line, Names, Pen

# Conditions in words: how each begins, changes and ends, also by the GM.


# Decisions told by their effect
EFFECT_TELLS = ("gm.condition", "gm.end_condition", "gm.seats", "gm.unseats", "gm.leaves")
WHY_TELLS = ("gm.track", "gm.end_condition")  # the effect gives their reason too
OF_PLAYER = "gm.corrects_own"  # decided by the player, not by the GM
# Ends of a silent condition that need no line: by the action that it helps, or as the rules always end it
USED_UP = ("why.used", "why.used_by_attack", "why.round_over", "why.turn_over", "why.fight_over")
DOUBLED = "why.one_is_enough"  # the second of a kind is dropped, and the first goes on
TYPED = ("roll.typed", "roll.typed_against")
FALLEN = "prone"  # how those who go down lie
JOINS = "why.joins"  # the order of a newcomer
CORRECTED = "corrected"  # the reason that the form of a correction fills in
MAX_FACES = 10  # of free dice that a sentence lists
UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
TRACK_VERBS = {False: ("loses", "gains"), True: ("recovers", "takes")}


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
    by = "of_player" if key == OF_PLAYER else "gm"
    return Line(pen.either(by, reason, what=event.what))


# Checks in words: who does what, and the sum of the roll.


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
    elif event.against_label == e.UNKNOWN_NUMBER:
        sums = say("sums.against_unknown", total=event.total, number=event.against_label)
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


def is_typed(check: e.Checked) -> bool:
    """Whether someone typed what a check is for."""
    return _find_purpose(check.roll.why).key in TYPED


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


def describe_facts(system: System, facts: Iterable[e.Fact], names: Names) -> tuple[Line, ...]:
    """The sentences of the facts that have one."""
    return tuple([line for _, line in tell_facts(system, facts, names)])


def tell_facts(system: System, facts: Iterable[e.Fact], names: Names) -> list[tuple[e.Event, Line]]:
    """The sentences of facts, each with its event: of one wound or cure only one, with what it came to."""
    found: list[tuple[e.Event, Line]] = []
    for divided in _find_divided(system, tell_once(system, tell_defended(facts))):
        fact = divided[0]
        line = describe(system, fact, names)
        if line and len(divided) > 1:
            line = _tell_divided(Pen(system, names), divided, line)
        if line is None:
            continue
        if found and _is_told_better(system, *found[-1], fact.event):
            found.pop()
        found.append((fact.event, line))
    return found


def _find_divided(system: System, facts: Iterable[e.Fact]) -> Iterator[list[e.Fact]]:
    """The facts one by one, but together where one wound or cure changes several numbers of someone."""
    for _, alike in groupby(facts, lambda fact: _find_wound(system, fact)):
        found = list(alike)
        if sum(_has_sums(fact) for fact in found) > 1:
            yield from ([fact] for fact in found)
        else:
            yield found


def _find_wound(system: System, fact: e.Fact) -> object:
    event = fact.event
    if isinstance(event, e.TrackChanged) and not event.word and event.new != event.old:
        verb = TRACK_VERBS[_rises(system, event.track)][event.new > event.old]
        return event.who, event.why, event.by, fact.rule, fact.to, verb
    return object()  # equal to no other key


def _has_sums(fact: e.Fact) -> bool:
    return isinstance(fact.event, e.TrackChanged) and bool(fact.event.roll or fact.event.terms)


def tell_once(system: System, facts: Iterable[e.Fact]) -> Iterator[e.Fact]:
    """The facts of a step, with repetitions joined and without what goes without saying.

    Those who go down lie prone, and what they were doing ends.
    """
    down: set[str] = set()
    for fact in gather(facts):
        event = fact.event
        if isinstance(event, e.ConditionGained | e.ConditionEnded) and event.who in down:
            if isinstance(event, e.ConditionEnded) or event.condition.kind == FALLEN:
                continue
        if isinstance(event, e.ConditionGained) and event.condition.kind in system.actions.out:
            down.add(event.who)
        yield fact


def _is_told_better(system: System, last: e.Event, told: Line, event: e.Event) -> bool:
    """Whether an event says all that a loss without its points told.

    Several tracks have one word; and those who go down by a blow read only that.
    """
    if not (isinstance(last, e.TrackChanged) and last.word and last.word != e.UNTOLD):
        return False
    if isinstance(event, e.TrackChanged):
        return (event.who, event.why) == (last.who, last.why) and bool(event.word)
    if not isinstance(event, e.ConditionGained) or event.who != last.who:
        return False
    goes_down = event.condition.kind in system.actions.out
    is_alike = system.draw(event.condition.label) == system.draw(last.word)
    return (goes_down or is_alike) and system.draw(last.why) not in told.text


def describe(system: System, fact: e.Fact, names: Names) -> Line | None:
    """The sentence of a fact, or None for bookkeeping."""
    if _is_told_elsewhere(system, fact):
        return None
    is_private = isinstance(fact.event, e.SceneSet) and fact.to == e.GM_ONLY
    words = _zones if is_private else _WORDS.get(type(fact.event))
    found = words(Pen(system, names), fact.event) if words else None
    if found is None:
        return None
    to = e.EVERYONE if _is_told_alike(system, fact, found.text, names) else fact.to
    look = find_look(system, fact.event)
    return msgspec.structs.replace(found, rule=fact.rule, to=to, look=look)


def _is_told_elsewhere(system: System, fact: e.Fact) -> bool:
    """Whether the line of another fact says it: a rule that changes the scene has a sentence for that."""
    event, look = fact.event, system.look
    if isinstance(event, e.SceneSet):
        return bool(fact.rule)
    if isinstance(event, e.ConditionChanged):
        return fact.rule in look.silent_rules
    if isinstance(event, e.ConditionEnded):
        return event.why in look.silent_lines
    return isinstance(event, e.Said) and event.key in look.silent_lines


def _is_told_alike(system: System, fact: e.Fact, text: str, names: Names) -> bool:
    """Whether others read the same words, though the details of the fact are not for them."""
    if not isinstance(fact.redacted, e.Said):
        return False
    told = _WORDS[e.Said](Pen(system, names), fact.redacted)
    return told is not None and told.text == text


def find_look(system: System, event: e.Event) -> str:
    """The kind of an event; empty if the line of its action already shows it."""
    match event:
        case e.TrackChanged() if event.new != event.old:
            lost = (event.new < event.old) != _rises(system, event.track)
            return system.kinds.of_damage(event.why) if lost else "aid"
        case e.ConditionGained() | e.ConditionChanged():
            return system.kinds.sign_of(event.condition)
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
            e.SceneSet()
            | e.MapSet()
            | e.MapChanged()
            | e.CombatantJoined()
            | e.CombatantLeft()
            | e.Renamed()
            | e.AliasSet()
        ):
            return "ruling"
    return ""


def _rises(system: System, track: str) -> bool:
    return any(t.key == track and t.rises for t in system.characters.tracks)


def _track(pen: Pen, event: e.TrackChanged) -> Line:
    change = event.new - event.old
    rises = _rises(pen.system, event.track)
    if event.why == CORRECTED:
        text = pen.write("corrected", what=_tell_track(pen, msgspec.structs.replace(event, why="")))
    else:
        text = _tell_track(pen, event)
    tone = ("good" if (change > 0) != rises else "bad") if change else "plain"
    correction = {"correction": "mend", "track": event.track, "points": change} if change else {}
    line = Line(text, roll=pen.roll(event.roll), terms=pen.terms(event.terms), tone=tone, who=event.who)
    return msgspec.structs.replace(line, **correction)


def _tell_divided(pen: Pen, facts: list[e.Fact], line: Line) -> Line:
    """One line for all that a wound or cure changes; to correct it, the GM heals or harms."""
    events = [fact.event for fact in facts if isinstance(fact.event, e.TrackChanged)]
    first = events[0]
    verb = TRACK_VERBS[_rises(pen.system, first.track)][first.new > first.old]
    amount = joined(map(_amount, events))
    corrected = first.why == CORRECTED
    text = pen.either(verb, "" if corrected else first.why, who=first.who, amount=amount)
    summed = next((event for event in events if event.roll or event.terms), first)
    return msgspec.structs.replace(
        line,
        text=pen.write("corrected", what=text) if corrected else text,
        roll=pen.roll(summed.roll),
        terms=pen.terms(summed.terms),
        correction="heal" if line.tone == "bad" else "damage",
        track="",
        points=0,
    )


def _tell_track(pen: Pen, event: e.TrackChanged) -> str:
    change = event.new - event.old
    if not change:
        key = "no_damage" if event.why else "no_damage_at_all"
        return pen.write(key, who=event.who, why=event.why)
    rises = _rises(pen.system, event.track)
    verb = TRACK_VERBS[rises][change > 0]
    if event.word and event.word != e.UNTOLD:
        if event.by not in ("", event.who) and (change > 0) == rises:
            return pen.either("hit_word", event.why, who=event.who, shown=_say_health(pen, event.word))
        track = f"track.{event.track}"
        same = pen.draw(event.why).casefold() == pen.draw(event.word).casefold()
        return pen.either(
            f"{verb}_word", "" if same else event.why, who=event.who, track=track, shown=event.word
        )
    return pen.either(verb, event.why, who=event.who, amount=_amount(event))


def _say_health(pen: Pen, word: Label) -> Label:
    """The health of someone who was hit: what only the unhurt have is "still healthy", the rest is new."""
    still = f"still.{word.removeprefix('health.')}" if isinstance(word, str) else ""
    return still if still in pen.system.words else say("log.now", shown=word)


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


def _free_dice(pen: Pen, event: e.DiceRolled) -> Line:
    """Who rolled what, each die and the sum; of many dice only the sum, for the roll beside it shows them."""
    if event.term:
        return _free_term(pen, event)
    roll, added = event.roll, event.roll.total - event.roll.natural
    parts = " + ".join(map(str, roll.faces))
    if added:
        parts += f" {'+' if added > 0 else MINUS} {abs(added)}"
    is_plain = parts.isdigit() or len(roll.faces) > MAX_FACES
    total = str(roll.total) if is_plain else f"{parts} = {roll.total}"
    text = pen.write("free_dice_sum", deed=name_free_dice(event), sum=total)
    return Line(text, roll=pen.roll(roll), total=roll.total, who=event.who)


def _free_term(pen: Pen, event: e.DiceRolled) -> Line:
    """The same of a term such as 3d6kh2: dice that do not count stand in brackets."""
    thrown, first = parse_throw(event.term), event.roll
    left, counted = list(first.faces), thrown.choose(first.faces)
    for face in counted:
        left.remove(face)
    parts = " + ".join(map(str, [*counted, *(face for one in event.more for face in one.faces)]))
    if thrown.tens:
        parts = " and ".join(map(str, first.faces))
    if plus := thrown.parts[0].plus:
        parts += f" {'+' if plus > 0 else MINUS} {abs(plus)}"
    parts += f" ({', '.join(map(str, left))})" if left else ""
    is_long = len(first.faces) + sum(len(one.faces) for one in event.more) > MAX_FACES
    total = str(event.total) if is_long else f"{parts} = {event.total}"
    text = pen.write("free_dice_sum", deed=name_free_dice(event), sum=total)
    return Line(text, total=event.total, who=event.who)


def name_free_dice(event: e.DiceRolled) -> Phrase:
    """What is done: "Ada rolls 2d6+3"."""
    key = "" if event.who else "_secret" if event.secret else "_gm"
    return say(f"log.free_dice{key}", who=event.who, dice=event.term or event.roll.dice)


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
    order = f"standing_order.{event.args.get('value')}"
    if event.key == "log.standing_order" and order in pen.system.words:
        return order
    name = event.key.removeprefix("log.")
    sections = (label.partition(".")[0] for label in event.args.values() if isinstance(label, str))
    keys = (f"said.{name}_{section}" for section in sections)
    return next((key for key in keys if key in pen.system.words), event.key)


def _joined(pen: Pen, event: e.CombatantJoined) -> Line | None:
    if event.arrives:  # that reinforcements arrive is said already
        return None
    who = event.combatant
    named = Pen(pen.system, {who.id: pen.names.get(who.id, who.name)})
    return Line(named.write("joins", who=who.id, side=who.side), who=who.id)


def _order(pen: Pen, event: e.OrderSet) -> Line | None:
    if event.why in ("", JOINS):  # that somebody joins is said already
        return None
    listed = ", ".join(pen.names[who] for who in event.order if who in pen.names)
    return Line(pen.write("order", listed=listed, why=event.why))


def _turn(pen: Pen, event: e.TurnStarted) -> Line:
    return Line(pen.write("turn", who=event.who), kind="turn", who=event.who)


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


def _counter(pen: Pen, event: e.CounterSet) -> Line | None:
    counter, old = event.counter, event.old
    if old == counter.left:
        return None  # how it refills is no news
    key = "counter_new" if old is None else "counter_spent" if old > counter.left else "counter_back"
    words = pen.write(key, who=event.who, name=counter.name, n=counter.left, of=counter.most)
    return Line(words, who=event.who)


def _reserve(pen: Pen, event: e.ReserveSet) -> Line | None:
    if event.end == e.ARRIVES:  # that reinforcements arrive is said already
        return None
    one, key = event.reserve, "not_waiting" if event.end else f"waits_{event.reserve.when}"
    listed = say_people(one.who)
    return Line(pen.write(key, listed=listed, n=len(one.who), at_round=one.at_round))


def _own_condition(pen: Pen, event: e.OwnConditionSet) -> Line:
    key, rules = "own_condition_gone" if event.gone else "own_condition", pen.system.characters.own_conditions
    return Line(pen.write(key, name=event.condition.name, does=rules.describe(event.condition)))


def _over(pen: Pen, event: e.FightEnded) -> Line:
    why = event.why.rstrip(".") if isinstance(event.why, str) else event.why
    return Line(pen.either("over", why), kind="turn")


def _zones(pen: Pen, event: e.Event) -> Line:
    """A scene with the name and settings it had: only its zones are others, and only the GM is told."""
    return Line(pen.write("zones"))


def _map(pen: Pen, event: e.MapChanged) -> Line:
    """A change of the map's parts, or of what players know of it."""
    is_fog = event.look and event.look.fog and event == e.MapChanged(look=event.look)
    return Line(pen.write("fog" if is_fog else "map"))


def _renamed(pen: Pen, event: e.Renamed) -> Line:
    key = "changes_side" if event.only_side else "renamed"
    return Line(pen.write(key, who=event.who, name=event.name, side=event.side))


def _alias(pen: Pen, event: e.AliasSet) -> Line:
    if event.alias is None:
        return Line(pen.write("alias_revealed", was=event.was, name=event.name), who=event.who)
    return Line(pen.write("alias_set", name=event.name, real=event.alias.real), who=event.who)


def say_span(seconds: int) -> str:
    """A span of time in full: 5 400 seconds are 1 hour 30 minutes."""
    parts, left = [], seconds
    for size, unit in UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count != 1 else ''}")
    return " ".join(parts) or "0 seconds"


_WORDS: dict[type, Callable[[Pen, Any], Line | None]] = {
    e.Checked: describe_check,
    e.DiceRolled: _free_dice,
    e.Earned: _earned,
    e.TrackChanged: _track,
    e.ConditionGained: describe_gain,
    e.ConditionChanged: describe_change,
    e.ConditionEnded: describe_end,
    e.Moved: _moved,
    e.Boarded: _boarded,
    e.ItemChanged: _item,
    e.ItemGained: _item,
    e.ItemLost: _item,
    e.Said: _said,
    e.CombatantJoined: _joined,
    e.CombatantLeft: lambda pen, event: Line(pen.either("leaves", event.why, who=event.who), who=event.who),
    e.OrderSet: _order,
    e.TimePassed: lambda pen, event: Line(
        pen.either("later", event.why, span=say_span(event.seconds)), kind="turn"
    ),
    e.TurnStarted: _turn,
    e.TurnShared: _turn,
    e.Overruled: describe_decision,
    e.OptionSet: _option,
    e.SettingSet: _setting,
    e.ClockSet: _clock,
    e.ClockRemoved: lambda pen, event: Line(pen.write("clock_removed", name=event.name)),
    e.CounterSet: _counter,
    e.CounterRemoved: lambda pen, event: Line(
        pen.write("counter_removed", who=event.who, name=event.name), who=event.who
    ),
    e.RulingSet: lambda pen, event: Line(
        pen.write("ruling_kept", who=event.who, name=event.ruling.name), who=event.who
    ),
    e.RulingRemoved: lambda pen, event: Line(
        pen.write("ruling_dropped", who=event.who, name=event.name), who=event.who
    ),
    e.ReserveSet: _reserve,
    e.OwnConditionSet: _own_condition,
    e.RulesMoved: lambda pen, event: Line(pen.write("rules_moved", old=event.old, new=event.new)),
    e.SceneSet: lambda pen, event: Line(pen.write("scene", name=event.scene.name or "new zones")),
    e.MapSet: lambda pen, event: Line(pen.write("map_set" if event.map else "map_gone")),
    e.MapChanged: _map,
    e.FightStarted: lambda pen, event: Line(pen.write("begins"), kind="turn"),
    e.FightEnded: _over,
    e.RoundStarted: lambda pen, event: Line(pen.write("round", n=event.round), kind="round"),
    e.HiddenSet: lambda pen, event: Line(pen.write("hidden" if event.hidden else "revealed", who=event.who)),
    e.Renamed: _renamed,
    e.AliasSet: _alias,
}


def gather(facts: Iterable[e.Fact]) -> Iterator[e.Fact]:
    """The facts, with repetitions joined.

    Items of one name that go the same way at once become "drops Dagger × 2"; changes of one number for one
    reason become "loses 3 Hull (3 → 0)".
    """
    for _, alike in groupby(facts, _find_repetition):
        first, *more = alike
        yield _join(first, more) if more else first


def _join(first: e.Fact, more: list[e.Fact]) -> e.Fact:
    """Several similar facts as one."""
    began, last = first.event, more[-1].event
    if not (isinstance(began, e.TrackChanged) and isinstance(last, e.TrackChanged)):
        return _number(first, len(more) + 1)
    return msgspec.structs.replace(first, event=msgspec.structs.replace(last, old=began.old))


def _find_repetition(fact: e.Fact) -> object:
    event = fact.event
    if isinstance(event, e.TrackChanged) and not (event.terms or event.roll) and event.new != event.old:
        return (
            type(event),
            event.who,
            event.track,
            event.why,
            event.by,
            event.new > event.old,
            fact.rule,
            fact.to,
        )
    if isinstance(event, e.ItemChanged | e.ItemGained | e.ItemLost):
        return type(event), event.who, event.how, event.item.name, event.item.place, fact.rule, fact.to
    return object()  # equal to no other key


def _number(fact: e.Fact, count: int) -> e.Fact:
    event = fact.event
    assert isinstance(event, e.ItemChanged | e.ItemGained | e.ItemLost), "only these are alike but for tracks"
    named = msgspec.structs.replace(event.item, name=f"{event.item.name} × {count}")
    return msgspec.structs.replace(fact, event=msgspec.structs.replace(event, item=named))
