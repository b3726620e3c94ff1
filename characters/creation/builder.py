"""A character being created: what a form says, one step further, and all that the page shows of it.

Guided, every number is what was bought and no step leads beyond the points. Free-form, every
number is what the sheet will have, within the absolute bounds; what no new character has is listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec
from django.http import QueryDict

from combat.rules.core.basics.dice import parse_dice, throw
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole, say_no_number
from combat.rules.core.sheets.catalogue import Entry, find_fed, new_thing
from combat.rules.core.sheets.lines import Written, split_lines
from combat.rules.core.sheets.sheets import (
    Budget,
    Carried,
    Departure,
    Draft,
    Option,
    Preset,
    Profile,
    Selection,
    SheetPlan,
    Stat,
    blank_draft,
    can_become,
    find_departures,
    find_faults,
    find_meant,
    find_option,
    is_meant,
    with_preset,
)
from combat.rules.core.system import System
from combat.rules.core.wording import Pen

from ..display.sheet_view import NumberGroup, view_numbers
from ..games import check_sheet, plan_of
from ..services.character_service import clean_name

Part = Literal["attributes", "skills"]
PARTS: tuple[Part, ...] = ("attributes", "skills")
MAX_ITEMS = 60
STEP = re.compile(r"(attributes|skills)-(.+)([+-])")


@dataclass(frozen=True)
class CharacterBuilder:
    """What a form holds: the numbers and choices, a name, items as kind:entry, and the one picked next."""

    system: System
    guided: bool
    draft: Draft
    name: str = ""
    items: tuple[str, ...] = ()
    money: int = 0
    wanted: str = ""

    @property
    def plan(self) -> SheetPlan:
        """What the game's sheets are made of."""
        return plan_of(self.system)


def stats_of(plan: SheetPlan, part: Part) -> tuple[Stat, ...]:
    """The attributes or the skills."""
    return plan.attributes if part == "attributes" else plan.skills


def begin(system: System, guided: bool) -> CharacterBuilder:
    """An empty form."""
    money = plan_of(system).money
    return CharacterBuilder(system, guided, blank_draft(plan_of(system)), money=money.start if money else 0)


def read(system: System, guided: bool, data: QueryDict) -> CharacterBuilder:
    """What a form says, brought within the bounds of its fields; then one step, if a button was pressed."""
    blank = begin(system, guided)
    plan = blank.plan
    draft = Draft(
        attributes=_read_numbers(plan, "attributes", data, guided) | _read_profile(plan, data, guided),
        skills=_read_numbers(plan, "skills", data, guided),
        chosen={s.key: _read_choice(s, data.get(f"chosen-{s.key}", s.usual)) for s in plan.selections},
    )
    items = tuple(t for t in data.getlist("item")[:MAX_ITEMS] if find_item(system, t))
    money = _read_number(data.get("money"), blank.money, 0, plan.money.most if plan.money else 0)
    name, wanted = data.get("name", "")[:100], data.get("wanted", "")
    builder = replace(blank, draft=draft, name=name, items=items, money=money, wanted=wanted)
    return _fill_in(builder, data) if "fill" in data else _take_step(builder, data)


def _fill_in(builder: CharacterBuilder, data: QueryDict) -> CharacterBuilder:
    """The form as one line of text says it; as it was where that cannot be read."""
    try:
        written = _read_line(builder.system, data)
    except Refused:
        return builder
    if written is None:
        return builder
    plan, sheet = builder.plan, written.sheet
    draft = plan.read(sheet)
    draft = plan.creation.undo(draft) if builder.guided else draft
    kept = {key: value for key, value in draft.chosen.items() if value}
    items = [f"{i['kind']}:{i['entry']}" for i in sheet.get("items", ()) for _ in range(i.get("count", 1))]
    money = sheet.get(plan.money.key, 0) if plan.money and not builder.guided else builder.money
    draft = msgspec.structs.replace(draft, chosen={**builder.draft.chosen, **kept})
    return replace(builder, draft=draft, name=written.name, items=tuple(items[:MAX_ITEMS]), money=money)


def _read_line(system: System, data: QueryDict) -> Written | None:
    """Whoever the line of the form says; None without one, Refused if it cannot be read."""
    found = split_lines(data.get("line", "")) if system.lines else ()
    return system.lines.read(found[0]) if system.lines and found else None


