"""A sheet as a block of text, for chats, notes and paper; the text can be read back."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import structs

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME, Draft, SheetPlan, blank_draft, is_meant
from combat.rules.core.wording import pen_of

from ..display.attacks import AttackView, view_attacks
from ..display.sheet_view import view_conditions
from ..games import check_sheet, find_game, find_problems, make_state, plan_of
from ..models import Character
from .documents import join_notes
from .item_words import ITEMS, write_thing
from .reading import refuse_controls
from .words_in import LINES, ReadSheet, read_words
from .words_out import (
    GAME,
    NAME,
    NOTES,
    write_attributes,
    write_chosen,
    write_numbers,
    write_own,
    write_skills,
)

ATTRIBUTES, SKILLS, NUMBERS, HEALTH, CONDITIONS = "Attributes", "Skills", "Numbers", "Health", "Conditions"
ATTACKS = "Attacks"  # follow from the rest when a block is read
TOLD = (HEALTH, CONDITIONS)
MAX_TOLD = 60  # characters of a value that is not imported
WIDTH, INDENT = 78, "  "


# ---------------------------------------------------------------- out


def write_block(system: System, character: Character) -> str:
    """A sheet as lines of text, each with a label."""
    lines = [character.name, f"{GAME}: {system.name}"]
    if not find_problems(system, character.sheet):
        told = _tell_all(system, character.name, character.sheet)
        lines += [_wrap(f"{label}: {value}") for label, value in told if value != ""]
    if notes := join_notes(character.notes, character.story, character.tags):
        lines += [f"{NOTES}:", notes]
    return "\n".join(lines) + "\n"


def tell(system: System, name: str, sheet: dict[str, Any], *, derived: bool = True) -> list[tuple[str, Any]]:
    """The labels and values of a valid sheet's lines, without what only the lines of a file say: attacks.

    Each group of derived numbers has a line of its own.
    """
    found: list[tuple[str, Any]] = []
    for label, value in _tell_all(system, name, sheet):
        if label == NUMBERS:
            found += _tell_groups(write_numbers(system, name, sheet)) if derived else ()
        elif value != "" and label != ATTACKS:
            found.append((label, value))
    return found


def _tell_groups(numbers: dict[str, Any]) -> list[tuple[str, Any]]:
    groups: dict[str, dict[str, Any]] = {}
    for label, value in numbers.items():
        group, _, number = label.rpartition(": ")
        groups.setdefault(group or NUMBERS, {})[number] = value
    return [(group, _join(named)) for group, named in groups.items()]


def _tell_all(system: System, name: str, sheet: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    plan = plan_of(system)
    draft = plan.read(sheet)
    state = make_state(system, name, sheet)
    health = pen_of(system, state).health(system.characters.health(state[ME]))
    yield from write_chosen(plan, draft).items()
    yield from _tell_attributes(plan, draft)
    yield NUMBERS, _join(write_numbers(system, name, sheet))
    yield HEALTH, f"{_signed(health.now)} of {_signed(health.most)} {health.label}, {health.word}"
    yield CONDITIONS, "; ".join(view.label for view in view_conditions(system, sheet))
    yield ATTACKS, "; ".join(map(_tell_attack, view_attacks(system, state, state[ME], {})))
    yield SKILLS, _join(write_skills(plan, draft))
    if plan.own:
        yield plan.own.label, write_own(plan.own, sheet)
    if plan.money:
        yield plan.money.label, sheet.get(plan.money.key, 0)
    given = find_given(system)
    things = [item for item in state[ME].items if item.name not in given]
    yield ITEMS, "; ".join(write_thing(item.name, item.count, item.place) for item in things)


def _tell_attack(attack: AttackView) -> str:
    """An attack with its total, damage and range: "Pistol +9, 1d8, 30 m"."""
    name = f"{attack.name} × {attack.count}" if attack.count > 1 else attack.name
    words = (f"{name} {attack.total}".strip(), with_true_minus(attack.damage), attack.reach)
    return ", ".join(word for word in words if word)


def find_given(system: System) -> frozenset[str]:
    """The names of what every character of a game has without a line on the sheet, such as bare hands."""
    plan = plan_of(system)
    sheet = check_sheet(system, plan.write({}, blank_draft(plan)))
    return frozenset(item.name for item in make_state(system, "", sheet)[ME].items)


def _tell_attributes(plan: SheetPlan, draft: Draft) -> Iterator[tuple[str, Any]]:
    """A profile where the game has one, and the attributes that the profile leaves out."""
    profile, attributes = _find_profile(plan, draft), write_attributes(plan, draft)
    if plan.profile and profile:
        yield plan.profile.label, profile
        labels = {stat.label for stat in plan.attributes if stat.key in plan.profile.read(profile)}
        attributes = {label: value for label, value in attributes.items() if label not in labels}
    yield ATTRIBUTES, _join(attributes)


def _find_profile(plan: SheetPlan, draft: Draft) -> str:
    """All attributes in one word, if the game has a profile that covers them all."""
    if plan.profile is None or not is_meant(plan.profile, draft.chosen):
        return ""
    word = plan.profile.write(draft.attributes)
    try:
        read = plan.profile.read(word)
    except Refused:
        return ""
    return word if all(draft.attributes.get(key, 0) == value for key, value in read.items()) else ""


def _join(named: dict[str, Any]) -> str:
    return "; ".join(f"{label} {_signed(value)}" for label, value in named.items())


def _signed(value: Any) -> Any:
    """A whole number with a real minus sign; anything else as it is."""
    return with_true_minus(value) if isinstance(value, int) else value


def _wrap(line: str) -> str:
    return "\n".join(
        textwrap.wrap(line, WIDTH, subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False)
    )


# ---------------------------------------------------------------- in


def is_block(text: str) -> bool:
    """Whether a text is a name followed by a line of a game."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and lines[1].startswith(f"{GAME}:")


