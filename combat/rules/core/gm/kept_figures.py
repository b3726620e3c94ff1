"""Figures corrected in a fight that the sheet may keep: numbers, choices, traits, the most health, items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from ..basics.data import as_plain, convert
from ..declaration.system import System
from ..sheets.catalogue import OWN, find_record_problems
from ..sheets.changes import CHOICE, Change, Path, find_item_ids, put_change, say_figure
from ..sheets.sheets import Carried
from ..state.state import Combatant, State
from .figures import (
    CHOSEN,
    CORRECTED,
    HEALTH,
    ITEM,
    PARTS,
    TRAITS,
    differs,
    find_choices,
    find_figures,
    find_numbers,
    find_traits,
    name_choice,
    name_words,
    read_figure,
    read_mark,
    say_value,
)


def find_kept_figures(
    system: System, combatant: Combatant, sheet: dict[str, Any], state: State | None
) -> Iterator[Change]:
    """All figures that were corrected in the fight, if the sheet has others."""
    figures = (*_find_figures(system, combatant, sheet), *_find_choices(system, combatant, sheet))
    yield from figures
    yield from _find_traits(system, combatant, sheet)
    yield from _find_health(system, combatant, sheet, state, figures)
    yield from _find_item_figures(system, combatant, sheet["items"])


def find_joined_sheet(system: System, combatant: Combatant) -> dict[str, Any]:
    """The sheet that a combatant joined with: what was corrected in the fight is as it was before."""
    plan = system.book.sheets
    corrected = {
        mark.removeprefix(CORRECTED): was
        for mark, was in combatant.marks.items()
        if mark.startswith(CORRECTED)
    }
    if plan is None or not corrected:
        return combatant.sheet
    draft = plan.read(combatant.sheet)
    parts: dict[str, dict[str, Any]] = {part: dict(getattr(draft, part)) for part in (*PARTS, "chosen")}
    for name, was in corrected.items():
        part, _, key = name.partition(".")
        if part in parts:
            parts[part][key] = was
    sheet = plan.write(combatant.sheet, msgspec.structs.replace(draft, **parts))
    words = {name: was for name, was in corrected.items() if name.startswith(TRAITS)}
    sheet |= {name.removeprefix(TRAITS): [*read_mark(was)] for name, was in words.items()}
    set_health = system.book.imports.set_health
    return set_health(sheet, int(corrected[HEALTH])) if set_health and HEALTH in corrected else sheet


def _find_figures(system: System, combatant: Combatant, sheet: dict[str, Any]) -> Iterator[Change]:
    """The numbers that were corrected in the fight, if the sheet has others: it may keep them."""
    plan = system.book.sheets
    corrected = {key.removeprefix(CORRECTED) for key in combatant.marks if key.startswith(CORRECTED)}
    if plan is None or not corrected:
        return
    today = plan.read({**combatant.sheet, **sheet})
    for part, stat, now in find_numbers(system, combatant):
        was = getattr(today, part).get(stat.key, stat.usual)
        if f"{part}.{stat.key}" not in corrected or was == now:
            continue
        draft = msgspec.structs.replace(today, **{part: {**getattr(today, part), stat.key: now}})
        path, value = _find_written(plan.write(sheet, today), plan.write(sheet, draft))
        yield Change(
            path, stat.label, say_figure(was), say_figure(now), value=value, is_usual=False, is_figure=True
        )


def _find_choices(system: System, combatant: Combatant, sheet: dict[str, Any]) -> Iterator[Change]:
    """The choices that were corrected in the fight, with all that they bring, if the sheet has others."""
    plan = system.book.sheets
    corrected = [pair for pair in find_choices(system, combatant) if _is_corrected(combatant, pair[0].key)]
    if plan is None or not corrected:
        return
    today = plan.read({**combatant.sheet, **sheet})
    for selection, now in corrected:
        was = today.chosen.get(selection.key, "")
        if was == now:
            continue
        draft = msgspec.structs.replace(today, chosen={**today.chosen, selection.key: now})
        old, new = plan.write(sheet, today), plan.write(sheet, draft)
        value = {key: new[key] for key in new if new[key] != old.get(key)}
        before, after = name_choice(selection, was), name_choice(selection, now)
        path = (CHOICE, selection.key)
        yield Change(path, selection.label, before, after, value, is_usual=False, is_figure=True)


def _find_traits(system: System, combatant: Combatant, sheet: dict[str, Any]) -> Iterator[Change]:
    """The lists of traits that were corrected in the fight, if the sheet has others."""
    for each, now in find_traits(system, combatant):
        was = tuple(sheet.get(each.key, ()))
        if f"{CORRECTED}{TRAITS}{each.key}" not in combatant.marks or not differs(was, now):
            continue
        before, after = (name_words(each.options, words) for words in (was, now))
        yield Change((each.key,), each.label, before, after, [*now], is_usual=False, is_figure=True)


def _find_health(
    system: System,
    combatant: Combatant,
    sheet: dict[str, Any],
    state: State | None,
    figures: Iterable[Change],
) -> Iterator[Change]:
    """The most health, if it was corrected. Other figures that move it or write the same come first: it is
    offered once they are on the sheet, or are not wanted any more."""
    set_health = system.book.imports.set_health
    if set_health is None or CORRECTED + HEALTH not in combatant.marks:
        return
    today = {**combatant.sheet, **sheet}
    with_figures = today
    for change in figures:
        with_figures = put_change(with_figures, change)
    track = system.characters.health(combatant)
    was = _count_health(system, combatant, today, state)
    new = set_health(today, track.most)
    value = {key: new[key] for key in new if new[key] != today.get(key)}
    others = {key for key in with_figures if with_figures[key] != today.get(key)}
    moves = _count_health(system, combatant, with_figures, state) != was
    if was != track.most and not moves and not others & value.keys():
        label = f"{track.label} at most"
        path = (CHOICE, HEALTH)
        yield Change(
            path, label, say_figure(was), say_figure(track.most), value, is_usual=False, is_figure=True
        )


def _count_health(system: System, combatant: Combatant, sheet: dict[str, Any], state: State | None) -> int:
    """The most health of someone with this sheet."""
    whole = {**sheet, "tracks": {}, "conditions": []}
    options = state.options if state else {}
    make = system.characters.make_combatant
    return system.characters.health(make(combatant.id, combatant.name, combatant.side, whole, options)).most


def _find_item_figures(
    system: System, combatant: Combatant, things: Iterable[dict[str, Any]]
) -> Iterator[Change]:
    """The items whose figures were corrected: on the sheet they become records of its own."""
    catalogue, numbers = system.book.catalogue, find_item_ids(combatant)
    held = {item.id: item for item in combatant.items}
    for thing in things if catalogue else ():
        item = held.get(numbers.get(thing["id"], ""))
        entry = catalogue.look_up(convert(thing, Carried)) if catalogue and item else None
        if catalogue is None or item is None or entry is None:
            continue
        changed = [
            (column, was, value)
            for column, value in find_figures(system, item)
            if f"{CORRECTED}{ITEM}{item.id}.{column.key}" in combatant.marks
            and differs(value, was := read_figure(column, entry.record))
        ]
        record = {
            **as_plain(entry.record),
            **{column.key: now for column, _, now in changed},
            "id": OWN,
            "origin": OWN,
        }
        if changed and not find_record_problems(catalogue, item.kind, record):
            before, after = (
                ", ".join(f"{row[0].label} {say_value(row[0], row[n])}" for row in changed) for n in (1, 2)
            )
            path = ("items", thing["id"], "record")
            yield Change(path, item.name, before, after, record, is_usual=False, is_figure=True)


def _is_corrected(combatant: Combatant, key: str) -> bool:
    return f"{CORRECTED}{CHOSEN}{key}" in combatant.marks


def _find_written(before: dict[str, Any], after: dict[str, Any]) -> tuple[Path, Any]:
    """Where two sheets differ, and what the second has there."""
    key = next(key for key in after if after[key] != before.get(key))
    old, new = before.get(key), after[key]
    if isinstance(old, dict) and isinstance(new, dict):
        inner = next(name for name in (*new, *old) if new.get(name) != old.get(name))
        return (key, inner), new.get(inner)
    return (key,), new
