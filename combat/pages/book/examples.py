"""The worked examples of a rule as small cards: who stands where, what they do, the dice, what comes of it.

Everything is in the game's words, drawn from the data that a test plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from combat.rules import find_system
from combat.rules.core.basics.words import capitalized, say_number
from combat.rules.core.book.examples import Deed, Example, Person, load_examples
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action

SHOWN = 2  # cards under a rule; further ones are folded


@dataclass(frozen=True)
class Step:
    """One action: who does what, its costs, dice that no sum shows, the sums, the log, or the refusal."""

    words: str
    costs: str
    dice: str
    sums: tuple[str, ...]
    log: tuple[str, ...]
    refused: str


@dataclass(frozen=True)
class Card:
    """One example.

    `scene` are house rules, conditions and zones; `numbers` what people's cards show at its end.
    """

    title: str
    people: tuple[tuple[str, str], ...]
    scene: str
    steps: tuple[Step, ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Cards:
    """The examples of a rule: those to see and those to unfold."""

    first: tuple[Card, ...]
    more: tuple[Card, ...]


def find_cards(slug: str, rule_id: str) -> Cards:
    """The examples of a rule; empty if it has none."""
    system = find_system(slug)
    found = [_make_card(system, example) for example in load_examples(system.folder).find_about(rule_id)]
    return Cards(tuple(found[:SHOWN]), tuple(found[SHOWN:]))


def say_usual(slug: str) -> str:
    """What people in the examples are like, where nothing else is said."""
    return load_examples(find_system(slug).folder).usual.says


def _make_card(system: System, example: Example) -> Card:
    first, *others = example.people
    people = [(first.name, _say_person(system, example, first))]
    people += [(one.name, _say_person(system, example, one, first)) for one in others]
    steps = tuple(_make_steps(system, example))
    return Card(example.title, tuple(people), _say_scene(system, example), steps, example.numbers)


# ---------------------------------------------------------------- people and places


def _say_person(system: System, example: Example, person: Person, beside: Person | None = None) -> str:
    """How a person differs from the usual sheet: "Dexterity 9, Rifle, 20 m away, Prone"."""
    names, block = _find_names(system.slug), system.book.find_block(person.block) if person.block else None
    parts = [block.name] if block else []
    parts += [person.profile] if person.profile else []
    for key, value in person.sheet.items():
        parts += _say_value(names, key, value)
    if person.held is not None:
        parts.append(f"in hand: {_join(names, person.held)}" if person.held else "nothing in hand")
    parts += [f"{system.draw(f'track.{key}')} {say_number(n)}" for key, n in person.tracks.items()]
    if person.initiative is not None:
        parts.append(f"Initiative {person.initiative}")
    parts += [_say_condition(system, held) for held in person.conditions]
    parts += [f"{_name(names, key)}: {str(value).replace('_', ' ')}" for key, value in person.marks.items()]
    parts += [part for key, told in person.items.items() for part in _say_item(names, key, told)]
    if beside and (place := _say_place(system, example, person, beside)):
        parts.append(place)
    return ", ".join(filter(None, parts))


def _say_value(names: Mapping[str, str], key: str, value: Any) -> list[str]:
    """A field of a sheet: its numbers by name, its things by name, its flags alone."""
    if isinstance(value, dict):
        return [f"{_name(names, each)} {_say_plain(names, one)}" for each, one in value.items()]
    if isinstance(value, list):
        return [_join(names, value)] if value else [f"no {_name(names, key).lower()}"]
    if isinstance(value, bool):
        return [_name(names, key)] if value else []
    return [_name(names, value)] if isinstance(value, str) else [f"{_name(names, key)} {say_number(value)}"]


def _say_condition(system: System, held: str | Mapping[str, Any]) -> str:
    if isinstance(held, str):
        return system.people.describe_condition(held).label
    label = system.people.describe_condition(held["kind"]).label
    told = [str(held[key]) for key in ("level", "by") if key in held]
    return f"{label} ({', '.join(told)})" if told else label


def _say_item(names: Mapping[str, str], key: str, told: Mapping[str, Any]) -> Iterator[str]:
    """What is particular about a belonging: "Rifle: loaded 1", "Basic suit: worn"."""
    flat = {**told, **told.get("marks", {}), **told.get("data", {})}
    said = [
        f"{_name(names, each).lower()} {one}".removeprefix("place ")
        for each, one in flat.items()
        if not isinstance(one, dict)
    ]
    if said:
        yield f"{_name(names, key)}: {', '.join(said)}"


def _say_place(system: System, example: Example, person: Person, beside: Person) -> str:
    """The zone of a person, or their distance from the first one."""
    for zone in example.zones:
        x, y = zone.get("x", 0), zone.get("y", 0)
        if x <= person.at[0] <= x + zone.get("width", 0) and y <= person.at[1] <= y + zone.get("depth", 0):
            return f"in {zone['name']}"
    away = sum((a - b) ** 2 for a, b in zip(person.at, beside.at, strict=False)) ** 0.5
    return f"{say_number(round(away, 1))} {system.space.unit} away" if away else ""


def _say_scene(system: System, example: Example) -> str:
    """House rules, conditions of the scene and zones that differ from the usual ones."""
    said = []
    for option in system.book.all_options:
        if option.key in example.options:
            said.append(f"{option.label}: {option.describe(example.options[option.key])}")
    for setting in system.book.settings:
        if setting.key in example.settings:
            said.append(f"{setting.label}: {dict(setting.choices)[example.settings[setting.key]]}")
    names = _find_names(system.slug)
    for zone in example.zones:
        ground = [*zone.get("terrain", ()), *([zone["light"]] if zone.get("light") else [])]
        said.append(f"{zone['name']} ({_join(names, ground)})" if ground else zone["name"])
    return "; ".join(said)


# ---------------------------------------------------------------- what is done


def _make_steps(system: System, example: Example) -> Iterator[Step]:
    """The actions; those that only lead up to the next one are one step together."""
    before: list[str] = []
    for deed in example.do:
        words = _say_deed(system, example, deed)
        if deed.why is None and deed.log is None and not deed.refused:
            before.append(words)
            continue
        if before:
            yield Step(_say_before(before), "", "", (), (), "")
            before = []
        log = tuple(map(_end, deed.log or ()))
        yield Step(words, _say_costs(system, deed), _say_dice(deed), deed.why or (), log, deed.refused)
    if before:
        yield Step(_say_before(before), "", "", (), (), "")


def _say_before(words: list[str]) -> str:
    """Actions one after another; the same one several times is said once."""
    counted = ((each, len(list(same))) for each, same in groupby(words))
    return "; ".join(f"{each} ×{count}" if count > 1 else each for each, count in counted)


def _end(line: str) -> str:
    """A line of the log that ends like a sentence, as others follow it."""
    return line if line[-1] in ".!?”" else f"{line}."


def _say_deed(system: System, example: Example, deed: Deed) -> str:
    """Who does what with what, and the answers."""
    names, cast = _find_names(system.slug), {person.name for person in example.people}
    action = find_action(system, deed.action)
    actor = deed.actor or example.people[0].name
    parts = [one for key, value in deed.given.items() for one in _say_given(names, cast, key, value)]
    words = action.label if action.who == "gm" else f"{actor}: {action.label}"
    words += f" ({', '.join(parts)})" if parts else ""
    answers = [_name(names, die) for die in deed.dice if isinstance(die, str) and not die.isdigit()]
    return f"{words}: {', '.join(answers)}" if answers else words


def _say_costs(system: System, deed: Deed) -> str:
    """The actions that it spends: "Standard 1, Quick 2"."""
    labels = {pool.key: pool.label for pool in system.turn.pools}
    return ", ".join(f"{labels[key]} {count}" for key, count in deed.costs.items())


def _say_dice(deed: Deed) -> str:
    """The dice that no sum shows."""
    faces = [" + ".join(map(str, _faces(die))) for die in deed.dice if not isinstance(die, str)]
    sums = " ".join(deed.why or ())
    return "" if deed.refused else ", ".join(each for each in faces if each not in sums)


def _faces(die: tuple[int, ...] | int) -> tuple[int, ...]:
    return (die,) if isinstance(die, int) else die


def _say_given(names: Mapping[str, str], cast: set[str], key: str, value: Any) -> list[str]:
    if isinstance(value, str) and value in cast:
        return [value]
    return _say_value(names, key, value)


# ---------------------------------------------------------------- names


def _find_names(slug: str) -> dict[str, str]:
    """The names of a game's characteristics, skills and things, by id."""
    system = find_system(slug)
    sheets, catalogue = system.book.sheets, system.book.catalogue
    names = {entry.id: entry.name for entry in catalogue.find_entries()} if catalogue else {}
    return names | ({stat.key: stat.label for stat in (*sheets.attributes, *sheets.skills)} if sheets else {})


def _name(names: Mapping[str, str], key: str) -> str:
    """The name of something, or its key as words, in American spelling."""
    words = key.replace("_", " ").replace("near:", "near ").replace("metres", "meters")
    return names.get(key) or capitalized(words)


def _join(names: Mapping[str, str], keys: Iterable[Any]) -> str:
    return ", ".join(_say_plain(names, key) for key in keys)


def _say_plain(names: Mapping[str, str], value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(filter(None, (_say_plain(names, one) for one in value.values())))
    return _name(names, value) if isinstance(value, str) else say_number(value)
