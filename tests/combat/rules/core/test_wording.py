"""Words of the log that every game shares."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.wording import describe, say_span
from tests.combat.rules import tiny


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (3599, "59 minutes 59 seconds"),
        (3600, "1 hour"),
        (5400, "1 hour 30 minutes"),
        (2 * 86_400, "2 days"),
        (129_600, "1 day 12 hours"),
    ],
)
def test_spans_of_time_are_told_in_full(seconds: int, words: str) -> None:
    assert say_span(seconds) == words


def test_time_that_passes_is_told_with_its_reason() -> None:
    line = describe(tiny.SYSTEM, e.Fact(e.TimePassed(5400, "a rest")), {})
    assert line
    assert (line.text, line.kind) == ("1 hour 30 minutes later: a rest.", "turn")
    bare = describe(tiny.SYSTEM, e.Fact(e.TimePassed(60)), {})
    assert bare
    assert bare.text == "1 minute later."


def test_sentence_about_someone_unknown_begins_with_a_capital() -> None:
    line = describe(tiny.SYSTEM, e.Fact(e.TurnStarted("f9", {})), {})
    assert line
    assert line.text == "Someone's turn."
