"""Write frames.toml again from the examples: python -m tests.combat.play.notes.frames."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from combat.play.notes import frames
from combat.play.notes.account import find_frames
from combat.play.notes.draft import Draft
from tests.combat.play.notes.test_lines import glossary, read

HERE = Path(__file__).parent
TABLE = Path(frames.__file__).with_name("frames.toml")
HEAD = "# Kinds that stand in a row in an example: the first, then the last. Written by\n"
HEAD += "# `python -m tests.combat.play.notes.frames` from tests/combat/play/notes/*.toml\n"


def list_examples() -> Iterator[tuple[str, str]]:
    """The text and the game of each example."""
    for name in ("kinds", "wordings", "lines", "blocks", "orders"):
        [rows] = tomllib.loads((HERE / f"{name}.toml").read_text()).values()
        for row in rows:
            yield row.get("text") or row["line"], row["game"]


def collect(examples: list[tuple[str, str]]) -> dict[str, list[str]]:
    """The kinds in a row that examples have: the last ones by the first two."""
    found: dict[str, set[str]] = defaultdict(set)
    for text, slug in examples:
        reading = read(text, slug)
        for _, _, kinds in find_frames(Draft(reading.text, glossary(slug)), reading):
            for row in frames.list_rows(kinds):
                first, _, last = row.rpartition(" ")
                found[first].add(last)
    return {first: sorted(found[first]) for first in sorted(found)}


def write(rows: dict[str, list[str]]) -> str:
    """The table of such rows."""
    return HEAD + "".join(
        f"{json.dumps(first)} = {json.dumps(' '.join(lasts))}\n" for first, lasts in rows.items()
    )


if __name__ == "__main__":
    TABLE.write_text(write(collect([*list_examples()])))
