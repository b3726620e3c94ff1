"""The places in lines that have changed since the last release, and those left out on purpose.

`python -m tests.tools.breaks.since` keeps sums of the lines of this release in `released`: what has changed
is then known without the history, in any copy of the tree.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from combat.rules.core.basics.release import RELEASE
from tests.combat.rules.released import find_games, read_known
from tests.tools.breaks.places import Place, find_places
from tests.tools.breaks.reach import ROOT

RELEASED = Path(__file__).with_name("released")
SUM = 4  # letters of the sum of a line: two lines of a file in a million have the same
# A cap, a size (of a random mark, too), a radius or a time-out may be one more or less, and nobody sees it.
LIMITS = re.compile(
    r"\b(?:MAX|MOST|LONGEST|LIMIT|LEAST|MIN|SIZE|RADIUS|TIMEOUT|SECONDS|BYTES)|timeout|max_length|max_age|secrets\.token_|\[:\d+\]|radius"
)


def find_release(folder: Path = RELEASED) -> Path:
    """The sums of the last release.

    That of this version counts once work on the next one has begun, which rules of a new version show.
    """
    known = read_known()
    has_begun = any(str(newest) not in known[game] for game, newest in find_games().items())
    return choose_release(folder, RELEASE, has_begun)


def choose_release(folder: Path, version: str, has_begun: bool) -> Path:
    """The newest sums in a folder, without those of this version while it is being made."""
    files = [file for file in folder.glob("*.json") if has_begun or file.stem != version]
    if not files:
        raise LookupError(f"There are no sums of a release before {version} in {folder.name}.")
    return max(files, key=lambda file: _read_version(file.stem))


def _read_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def find_changed_places(root: Path, release: Path) -> list[Place]:
    """The places of functions in lines that are new or changed since a release, without mere limits."""
    sums = {path: _split(text) for path, text in json.loads(release.read_text()).items()}
    return [
        place
        for place in find_places(root)
        if _sum(place) not in sums.get(place.path, ()) and can_be_seen(place)
    ]


def keep_release(root: Path, file: Path) -> None:
    """Write the sums of the lines of a tree that hold a place, by file."""
    sums: dict[str, set[str]] = {}
    for place in find_places(root):
        sums.setdefault(place.path, set()).add(_sum(place))
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({path: "".join(sorted(of)) for path, of in sums.items()}, indent=0) + "\n")


def _sum(place: Place) -> str:
    """What tells a line of a function from the others of its file."""
    whole = sha256(f"{place.function}\0{place.line}".encode()).digest()
    return urlsafe_b64encode(whole)[:SUM].decode()


def _split(text: str) -> set[str]:
    return {text[at : at + SUM] for at in range(0, len(text), SUM)}


def can_be_seen(place: Place) -> bool:
    """Whether a place is in a function, not in a class, whose body runs once, and is no mere limit."""
    name = place.function.rpartition(".")[2].lstrip("_")
    return name[:1].islower() and not LIMITS.search(place.line)


def draw(places: Iterable[Place], most: int) -> list[Place]:
    """So many places, drawn by what they are: the same for equal trees, nearly the same for similar ones."""
    return sorted(
        sorted(places, key=_digest)[:most], key=lambda place: (place.path, place.function, place.number)
    )


def _digest(place: Place) -> str:
    words = (place.path, place.function, place.line, place.old, place.new, str(place.number))
    return sha256("\0".join(words).encode()).hexdigest()


if __name__ == "__main__":
    keep_release(ROOT, RELEASED / f"{RELEASE}.json")