def switch(builder: CharacterBuilder) -> CharacterBuilder:
    """The same character the other way: free-form what the sheet would have, guided what it would have cost.

    What no new character may have is brought within its bounds; points that are overspent stay so.
    """
    creation = builder.plan.creation
    if builder.guided:
        money, draft = max(0, count_money(builder)), creation.finish(builder.draft)
    else:
        money, draft = (
            begin(builder.system, True).money,
            _moderate(builder.plan, creation.undo(builder.draft)),
        )
    return replace(builder, guided=not builder.guided, draft=draft, money=money)


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
        found[stat.key] = stat.settle(_read_number(data.get(f"{part}-{stat.key}"), stat.usual, low, high))
    return found


def _read_profile(plan: SheetPlan, data: QueryDict, guided: bool) -> dict[str, int]:
    """The attributes that a profile typed anew says, within their bounds; none if it cannot be read."""
    try:
        said = _say_profile(plan, data)
    except Refused:
        return {}
    bounds = {s.key: (s.first_low, s.first_high) if guided else (s.low, s.high) for s in plan.attributes}
    return {key: min(bounds[key][1], max(bounds[key][0], value)) for key, value in said.items()}


def _say_profile(plan: SheetPlan, data: QueryDict) -> dict[str, int]:
    """What a profile says that was typed anew; Refused if it cannot be read."""
    word = data.get("profile", "").strip()[:40]
    return plan.profile.read(word) if plan.profile and word and word != data.get("profile-was") else {}


def _read_number(word: str | None, usual: int, low: int, high: int) -> int:
    number = read_whole(word or "")
    return usual if number is None else min(high, max(low, number))


def find_misread(system: System, data: QueryDict) -> Refused | None:
    """What was typed for a number and is none: it is said, as the usual number stands there instead."""
    plan = plan_of(system)
    labels = {f"{part}-{stat.key}": stat.label for part in PARTS for stat in stats_of(plan, part)}
    if plan.money:
        labels["money"] = plan.money.label
    typed = {name: data.get(name, "").strip() for name in labels}
    wrong = [name for name, word in typed.items() if word and read_whole(word) is None]
    said = " ".join(f"{labels[name]} {say_no_number(typed[name])}" for name in wrong)
    try:
        _say_profile(plan, data)
        if "fill" in data:
            _read_line(system, data)
    except Refused as refused:
        said = f"{said} {refused.message}".strip()
    return Refused("bad_value", said) if said else None


def _read_choice(selection: Selection, word: str) -> str:
    known = {option.key for option in selection.options}
    return word if word in known or (not word and not selection.required) else selection.usual


# ---------------------------------------------------------------- steps


def _take_step(builder: CharacterBuilder, data: QueryDict) -> CharacterBuilder:
    """What the pressed button does; a guided step beyond the points does nothing."""
    draft, plan = builder.draft, builder.plan
    step = STEP.fullmatch(data.get("step", ""))
    if step:
        draft = _bump(builder, step[1], step[2], 1 if step[3] == "+" else -1)
    array = _find_preset(plan.creation.arrays, data.get("array", ""))
    if array:
        draft = msgspec.structs.replace(draft, attributes=with_preset(draft.attributes, array))
    if "throw" in data:
        draft = msgspec.structs.replace(draft, attributes=draft.attributes | _throw(plan, draft))
    package = _find_preset(plan.creation.packages, data.get("package", ""))
    if package:
        draft = msgspec.structs.replace(draft, skills=with_preset(draft.skills, package))
    if builder.guided and not can_become(plan, builder.draft, draft):
        draft = builder.draft
    return replace(builder, draft=draft, items=_change_items(builder, data))


def _throw(plan: SheetPlan, draft: Draft) -> dict[str, int]:
    """Attributes rolled by the app, each by its dice."""
    dice = plan.creation.find_throws(draft)
    return {key: sum(throw(notation)) + parse_dice(notation).plus for key, notation in dice.items()}


def _find_preset(presets: tuple[Preset, ...], key: str) -> Preset | None:
    return next((preset for preset in presets if preset.key == key), None)


def _bump(builder: CharacterBuilder, part: str, key: str, by: int) -> Draft:
    name: Part = "attributes" if part == "attributes" else "skills"
    stat = next((s for s in stats_of(builder.plan, name) if s.key == key), None)
    values: dict[str, int] = getattr(builder.draft, name)
    if stat is None:
        return builder.draft
    low, high = (stat.first_low, stat.first_high) if builder.guided else (stat.low, stat.high)
    bumped = {**values, key: min(high, max(low, stat.step(values[key], by)))}
    return msgspec.structs.replace(builder.draft, **{name: bumped})


