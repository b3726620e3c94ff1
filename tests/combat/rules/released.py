"""What the released versions of each game's rules were made of: `python -m tests.combat.rules.released`.

A version of the rules is fixed once a release has it: then its fights must play the same in every later one.
`released.json` keeps, for each game and version, the release and a digest of the game's folder and of the
core. While the newest version of a game is in no release, nothing is compared and nothing has to be stored.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypedDict

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.release import RELEASE
from combat.rules.core.book.rulebook import VERSIONS_FILE, find_code_folder

ROOT = Path(__file__).parents[3]
RULES = Path("combat/rules")
FILE = Path(__file__).with_name("released.json")
# What these hold is shown, drawn or tested, and decides nothing; words.toml may be reworded at any time
SHOWN = (
    VERSIONS_FILE,
    "words.toml",
    "kinds.toml",
    "looks.toml",
    "examples.toml",
    "rulebook.toml",
    "printed.py",
    "demo.py",
)
SHOWN_ROOMS = ("core/wording", "core/report")
WHY_SAME = "--plays-the-same"


class Released(TypedDict):
    """A version that a release has; `same` says why a later change does not alter how it plays."""

    release: str
    digest: str
    same: list[str]


Known = dict[str, dict[str, Released]]  # by game and version


def read_known() -> Known:
    """The released versions of all games."""
    known: Known = json.loads(FILE.read_text())
    return known


def find_games() -> dict[str, int]:
    """The newest version of the rules of each game, by the name of its folder; variants share one."""
    found = {find_code_folder(one.folder): one.versions.newest for one in map(find_system, SYSTEMS)}
    return {folder.name: newest for folder, newest in found.items() if folder.parent == ROOT / RULES}


def digest(game: str, root: Path = ROOT) -> str:
    """The digest of all that decides how a game plays: its data, rulings and code, and those of the core."""
    made = hashlib.sha256()
    for folder in (root / RULES / game, root / RULES / "core"):
        for file in sorted(folder.rglob("*")):
            name = file.relative_to(root / RULES).as_posix()
            if file.suffix not in (".py", ".toml") or file.name in SHOWN or name.startswith(SHOWN_ROOMS):
                continue
            made.update(f"{name}\n".encode() + read_meaning(file.suffix, file.read_text("utf-8")))
    return made.hexdigest()


@cache
def read_meaning(suffix: str, text: str) -> bytes:
    """What a file says to the program: without comments, docstrings and empty lines."""
    if suffix == ".toml":
        return json.dumps(tomllib.loads(text), sort_keys=True, default=str).encode()
    lines = text.splitlines()
    for first, last in _find_docstrings(ast.parse(text)):
        lines[first - 1 : last] = [""] * (last - first + 1)
    told = (line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return "\n".join(told).encode()


def _find_docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The first and last line of each docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.lineno, first.end_lineno or first.lineno


def find_changed(known: Known, newest: dict[str, int], root: Path = ROOT) -> dict[str, str]:
    """What to do about each game whose newest version is released and whose rules have changed since."""
    found = {}
    for game, number in newest.items():
        last = known.get(game, {}).get(str(number))
        if last and digest(game, root) != last["digest"]:
            found[game] = (
                f"the rules of {game} or of the core have changed since release {last['release']}, which has "
                f"version {number} of them. If a fight may come out differently, add version {number + 1} to "
                f"combat/rules/{game}/{VERSIONS_FILE}: combat/rules/README.md says how. If none can: "
                f"python -m tests.combat.rules.released {WHY_SAME} 'WHY'"
            )
    return found


def stamp(known: Known, newest: dict[str, int], release: str, root: Path = ROOT) -> Known:
    """The released versions with the newest of each game as `release` has it; others stay as they are."""
    made = {game: dict(versions) for game, versions in known.items()}
    for game, number in newest.items():
        fresh = Released(release=release, digest=digest(game, root), same=[])
        made.setdefault(game, {}).setdefault(str(number), fresh)
    return made


def excuse(known: Known, newest: dict[str, int], why: str, root: Path = ROOT) -> Known:
    """The released versions with the digests of today, and why what changed plays the same."""
    made = {game: dict(versions) for game, versions in known.items()}
    for game in find_changed(known, newest, root):
        last = made[game][str(newest[game])]
        made[game][str(newest[game])] = {**last, "digest": digest(game, root), "same": [*last["same"], why]}
    return made


def write_known(known: Known) -> None:
    """Store the released versions."""
    FILE.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")


def stamp_release() -> None:
    """Fix the newest version of each game as this release has it."""
    if changed := find_changed(read_known(), find_games()):
        raise SystemExit("\n".join(changed.values()))
    write_known(stamp(read_known(), find_games(), RELEASE))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != WHY_SAME or not sys.argv[2].strip():
        raise SystemExit(f"python -m tests.combat.rules.released {WHY_SAME} 'WHY'")
    write_known(excuse(read_known(), find_games(), sys.argv[2].strip()))
