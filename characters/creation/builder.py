"""A character in creation: what the form holds, what a button changes, and the finished sheet.

In guided mode, every number is what the player bought, and no step goes beyond the points. In free-form mode,
every number is the one on the sheet, within the absolute bounds; the page lists what a new character may not
have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from secrets import choice
from typing import Any, Literal

import msgspec
from django.http import QueryDict

from combat.rules.core.basics.dice.dice import parse_dice, throw
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole, say_no_number
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Entry, find_fed, new_thing
from combat.rules.core.sheets.foreign import Written, split_lines
from combat.rules.core.sheets.sheets import (
    Archetype,
    Carried,
    Departure,
    Draft,
    Money,
    Preset,
    Selection,
    SheetPlan,
    Stat,
    blank_draft,
    can_become,
    find_departures,
    find_faults,
    is_meant,
    with_preset,
)

from ..faces import KEYS, choose_fitting
from ..games import bounds_of, check_sheet, keep_within, plan_of
from ..services.character_service import clean_name

Part = Literal["attributes", "skills"]
PARTS: tuple[Part, ...] = ("attributes", "skills")
MAX_ITEMS = 60
STEP = re.compile(r"(attributes|skills)-(.+)([+-])")

HANDS = 2


@dataclass(frozen=True)
class CharacterBuilder:
    """The contents of the form: numbers, choices, a name, items as kind:entry, and the entry picked next.

    `face` is the key of a drawn one, `ready` the id of the archetype it began with.
    """

    system: System
    guided: bool
    draft: Draft
    name: str = ""
    items: tuple[str, ...] = ()
    money: int = 0
    wanted: str = ""
    face: str = ""
    ready: str = ""

    @property
    def archetype(self) -> Archetype | None:
        """The archetype it began with."""
        return find_archetype(self.plan, self.ready)

    @property
    def plan(self) -> SheetPlan:
        """The parts of this game's sheets."""
        return plan_of(self.system)

    @property
    def purse(self) -> Money | None:
        """The money that such a character owns; None for a kind that owns none, such as a machine."""
        money = self.plan.money
        return money if money and is_meant(money, self.draft.chosen) else None


def stats_of(plan: SheetPlan, part: Part) -> tuple[Stat, ...]:
    """The attributes or the skills."""
    return plan.attributes if part == "attributes" else plan.skills


def begin(system: System, guided: bool, name: str = "") -> CharacterBuilder:
    """A form that is empty but for a name."""
    plan = plan_of(system)
    money = plan.money.start if plan.money else 0
    return CharacterBuilder(system, guided, blank_draft(plan), name=name, money=money)


def read(system: System, guided: bool, data: QueryDict) -> CharacterBuilder:
    """The contents of a posted form, within the bounds of its fields, after the pressed button's step."""
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
    face, ready = data.get("face", ""), data.get("ready", "")
    builder = replace(
        blank,
        draft=draft,
        name=name,
        items=items,
        money=money,
        wanted=wanted,
        face=face if face in KEYS else "",
        ready=ready if find_archetype(plan, ready) else "",
    )
    if "pick" in data or "rename" in data:
        return _pick(builder, data)
    return _fill_in(builder, data) if "fill" in data else _take_step(builder, data)


def find_archetype(plan: SheetPlan, key: str) -> Archetype | None:
    """The archetype of this id."""
    return next((one for one in plan.creation.archetypes if one.id == key), None)


def begin_as(system: System, archetype: Archetype, name: str) -> CharacterBuilder:
    """A form filled in with an archetype."""
    blank = begin(system, guided=True)
    draft = Draft(
        attributes=blank.draft.attributes | archetype.attributes,
        skills=blank.draft.skills | archetype.skills,
        chosen=blank.draft.chosen | archetype.chosen,
    )
    face = choose_fitting(archetype.looks, name)
    return replace(blank, draft=draft, name=name, items=archetype.items, face=face, ready=archetype.id)


