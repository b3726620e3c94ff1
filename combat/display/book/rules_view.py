"""Which version of the rules a fight follows, and what has changed since."""

from __future__ import annotations

from dataclasses import dataclass

from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State


@dataclass(frozen=True)
class ChangeView:
    """One thing that a later version plays differently, with the id of its rule."""

    version: int
    text: str
    rule: str


@dataclass(frozen=True)
class RulesView:
    """The version that a fight follows, the newest one, and all changes since the first of the two."""

    version: int
    newest: int
    changes: tuple[ChangeView, ...] = ()

    @property
    def is_old(self) -> bool:
        """Whether there are newer rules."""
        return self.version < self.newest


def view_rules(system: System, state: State) -> RulesView:
    """The version of the rules that a fight follows, as a page shows it; it is no secret."""
    now, versions = state.rules, system.versions
    changes = (
        ChangeView(version.number, change.text, change.rule)
        for version in versions.find_since(now)
        for change in version.change
    )
    return RulesView(now, versions.newest, tuple(changes))
