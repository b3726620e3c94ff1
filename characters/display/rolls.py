"""Checks rolled from a sheet, outside a fight: the game's own procedures on a state with one combatant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec
from django import forms
from django.http import QueryDict

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.dice.dice import count_sums, parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifiers, add_up, without_zeros
from combat.rules.core.commands.commands import Action, Field, Preview, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, LiveDriver, run
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import State
from combat.rules.core.wording import Line, describe_facts, pen_of

from ..games import make_state, plan_of
from ..models import Character
from .number_fields import WholeField, read_faces

AGAIN = "again"  # beside the first line that is kept: the query of the form that rolls it once more
HEIGHT, STEP = 40, 10  # of the picture of what dice may show, and from bar to bar
MOST_BARS = 40


@dataclass(frozen=True)
class SumBar:
    """How likely one sum is, as a bar; whether it reaches the number."""

    total: int
    x: int
    y: float
    height: float
    reaches: bool


@dataclass(frozen=True)
class RollForm:
    """The open form of a check: its fields, its current sum and the chance of success."""

    action: Action
    form: forms.Form
    preview: Preview
    chance: str = ""
    problem: str = ""

    @property
    def total(self) -> int:
        """The sum that is added to the dice."""
        return add_up(self.preview.modifiers)

    @property
    def number(self) -> int | None:
        """The number to reach."""
        return add_up(self.preview.against) if self.preview.against else None

    @property
    def shown_terms(self) -> Modifiers:
        """The terms that add something."""
        return without_zeros(self.preview.modifiers)

    @property
    def against(self) -> Modifiers:
        """The terms of the number to reach."""
        return self.preview.against

    @property
    def bars(self) -> tuple[SumBar, ...]:
        """How likely each sum is; nothing where the dice are not added to what is known."""
        dice = parse_dice(self.preview.dice) if self.preview.dice and self.preview.modifiers else None
        sums = count_sums(dice.count, dice.sides) if dice else {}
        if not 1 < len(sums) <= MOST_BARS:
            return ()
        top = max(sums.values())
        return tuple(
            SumBar(
                total := face + self.total,
                STEP * place + 1,
                y=round(HEIGHT * (1 - count / top), 2),
                height=round(HEIGHT * count / top, 2),
                reaches=self.number is None or total >= self.number,
            )
            for place, (face, count) in enumerate(sums.items())
        )

    @property
    def say_bars(self) -> str:
        """What the bars show."""
        bars = self.bars
        enough = "" if self.number is None else f"; {self.number} or more succeeds"
        return f"Sums from {bars[0].total} to {bars[-1].total}{enough}" if bars else ""

    @property
    def width(self) -> int:
        """Of the picture of the bars."""
        return STEP * len(self.bars)

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of each die, for the fields where dice are typed."""
        dice = parse_dice(self.preview.dice) if self.preview.dice else None
        return (dice.sides,) * dice.count if dice else ()


def find_check(system: System, name: str) -> Action:
    """The check of this name; Refused("unknown") if the game has none."""
    action = plan_of(system).checks.get(name)
    if action is None:
        raise Refused("unknown", "This game has no such check.")
    return action


def make_form(fields: tuple[Field, ...], values: dict[str, Any]) -> forms.Form:
    """The fields of a check, filled with the known values."""
    form = forms.Form(auto_id="roll-%s", initial={f.name: values.get(f.name, f.value) for f in fields})
    form.use_required_attribute = False
    for field in fields:
        made = _make_field(field)
        made.label, made.help_text, made.required = field.label, field.help, field.required
        form.fields[field.name] = made
    return form


def _make_field(field: Field) -> forms.Field:
    if field.kind == "number":
        return WholeField(min_value=field.low, max_value=field.high)
    if field.kind == "flag":
        return forms.BooleanField()
    if field.options:
        return forms.ChoiceField(choices=[(option.value, option.label) for option in field.options])
    return forms.CharField(max_length=100)


def open_form(system: System, character: Character, name: str, data: QueryDict) -> RollForm:
    """The form of a check, filled from the address or from what was typed."""
    action, state = find_check(system, name), make_state(system, character.name, character.sheet)
    fields = action.find_fields(state, ME)
    values = _read_values(fields, data)
    form = make_form(fields, values)
    usual = {field.name: field.value for field in fields if field.value}
    try:
        command = read_command(action, _command_data({**usual, **values}, data), state)
        preview = action.preview(state, command) if action.preview else Preview()
    except Refused as refused:
        return RollForm(action, form, Preview(), problem=refused.message)
    preview = pen_of(system, state).preview(preview)
    return RollForm(action, form, preview, _find_chance(system, state, action, command))


def _find_chance(system: System, state: State, action: Action, command: Any) -> str:
    """The percentage chance that a check against a number succeeds."""
    if action.preview and not action.preview(state, command).against:
        return ""
    try:
        headline = find_odds(system, state, action, command).headline
    except (Refused, TooMany):
        return ""
    return f"{100 * headline.chance:.0f}" if headline else ""


def _read_values(fields: tuple[Field, ...], data: QueryDict) -> dict[str, Any]:
    return {field.name: clean_words(data.get(field.name, "")) for field in fields if field.name in data}


def clean_words(words: str, most: int = 200) -> str:
    """One line of typed text, without characters that a page cannot show."""
    return tidy(words)[:most]


def _command_data(values: dict[str, Any], data: QueryDict) -> dict[str, Any]:
    """The values of a form as the fields of a command."""
    kept = {name: value for name, value in values.items() if value != ""}
    adjust = clean_words(data.get("adjust", ""))
    more = {"adjust": adjust, "because": clean_words(data.get("because", ""), 100)} if adjust else {}
    return {"actor": ME, **kept, **more}


def roll(system: System, character: Character, data: QueryDict) -> list[dict[str, Any]]:
    """Roll the check that a form describes and return its log lines. Raises Refused."""
    action = find_check(system, data.get("roll", ""))
    state = make_state(system, character.name, character.sheet)
    values = _read_values(action.find_fields(state, ME), data)
    command = read_command(action, _command_data(values, data), state)
    faces = read_faces(data) if data.get("dice") in ("table", "auto") else ()
    typed = data.get("dice") == "table" or bool(faces)
    done = run(system, state, action, command=command, driver=LiveDriver(typed=typed, faces=faces))
    if not isinstance(done, Done):
        raise Refused("bad_dice", "Enter each die, or let the app roll.")
    first, *others = _tell(system, done, character.name)
    asked = {"roll": action.name, **values, "at": clean_words(data.get("at", ""), 60)}
    return [{**first, AGAIN: urlencode({name: word for name, word in asked.items() if word})}, *others]


def _tell(system: System, done: Done, name: str) -> list[dict[str, Any]]:
    lines: tuple[Line, ...] = describe_facts(system, done.facts, {ME: name})
    told: list[dict[str, Any]] = msgspec.to_builtins([line for line in lines if line.roll or not line.terms])
    return told