def _pick(builder: CharacterBuilder, data: QueryDict) -> CharacterBuilder:
    """The form filled in with the picked archetype, or with another name; a name of one's own stays."""
    archetype = find_archetype(builder.plan, data.get("pick", "")) or builder.archetype
    if archetype is None or not builder.guided:
        return builder
    if "rename" in data:
        return replace(builder, name=choice([n for n in archetype.names if n != builder.name]))
    ready = {name for one in builder.plan.creation.archetypes for name in one.names}
    own = builder.name.strip() and builder.name not in ready
    return begin_as(builder.system, archetype, builder.name if own else choice(archetype.names))


def _fill_in(builder: CharacterBuilder, data: QueryDict) -> CharacterBuilder:
    """The builder filled in from one line of text; unchanged if the line cannot be read."""
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
    """The character that the form's line describes; None without a line, Refused if it cannot be read."""
    found = split_lines(data.get("line", "")) if system.book.imports.lines else ()
    return system.book.imports.lines.read(found[0]) if system.book.imports.lines and found else None


def switch(builder: CharacterBuilder) -> CharacterBuilder:
    """The same character in the other mode: free-form has the sheet's numbers, guided what they would cost.

    Numbers that no new character may have are brought within their bounds; overspent points stay.
    """
    creation = builder.plan.creation
    if builder.guided:
        money, draft = max(0, count_money(builder)), creation.finish(builder.draft)
    else:
        money, draft = begin(builder.system, True).money, creation.undo(builder.draft)
        kept = {p: keep_within(stats_of(builder.plan, p), getattr(draft, p), is_new=True) for p in PARTS}
        draft = msgspec.structs.replace(draft, **kept)
    return replace(builder, guided=not builder.guided, draft=draft, money=money)


def _read_numbers(plan: SheetPlan, part: Part, data: QueryDict, guided: bool) -> dict[str, int]:
    found = {}
    for stat in stats_of(plan, part):
        number = _read_number(data.get(f"{part}-{stat.key}"), stat.usual, *bounds_of(stat, guided))
        found[stat.key] = stat.settle(number)
    return found


def _read_profile(plan: SheetPlan, data: QueryDict, guided: bool) -> dict[str, int]:
    """The attributes of a newly typed profile, within their bounds; none if it cannot be read."""
    try:
        return keep_within(plan.attributes, _say_profile(plan, data), guided)
    except Refused:
        return {}


def _say_profile(plan: SheetPlan, data: QueryDict) -> dict[str, int]:
    """The attributes of a newly typed profile; Refused if it cannot be read."""
    word = data.get("profile", "").strip()[:40]
    return plan.profile.read(word) if plan.profile and word and word != data.get("profile-was") else {}


def _read_number(word: str | None, usual: int, low: int, high: int) -> int:
    number = read_whole(word or "")
    return usual if number is None else min(high, max(low, number))


def find_misread(system: System, data: QueryDict) -> Refused | None:
    """The refusal for typed numbers that are unreadable or out of bounds; the form shows others instead."""
    plan, guided = plan_of(system), data.get("way") != "free"
    known = _find_bounds(plan, guided)
    said = [words for name, bounds in known.items() if (words := _say_wrong(data.get(name, ""), *bounds))]
    try:
        _say_profile(plan, data)
        if "fill" in data:
            _read_line(system, data)
    except Refused as refused:
        said.append(refused.message)
    return Refused("bad_value", " ".join(said)) if said else None


def _find_bounds(plan: SheetPlan, guided: bool) -> dict[str, tuple[str, int, int]]:
    """The label and bounds of each number of the form, by the name of its field."""
    found = {}
    for part in PARTS:
        for stat in stats_of(plan, part):
            found[f"{part}-{stat.key}"] = (stat.label, *bounds_of(stat, guided))
    return found | ({"money": (plan.money.label, 0, plan.money.most)} if plan.money else {})


def _say_wrong(typed: str, label: str, low: int, high: int) -> str:
    """Why a typed number is not allowed, and what is; empty if it is allowed or the field is empty."""
    if not (word := typed.strip()):
        return ""
    number = read_whole(word)
    if number is None:
        return f"{label} {say_no_number(word)}"
    if low <= number <= high:
        return ""
    return f"{label} can be {say_number(low)} to {say_number(high)}, not {say_number(number)}."


def _read_choice(selection: Selection, word: str) -> str:
    known = {option.key for option in selection.options}
    return word if word in known or (not word and not selection.required) else selection.usual


