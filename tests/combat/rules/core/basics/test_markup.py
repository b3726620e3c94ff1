"""The marks of lists and of Markdown, taken off pasted text."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.markup import take_off_marks


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("- Port Watch - 877776", "Port Watch - 877776"),
        ("Port Watch - 877776", "Port Watch - 877776"),
        ("Official - **Ilya Vorn** 877776", "Official - Ilya Vorn 877776"),
        ("12. Guard at gate 9. He waits", "Guard at gate 9. He waits"),
        ("Deck • Bridge", "Deck • Bridge"),
    ],
)
def test_bullet_is_only_at_the_begin_of_a_line(text: str, plain: str) -> None:
    assert take_off_marks(text) == plain
