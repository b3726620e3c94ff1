"""The words that the rows of conditions use, and the code that asks for them."""

from __future__ import annotations

import pytest

from combat.rules.core.book.conditions import ConditionKind, Conditions, Effects
from combat.rules.core.book.rulebook import find_code_folder
from tests.combat.rules.games import GAMES, lack

BY_ROWS = {
    slug: kinds
    for slug, system in GAMES.items()
    if isinstance(kinds := system.characters.conditions, Conditions)
}

NO_WORDS = ("until", "suspends")  # what the code reads as it is


def find_words(row: ConditionKind) -> set[str]:
    """The words in all columns of a row that the code must ask for."""
    found = {term.when for term in row.terms.values()}
    for column in {*Effects.__struct_fields__} - {*NO_WORDS}:
        cell = getattr(row, column)
        if not isinstance(cell, int | float):  # a flag or a number
            found |= {cell} if isinstance(cell, str) else {*cell}
    return found - {""}


@pytest.mark.parametrize("slug", BY_ROWS)
def test_the_code_asks_for_every_word_in_a_column(slug: str) -> None:
    """A slip in a row, such as "defence" for "defense", would do nothing."""
    files = find_code_folder(GAMES[slug].folder).rglob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    words = {word for row in BY_ROWS[slug].values() for word in find_words(row)}
    unasked = ", ".join(word for word in sorted(words) if f'"{word}"' not in code)
    assert not unasked, lack(GAMES[slug], f"has {unasked} in conditions.toml, but no code asks for that")


@pytest.mark.parametrize("slug", BY_ROWS)
def test_the_label_of_every_term_has_words(slug: str) -> None:
    labels = {str(term.label) for row in BY_ROWS[slug].values() for term in row.terms.values()} - {""}
    bare = ", ".join(sorted(labels - GAMES[slug].words.words.keys()))
    assert not bare, lack(GAMES[slug], f"has {bare} in conditions.toml, but no such key in words.toml")