# ---------------------------------------------------------------- steps


def _take_step(builder: CharacterBuilder, data: QueryDict) -> CharacterBuilder:
    """Do what the pressed button asks; a guided step beyond the points does nothing."""
    draft, plan = builder.draft, builder.plan
    step = STEP.fullmatch(data.get("step", ""))
    if step:
        draft = bump(builder, step[1], step[2], 1 if step[3] == "+" else -1)
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


def bump(builder: CharacterBuilder, part: str, key: str, by: int) -> Draft:
    """The draft with one number raised or lowered by a step, within its bounds."""
    name: Part = "attributes" if part == "attributes" else "skills"
    stat = next((s for s in stats_of(builder.plan, name) if s.key == key), None)
    values: dict[str, int] = getattr(builder.draft, name)
    if stat is None:
        return builder.draft
    bumped = keep_within((stat,), {key: stat.step(values[key], by)}, builder.guided)
    return msgspec.structs.replace(builder.draft, **{name: values | bumped})


def _change_items(builder: CharacterBuilder, data: QueryDict) -> tuple[str, ...]:
    items = list(builder.items)
    word = data.get("add", "")
    wanted = find_item(builder.system, word if ":" in word else builder.wanted) if word else None
    if wanted and len(items) < MAX_ITEMS and can_buy(builder, wanted):
        items.append(f"{wanted.kind}:{wanted.id}")
    gone = data.get("remove", "")
    if gone.isdecimal() and len(gone) < 4 and int(gone) < len(items):
        del items[int(gone)]
    return tuple(items)


# ---------------------------------------------------------------- items and money


def find_item(system: System, word: str) -> Entry | None:
    """The catalogue entry that "kind:entry" names."""
    kind, _, entry = word.partition(":")
    return system.book.catalogue.find_entry(kind, entry) if system.book.catalogue else None


def count_cost(builder: CharacterBuilder) -> int:
    """The total cost of the items."""
    entries = (find_item(builder.system, item) for item in builder.items)
    return sum(entry.price or 0 for entry in entries if entry)


def count_money(builder: CharacterBuilder) -> int:
    """The money left: of the starting money when guided, else as the form says; 0 without a purse."""
    if builder.purse is None:
        return 0
    return builder.money - count_cost(builder) if builder.guided else builder.money


def can_buy(builder: CharacterBuilder, entry: Entry) -> bool:
    """Whether the money left pays for an item; always when free-form or for a kind that owns no money."""
    return not is_paying(builder) or (entry.price or 0) <= count_money(builder)


def is_paying(builder: CharacterBuilder) -> bool:
    """Whether items cost money here."""
    return builder.guided and builder.purse is not None


# ---------------------------------------------------------------- the sheet


def find_obstacles(builder: CharacterBuilder) -> tuple[Departure, ...]:
    """What keeps a guided character from being finished; free-form, how it differs from a new one."""
    if not builder.guided:
        return find_departures(builder.plan, make_sheet(builder))
    found = find_faults(builder.plan, builder.draft)
    money = builder.purse
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
    """The items as a sheet holds them; the first held or worn item of each kind is in use, if a hand is left.

    Spare magazines come last and go to the items they fit.
    """
    catalogue, used, free = builder.system.book.catalogue, set(), HANDS
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
        needed = kind.find_hands(entry.record) if kind and kind.ready == "held" else 0
        if kind and kind.ready and kind.key not in used and needed <= free:
            free -= needed
            item = msgspec.structs.replace(item, place=kind.ready)
            used.add(kind.key)
        made.append(item)
    return [msgspec.to_builtins(item) for item in made]


def finish(builder: CharacterBuilder) -> tuple[str, dict[str, Any]]:
    """The name and sheet of a finished form; Refused names everything that is in the way."""
    problems = [fault.message for fault in find_obstacles(builder)] if builder.guided else []
    name = ""
    try:
        name = clean_name(builder.name)
    except Refused as refused:
        problems.append(refused.message)
    if problems:
        raise Refused("bad_value", " ".join(problems))
    return name, check_sheet(builder.system, make_sheet(builder))
