"""The form of an own NPC: what they are like, in the numbers, skills and gear that their game has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django import forms
from django.contrib.auth.models import User
from django.http import QueryDict
from msgspec import structs

from characters.display.counters import CounterRows
from characters.display.forms import FaceField
from characters.display.number_fields import CountInput, WholeField
from characters.display.sheet_view import read_items
from characters.faces import KEYS
from characters.games import check_sheet, find_problems, make_combatant, plan_of
from characters.gear.catalogue import find_items
from characters.gear.live import Fault, find_fix
from characters.services.character_service import MAX_NAME
from combat.display.combatants.cards import Card, make_card
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Entry, new_thing
from combat.rules.core.sheets.sheets import Carried, Draft, Selection, Stat, find_meant

from ..prep.gallery import BlockView, view_block

PILLS = 12  # choices that are all shown at once
MAX_LINE, MAX_NEW = 200, 40
FLEES = (("", "never"), ("wounded", "at half health"), ("alone", "once alone"))
KINDS = {"attributes": "a", "skills": "s"}  # the first letter of a field

OF_TABLE = ("alias", "flees")  # fields of a sheet for what the table can set later
MAX_HEALTH = 9999
CARRIED = "carried"
NAMELESS, UNSORTED = "New NPC", "NPC"
KEY = "live"


@dataclass(frozen=True)
class Base:
    """What an NPC begins as: a blank sheet, a stat block or another NPC, with items of its own."""

    name: str
    kind: str
    line: str
    face: str
    sheet: dict[str, Any]


class NpcForm(forms.Form):
    """Every number of an NPC within the bounds that always hold; a skill has a field once it is trained."""

    use_required_attribute = False
    face = FaceField(label="Face")
    name = forms.CharField(label="Name", max_length=MAX_NAME)
    kind = forms.CharField(label="Group", max_length=MAX_NAME, required=False)
    line = forms.CharField(
        label="In one line", max_length=MAX_LINE, required=False, help_text="players do not see it"
    )

    alias = forms.CharField(label="Known to players as", max_length=MAX_NAME, required=False)
    flees = forms.ChoiceField(
        label="Gives up",
        choices=FLEES,
        required=False,
        widget=forms.RadioSelect,
        help_text="when the app plays them",
    )

    def __init__(self, system: System, base: Base, offers: dict[str, Offer], data: QueryDict | None = None):
        super().__init__(data, auto_id="own-%s")
        self.system, self.base, self.offers = system, base, offers
        self.plan, self.draft = plan_of(system), plan_of(system).read(base.sheet)
        for name in ("face", "name", "kind", "line"):
            self.fields[name].initial = getattr(base, name)
        for name in OF_TABLE:
            self.fields[name].initial = base.sheet.get(name, "")
        health = ("health",) if system.book.imports.set_health else ()
        if health:
            self.most = system.characters.health(make_combatant(system, "", base.sheet)).most
            self.fields["health"] = WholeField(
                label="HP", min_value=1, max_value=MAX_HEALTH, initial=self.most
            )
        self.words = ("name", "kind", *health, "line", "alias", "flees")
        self.selections = self._add_selections(data)
        self.stats: dict[str, tuple[str, Stat]] = {}
        self.attributes = self._add_numbers("attributes", self.plan.attributes, data)
        self.skills = self._add_numbers("skills", self.plan.skills, data)
        self.counters = CounterRows(self, base.sheet, secrets=True)
        self.left = [
            stat for stat in self._meant(self.plan.skills) if self._name("skills", stat) not in self.fields
        ]

    def _add_selections(self, data: QueryDict | None) -> dict[str, Selection]:
        """A field for each choice; those that depend on others follow what was sent."""
        self.chosen, found = dict(self.draft.chosen), {}
        for selection in self.plan.selections:
            name, known = f"chosen-{selection.key}", {one.key for one in selection.options}
            sent = data.get(name, "") if data else ""
            if sent in known:
                self.chosen[selection.key] = sent
        for selection in find_meant(self.plan.selections, self.chosen):
            if selection.passing:
                continue
            value = self.chosen.get(selection.key, "")
            pairs = [(one.key, one.label) for one in selection.options]
            is_known = value in dict(pairs)
            if not selection.required or not is_known:
                pairs.insert(0, ("", "none") if not value or is_known else (value, value))
            picker = forms.RadioSelect if len(pairs) <= PILLS else forms.Select
            name = f"chosen-{selection.key}"
            self.fields[name] = forms.ChoiceField(
                label=selection.label, choices=pairs, required=bool(value), initial=value, widget=picker
            )
            found[name] = selection
        return found

    def _meant(self, stats: tuple[Stat, ...]) -> tuple[Stat, ...]:
        return find_meant(stats, self.chosen)

    def _name(self, part: str, stat: Stat) -> str:
        """The name of a number's field: by its place, since keys may have dots."""
        return f"{KINDS[part]}{getattr(self.plan, part).index(stat)}"

    def _add_numbers(self, part: str, stats: tuple[Stat, ...], data: QueryDict | None) -> list[str]:
        values, names = getattr(self.draft, part), []
        wanted = data.get("wanted_skill", "") if data and data.get("do") == "skill" else ""
        for stat in self._meant(stats):
            name, value = self._name(part, stat), values.get(stat.key, stat.usual)
            is_sent = data is not None and name in data
            if part == "skills" and value == stat.usual and not is_sent and stat.key != wanted:
                continue
            if stat.key == wanted and not is_sent:
                value = stat.step(stat.usual, 1)
                assert data is not None
                data[name] = str(value)
            low, high = stat.low, stat.high
            self.fields[name] = WholeField(
                label=stat.label, min_value=low, max_value=high, initial=value, widget=CountInput
            )
            self.stats[name] = (part, stat)
            names.append(name)
        return names

    @property
    def kept(self) -> list[tuple[str, Entry, bool]]:
        """What they carry from the start: id, item, whether it stays."""
        held = self.data.getlist("keep") if isinstance(self.data, QueryDict) and self.is_bound else None
        carried = list_carried(self.system, self.base.sheet)
        return [(item.id, entry, held is None or item.id in held) for item, entry in carried]

    @property
    def added(self) -> list[tuple[str, Entry]]:
        """What was given to them: its key, the item."""
        if not isinstance(self.data, QueryDict):
            return []
        keys = self.data.getlist("item")[:MAX_NEW]
        if self.data.get("do") == "add":
            keys = [*keys, self.data.get("wanted", "")]
        return [(key, self.offers[key].entry) for key in keys if key in self.offers]

    @property
    def needs(self) -> list[tuple[Stat, str]]:
        """The untrained skills that what they carry is used with, each with the item."""
        left = {word: stat for stat in self.left for word in (stat.key, stat.label)}
        there = [entry for _, entry, stays in self.kept if stays] + [entry for _, entry in self.added]
        found: dict[str, tuple[Stat, str]] = {}
        for entry in there:
            named = entry.record.get("skills") or entry.record.get("skill") or ()
            words = (named,) if isinstance(named, str) else named
            if words and all(word in left for word in words):
                found.setdefault(left[words[0]].key, (left[words[0]], entry.name))
        return list(found.values())

    def clean(self) -> None:
        """Check the counters against each other."""
        self.counters.check()

    def make_sheet(self) -> dict[str, Any]:
        """The sheet of a valid form; Refused if the game cannot have it."""
        draft = Draft(
            attributes={**self.draft.attributes, **self._settle("attributes")},
            skills={**self.draft.skills, **self._settle("skills")},
            chosen={
                **self.chosen,
                **{one.key: self.cleaned_data[name] for name, one in self.selections.items()},
            },
        )
        sheet = self._put_words(self.counters.put(self.plan.write(self.base.sheet, draft)))
        keep = {key for key, _, stays in self.kept if stays}
        return arrange(self.system, sheet, keep, [entry for _, entry in self.added])

    def _put_words(self, sheet: dict[str, Any]) -> dict[str, Any]:
        """The sheet with what the table needs: an alias, when they give up, and health of their own."""
        told = {name: self.cleaned_data[name] for name in OF_TABLE if self.cleaned_data[name]}
        sheet = {**{key: value for key, value in sheet.items() if key not in OF_TABLE}, **told}
        set_health = self.system.book.imports.set_health
        if set_health and self.cleaned_data["health"] != self.most:
            return set_health(sheet, self.cleaned_data["health"])
        return sheet

    def base_value(self, name: str) -> int | None:
        """The number that a field began with; None for a field of words."""
        if name not in self.stats:
            return None
        part, stat = self.stats[name]
        found: int = getattr(self.draft, part).get(stat.key, stat.usual)
        return found

    def _settle(self, part: str) -> dict[str, int]:
        return {
            stat.key: stat.settle(self.cleaned_data[name])
            for name, (where, stat) in self.stats.items()
            if where == part
        }


