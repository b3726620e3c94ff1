"""Every report of a fault in this folder: its fight is played again, and gives the same facts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from combat.play.after.faults import read_report
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import Document, read_document, replay
from combat.rules.core.state.events import TrackChanged
from tests.typed import as_a

REPORTS = sorted(Path(__file__).parent.glob("*.json"))


def read_fight(path: Path) -> Document:
    _report, fight = read_report(path.read_bytes())
    return read_document(fight, find_system)


def test_there_are_reports_to_play_again() -> None:
    assert len(REPORTS) >= 2


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_reported_fight_comes_out_as_it_was_reported(path: Path) -> None:
    verdict = replay(read_fight(path), find_system)
    again = "python -m tests.reports.make_reports --again"
    assert verdict.ok, f"{verdict.summary}; if that is right: {again}"


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_reported_fight_with_another_number_does_not_match(path: Path) -> None:
    """So that the test above can fail."""
    document = read_fight(path)
    at, place, fact = next(
        (step, number, fact)
        for step in document.steps
        for number, fact in enumerate(step.facts)
        if isinstance(fact.event, TrackChanged)
    )
    changed = as_a(fact.event, TrackChanged)
    other = msgspec.structs.replace(fact, event=msgspec.structs.replace(changed, new=changed.new + 1))
    facts = (*at.facts[:place], other, *at.facts[place + 1 :])
    steps = list(document.steps)
    steps[at.number - 1] = msgspec.structs.replace(at, facts=facts)
    assert not replay(msgspec.structs.replace(document, steps=tuple(steps)), find_system).ok


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b'{"format": "cosmos-table-encounter"}', b"\xff"])
def test_other_file_is_no_report(raw: bytes) -> None:
    with pytest.raises(Refused, match="Not a report"):
        read_report(raw)
