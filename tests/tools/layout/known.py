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
    ("select", "form.stack > div.form-row > div#div_shape-", "the drawn scene: its form is beside the map"),
    ("select", "div#div_zone-", "a zone's form is beside the map"),
    ("select", "select#row-track", "as many as the body has tracks"),
    ("empty", "#people.panel.gathering", "people come by the code beside it"),
    ("empty", "section.copy-part", "the button that makes one stands in the page's head"),
    ("alike", "div.cluster.presets", "ways to begin, each as good as the next"),
    ("target", "div.row-body > a.row-main", "all of a row is its link, 52 px high where rows are low"),
    ("target", ".fold.row-figure", "a mark of 20 × 24 px: a row of 60 px has the menu above it"),
)