# What an NPC carries: the items of a sheet, those that can be given, and what is in hand.


@dataclass(frozen=True)
class Offer:
    """An item that can be given: its key, its kind in words, and whether the GM made it."""

    key: str
    entry: Entry
    kind: str
    is_own: bool


def find_offers(user: User, system: System) -> list[Offer]:
    """The items that a GM can give, their own and those shared with them first."""
    return [
        Offer(one.key, one.entry, "Your own" if one.own else one.kind.plural, is_own=bool(one.own))
        for one in find_items(user, [system])
    ]


def list_carried(system: System, sheet: dict[str, Any]) -> list[tuple[Carried, Entry]]:
    """The items of a valid sheet that the catalogue knows."""
    catalogue = system.book.catalogue
    if catalogue is None or "items" not in sheet:
        return []
    found = ((item, catalogue.look_up(item)) for item in read_items(sheet))
    return [(item, entry) for item, entry in found if entry]


def arrange(
    system: System, sheet: dict[str, Any], keep: Collection[str], given: Sequence[Entry]
) -> dict[str, Any]:
    """The sheet with the items that stay and those that are given.

    What is given is in use where the game allows it, for example with a free hand, and stowed otherwise.
    Of some kinds, such as armor, only one is worn at a time: the new one replaces it.
    """
    catalogue = system.book.catalogue
    if catalogue is None or "items" not in sheet:
        return sheet
    items = [item for item in read_items(sheet) if item.id in keep]
    for entry in given:
        thing, kind = new_thing(catalogue, entry, {one.id for one in items}), catalogue.find_kind(entry.kind)
        ready = kind.ready if kind else ""
        others = [_stow(one) if kind and kind.only and one.kind == kind.key else one for one in items]
        used = _with_items(sheet, [*others, msgspec.structs.replace(thing, place=ready)])
        if ready and not find_problems(system, used):
            items = list(read_items(used))
        else:
            items.append(thing)
    return _with_items(sheet, items)


