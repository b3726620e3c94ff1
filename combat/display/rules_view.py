"""Which version of the rules a fight follows, and what has changed since."""

from __future__ import annotations

from dataclasses import dataclass

from combat.rules.core.state.state import State
from combat.rules.core.system import System


@dataclass(frozen=True)
class ChangeView:
    """One thing that a later version plays otherwise, with the id of its rule."""

    version: int
    text: str
    rule: str


@dataclass(frozen=True)
class RulesView:
    """The version that a fight follows, the newest one, and all that changed after the first of them."""

    version: int
    newest: int
    changes: tuple[ChangeView, ...] = ()

    @property
    def is_old(self) -> bool:
        """Whether there are newer rules."""
        return self.version < self.newest


def view_rules(system: System, state: State) -> RulesView:
    """What a page says of the rules that a fight follows: it is no secret to anybody."""
    now, versions = state.rules, system.versions
    changes = (
        ChangeView(version.number, change.text, change.rule)
        for version in versions.find_since(now)
        for change in version.change
    )
    return RulesView(now, versions.newest, tuple(changes))
