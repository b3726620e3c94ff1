"""A block under a name is one person on the import page and in notes, however its labels are written."""

from __future__ import annotations

import pytest

from characters.exchange.previews import preview
from combat.play.notes.glossary import make_glossary
from combat.play.notes.notes import read_notes
from combat.rules import find_system

LINES = {"UPP": "777777", "Skills": "Slug Pistol-1", "Equipment": "cutlass, cloth"}


def write(form: str, joint: str = "\n", **labels: str) -> str:
    """Korr and the three lines about him."""
    return joint.join(
        ["Korr", *(form.format(labels.get(label, label), text) for label, text in LINES.items())]
    )


TEXTS = [
    write("{}: {}"),
    write("{}:{}"),
    write("{} {}"),
    write("{} = {}"),
    write("{} - {}"),
    write("- {}: {}"),
    write("● {}: {}"),
    write("*{}:* {}"),
    write("**{}**: {}"),
    write("{}: {}", Equipment="Possessions"),
    write("{}: {}", Skills="SKILLS", Equipment="GEAR"),
    write("{}: {}", Equipment="Weapons"),
    write("{}: {}", " | "),
    write("{}: {}", ", "),
    write("{}: {}", " — "),
    f"### {write('{}: {}')}",
    f"**{write('{}: {}').replace('Korr', 'Korr**')}",
    f"Name: {write('{}: {}')}",
    f"{write('{}: {}')}\n\n{write('{}: {}')}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_block_under_a_name_is_the_same_person_by_both_ways(text: str) -> None:
    system = find_system("cepheus")
    imported = [(one.found.name, one.found.sheet) for one in preview(text, "cepheus", {}).entries]
    noted = [
        (one.title, one.written)
        for one in read_notes(text, make_glossary(system, system.begin(), "allies")).groups
    ]
    assert imported == noted
    for name, sheet in imported:
        assert (name, sheet["skills"]) == ("Korr", {"slug_pistol": 1})
        assert [one["entry"] for one in sheet["items"]] == ["cutlass", "cloth"]
    assert len(noted) == text.count("777777")
