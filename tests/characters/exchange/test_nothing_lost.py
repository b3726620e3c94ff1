"""Words of rosters and text blocks: each is imported, listed, or asked about."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.exchange.item_words import MAX_THINGS
from characters.exchange.previews import MAX_THINGS_AT_ONCE, preview
from characters.exchange.reading import ValidationFailed
from characters.games import find_games

NONCE = "qzx"  # is in no name, so a search finds where it went
GAMES = [system.slug for system in find_games()]
WORDS = st.from_regex(rf"{NONCE}[a-z]{{1,6}}", fullmatch=True)
LABELS = st.sampled_from(["Skills", "Weapons", "Armor", "Gear", "Attributes", "Items", "Pilot", "Mood"])
FORMS = st.sampled_from(["{}", "{} 2", "Pilot 2; {} 1", "Rifle, {}", "{} (held)", "3 x {}", "{}: 2; {}"])


def said(text: str, game: str) -> str:
    """The whole preview of a text."""
    entries = preview(text, game, {}).entries
    told = [msgspec.to_builtins((entry.found, entry.problems)) for entry in entries]
    return json.dumps(told, ensure_ascii=False).casefold()


@given(st.sampled_from(GAMES), LABELS, FORMS, WORDS)
def test_cell_of_a_roster_is_read_or_listed(game: str, label: str, form: str, word: str) -> None:
    cell = form.replace("{}", word)
    assert word in said(f'Name,Game,{label}\nJo,{game},"{cell}"\n', game)


@given(st.sampled_from(GAMES), WORDS, WORDS)
def test_column_that_nobody_knows_is_listed(game: str, label: str, word: str) -> None:
    told = said(f"Name,Game,{label}\nJo,{game},{word}\n", game)
    assert word in told
    assert label in told


@given(
    st.sampled_from(GAMES), st.sampled_from(["{}", "{} 2", "STR 8, {} 2", "Mood: {}", "Skills: {}"]), WORDS
)
def test_line_of_a_block_is_read_or_listed(game: str, form: str, word: str) -> None:
    assert word in said(f"Jo\nGame: {game}\n{form.replace('{}', word)}\n", game)


def test_line_that_stands_twice_is_not_lost() -> None:
    told = said(f"Jo\nGame: cepheus\nMood: {NONCE}a\nMood: {NONCE}b\n", "cepheus")
    assert f"{NONCE}a" in told
    assert f"{NONCE}b" in told


def test_more_things_than_one_import_brings_are_refused() -> None:
    cell = ";".join(["Rifle"] * MAX_THINGS)
    lines = [f"A{n},cepheus,{cell}" for n in range(MAX_THINGS_AT_ONCE // MAX_THINGS + 1)]
    with pytest.raises(ValidationFailed) as failed:
        preview("\n".join(["Name,Game,Items", *lines]), "cepheus", {})
    assert "import fewer characters at once" in str(failed.value.problems[0])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Jo\nGame: Cepheus\n" + "\n".join(f"Mood{n}: x" for n in range(500)), "at most 400 are read"),
        ("Jo\nGame: Cepheus\nSkills: " + "; ".join(f"Mood{n} 1" for n in range(500)), "at most 200 are read"),
        ("Jo 777777 Age 30\n" + "Blade\n" * 500, "at most 200 are read"),
    ],
)
def test_more_lines_than_a_sheet_has_are_refused(text: str, said: str) -> None:
    (problem, *_) = preview(text, "cepheus", {}).problems
    assert said in problem.message


@pytest.mark.parametrize("sign", [";", ","])
def test_more_things_than_a_sheet_has_are_refused(sign: str) -> None:
    cell = sign.join(["Rifle"] * (MAX_THINGS + 1))
    (entry,) = preview(f'Name,Game,Weapons\nJo,cepheus,"{cell}"\n', "cepheus", {}).entries
    assert [problem.message for problem in entry.problems] == [
        f"lists {MAX_THINGS + 1} things: at most {MAX_THINGS} are read"
    ]
