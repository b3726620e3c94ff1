"""The printed tables of the rulebooks: each cites a rule, and agrees with the data."""

from __future__ import annotations

import re

import msgspec
import pytest

from combat.rules.core.book.conditions import ConditionKind
from combat.rules.core.book.printed import (
    MINUS,
    NOTHING,
    listed,
    make_table,
    signed,
    table_of_conditions,
    table_of_things,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Catalogue, Column, Kind, value_of
from tests.combat.rules.games import GAMES, every_game

UNIT = re.compile(r"^[+-]?\d+ ?(m|h|km|kg|s|min|rounds?|points?|%|cr|TSI)$")
every_book = pytest.mark.parametrize("system", GAMES.values(), ids=list(GAMES))


@every_game
def test_tables_have_keys_of_their_own(system: System) -> None:
    keys = [table.key for table in system.book.tables()]
    assert len(keys) == len(set(keys))


@every_book
def test_tables_lean_on_rules_that_exist(system: System) -> None:
    known = system.rulebook.ids
    for table in system.book.tables():
        assert table.rule in known, table.key
        assert table.rules == () or len(table.rules) == len(table.rows), table.key
        assert set(table.rules) - {""} <= known, table.key


@every_book
def test_tables_have_a_cell_for_every_heading(system: System) -> None:
    for table in system.book.tables():
        cells = [cell for row in table.rows for cell in row]
        assert cells, table.key
        assert len(set(table.columns)) == len(table.columns), table.key
        assert {len(row) for row in table.rows} == {len(table.columns)}, table.key
        assert all(cell != "" and not isinstance(cell, bool) for cell in cells), table.key


@every_book
def test_columns_of_figures_have_their_unit_in_the_heading(system: System) -> None:
    """A whole column must not repeat a unit that its heading could name."""
    for table in system.book.tables():
        for number, head in enumerate(table.columns):
            cells = {str(row[number]) for row in table.rows} - {NOTHING}
            assert not cells or not all(UNIT.match(cell) for cell in cells), f"{table.key}: {head}"


@every_game
def test_every_thing_of_the_catalogue_stands_in_a_table(system: System) -> None:
    names = {row[0] for table in system.book.tables() for row in table.rows}
    entries = system.book.catalogue.find_entries() if system.book.catalogue else ()
    assert {entry.name for entry in entries} <= names


@every_game
def test_every_condition_stands_in_a_table_with_its_rule(system: System) -> None:
    if not system.book.tables():
        return
    table = next(table for table in system.book.tables() if table.key == "conditions")
    wanted = [(k.label, k.text, k.ends, k.rule) for k in system.characters.conditions.values() if k.for_gm]
    assert [(*row, rule) for row, rule in zip(table.rows, table.rules, strict=True)] == wanted


@pytest.mark.parametrize(("value", "shown"), [(2, "+2"), (-4, f"{MINUS}4"), (0, NOTHING)])
def test_signed_change(value: int, shown: str) -> None:
    assert signed(value) == shown


def test_listed_words_begin_with_a_capital() -> None:
    assert listed(["table", "thin wall"]) == "Table, thin wall"
    assert listed([]) == NOTHING


def test_table_is_made_from_a_line_of_headings() -> None:
    table = make_table("t", "T", "A-B-1", "Name | Far, m | Ready", [("Bow", 3, True), ("Net", "", False)])
    assert table.columns == ("Name", "Far, m", "Ready")
    assert table.rows == (("Bow", 3, "yes"), ("Net", NOTHING, NOTHING))
    assert table.numeric == (False, True, False)


def test_columns_of_dashes_are_no_figures() -> None:
    assert make_table("t", "T", "A-B-1", "A | B", [(signed(0), signed(-1))]).numeric == (False, True)


def test_conditions_for_bookkeeping_are_left_out() -> None:
    kinds = (
        ConditionKind("a", "Asleep", "No turns.", "waking", "A-B-1"),
        ConditionKind("b", "Has blinked", "Once a turn.", "the turn", "A-B-2", for_gm=False),
    )
    table = table_of_conditions(kinds, "A-B-1")
    assert (table.rows, table.rules) == ((("Asleep", "No turns.", "waking"),), ("A-B-1",))


# ---------------------------------------------------------------- items of a catalog


class Rope(msgspec.Struct, kw_only=True):
    """An item with a length, the strain it bears, and its material."""

    id: str
    name: str
    origin: str = ""
    length_m: int = 0
    strain: int = 0
    strands: int = 3
    fibers: tuple[str, ...] = ()
    inner: dict[str, int] = {}


def ropes(*records: Rope) -> Catalogue:
    columns = (
        Column(key="length_m", label="Length", kind="number", unit="m", plain=0),
        Column(key="strain", label="Strain", kind="number", low=-5, plain=0),
        Column(key="strands", label="Strands", kind="number", plain=3),
        Column(key="inner.knots", label="Knots", kind="number", plain=0),
        Column(key="fibers", label="Fibers", kind="many", plain=()),
    )
    kind = Kind(
        key="rope",
        label="Rope",
        plural="Ropes",
        record=Rope,
        columns=columns,
        find_rows=lambda: {row.id: row for row in records},
        sum_up=lambda row: (),
    )
    return Catalogue(kinds=(kind,), find_facts=lambda row: {})


def test_things_have_the_columns_in_which_anything_stands() -> None:
    shelf = ropes(
        Rope(id="a", name="Cord", length_m=5, strain=-1), Rope(id="b", name="Cable", inner={"knots": 2})
    )
    table = table_of_things(shelf, "rope", "A-B-1")
    assert table.columns == ("Name", "Length, m", "Strain", "Knots")
    assert table.rows == (("Cord", 5, f"{MINUS}1", NOTHING), ("Cable", NOTHING, NOTHING, 2))
    assert table.note == ""


def test_things_of_ones_own_are_named() -> None:
    table = table_of_things(ropes(Rope(id="a", name="Cord", length_m=1, origin="house")), "rope", "A-B-1")
    assert table.note == "Not from the game, added by this table: Cord."


def test_dash_that_stands_for_a_number_is_explained() -> None:
    shelf = ropes(Rope(id="a", name="Cord", strands=3), Rope(id="b", name="Cable", strands=7))
    table = table_of_things(shelf, "rope", "A-B-1")
    assert table.rows == (("Cord", NOTHING), ("Cable", 7))
    assert table.note == "A dash under “Strands” stands for 3."


def test_things_of_an_unknown_kind_are_an_error() -> None:
    with pytest.raises(LookupError, match="'net'"):
        table_of_things(ropes(), "net", "A-B-1")


def test_value_of_a_column_may_stand_in_an_inner_table() -> None:
    assert value_of({"a": {"b": 3}}, "a.b") == 3
    assert value_of({"a": 1}, "a.b") is None
    assert value_of({}, "a") is None
