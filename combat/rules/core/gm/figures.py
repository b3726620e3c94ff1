"""The figures of someone in a fight, corrected: numbers, choices and traits of the sheet, the most health,
weapons and armor.

What follows from a number is worked out again, as if they had joined with it. Harm that they took stays
harm: what is left is worked out, and nobody is hurt, healed or brought back by a correction. Dice that have
fallen stay as they are. The sheet or stat block that they came from stays as it is: a mark remembers each
corrected number and choice, so that it can be offered to the sheet after the fight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..basics.checking import tidy
from ..basics.dice.requests import Choice
from ..basics.errors import Refused
from ..basics.words import say_number
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..declaration.book import CORRECT_OWN
from ..declaration.characters import Track
from ..declaration.system import System, system_of
from ..sheets.catalogue import OWN, Catalogue, Column, Kind, find_record_problems
from ..sheets.sheets import Selection, SheetPlan, Stat, Traits, find_meant
from ..state import events as e
from ..state.state import Combatant, Item, Scalar, State, replace
from .decisions import Target, find_beyond, overrule, set_beyond

CORRECTED = "corrected."  # begins the mark of a corrected number: what the sheet said before
CHOSEN = "chosen."  # begins the name of a choice of the sheet, such as a species
TRAITS = "traits."  # begins the name of a list of traits of the sheet
HEALTH, ITEM = "health", "item."  # the name of the most health, and what begins the names of items' figures
PARTS = ("attributes", "skills")
MAX_FIGURES = 200  # in one correction
MAX_TRAITS, MAX_TRAIT = 40, 40  # in one list of the sheet, and letters of one
MAX_WORD = 60  # letters of a trait of an item
NUMBERS = ("number", "dice")  # the kinds of columns that every item has, whatever its use
BETWEEN, LINE = ",", "\n"  # between the words of a list in a form, and in a mark
Figure = bool | int | str | tuple[str, ...]


class Correct(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Correct figures of the target: `numbers` by part and key, such as "skills.Combat"; what is `chosen` on
    the sheet, such as a species; the whole list of `traits` by its key; the most `health`, 0 to leave it;
    figures of `items` by the id of the item and the key of the figure."""

    numbers: dict[str, int] = {}
    chosen: dict[str, str] = {}
    traits: dict[str, tuple[str, ...]] = {}
    health: int = 0
    items: dict[str, dict[str, Figure]] = {}


