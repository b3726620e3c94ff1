"""The words that facts may hold, and the style of the lines drawn from them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.words import KEY, PEOPLE, SOMEONE, Label, MessageCatalogue, Phrase, find_places
from combat.rules.core.book.rulebook import find_folders
from combat.rules.core.declaration.system import System
from combat.rules.core.space import map_of
from combat.rules.core.state import events as e
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.wording import Line, describe
from tests.combat.rules.every_game.words.keys import find_sections

DICE = re.compile(r"\d*d\d+([+-]\d+)?|[+-]?\d+")  # handfuls and plain numbers
# Labels whose type does not tell
PLAIN_LABELS = {(e.Checked, "outcome"), (e.Earned, "what"), (e.Said, "key")}


# ---------------------------------------------------------------- words in facts


def events_of(fact: e.Fact) -> list[e.Event]:
    """What a fact tells: to the GM and, if that is something else, to the others."""
    return [fact.event] if fact.redacted is None else [fact.event, fact.redacted]


def find_prose(system: System, before: State, step: Step, after: State) -> list[str]:
    """The labels in the facts of a step that are neither keys of the catalog, nor names, nor typed."""
    plain = {*find_names(system, before, after), *_find_typed(step), "", SOMEONE}
    people = {*before.combatants, *after.combatants, ""}
    found = []
    for fact in step.facts:
        for event in events_of(fact):
            plain |= _find_new(event)
            for place, label in find_labels(event):
                found += [f"{place}: {wrong}" for wrong in _judge(system.words, label, plain, people)]
    return found


def _judge(words: MessageCatalogue, label: Any, plain: set[str], people: set[str]) -> Iterator[str]:
    """The prose of a label."""
    if isinstance(label, str):
        if label not in words and label not in plain and not DICE.fullmatch(label):
            yield repr(label)
    elif isinstance(label, Phrase):
        if label.key not in words:
            yield f"{label.key!r} is no key"
        for place, value in label.args.items():
            if place in PEOPLE:
                if value not in people:
                    yield f"{place}={value!r} is nobody's id in {label.key}"
            else:
                yield from _judge(words, value, plain, people)


def find_labels(thing: Any) -> Iterator[tuple[str, Any]]:
    """Every label of a struct and its parts, with its path."""
    if isinstance(thing, Combatant):  # rules make no labels of sheets and joining data
        for held in thing.conditions:
            yield from find_labels(held)
    elif isinstance(thing, e.Said):
        yield "Said", Phrase(thing.key, thing.args)
    elif isinstance(thing, msgspec.Struct):
        for name, place in _find_fields(type(thing)):
            if place:
                yield place, getattr(thing, name)
            else:
                yield from find_labels(getattr(thing, name))
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from find_labels(part)


@cache
def _find_fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """The fields of a kind of struct, and what each is called if it is a label."""
    return tuple(
        (field.name, f"{kind.__name__}.{field.name}" if _is_label(kind, field) else "")
        for field in msgspec.structs.fields(kind)
    )


def _is_label(kind: type[msgspec.Struct], field: msgspec.structs.FieldInfo) -> bool:
    return field.type == Label or (kind, field.name) in PLAIN_LABELS


def find_names(system: System, *states: State) -> set[str]:
    """All names: of people, sides, places, items, records of the game."""
    names = {name for folder in find_folders(system.folder) for name in _find_records(folder)}
    for state in states:
        names |= {zone.name for zone in state.scene.zones} | {state.scene.name}
        names |= {item.name for item in state.ground} | {wall.name for wall in map_of(state.scene).walls}
        names |= {clock.name for clock in state.all_clocks}
        names |= {clock.acts.note for clock in state.all_clocks if clock.acts}
        for combatant in state.combatants.values():
            names |= {combatant.name, combatant.side, *(item.name for item in combatant.items)}
            names |= set(_find_named(combatant.sheet)) | _find_made_up(system, combatant)
            names |= {
                mark for mark in combatant.marks.values() if isinstance(mark, str)
            }  # a reason that waits
    return names


def _find_made_up(system: System, combatant: Combatant) -> set[str]:
    """The labels of conditions of unknown kinds: the GM typed them."""
    made_up = [held for held in combatant.conditions if held.kind not in system.characters.conditions]
    return {label for held in made_up for label in (held.label, held.ends) if isinstance(label, str)}


def _find_new(event: e.Event) -> set[str]:
    if isinstance(event, e.CombatantJoined):
        return {event.combatant.name, event.combatant.side, *(i.name for i in event.combatant.items)}
    item = getattr(event, "item", None)
    return {item.name} if item else set()


@cache
def _find_records(folder: Path) -> frozenset[str]:
    """The names in the data of a game."""
    files = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("data/*.toml")))
    return frozenset(name for file in files for name in _find_named(file))


def _find_named(thing: Any) -> Iterator[str]:
    """Every text under "name" in plain data."""
    if isinstance(thing, Mapping):
        for key, value in thing.items():
            if key in ("name", "note") and isinstance(value, str):
                yield value
            yield from _find_named(value)
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from _find_named(part)


def _find_typed(step: Step) -> set[str]:
    """The texts that people typed into a command, raw and as stored names."""
    said = {text for text in _find_texts(step.command) if not KEY.fullmatch(text)}
    said |= {answer.value for answer in step.answers}
    said |= {text.strip() for text in said} | {" ".join(text.split()) for text in said}
    return said | {tidy(text) for text in said}


def _find_texts(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, Mapping):
        for value in thing.values():
            yield from _find_texts(value)
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from _find_texts(part)


# ---------------------------------------------------------------- style of lines


class StrictCatalogue(MessageCatalogue):
    """Draws as usual, and notes unfilled placeholders."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__(words)
        self.unfilled: list[str] = []
        self.drawn: set[str] = set()

    def draw(self, label: Label, names: Mapping[str, str] = {}) -> str:
        key, args = (label, {}) if isinstance(label, str) else (label.key, label.args)
        if key in self.words:
            self.drawn.add(key)
            self.unfilled += [f"{key}: {{{p}}}" for p in find_places(self.words[key]) - set(args)]
        return super().draw(label, names)


