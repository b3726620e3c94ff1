"""The form of someone's figures in a fight: numbers, choices, traits, the most health, weapons, armor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole, say_no_number, with_true_minus
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.gm.figures import (
    BETWEEN,
    CHOSEN,
    CORRECTED,
    HEALTH,
    ITEM,
    PARTS,
    TRAITS,
    Figure,
    differs,
    find_choices,
    find_figures,
    find_numbers,
    find_traits,
    name_choice,
    name_words,
    read_mark,
    read_words,
    say_value,
)
from combat.rules.core.sheets.catalogue import Column
from combat.rules.core.sheets.sheets import Selection, SheetAttack
from combat.rules.core.state.state import Combatant, Item, State
from combat.rules.core.wording import pen_of

from ..shapes.figure_shapes import FigureField, FigureGroup, FiguresView, FigureWord

YES = "yes"  # the value of a box that is ticked


def view_figures(
    system: System, state: State, one: Combatant, typed: Mapping[str, str], *, by_gm: bool
) -> FiguresView:
    """The form of a combatant, with what was typed where that was refused."""
    groups = [*_view_numbers(system, one, typed), *_view_choices(system, one, typed)]
    groups += _view_traits(system, one, typed)
    groups += [group for item in one.items if (group := _view_item(system, one, item, typed)).fields]
    return FiguresView(
        who=one.id,
        do="correct" if by_gm else "correct_own",
        groups=tuple(groups),
        follows=find_follows(system, state, one, typed) if typed else (),
        has_speed=_has_speed(system, one),
    )


def _has_speed(system: System, one: Combatant) -> bool:
    """Whether the sheet has a number for speed. If not, it follows from other figures and the rules."""
    speeds = system.book.sheets.speeds if system.book.sheets else ()
    return any(stat.key in speeds for _, stat, _ in find_numbers(system, one))


def _view_choices(system: System, one: Combatant, typed: Mapping[str, str]) -> Iterator[FigureGroup]:
    """What is chosen on the sheet, such as a species, from the same lists."""
    fields = tuple(_view_choice(one, typed, *pair) for pair in find_choices(system, one))
    if fields:
        yield FigureGroup("chosen", "Choices", fields, is_open=True)


def _view_choice(one: Combatant, typed: Mapping[str, str], selection: Selection, now: str) -> FigureField:
    name = f"{CHOSEN}{selection.key}"
    known = {option.key: option.label for option in selection.options}
    rest = {} if selection.required else {"": "none"}
    was = one.marks.get(CORRECTED + name)
    return FigureField(
        name=name,
        label=selection.label,
        value=typed.get(name, now),
        was="" if was is None else name_choice(selection, str(was)),
        options=tuple({now: name_choice(selection, now), **rest, **known}.items()),
    )


def _view_traits(system: System, one: Combatant, typed: Mapping[str, str]) -> Iterator[FigureGroup]:
    """The lists of traits on the sheet, each a group of its own."""
    for each, now in find_traits(system, one):
        name = f"{TRAITS}{each.key}"
        field = _make_list(name, each.label, each.options, now, typed, one, is_free=each.free)
        yield FigureGroup(each.key, each.label, (field,), is_open=bool(now or field.was))


def _make_list(
    name: str,
    label: str,
    options: Iterable[Choice],
    now: tuple[str, ...],
    typed: Mapping[str, str],
    one: Combatant,
    *,
    is_free: bool = False,
) -> FigureField:
    """A list: boxes for the words that are known, and for those that it has besides."""
    was, known = one.marks.get(CORRECTED + name), tuple(options)
    on = read_words(typed[name]) if name in typed else now
    values = [option.value for option in known]
    others = [word for word in on if word not in values]
    kept = () if is_free else dict.fromkeys((*now, *others))
    more = [Choice(word, word) for word in kept if word not in values]
    return FigureField(
        name=name,
        label=label,
        value=f"{BETWEEN} ".join(others) if is_free else "",
        was="" if was is None else name_words(known, read_mark(was)),
        is_list=True,
        is_free=is_free,
        words=tuple(
            FigureWord(word.value, word.label, word.detail, is_on=word.value in on)
            for word in (*known, *more)
        ),
    )


def _view_numbers(system: System, one: Combatant, typed: Mapping[str, str]) -> Iterator[FigureGroup]:
    names = {"attributes": "Attributes", "skills": "Skills"}
    for part, label in names.items():
        fields = tuple(
            _make_field(f"{part}.{stat.key}", stat.label, value, typed, one)
            for where, stat, value in find_numbers(system, one)
            if where == part
        )
        shown = [field for field in fields if part != "skills" or field.value != "0" or field.was]
        if shown:
            yield FigureGroup(part, label, tuple(shown), is_open=True)
        if more := tuple(field for field in fields if field not in shown):
            yield FigureGroup("untrained", "Untrained", more)
    if system.book.imports.set_health is not None:
        health = system.characters.health(one)
        field = _make_field(HEALTH, f"{health.label} at most", health.most, typed, one)
        yield FigureGroup("body", "Body", (field,), is_open=True)


def _view_item(system: System, one: Combatant, item: Item, typed: Mapping[str, str]) -> FigureGroup:
    fields = tuple(_view_figure(item, *pair, typed, one) for pair in find_figures(system, item))
    return FigureGroup(f"item-{item.id}", item.name, fields, is_open=False)


def _view_figure(
    item: Item, column: Column, value: Figure, typed: Mapping[str, str], one: Combatant
) -> FigureField:
    name = f"{ITEM}{item.id}.{column.key}"
    if isinstance(value, tuple):
        return _make_list(name, column.label, column.options, value, typed, one)
    was, is_flag = one.marks.get(CORRECTED + name), column.kind == "flag"
    return FigureField(
        name=name,
        label=f"{column.label}{f', {column.unit}' if column.unit else ''}",
        value=typed.get(name, YES if value else "") if is_flag else typed.get(name, str(value)),
        was="" if was is None else say_value(column, was).replace("-", "−"),
        is_number=column.kind == "number",
        is_flag=is_flag,
    )


def _make_field(name: str, label: str, value: int, typed: Mapping[str, str], one: Combatant) -> FigureField:
    was = one.marks.get(CORRECTED + name)
    return FigureField(
        name=name,
        label=label,
        value=typed.get(name, str(value)),
        was="" if was is None else say_number(int(was)),
        is_number=True,
    )


def read_figures(system: System, one: Combatant, posted: Mapping[str, str]) -> dict[str, Any]:
    """The fields of the command that a posted form asks for: what differs from now, and no more."""
    if "figure" in posted:  # a program sends one figure at a time
        posted = {posted["figure"]: posted.get("value", "")}
    found: dict[str, Any] = {"numbers": {}, "chosen": {}, "traits": {}, "health": 0, "items": {}}
    known: dict[str, Figure] = {
        f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, one)
    }
    known |= {f"{CHOSEN}{selection.key}": value for selection, value in find_choices(system, one)}
    known |= {f"{TRAITS}{each.key}": words for each, words in find_traits(system, one)}
    for name, word in posted.items():
        if name.startswith(ITEM):
            _read_item(system, one, found["items"], name.removeprefix(ITEM), word)
        elif name == HEALTH:
            most = system.characters.health(one).most
            found["health"] = value if (value := _read(word)) != most else 0
        else:
            _read_of_sheet(found, known, name, word)
    return found


def _read_of_sheet(found: dict[str, Any], known: Mapping[str, Figure], name: str, word: str) -> None:
    """A number, a choice or a list of the sheet; other fields of the form are none of its figures."""
    if name.partition(".")[0] in PARTS:
        if (number := _read(word)) != known.get(name):
            found["numbers"][name] = number
    elif name.startswith(CHOSEN):
        if word != known.get(name):
            found["chosen"][name.removeprefix(CHOSEN)] = word[:60]
    elif name.startswith(TRAITS):
        now = known.get(name)
        if not isinstance(now, tuple) or _is_other(word, now):
            found["traits"][name.removeprefix(TRAITS)] = read_words(word)


def _read(word: str) -> int:
    number = read_whole(word)
    if number is None:
        raise Refused("bad_value", f"{say_no_number(word[:20], whole=True).capitalize()}")
    return number


def _read_item(system: System, one: Combatant, found: dict[str, Any], name: str, word: str) -> None:
    item_id, _, key = name.partition(".")
    item = next((item for item in one.items if item.id == item_id), None)
    if item is None:
        raise Refused("unknown", "That item is gone: reload the page.")
    known = {column.key: (column, value) for column, value in find_figures(system, item)}
    if key not in known:
        found.setdefault(item_id, {})[key] = word[:40]
        return
    column, now = known[key]
    if isinstance(now, tuple):
        if _is_other(word, now):
            found.setdefault(item_id, {})[key] = read_words(word)
    elif (value := _read_value(column, word)) != now:
        found.setdefault(item_id, {})[key] = value


def _is_other(word: str, now: tuple[str, ...]) -> bool:
    """Whether a list as it is typed has other words than now."""
    return differs(read_words(word), read_words(BETWEEN.join(now)))


def _read_value(column: Column, word: str) -> Figure:
    if column.kind == "flag":
        if (said := word.strip().casefold()) not in (YES, "no", ""):
            raise Refused("bad_value", f"{column.label} is yes or no.")
        return said == YES
    return _read(word) if column.kind == "number" else word.strip()[:40]


def find_follows(
    system: System, state: State, one: Combatant, posted: Mapping[str, str]
) -> tuple[tuple[str, str, str], ...]:
    """What would follow from the figures that are typed: each number with its value now and then."""
    action = find_action(system, "correct")
    fields = read_figures(system, one, posted)
    if not any(fields.values()):
        return ()
    command = read_command(action, {"target": one.id, **fields}, state)
    done = run(system, state, action, command, AutoDriver(tells=False))
    assert isinstance(done, Done)
    after, pen = done.state[one.id], pen_of(system, state)
    pairs = zip(
        pen.derived(system.characters.facts_of(state, one)),
        pen.derived(system.characters.facts_of(done.state, after)),
        strict=False,
    )
    told = [(a.label, a.shown, b.shown) for a, b in pairs if a.label == b.label and a.value != b.value]
    old, new = system.characters.health(one), system.characters.health(after)
    if old.number != new.number:
        told.append((old.label, old.number, new.number))
    return (*told, *_compare_attacks(system, state, one, done.state))


def _compare_attacks(
    system: System, state: State, one: Combatant, then: State
) -> Iterator[tuple[str, str, str]]:
    """What is different in an attack with each weapon, before there is a target."""
    plan = system.book.sheets
    if plan is None:
        return
    after: dict[str, list[SheetAttack]] = {}
    for attack in plan.find_attacks(then, then[one.id]):
        after.setdefault(attack.item.id, []).append(attack)
    for old in plan.find_attacks(state, one):
        if not (same := after.get(old.item.id)):
            continue
        for what, was, now in zip(
            ("to hit", "damage", "reach"), _say_attack(old), _say_attack(same.pop(0)), strict=True
        ):
            if was != now:
                yield f"{old.item.name} {what}", was or "none", now or "none"


def _say_attack(attack: SheetAttack) -> tuple[str, str, str]:
    """An attack in words: what is added to its dice, its damage, how far it reaches."""
    total = f"{attack.total}%" if attack.percent else say_number(attack.total, signed=True)
    return total if attack.dice else "", with_true_minus(attack.damage), attack.reach
