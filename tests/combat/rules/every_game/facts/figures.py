"""Each figure of a game's tables, another value for it, and what the game answers about its record.

A figure is a number, a yes or no, or dice. A record is changed in place, so everything that holds it sees the
change; what was worked out from it before is forgotten.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from pkgutil import iter_modules
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from characters.creation.creation_view import make_ready_sheet
from characters.games import plan_of
from combat.rules.core.basics import data, memory
from combat.rules.core.book import rulebook
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import Archetype, SheetPlan

READERS = {data.__name__, rulebook.__name__}  # modules that read files, which hold no figure that is changed
DICE = re.compile(r"^\d+[dD]\d*([+-]\d+)?$")
Probe = Callable[[Any], Any]  # what the game does with a record, in a form that can be compared


class Figure(msgspec.Struct, frozen=True):
    """A figure of a record: where it stands, and its owner's field with that figure changed."""

    table: str
    record: Any
    owner: Any
    field: str
    path: tuple[str, ...]
    other: Any

    @property
    def name(self) -> str:
        """Such as "traits accurate attack"."""
        return " ".join((self.table, str(getattr(self.record, "id", "")), ".".join(self.path)))

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Let the figure be another one, with nothing remembered from before."""
        kept = getattr(self.owner, self.field)
        force_setattr(self.owner, self.field, self.other)
        forget_all()
        try:
            yield
        finally:
            force_setattr(self.owner, self.field, kept)
            forget_all()


def find_tables(system: System) -> Iterator[tuple[str, list[Any]]]:
    """The tables of a game by name, each with its records: those of its book, and its ready characters.

    House rules are no tables: a test of their own looks for what asks them. A game without `book/tables.py`
    has none.
    """
    book = f"combat.rules.{system.slug}.book"
    if not has_module(f"{book}.tables"):
        return
    names = (found.name for found in iter_modules(import_module(book).__path__))
    others = (f"{book}.{name}" for name in names if name != "options")
    for module in (f"{book}.tables", *others):
        for name, value in vars(import_module(module)).items():
            found = value() if is_cached(value) and is_plain(value) else value
            rows = [*found.values()] if isinstance(found, dict) else [found] if is_filled(found) else found
            if isinstance(rows, list | tuple) and rows and all(map(is_record, rows)):
                yield name, list(rows)
    if system.book.sheets:
        yield "archetypes", [*system.book.sheets.creation.archetypes]


def has_module(name: str) -> bool:
    """Whether there is a module; also False without the packages it would be in."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def is_plain(function: Callable[..., Any]) -> bool:
    """Whether a function takes no arguments."""
    return not inspect.signature(function).parameters


def is_record(value: object) -> bool:
    return isinstance(value, msgspec.Struct)


def is_filled(value: object) -> bool:
    """Whether something is a record that says more than 0: one without a figure stands for no row."""
    return is_record(value) and any(getattr(owner, field) for owner, field, _, _ in _walk(value, ()))


def find_figures(system: System) -> Iterator[Figure]:
    """Every figure that differs from the default of its field; each record once."""
    seen: set[int] = set()
    for table, records in find_tables(system):
        for record in records:
            if id(record) not in seen:
                seen.add(id(record))
                for owner, field, path, other in _walk(record, ()):
                    yield Figure(table, record, owner, field, path, other)


Found = tuple[Any, str, tuple[str, ...], Any]


def _walk(owner: Any, path: tuple[str, ...]) -> Iterator[Found]:
    defaults = _find_defaults(owner)
    for field in owner.__struct_fields__:
        value = getattr(owner, field)
        if field not in defaults or defaults[field] != value:
            yield from _walk_field(owner, field, value, (*path, field))


def _find_defaults(owner: Any) -> dict[str, Any]:
    """The default of each field that has one."""
    fields, defaults = owner.__struct_fields__, owner.__struct_defaults__
    return dict(zip(fields[len(fields) - len(defaults) :], defaults, strict=True))


def _walk_field(owner: Any, field: str, value: Any, path: tuple[str, ...]) -> Iterator[Found]:
    if is_record(value):
        yield from _walk(value, path)
    elif isinstance(value, dict | tuple):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            inner = (*path, str(key))
            if is_record(part):
                yield from _walk(part, inner)
            elif (other := change(part)) is not None:
                yield owner, field, inner, _with(value, key, other)
    elif (other := change(value)) is not None:
        yield owner, field, path, other


