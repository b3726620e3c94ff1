"""A sheet as named words, such as the cells of a roster or the lines of a text block.

Every game has these: Name, Game, its selections, attributes, skills and money by their labels, Items, Notes.
Derived numbers are written for people and compared when read back. What words cannot say goes into OTHER as
JSON, so that a roster loses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import (
    DerivedGroup,
    Draft,
    OwnStats,
    Selection,
    SheetPlan,
    Stat,
    blank_draft,
    find_meant,
    find_option,
    is_meant,
)

from ..display.sheet_view import view_numbers
from ..games import check_sheet, find_problems, plan_of
from .item_words import ITEMS, read_item_words, write_items
from .reading import Reading

NAME, GAME, SUMMARY, NOTES, OTHER = "Name", "Game", "Summary", "Notes", "Other (JSON)"
COUNTED = "{} (counted)"  # a number with the same label as one that people set
OWN_CHOICE = "{} (own)"  # the chosen option is not one of the game's own


def write_words(system: System, name: str, sheet: dict[str, Any], summary: str, notes: str) -> dict[str, Any]:
    """A whole sheet in words, the most interesting first; skills at their usual level are left out."""
    if find_problems(system, sheet):
        return {NAME: name, GAME: system.name, SUMMARY: summary, OTHER: _as_json(sheet), NOTES: notes}
    plan = plan_of(system)
    draft = plan.read(sheet)
    words = {NAME: name, GAME: system.name, SUMMARY: summary}
    words |= write_chosen(plan, draft) | write_attributes(plan, draft) | write_numbers(system, name, sheet)
    words |= write_skills(plan, draft)
    if plan.money:
        words[plan.money.label] = sheet.get(plan.money.key, 0)
    if plan.own:
        words[plan.own.label] = write_own(plan.own, sheet)
    words |= {
        ITEMS: write_items(system.book.catalogue, sheet),
        OTHER: _write_other(system, sheet),
        NOTES: notes,
    }
    return {key: value for key, value in words.items() if value != ""}


def write_chosen(plan: SheetPlan, draft: Draft) -> dict[str, Any]:
    """The chosen option of each selection, by its label."""
    found = {}
    for selection in find_meant(plan.selections, draft.chosen):
        key = draft.chosen.get(selection.key, "")
        label = next((option.label for option in selection.options if option.key == key), "")
        if label and not selection.passing:
            found[selection.label] = label
        elif key and not selection.passing:
            found[OWN_CHOICE.format(selection.label)] = key
    return found


def write_attributes(plan: SheetPlan, draft: Draft) -> dict[str, Any]:
    """The attributes by their labels."""
    return {stat.label: draft.attributes[stat.key] for stat in find_meant(plan.attributes, draft.chosen)}


def write_skills(plan: SheetPlan, draft: Draft) -> dict[str, Any]:
    """The skills that are trained, by their labels."""
    meant = find_meant(plan.skills, draft.chosen)
    return {s.label: draft.skills[s.key] for s in meant if draft.skills[s.key] != s.usual}


def write_own(own: OwnStats, sheet: dict[str, Any]) -> str:
    """The numbers that a table added, each with its kind."""
    kinds = dict(own.kinds)
    return "; ".join(f"{name} ({kinds[kind]}) {value}" for name, kind, value in own.find(sheet))


def write_numbers(system: System, name: str, sheet: dict[str, Any]) -> dict[str, Any]:
    """The derived numbers of a sheet, by unique labels."""
    return _name_numbers(plan_of(system), view_numbers(system, name, sheet))


def _name_numbers(plan: SheetPlan, groups: Iterable[DerivedGroup]) -> dict[str, Any]:
    taken = {word.casefold() for thing in list_named(plan) for word in (thing.label, thing.key)}
    taken |= {stat.short.casefold() for stat in (*plan.attributes, *plan.skills)}
    found: dict[str, Any] = {}
    for group in groups:
        for number in group.numbers:
            label = f"{group.label}: {number.label}" if group.label else number.label
            found[COUNTED.format(label) if label.casefold() in taken else label] = number.value
    return found


def _write_other(system: System, sheet: dict[str, Any]) -> str:
    """The fields of a sheet that its words leave out."""
    plain, full = _without_other(system, sheet), check_sheet(system, sheet)
    said = {*plan_of(system).write({}, blank_draft(plan_of(system)))}
    other = {
        key: value
        for key, value in full.items()
        if key != "name"
        and value != plain.get(key)
        and not (key in said and _are_same(value, plain.get(key)))
    }
    return _as_json(other) if other else ""


def _are_same(one: Any, other: Any) -> bool:
    """Whether two tables of numbers differ only in zeros that one leaves out."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return False
    return {key: value for key, value in one.items() if value} == {k: v for k, v in other.items() if v}


def _without_other(system: System, sheet: dict[str, Any]) -> dict[str, Any]:
    """The sheet that the words alone give, with all fields."""
    plan = plan_of(system)
    draft = _find_said(plan, plan.read(sheet))
    made = make_sheet(plan, draft, sheet.get(plan.money.key, 0) if plan.money else 0)
    for name, kind, value in plan.own.find(sheet) if plan.own else ():
        made = plan.own.put(made, name, kind, value) if plan.own else made
    made["items"] = read_item_words(
        system.book.catalogue, write_items(system.book.catalogue, sheet), Reading("")
    )
    problems = find_problems(system, made)
    return made if problems else check_sheet(system, made)


def _find_said(plan: SheetPlan, draft: Draft) -> Draft:
    """The part of a draft that words can say: what the game knows and uses for such a sheet."""
    blank = blank_draft(plan)
    unknown = {s.key: s.usual for s in plan.selections if find_option(plan, draft, s.key) is None}
    attributes = {s.key: draft.attributes[s.key] for s in find_meant(plan.attributes, draft.chosen)}
    skills = {s.key: draft.skills[s.key] for s in find_meant(plan.skills, draft.chosen)}
    return Draft(
        attributes={**blank.attributes, **attributes},
        skills={**blank.skills, **skills},
        chosen={**draft.chosen, **unknown},
    )


def make_sheet(plan: SheetPlan, draft: Draft, money: int) -> dict[str, Any]:
    """The sheet of a draft. It is written twice, because a model's own values must not hide what was set."""
    first = plan.write({}, draft)
    brought = plan.read({"items": (), **first}).chosen
    chosen = {s.key: brought.get(s.key, "") for s in plan.selections if not is_meant(s, draft.chosen)}
    made = plan.write(first, msgspec.structs.replace(draft, chosen={**draft.chosen, **chosen}))
    return {**made, plan.money.key: money} if plan.money else made


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def list_named(plan: SheetPlan) -> Iterator[Stat | Selection]:
    """Everything that a game names on its sheets."""
    yield from plan.selections
    yield from plan.attributes
    yield from plan.skills
