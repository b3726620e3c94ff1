"""Links to rules, and the version of the rules that a fight follows."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from combat.rules import SYSTEMS, find_system
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
    is_played: bool = True  # whether a fight can go on by its version

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
    return RulesView(now, versions.newest, tuple(changes), versions.knows(now))


def link_rule(rule_id: str, slug: str, words: str = "") -> SafeString | str:
    """A link that leads to a rule in the game's rulebook, with these words or the short form of its id.

    The stylesheet shows a short form only when asked, and a mark until then. cards.js shows the rule beside
    the link.
    """
    if not rule_id:
        return format_html("<span>{}</span>", words)
    if slug in SYSTEMS:
        rule_id = find_system(slug).rulebook.resolve(rule_id)
    short = rule_id.split("-", 1)[-1]
    address = reverse("rulebook", args=[slug])
    made = (
        '<a class="rule" href="{}{}/">{}</a>'
        if words
        else '<a class="rule rule-code" href="{}{}/"><span>{}</span></a>'
    )
    return format_html(made, address, rule_id, words or short)
