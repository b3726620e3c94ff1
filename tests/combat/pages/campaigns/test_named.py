"""Names in a campaign's notes lead to its people."""

from __future__ import annotations

from characters.models import Character
from combat.pages.campaigns.named import draw_notes, draw_parts, find_names
from combat.rules import find_system
from tests.combat.visit import SLUG

RANK = find_system(SLUG).book.find_blocks()["soldier"].name


def make(pk: int, name: str, *, npc: bool = False, owner: int = 1) -> Character:
    return Character(pk=pk, name=name, system=SLUG, npc=npc, owner_id=owner)


def test_words_that_no_other_name_has_stand_for_a_person() -> None:
    people = [make(1, "Ilse Okafor"), make(2, "Captain Vox", npc=True), make(3, f"Old {RANK}", npc=True)]
    assert set(find_names(people)) == {"Ilse Okafor", "Ilse", "Captain Vox", "Vox", f"Old {RANK}"}
    assert "Ilse" not in find_names([*people, make(4, "Ilse Lund")])
    assert "Captain Vox" not in find_names([*people, make(4, "Captain Vox", npc=True)])


def test_names_become_links_and_nothing_else_changes() -> None:
    people = [make(1, "Ilse Okafor"), make(2, "O'Neil", owner=2), make(3, "<b>Bo</b>")]
    drawn = draw_notes("Ilse owes **O'Neil**; `Ilse` and [Ilse](https://x.example/Ilse), Ilsebill", people, 1)
    assert drawn.count("<a ") == 3
    assert '<a class="named" href="/characters/1/">Ilse</a> owes' in drawn
    assert '<strong><a class="named" href="#person-2">O&#x27;Neil</a></strong>' in drawn
    assert "<code>Ilse</code>" in drawn
    assert "Ilsebill" in drawn
    assert "&lt;b&gt;Bo" in draw_notes("the <b>Bo</b>", people, 1)
    assert draw_notes("Ilse", [], 1) == "<p>Ilse</p>\n"


def test_first_paragraph_is_apart_from_the_rest() -> None:
    first, rest = draw_parts("Vox waits.\r\n\r\nBen owes.\n\nEnd.", [], 1)
    assert (first, rest) == ("<p>Vox waits.</p>\n", "<p>Ben owes.</p>\n<p>End.</p>\n")
    assert [bool(one) for one in draw_parts("# Tonight\n\nVox waits.", [], 1)] == [True, False]
    assert not draw_parts("```\na\n\nb\n```", [], 1)[1], "code may have empty lines"
