"""The versions of a game's rules: what each one changed, for fights that began earlier.

`versions.toml` is beside the rulebook. Each version after the first lists its changes by key, with the rule
each is about. A procedure asks by this key whether a change holds in the current fight, and otherwise plays
the old rule: so a fight of any listed version continues and replays as it began. When an old rule is removed,
its versions leave the list; their fights continue under the oldest version left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from ..basics.data import DataError, has_toml, read_record, read_toml
from ..basics.errors import Refused
from ..state.state import State, replace

VERSIONS_FILE = "versions.toml"


class RuleChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule that a version changed: in words, with the id of the rule."""

    key: str
    text: str
    rule: str = ""


class RuleVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A version of the rules and its changes; the first version of a list has none."""

    number: int
    change: tuple[RuleChange, ...] = ()


@dataclass(frozen=True)
class RuleVersions:
    """All playable versions of a game's rules, oldest first."""

    all: tuple[RuleVersion, ...]

    @property
    def newest(self) -> int:
        """The number of the version for new encounters."""
        return self.all[-1].number

    @property
    def changes(self) -> dict[str, int]:
        """The version that made each change, by key."""
        return {change.key: version.number for version in self.all for change in version.change}

    def begin(self, state: State) -> State:
        """An empty state under the newest version."""
        return replace(state, rules=self.newest)

    def hold(self, state: State, key: str) -> bool:
        """Whether a change holds in a fight; KeyError if no version lists it."""
        return state.rules >= self.changes[key]

    def knows(self, number: int) -> bool:
        """Whether fights of a version can be played exactly as they were."""
        return self.all[0].number <= number <= self.newest

    def find_since(self, number: int) -> tuple[RuleVersion, ...]:
        """The versions after a given one, oldest first."""
        return tuple(version for version in self.all if version.number > number)

    def check(self, number: int, name: str) -> None:
        """Refuse a version newer than this program; `name` is the game's."""
        if number > self.all[-1].number:  # in each command of a forecast: without further calls
            text = f"This fight follows version {number} of the rules of {name}; here they are known up to"
            raise Refused("not_allowed", f"{text} version {self.newest}: update it first.")


@cache
def load_versions(folder: Path) -> RuleVersions:
    """The versions in a game's folder; version 1 alone if it has no file.

    DataError unless numbers are consecutive and keys unique.
    """
    path = folder / VERSIONS_FILE
    rows = read_toml(path).get("version", []) if has_toml(path) else [{"number": 1}]
    found = RuleVersions(tuple(read_record(path, "version", row, RuleVersion) for row in rows))
    keys = [change.key for version in found.all for change in version.change]
    numbers = [version.number for version in found.all]
    if not numbers or numbers[0] < 1 or numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise DataError(f"{path}: its versions must count one by one, such as 1, 2, 3")
    if len(set(keys)) != len(keys) or found.all[0].change:
        raise DataError(f"{path}: every change has a key of its own, and the first version has none")
    return found
