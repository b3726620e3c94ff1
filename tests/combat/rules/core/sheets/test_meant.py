"""Numbers and choices that only some sheets have, values that do not exist, NPCs from lines."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.checking import Problem
from combat.rules.core.sheets.catalogue import Entry, find_fed
from combat.rules.core.sheets.foreign import MAX_LINE, MAX_LINES, MAX_REMARKS, limit_remarks, split_lines
from combat.rules.core.sheets.sheets import Carried, Preset, Selection, Stat, find_meant, is_meant

LEVEL = Stat(key="recon", label="Recon", low=-3, high=4, gap=(-2, -1))


@pytest.mark.parametrize(("value", "by", "to"), [(-3, 1, 0), (0, -1, -3), (0, 1, 1), (3, 1, 4), (1, -1, 0)])
def test_step_goes_over_the_gap(value: int, by: int, to: int) -> None:
    assert LEVEL.step(value, by) == to


@pytest.mark.parametrize(("value", "settled"), [(-3, -3), (-2, -3), (-1, -3), (0, 0), (4, 4)])
def test_value_in_the_gap_falls_to_its_lower_edge(value: int, settled: int) -> None:
    assert LEVEL.settle(value) == settled


def test_what_is_only_for_some_choices_is_left_out_elsewhere() -> None:
    hull = Stat(key="hull", label="Hull", only={"kind": ("robot", "vehicle")})
    body = Selection(key="body", label="Body", options=(), only={"kind": ("vehicle",), "model": ("",)})
    array = Preset(key="even", label="Even", values={})
    assert is_meant(hull, {"kind": "robot"})
    assert not is_meant(hull, {"kind": "person"})
    assert not is_meant(hull, {})
    assert is_meant(body, {"kind": "vehicle"})
    assert not is_meant(body, {"kind": "vehicle", "model": "afv"})
    assert find_meant((array,), {}) == (array,)


def test_spares_go_to_what_they_fit_while_there_is_room() -> None:
    rifle = Carried(id="i1", kind="weapon", entry="rifle", spares=98)
    pack = Entry(id="pack", kind="ammo", name="Pack", spare_for=("weapon", "rifle"))
    assert find_fed((rifle,), pack) == rifle
    assert find_fed((rifle,), pack, 2) is None
    assert find_fed((msgspec.structs.replace(rifle, entry="bow"),), pack) is None
    assert find_fed((rifle,), msgspec.structs.replace(pack, spare_for=None)) is None


@given(st.text(max_size=3000))
def test_lines_say_something_and_have_an_end(text: str) -> None:
    lines = split_lines(text)
    assert len(lines) <= MAX_LINES
    assert all(0 < len(line) <= MAX_LINE and line.strip() == line.strip("\n") for line in lines)


def test_lines_without_words_are_left_out() -> None:
    assert split_lines(" a  b \n\n\t\nc") == ("a b", "c")


@pytest.mark.parametrize(("more", "last"), [(-1, []), (0, []), (1, ["1"]), (7, ["7"])])
def test_remarks_beyond_what_people_read_are_counted(more: int, last: list[str]) -> None:
    remarks = [Problem(f"item {number}", "found no place") for number in range(MAX_REMARKS + more)]
    shown = limit_remarks(remarks)
    assert shown[:MAX_REMARKS] == tuple(remarks[:MAX_REMARKS])
    assert [told.message.partition(" more entries")[0] for told in shown[MAX_REMARKS:]] == last
