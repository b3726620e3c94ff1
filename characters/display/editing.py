"""The forms and buttons of a sheet: each returns the changed fields and a line for the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain, combinations
from textwrap import shorten
from typing import Any

import msgspec
from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.html import escape

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import (
    MAX_POINTS,
    read_bounded,
    read_typed_points,
    say_change,
    say_typed_points,
)
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import Carried, Lasting, SheetPlan, Stat

from ..games import check_sheet, find_game, find_problems, keep_within, make_combatant, plan_of
from ..models import Character
from ..story import MAX_LINE, MAX_LINES, PARTS, Bought, read_story
from .counters import list_counters
from .forms import (
    AboutForm,
    AmmunitionForm,
    BoughtForm,
    ConditionForm,
    CountersForm,
    MoneyForm,
    NotesForm,
    NumbersForm,
    OwnForm,
    SectionForm,
    StoryForm,
    make_section_form,
)
from .sheet_view import ItemView, read_items, view_health, view_item

Edit = tuple[str, dict[str, Any]]

ADDING = ("own", "add_condition", "bought")  # sections whose forms are always on the page, and empty


class BadForm(Refused):
    """A form with errors; the page shows it again with what was typed."""

    def __init__(self, section: str, form: forms.Form) -> None:
        super().__init__("bad_value", "Correct the marked fields.")
        self.section, self.form = section, form


def edit(system: System, character: Character, do: str, data: QueryDict) -> Edit:
    """The line for the history and the changed fields; raises Refused or BadForm."""
    if do in SECTIONS:
        return _edit_section(system, character, do, data)
    if do == "forget_bought":
        return forget_bought(character, data)
    if do not in ACTS:
        raise Refused("unknown", "This page has no such action.")
    return ACTS[do](system, character.sheet, data)


def open_section(system: System, character: Character, section: str, data: QueryDict) -> SectionForm | None:
    """The form of the section that the address names."""
    item = find_item_view(system, character.sheet, data.get("item", ""))
    form = make_section_form(section, system, character, data=None, item=item)
    return form.focus() if form else None


def reopen_section(system: System, character: Character, section: str, data: QueryDict) -> SectionForm | None:
    """A form that came too late, with what was typed; fields whose sheet value has changed since say so."""
    item = find_item_view(system, character.sheet, data.get("item", ""))
    form = make_section_form(section, system, character, data=data, item=item)
    if form and section not in ADDING:
        for name in form.changed_data:
            form[name].help_text = f"on the sheet now: {_say_initial(form, name)}"
    return form


def _say_initial(form: SectionForm, name: str) -> str:
    """The value of a field before anyone types, as the page shows it."""
    value, widget = form[name].initial, form[name].field.widget
    labels = dict(widget.choices) if isinstance(widget, forms.Select) else {}
    return escape(labels.get(value, "nothing" if value in ("", None) else value))


def _edit_section(system: System, character: Character, section: str, data: QueryDict) -> Edit:
    item = find_item_view(system, character.sheet, data.get("item", ""))
    if section in ("item", "ammunition") and item is None:
        raise Refused("unknown", "That item is no longer on the sheet.")
    form = make_section_form(section, system, character, data=data, item=item)
    if form is None:
        raise Refused("unknown", "This sheet has no such section.")
    if not form.is_valid():
        raise BadForm(section, form)
    return SECTIONS[section](plan_of(system), character, form)


# ---------------------------------------------------------------- sections


def _about(plan: SheetPlan, character: Character, form: AboutForm) -> Edit:
    """Change name and choices. With `move`, attributes lose the old choice's bonus and gain the new one's."""
    draft, chosen = plan.read(character.sheet), form.chosen()
    changed = msgspec.structs.replace(draft, chosen={**draft.chosen, **chosen})
    if form.cleaned_data.get("move") and chosen != draft.chosen:
        bought = plan.creation.undo(draft)
        changed = plan.creation.finish(msgspec.structs.replace(bought, chosen=changed.chosen))
        changed = msgspec.structs.replace(
            changed, attributes=keep_within(plan.attributes, changed.attributes)
        )
    name = form.cleaned_data["name"]
    words = [f"Name: {name}"] if name != character.name else []
    words += [
        f"{s.label}: {_label_of(plan, s.key, chosen[s.key])}"
        for s in form.selections
        if chosen[s.key] != draft.chosen.get(s.key, "")
    ]
    sheet, old = plan.write(character.sheet, changed), character.sheet.get("metres", 0)
    if (meters := form.cleaned_data["metres"] or 0) != old:
        words.append(f"Size on the map: {meters:g} m" if meters else "Size on the map: one square")
        rest = {key: value for key, value in sheet.items() if key != "metres"}
        sheet = {**rest, "metres": meters} if meters else rest
    return ", ".join(words) or "No change", {"name": name, "sheet": sheet}


def _label_of(plan: SheetPlan, selection_key: str, value: str) -> str:
    selection = next(s for s in plan.selections if s.key == selection_key)
    return next((o.label for o in selection.options if o.key == value), value or "none")


def _numbers(part: str, plan: SheetPlan, character: Character, form: NumbersForm) -> Edit:
    draft = plan.read(character.sheet)
    old = getattr(draft, part)
    new = {**old, **form.values()}
    changed = msgspec.structs.replace(draft, **{part: new})
    words, sheet = _describe(form.stats, old, new), plan.write(character.sheet, changed)
    if not (spent := form.cleaned_data.get("spent")):
        return words, {"sheet": sheet}
    line = Bought(shorten(words, MAX_LINE, placeholder="…"), timezone.localdate().isoformat(), -spent)
    return say_line(line), {**_log(character, line), "sheet": sheet}


def _describe(stats: tuple[Stat, ...], old: Mapping[str, int], new: Mapping[str, int]) -> str:
    """The changed numbers in one line."""
    changes = (
        f"{stat.label} {old.get(stat.key, 0)} → {new[stat.key]}"
        for stat in stats
        if old.get(stat.key, 0) != new[stat.key]
    )
    return ", ".join(changes) or "No change"


def _money(plan: SheetPlan, character: Character, form: MoneyForm) -> Edit:
    assert plan.money is not None
    old, new = character.sheet.get(plan.money.key, 0), form.cleaned_data["money"]
    return f"{plan.money.label} {old:,} → {new:,}", {"sheet": {**character.sheet, plan.money.key: new}}


def _notes(plan: SheetPlan, character: Character, form: NotesForm) -> Edit:
    return "Notes", {"notes": form.cleaned_data["notes"]}


def _story(plan: SheetPlan, character: Character, form: StoryForm) -> Edit:
    said = form.cleaned_data
    story = {**character.story, **{key: said[key] for key in PARTS}}
    old = read_story(character.story)
    words = [label for key, label in PARTS.items() if said[key] != getattr(old, key)]
    words += ["Tags"] if said["tags"] != character.tags else []
    return ", ".join(words) or "No change", {"story": story, "tags": said["tags"]}


def _bought(plan: SheetPlan, character: Character, form: BoughtForm) -> Edit:
    said = form.cleaned_data
    points, raised = said["points"] or 0, _raise(plan, character, said["raises"])
    line = Bought(said["what"], said["on"], -abs(points) if said["raises"] else points)
    story = _log(character, line)
    if raised is None:
        return say_line(line), story
    words, sheet = raised
    return f"{say_line(line)}: {words}", {**story, "sheet": sheet}


def _log(character: Character, line: Bought) -> dict[str, Any]:
    """The story with one more line of experience; Refused if the log is full."""
    lines = character.story.get("bought", [])
    if len(lines) >= MAX_LINES:
        raise Refused("not_allowed", f"There are {MAX_LINES} lines, the limit: delete some first.")
    return {"story": {**character.story, "bought": [msgspec.to_builtins(line), *lines]}}


def _raise(plan: SheetPlan, character: Character, wanted: str) -> tuple[str, dict[str, Any]] | None:
    """What raising one number by one changes, in words, and the sheet then; None if nothing is raised."""
    part, _, key = wanted.partition(".")
    if not key:
        return None
    draft, stats = plan.read(character.sheet), plan.skills if part == "skills" else plan.attributes
    stat = next(one for one in stats if one.key == key)
    old = getattr(draft, part)
    new = {**old, key: stat.step(old.get(key, stat.usual), 1)}
    return _describe((stat,), old, new), plan.write(
        character.sheet, msgspec.structs.replace(draft, **{part: new})
    )


def say_line(line: Bought) -> str:
    """A line of the log of experience for the history."""
    return f"Experience {say_number(line.points, signed=True)}: {line.what}" if line.points else line.what


def forget_bought(character: Character, data: QueryDict) -> Edit:
    """Delete a line of the log of experience."""
    lines = character.story.get("bought", [])
    number = read_bounded(data.get("line", ""), 0, len(lines) - 1, "That line is no longer on the sheet.")
    left = [*lines[:number], *lines[number + 1 :]]
    return f"Deleted: {lines[number]['what']}", {"story": {**character.story, "bought": left}}


def _item(plan: SheetPlan, character: Character, form: AmmunitionForm) -> Edit:
    changed = msgspec.structs.replace(form.view.item, **form.changed())
    return form.view.entry.name, {"sheet": _with_item(character.sheet, changed)}


def _own(plan: SheetPlan, character: Character, form: OwnForm) -> Edit:
    assert plan.own is not None
    name, value = form.cleaned_data["name"], form.cleaned_data["points"]
    sheet = plan.own.put(character.sheet, name, form.cleaned_data["kind"], value)
    what = f"{name}: {'removed' if value is None else value}"
    return what, {"sheet": check_sheet(find_game(character.system), sheet)}


def _counters(plan: SheetPlan, character: Character, form: CountersForm) -> Edit:
    sheet = form.counters.put(character.sheet)
    said = ", ".join(f"{one.name} {one.most}" for one in list_counters(sheet)) or "none"
    return f"Counters: {said}", {"sheet": check_sheet(find_game(character.system), sheet)}


def _add_condition(plan: SheetPlan, character: Character, form: ConditionForm) -> Edit:
    kind, note = form.cleaned_data["kind"], " ".join(form.cleaned_data["note"].split())
    label = form.labels[kind]
    held = character.sheet["conditions"]
    if any((one["kind"], one.get("note", "")) == (kind, note) for one in held):
        raise Refused("not_allowed", f"{label} is already listed: give the second one a name.")
    new = msgspec.to_builtins(Lasting(kind=kind, level=form.cleaned_data["level"] or 1, note=note))
    return f"Added: {label}", {"sheet": {**character.sheet, "conditions": [*held, new]}}


SECTIONS: dict[str, Callable[[SheetPlan, Character, Any], Edit]] = {
    "about": _about,
    "attributes": partial(_numbers, "attributes"),
    "skills": partial(_numbers, "skills"),
    "money": _money,
    "notes": _notes,
    "story": _story,
    "bought": _bought,
    **dict.fromkeys(("item", "ammunition"), _item),
    "own": _own,
    "add_condition": _add_condition,
    "counters": _counters,
}


# ---------------------------------------------------------------- buttons


def find_item_view(system: System, sheet: dict[str, Any], item_id: str) -> ItemView | None:
    """The item with this id on a valid sheet."""
    found = next((item for item in read_items(sheet) if item.id == item_id), None)
    return view_item(system.book.catalogue, found) if found and system.book.catalogue else None


def _need_item(system: System, sheet: dict[str, Any], data: QueryDict) -> ItemView:
    view = find_item_view(system, sheet, data.get("item", ""))
    if view is None:
        raise Refused("unknown", "That item is no longer on the sheet.")
    return view


def _with_item(sheet: dict[str, Any], *changed: Carried, without: str = "") -> dict[str, Any]:
    """The sheet with some items changed, or one removed."""
    new = {item.id: item for item in changed}
    items = [new.get(item.id, item) for item in read_items(sheet) if item.id != without]
    return {**sheet, "items": msgspec.to_builtins(items)}


def equip(system: System, sheet: dict[str, Any], data: QueryDict) -> Edit:
    """Hold or wear an item; it replaces another of its kind where the kind allows only one, and what is in
    the hands that it needs is put away."""
    view = _need_item(system, sheet, data)
    if not view.kind.ready:
        raise Refused("not_allowed", f"{view.entry.name} works when stowed: no need to hold or wear it.")
    others = [
        msgspec.structs.replace(item, place="carried")
        for item in read_items(sheet)
        if view.kind.only and item.kind == view.kind.key and item.place == view.kind.ready
    ]
    ready = msgspec.structs.replace(view.item, place=view.kind.ready)
    away = _find_put_away(system, _with_item(sheet, *others), ready)
    word = "In hand" if view.kind.ready == "held" else "Worn"
    names = " and ".join(one.entry.name for item in away if (one := find_item_view(system, sheet, item.id)))
    line = f"{word}: {view.entry.name}" + (f", {names} put away" if names else "")
    return line, {"sheet": _with_item(sheet, *others, *away, ready)}


def _find_put_away(system: System, sheet: dict[str, Any], ready: Carried) -> tuple[Carried, ...]:
    """What is put away for an item to fit into the hands: the first thing in them that makes room, else two.

    Nothing if it fits as it is, or if that does not help.
    """
    held = [item for item in read_items(sheet) if item.place == "held" and item.id != ready.id]
    away = [msgspec.structs.replace(item, place="carried") for item in held]
    tried = chain.from_iterable(combinations(away, number) for number in (0, 1, 2))
    fits = (one for one in tried if not find_problems(system, _with_item(sheet, *one, ready)))
    return next(fits, ())


def stow(system: System, sheet: dict[str, Any], data: QueryDict) -> Edit:
    """Put an item away."""
    view = _need_item(system, sheet, data)
    stowed = msgspec.structs.replace(view.item, place="carried")
    return f"Stowed: {view.entry.name}", {"sheet": _with_item(sheet, stowed)}


def drop(system: System, sheet: dict[str, Any], data: QueryDict) -> Edit:
    """Remove an item from the sheet."""
    view = _need_item(system, sheet, data)
    return f"Removed: {view.entry.name}", {"sheet": _with_item(sheet, without=view.item.id)}


def reload(system: System, sheet: dict[str, Any], data: QueryDict) -> Edit:
    """Put a spare magazine in."""
    view = _need_item(system, sheet, data)
    if not view.can_reload:
        raise Refused("not_allowed", f"{view.entry.name} is full, or has no spare magazine.")
    full = msgspec.structs.replace(view.item, loaded=view.capacity, spares=view.item.spares - 1)
    return f"Reloaded: {view.entry.name}", {"sheet": _with_item(sheet, full)}


def rounds(system: System, sheet: dict[str, Any], data: QueryDict) -> Edit:
    """Set the rounds in a weapon, or count one up or down."""
    view = _need_item(system, sheet, data)
    if view.capacity is None:
        raise Refused("not_allowed", f"{view.entry.name} needs no ammunition.")
    old = view.item.loaded or 0
    text = f"{view.entry.name} holds 0 to {view.capacity} rounds."
    wanted = step_one(data.get("how", ""), old)
    if wanted is None:
        wanted = read_bounded(data.get("points", ""), 0, view.capacity, text)
    if not 0 <= wanted <= view.capacity:
        raise Refused("bad_value", text)
    changed = msgspec.structs.replace(view.item, loaded=wanted)
    return f"{view.entry.name}: {old} → {wanted} rounds", {"sheet": _with_item(sheet, changed)}


def step_one(how: str, old: int) -> int | None:
    """The number one up or down; None if a whole number is wanted instead."""
    return {"less": old - 1, "more": old + 1}.get(how)


def track(system: System, sheet: dict[str, Any], data: QueryDict) -> Edit:
    """Change a track by one, or as it was typed: "−15" is less, "+5" is more, "50" is the new value."""
    combatant = make_combatant(system, "", sheet)
    known = next((t for t in system.characters.find_tracks(combatant) if t.key == data.get("track")), None)
    if known is None:
        raise Refused("unknown", "This sheet has no such stat: choose one of those it shows.")
    old = combatant.tracks.get(known.key, 0)
    wanted = step_one(data.get("how", ""), old)
    if wanted is None:
        wanted = read_typed_points(data.get("points", "")).apply(old)
    low = known.low if known.low is not None else -999
    new = max(low, min(MAX_POINTS, wanted))
    tracks = {**sheet["tracks"], known.key: new}
    new = make_combatant(system, "", {**sheet, "tracks": tracks}).tracks[known.key]  # never above the maximum
    return say_change(known.label, old, new), {"sheet": {**sheet, "tracks": {**tracks, known.key: new}}}


def read_typed(system: System, character: Character, data: QueryDict) -> str:
    """What the points that are typed for a track would do, in words; Refused for what is no number."""
    what, fields = track(system, character.sheet, data)
    typed = read_typed_points(data.get("points", ""))
    rises = any(one.rises for one in system.characters.tracks if one.key == data.get("track"))
    now, then = (
        view_health(system, Character(name="", sheet=one)) for one in (character.sheet, fields["sheet"])
    )
    word = str(then.health.word) if now and then and now.health.word != then.health.word else ""
    return say_typed_points(typed, what, rises, word)


def remove_condition(system: System, sheet: dict[str, Any], data: QueryDict) -> Edit:
    """End a lasting condition."""
    held = sheet["conditions"]
    number = read_bounded(data.get("condition", ""), 0, len(held) - 1, "That condition has already ended.")
    label = system.characters.describe_condition(held[number]["kind"]).label
    left = [*held[:number], *held[number + 1 :]]
    return f"Removed: {label}", {"sheet": {**sheet, "conditions": left}}


ACTS: dict[str, Callable[[System, dict[str, Any], QueryDict], Edit]] = {
    "equip": equip,
    "stow": stow,
    "drop": drop,
    "reload": reload,
    "track": track,
    "rounds": rounds,
    "remove_condition": remove_condition,
}