def _change_items(builder: CharacterBuilder, data: QueryDict) -> tuple[str, ...]:
    items = list(builder.items)
    wanted = find_item(builder.system, builder.wanted) if "add" in data else None
    if wanted and len(items) < MAX_ITEMS and can_buy(builder, wanted):
        items.append(f"{wanted.kind}:{wanted.id}")
    gone = data.get("remove", "")
    if gone.isdecimal() and len(gone) < 4 and int(gone) < len(items):
        del items[int(gone)]
    return tuple(items)


# ---------------------------------------------------------------- items and money


def find_item(system: System, word: str) -> Entry | None:
    """The entry of the catalogue that "kind:entry" names."""
    kind, _, entry = word.partition(":")
    return system.catalogue.find_entry(kind, entry) if system.catalogue else None


def count_cost(builder: CharacterBuilder) -> int:
    """What all the items cost together."""
    entries = (find_item(builder.system, item) for item in builder.items)
    return sum(entry.price or 0 for entry in entries if entry)


def count_money(builder: CharacterBuilder) -> int:
    """Money that is left: of the starting money when guided, else what the form says."""
    return builder.money - count_cost(builder) if builder.guided else builder.money


def can_buy(builder: CharacterBuilder, entry: Entry) -> bool:
    """Whether the money that is left pays for an item; free-form nothing is paid."""
    return not builder.guided or (entry.price or 0) <= count_money(builder)


# ---------------------------------------------------------------- the sheet


def find_obstacles(builder: CharacterBuilder) -> tuple[Departure, ...]:
    """What keeps a guided character from being made; free-form, what differs from a new one."""
    if not builder.guided:
        return find_departures(builder.plan, make_sheet(builder))
    found = find_faults(builder.plan, builder.draft)
    money = builder.plan.money
    if money and count_money(builder) < 0:
        text = f"{money.label}: the gear costs {-count_money(builder)} too much."
        found = (*found, Departure(place="money", message=text, rule=money.rule, source=money.source))
    return found


def make_sheet(builder: CharacterBuilder) -> dict[str, Any]:
    """The sheet of a form."""
    plan = builder.plan
    draft = plan.creation.finish(builder.draft) if builder.guided else builder.draft
    sheet = plan.write({"name": "", "items": make_items(builder)}, draft)
    return {**sheet, plan.money.key: max(0, count_money(builder))} if plan.money else sheet


def make_items(builder: CharacterBuilder) -> list[dict[str, Any]]:
    """The items as a sheet has them: the first of each kind that is held or worn in use.

    Spare magazines come last, and go to what they are for.
    """
    catalogue, used = builder.system.catalogue, set()
    made: list[Carried] = []
    found = [entry for word in builder.items if (entry := find_item(builder.system, word))]
    for number, entry in enumerate(sorted(found, key=lambda entry: entry.spare_for is not None), 1):
        if catalogue is None:
            continue
        fed = find_fed(made, entry)
        if fed:
            made[made.index(fed)] = msgspec.structs.replace(fed, spares=fed.spares + 1)
            continue
        item = new_thing(catalogue, entry, {f"i{n}" for n in range(1, number)})
        kind = catalogue.find_kind(entry.kind)
        if kind and kind.ready and kind.key not in used:
            item = msgspec.structs.replace(item, place=kind.ready)
            used.add(kind.key)
        made.append(item)
    return [msgspec.to_builtins(item) for item in made]


def finish(builder: CharacterBuilder) -> tuple[str, dict[str, Any]]:
    """The name and sheet of a form that is ready; Refused says all that is in the way."""
    problems = [fault.message for fault in find_obstacles(builder)] if builder.guided else []
    name = ""
    try:
        name = clean_name(builder.name)
    except Refused as refused:
        problems.append(refused.message)
    if problems:
        raise Refused("bad_value", " ".join(problems))
    return name, check_sheet(builder.system, make_sheet(builder))


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

    @property
    def changes(self) -> bool:
        """Whether any of its options changes numbers, so that one which does not may say so."""
        return any(option.changes for option in self.selection.options)


