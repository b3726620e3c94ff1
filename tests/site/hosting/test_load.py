"""The sums of a load run: lost, told and recovered. The run is `python -m tests.site.load`."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.site.load import harm
from tests.site.load.__main__ import Plan, read_plan
from tests.site.load.people import Answer, Person, Table, Times, read_answer, seat_people
from tests.site.load.report import Run, describe, find_percentile, find_recovery
from tests.site.load.setting import KINDS, Kept

STAMPS = {"gm": "g1", "play": "p1", "watch": "w1"}
KEPT = Kept({"load-1-1": 1, "load-1-2": 1}, turns=1, wrong="", steps=3, bytes=6000, stamps=STAMPS)


@pytest.fixture
def table() -> Table:
    """A table with three actions, whose pages all show its final state."""
    made = [{"table": 1, "sessions": [str(number) for number in range(len(KINDS))]}]
    (table,) = seat_people(made, KINDS, (8000,), Times())
    for person in table.people:
        person.told = STAMPS[person.kind]
    table.answered, table.turns = {"load-1-1", "load-1-2"}, 1
    return table


def run_of(kept: Kept = KEPT) -> Run:
    return Run(1, 6, 30.0, 1.0, kept={1: kept})


def test_run_in_which_everything_is_there_is_sound(table: Table) -> None:
    assert run_of().is_sound([table])


@pytest.mark.parametrize(
    ("kept", "what"),
    [
        (replace(KEPT, marks={"load-1-1": 1}), "lost"),
        (replace(KEPT, turns=0), "lost"),
        (replace(KEPT, marks={"load-1-1": 2, "load-1-2": 1}), "twice"),
        (replace(KEPT, wrong="step 2 differs from its history"), "wrong"),
        (replace(KEPT, turns=2), "wrong"),
    ],
)
def test_whatever_is_lost_doubled_or_wrong_is_counted(table: Table, kept: Kept, what: str) -> None:
    run = run_of(kept)
    assert run.find_losses([table])[what] == 1
    assert not run.is_sound([table])


def test_action_without_an_answer_may_be_saved_or_not(table: Table) -> None:
    table.answered, table.unanswered = {"load-1-1"}, {"load-1-2", "load-1-4"}
    assert run_of().find_losses([table])["saved without an answer"] == 1
    assert run_of().is_sound([table])


def test_page_that_was_not_told_is_counted(table: Table) -> None:
    table.people[-1].told = "w0"
    assert run_of().count_untold([table]) == 1
    assert not run_of().is_sound([table])


def test_what_failed_is_counted_to_what_was_broken_before_it(table: Table) -> None:
    run = run_of()
    run.harms = [(10.0, "a worker killed"), (20.0, "Redis cut")]
    run.paced.failed = [(9.0, "page"), (10.5, "page"), (12.0, "action"), (21.0, "stream")]
    counts, seconds = find_recovery(run, 0)
    assert (dict(counts), seconds) == ({"page": 1, "action": 1}, 2.0)
    assert find_recovery(run, 1) == ({"stream": 1}, 1.0)
    assert "a worker killed: failed 1 × page, 1 × action; the last 2.0 s later." in describe(run, [table])


def test_percentiles() -> None:
    assert find_percentile([], 0.5) == 0
    assert find_percentile(range(101), 0.5) == 50
    assert find_percentile(range(101), 0.99) == 99


def test_page_remembers_what_it_has_as_a_browser_does() -> None:
    raw = b'HTTP/1.1 200 OK\r\nETag: W/"Ab"\r\n\r\n<div data-version="v1" data-parts="a=1&amp;b=2">'
    person = Person(8000, 1, "gm", "key", Times())
    person.note(read_answer(raw))
    assert (person.version, person.parts, person.tag) == ("v1", "a=1&b=2", 'W/"Ab"')
    person.told = "v2"
    person.note(Answer(304, {}, ""))
    assert person.version == "v2"


def test_all_people_of_a_table_ask_the_same_worker() -> None:
    made: list[dict[str, object]] = [{"table": n, "sessions": list(KINDS)} for n in range(4)]
    ports = [{person.port for person in table.people} for table in seat_people(made, KINDS, (1, 2), Times())]
    assert ports == [{1}, {2}, {1}, {2}]


def test_nobody_asks_for_more_than_ninety_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["load", "--paced", "900", "--flood", "900"])
    plan = read_plan()
    assert plan.paced + plan.flood <= 90
    assert plan.tables == Plan.tables


def test_only_workers_of_our_own_are_found_and_measured() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        assert other.pid not in harm.find_workers(os.getpid())
        other.communicate(b"\n")
    assert harm.count_seconds([os.getpid()]) > 0
    assert len(harm.count_megabytes([os.getpid(), 2**22 + 1])) == 1