def _with(value: dict[Any, Any] | tuple[Any, ...], key: Any, other: Any) -> Any:
    if isinstance(value, dict):
        return {**value, key: other}
    return (*value[:key], other, *value[key + 1 :])


def change(value: object) -> Any:
    """Another figure; None for what is no figure."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return "7d6+1" if isinstance(value, str) and DICE.match(value) else None


def forget_all() -> None:
    """Empty all caches of the rules but those of files."""
    memory.forget()
    for cached in _find_caches():
        cached.cache_clear()


@functools.cache
def _find_caches() -> tuple[Any, ...]:
    """The cached functions of the rules; tables are read by anonymous ones, and stay."""
    modules = [module for name, module in sys.modules.items() if name.startswith("combat.rules.")]
    every = {id(found): found for module in modules for found in vars(module).values() if is_cached(found)}
    return tuple(found for found in every.values() if found.__module__ not in READERS)


def is_cached(value: object) -> bool:
    return isinstance(value, functools._lru_cache_wrapper)


# ---------------------------------------------------------------- what the game answers


def find_probes(system: System) -> dict[str, Probe]:
    """The probes of a game by table, from `probes.py` beside its tests."""
    name = f"tests.combat.rules.{system.slug}.probes"
    probes: dict[str, Probe] = import_module(name).PROBES if has_module(name) else {}
    return probes


def find_questions(system: System, figure: Figure, probes: dict[str, Probe]) -> Sequence[Callable[[], Any]]:
    """What to ask the game about a record, the quick questions first: on pages, on sheets, in play."""
    record = figure.record
    questions = [partial(read, system, record) for read in (_read_entries, _read_block, _read_printed)]
    if isinstance(record, Archetype):
        questions.append(partial(_make_ready, system, record))
    if probe := probes.get(figure.table):
        questions.append(partial(probe, record))
    return questions


def _try(question: Callable[[], Any]) -> str:
    """An answer; an error is one too."""
    try:
        return repr(question())
    except Exception as wrong:  # noqa: BLE001 - no figure may go unnoticed because it breaks something
        return repr(wrong)


def _read_entries(system: System, record: Any) -> Any:
    """The record in the catalogue as its page shows it."""
    catalogue = system.book.catalogue
    kinds = [kind for kind in catalogue.kinds if isinstance(record, kind.record)] if catalogue else []
    entries = [catalogue.make_entry(kind, record) for kind in kinds] if catalogue else []
    return [msgspec.structs.replace(entry, record={}) for entry in entries]


def _read_printed(system: System, record: Any) -> Any:
    """The printed tables."""
    return [table.rows for table in system.book.tables()]


def _read_block(system: System, record: Any) -> Any:
    """A stat block: its sheet, and in a fight its numbers with their terms, its health and its tracks."""
    block = system.book.find_block(getattr(record, "id", ""))
    if block is None:
        return None
    combatant = system.characters.make_combatant("f1", "Ada", "allies", block.sheet, {})
    facts = system.characters.facts_of(system.begin(), combatant)
    return block, combatant.tracks, facts, system.characters.health(combatant)


def _make_ready(system: System, archetype: Archetype) -> Any:
    """The sheet of a ready character, and its numbers that a sheet cannot hold."""
    plan = plan_of(system)
    return make_ready_sheet(system, archetype), find_stray_numbers(plan, archetype)


def find_stray_numbers(plan: SheetPlan, archetype: Archetype) -> list[str]:
    """The attributes and skills of a ready character that are beyond the limits of its game."""
    stats = [(stat, archetype.attributes) for stat in plan.attributes]
    stats += [(stat, archetype.skills) for stat in plan.skills]
    return [stat.key for stat, has in stats if not stat.low <= has.get(stat.key, stat.usual) <= stat.high]


def find_unnoticed(system: System) -> Iterator[Figure]:
    """The figures with which the game answers nothing otherwise."""
    probes = find_probes(system)
    for _, figures in groupby(find_figures(system), lambda figure: id(figure.record)):
        told: list[str] = []
        for figure in figures:
            if not is_noticed(figure, find_questions(system, figure, probes), told):
                yield figure


def is_noticed(figure: Figure, questions: Sequence[Callable[[], Any]], told: list[str]) -> bool:
    """Whether an answer differs from what is told with the figure as it is, which is asked once a record."""
    for number, question in enumerate(questions):
        if number == len(told):
            told.append(repr(question()))
        with figure.changed():
            if _try(question) != told[number]:
                return True
    return False
