"""Drawings in the memory of a process."""

from __future__ import annotations

from django.utils.safestring import mark_safe

from combat.display.drawings import Drawing, Drawings


def test_drawings_are_dropped_by_their_bytes() -> None:
    """A sign beyond Latin-1 doubles the bytes of all others."""
    kept = Drawings(5000)
    for number, html in enumerate(("a" * 1500, "b" * 1500, "c" * 1500 + "\N{HORIZONTAL ELLIPSIS}")):
        kept.keep(bytes([number]), Drawing(mark_safe(html), "tag"))
    assert list(kept.kept) == [bytes([1]), bytes([2])]
