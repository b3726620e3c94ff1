"""The words that the rows of conditions use, and the code that asks for them."""

from __future__ import annotations

import pytest

from combat.rules.core.book.conditions import Conditions
from combat.rules.core.book.rulebook import find_code_folder
from tests.combat.rules.games import GAMES

BY_ROWS = {
    slug: kinds for slug, system in GAMES.items() if isinstance(kinds := system.people.conditions, Conditions)
}


@pytest.mark.parametrize("slug", BY_ROWS)
def test_the_code_asks_for_every_word_in_a_column(slug: str) -> None:
    """A slip in a row, such as "defence" for "defense", would do nothing."""
    files = find_code_folder(GAMES[slug].folder).rglob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    words = {
        word
        for row in BY_ROWS[slug].values()
        for column in (row.terms, row.loses, row.bars, row.ended_by, row.tags)
        for word in column
    }
    words |= {word for row in BY_ROWS[slug].values() for word in (row.begins,) if word}
    words |= {term.when for row in BY_ROWS[slug].values() for term in row.terms.values() if term.when}
    assert [word for word in sorted(words) if f'"{word}"' not in code] == []


@pytest.mark.parametrize("slug", BY_ROWS)
def test_the_label_of_every_term_has_words(slug: str) -> None:
    terms = [term for row in BY_ROWS[slug].values() for term in row.terms.values()]
    assert [term.label for term in terms if term.label and term.label not in GAMES[slug].words.words] == []