SLIPS = {
    "a brace": re.compile(r"[{}]"),
    "two full stops": re.compile(r"(?<!\.)\.\.(?!\.)"),
    "an empty place": re.compile(r" {2}|\(\)|: *[.:]|, *[.,:]|\( | \)| [.,:;)]"),
    "it for a person": re.compile(r"\b(?:it|its|itself|oneself|one's)\b", re.IGNORECASE),
    "more than one decimal": re.compile(r"\d\.\d\d"),
    "a hyphen for a minus": re.compile(r"(?<![\w.)])-\d"),
    "a space before a percent sign": re.compile(r"\d\s%"),
    "a word out of use": re.compile(r"\b(?:somebody|oneself|whoever|anew|any more)\b", re.IGNORECASE),
    "a raw word": re.compile(r"[A-Za-z]_[A-Za-z]"),
}


def find_slips(system: System, step: Step, names: Mapping[str, str]) -> list[str]:
    """The errors of the lines drawn from a step."""
    typed = {text for text in _find_typed(step) if not text.isalnum()}
    found = []
    for fact in step.facts:
        for event in events_of(fact):
            line = describe(system, msgspec.structs.replace(fact, event=event), names)
            plain = typed | find_plain(system, event)
            for text in find_texts_of(line) if line else ():
                found += [f"{slip}: {text!r}" for slip in judge_text(system, text, plain)]
    return found


def find_plain(system: System, event: e.Event) -> set[str]:
    """The labels of an event that are no keys: names and typed texts, also with a capital."""
    found = [label for _, label in find_labels(event)]
    filled = [text for label in found if isinstance(label, Phrase) for text in label.args.values()]
    labels = {label for label in (*found, *filled) if isinstance(label, str) and label not in system.words}
    return {
        text for label in labels for text in (label, label[:1].upper() + label[1:]) if not label.isalnum()
    }


def find_texts_of(line: Line) -> Iterator[str]:
    """All words of a line: its sentence, the reason of its roll, the terms of its sums."""
    yield line.text
    yield line.against_label
    if line.roll:
        yield str(line.roll.why)
    yield from (str(term.label) for term in (*line.terms, *line.against_terms))


def judge_text(system: System, text: str, typed: Iterable[str] = ()) -> list[str]:
    """Errors in a text, unless a person typed it so."""
    for said in sorted(typed, key=len, reverse=True):
        text = text.replace(said, "x")
    found = [name for name, slip in SLIPS.items() if slip.search(text)]
    raw = {key[0] for key in KEY_IN_TEXT.finditer(text)}
    sections = find_sections(system.words.words) if raw else frozenset()
    return found + [f"the key {key}" for key in sorted(raw) if key.partition(".")[0] in sections]


KEY_IN_TEXT = re.compile(rf"(?<![\w.]){KEY.pattern}")
