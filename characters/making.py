"""Making a character: what a form says, one step further, and all that the page shows of it.

Guided, every number is what was bought and no step leads beyond the points. Free-hand, every
number is what the sheet will have, within the absolute bounds; what no new character has is listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec
from django.http import QueryDict

from combat.rules.core.errors import Refused
from combat.rules.core.sheets import (
    Budget,
    Departure,
    Draft,
    Option,
    Preset,
    Selection,
    SheetPlan,
    Stat,
    blank_draft,
    can_become,
    find_departures,
    find_faults,
    find_option,
    with_preset,
)
from combat.rules.core.shelf import Entry, new_thing
from combat.rules.core.system import System

from .games import check_sheet, plan_of
from .keeping import clean_name
from .viewing import NumberGroup, view_numbers

Part = Literal["attributes", "skills"]
PARTS: tuple[Part, ...] = ("attributes", "skills")
MOST_THINGS = 60
STEP = re.compile(r"(attributes|skills)-(.+)([+-])")


@dataclass(frozen=True)
class Making:
    """What a form holds: the numbers and choices, a name, things as kind:entry, and the one picked next."""

    system: System
    guided: bool
    draft: Draft
    name: str = ""
    things: tuple[str, ...] = ()
    money: int = 0
    wanted: str = ""

    @property
    def plan(self) -> SheetPlan:
        """What the game's sheets are made of."""
        return plan_of(self.system)


def stats_of(plan: SheetPlan, part: Part) -> tuple[Stat, ...]:
    """The attributes or the skills."""
    return plan.attributes if part == "attributes" else plan.skills


def begin(system: System, guided: bool) -> Making:
    """An empty form."""
    money = plan_of(system).money
    return Making(system, guided, blank_draft(plan_of(system)), money=money.start if money else 0)


def read(system: System, guided: bool, data: QueryDict) -> Making:
    """What a form says, brought within the bounds of its fields; then one step, if a button was pressed."""
    blank = begin(system, guided)
    plan = blank.plan
    draft = Draft(
        attributes=_read_numbers(plan, "attributes", data, guided),
        skills=_read_numbers(plan, "skills", data, guided),
        chosen={s.key: _read_choice(s, data.get(f"chosen-{s.key}", s.usual)) for s in plan.selections},
    )
    things = tuple(t for t in data.getlist("thing")[:MOST_THINGS] if find_thing(system, t))
    money = _read_number(data.get("money"), blank.money, 0, plan.money.most if plan.money else 0)
    name, wanted = data.get("name", "")[:100], data.get("wanted", "")
    making = replace(blank, draft=draft, name=name, things=things, money=money, wanted=wanted)
    return _take_step(making, data)


def switch(making: Making) -> Making:
    """The same character the other way: free-hand what the sheet would have, guided what it would have cost.

    What no new character may have is brought within its bounds; points that are overspent stay so.
    """
    creation = making.plan.creation
    if making.guided:
        money, draft = max(0, count_money(making)), creation.finish(making.draft)
    else:
        money, draft = begin(making.system, True).money, _moderate(making.plan, creation.undo(making.draft))
    return replace(making, guided=not making.guided, draft=draft, money=money)


def _moderate(plan: SheetPlan, draft: Draft) -> Draft:
    kept = {
        part: {
            stat.key: min(stat.first_high, max(stat.first_low, getattr(draft, part)[stat.key]))
            for stat in stats_of(plan, part)
        }
        for part in PARTS
    }
    return msgspec.structs.replace(draft, **kept)


def _read_numbers(plan: SheetPlan, part: Part, data: QueryDict, guided: bool) -> dict[str, int]:
    found = {}
    for stat in stats_of(plan, part):
        low, high = (stat.first_low, stat.first_high) if guided else (stat.low, stat.high)
        found[stat.key] = _read_number(data.get(f"{part}-{stat.key}"), stat.usual, low, high)
    return found


def _read_number(word: str | None, usual: int, low: int, high: int) -> int:
    word = (word or "").strip()
    if not re.fullmatch(r"[+-]?\d{1,10}", word, re.ASCII):
        return usual
    return min(high, max(low, int(word)))


def _read_choice(selection: Selection, word: str) -> str:
    known = {option.key for option in selection.options}
    return word if word in known or (not word and not selection.required) else selection.usual


# ---------------------------------------------------------------- steps