def read_block(text: str, usual: str, answers: Mapping[str, str]) -> ReadSheet:
    """The character of a block; raises ValidationFailed for characters that a page cannot show."""
    refuse_controls(text)
    lines = [line for line in text.splitlines() if line.strip()]
    cells, lost = {NAME: lines[0].strip()}, {}
    for label, value in _read_lines(text.splitlines()):
        if label == NUMBERS:
            cells |= _split(value)
        elif label in TOLD:
            lost[label] = value
        elif label != ATTACKS:
            cells[label] = f"{cells[label]}; {value}" if label in cells else value
    return _with_lost(read_words(cells, usual, "", answers), lost)


def _with_lost(worded: ReadSheet, lost: Mapping[str, str]) -> ReadSheet:
    """The character with remarks on what the block mentions but cannot bring: wounds and conditions."""
    found = worded.found
    if found.problems:
        return worded
    system = find_game(worded.system)
    now = dict(tell(system, found.name, check_sheet(system, found.sheet)))
    remarks = [
        Problem(label, f"{value[:MAX_TOLD]}: not imported")
        for label, value in lost.items()
        if value != now.get(label, "")
    ]
    return ReadSheet(worded.system, structs.replace(found, remarks=(*found.remarks, *remarks)))


def _read_lines(lines: list[str]) -> Iterable[tuple[str, str]]:
    """The labeled lines below the name; an indented line continues the one above.

    A line without a label is one of LINES. The notes go to the end of the text.
    """
    start = next(n for n, line in enumerate(lines) if line.strip()) + 1
    found: list[list[str]] = []
    for number, line in enumerate(lines[start:], start):
        label, colon, value = line.partition(":")
        if line.startswith(INDENT) and found:
            found[-1][1] += f" {line.strip()}"
        elif label == NOTES and colon:
            found.append([NOTES, "\n".join([value.strip(), *lines[number + 1 :]]).strip()])
            break
        elif line.strip():
            found.append([label.strip(), value.strip()] if colon else [LINES, line.strip()])
    return [(label, value) for label, value in found]


def _split(value: str) -> dict[str, str]:
    """Named numbers separated by semicolons."""
    parts = (part.strip().rpartition(" ") for part in value.split(";"))
    return {label or number: number for label, _, number in parts if number}
