"""The places in lines that have changed since the last release, and those left out on purpose."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from combat.rules.core.basics.release import RELEASE
from tests.combat.rules.released import find_games, read_known
from tests.tools.breaks.places import CODE, Place, find_spots

RELEASES, ARCHIVE = "tests/combat/releases", ".tar.xz"
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
# A cap, a size, a radius or a time-out may be one more or less, and nobody sees it.
LIMITS = re.compile(
    r"\b(?:MAX|MOST|LONGEST|LIMIT|LEAST|MIN|SIZE|RADIUS|TIMEOUT|SECONDS|BYTES)|timeout|max_length|max_age|\[:\d+\]|radius"
)


def find_release(root: Path) -> str:
    """The commit that stored the data of the last release.

    That of this version counts once work on the next one has begun, which rules of a new version show.
    """
    refuse_shallow(root)
    known = read_known()
    has_begun = any(str(newest) not in known[game] for game, newest in find_games().items())
    names = [path.name.removesuffix(ARCHIVE) for path in (root / RELEASES).glob(f"*{ARCHIVE}")]
    name = max((name for name in names if has_begun or name != RELEASE), key=_read_version)
    commits = _git(root, "log", "--format=%H", "--", f"{RELEASES}/{name}{ARCHIVE}").split()
    if not commits:
        raise LookupError(f"The history does not reach back to {name}: fetch all of it.")
    return commits[-1]


def refuse_shallow(root: Path) -> None:
    """Refuse a clone without its history: its oldest commit seems to have stored all releases."""
    if _git(root, "rev-parse", "--is-shallow-repository").strip() == "true":
        raise LookupError(
            "This clone is shallow: what has changed since the last release is unknown. git fetch --unshallow"
        )


def _read_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def find_changed_lines(root: Path, commit: str) -> dict[str, set[int]]:
    """The lines of the code that are new or changed since a commit, by file."""
    said = _git(root, "diff", "--unified=0", "--no-renames", "--diff-filter=AM", commit, "--", *CODE)
    changed: dict[str, set[int]] = {}
    for part in re.split(r"^diff --git ", said, flags=re.MULTILINE)[1:]:
        name = re.search(r"^\+\+\+ b/(.+\.py)$", part, re.MULTILINE)
        if name and "/migrations/" not in name[1]:
            for begin, count in HUNK.findall(part):
                changed.setdefault(name[1], set()).update(range(int(begin), int(begin) + int(count or 1)))
    return changed


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


def find_changed_places(root: Path, commit: str) -> list[Place]:
    """The places of functions in lines that have changed since a commit, without mere limits."""
    places = []
    for path, lines in sorted(find_changed_lines(root, commit).items()):
        text = (root / path).read_text("utf-8")
        places += [
            spot.place
            for spot in find_spots(path, text)
            if text.count("\n", 0, spot.start) + 1 in lines and can_be_seen(spot.place)
        ]
    return places


def can_be_seen(place: Place) -> bool:
    """Whether a place is in a function and no mere limit."""
    return bool(place.function) and not LIMITS.search(place.line)


def draw(places: Iterable[Place], most: int) -> list[Place]:
    """So many places, drawn by what they are: the same for equal trees, nearly the same for similar ones."""
    return sorted(
        sorted(places, key=_digest)[:most], key=lambda place: (place.path, place.function, place.number)
    )


def _digest(place: Place) -> str:
    words = (place.path, place.function, place.line, place.old, place.new, str(place.number))
    return sha256("\0".join(words).encode()).hexdigest()
