"""The open form of an action: its fields, its sums and its odds, for one viewer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from .forms import make_form, prefilled
from .mapping import view_cells
from .models import Encounter
from .play import read_state
from .reckoning import HelpView, Reckoning, percent, reckon
from .rules import find_system
from .rules.core.commands import Action, Command, Field, command_data, read_command
from .rules.core.errors import Refused
from .rules.core.helps import Help, fields_with, find_helps
from .rules.core.state import State, is_acting
from .rules.core.system import System
from .secrecy import find_veiled, redact, veil
from .shapes import CellView, Viewer

MOST_RUNS = 2000  # outcomes to count for all preparations together: a dear command is tried with fewer


@dataclass(frozen=True)
class Room:
    """The game and the state as one viewer may know it."""

    system: System
    state: State
    veiled: frozenset[str]

    def reckon(self, action: Action, data: dict[str, Any]) -> Reckoning:
        """The sums and odds of an action with these fields."""
        try:
            return self.reckon_command(action, read_command(action, data))
        except Refused as refused:
            return Reckoning(problem=refused.message)

    def reckon_command(self, action: Action, command: Command) -> Reckoning:
        """The sums and odds of a command, and what would raise them."""
        found = reckon(self.system, self.state, action, command, self.veiled)
        return replace(found, helps=self.find_helps(action, command, MOST_RUNS // max(found.runs, 1)))

    def find_helps(self, action: Action, command: Command, most: int) -> tuple[HelpView, ...]:
        """The three preparations of the first so many that raise the chance most, each an address."""
        if self.system.helps is None:
            return ()
        candidates = self.system.helps(self.state, action.name, command)
        helps = find_helps(self.system, self.state, action, command, candidates[:most])
        return tuple(view_help(action, command, one) for one in helps)


@dataclass(frozen=True)
class OpenForm:
    """The action whose form is open: its fields, sums and odds."""

    action: Action
    form: Any
    reckoning: Reckoning | None
    actor: str
    cells: tuple[CellView, ...] = ()

    @property
    def has_sum(self) -> bool:
        """Whether the table can add a number of its own."""
        return self.action.preview is not None

    @property
    def targets(self) -> frozenset[str]:
        """The fighters its form can name."""
        field = self.form.fields.get("target")
        return frozenset(value for value, _ in field.choices) if field else frozenset()


def view_help(action: Action, command: Command, found: Help) -> HelpView:
    """A preparation as a link: to its own form, or to the same form with other fields."""
    candidate = found.candidate
    name, fields = candidate.name, candidate.fields
    if not name:
        name, fields = action.name, fields_with(command, candidate)
    words = {key: _word(value) for key, value in fields.items() if key != "actor"}
    query = urlencode({"fighter": command.actor, "do": name, **words})
    gain = f"+{round(100 * found.gain)}"
    return HelpView(candidate.label, percent(found.chance), gain, candidate.rule, f"?{query}")


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def enter_room(encounter: Encounter, viewer: Viewer) -> Room:
    """What a viewer knows of an encounter."""
    system, state = find_system(encounter.system), redact(read_state(encounter), viewer)
    return Room(system, veil(system, state, viewer), find_veiled(system, state, viewer))


def suggest(room: Room, actor: str) -> dict[str, Any]:
    """What the game's tactics would do, shown as a filled form before it is done."""
    if not is_acting(room.state, actor):
        return {"advice": f"It is not {room.state[actor].name}'s turn."}
    wish = room.system.suggest(room.state, actor)
    if wish is None:
        return {"advice": "Nothing sensible is left to do: go on to the next turn."}
    name, command = wish
    action = room.system.actions[name]
    form = make_form(action, room.state, actor, command_data(command))
    shown = OpenForm(action, form, room.reckon_command(action, command), actor)
    return {"open": shown, "advice": f"Suggested: {action.label}. Nothing is done until you say so."}


def open_form(room: Room, action: Action, actor: str, asked: Any, refused: bool) -> OpenForm:
    """The form of an action with its sums: prefilled, or as it was asked for or refused."""
    fields = action.find_fields(room.state, actor)
    data = {"actor": actor, **prefilled(action, room.state, actor)}
    shown: dict[str, Any] = {
        f.name: data[f.name] for f in fields if f.name in ("target", "weapon") and f.name in data
    }
    asked_for = {f.name: _read(f, asked) for f in fields if asked.get(f.name)}
    shown, data = shown | asked_for, data | asked_for
    if refused:
        shown |= {f.name: f.name in asked for f in fields if f.kind == "flag"}
        data = {name: value for name, value in data.items() if shown.get(name, True) is not False}
    form = make_form(action, room.state, actor, shown)
    cells = view_cells(room.system, room.state, action, actor)
    problem = find_dead_end(action, fields)
    found = Reckoning(problem=problem) if problem else room.reckon(action, data)
    return OpenForm(action, form, found, actor, cells)


def find_dead_end(action: Action, fields: tuple[Field, ...]) -> str:
    """Why a form cannot be filled: what it needs has nothing on offer, or nothing that the rules allow."""
    for field in fields:
        if field.kind == "choice" and field.required and all(option.refused for option in field.options):
            reasons = dict.fromkeys(option.refused for option in field.options)
            return " ".join(reasons) or f"{action.label}: there is no {field.label.lower()} to choose."
    return ""


def _read(field: Field, asked: Any) -> Any:
    return asked.getlist(field.name) if field.kind == "many" else asked[field.name]
