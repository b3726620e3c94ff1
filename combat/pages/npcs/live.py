"""An NPC while it is typed: the card of the gallery, and what would be right where a field is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import structs

from characters.faces import KEYS
from characters.games import check_sheet, find_problems
from characters.gear.live import Fault, find_fix
from combat.display.combatants.cards import Card, make_card
from combat.rules.core.basics.words import say_number

from ..prep.library import BlockView, view_block
from .forms import NpcForm

NAMELESS, UNSORTED = "New NPC", "NPC"
KEY = "live"


@dataclass(frozen=True)
class Slot:
    """What stands below a field: a fault, what the number was in the copied block or that it is as there.

    Of numbers `bounds` are the least and the most.
    """

    name: str
    fault: Fault | None = None
    was: str = ""
    is_copied: bool = False
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
    bounds = f"{say_number(stat.low)} to {say_number(stat.high)}"
    was = say_number(began) if is_copy and value != began else ""
    return Slot(name, was=was, is_copied=is_copy and value == began, bounds=bounds)
