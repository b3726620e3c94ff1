"""The versions of a game's rules: what changed with each, for fights that began before.

`versions.toml` lies beside the rulebook. Each version after the first lists its changes, by key, with the
rule each is about. A procedure asks by this key whether a change holds in the fight at hand, and does what it
did before where it does not: so a fight of any version listed plays on, and replays, as it began. Where the
old way is dropped, the versions that had it leave the list: their fights play on by the oldest one left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import msgspec

from ..basics.data import DataError, read_record, read_toml
from ..basics.errors import Refused
from ..state.state import State, replace

VERSIONS_FILE = "versions.toml"


class RuleChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a version plays otherwise than the one before: in words, with the id of its rule."""

    key: str
    text: str
    rule: str = ""


class RuleVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A version of the rules and what changed with it; the first one of a list has changed nothing."""

    number: int
    change: tuple[RuleChange, ...] = ()


@dataclass(frozen=True)
class RuleVersions:
    """All versions of a game's rules that can be played, the oldest first."""

    all: tuple[RuleVersion, ...]

    @property
    def newest(self) -> int:
        """The number of the version that new encounters begin with."""
        return self.all[-1].number

    @cached_property
    def changes(self) -> dict[str, int]:
        """The version that each change came with, by its key."""
        return {change.key: version.number for version in self.all for change in version.change}

    def begin(self, state: State) -> State:
        """An empty state under the newest version."""
        return replace(state, rules=self.newest)

    def hold(self, state: State, key: str) -> bool:
        """Whether a change holds in a fight; KeyError if no version lists it."""
        return state.rules >= self.changes[key]

    def knows(self, number: int) -> bool:
        """Whether fights can be played just as they were under a version."""
        return self.all[0].number <= number <= self.newest

    def find_since(self, number: int) -> tuple[RuleVersion, ...]:
        """The versions after one, the oldest first."""
        return tuple(version for version in self.all if version.number > number)

    def check(self, number: int, name: str) -> None:
        """Refuse a version that this program does not know yet; `name` is that of the game."""
        if number > self.newest:
            text = f"This fight follows version {number} of the rules of {name}; here they are known up to"
            raise Refused("not_allowed", f"{text} version {self.newest}: update it first.")


@cache
def load_versions(folder: Path) -> RuleVersions:
    """The versions in a game's folder; DataError unless they count one by one and no key comes twice."""
    path = folder / VERSIONS_FILE
    rows = read_toml(path).get("version", [])
    found = RuleVersions(tuple(read_record(path, "version", row, RuleVersion) for row in rows))
    keys = [change.key for version in found.all for change in version.change]
    numbers = [version.number for version in found.all]
    if not numbers or numbers[0] < 1 or numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise DataError(f"{path}: its versions must count one by one, such as 1, 2, 3")
    if len(set(keys)) != len(keys) or found.all[0].change:
        raise DataError(f"{path}: every change has a key of its own, and the first version has none")
    return found
