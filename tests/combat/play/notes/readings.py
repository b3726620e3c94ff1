"""All that is read of each example, in words: who joins with what, what is asked, what a tap would write.

`python -m tests.combat.play.notes.readings` writes the table anew. Read its diff before you commit it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from combat.play.notes.parts import Group, Mark, ParseIssue, Reading
from combat.rules.core.basics.errors import Refused
from tests.combat.play.notes.frames import list_examples
from tests.combat.play.notes.test_lines import glossary, read

TABLE = Path(__file__).with_name("readings.txt")


def tell_group(group: Group, slug: str) -> str:
    """What one command brings: equal people with all that the notes say of them."""
    try:
        join = group.make_join(glossary(slug), "", "", hidden=False)
    except Refused as refused:
        return f"refused: {refused}"
    sheet = group.make_sheet(glossary(slug)) if "sheet" in join else {}
    book = group.source.sheet if group.source else {}
    said = {name: value for name, value in join.items() if value and name != "sheet"}
    carried = [f"{count} {entry.name}" for entry, count in group.things]
    return " · ".join(
        [f"{name} {value}" for name, value in said.items()]
        + carried
        + [f"{name} {value}" for name, value in sorted(sheet.items()) if value != book.get(name)]
        + ([f"carried by {group.carrier.title}"] if group.carrier else [])
    )


def tell_issue(issue: ParseIssue, text: str) -> str:
    """An issue: its words, its message, and for each suggestion the words it replaces and the new ones."""
    kind = "asked" if issue.is_question else "left out" if issue.minor else "open"
    taps = [f"[{one.label}: {text[slice(*one.span)]} → {one.text}]" for one in issue.suggestions]
    return " ".join([f"{kind}: “{text[slice(*issue.span)]}” {issue.message}", *taps])


def tell_marks(marks: tuple[Mark, ...], text: str) -> str:
    """What each stretch was read as."""
    kinds = groupby(marks, key=lambda one: one.kind)
    return "; ".join(f"{kind} {' + '.join(text[slice(*one.span)] for one in of)}" for kind, of in kinds)


def tell(reading: Reading, slug: str) -> Iterator[str]:
    """The lines about one text."""
    for group in reading.groups:
        yield f"  {tell_group(group, slug)}"
    for issue in reading.offers:
        yield f"  {tell_issue(issue, reading.text)}"
    yield f"  = {tell_marks(reading.marks, reading.text)}"


def list_texts() -> Iterator[tuple[str, str]]:
    """The examples of all kinds, and whole notes that are no examples of any."""
    yield from list_examples()
    for row in tomllib.loads(Path(__file__).with_name("given.toml").read_text())["texts"]:
        yield row["text"], row["game"]


def list_parts() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The texts in parts that a test looks at, by game and first letter: a name, texts with their games."""
    named = sorted({(f"{slug} {_find_letter(text)}", text, slug) for text, slug in list_texts()})
    for name, of in groupby(named, key=lambda one: one[0]):
        yield name, [(text, slug) for _, text, slug in of]


def _find_letter(text: str) -> str:
    return next((sign for sign in text.casefold() if sign.isalnum()), "-")


def write(texts: list[tuple[str, str]]) -> str:
    """What is read of these texts."""
    lines = []
    for text, slug in texts:
        lines += [f"{slug}: {text.strip()}", *tell(read(text, slug), slug)]
    return "".join(f"{line.replace(chr(10), ' / ')}\n" for line in lines)


if __name__ == "__main__":
    TABLE.write_text("\n".join(f"# {name}\n{write(texts)}" for name, texts in list_parts()))