def _take_step(making: Making, data: QueryDict) -> Making:
    """What the pressed button does; a guided step beyond the points does nothing."""
    draft, plan = making.draft, making.plan
    step = STEP.fullmatch(data.get("step", ""))
    if step:
        draft = _bump(making, step[1], step[2], 1 if step[3] == "+" else -1)
    array = _find_preset(plan.creation.arrays, data.get("array", ""))
    if array:
        draft = msgspec.structs.replace(draft, attributes=with_preset(draft.attributes, array))
    package = _find_preset(plan.creation.packages, data.get("package", ""))
    if package:
        draft = msgspec.structs.replace(draft, skills=with_preset(draft.skills, package))
    if making.guided and not can_become(plan, making.draft, draft):
        draft = making.draft
    return replace(making, draft=draft, things=_change_things(making, data))


def _find_preset(presets: tuple[Preset, ...], key: str) -> Preset | None:
    return next((preset for preset in presets if preset.key == key), None)


def _bump(making: Making, part: str, key: str, by: int) -> Draft:
    name: Part = "attributes" if part == "attributes" else "skills"
    stat = next((s for s in stats_of(making.plan, name) if s.key == key), None)
    values: dict[str, int] = getattr(making.draft, name)
    if stat is None:
        return making.draft
    low, high = (stat.first_low, stat.first_high) if making.guided else (stat.low, stat.high)
    bumped = {**values, key: min(high, max(low, values[key] + by))}
    return msgspec.structs.replace(making.draft, **{name: bumped})


def _change_things(making: Making, data: QueryDict) -> tuple[str, ...]:
    things = list(making.things)
    wanted = find_thing(making.system, making.wanted) if "add" in data else None
    if wanted and len(things) < MOST_THINGS and can_buy(making, wanted):
        things.append(f"{wanted.kind}:{wanted.id}")
    gone = data.get("remove", "")
    if gone.isdecimal() and len(gone) < 4 and int(gone) < len(things):
        del things[int(gone)]
    return tuple(things)


# ---------------------------------------------------------------- things and money


def find_thing(system: System, word: str) -> Entry | None:
    """The entry of the catalogue that "kind:entry" names."""
    kind, _, entry = word.partition(":")
    return system.catalogue.find_entry(kind, entry) if system.catalogue else None


def count_cost(making: Making) -> int:
    """What all the things cost together."""
    entries = (find_thing(making.system, thing) for thing in making.things)
    return sum(entry.price or 0 for entry in entries if entry)


def count_money(making: Making) -> int:
    """Money that is left: of the starting money when guided, else what the form says."""
    return making.money - count_cost(making) if making.guided else making.money


def can_buy(making: Making, entry: Entry) -> bool:
    """Whether the money that is left pays for a thing; free-hand nothing is paid."""
    return not making.guided or (entry.price or 0) <= count_money(making)


# ---------------------------------------------------------------- the sheet


def find_obstacles(making: Making) -> tuple[Departure, ...]:
    """What keeps a guided character from being made; free-hand, what differs from a new one."""
    if not making.guided:
        return find_departures(making.plan, make_sheet(making))
    found = find_faults(making.plan, making.draft)
    money = making.plan.money
    if money and count_money(making) < 0:
        text = f"{money.label}: the gear costs {-count_money(making)} more than there are."
        found = (*found, Departure(place="money", message=text, rule=money.rule, source=money.source))
    return found


def make_sheet(making: Making) -> dict[str, Any]:
    """The sheet of a form."""
    plan = making.plan
    draft = plan.creation.finish(making.draft) if making.guided else making.draft
    sheet = plan.write({"name": "", "items": make_things(making)}, draft)
    return {**sheet, plan.money.key: max(0, count_money(making))} if plan.money else sheet


def make_things(making: Making) -> list[dict[str, Any]]:
    """The things as a sheet has them: the first of each kind that is held or worn in use."""
    catalogue, made, used = making.system.catalogue, [], set()
    for number, word in enumerate(making.things, 1):
        entry = find_thing(making.system, word)
        if catalogue is None or entry is None:
            continue
        thing = new_thing(catalogue, entry, {f"i{n}" for n in range(1, number)})
        kind = catalogue.find_kind(entry.kind)
        if kind and kind.ready and kind.key not in used:
            thing = msgspec.structs.replace(thing, place=kind.ready)
            used.add(kind.key)
        made.append(msgspec.to_builtins(thing))
    return made


def finish(making: Making) -> tuple[str, dict[str, Any]]:
    """The name and sheet of a form that is ready; Refused says all that is in the way."""
    problems = [fault.message for fault in find_obstacles(making)] if making.guided else []
    name = ""
    try:
        name = clean_name(making.name)
    except Refused as refused:
        problems.append(refused.message)
    if problems:
        raise Refused("bad_value", " ".join(problems))
    return name, check_sheet(making.system, make_sheet(making))


