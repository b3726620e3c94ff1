"""Simple characters for any game: a sheet whose numbers are its fields, bought with one budget of points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ..basics.checking import Problem
from ..basics.modifiers import Derived, Modifier
from ..state.state import Combatant, State
from .catalogue import check_conditions
from .sheets import Budget, Creation, DerivedGroup, Draft, SheetBase, SheetPlan, Stat


class SimpleCreation(msgspec.Struct, frozen=True, kw_only=True):
    """What people decide of such a character: each number is a field of the sheet, named by its key.

    A new character starts with `first_low` of everything; each step above costs its price.
    """

    stats: tuple[Stat, ...]
    # How many points there are, and the key of the word for them (`term.…`).
    points: int
    points_word: str
    # The price of a step of each number, by key; 1 where nothing is said.
    prices: Mapping[str, int] = {}
    # The rule or the source of these limits: one of both is shown.
    rule: str = ""
    source: str = ""
    # The kinds of conditions that a sheet may hold.
    lasting: tuple[str, ...] = ()

    def find_budgets(self, draft: Draft) -> tuple[Budget, ...]:
        """The points of creation, and how many are spent."""
        spent = sum(self._price(stat, draft) for stat in self.stats)
        terms = (Modifier(self.points_word, self.points, self.rule),)
        return (
            Budget(
                key="points", label="Points", spent=spent, terms=terms, rule=self.rule, source=self.source
            ),
        )

    def _price(self, stat: Stat, draft: Draft) -> int:
        steps = draft.attributes.get(stat.key, stat.usual) - stat.first_low
        return max(0, steps) * self.prices.get(stat.key, 1)

    def read(self, sheet: dict[str, Any]) -> Draft:
        """The decisions in a sheet."""
        return Draft(attributes={stat.key: int(sheet.get(stat.key, stat.usual)) for stat in self.stats})

    def write(self, sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
        """A sheet with the decisions of a draft."""
        return {**sheet, **draft.attributes}

    def find_problems(self, sheet: dict[str, Any]) -> tuple[Problem, ...]:
        """The numbers out of bounds, and conditions that no sheet may hold."""
        wrong = [stat for stat in self.stats if not stat.low <= sheet.get(stat.key, stat.usual) <= stat.high]
        bounds = (Problem(stat.key, f"must be {stat.low} to {stat.high}") for stat in wrong)
        return (*bounds, *check_conditions(sheet, self.lasting))

    def make_plan(
        self,
        facts_of: Callable[[State, Combatant], tuple[Derived, ...]],
        summarize: Callable[[dict[str, Any]], str],
        **more: Any,
    ) -> SheetPlan:
        """The plan for the pages; `more` are further fields of it."""
        prices = {value: value for stat in self.stats for value in range(stat.low, stat.high + 1)}
        creation = Creation(
            attribute_prices=prices,
            find_budgets=self.find_budgets,
            source=self.source,
        )
        fields: dict[str, Any] = {
            "attributes": self.stats,
            "skills": (),
            "selections": (),
            "creation": creation,
            "read": self.read,
            "write": self.write,
            "find_problems": self.find_problems,
            "derive": lambda state, combatant: (DerivedGroup("Numbers", facts_of(state, combatant)),),
            "summarize": summarize,
            "lasting": self.lasting,
        }
        return SheetPlan(**{**fields, **more})


def fill_tracks(sheet: SheetBase, full: Mapping[str, int]) -> dict[str, int]:
    """The tracks of a combatant: full, except those that its sheet sets."""
    return {key: sheet.tracks.get(key, most) for key, most in full.items()}
