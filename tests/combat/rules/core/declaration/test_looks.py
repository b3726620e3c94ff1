"""The looks of a game: a row that is wrong is named with its file, where it is first read."""

from __future__ import annotations

from pathlib import Path

import pytest

from characters.faces import NATURES
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.data import DataError
from combat.rules.core.declaration.parts import check_looks

BLOCKS = ("pirate", "sniper")


def check(folder: Path, rows: str) -> None:
    (folder / "looks.toml").write_text(rows)
    check_looks(folder, BLOCKS, NATURES)


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_game_names_looks_that_are_drawn(slug: str) -> None:
    system = find_system(slug)
    check_looks(system.folder, system.book.find_blocks(), NATURES)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (
            '[blocks]\npirate = ["corsar"]',
            r"looks\.toml: blocks\.pirate: there is no face or sign 'corsar'; did you mean 'corsair'\?",
        ),
        (
            '[blocks]\npirat = ["corsair"]',
            r"looks\.toml: blocks\.pirat: there is no stat block 'pirat'; did you mean 'pirate'\?",
        ),
        ("[blocks]\npirate = []", r"looks\.toml: blocks\.pirate: name at least one face or sign"),
        ('[block]\npirate = ["corsair"]', r"looks\.toml: looks: .*block"),
        ('[blocks]\npirate = "corsair"', r"looks\.toml: looks: Expected `array`"),
    ],
)
def test_a_wrong_row_is_named_with_its_file(tmp_path: Path, rows: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        check(tmp_path, rows)
    check(tmp_path, '[blocks]\npirate = ["corsair", "raider"]')
