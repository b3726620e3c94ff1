"""What is measured and may stay: its kind, a part of its place and words, and the reason."""

from __future__ import annotations

KNOWN: tuple[tuple[str, str, str], ...] = (
    ("target", "a.rule", "a rule's mark stands in the line of words that it proves, as a link in a sentence"),
    (
        "target",
        "a.row-quick",
        "the bar of health: a row of 60 px has the name above it; the key e is the same",
    ),
    (
        "target",
        "#options.prep-rules > div.split > a.ask",
        "the open drawer lies over it; it is 40 px high without",
    ),
    ("target", ".fold.row-figure", "a mark of 20 × 24 px: a row of 60 px has the menu above it"),
)