# ---------------------------------------------------------------- what the page shows


@dataclass(frozen=True)
class StatRow:
    """One number of the form: its value, what it costs, what the next point costs, where it ends."""

    stat: Stat
    part: Part
    value: int
    finished: int
    price: int
    more: int | None
    can_rise: bool
    can_fall: bool
    low: int
    high: int
    unusual: str = ""

    @property
    def change(self) -> int:
        """What choices add to the bought value."""
        return self.finished - self.value


@dataclass(frozen=True)
class SelectionRow:
    """A selection and the option chosen."""

    selection: Selection
    value: str
    chosen: Option | None


@dataclass(frozen=True)
class MakingView:
    """All that the page shows of a form."""

    making: Making
    selections: tuple[SelectionRow, ...]
    attributes: tuple[StatRow, ...]
    skills: tuple[tuple[str, tuple[StatRow, ...]], ...]
    budgets: tuple[Budget, ...]
    obstacles: tuple[Departure, ...]
    numbers: tuple[NumberGroup, ...]
    things: tuple[Entry, ...]
    shelf: tuple[tuple[str, tuple[tuple[Entry, bool], ...]], ...]
    money_left: int

    @property
    def unspent(self) -> tuple[Budget, ...]:
        """The points a guided character has yet to spend."""
        return tuple(b for b in self.budgets if b.left > 0) if self.making.guided else ()

    @property
    def can_buy(self) -> bool:
        """Whether anything in the catalogue can be paid for."""
        return any(payable for _, entries in self.shelf for _, payable in entries)


def view(making: Making) -> MakingView:
    """What the page shows."""
    plan, obstacles = making.plan, find_obstacles(making)
    bought = making.draft if making.guided else plan.creation.undo(making.draft)
    places = {fault.place: fault.message for fault in obstacles}
    skills = view_stats(making, "skills", places)
    groups = dict.fromkeys(row.stat.group for row in skills)
    return MakingView(
        making=making,
        selections=tuple(
            SelectionRow(s, making.draft.chosen[s.key], find_option(plan, making.draft, s.key))
            for s in plan.selections
        ),
        attributes=view_stats(making, "attributes", places),
        skills=tuple((group, tuple(r for r in skills if r.stat.group == group)) for group in groups),
        budgets=plan.creation.find_budgets(bought),
        obstacles=obstacles,
        numbers=_view_numbers(making),
        things=tuple(entry for t in making.things if (entry := find_thing(making.system, t))),
        shelf=view_shelf(making),
        money_left=count_money(making),
    )


def _view_numbers(making: Making) -> tuple[NumberGroup, ...]:
    try:
        sheet = check_sheet(making.system, make_sheet(making))
    except Refused:
        return ()
    return view_numbers(making.system, "", sheet)


def view_stats(making: Making, part: Part, unusual: Mapping[str, str]) -> tuple[StatRow, ...]:
    """The numbers of a form, row by row."""
    creation = making.plan.creation
    finished = creation.finish(making.draft) if making.guided else making.draft
    prices = creation.attribute_prices if part == "attributes" else creation.skill_prices
    values, ends = getattr(making.draft, part), getattr(finished, part)
    rows = []
    for stat in stats_of(making.plan, part):
        value = values[stat.key]
        price = prices.get(value, 0)
        row = StatRow(
            stat=stat,
            part=part,
            value=value,
            finished=ends[stat.key],
            price=price,
            more=prices[value + 1] - price if value + 1 in prices else None,
            can_rise=_can_step(making, stat, part, 1),
            can_fall=_can_step(making, stat, part, -1),
            low=stat.first_low if making.guided else stat.low,
            high=stat.first_high if making.guided else stat.high,
            unusual=unusual.get(f"{part}.{stat.key}", ""),
        )
        rows.append(row)
    return tuple(rows)


def _can_step(making: Making, stat: Stat, part: Part, by: int) -> bool:
    bumped = _bump(making, part, stat.key, by)
    if bumped == making.draft:
        return False
    return not making.guided or can_become(making.plan, making.draft, bumped)


def view_shelf(making: Making) -> tuple[tuple[str, tuple[tuple[Entry, bool], ...]], ...]:
    """The catalogue by kind, each entry with whether it can be paid for."""
    catalogue = making.system.catalogue
    if catalogue is None:
        return ()
    left = count_money(making) if making.guided else None
    entries = [entry for entry in catalogue.find_entries() if entry.price is not None]
    return tuple(
        (
            kind.plural,
            tuple((e, left is None or (e.price or 0) <= left) for e in entries if e.kind == kind.key),
        )
        for kind in catalogue.kinds
    )