def _with_items(sheet: dict[str, Any], items: Sequence[Carried]) -> dict[str, Any]:
    return {**sheet, "items": msgspec.to_builtins(items)}


def _stow(item: Carried) -> Carried:
    return msgspec.structs.replace(item, place=CARRIED)


# An NPC while it is typed: the card of the gallery, and what would be right where a field is wrong.


@dataclass(frozen=True)
class Slot:
    """What stands below a field: a fault, or what a changed number was in the copied block.

    Of numbers that were not copied `bounds` are the least and the most.
    """

    name: str
    fault: Fault | None = None
    was: str = ""
    bounds: str = ""


@dataclass(frozen=True)
class LiveNpc:
    """The card as the gallery shows it, its lines, and the slots below the fields."""

    card: Card | None
    block: BlockView | None
    slots: tuple[Slot, ...]
    problem: str = ""

    @property
    def faults(self) -> list[Fault]:
        """All that is wrong."""
        return [one.fault for one in self.slots if one.fault]


def view_live(form: NpcForm) -> LiveNpc:
    """The NPC of a form, bound or fresh; a faulty field counts with the value that it began with."""
    if form.is_bound:
        form.full_clean()
    else:
        form.cleaned_data = {}
    for name, field in form.fields.items():
        if name in form.errors or name not in form.cleaned_data:
            form.cleaned_data[name] = field.initial if field.initial is not None else ""
    slots = tuple(_view_slot(form, name) for name in form.fields)
    name = form.cleaned_data["name"] or NAMELESS
    sheet = form.make_sheet()
    if problems := find_problems(form.system, sheet):
        return LiveNpc(None, None, slots, problem=str(problems[0]))
    sheet = check_sheet(form.system, sheet)
    kind, face = form.cleaned_data["kind"] or UNSORTED, form.cleaned_data["face"]
    about = (kind, form.cleaned_data["line"])
    card = make_card(form.system, KEY, name, about, sheet=sheet, face=face if face in KEYS else "")
    block = view_block(form.system, KEY, name, kind=kind, sheet=sheet)
    if card:
        card = replace(card, look=structs.replace(card.look, active=False))
    return LiveNpc(card, block, slots)


def _view_slot(form: NpcForm, name: str) -> Slot:
    field = form.fields[name]
    if name in form.errors:
        typed = form.data.get(name, "")
        words = str(next(iter(form.errors[name])))
        return Slot(name, Fault(name, str(field.label), words, find_fix(field, typed)))
    value, began = form.cleaned_data[name], form.base_value(name)
    if began is None:
        return Slot(name)
    stat, is_copy = form.stats[name][1], bool(form.base.name)
    if is_copy:
        return Slot(name, was=say_number(began) if value != began else "")
    return Slot(name, bounds=f"{say_number(stat.low)} to {say_number(stat.high)}")