@dataclass(frozen=True)
class CreationView:
    """All that the page shows of a form."""

    builder: CharacterBuilder
    selections: tuple[SelectionRow, ...]
    attributes: tuple[StatRow, ...]
    skills: tuple[tuple[str, tuple[StatRow, ...]], ...]
    budgets: tuple[Budget, ...]
    obstacles: tuple[Departure, ...]
    numbers: tuple[NumberGroup, ...]
    items: tuple[Entry, ...]
    catalogue: tuple[tuple[str, tuple[tuple[Entry, bool], ...]], ...]
    money_left: int
    arrays: tuple[Preset, ...] = ()
    throws: tuple[str, ...] = ()
    profile: tuple[Profile, str] | None = None

    @property
    def unspent(self) -> tuple[Budget, ...]:
        """The points a guided character has yet to spend."""
        return tuple(b for b in self.budgets if b.left > 0) if self.builder.guided else ()

    @property
    def can_buy(self) -> bool:
        """Whether anything in the catalogue can be paid for."""
        return any(payable for _, entries in self.catalogue for _, payable in entries)


def view(builder: CharacterBuilder) -> CreationView:
    """What the page shows."""
    plan, obstacles = builder.plan, find_obstacles(builder)
    bought = builder.draft if builder.guided else plan.creation.undo(builder.draft)
    places = {fault.place: fault.message for fault in obstacles}
    skills = view_stats(builder, "skills", places)
    groups = dict.fromkeys(row.stat.group for row in skills)
    return CreationView(
        builder=builder,
        selections=tuple(
            SelectionRow(s, builder.draft.chosen[s.key], find_option(plan, builder.draft, s.key))
            for s in find_meant(plan.selections, builder.draft.chosen)
        ),
        attributes=view_stats(builder, "attributes", places),
        skills=tuple((group, tuple(r for r in skills if r.stat.group == group)) for group in groups),
        budgets=tuple(map(Pen(builder.system, {}).budget, plan.creation.find_budgets(bought))),
        obstacles=obstacles,
        numbers=_view_numbers(builder),
        items=tuple(entry for t in builder.items if (entry := find_item(builder.system, t))),
        catalogue=view_catalogue(builder),
        money_left=count_money(builder),
        arrays=find_meant(plan.creation.arrays, builder.draft.chosen),
        throws=tuple(dict.fromkeys(plan.creation.find_throws(builder.draft).values())),
        profile=_view_profile(builder),
    )


def _view_profile(builder: CharacterBuilder) -> tuple[Profile, str] | None:
    """The profile and the attributes as it writes them, where the sheet has one."""
    profile, draft = builder.plan.profile, builder.draft
    meant = profile is not None and is_meant(profile, draft.chosen)
    return (profile, profile.write(draft.attributes)) if profile and meant else None


def _view_numbers(builder: CharacterBuilder) -> tuple[NumberGroup, ...]:
    try:
        sheet = check_sheet(builder.system, make_sheet(builder))
    except Refused:
        return ()
    return view_numbers(builder.system, "", sheet)


def view_stats(builder: CharacterBuilder, part: Part, unusual: Mapping[str, str]) -> tuple[StatRow, ...]:
    """The numbers of a form, row by row."""
    creation = builder.plan.creation
    finished = creation.finish(builder.draft) if builder.guided else builder.draft
    prices = creation.attribute_prices if part == "attributes" else creation.skill_prices
    values, ends = getattr(builder.draft, part), getattr(finished, part)
    rows = []
    for stat in find_meant(stats_of(builder.plan, part), builder.draft.chosen):
        value = values[stat.key]
        price = prices.get(value, 0)
        row = StatRow(
            stat=stat,
            part=part,
            value=value,
            finished=ends[stat.key],
            price=price,
            more=prices[value + 1] - price if value + 1 in prices else None,
            can_rise=_can_step(builder, stat, part, 1),
            can_fall=_can_step(builder, stat, part, -1),
            low=stat.first_low if builder.guided else stat.low,
            high=stat.first_high if builder.guided else stat.high,
            unusual=unusual.get(f"{part}.{stat.key}", ""),
        )
        rows.append(row)
    return tuple(rows)


def _can_step(builder: CharacterBuilder, stat: Stat, part: Part, by: int) -> bool:
    bumped = _bump(builder, part, stat.key, by)
    if bumped == builder.draft:
        return False
    return not builder.guided or can_become(builder.plan, builder.draft, bumped)


def view_catalogue(builder: CharacterBuilder) -> tuple[tuple[str, tuple[tuple[Entry, bool], ...]], ...]:
    """The catalogue by kind, each entry with whether it can be paid for."""
    catalogue = builder.system.catalogue
    if catalogue is None:
        return ()
    left = count_money(builder) if builder.guided else None
    entries = [entry for entry in catalogue.find_entries() if entry.price is not None]
    return tuple(
        (
            kind.plural,
            tuple((e, left is None or (e.price or 0) <= left) for e in entries if e.kind == kind.key),
        )
        for kind in catalogue.kinds
    )
