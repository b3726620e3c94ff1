"""No game plays a released version of its rules otherwise than the release did."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from combat.rules.core.basics.release import RELEASE
from tests.combat.rules.released import (
    ROOT,
    RULES,
    digest,
    excuse,
    find_changed,
    find_games,
    read_known,
    stamp,
)

GAME = "starshock"


def test_rules_that_changed_since_a_release_have_a_new_version() -> None:
    assert find_changed(read_known(), find_games()) == {}


def test_every_game_of_a_release_is_known() -> None:
    known = read_known()
    assert set(known) == set(find_games())
    assert all("1" in versions for versions in known.values())


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of a game and the core."""
    for name in (GAME, "core"):
        shutil.copytree(ROOT / RULES / name, tmp_path / RULES / name)
    return tmp_path


def change(root: Path, name: str, old: str, new: str) -> None:
    file = root / RULES / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("starshock/rulings.toml", 'id = "R1"', 'id = "R1b"'),
        ("starshock/options.toml", "default = ", "default_ = "),
        ("starshock/dice.py", "return ", "return not "),
        ("core/turn/turns.py", "return ", "return not "),
    ],
)
def test_change_of_data_rulings_or_code_wants_a_version(copied: Path, name: str, old: str, new: str) -> None:
    newest = {GAME: 2}
    known = stamp({}, newest, "1.1.0", copied)
    assert find_changed(known, newest, copied) == {}
    change(copied, name, old, new)
    told = find_changed(known, newest, copied)[GAME]
    assert all(words in told for words in ("since release 1.1.0", "add version 3", "versions.toml"))
    assert find_changed(known, {GAME: 3}, copied) == {}, "a version that no release has is not fixed yet"
    assert stamp(known, newest, "1.2.0", copied) == known, "what a release has stays as it is"
    same = excuse(known, newest, "It only draws.", copied)
    assert find_changed(same, newest, copied) == {}
    assert same[GAME]["2"]["same"] == ["It only draws."]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("starshock/words.toml", '= "', '= "Now '),
        ("starshock/dice.py", '"""', '"""Well: '),
        ("starshock/dice.py", "\nfrom ", "\n# Said otherwise\n\nfrom "),
        ("starshock/conditions.toml", "\n", "\n# Said otherwise\n"),
    ],
)
def test_other_words_want_no_version(copied: Path, name: str, old: str, new: str) -> None:
    before = digest(GAME, copied)
    change(copied, name, old, new)
    assert digest(GAME, copied) == before


def test_this_release_has_fixed_its_rules_once_its_data_is_kept() -> None:
    """`python -m tests.combat.releases` does both."""
    known = read_known()
    kept = (ROOT / "tests" / "combat" / "releases" / f"{RELEASE}.tar.xz").exists()
    newest = find_games()
    fixed = {game for game, number in newest.items() if str(number) in known[game]}
    assert not kept or fixed == set(newest) or RELEASE in {one["release"] for one in known[GAME].values()}