class CorrectOwn(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same for a combatant of one's own."""

    numbers: dict[str, int] = {}
    chosen: dict[str, str] = {}
    traits: dict[str, tuple[str, ...]] = {}
    health: int = 0
    items: dict[str, dict[str, Figure]] = {}


def correct(context: RuleContext, command: Correct) -> None:
    """Correct figures of anyone, by the GM."""
    _correct(context, context.state[command.target], command, "gm.corrects")


def correct_own(context: RuleContext, command: CorrectOwn) -> None:
    """Correct figures of one's own, where the table allows it."""
    if not system_of(context).option(context.state, CORRECT_OWN):
        raise Refused("not_allowed", "Here only the GM corrects figures: ask them.")
    one = context.state[command.actor]
    asked = Correct(
        target=one.id,
        numbers=command.numbers,
        chosen=command.chosen,
        traits=command.traits,
        health=command.health,
        items=command.items,
    )
    _correct(context, one, asked, "gm.corrects_own")


def find_numbers(system: System, combatant: Combatant) -> tuple[tuple[str, Stat, int], ...]:
    """The numbers of someone's sheet that can be corrected: each with its part and its value now."""
    plan = system.book.sheets
    if plan is None:
        return ()
    draft = plan.read(combatant.sheet)
    return tuple(
        (part, stat, getattr(draft, part).get(stat.key, stat.usual))
        for part in PARTS
        for stat in find_meant(getattr(plan, part), draft.chosen)
    )


def find_choices(system: System, combatant: Combatant) -> tuple[tuple[Selection, str], ...]:
    """The choices of someone's sheet that can be corrected, such as a species: each with its value now."""
    plan = system.book.sheets
    if plan is None:
        return ()
    chosen = plan.read(combatant.sheet).chosen
    return tuple((one, chosen.get(one.key, "")) for one in find_meant(plan.selections, chosen) if one.mends)


def name_choice(selection: Selection, value: str) -> str:
    """The words of what is chosen; a value that the list lacks says its own name."""
    return next((one.label for one in selection.options if one.key == value), value or "none")


def find_traits(system: System, combatant: Combatant) -> tuple[tuple[Traits, tuple[str, ...]], ...]:
    """The lists of traits of someone's sheet: each with its words now."""
    plan = system.book.sheets
    if plan is None or not plan.traits:
        return ()
    lists = find_meant(plan.traits, plan.read(combatant.sheet).chosen)
    return tuple((one, tuple(combatant.sheet.get(one.key, ()))) for one in lists)


def name_words(options: Iterable[Choice], words: Iterable[str]) -> str:
    """The words of a list as people read them; "none" if it is empty."""
    labels = {option.value: option.label for option in options}
    return ", ".join(labels.get(word, word) for word in words) or "none"


def say_change(options: Iterable[Choice], old: Collection[str], new: Collection[str]) -> str:
    """What comes to a list and what goes, in words: "with Heavy, without Calm"; "" if it is the same."""
    known = tuple(options)
    came, gone = [word for word in new if word not in old], [word for word in old if word not in new]
    told = (("with", came), ("without", gone))
    return ", ".join(f"{how} {name_words(known, words)}" for how, words in told if words)


def find_figures(system: System, item: Item) -> tuple[tuple[Column, Figure], ...]:
    """The figures of an item that can be corrected, with their values now; traits where its use has them."""
    catalogue = system.book.catalogue
    kind = catalogue.find_kind(item.kind) if catalogue else None
    if kind is None:
        return ()
    use, found = kind.find_use(item.data), list[tuple[Column, Figure]]()
    for column in kind.columns:
        is_used = not column.uses or use in column.uses
        if column.kind not in NUMBERS and not (is_used and _is_trait(kind, column)):
            continue
        value = read_figure(column, item.data)
        if value is not None and value != "":
            found.append((column, value))
    return tuple(found)


def _is_trait(kind: Kind, column: Column) -> bool:
    return column.key in kind.record.__struct_fields__ and (column.mends or column.kind == "flag")


def read_figure(column: Column, record: Mapping[str, Any]) -> Figure | None:
    """A figure of a record, which may leave out the plain value of a trait; None without it."""
    value = record.get(column.key, None if column.kind in NUMBERS else column.plain)
    if isinstance(value, list | tuple):
        return tuple(map(str, value))
    return value if isinstance(value, bool | int | str) else None


def say_value(column: Column, value: object) -> str:
    """A figure of an item in words."""
    if column.kind == "flag":
        return "yes" if value else "no"
    return name_words(column.options, value) if isinstance(value, list | tuple) else str(value)


def write_mark(value: object) -> Scalar:
    """A figure as a mark remembers it: of a list each word on its line."""
    if isinstance(value, list | tuple):
        return LINE.join(map(str, value))
    assert isinstance(value, bool | int | str)
    return value


def read_mark(mark: object) -> tuple[str, ...]:
    """The words of a list as a mark remembers them."""
    return tuple(word for word in str(mark).split(LINE) if word)


def read_words(line: str) -> tuple[str, ...]:
    """The words of a list as a form has them, each once."""
    return tuple(dict.fromkeys(word for part in line.split(BETWEEN) if (word := tidy(part))))


def differs(one: object, other: object) -> bool:
    """Whether two figures differ; the order of a list is none of its figures."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return {*one} != {*other}
    return one != other


def _correct(context: RuleContext, one: Combatant, command: Correct, key: str) -> None:
    system = system_of(context)
    of_sheet: tuple[Mapping[str, Any], ...] = (command.numbers, command.chosen, command.traits)
    if sum(map(len, (*of_sheet, *command.items.values()))) > MAX_FIGURES:
        raise Refused("bad_value", f"At most {MAX_FIGURES} figures at a time.")
    told = [*_read_numbers(system, one, command), *_read_choices(system, one, command)]
    told += (*_read_traits(system, one, command), *_read_health(system, one, command))
    items = [*_read_items(system, one, command)]
    told += [line for _, lines in items for line in lines]
    if not told:
        raise Refused("not_allowed", "Nothing is different: change a figure first.")
    to = e.for_own_player(context.state, one)
    overrule(context, key, command, one.id, to=to, what=", ".join(told))
    if any(of_sheet) or command.health:
        _change_sheet(context, one, _write(system, one, command))
    for name, value in _find_marks(system, one, command):
        context.emit(e.Marked(one.id, name, value), to=e.GM_ONLY)
    for item, _ in items:
        context.emit(e.ItemChanged(one.id, item), to=e.GM_ONLY)
    system.turn.after_change(context, replace(one, tracks=context.state[one.id].tracks))


def _find_plan(system: System) -> SheetPlan:
    if system.book.sheets is None:
        raise Refused("not_allowed", f"{system.name} keeps no sheets: there is nothing to correct.")
    return system.book.sheets


def _read_numbers(system: System, one: Combatant, command: Correct) -> Iterator[str]:
    """The corrected numbers in words; Refused for one that is not on the sheet or out of its bounds."""
    known = {f"{part}.{stat.key}": (stat, value) for part, stat, value in find_numbers(system, one)}
    for name, value in command.numbers.items():
        if name not in known:
            raise Refused("bad_value", f"The sheet has no “{name[:40]}”: choose from the form.")
        stat, old = known[name]
        if not stat.low <= value <= stat.high or stat.settle(value) != value:
            raise Refused("bad_value", f"{stat.label} is {stat.low} to {stat.high}.")
        if value != old:
            yield f"{stat.label} {say_number(old)} → {say_number(value)}"


def _read_choices(system: System, one: Combatant, command: Correct) -> Iterator[str]:
    """The corrected choices in words; Refused for one that the sheet or the list does not have."""
    known = {selection.key: (selection, value) for selection, value in find_choices(system, one)}
    for key, value in command.chosen.items():
        if key not in known:
            raise Refused("bad_value", f"The sheet has no choice “{key[:40]}”: choose from the form.")
        selection, old = known[key]
        if value == old:
            continue
        if value not in {option.key for option in selection.options} and (value or selection.required):
            raise Refused("bad_value", f"{selection.label}: choose one of the list.")
        yield f"{selection.label} {name_choice(selection, old)} → {name_choice(selection, value)}"


def _read_traits(system: System, one: Combatant, command: Correct) -> Iterator[str]:
    """The corrected lists in words; Refused for a list or a word that the sheet cannot have."""
    known = {each.key: (each, words) for each, words in find_traits(system, one)}
    for key, words in command.traits.items():
        if key not in known:
            raise Refused("bad_value", f"The sheet has no list “{key[:40]}”: choose from the form.")
        each, old = known[key]
        may = {*old, *(option.value for option in each.options)}
        if len(words) > MAX_TRAITS:
            raise Refused("bad_value", f"{each.label}: at most {MAX_TRAITS}.")
        for word in words:
            if word not in may and not (each.free and read_words(word) == (word,)):
                raise Refused("bad_value", f"{each.label}: “{word[:20]}” is none of the list.")
            if len(word) > MAX_TRAIT and word not in may:
                raise Refused("bad_value", f"{each.label}: at most {MAX_TRAIT} letters each.")
        if change := say_change(each.options, old, words):
            yield f"{each.label}: {change}"


def _read_health(system: System, one: Combatant, command: Correct) -> Iterator[str]:
    if not command.health:
        return
    if system.book.imports.set_health is None:
        raise Refused("bad_value", "In this game the most health follows from the sheet: correct that.")
    most = system.characters.health(one)
    if not 1 <= command.health <= 9999:
        raise Refused("bad_value", f"The most {most.label} is 1 to 9999.")
    if command.health != most.most:
        yield f"{most.label} at most {most.most} → {command.health}"


def _read_items(system: System, one: Combatant, command: Correct) -> Iterator[tuple[Item, tuple[str, ...]]]:
    """The corrected items, each with its changes in words; Refused if one is gone or has wrong figures."""
    held, catalogue = {item.id: item for item in one.items}, system.book.catalogue
    for item_id, changes in command.items.items():
        item = held.get(item_id)
        if item is None or catalogue is None:
            raise Refused("unknown", "That item is gone: reload the page.")
        known = {column.key: (column, value) for column, value in find_figures(system, item)}
        if unknown := changes.keys() - known.keys():
            raise Refused("bad_value", f"{item.name} has no “{min(unknown)[:40]}”: choose from the form.")
        for words in (value for value in changes.values() if isinstance(value, tuple)):
            if len({*words}) < len(words) or any(len(word) > MAX_WORD for word in words):
                raise Refused("bad_value", f"{item.name}: each trait of the list once.")
        told = tuple(
            f"{item.name}: {_say_figure(*known[key], value)}"
            for key, value in changes.items()
            if differs(value, known[key][1])
        )
        data = {**item.data, **changes}
        before = {one.place for one in find_record_problems(catalogue, item.kind, _own(item.data))}
        for problem in find_record_problems(catalogue, item.kind, _own(data)):
            if problem.place in changes or problem.place not in before:
                label = known[problem.place][0].label if problem.place in known else problem.place
                raise Refused("bad_value", f"{item.name}: {label} {problem.message}.")
        if told:
            yield _load_anew(catalogue, item, data), told


def _load_anew(catalogue: Catalogue, item: Item, data: dict[str, Any]) -> Item:
    """The item with other figures: no more rounds than it holds now, and full if it held none before."""
    held, holds = (catalogue.capacity(item.kind, record) for record in (item.data, data))
    loaded = item.loaded
    if holds is None:
        loaded = None
    elif held is None:
        loaded = holds
    elif loaded is not None:
        loaded = min(loaded, holds)
    return replace(item, data=data, loaded=loaded)


def _say_figure(column: Column, old: Figure, new: Figure) -> str:
    """One corrected figure of an item in words."""
    if isinstance(old, tuple) and isinstance(new, tuple):
        return f"{column.label} {say_change(column.options, old, new)}"
    return f"{column.label} {say_value(column, old)} → {say_value(column, new)}"


def _own(record: Mapping[str, Any]) -> dict[str, Any]:
    return {**record, "id": OWN, "origin": OWN}


def _write(system: System, one: Combatant, command: Correct) -> dict[str, Any]:
    """The sheet with what is corrected on it."""
    plan = _find_plan(system)
    draft = plan.read(one.sheet)
    changed: dict[str, dict[str, Any]] = {part: dict(getattr(draft, part)) for part in PARTS}
    changed["chosen"] = {**draft.chosen, **command.chosen}
    for name, value in command.numbers.items():
        part, _, key = name.partition(".")
        changed[part][key] = value
    sheet = plan.write(one.sheet, msgspec.structs.replace(draft, **changed))
    sheet |= {key: [*dict.fromkeys(words)] for key, words in command.traits.items()}
    set_health = system.book.imports.set_health
    return set_health(sheet, command.health) if command.health and set_health else sheet


def _find_marks(system: System, one: Combatant, command: Correct) -> Iterator[tuple[str, Scalar]]:
    """What the sheet said before the first correction of each figure."""
    now: dict[str, Figure] = {f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, one)}
    now |= {f"{CHOSEN}{selection.key}": value for selection, value in find_choices(system, one)}
    now |= {f"{TRAITS}{each.key}": words for each, words in find_traits(system, one)}
    now[HEALTH] = system.characters.health(one).most
    now |= {
        f"{ITEM}{item.id}.{column.key}": value
        for item in one.items
        if item.id in command.items
        for column, value in find_figures(system, item)
    }
    then: dict[str, Figure] = {**command.numbers}
    then |= {f"{CHOSEN}{key}": value for key, value in command.chosen.items()}
    then |= {f"{TRAITS}{key}": words for key, words in command.traits.items()}
    then |= {HEALTH: command.health} if command.health else {}
    then |= {
        f"{ITEM}{thing}.{key}": value
        for thing, changes in command.items.items()
        for key, value in changes.items()
    }
    for name, value in then.items():
        mark = f"{CORRECTED}{name}"
        if differs(value, now[name]) and mark not in one.marks:
            yield mark, write_mark(now[name])


def _change_sheet(context: RuleContext, one: Combatant, sheet: dict[str, Any]) -> None:
    """The sheet as it is now, and what follows: harm stays as it is, and what is left is worked out."""
    system = system_of(context)
    old, new = (_make_whole(system, context.state, one, data) for data in (one.sheet, sheet))
    lasts: dict[str, Any] = {key: one.sheet[key] for key in ("tracks", "conditions") if key in one.sheet}
    kept: dict[str, Any] = {**new.sheet, **lasts}
    context.emit(e.SheetSet(one.id, kept), to=e.GM_ONLY)
    for key in old.marks.keys() | new.marks.keys():
        if old.marks.get(key) != new.marks.get(key):
            context.emit(e.Marked(one.id, key, new.marks.get(key)), to=e.GM_ONLY)
    for track in system.characters.tracks:
        if track.key in new.tracks and old.tracks.get(track.key) != new.tracks[track.key]:
            _change_left(context, one, track, old.tracks.get(track.key), new.tracks[track.key])


def _change_left(context: RuleContext, one: Combatant, track: Track, full: int | None, most: int) -> None:
    """What is left of a number whose maximum is another one now: the maximum less the harm.

    A correction is neither wound nor healing: it brings nobody into another state, and nothing back that is
    lost. A mark remembers the harm beyond what the number can show, so that the way back leads to the same.
    """
    key = track.key
    full = most if full is None else full
    was = one.tracks.get(key, full)
    harm = full - was + find_beyond(one, key, full)
    now = _keep_state(system_of(context), one, context.state[one.id], track, most - harm)
    if now != was:
        context.emit(e.TrackChanged(one.id, key, was, now, why="why.corrected"))
    set_beyond(context, one.id, key, harm - (most - now))


def _keep_state(system: System, before: Combatant, after: Combatant, track: Track, left: int) -> int:
    """What is left, within the state that someone is in, as the game says."""
    was = before.tracks.get(track.key, left)
    if system.actions.keep_state is not None:
        left = system.actions.keep_state(before, after, track.key, left)
    elif track.key == system.characters.tracks[0].key:
        left = max(1, left) if was > 0 else min(0, left)
    return left if track.low is None else max(left, min(was, track.low))


def _make_whole(system: System, state: State, one: Combatant, sheet: dict[str, Any]) -> Combatant:
    """Someone as they would join with this sheet, unhurt."""
    fresh = {key: value for key, value in sheet.items() if key not in _find_plan(system).worked_out}
    whole = {**fresh, "tracks": {}, "conditions": []}
    try:
        return system.characters.make_combatant(one.id, one.name, one.side, whole, state.options)
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", f"These figures do not go together: {str(wrong)[:200]}.") from None
