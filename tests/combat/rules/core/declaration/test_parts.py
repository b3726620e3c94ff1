"""The parts of a System: few fields each, and every field explained in place."""

from __future__ import annotations

import ast
import inspect

import msgspec
import pytest

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.actions import Actions
from combat.rules.core.declaration.book import Book, Imports
from combat.rules.core.declaration.characters import Characters
from combat.rules.core.declaration.demo import Demos
from combat.rules.core.declaration.look import Look
from combat.rules.core.declaration.space import Space, Zones
from combat.rules.core.declaration.system import System, system_of
from combat.rules.core.declaration.tactics import Tactics
from combat.rules.core.declaration.turn import Turn
from combat.rules.core.engine.engine import ReplayDriver
from tests.combat.rules.games import GAMES

PARTS = (Characters, Turn, Space, Actions, Book, Tactics, Look, Demos)
DOZEN = 12

every_part = pytest.mark.parametrize("part", [*PARTS, Zones, Imports], ids=lambda part: part.__name__)


def test_a_system_is_its_names_and_eight_parts() -> None:
    fields = msgspec.structs.fields(System)
    assert [field.name for field in fields if field.type not in PARTS] == ["slug", "name", "folder"]
    assert {field.type for field in fields if field.type in PARTS} == set(PARTS)


@every_part
def test_a_part_is_frozen_and_has_a_dozen_fields_at_most(part: type[msgspec.Struct]) -> None:
    assert part.__struct_config__.frozen
    assert len(part.__struct_fields__) <= DOZEN


@every_part
def test_every_field_is_explained_above_it(part: type[msgspec.Struct]) -> None:
    lines, _ = inspect.getsourcelines(part)
    (body,) = ast.parse("".join(lines)).body
    assert isinstance(body, ast.ClassDef)
    fields = [node for node in body.body if isinstance(node, ast.AnnAssign)]
    bare = [
        ast.unparse(field.target)
        for field in fields
        if ast.unparse(field.target) in part.__struct_fields__
        and not lines[field.lineno - 2].strip().startswith("#")
    ]
    assert bare == []


def test_squares_are_one_unit_wide_unless_the_game_says_otherwise() -> None:
    assert (Space().cell_meters, Space(cell_meters=1.5).cell_meters) == (1, 1.5)


def test_a_context_leads_to_the_whole_game() -> None:
    for system in GAMES.values():
        assert system_of(RuleContext(system, system.begin(), ReplayDriver())) is system
