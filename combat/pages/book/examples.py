"""The worked examples of a rule as small cards: who stands where, what they do, the dice, what comes of it.

Everything is in the game's words, drawn from the data that a test plays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from characters.faces import find_faces
from characters.games import make_state
from combat.display.combatants.tokens import Look, find_look
from combat.display.dice import view_dice
from combat.display.shapes.result_shapes import Face
from combat.rules import find_system
from combat.rules.core.basics.numbers import plain_signs, with_true_minus
from combat.rules.core.basics.words import capitalized, say_number
from combat.rules.core.book.examples import Deed, Example, Person, load_examples
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.engine.playing import can_roll, roll_again
from combat.rules.core.sheets.sheets import ME

HIT = "hit"  # how the log tells it
# A line of the log: who tries what, the name of the sum, its total, what it had to reach, the verdict
CHECK = re.compile(r"^(.+) \((.* )?(−?\d+) vs ([^()]+)\): ([^:]+)\.$")
# A sum that begins with dice: the dice, the total
SUM = re.compile(r"[^:]+: (\d+(?: \+ \d+)*)((?:, [^=]+)?) = (−?\d+)\b(?: against (.+))?")
# A term of a sum: its name, its number
TERM = re.compile(r"(.+) ([+−]\d+)")
# A term somewhere in the words of a sum
ANY_TERM = re.compile(r"(?<=[:,] )([^:,=]+?) ([+−]\d+)(?=,| =|$)")
# What a line of the log says of a loss: who loses of what, before, after
LOSS = re.compile(r"(\w[\w ]*?) loses \d+ ([\w ]+?) \((\d+) → (−?\d+)\)")
# The least percent that is left, and how a row shows it
LEFT = ((100, "is-well"), (67, "is-hurt"), (34, "is-injured"), (1, "is-critical"), (0, "is-dying"))
SHOWN = 1  # cards under a rule; further ones are folded


@dataclass(frozen=True)
class Check:
    """A check as the table draws its result: who tries what, dice, total, number to reach, verdict.

    `plus` is the sum of the modifiers, "" without any; `terms` are those modifiers, each with its name.
    """

    words: str
    faces: tuple[Face, ...]
    plus: str
    total: str
    against: str
    verdict: str
    terms: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Loss:
    """A loss, drawn as a bar; `percent` is the part that is left."""

    who: str
    track: str
    before: str
    after: str
    percent: int
    tone: str


@dataclass(frozen=True)
class Step:
    """One action: who does what, its costs, dice that no sum shows, checks, losses, the log, or the refusal.

    Of the sum whose terms stand in a check, `sums` has only what it was against.
    """

    words: str
    costs: str = ""
    dice: str = ""
    checks: tuple[Check, ...] = ()
    sums: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    log: tuple[str, ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class Card:
    """One example: people with what is particular about them and their faces.

    `scene` are house rules, conditions and zones; `numbers` what people's cards show at its end. One that can
    be rolled again has its `number` among the examples of its rule, from 1.
    """

    title: str
    people: tuple[tuple[str, str, Look], ...]
    scene: str
    steps: tuple[Step, ...]
    numbers: tuple[str, ...]
    number: int = 0


@dataclass(frozen=True)
class Cards:
    """The examples of a rule: those to see and those to unfold."""

    first: tuple[Card, ...]
    more: tuple[Card, ...]


def find_cards(slug: str, rule_id: str) -> Cards:
    """The examples of a rule; empty if it has none."""
    system = find_system(slug)
    examples = load_examples(system.folder).find_about(rule_id)
    found = [
        _make_card(system, one, number if can_roll(one) else 0) for number, one in enumerate(examples, 1)
    ]
    return Cards(tuple(found[:SHOWN]), tuple(found[SHOWN:]))


def roll_card(slug: str, rule_id: str, number: int) -> Card | None:
    """An example of a rule with new dice, by its number; None if there is none that rolls."""
    system = find_system(slug)
    examples = load_examples(system.folder)
    found = examples.find_about(rule_id)[number - 1 : number] if number else ()
    if not found or not can_roll(found[0]):
        return None
    return _make_card(system, roll_again(system, examples, found[0]), number)


def find_terms(slug: str, rule_ids: Iterable[str]) -> dict[tuple[str, str], str]:
    """The terms in the examples seen under these rules: name and digits, each with the first such rule."""
    examples = load_examples(find_system(slug).folder)
    told = [
        (rule_id, line)
        for rule_id in rule_ids
        for example in examples.find_about(rule_id)[:SHOWN]
        for deed in example.do
        for line in deed.why or ()
    ]
    return {
        (name.casefold(), number[1:]): rule_id
        for rule_id, line in reversed(told)
        for name, number in ANY_TERM.findall(line)
    }


@cache
def find_hit(slug: str) -> Card | None:
    """An example with one action whose only check hits; None without one."""
    system = find_system(slug)
    cards = (_make_card(system, example, 0) for example in load_examples(system.folder).example)
    return next((card for card in cards if len(card.steps) == 1 and _is_hit(card.steps[0])), None)


def _is_hit(step: Step) -> bool:
    return [check.verdict for check in step.checks] == [HIT]


def say_usual(slug: str) -> str:
    """What people in the examples are like, where nothing else is said."""
    return load_examples(find_system(slug).folder).usual.says


def _make_card(system: System, example: Example, number: int) -> Card:
    first, *others = example.people
    said = [_say_person(system, example, first), *(_say_person(system, example, o, first) for o in others)]
    people = [
        (one.name, words, _find_look(system, one, first))
        for one, words in zip(example.people, said, strict=True)
    ]
    steps = tuple(_make_steps(system, example))
    return Card(
        example.title,
        tuple(people),
        _say_scene(system, example),
        steps=steps,
        numbers=example.numbers,
        number=number,
    )


# ---------------------------------------------------------------- people and places


def _find_look(system: System, person: Person, first: Person) -> Look:
    """Their token: the first one and those on their side are allies, as the example plays it."""
    is_ally = person is first or person.side == "allies"
    tone = "is-ally" if is_ally else "is-foe"
    if block := system.book.find_block(person.block) if person.block else None:
        made = make_state(system, person.name, block.sheet)[ME]
        return find_look(system, made, tone, active=False, down=False)
    return Look(tone, face=find_faces(person.name, "", pc=is_ally)[0])


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
        return system.characters.describe_condition(held).label
    label = system.characters.describe_condition(held["kind"]).label
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
            yield Step(_say_before(before))
            before = []
        checks, log = tuple(_find_checks(system, deed)), tuple(map(_end, deed.log or ()))
        drawn = {check.total for check in checks if check.terms}
        yield Step(
            words,
            _say_costs(system, deed),
            _say_dice(deed, checks),
            checks=checks,
            sums=tuple(filter(None, (_cut_sum(line, drawn) for line in deed.why or ()))),
            losses=tuple(loss for line in log for loss in _find_losses(line)),
            log=log,
            refused=deed.refused,
        )
    if before:
        yield Step(_say_before(before))


def _find_checks(system: System, deed: Deed) -> Iterator[Check]:
    """The checks that the log tells, each with the dice of the sum that has its total."""
    die = load_examples(system.folder).usual.die
    for line in map(_end, deed.log or ()):
        if found := CHECK.search(line):
            words, _, total, against, verdict = found.groups()
            faces = _find_faces(deed, total)
            if faces and max(faces) <= die:
                drawn = view_dice(f"{len(faces)}d{die}", faces)
                plus = int(plain_signs(total)) - sum(faces)
                signed = with_true_minus(f"{plus:+d}") if plus else ""
                terms = _find_terms(deed, total)
                yield Check(words, drawn, signed, total=total, against=against, verdict=verdict, terms=terms)


def _find_terms(deed: Deed, total: str) -> tuple[tuple[str, str], ...]:
    """The modifiers of the sum with this total, each as name and number; none if one reads otherwise."""
    sums = filter(None, map(SUM.match, deed.why or ()))
    found = next((found[2] for found in sums if found[3] == total), "")
    terms = [TERM.fullmatch(words) for words in found.split(", ")[1:]]
    return tuple((one[1], one[2]) for one in terms if one) if all(terms) else ()


def _cut_sum(line: str, drawn: set[str]) -> str:
    """A sum without what its check shows: only the other side of it is left."""
    found = SUM.match(line)
    return (found[4] or "") if found and found[3] in drawn else line


def _find_losses(line: str) -> Iterator[Loss]:
    for who, track, before, after in LOSS.findall(line):
        left = max(0, int(plain_signs(after)))
        percent = 100 * left // int(before) if int(before) else 0
        tone = next(tone for least, tone in LEFT if percent >= least)
        yield Loss(who, track, before, after, percent=percent, tone=tone)


def _find_faces(deed: Deed, total: str) -> tuple[int, ...]:
    """The dice that lead to a total: those of a sum, or those that are the total alone."""
    sums = filter(None, map(SUM.match, deed.why or ()))
    if found := next((found for found in sums if found[3] == total), None):
        return tuple(map(int, found[1].split(" + ")))
    rolls = (_faces(die) for die in deed.dice if not isinstance(die, str))
    return next((faces for faces in rolls if str(sum(faces)) == total), ())


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


def _say_dice(deed: Deed, checks: tuple[Check, ...]) -> str:
    """The dice that no sum and no check shows."""
    faces = [" + ".join(map(str, _faces(die))) for die in deed.dice if not isinstance(die, str)]
    drawn = [" + ".join(str(face.value) for face in check.faces) for check in checks]
    sums = " ".join((*(deed.why or ()), *drawn))
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
    if isinstance(value, list):
        return _join(names, value)
    return _name(names, value) if isinstance(value, str) else say_number(value)
